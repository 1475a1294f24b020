//! The built-in texts, and two servers as `plan` would decide them.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::plan::Server;
use crate::plan::server::{
    ArgumentPolicy, Body, Confirmation, Docs, DocsRow, DocsTable, ErrorPolicy, Kind, LogField,
    Protocol, Text, Tool, Transport, TransportRow,
};

pub(super) const LOCALES: [&str; 3] = ["pt-BR", "en", "es"];

/// The built-in texts, as `plan` reads them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuiltIn {
    pub(super) tool: IndexMap<String, Code>,
    pub(super) protocol: IndexMap<String, Meaning>,
    pub(super) refusals: IndexMap<String, Refusal>,
    pub(super) question: IndexMap<String, Localized>,
    pub(super) units: IndexMap<String, IndexMap<String, Localized>>,
}

pub(super) type Localized = IndexMap<String, String>;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Code {
    pub(super) when: Localized,
    pub(super) who: Localized,
    pub(super) message: Localized,
    #[serde(rename = "era")]
    _era: Option<crate::overlay::Era>,
    #[serde(rename = "source")]
    _source: Option<crate::overlay::ErrorSource>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Meaning {
    pub(super) meaning: Localized,
    #[serde(rename = "era")]
    _era: Option<crate::overlay::Era>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) message: Localized,
    pub(super) cause: Localized,
    pub(super) reserved: bool,
}

pub(super) fn built_in() -> BuiltIn {
    serde_yaml::from_str(include_str!("../../../../templates/docs/codes.yaml")).expect("YAML")
}

fn text(localized: &Localized) -> Text {
    LOCALES
        .iter()
        .map(|locale| localized.get(*locale).cloned().unwrap_or_default())
        .collect()
}

pub(super) fn same(text: &str) -> Text {
    vec![text.to_owned()]
}

fn table(shows_who: bool, codes: &[&str]) -> DocsTable {
    let texts = built_in().tool;
    let rows = codes.iter().map(|code| DocsRow {
        codes: vec![(*code).to_owned()],
        label: Text::new(),
        text: text(if shows_who {
            &texts[*code].who
        } else {
            &texts[*code].when
        }),
        is_reserved: code.to_lowercase().contains("declined") || *code == "insufficient_scope",
    });
    DocsTable {
        shows_who,
        rows: rows.collect(),
        ..DocsTable::default()
    }
}

fn protocol(codes: &[&str]) -> Vec<(String, Text)> {
    let texts = built_in().protocol;
    codes
        .iter()
        .map(|code| ((*code).to_owned(), text(&texts[*code].meaning)))
        .collect()
}

