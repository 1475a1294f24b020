//! `tools`: what the model sees of each tool, and what that costs.

use std::io;

use serde_json::json;

use oas2mcp::plan::Server;
use oas2mcp::plan::server::{Kind, Text, Tool};

use super::{Ending, Messages, print};
use crate::cli::{Format, Sort, Tools};

struct Row<'a> {
    name: &'a str,
    operation: &'a str,
    kind: Kind,
    bytes: usize,
}

impl Row<'_> {
    /// Four bytes a token is the usual rule of thumb for JSON and English; it is an estimate, not a bill.
    fn tokens(&self) -> usize {
        self.bytes.div_ceil(4)
    }
}

/// Prints the table.
pub(super) fn tools(options: &Tools, messages: &Messages) -> io::Result<Ending> {
    let outcome = oas2mcp::plan_server(&options.input.path);
    if messages.diagnostics(&outcome, &options.input) == Ending::Failed {
        return Ok(Ending::Failed);
    }
    let Some(server) = &outcome.server else {
        return Ok(Ending::Failed);
    };
    let mut rows: Vec<Row<'_>> = server.tools.iter().map(|tool| row(server, tool)).collect();
    match options.sort {
        Some(Sort::Tokens) => rows.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.name.cmp(b.name))),
        Some(Sort::Name) => rows.sort_by(|a, b| a.name.cmp(b.name)),
        None => {}
    }
    print(&match messages.format {
        Format::Human => table(&rows),
        Format::Json => json_text(&rows),
    })?;
    Ok(Ending::Fine)
}

fn row<'a>(server: &Server, tool: &'a Tool) -> Row<'a> {
    Row {
        name: &tool.name,
        operation: &tool.operation,
        kind: tool.kind,
        bytes: entry_size(server, tool),
    }
}

/// Bytes of the tool's entry in `tools/list`, in the language that goes over the wire.
fn entry_size(server: &Server, tool: &Tool) -> usize {
    let locale = server.wire_locale.unwrap_or(0);
    let text = |text: &Text| {
        text.get(locale)
            .or_else(|| text.first())
            .cloned()
            .unwrap_or_default()
    };
    let schema =
        text(&tool.input_schema).len() + tool.output_schema.as_ref().map_or(0, String::len);
    let entry = json!({
        "name": tool.name,
        "title": text(&tool.title),
        "description": text(&tool.description),
        "annotations": {
            "readOnlyHint": tool.kind == Kind::Read,
            "destructiveHint": tool.kind == Kind::Destructive,
            "idempotentHint": tool.idempotent,
            "openWorldHint": tool.open_world,
        },
    });
    entry.to_string().len() + schema + ",\"inputSchema\":".len()
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Destructive => "destructive",
    }
}

fn table(rows: &[Row<'_>]) -> String {
    let mut lines = vec![["TOOL", "OPERATION", "KIND", "BYTES", "TOKENS"].map(str::to_owned)];
    lines.extend(rows.iter().map(|row| {
        [
            row.name.to_owned(),
            row.operation.to_owned(),
            word(row.kind).to_owned(),
            row.bytes.to_string(),
            row.tokens().to_string(),
        ]
    }));
    let (bytes, tokens) = total(rows);
    let sum = format!("{} in all", rows.len());
    lines.push([
        sum,
        String::new(),
        String::new(),
        bytes.to_string(),
        tokens.to_string(),
    ]);
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let [a, b, c, d, e] = [width(0), width(1), width(2), width(3), width(4)];
    lines
        .iter()
        .map(|[name, operation, kind, bytes, tokens]| {
            format!("{name:<a$}  {operation:<b$}  {kind:<c$}  {bytes:>d$}  {tokens:>e$}\n")
        })
        .collect()
}

fn total(rows: &[Row<'_>]) -> (usize, usize) {
    let bytes: usize = rows.iter().map(|row| row.bytes).sum();
    let tokens: usize = rows.iter().map(Row::tokens).sum();
    (bytes, tokens)
}

fn json_text(rows: &[Row<'_>]) -> String {
    let (bytes, tokens) = total(rows);
    let list: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "name": row.name,
                "operation": row.operation,
                "kind": row.kind,
                "bytes": row.bytes,
                "tokens": row.tokens(),
            })
        })
        .collect();
    let table = json!({"tools": list, "total": {"bytes": bytes, "tokens": tokens}});
    format!("{table}\n")
}
