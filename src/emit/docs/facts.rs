//! Server → what the prose names and what the structure depends on.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Prose, text};
use crate::plan::Server;
use crate::plan::server::Kind;

/// Which parts of the page apply.
#[derive(Serialize)]
pub(super) struct Conditions {
    has_modern: bool,
    has_legacy: bool,
    is_mapped: bool,
    envelope_has_details: bool,
    has_argument_section: bool,
    is_argument_envelope: bool,
    unknown_on_read_tools_only: bool,
    has_destructive: bool,
    is_missing_elicitation_protocol_error: bool,
    has_identity_fields: bool,
    has_audit: bool,
}

/// Decides which parts of the page apply.
pub(super) fn conditions(server: &Server) -> Conditions {
    Conditions {
        has_modern: !server.protocol.modern.is_empty(),
        has_legacy: !server.protocol.legacy.is_empty(),
        is_mapped: server.errors.is_mapped,
        envelope_has_details: server.docs.envelope_has_details,
        has_argument_section: server.docs.has_argument_section,
        is_argument_envelope: server.arguments.envelope_code.is_some(),
        unknown_on_read_tools_only: server.arguments.unknown_on_read_tools_only,
        has_destructive: server
            .tools
            .iter()
            .any(|tool| tool.kind == Kind::Destructive),
        is_missing_elicitation_protocol_error: server
            .confirmation
            .is_missing_elicitation_protocol_error
            && !server.protocol.modern.is_empty(),
        has_identity_fields: !identity_fields(server).is_empty(),
        has_audit: !server.docs.audit_actor.is_empty(),
    }
}

/// What the prose may name, as Markdown.
pub(super) fn facts(server: &Server) -> Value {
    let (limit_argument, limit) = example_limit(server).unwrap_or_default();
    let argument_code = server.arguments.envelope_code.as_deref().unwrap_or("");
    json!({
        "product": text::cell(&server.product_name),
        "modern": codes(&server.protocol.modern),
        "legacy": codes(&server.protocol.legacy),
        "fallback": text::code(&server.errors.fallback),
        "own_codes": codes(&own_codes(server)),
        "argument_code": text::code(argument_code),
        "limit_argument": text::code(&limit_argument),
        "limit": limit,
        "confirmation_required": text::code(&server.confirmation.required),
        "max_body": text::cell(&server.transport.max_body_label),
        "identity_fields": codes(&identity_fields(server)),
        "audit_actor": text::code(&server.docs.audit_actor),
    })
}

/// The fields of the call log in words, in order.
pub(super) fn log_fields(server: &Server, prose: &Prose) -> Vec<String> {
    server
        .log_fields
        .iter()
        .map(|field| {
            let key = text::code(&field.key);
            match sentence_name(field.value).and_then(|name| prose.get(name)) {
                Some(words) => format!("{key}: {words}"),
                None => key,
            }
        })
        .collect()
}

fn sentence_name(value: &str) -> Option<&'static str> {
    Some(match value {
        "Tool" => "log_tool",
        "Account" => "log_account",
        "User" => "log_user",
        "TokenId" => "log_token_id",
        "TokenKind" => "log_token_kind",
        "Membership" => "log_membership",
        "Result" => "log_result",
        "Status" => "log_status",
        "DurationMs" => "log_duration",
        _ => return None,
    })
}

/// Keys of the fields that stay empty until credentials are checked.
fn identity_fields(server: &Server) -> Vec<String> {
    let identity = ["Account", "User", "TokenId", "TokenKind", "Membership"];
    server
        .log_fields
        .iter()
        .filter(|field| identity.contains(&field.value))
        .map(|field| field.key.clone())
        .collect()
}

/// Codes that the server gives where the API's answer cannot be read, each once.
fn own_codes(server: &Server) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    for code in server
        .errors
        .conditions
        .values()
        .chain([&server.errors.fallback])
    {
        if !code.is_empty() && !codes.contains(code) {
            codes.push(code.clone());
        }
    }
    codes
}

fn codes(codes: &[String]) -> String {
    let spans: Vec<String> = codes.iter().map(|code| text::code(code)).collect();
    spans.join(", ")
}

/// The first limit on the size of a page among the tools: a reader meets that one first.
fn example_limit(server: &Server) -> Option<(String, String)> {
    let names = ["limit", "per_page", "page_size"];
    server.tools.iter().find_map(|tool| {
        let schema: Value = serde_json::from_str(tool.input_schema.first()?).ok()?;
        names.iter().find_map(|name| {
            let maximum = schema.get("properties")?.get(name)?.get("maximum")?;
            Some(((*name).to_owned(), maximum.as_number()?.to_string()))
        })
    })
}
