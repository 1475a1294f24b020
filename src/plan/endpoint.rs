//! Protocol versions and the HTTP endpoint with its refusals.

use serde_json::Value;

use crate::overlay::{self, MethodNotFound, RefusalName};

use super::context::{Context, pointer, quote_list};
use super::server::{Limits, Protocol, Refusal, RefusalBody, Transport};
use super::upstream::bounded;
use super::wording::RefusalWording;

const MODERN: &[&str] = &["2026-07-28"];
const LEGACY: &[&str] = &["2025-11-25", "2025-06-18"];

/// Decides versions and protocol texts.
pub(super) fn protocol(cx: &Context<'_>) -> Protocol {
    let settings = &cx.overlay.protocol;
    let modern = versions(cx, ("modern", MODERN), settings.modern.as_deref());
    let legacy = versions(cx, ("legacy", LEGACY), settings.legacy.as_deref());
    if modern.is_empty() && legacy.is_empty() {
        cx.error(
            "no-version",
            "/protocol",
            "the server would serve no protocol version".to_owned(),
            "write a version under `modern` or `legacy`, or remove both",
        );
    }
    let page_size = settings.page_size.unwrap_or(1000) as u64;
    let page_size = bounded(cx, "/protocol/page_size", page_size, (1, 1000));
    Protocol {
        modern,
        legacy,
        method_not_found_named: settings.method_not_found == MethodNotFound::Named,
        page_size: usize::try_from(page_size).unwrap_or(1000),
        list_ttl_ms: settings.list_ttl_ms.unwrap_or(300_000),
    }
}

fn versions(
    cx: &Context<'_>,
    (list, known): (&str, &[&str]),
    said: Option<&[String]>,
) -> Vec<String> {
    for (index, version) in said.into_iter().flatten().enumerate() {
        if !known.contains(&version.as_str()) {
            cx.error(
                "unsupported-version",
                &pointer(&["protocol", list, &index.to_string()]),
                format!("`{version}` cannot be served as a {list} version"),
                &format!("write one of {}", quote_list(known)),
            );
        }
    }
    known
        .iter()
        .filter(|version| said.is_none_or(|said| said.iter().any(|other| other == *version)))
        .map(|&version| version.to_owned())
        .collect()
}

/// Decides the endpoint.
pub(super) fn transport(cx: &Context<'_>) -> Transport {
    let settings = &cx.overlay.transport;
    let max = settings.max_body_bytes.unwrap_or(4 << 20);
    let max = bounded(cx, "/transport/max_body_bytes", max, (1024, 1 << 30));
    let path = settings.path.clone().unwrap_or_else(|| "/mcp".to_owned());
    let is_path = path.starts_with('/')
        && path
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"/-_.~".contains(&b));
    if !is_path {
        cx.error(
            "invalid-path",
            "/transport/path",
            format!("`{}` cannot be the endpoint's path", path.escape_debug()),
            "write a path such as `/mcp`",
        );
    }
    check_origins(cx);
    let host = |host: &String| host.trim().to_lowercase();
    Transport {
        path,
        max_body_bytes: max,
        max_body_label: settings
            .max_body_label
            .clone()
            .unwrap_or_else(|| size_label(max)),
        allowed_hosts: settings.allowed_hosts.iter().map(host).collect(),
        allowed_origins: settings.allowed_origins.iter().map(host).collect(),
        refusals: NAMES
            .iter()
            .filter_map(|entry| refusal(cx, entry))
            .collect(),
    }
}

/// Decides how much one caller may ask.
pub(super) fn limits(cx: &Context<'_>) -> Limits {
    let said = cx.overlay.limits.clone().unwrap_or_default();
    let per_hour = |key: &str, said: Option<u32>| {
        let at = pointer(&["limits", key]);
        // An hour has 3,600,000,000 microseconds; a limit beyond one a millisecond limits nothing.
        let number = said.map_or(0, |n| bounded(cx, &at, u64::from(n), (1, 3_600_000)));
        u32::try_from(number).unwrap_or(0)
    };
    let calls = said.concurrent_calls.map_or(0, |n| {
        bounded(cx, "/limits/concurrent_calls", u64::from(n), (1, 1_000_000))
    });
    Limits {
        reads_per_hour: per_hour("reads_per_hour", said.reads_per_hour),
        writes_per_hour: per_hour("writes_per_hour", said.writes_per_hour),
        concurrent_calls: u32::try_from(calls).unwrap_or(0),
    }
}

fn check_origins(cx: &Context<'_>) {
    for (index, origin) in cx.overlay.transport.allowed_origins.iter().enumerate() {
        let rest = origin
            .strip_prefix("https://")
            .or_else(|| origin.strip_prefix("http://"));
        if rest.is_none_or(|rest| rest.is_empty() || rest.contains('/')) {
            cx.error(
                "invalid-origin",
                &format!("/transport/allowed_origins/{index}"),
                format!("`{origin}` is not an origin"),
                "write scheme and host, such as `https://app.example.com`",
            );
        }
    }
}

