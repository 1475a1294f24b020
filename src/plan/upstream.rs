//! The API behind the tools: addresses, deadlines, headers.

use indexmap::IndexMap;

use crate::model::Operation;
use crate::overlay::BaseUrl;

use super::context::{Context, pointer};
use super::server::{HeaderPart, Upstream};

/// Decides how the API is called; `name` and `version` are the server's.
pub(super) fn plan(cx: &Context<'_>, name: &str, version: &str) -> Upstream {
    let settings = &cx.overlay.upstream;
    let number = |key: &str, value: Option<u64>, default: u64, range: (u64, u64)| {
        bounded(
            cx,
            &pointer(&["upstream", key]),
            value.unwrap_or(default),
            range,
        )
    };
    let headers = settings.headers.set.iter().filter_map(|(header, value)| {
        let at = pointer(&["upstream", "headers", "set", header]);
        let is_ok = check_header(cx, header, value, &at);
        is_ok.then(|| {
            (
                header.to_lowercase(),
                parts(cx, value, (name, version), &at),
            )
        })
    });
    let retries = number("retries", settings.retries.map(u64::from), 1, (0, 5));
    Upstream {
        environments: environments(cx),
        timeout_ms: number("timeout_ms", settings.timeout_ms, 30_000, (1, 600_000)),
        max_answer_bytes: number(
            "max_answer_bytes",
            settings.max_answer_bytes,
            1_048_576,
            (1, 1 << 30),
        ),
        retries: u8::try_from(retries).unwrap_or(1),
        headers: headers.collect(),
        idempotency_key: idempotency_key(cx),
        ..Upstream::default()
    }
}

/// A number of the overlay, reported when it is out of its range.
pub(super) fn bounded(cx: &Context<'_>, at: &str, value: u64, (least, most): (u64, u64)) -> u64 {
    if value < least || value > most {
        cx.error(
            "out-of-range",
            at,
            format!("{value} is out of range"),
            &format!("write a number from {least} to {most}"),
        );
    }
    value.clamp(least, most)
}

/// The address of one operation alone: `Some(None)` where it has none, `None` when it cannot be used (reported).
#[expect(clippy::option_option, reason = "the outer one leaves the tool out")]
pub(super) fn own_base_url(cx: &Context<'_>, operation: &Operation) -> Option<Option<String>> {
    let Some(url) = &operation.server else {
        return Some(None);
    };
    if is_absolute(url) {
        return Some(Some(url.trim_end_matches('/').to_owned()));
    }
    cx.document_warning(
        "invalid-base-url",
        &operation.pointer,
        format!(
            "the operation's own server, `{url}`, is not an absolute address; left out: `{}`",
            operation.key.join_key()
        ),
        "write an `http://` or `https://` address in the document",
    );
    None
}

/// Path text with everything percent-encoded that a path may not hold.
pub(super) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/%".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

fn environments(cx: &Context<'_>) -> IndexMap<String, String> {
    let mut environments = IndexMap::new();
    match &cx.overlay.upstream.base_url {
        Some(BaseUrl::One(url)) => add(
            cx,
            &mut environments,
            ("default", url),
            "/upstream/base_url",
        ),
        Some(BaseUrl::Environments(urls)) => {
            for (name, url) in urls {
                let at = pointer(&["upstream", "base_url", name]);
                add(cx, &mut environments, (name, url), &at);
            }
        }
        None => {
            for url in cx.api.servers.iter().filter(|url| is_absolute(url)) {
                let name = match environments.len() {
                    0 => "default".to_owned(),
                    n => format!("server{}", n + 1),
                };
                environments.insert(name, url.trim_end_matches('/').to_owned());
            }
        }
    }
    if environments.is_empty() && cx.overlay.upstream.base_url.is_none() {
        let found = cx.api.servers.first().map_or_else(
            || "the document names no server".to_owned(),
            |url| format!("the document's server `{url}` is not an absolute address"),
        );
        let help = "write it in the overlay:\nupstream:\n  base_url: https://api.example.com";
        cx.error("missing-base-url", "", found, help);
    }
    environments
}

