//! The published pages: which codes stand in which table, and the registry that follows from them.

use indexmap::IndexMap;

use crate::overlay::{self, CodeEntry, Column, Envelope, ErrorChannel};

use super::context::{Context, in_locale, pointer};
use super::endpoint::{NAMES, own_wording, status};
use super::errors::{AUTHORIZATION, is_reserved};
use super::server::{
    Channel, Docs, DocsRow, DocsTable, ErrorCode, Kind, Server, Source, Text, TransportRow,
};

/// Fills the pages and the registry; everything else of the server is decided.
pub(super) fn plan(cx: &Context<'_>, server: &mut Server, produced: &IndexMap<String, Source>) {
    let settings = &cx.overlay.docs;
    let text = |text: &Option<overlay::Text>, key: &str| {
        cx.optional_text(text.as_ref(), &pointer(&["docs", key]))
    };
    let mut docs = Docs {
        tables: tables(cx, produced),
        protocol: protocol(cx, server),
        transport: transport(cx),
        why_example: text(&settings.why_example, "why_example"),
        support: text(&settings.support, "support"),
        audit_actor: settings
            .audit
            .as_ref()
            .and_then(|a| a.actor.clone())
            .unwrap_or_default(),
        example: (String::new(), String::new()),
        has_argument_section: server.arguments.envelope_code.is_none(),
        envelope_has_details: cx.overlay.errors.envelope == Envelope::CodeMessageDetails,
    };
    move_to_transport(cx, server, &mut docs);
    report_unused(cx, &docs, produced);
    server.errors.registry = registry(cx, server, &docs, produced);
    docs.example = example(cx, &docs, &server.errors.registry);
    server.docs = docs;
}

fn entry<'c>(cx: &'c Context<'_>, code: &str) -> Option<&'c CodeEntry> {
    cx.overlay.errors.codes.get(code)
}

fn tables(cx: &Context<'_>, produced: &IndexMap<String, Source>) -> Vec<DocsTable> {
    if cx.overlay.errors.tables.is_empty() {
        return default_tables(cx, produced);
    }
    let tables = cx.overlay.errors.tables.iter().enumerate();
    let tables = tables.map(|(index, table)| {
        let at = pointer(&["errors", "tables", &index.to_string()]);
        let rows = table.codes.iter().enumerate();
        DocsTable {
            intro: cx.optional_text(table.intro.as_ref(), &format!("{at}/intro")),
            shows_who: table.column == Column::Who,
            rows: rows
                .map(|(row, code)| {
                    let at = format!("{at}/codes/{row}");
                    check_produced(cx, code, produced, &at);
                    docs_row(cx, code, (table.column, produced), &at)
                })
                .collect(),
            outro: cx.optional_text(table.outro.as_ref(), &format!("{at}/outro")),
        }
    });
    tables.collect()
}

fn default_tables(cx: &Context<'_>, produced: &IndexMap<String, Source>) -> Vec<DocsTable> {
    let mut codes: Vec<&String> = produced.keys().collect();
    // The generator's own order first, so that the fallback comes where a reader expects it.
    let place = |code: &str| cx.wording.tool.get_index_of(code).unwrap_or(usize::MAX);
    codes.sort_by_key(|code| place(code));
    let (who, when): (Vec<&String>, Vec<&String>) = codes
        .into_iter()
        .partition(|code| AUTHORIZATION.contains(&code.as_str()));
    let table = |column: Column, codes: Vec<&String>| DocsTable {
        intro: vec![String::new()],
        shows_who: column == Column::Who,
        rows: codes
            .into_iter()
            .map(|code| docs_row(cx, code, (column, produced), &code_place(cx, code)))
            .collect(),
        outro: vec![String::new()],
    };
    [table(Column::When, when), table(Column::Who, who)]
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .collect()
}

/// Where a code is written: its entry, or the whole section.
fn code_place(cx: &Context<'_>, code: &str) -> String {
    if cx.overlay.errors.codes.contains_key(code) {
        pointer(&["errors", "codes", code])
    } else if cx.has_overlay {
        "/errors".to_owned()
    } else {
        String::new()
    }
}

fn check_produced(cx: &Context<'_>, code: &str, produced: &IndexMap<String, Source>, at: &str) {
    let own = cx
        .wording
        .tool
        .get(code)
        .and_then(|own| own.source.as_deref());
    let is_passed =
        own == Some("api") && cx.overlay.errors.mode == overlay::UpstreamErrorMode::Passthrough;
    if !produced.contains_key(code) && !is_reserved(code) && !is_passed {
        cx.error(
            "unproduced-code",
            at,
            format!("nothing in this server gives `{code}`"),
            "add a rule of `errors.map` that gives it, write `source: api` under `errors.codes` if the API's own body carries it, or remove the row",
        );
    }
}

