//! Writes the answers to requests that are refused before their message is read.

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{Response, StatusCode};
use http_body_util::Full;
use serde_json::Value;

use crate::runtime::answer::{ProtocolError, code, failure};
use crate::runtime::catalog::{Refusal, RefusalBody, RefusalKind, Text, Transport};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Headers that some refusals carry.
#[derive(Clone, Debug, Default)]
pub struct RefusalHeaders {
    /// `Retry-After` in seconds.
    pub retry_after: Option<u64>,
    /// `WWW-Authenticate`.
    pub challenge: Option<String>,
}

/// The answer for a refusal in the language with this index.
#[must_use]
pub fn respond(
    transport: &Transport,
    kind: RefusalKind,
    locale: usize,
    extra: &RefusalHeaders,
) -> Response<Full<Bytes>> {
    let known = transport.refusals.iter().find(|known| known.kind == kind);
    let refusal = known.copied().unwrap_or_else(|| built_in(kind));
    let (content_type, body) = body(&refusal, locale);
    let mut response = Response::new(Full::new(body));
    *response.status_mut() =
        StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::BAD_REQUEST);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, content_type);
    if kind == RefusalKind::Method {
        headers.insert(ALLOW, HeaderValue::from_static("POST"));
    }
    if let Some(seconds) = extra.retry_after {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    let challenge = extra.challenge.as_deref().map(HeaderValue::from_str);
    if let Some(Ok(challenge)) = challenge {
        headers.insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

/// The sentence of a refusal, for a transport that has no statuses.
#[must_use]
pub fn sentence(transport: &Transport, kind: RefusalKind, locale: usize) -> &'static str {
    let known = transport.refusals.iter().find(|known| known.kind == kind);
    known
        .copied()
        .unwrap_or_else(|| built_in(kind))
        .message
        .in_locale(locale)
}

fn body(refusal: &Refusal, locale: usize) -> (HeaderValue, Bytes) {
    let message = refusal.message.in_locale(locale);
    match refusal.body {
        RefusalBody::JsonRpc => {
            let error = ProtocolError::new(code::INVALID_REQUEST, message);
            (JSON, failure(None, &error).into())
        }
        RefusalBody::Plain => (TEXT, Bytes::from_static(message.as_bytes())),
        RefusalBody::Api { template, code } => match serde_json::from_str::<Value>(template) {
            Ok(mut value) => {
                fill(&mut value, refusal.status, code, message);
                (JSON, value.to_string().into())
            }
            Err(_) => (TEXT, Bytes::from_static(message.as_bytes())),
        },
    }
}

/// Puts the values in place. The template is walked, not searched: no value can add to the structure.
fn fill(value: &mut Value, status: u16, code: &str, message: &str) {
    match value {
        Value::String(text) => match text.as_str() {
            "$status" => *value = status.into(),
            "$code" => *value = code.into(),
            "$message" => *value = message.into(),
            _ => {}
        },
        Value::Array(items) => {
            for item in items {
                fill(item, status, code, message);
            }
        }
        Value::Object(members) => {
            for (_, member) in members.iter_mut() {
                fill(member, status, code, message);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What a catalog without an entry for this kind gives.
fn built_in(kind: RefusalKind) -> Refusal {
    let (status, message): (u16, &'static [&'static str]) = match kind {
        RefusalKind::Host => (403, &["Host not allowed"]),
        RefusalKind::Origin => (403, &["Origin not allowed"]),
        RefusalKind::Path => (404, &["Not found"]),
        RefusalKind::Method => (405, &["Method not allowed"]),
        RefusalKind::BodyTooLarge => (413, &["Request body too large"]),
        RefusalKind::ContentType => (415, &["Content-Type must be application/json"]),
        RefusalKind::Accept => (406, &["Accept must include application/json"]),
        RefusalKind::BodyTimeout => (408, &["The request body did not arrive in time"]),
        RefusalKind::Overloaded => (503, &["Too many calls at once"]),
        RefusalKind::Credentials => (401, &["The token is missing or not valid"]),
        RefusalKind::Account => (403, &["The account is blocked"]),
        RefusalKind::Address => (403, &["The address is not allowed"]),
        RefusalKind::Organization => (403, &["The organization is not known"]),
        RefusalKind::Scope => (403, &["The token lacks a scope"]),
        RefusalKind::RateLimit => (429, &["Too many requests"]),
        RefusalKind::AuthorizationServer => (503, &["The token cannot be checked at the moment"]),
    };
    Refusal {
        kind,
        status,
        body: RefusalBody::JsonRpc,
        message: Text(message),
    }
}
