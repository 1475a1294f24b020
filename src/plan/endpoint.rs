//! The protocol versions and the HTTP endpoint with its refusals.

use crate::overlay::{self, MethodNotFound, RefusalName};

use super::context::{Context, pointer, quote_list};
use super::server::{Protocol, Refusal, RefusalBody, Text, Transport};
use super::upstream::bounded;

const MODERN: &[&str] = &["2026-07-28"];
const LEGACY: &[&str] = &["2025-11-25", "2025-06-18"];

/// Names in the overlay, and variants of the runtime's `RefusalKind` where this version can refuse so.
pub(super) const REFUSALS: &[(RefusalName, &str, Option<&str>)] = &[
    (RefusalName::Credentials, "credentials", None),
    (RefusalName::Account, "account", None),
    (RefusalName::Address, "address", None),
    (RefusalName::Organization, "organization", None),
    (RefusalName::Host, "host", Some("Host")),
    (RefusalName::Origin, "origin", Some("Origin")),
    (RefusalName::Path, "path", Some("Path")),
    (RefusalName::Method, "method", Some("Method")),
    (RefusalName::Accept, "accept", Some("Accept")),
    (
        RefusalName::BodyTimeout,
        "body_timeout",
        Some("BodyTimeout"),
    ),
    (
        RefusalName::BodyTooLarge,
        "body_too_large",
        Some("BodyTooLarge"),
    ),
    (
        RefusalName::ContentType,
        "content_type",
        Some("ContentType"),
    ),
    (RefusalName::RateLimit, "rate_limit", None),
    (RefusalName::Overloaded, "overloaded", Some("Overloaded")),
    (
        RefusalName::AuthorizationServer,
        "authorization_server",
        None,
    ),
];

/// Decides the versions.
pub(super) fn protocol(cx: &Context<'_>) -> Protocol {
    let settings = &cx.overlay.protocol;
    let modern = versions(cx, settings.modern.as_deref(), MODERN, "modern");
    let legacy = versions(cx, settings.legacy.as_deref(), LEGACY, "legacy");
    if modern.is_empty() && legacy.is_empty() {
        cx.error(
            "no-version",
            "/protocol",
            "the server would speak no protocol version".to_owned(),
            "leave one of `modern` and `legacy` with a version, or both out for the default",
        );
    }
    let page_size = settings.page_size.map_or(1000, |size| size as u64);
    Protocol {
        modern,
        legacy,
        method_not_found_named: settings.method_not_found == MethodNotFound::Named,
        page_size: usize::try_from(bounded(cx, "/protocol/page_size", page_size, (1, 1000)))
            .unwrap_or(1000),
        list_ttl_ms: settings.list_ttl_ms.unwrap_or(300_000),
    }
}

/// The chosen versions, newest first.
fn versions(cx: &Context<'_>, given: Option<&[String]>, known: &[&str], key: &str) -> Vec<String> {
    let Some(given) = given else {
        return known.iter().map(|&version| version.to_owned()).collect();
    };
    for (index, version) in given.iter().enumerate() {
        if !known.contains(&version.as_str()) {
            cx.error(
                "unknown-version",
                &pointer(&["protocol", key, &index.to_string()]),
                format!("`{version}` is not a version that servers speak here"),
                &format!("write one or more of {}", quote_list(known)),
            );
        }
    }
    known
        .iter()
        .filter(|version| given.iter().any(|given| given == *version))
        .map(|&version| version.to_owned())
        .collect()
}

/// Decides the endpoint.
pub(super) fn transport(cx: &Context<'_>) -> Transport {
    let settings = &cx.overlay.transport;
    let bytes = bounded(
        cx,
        "/transport/max_body_bytes",
        settings.max_body_bytes.unwrap_or(4 << 20),
        (1024, 1 << 30),
    );
    Transport {
        path: path(cx),
        max_body_bytes: bytes,
        max_body_label: settings
            .max_body_label
            .clone()
            .unwrap_or_else(|| label(bytes)),
        allowed_hosts: settings
            .allowed_hosts
            .iter()
            .map(|host| host.to_lowercase())
            .collect(),
        allowed_origins: settings.allowed_origins.clone(),
        refusals: REFUSALS
            .iter()
            .filter_map(|row| refusal(cx, *row))
            .collect(),
    }
}