fn docs_row(
    cx: &Context<'_>,
    code: &str,
    (column, produced): (Column, &IndexMap<String, Source>),
    at: &str,
) -> DocsRow {
    let entry = entry(cx, code);
    let code_at = pointer(&["errors", "codes", code]);
    let label = entry.and_then(|entry| entry.label.as_ref());
    let mut codes = vec![code.to_owned()];
    codes.extend(
        entry
            .into_iter()
            .flat_map(|entry| entry.covers.iter().cloned()),
    );
    DocsRow {
        codes,
        label: label.map_or_else(
            || vec![code.to_owned()],
            |label| cx.text(label, &format!("{code_at}/label")),
        ),
        text: column_text(cx, code, column, at),
        is_reserved: is_reserved(code) && !produced.contains_key(code),
    }
}

fn column_text(cx: &Context<'_>, code: &str, column: Column, at: &str) -> Text {
    let (key, said) = match column {
        Column::When => (
            "when",
            entry(cx, code).and_then(|entry| entry.when.as_ref()),
        ),
        Column::Who => ("who", entry(cx, code).and_then(|entry| entry.who.as_ref())),
    };
    if let Some(text) = said {
        return cx.text(text, &pointer(&["errors", "codes", code, key]));
    }
    let own = cx.wording.tool.get(code);
    let own = own.and_then(|own| match column {
        Column::When => own.when.as_ref(),
        Column::Who => own.who.as_ref(),
    });
    own.map_or_else(
        || {
            cx.error(
                "missing-code-text",
                at,
                format!("the table has no text for `{code}`"),
                &format!("write it:\nerrors:\n  codes:\n    {code}:\n      {key}: …"),
            );
            vec![String::new()]
        },
        |text| cx.own_text(text),
    )
}

fn protocol(cx: &Context<'_>, server: &Server) -> Vec<(String, Text)> {
    let default = || {
        let is_given = |code: &i32| is_given(server, *code);
        let all = [
            -32700, -32600, -32601, -32602, -32002, -32020, -32021, -32022, -32603,
        ];
        all.into_iter().filter(is_given).collect()
    };
    let codes: Vec<i32> = cx.overlay.errors.protocol.clone().unwrap_or_else(default);
    let rows = codes.into_iter().enumerate().map(|(index, number)| {
        let at = pointer(&["errors", "protocol", &index.to_string()]);
        if !is_given(server, number) {
            cx.error(
                "unproduced-code",
                &at,
                format!("this server never gives {number}"),
                "remove it",
            );
        }
        (number.to_string(), meaning(cx, &number.to_string()))
    });
    rows.collect()
}

/// Whether the server can answer with this protocol code.
fn is_given(server: &Server, code: i32) -> bool {
    let has_modern = !server.protocol.modern.is_empty();
    let is_asked = server.confirmation.is_missing_elicitation_protocol_error
        && server
            .tools
            .iter()
            .any(|tool| tool.kind == Kind::Destructive);
    match code {
        -32700 | -32600 | -32601 | -32602 | -32603 => true,
        -32002 => !server.protocol.legacy.is_empty(),
        -32020 | -32022 => has_modern,
        -32021 => has_modern && is_asked,
        _ => false,
    }
}

fn meaning(cx: &Context<'_>, code: &str) -> Text {
    if let Some(text) = entry(cx, code).and_then(|entry| entry.when.as_ref()) {
        return cx.text(text, &pointer(&["errors", "codes", code, "when"]));
    }
    cx.wording
        .protocol
        .get(code)
        .map_or_else(|| vec![String::new()], |own| cx.own_text(&own.meaning))
}

fn transport(cx: &Context<'_>) -> Vec<TransportRow> {
    let rows = NAMES.iter().filter_map(|name| {
        let said = cx.overlay.transport.refusals.get(&name.name);
        if name.variant.is_none() && said.is_none() {
            return None;
        }
        let own = own_wording(cx, name);
        let at = pointer(&["transport", "refusals", name.key, "when"]);
        Some(TransportRow {
            status: status(said, &own),
            cause: match said.and_then(|said| said.when.as_ref()) {
                Some(cause) => cx.text(cause, &at),
                None => cx.own_text(&own.cause),
            },
            body: match said.and_then(|said| said.body) {
                None | Some(overlay::RefusalBody::Jsonrpc) => "json_rpc",
                Some(overlay::RefusalBody::Plain) => "plain",
                Some(overlay::RefusalBody::Api) => "api",
            },
            is_reserved: name.variant.is_none(),
        })
    });
    rows.collect()
}

/// Codes that come with HTTP 400 and stand in no protocol table belong to the transport table.
fn move_to_transport(cx: &Context<'_>, server: &Server, docs: &mut Docs) {
    for code in [-32022, -32020, -32021] {
        let is_listed = docs
            .protocol
            .iter()
            .any(|(listed, _)| *listed == code.to_string());
        if is_given(server, code) && !is_listed {
            let row = TransportRow {
                status: 400,
                cause: meaning(cx, &code.to_string())
                    .into_iter()
                    .map(|text| format!("`{code}`: {text}"))
                    .collect(),
                body: "json_rpc",
                is_reserved: false,
            };
            docs.transport.insert(0, row);
        }
    }
}

