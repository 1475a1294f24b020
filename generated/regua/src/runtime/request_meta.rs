//! Checks how a modern request describes itself: the members of `_meta` and the headers that repeat the body.

use std::collections::BTreeMap;

use http::HeaderMap;
use serde::de::IgnoredAny;

use crate::runtime::answer::ProtocolError;
use crate::runtime::era::mismatch;
use crate::runtime::header_value::{self, HeaderValue};
use crate::runtime::message::{Meta, Params, as_string, invalid_params, is_object};

const LOG_LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

/// Checks the members of `_meta` besides the version.
///
/// # Errors
/// -32602 without `clientCapabilities`, or with an unknown log level.
pub fn check_meta(meta: &Meta<'_>) -> Result<(), ProtocolError> {
    match meta.client_capabilities {
        Some(raw) if is_object(raw) => {}
        Some(_) => {
            return Err(invalid_params(
                "io.modelcontextprotocol/clientCapabilities in _meta must be an object",
            ));
        }
        None => {
            return Err(invalid_params(
                "_meta must hold io.modelcontextprotocol/clientCapabilities",
            ));
        }
    }
    let Some(raw) = meta.log_level else {
        return Ok(());
    };
    match as_string(raw) {
        Some(level) if LOG_LEVELS.contains(&level.as_ref()) => Ok(()),
        _ => Err(invalid_params(
            "io.modelcontextprotocol/logLevel in _meta is not a log level",
        )),
    }
}

/// Checks that `Mcp-Method` and `Mcp-Name` say what the body says (2026-07-28, transports, "Streamable HTTP").
///
/// A body without the name it needs is for the method to refuse, unless a header names one.
///
/// # Errors
/// -32020 where a header is missing, malformed or different.
pub fn check_headers(
    headers: &HeaderMap,
    method: &str,
    params: &Params<'_>,
) -> Result<(), ProtocolError> {
    match header_value::read(headers, "mcp-method") {
        HeaderValue::Text(value) if value == method => {}
        HeaderValue::Text(_) => return Err(mismatch("Mcp-Method differs from the method")),
        HeaderValue::Absent => return Err(mismatch("Mcp-Method is missing")),
        HeaderValue::Malformed => return Err(mismatch("Mcp-Method is malformed")),
    }
    let (member, raw) = match method {
        "tools/call" | "prompts/get" => ("params.name", params.name),
        "resources/read" => ("params.uri", params.uri),
        _ => return Ok(()),
    };
    let named = raw.and_then(as_string);
    match (header_value::read(headers, "mcp-name"), named) {
        (HeaderValue::Malformed, _) => Err(mismatch("Mcp-Name is malformed")),
        (HeaderValue::Absent, None) => Ok(()),
        (HeaderValue::Absent, Some(_)) => Err(mismatch("Mcp-Name is missing")),
        (HeaderValue::Text(value), named) => match header_value::decode_sentinel(value) {
            None => Err(mismatch("Mcp-Name is not valid Base64 of UTF-8")),
            Some(value) if named.as_deref() == Some(value.as_ref()) => Ok(()),
            Some(_) => Err(mismatch(format!("Mcp-Name differs from {member}"))),
        },
    }
}

/// Whether the client can show a form to a person: `elicitation` with `form`, or empty, which means the same
/// (2026-07-28, client, "Elicitation").
#[must_use]
pub fn can_elicit_form(meta: &Meta<'_>) -> bool {
    let Some(capabilities) = meta.client_capabilities.filter(|raw| is_object(raw)) else {
        return false;
    };
    let read = serde_json::from_str::<BTreeMap<String, &serde_json::value::RawValue>>;
    let Ok(capabilities) = read(capabilities.get()) else {
        return false;
    };
    let Some(elicitation) = capabilities.get("elicitation").filter(|raw| is_object(raw)) else {
        return false;
    };
    serde_json::from_str::<BTreeMap<String, IgnoredAny>>(elicitation.get())
        .is_ok_and(|modes| modes.is_empty() || modes.contains_key("form"))
}