fn path(cx: &Context<'_>) -> String {
    let path = cx
        .overlay
        .transport
        .path
        .clone()
        .unwrap_or_else(|| "/mcp".to_owned());
    let is_valid = path.starts_with('/')
        && path
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-._~/".contains(&b))
        && !path.contains("//");
    if !is_valid {
        cx.error(
            "invalid-path",
            "/transport/path",
            format!("`{path}` cannot be the path of the endpoint"),
            "write one such as `/mcp`: a slash, then letters, digits and `-._~/`",
        );
    }
    path
}

/// `4 MiB` for a power of two, `2 MB` for a power of ten, else bytes.
fn label(bytes: u64) -> String {
    for (size, unit) in [
        (1 << 20, "MiB"),
        (1 << 10, "KiB"),
        (1_000_000, "MB"),
        (1_000, "kB"),
    ] {
        if bytes >= size && bytes % size == 0 {
            return format!("{} {unit}", bytes / size);
        }
    }
    format!("{bytes} bytes")
}

fn refusal(
    cx: &Context<'_>,
    (name, key, kind): (RefusalName, &str, Option<&'static str>),
) -> Option<Refusal> {
    let kind = kind?;
    let entry = cx.overlay.transport.refusals.get(&name);
    Some(Refusal {
        kind,
        status: status(cx, entry, key),
        body: body(cx, entry, key),
        message: message(cx, entry, key),
    })
}

/// The status of a refusal: the overlay's, else the usual one.
pub(super) fn status(cx: &Context<'_>, entry: Option<&overlay::Refusal>, key: &str) -> u16 {
    let usual = cx
        .wording
        .refusals
        .get(key)
        .map_or(400, |wording| wording.status);
    let Some(status) = entry.and_then(|entry| entry.status) else {
        return usual;
    };
    if !(400..=599).contains(&status) {
        cx.error(
            "out-of-range",
            &pointer(&["transport", "refusals", key, "status"]),
            format!("{status} is not the status of a refusal"),
            "write one from 400 to 599",
        );
    }
    status
}

/// The body of a refusal: JSON-RPC unless the overlay says otherwise.
pub(super) fn body(cx: &Context<'_>, entry: Option<&overlay::Refusal>, key: &str) -> RefusalBody {
    match entry.and_then(|entry| entry.body) {
        None | Some(overlay::RefusalBody::Jsonrpc) => RefusalBody::JsonRpc,
        Some(overlay::RefusalBody::Plain) => RefusalBody::Plain,
        Some(overlay::RefusalBody::Api) => match &cx.overlay.transport.api_body {
            Some(template) => RefusalBody::Api {
                template: template.to_string(),
                code: entry
                    .and_then(|entry| entry.code.clone())
                    .unwrap_or_else(|| key.to_owned()),
            },
            None => {
                cx.error(
                    "missing-api-body",
                    &pointer(&["transport", "refusals", key, "body"]),
                    "there is no `transport.api_body` to answer with".to_owned(),
                    "write it, such as `api_body: {error: {code: $code, message: $message}}`",
                );
                RefusalBody::JsonRpc
            }
        },
    }
}

fn message(cx: &Context<'_>, entry: Option<&overlay::Refusal>, key: &str) -> Text {
    match entry.and_then(|entry| entry.message.as_ref()) {
        Some(message) => cx.text(
            message,
            &pointer(&["transport", "refusals", key, "message"]),
        ),
        None => cx
            .wording
            .refusals
            .get(key)
            .map_or_else(Vec::new, |wording| cx.own_text(&wording.message)),
    }
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn limits_are_printed_in_their_own_unit() {
        for (bytes, text) in [
            (4_194_304, "4 MiB"),
            (2_000_000, "2 MB"),
            (2048, "2 KiB"),
            (1_234_567, "1234567 bytes"),
        ] {
            assert_eq!(label(bytes), text);
        }
    }
}
