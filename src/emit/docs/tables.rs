//! Server → the tables of the page, as Markdown that is aligned in source.

use serde::Serialize;

use super::{Prose, pick, text};
use crate::plan::Server;
use crate::plan::server::{DocsRow, DocsTable, TransportRow};

/// After the first cell of a row whose code or refusal no version makes yet.
const RESERVED: &str = "\u{a0}†";

/// Every table; empty where it would have no rows.
#[derive(Serialize)]
pub(super) struct Tables {
    tables: Vec<CodeTable>,
    protocol_table: String,
    transport_table: String,
    transport_has_reserved: bool,
}

#[derive(Serialize)]
struct CodeTable {
    intro: String,
    rows: String,
    has_reserved: bool,
    outro: String,
}

/// Renders every table in one language. Rows and their order do not depend on it.
pub(super) fn tables(server: &Server, locale: usize, prose: &Prose) -> Tables {
    let docs = &server.docs;
    Tables {
        tables: docs
            .tables
            .iter()
            .filter(|table| !table.rows.is_empty())
            .map(|table| code_table(table, locale, prose))
            .collect(),
        protocol_table: protocol_table(server, locale, prose),
        transport_table: transport_table(&docs.transport, locale, prose),
        transport_has_reserved: docs.transport.iter().any(|row| row.is_reserved),
    }
}

fn code_table(table: &DocsTable, locale: usize, prose: &Prose) -> CodeTable {
    let (second, own_intro) = if table.shows_who {
        ("column_who", "table_who")
    } else {
        ("column_when", "table_when")
    };
    let intro = text::prose(pick(&table.intro, locale));
    let rows = table
        .rows
        .iter()
        .map(|row| {
            vec![
                marked(label(row, locale), row.is_reserved),
                text::cell(pick(&row.text, locale)),
            ]
        })
        .collect();
    CodeTable {
        intro: if intro.is_empty() {
            say(prose, own_intro)
        } else {
            intro
        },
        rows: aligned(head(prose, &["column_code", second]), rows),
        has_reserved: table.rows.iter().any(|row| row.is_reserved),
        outro: text::prose(pick(&table.outro, locale)),
    }
}

/// The label of a row, with those of its parts that are codes set as code.
fn label(row: &DocsRow, locale: usize) -> String {
    let label = pick(&row.label, locale);
    if label.trim().is_empty() {
        let codes: Vec<String> = row.codes.iter().map(|code| text::code(code)).collect();
        return codes.join(" / ");
    }
    let parts: Vec<String> = label
        .split(" / ")
        .map(|part| {
            if row.codes.iter().any(|code| code == part) {
                text::code(part)
            } else {
                text::cell(part)
            }
        })
        .collect();
    parts.join(" / ")
}

fn protocol_table(server: &Server, locale: usize, prose: &Prose) -> String {
    let rows = server
        .docs
        .protocol
        .iter()
        .map(|(code, meaning)| vec![text::code(code), text::cell(pick(meaning, locale))])
        .collect();
    aligned(
        head(prose, &["column_protocol_code", "column_meaning"]),
        rows,
    )
}

fn transport_table(rows: &[TransportRow], locale: usize, prose: &Prose) -> String {
    let rows = rows
        .iter()
        .map(|row| {
            vec![
                marked(row.status.to_string(), row.is_reserved),
                text::cell(pick(&row.cause, locale)),
                say(prose, body(row)),
            ]
        })
        .collect();
    aligned(
        head(prose, &["column_status", "column_cause", "column_body"]),
        rows,
    )
}

/// The sentence on the form of a body.
fn body(row: &TransportRow) -> &'static str {
    match (row.body, row.status) {
        ("plain", _) => "body_plain",
        ("api", _) => "body_api",
        // No refusal is a 400 by default: that status belongs to versions and headers, which have codes of their own.
        (_, 400) => "body_protocol",
        _ => "body_json_rpc",
    }
}

fn marked(cell: String, is_reserved: bool) -> String {
    if is_reserved { cell + RESERVED } else { cell }
}

fn head(prose: &Prose, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| say(prose, name)).collect()
}

fn say(prose: &Prose, name: &str) -> String {
    prose.get(name).cloned().unwrap_or_default()
}

/// A table whose columns line up, except the last, which may be long.
fn aligned(head: Vec<String>, rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let last = head.len().saturating_sub(1);
    let width = |column: usize| {
        let cells = rows.iter().chain([&head]).filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
            .max(3)
    };
    let widths: Vec<usize> = (0..last).map(width).collect();
    let rule = (0..=last)
        .map(|column| "-".repeat(widths.get(column).copied().unwrap_or(3)))
        .collect();
    let lines: Vec<String> = [&head, &rule]
        .into_iter()
        .chain(&rows)
        .map(|row| line(row, &widths))
        .collect();
    lines.join("\n")
}

fn line(row: &[String], widths: &[usize]) -> String {
    let mut line = String::from("|");
    for (column, cell) in row.iter().enumerate() {
        let width = widths.get(column).copied().unwrap_or(0);
        line.push_str(&format!(" {cell:width$} |"));
    }
    line
}
