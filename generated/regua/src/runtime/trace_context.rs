//! W3C Trace Context: what a request says of the trace that it belongs to → headers for the API.
//!
//! Only what is valid goes on, so that no client writes a header of its own making. `baggage` does not go on: it is
//! free text of strangers.

use std::borrow::Cow;
use std::collections::BTreeSet;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::value::RawValue;

use crate::runtime::message::{Meta, as_string};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// Length of a `traceparent` of version 00.
const PARENT_LENGTH: usize = 55;
/// Longest `tracestate` that goes on, in bytes (Trace Context, 3.3.1.5, asks for no more).
const MAX_STATE: usize = 512;
/// Most members of a `tracestate` (3.3.1.1).
const MAX_MEMBERS: usize = 32;
/// Longest key or value of a member (3.3.1.3).
const MAX_KEY_OR_VALUE: usize = 256;

/// A valid trace context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    parent: HeaderValue,
    state: Option<HeaderValue>,
}

/// Where a context was looked for.
enum Found<'a> {
    /// Nothing is there.
    Absent,
    /// Something is there that is not one text.
    Malformed,
    Text(Cow<'a, str>),
}

impl TraceContext {
    /// Reads the context of a request. `_meta` decides where it names a `traceparent` (2026-07-28, basic, "Trace
    /// Context"), else the headers do; what is not valid counts as absent.
    #[must_use]
    pub fn read(meta: Option<&Meta<'_>>, headers: Option<&HeaderMap>) -> Option<Self> {
        let (parent, state) = match (meta, headers) {
            (Some(meta), _) if meta.traceparent.is_some() => {
                (member(meta.traceparent), member(meta.tracestate))
            }
            (_, Some(headers)) => (header(headers), list_header(headers)),
            (_, None) => return None,
        };
        let Found::Text(parent) = parent else {
            return None;
        };
        let state = match &state {
            Found::Text(state) => Some(state.as_ref()),
            Found::Absent | Found::Malformed => None,
        };
        Self::new(&parent, state)
    }

    /// A context of these values. A `tracestate` that is not valid is left out (Trace Context, 4.3).
    #[must_use]
    pub fn new(parent: &str, state: Option<&str>) -> Option<Self> {
        if !is_parent(parent) {
            return None;
        }
        let state = state.filter(|state| is_state(state));
        Some(Self {
            parent: HeaderValue::from_str(parent).ok()?,
            state: state.and_then(|state| HeaderValue::from_str(state).ok()),
        })
    }

    /// Puts the context on a request. One that the catalog put there stays.
    pub fn apply(&self, headers: &mut HeaderMap) {
        if headers.contains_key(TRACEPARENT) || headers.contains_key(TRACESTATE) {
            return;
        }
        headers.insert(TRACEPARENT, self.parent.clone());
        if let Some(state) = &self.state {
            headers.insert(TRACESTATE, state.clone());
        }
    }

    /// The `traceparent`.
    #[must_use]
    pub fn parent(&self) -> &str {
        self.parent.to_str().unwrap_or_default()
    }

    /// The `tracestate`.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_ref()?.to_str().ok()
    }
}

fn member<'a>(raw: Option<&'a RawValue>) -> Found<'a> {
    match raw {
        None => Found::Absent,
        Some(raw) => as_string(raw).map_or(Found::Malformed, Found::Text),
    }
}

/// `traceparent`; two of them are none (Trace Context, 4.3).
fn header(headers: &HeaderMap) -> Found<'_> {
    let mut values = headers.get_all(TRACEPARENT).iter();
    match (values.next(), values.next()) {
        (None, _) => Found::Absent,
        (Some(value), None) => text(value).map_or(Found::Malformed, Found::Text),
        (Some(_), Some(_)) => Found::Malformed,
    }
}

/// `tracestate`, which may come in several headers (Trace Context, 3.3.1).
fn list_header(headers: &HeaderMap) -> Found<'_> {
    let mut values = headers.get_all(TRACESTATE).iter();
    let Some(first) = values.next() else {
        return Found::Absent;
    };
    let Some(mut joined) = text(first) else {
        return Found::Malformed;
    };
    for value in values {
        let Some(more) = text(value) else {
            return Found::Malformed;
        };
        if joined.len() + more.len() > MAX_STATE {
            return Found::Malformed;
        }
        joined = Cow::Owned(format!("{joined},{more}"));
    }
    Found::Text(joined)
}

fn text(value: &HeaderValue) -> Option<Cow<'_, str>> {
    value.to_str().ok().map(Cow::Borrowed)
}

/// `00-<32 hex>-<16 hex>-<2 hex>` in lower case, with neither identifier all zero (Trace Context, 3.2).
fn is_parent(text: &str) -> bool {
    if text.len() != PARENT_LENGTH {
        return false;
    }
    let mut parts = text.split('-');
    let mut next = |length| {
        parts
            .next()
            .filter(|part| part.len() == length && part.bytes().all(is_lower_hex))
    };
    let is_named = |part: &str| part.bytes().any(|byte| byte != b'0');
    let parts = (next(2), next(32), next(16), next(2));
    let (Some("00"), Some(trace), Some(span), Some(_)) = parts else {
        return false;
    };
    is_named(trace) && is_named(span)
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// `key=value` members with commas between them, each key once (Trace Context, 3.3.1).
fn is_state(text: &str) -> bool {
    if text.len() > MAX_STATE {
        return false;
    }
    let mut keys = BTreeSet::new();
    let members = text
        .split(',')
        .map(|member| member.trim_matches([' ', '\t']));
    for member in members.filter(|member| !member.is_empty()) {
        let Some((key, value)) = member.split_once('=') else {
            return false;
        };
        if !is_key(key) || !is_value(value) || !keys.insert(key) || keys.len() > MAX_MEMBERS {
            return false;
        }
    }
    !keys.is_empty()
}

fn is_key(key: &str) -> bool {
    let starts_well =
        key.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit());
    let is_made_of =
        |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/' | b'@');
    starts_well && key.len() <= MAX_KEY_OR_VALUE && key.bytes().all(is_made_of)
}

fn is_value(value: &str) -> bool {
    let is_made_of = |byte| matches!(byte, b' '..=b'~') && byte != b'=';
    !value.is_empty() && value.len() <= MAX_KEY_OR_VALUE && value.bytes().all(is_made_of)
}
