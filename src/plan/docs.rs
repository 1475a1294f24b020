//! The published error page: which rows stand in which table, once for all languages.

use crate::overlay::{self, Column, ErrorChannel};

use super::context::{Context, in_locale, pointer};
use super::endpoint::{self, REFUSALS};
use super::errors;
use super::server::{
    Docs, DocsRow, DocsTable, ErrorPolicy, Kind, RefusalBody, Server, Source, Text, TransportRow,
};

/// Codes about access, which one table of their own shows by who resolves them.
const ACCESS: [&str; 6] = [
    "insufficient_scope",
    "insufficient_permission",
    "membership_inactive",
    "product_not_enabled",
    "unauthorized",
    "key_owner_not_member",
];

/// Decides the page. `server` is complete but for it.
pub(super) fn plan(cx: &Context<'_>, server: &Server) -> Docs {
    let settings = &cx.overlay.docs;
    let tables = tables(cx, &server.errors);
    Docs {
        example: example(cx, server, &tables),
        tables,
        protocol: protocol(cx, server),
        transport: transport(cx),
        why_example: cx.optional_text(settings.why_example.as_ref(), "/docs/why_example"),
        support: cx.optional_text(settings.support.as_ref(), "/docs/support"),
        audit_actor: settings
            .audit
            .as_ref()
            .and_then(|audit| audit.actor.clone())
            .unwrap_or_default(),
        has_argument_section: server.arguments.envelope_code.is_none(),
        envelope_has_details: cx.overlay.errors.envelope == overlay::Envelope::CodeMessageDetails
            || server.arguments.envelope_code.is_some(),
    }
}

fn tables(cx: &Context<'_>, errors: &ErrorPolicy) -> Vec<DocsTable> {
    let settings = &cx.overlay.errors;
    if settings.tables.is_empty() {
        return default_tables(cx, errors);
    }
    report_untold(cx, errors);
    let table = |(index, table): (usize, &overlay::Table)| {
        let at = |key: &str| pointer(&["errors", "tables", &index.to_string(), key]);
        DocsTable {
            intro: cx.optional_text(table.intro.as_ref(), &at("intro")),
            shows_who: table.column == Column::Who,
            rows: table
                .codes
                .iter()
                .map(|code| row(cx, errors, code, table.column, &at("codes")))
                .collect(),
            outro: cx.optional_text(table.outro.as_ref(), &at("outro")),
        }
    };
    settings.tables.iter().enumerate().map(table).collect()
}

/// A code that the server gives and no table names would surprise whoever reads the page.
fn report_untold(cx: &Context<'_>, errors: &ErrorPolicy) {
    let settings = &cx.overlay.errors;
    let is_told = |code: &str| {
        let covers = |row: &String| {
            settings
                .codes
                .get(row)
                .is_some_and(|entry| entry.covers.iter().any(|covered| covered == code))
        };
        settings
            .tables
            .iter()
            .flat_map(|table| &table.codes)
            .any(|row| row == code || covers(row))
    };
    for code in errors.registry.iter().filter(|code| !is_told(&code.code)) {
        cx.error(
            "undocumented-code",
            "/errors/tables",
            format!("the server can give `{}`, but no table names it", code.code),
            "add it to a table's `codes`",
        );
    }
}

fn default_tables(cx: &Context<'_>, errors: &ErrorPolicy) -> Vec<DocsTable> {
    let (access, rest): (Vec<&str>, Vec<&str>) = errors
        .registry
        .iter()
        .map(|code| code.code.as_str())
        .partition(|code| ACCESS.contains(code));
    let table = |codes: Vec<&str>, column: Column| DocsTable {
        intro: vec![String::new()],
        shows_who: column == Column::Who,
        rows: codes
            .into_iter()
            .map(|code| row(cx, errors, code, column, "/errors/codes"))
            .collect(),
        outro: vec![String::new()],
    };
    [table(rest, Column::When), table(access, Column::Who)]
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .collect()
}

fn row(cx: &Context<'_>, errors: &ErrorPolicy, code: &str, column: Column, at: &str) -> DocsRow {
    let entry = errors::entry(cx, code);
    let mut codes = vec![code.to_owned()];
    codes.extend(
        entry
            .into_iter()
            .flat_map(|(_, entry)| entry.covers.iter().cloned()),
    );
    let known = errors.registry.iter().find(|known| known.code == code);
    let label = entry.and_then(|(key, entry)| Some((key, entry.label.as_ref()?)));
    DocsRow {
        label: label.map_or_else(Vec::new, |(key, label)| {
            cx.text(label, &pointer(&["errors", "codes", key, "label"]))
        }),
        text: row_text(cx, code, column, at),
        is_reserved: known.is_some_and(|known| known.source == Source::Reserved),
        codes,
    }
}

fn row_text(cx: &Context<'_>, code: &str, column: Column, at: &str) -> Text {
    let (name, pick): (&str, fn(&overlay::CodeEntry) -> Option<&overlay::Text>) = match column {
        Column::When => ("when", |entry| entry.when.as_ref()),
        Column::Who => ("who", |entry| entry.who.as_ref()),
    };
    // A table of who resolves what may hold a code that nobody can resolve: then it says when it appears.
    let given = errors::entry(cx, code).and_then(|(key, entry)| {
        let text = pick(entry).map(|text| (name, text));
        let text = text.or_else(|| entry.when.as_ref().map(|text| ("when", text)))?;
        Some(cx.text(text.1, &pointer(&["errors", "codes", key, text.0])))
    });
    let own = || {
        let wording = cx.wording.tool.get(code)?;
        let text = match column {
            Column::When => wording.when.as_ref(),
            Column::Who => wording.who.as_ref().or(wording.when.as_ref()),
        };
        text.map(|text| cx.own_text(text))
    };
    given.or_else(own).unwrap_or_else(|| {
        cx.error(
            "missing-code-text",
            at,
            format!("`{code}` has no text for the column `{name}`"),
            &format!("write it:\nerrors:\n  codes:\n    {code}:\n      {name}: …"),
        );
        vec![String::new()]
    })
}