fn transport(names: &[(&str, &'static str)]) -> Vec<TransportRow> {
    let texts = built_in().refusals;
    names
        .iter()
        .map(|(name, body)| TransportRow {
            status: texts[*name].status,
            cause: text(&texts[*name].cause),
            body,
            is_reserved: texts[*name].reserved,
        })
        .collect()
}

fn log_fields(fields: &[(&str, &'static str)]) -> Vec<LogField> {
    let field = |(key, value): &(&str, &'static str)| LogField {
        key: (*key).to_owned(),
        value,
    };
    fields.iter().map(field).collect()
}

fn tool(name: &str, kind: Kind, input_schema: &str) -> Tool {
    Tool {
        name: name.to_owned(),
        title: Text::new(),
        description: Text::new(),
        kind,
        idempotent: false,
        open_world: true,
        input_schema: same(input_schema),
        output_schema: None,
        operation: "GET /x".to_owned(),
        method: "GET".to_owned(),
        path: Vec::new(),
        base_url: None,
        body: Body::None,
        arguments: Vec::new(),
        fixed: Vec::new(),
        hints: Vec::new(),
        confirm: None,
        example_arguments: "{}".to_owned(),
    }
}

pub(super) fn server(title: &str, label: &str, docs: Docs) -> Server {
    Server {
        name: "pages".to_owned(),
        title: same(title),
        product_name: title.to_owned(),
        version: "1.0.0".to_owned(),
        locales: LOCALES.map(str::to_owned).to_vec(),
        protocol: Protocol {
            modern: vec!["2026-07-28".to_owned()],
            legacy: vec!["2025-11-25".to_owned(), "2025-06-18".to_owned()],
            ..Protocol::default()
        },
        transport: Transport {
            max_body_label: label.to_owned(),
            ..Transport::default()
        },
        errors: ErrorPolicy {
            fallback: "tool_error".to_owned(),
            ..ErrorPolicy::default()
        },
        confirmation: Confirmation {
            required: "confirmation_required".to_owned(),
            ..Confirmation::default()
        },
        tools: vec![tool("cancel", Kind::Destructive, "{}")],
        docs,
        ..Server::default()
    }
}

fn kobana_tables() -> Vec<DocsTable> {
    vec![
        table(
            false,
            &[
                "unprocessable",
                "validation_failed",
                "not_found",
                "user_declined",
                "tool_error",
                "confirmation_required",
            ],
        ),
        table(
            true,
            &[
                "insufficient_scope",
                "insufficient_permission",
                "membership_inactive",
                "product_not_enabled",
                "unauthorized",
            ],
        ),
    ]
}

pub(super) fn kobana() -> Server {
    let docs = Docs {
        tables: kobana_tables(),
        protocol: protocol(&[
            "-32700", "-32600", "-32601", "-32602", "-32002", "-32020", "-32022", "-32603",
        ]),
        transport: transport(&[
            ("credentials", "api"),
            ("account", "api"),
            ("address", "api"),
            ("host", "json_rpc"),
            ("method", "json_rpc"),
            ("body_too_large", "json_rpc"),
            ("rate_limit", "api"),
        ]),
        why_example: vec![
            "Um boleto já pago não pode ser cancelado.".to_owned(),
            "A paid billet cannot be canceled.".to_owned(),
            "Un boleto ya pagado no se puede cancelar.".to_owned(),
        ],
        support: vec![
            "Informe a tool e o horário.".to_owned(),
            "Give the tool and the time.".to_owned(),
            "Indique la tool y la hora.".to_owned(),
        ],
        example: ("unprocessable".to_owned(), "status paid".to_owned()),
        has_argument_section: true,
        ..Docs::default()
    };
    let mut server = server("Kobana", "4 MiB", docs);
    server.errors.is_mapped = true;
    server.tools.push(tool(
        "list",
        Kind::Read,
        r#"{"type":"object","properties":{"limit":{"type":"integer","maximum":100}}}"#,
    ));
    server.log_fields = log_fields(&[
        ("tool", "Tool"),
        ("account", "Account"),
        ("user", "User"),
        ("token", "TokenId"),
        ("token_kind", "TokenKind"),
        ("result", "Result"),
        ("duration", "DurationMs"),
    ]);
    server
}

pub(super) fn regua() -> Server {
    let mut api = table(false, &["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"]);
    api.rows.push(DocsRow {
        codes: vec!["transitions".to_owned()],
        label: vec![
            "Transições com 409".to_owned(),
            "409 transition codes".to_owned(),
            "Transiciones con 409".to_owned(),
        ],
        text: same("`CHARGE_NOT_SETTLED`"),
        is_reserved: false,
    });
    api.rows.push(DocsRow {
        codes: vec!["INSUFFICIENT_SCOPE".to_owned(), "FORBIDDEN".to_owned()],
        label: same("INSUFFICIENT_SCOPE / FORBIDDEN"),
        text: text(&built_in().tool["FORBIDDEN"].when),
        is_reserved: false,
    });
    let docs = Docs {
        tables: vec![
            api,
            table(
                true,
                &[
                    "insufficient_scope",
                    "insufficient_permission",
                    "membership_inactive",
                    "key_owner_not_member",
                    "USER_DECLINED",
                    "confirmation_required",
                    "confirmation_replayed",
                    "confirmation_unavailable",
                ],
            ),
        ],
        protocol: protocol(&["-32700", "-32600", "-32601", "-32602", "-32002", "-32603"]),
        transport: regua_transport(),
        audit_actor: "api-token:<jti>".to_owned(),
        example: ("NOT_FOUND".to_owned(), "Charge not found".to_owned()),
        envelope_has_details: true,
        ..Docs::default()
    };
    let mut server = server("Régua de Cobrança", "2 MB", docs);
    server.protocol.method_not_found_named = true;
    server.arguments = ArgumentPolicy {
        envelope_code: Some("VALIDATION_ERROR".to_owned()),
        unknown_on_read_tools_only: true,
    };
    server.log_fields = log_fields(&[("jti", "TokenId"), ("status", "Status")]);
    server
}

fn regua_transport() -> Vec<TransportRow> {
    let mut rows = transport(&[
        ("credentials", "plain"),
        ("organization", "plain"),
        ("origin", "plain"),
        ("path", "plain"),
        ("body_too_large", "plain"),
        ("rate_limit", "plain"),
        ("authorization_server", "plain"),
    ]);
    rows.push(TransportRow {
        status: 400,
        cause: same("-32020, -32022"),
        body: "json_rpc",
        is_reserved: false,
    });
    rows
}
