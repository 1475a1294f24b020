//! Parameters that a model never sees: credentials, transport headers, what the server itself sends, what the overlay
//! hides.

use crate::overlay::ArgumentEntry;

use super::arguments::Candidate;
use super::context::{Context, pointer};
use super::select::Selected;
use super::server::Place;

/// Headers that the HTTP client or a credential owns, in lower case.
const OWNED: &[&str] = &[
    "accept",
    "accept-charset",
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "origin",
    "proxy-authorization",
    "proxy-connection",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-api-key",
    "api-key",
    "apikey",
    "x-auth-token",
    "x-access-token",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
];

/// What becomes of a parameter.
pub(super) enum Fate {
    /// It is an argument.
    Shown,
    /// It is left out.
    Hidden,
    /// It is always sent with this JSON text.
    Fixed(String),
}

/// Decides, and reports what would make a call that the API must refuse.
pub(super) fn fate(cx: &Context<'_>, tool: &Selected<'_>, candidate: &Candidate<'_>) -> Fate {
    let entry = candidate.entry;
    if let Some(value) = entry.and_then(|entry| entry.fixed.as_ref()) {
        return Fate::Fixed(value.to_string());
    }
    let hidden_by = hidden_by(cx, tool, candidate, entry);
    let Some((at, is_sent)) = hidden_by else {
        return Fate::Shown;
    };
    if candidate.required && !is_sent {
        cx.error(
            "hidden-required",
            &at,
            format!(
                "`{}` of `{}` must be given, but it is hidden",
                candidate.wire,
                tool.operation.key.join_key()
            ),
            "send it always, with `upstream.headers.set` or `fixed` in the tool's `arguments`",
        );
    }
    Fate::Hidden
}

/// Where it was hidden, and whether the server sends it itself.
fn hidden_by(
    cx: &Context<'_>,
    tool: &Selected<'_>,
    candidate: &Candidate<'_>,
    entry: Option<&ArgumentEntry>,
) -> Option<(String, bool)> {
    let upstream = &cx.overlay.upstream;
    let is_same = |name: &str| match candidate.place {
        Place::Header => name.eq_ignore_ascii_case(&candidate.wire),
        Place::Query | Place::Cookie => name == candidate.wire,
        _ => false,
    };
    let is_header = candidate.place == Place::Header;
    let is_set = is_header && upstream.headers.set.keys().any(|name| is_same(name));
    let is_key = is_header
        && upstream
            .idempotency_key
            .as_ref()
            .is_some_and(|key| is_same(&key.header));
    let is_owned = is_header && OWNED.iter().any(|name| is_same(name));
    let is_sent = is_set || is_key || is_owned;
    if entry.is_some_and(|entry| entry.hide) {
        let key = tool.entry.map_or("", |(key, _)| key);
        return Some((
            pointer(&["tools", key, "arguments", &candidate.wire, "hide"]),
            is_sent,
        ));
    }
    if let Some(index) = upstream.headers.hide.iter().position(|name| is_same(name)) {
        return Some((format!("/upstream/headers/hide/{index}"), is_sent));
    }
    is_sent.then(|| (String::new(), true))
}

/// Whether a name of `upstream.headers.hide` hides any parameter of the API.
pub(super) fn hides_something(cx: &Context<'_>, name: &str) -> bool {
    cx.api
        .operations
        .iter()
        .flat_map(|operation| &operation.parameters)
        .any(|parameter| parameter.name.eq_ignore_ascii_case(name))
}