/// Bytes as people write them: binary units where they come out even, else decimal ones.
fn size_label(bytes: u64) -> String {
    const UNITS: &[(u64, &str)] = &[
        (1 << 30, "GiB"),
        (1 << 20, "MiB"),
        (1_000_000_000, "GB"),
        (1_000_000, "MB"),
        (1 << 10, "KiB"),
        (1_000, "kB"),
    ];
    let even = UNITS
        .iter()
        .find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit));
    even.map_or_else(
        || format!("{bytes} B"),
        |(unit, name)| format!("{} {name}", bytes / unit),
    )
}

/// A refusal: its name in the overlay, and the runtime's variant where it has one.
pub(super) struct RefusalEntry {
    /// In the overlay.
    pub(super) name: RefusalName,
    /// In the generator's own texts.
    pub(super) key: &'static str,
    /// In the runtime; none: no version of it gives this yet.
    pub(super) variant: Option<&'static str>,
}

const fn entry(
    name: RefusalName,
    key: &'static str,
    variant: Option<&'static str>,
) -> RefusalEntry {
    RefusalEntry { name, key, variant }
}

/// Every refusal, in the order of the table.
pub(super) const NAMES: &[RefusalEntry] = &[
    entry(RefusalName::Host, "host", Some("Host")),
    entry(RefusalName::Origin, "origin", Some("Origin")),
    entry(RefusalName::Path, "path", Some("Path")),
    entry(RefusalName::Method, "method", Some("Method")),
    entry(
        RefusalName::BodyTooLarge,
        "body_too_large",
        Some("BodyTooLarge"),
    ),
    entry(
        RefusalName::ContentType,
        "content_type",
        Some("ContentType"),
    ),
    entry(RefusalName::Accept, "accept", Some("Accept")),
    entry(
        RefusalName::BodyTimeout,
        "body_timeout",
        Some("BodyTimeout"),
    ),
    entry(RefusalName::Overloaded, "overloaded", Some("Overloaded")),
    entry(RefusalName::Credentials, "credentials", None),
    entry(RefusalName::Account, "account", None),
    entry(RefusalName::Address, "address", None),
    entry(RefusalName::Organization, "organization", None),
    entry(RefusalName::RateLimit, "rate_limit", Some("RateLimit")),
    entry(
        RefusalName::AuthorizationServer,
        "authorization_server",
        None,
    ),
];

fn refusal(cx: &Context<'_>, entry: &RefusalEntry) -> Option<Refusal> {
    let said = cx.overlay.transport.refusals.get(&entry.name);
    let own = own_wording(cx, entry);
    let at = pointer(&["transport", "refusals", entry.key]);
    let status = status(said, &own);
    bounded(cx, &format!("{at}/status"), u64::from(status), (400, 599));
    let body = body(cx, said, &at);
    let message = match said.and_then(|said| said.message.as_ref()) {
        Some(message) => cx.text(message, &format!("{at}/message")),
        None => cx.own_text(&own.message),
    };
    entry.variant.map(|kind| Refusal {
        kind,
        status,
        body,
        message,
    })
}

/// The generator's own texts for a refusal.
pub(super) fn own_wording(cx: &Context<'_>, entry: &RefusalEntry) -> RefusalWording {
    cx.wording
        .refusals
        .get(entry.key)
        .cloned()
        .unwrap_or_default()
}

/// The status of a refusal.
pub(super) fn status(said: Option<&overlay::Refusal>, own: &RefusalWording) -> u16 {
    said.and_then(|said| said.status).unwrap_or(own.status)
}

fn body(cx: &Context<'_>, said: Option<&overlay::Refusal>, at: &str) -> RefusalBody {
    match said.and_then(|said| said.body) {
        None | Some(overlay::RefusalBody::Jsonrpc) => RefusalBody::JsonRpc,
        Some(overlay::RefusalBody::Plain) => RefusalBody::Plain,
        Some(overlay::RefusalBody::Api) => api_body(cx, said, at),
    }
}

fn api_body(cx: &Context<'_>, said: Option<&overlay::Refusal>, at: &str) -> RefusalBody {
    let Some(template) = &cx.overlay.transport.api_body else {
        cx.error(
            "missing-api-body",
            &format!("{at}/body"),
            "`transport.api_body` does not say how the API writes errors".to_owned(),
            "write it:\ntransport:\n  api_body: {error: {code: $code, message: $message}}",
        );
        return RefusalBody::JsonRpc;
    };
    let code = said.and_then(|said| said.code.clone());
    if code.is_none() && holds(template, "$code", 0) {
        cx.error(
            "missing-code",
            at,
            "`transport.api_body` has `$code`, but this refusal has no `code`".to_owned(),
            "write `code: …` here",
        );
    }
    RefusalBody::Api {
        template: template.to_string(),
        code: code.unwrap_or_default(),
    }
}

fn holds(value: &Value, placeholder: &str, depth: usize) -> bool {
    match value {
        _ if depth > 64 => false,
        Value::String(text) => text == placeholder,
        Value::Array(items) => items.iter().any(|item| holds(item, placeholder, depth + 1)),
        Value::Object(object) => object
            .values()
            .any(|item| holds(item, placeholder, depth + 1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_as_people_do() {
        for (bytes, label) in [
            (4_194_304, "4 MiB"),
            (2_000_000, "2 MB"),
            (2_097_152, "2 MiB"),
            (1_048_577, "1048577 B"),
            (65_536, "64 KiB"),
            (1 << 30, "1 GiB"),
        ] {
            assert_eq!(size_label(bytes), label);
        }
    }
}