fn add(
    cx: &Context<'_>,
    environments: &mut IndexMap<String, String>,
    (name, url): (&str, &str),
    at: &str,
) {
    if is_absolute(url) {
        environments.insert(name.to_owned(), url.trim_end_matches('/').to_owned());
    } else {
        cx.error(
            "invalid-base-url",
            at,
            format!("`{url}` is not an absolute address"),
            "write one that begins with `https://`, without user, query or fragment",
        );
    }
}

fn is_absolute(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let authority = rest.split('/').next().unwrap_or("");
        !authority.is_empty()
            && !authority.contains('@')
            && !rest.contains(|c: char| {
                c.is_whitespace() || c.is_control() || matches!(c, '?' | '#' | '{' | '}' | '\\')
            })
    })
}

fn check_header(cx: &Context<'_>, name: &str, value: &str, at: &str) -> bool {
    let is_name = is_header_name(name);
    if !is_name || value.chars().any(|c| c.is_control() || !c.is_ascii()) {
        cx.error(
            "invalid-header",
            at,
            format!("`{name}: {}` cannot be a header", value.escape_debug()),
            "names are letters, digits and `-`; values are printable ASCII on one line",
        );
        return false;
    }
    true
}

pub(super) fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// The pieces of a value with `{env:NAME}`, `{uuid}`, `{name}` and `{version}` in it.
pub(super) fn parts(
    cx: &Context<'_>,
    value: &str,
    (name, version): (&str, &str),
    at: &str,
) -> Vec<HeaderPart> {
    let mut parts: Vec<HeaderPart> = Vec::new();
    let push_text = |parts: &mut Vec<HeaderPart>, text: &str| match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(HeaderPart::Literal(last)) => last.push_str(text),
        _ => parts.push(HeaderPart::Literal(text.to_owned())),
    };
    let mut rest = value;
    while let Some(start) = rest.find('{') {
        push_text(&mut parts, &rest[..start]);
        let length = rest[start..].find('}').unwrap_or(rest.len() - start - 1);
        let word = &rest[start + 1..(start + length).max(start + 1)];
        match word {
            "uuid" => parts.push(HeaderPart::Uuid),
            "name" => push_text(&mut parts, name),
            "version" => push_text(&mut parts, version),
            _ => match word.strip_prefix("env:").filter(|name| is_variable(name)) {
                Some(variable) => parts.push(HeaderPart::Env(variable.to_owned())),
                None => cx.error(
                    "unknown-placeholder",
                    at,
                    format!("`{{{word}}}` stands for nothing"),
                    "write `{env:NAME}`, `{uuid}`, `{name}` or `{version}`",
                ),
            },
        }
        rest = &rest[start + length + 1..];
    }
    push_text(&mut parts, rest);
    parts
}

pub(super) fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn idempotency_key(cx: &Context<'_>) -> Option<(String, Vec<String>)> {
    let key = cx.overlay.upstream.idempotency_key.as_ref()?;
    if !is_header_name(&key.header) {
        cx.error(
            "invalid-header",
            "/upstream/idempotency_key/header",
            format!("`{}` cannot be a header's name", key.header),
            "write letters, digits and `-`",
        );
    }
    let default = || ["POST", "PUT", "PATCH"].map(str::to_owned).to_vec();
    let methods: Vec<String> = key.methods.clone().unwrap_or_else(default);
    let methods: Vec<String> = methods.iter().map(|method| method.to_uppercase()).collect();
    for (index, method) in methods.iter().enumerate() {
        if !["POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str()) {
            cx.error(
                "invalid-method",
                &format!("/upstream/idempotency_key/methods/{index}"),
                format!("`{method}` is not a method that writes"),
                "write POST, PUT, PATCH or DELETE",
            );
        }
    }
    Some((key.header.to_lowercase(), methods))
}