/// Rows of the protocol table.
fn protocol(cx: &Context<'_>, server: &Server) -> Vec<(String, Text)> {
    let can_give = |code: &str| {
        let (modern, legacy) = (
            !server.protocol.modern.is_empty(),
            !server.protocol.legacy.is_empty(),
        );
        let destructive = server
            .tools
            .iter()
            .any(|tool| tool.kind == Kind::Destructive);
        match code {
            "-32002" => legacy,
            "-32020" => modern,
            "-32021" => {
                modern && destructive && server.errors.is_missing_elicitation_protocol_error
            }
            _ => true,
        }
    };
    let codes: Vec<String> = match &cx.overlay.errors.protocol {
        Some(codes) => codes.iter().map(ToString::to_string).collect(),
        None => cx
            .wording
            .protocol
            .keys()
            .filter(|code| can_give(code))
            .cloned()
            .collect(),
    };
    for code in cx
        .wording
        .protocol
        .keys()
        .filter(|code| can_give(code) && !codes.contains(*code))
    {
        let is_transport = cx
            .overlay
            .errors
            .codes
            .get(code)
            .is_some_and(|entry| entry.channel == ErrorChannel::Transport);
        if !is_transport {
            cx.error(
                "undocumented-code",
                "/errors/protocol",
                format!("the server can give {code}, but the protocol table does not name it"),
                "add it to `errors.protocol`, or leave that key out for all of them",
            );
        }
    }
    codes
        .iter()
        .enumerate()
        .map(|(index, code)| {
            (
                code.clone(),
                meaning(
                    cx,
                    code,
                    &pointer(&["errors", "protocol", &index.to_string()]),
                ),
            )
        })
        .collect()
}

fn meaning(cx: &Context<'_>, code: &str, at: &str) -> Text {
    let given = cx
        .overlay
        .errors
        .codes
        .get(code)
        .and_then(|entry| entry.when.as_ref());
    if let Some(text) = given {
        return cx.text(text, &pointer(&["errors", "codes", code, "when"]));
    }
    match cx.wording.protocol.get(code) {
        Some(wording) => cx.own_text(&wording.meaning),
        None => {
            cx.error(
                "unknown-code",
                at,
                format!("{code} is not a code that servers give"),
                "leave it out",
            );
            Vec::new()
        }
    }
}

/// Rows of the transport table: those that the overlay names in its order, then the others that this version gives.
fn transport(cx: &Context<'_>) -> Vec<TransportRow> {
    let refusals = &cx.overlay.transport.refusals;
    let named = refusals
        .keys()
        .filter_map(|name| REFUSALS.iter().find(|(known, _, _)| known == name));
    let others = REFUSALS
        .iter()
        .filter(|(name, _, kind)| kind.is_some() && !refusals.contains_key(name));
    let mut rows: Vec<TransportRow> = named
        .chain(others)
        .map(|(name, key, kind)| {
            let entry = refusals.get(name);
            TransportRow {
                status: endpoint::status(cx, entry, key),
                cause: cause(cx, entry, key),
                body: match endpoint::body(cx, entry, key) {
                    RefusalBody::JsonRpc => "json_rpc",
                    RefusalBody::Plain => "plain",
                    RefusalBody::Api { .. } => "api",
                },
                is_reserved: kind.is_none(),
            }
        })
        .collect();
    rows.extend(protocol_codes_in_transport(cx));
    rows
}

fn cause(cx: &Context<'_>, entry: Option<&overlay::Refusal>, key: &str) -> Text {
    match entry.and_then(|entry| entry.when.as_ref()) {
        Some(text) => cx.text(text, &pointer(&["transport", "refusals", key, "when"])),
        None => cx
            .wording
            .refusals
            .get(key)
            .map_or_else(Vec::new, |wording| cx.own_text(&wording.cause)),
    }
}

/// Protocol codes that an overlay shows in the transport table, since they travel with HTTP 400.
fn protocol_codes_in_transport(cx: &Context<'_>) -> Vec<TransportRow> {
    let codes = cx
        .overlay
        .errors
        .codes
        .iter()
        .filter(|(_, entry)| entry.channel == ErrorChannel::Transport);
    codes
        .map(|(code, _)| TransportRow {
            status: 400,
            cause: meaning(cx, code, &pointer(&["errors", "codes", code]))
                .into_iter()
                .map(|text| format!("`{code}`: {text}"))
                .collect(),
            body: "json_rpc",
            is_reserved: false,
        })
        .collect()
}

/// The code and message of the example result.
fn example(cx: &Context<'_>, server: &Server, tables: &[DocsTable]) -> (String, String) {
    let settings = &cx.overlay.docs;
    let first = tables
        .iter()
        .flat_map(|table| &table.rows)
        .find(|row| !row.is_reserved);
    let code = settings
        .example_code
        .clone()
        .or_else(|| first.and_then(|row| row.codes.first().cloned()))
        .unwrap_or_else(|| server.errors.fallback.clone());
    let known = server
        .errors
        .registry
        .iter()
        .find(|known| known.code == code);
    if known.is_none() {
        cx.error(
            "unknown-code",
            "/docs/example_code",
            format!("no table names `{code}`"),
            "write a code of the first table",
        );
    }
    let usual = known.map_or("", |known| {
        in_locale(&known.message, server.wire_locale.unwrap_or(0))
    });
    let message = settings
        .example_message
        .clone()
        .unwrap_or_else(|| usual.to_owned());
    (code, message)
}