fn report_unused(cx: &Context<'_>, docs: &Docs, produced: &IndexMap<String, Source>) {
    let is_in_table = |code: &str| {
        let mut rows = docs.tables.iter().flat_map(|table| &table.rows);
        rows.any(|row| row.codes.iter().any(|listed| listed == code))
    };
    for (code, entry) in &cx.overlay.errors.codes {
        let is_used = match entry.channel {
            ErrorChannel::Tool => {
                is_in_table(code) || (produced.contains_key(code) && entry.source.is_none())
            }
            ErrorChannel::Protocol => docs.protocol.iter().any(|(listed, _)| listed == code),
            // The protocol codes that `move_to_transport` shows there.
            ErrorChannel::Transport => {
                ["-32020", "-32021", "-32022"].contains(&code.as_str())
                    && !docs.protocol.iter().any(|(listed, _)| listed == code)
            }
        };
        if !is_used {
            let help = match entry.channel {
                ErrorChannel::Transport => "write refusals under `transport.refusals`",
                _ => "remove the entry, or name the code in a table",
            };
            cx.error(
                "unused-code",
                &pointer(&["errors", "codes", code]),
                format!("`{code}` is never given and stands in no table"),
                help,
            );
        }
    }
    for code in produced.keys().filter(|code| !is_in_table(code)) {
        cx.warning(
            "undocumented-code",
            &code_place(cx, code),
            format!("the server can give `{code}`, but no table names it"),
            "add it to a table under `errors.tables`",
        );
    }
}

fn registry(
    cx: &Context<'_>,
    server: &Server,
    docs: &Docs,
    produced: &IndexMap<String, Source>,
) -> Vec<ErrorCode> {
    let mut codes: Vec<&String> = Vec::new();
    let listed = docs.tables.iter().flat_map(|table| &table.rows);
    for code in listed.flat_map(|row| &row.codes).chain(produced.keys()) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let source = |code: &String| match produced.get(code) {
        Some(source) => *source,
        None if is_reserved(code) => Source::Reserved,
        None => Source::Api,
    };
    let tool = codes.iter().map(|code| ErrorCode {
        code: (*code).clone(),
        channel: Channel::Tool,
        source: source(code),
        message: message(cx, code),
    });
    let mut registry: Vec<ErrorCode> = tool.collect();
    registry.extend(docs.protocol.iter().map(|(code, _)| ErrorCode {
        code: code.clone(),
        channel: Channel::Protocol,
        source: Source::Server,
        message: vec![String::new()],
    }));
    for row in &docs.transport {
        let code = row.status.to_string();
        let is_known = registry
            .iter()
            .any(|known| known.code == code && known.channel == Channel::Transport);
        if !is_known {
            let mut rows = docs
                .transport
                .iter()
                .filter(|other| other.status == row.status);
            let is_reserved = rows.all(|row| row.is_reserved);
            let refusal = server
                .transport
                .refusals
                .iter()
                .find(|r| r.status == row.status);
            registry.push(ErrorCode {
                code,
                channel: Channel::Transport,
                source: if is_reserved {
                    Source::Reserved
                } else {
                    Source::Server
                },
                message: refusal.map_or_else(|| vec![String::new()], |r| r.message.clone()),
            });
        }
    }
    registry
}

fn message(cx: &Context<'_>, code: &str) -> Text {
    if let Some(text) = entry(cx, code).and_then(|entry| entry.message.as_ref()) {
        return cx.text(text, &pointer(&["errors", "codes", code, "message"]));
    }
    let own = cx
        .wording
        .tool
        .get(code)
        .and_then(|own| own.message.as_ref());
    own.map_or_else(|| vec![String::new()], |text| cx.own_text(text))
}

/// Code and message of the example: from the overlay, else the first code of the first table that the API makes.
fn example(cx: &Context<'_>, docs: &Docs, registry: &[ErrorCode]) -> (String, String) {
    let said = cx.overlay.docs.example_code.as_ref();
    let find = |code: &String| {
        registry
            .iter()
            .find(|known| known.code == *code && known.channel == Channel::Tool)
    };
    if let Some(code) = said.filter(|code| find(code).is_none()) {
        cx.error(
            "unknown-code",
            "/docs/example_code",
            format!("`{code}` is not a code of this server"),
            "write one that stands in a table",
        );
    }
    let rows = || {
        docs.tables
            .first()
            .into_iter()
            .flat_map(|table| &table.rows)
    };
    let from_api = rows()
        .flat_map(|row| &row.codes)
        .find(|code| find(code).is_some_and(|known| known.source == Source::Api));
    let first = from_api.or_else(|| rows().flat_map(|row| &row.codes).next());
    let code = said.or(first).cloned().unwrap_or_default();
    let wire = cx.locales.wire.unwrap_or(0);
    let own = find(&code).map(|known| in_locale(&known.message, wire).to_owned());
    let message = cx
        .overlay
        .docs
        .example_message
        .clone()
        .or(own)
        .unwrap_or_default();
    (code, message)
}
