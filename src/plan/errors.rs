//! How failures become codes, and which codes there are.

use indexmap::IndexMap;
use regex::Regex;

use crate::overlay::{
    ArgumentStyle, ErrorSource, StatusPattern, UnknownArguments, UpstreamErrorMode,
};

use super::confirm;
use super::context::{Context, pointer};
use super::select::find_operation;
use super::server::{ArgumentPolicy, ErrorPolicy, ErrorRule, Server, Source, StatusMatch};

/// Codes about who may do what: the server itself makes them once it checks credentials.
pub(super) const AUTHORIZATION: &[&str] = &[
    "insufficient_scope",
    "insufficient_permission",
    "membership_inactive",
    "product_not_enabled",
    "unauthorized",
    "key_owner_not_member",
];

/// Decides how arguments are reported.
pub(super) fn arguments(cx: &Context<'_>) -> ArgumentPolicy {
    let settings = &cx.overlay.arguments;
    let code = settings.code.clone();
    ArgumentPolicy {
        envelope_code: (settings.style == ArgumentStyle::Envelope)
            .then(|| code.unwrap_or_else(|| "VALIDATION_ERROR".to_owned())),
        unknown_on_read_tools_only: settings.unknown == UnknownArguments::ReadTools,
    }
}

/// Decides how the API's failures are told; the registry follows from the pages.
pub(super) fn policy(cx: &Context<'_>) -> ErrorPolicy {
    let errors = &cx.overlay.errors;
    let extract = &errors.extract;
    let fallback = errors
        .fallback
        .clone()
        .unwrap_or_else(|| "tool_error".to_owned());
    ErrorPolicy {
        is_mapped: errors.mode == UpstreamErrorMode::Map,
        code_pointers: pointers(
            cx,
            "code",
            &extract.code,
            &["/error/code", "/errors/0/code", "/code"],
        ),
        message_pointers: pointers(
            cx,
            "message",
            &extract.message,
            &[
                "/error/message",
                "/errors/0/detail",
                "/errors/0/title",
                "/message",
                "/error",
            ],
        ),
        field_pointers: pointers(cx, "fields", &extract.fields, &["/errors"]),
        rules: rules(cx),
        conditions: conditions(cx, &fallback),
        fallback,
        registry: Vec::new(),
    }
}

fn pointers(cx: &Context<'_>, key: &str, said: &[String], default: &[&str]) -> Vec<String> {
    for (index, path) in said.iter().enumerate() {
        if !path.is_empty() && !path.starts_with('/') {
            cx.error(
                "invalid-pointer",
                &pointer(&["errors", "extract", key, &index.to_string()]),
                format!("`{path}` is not a JSON pointer"),
                &format!("write `/{}`", path.replace('.', "/")),
            );
        }
    }
    if said.is_empty() {
        return default.iter().map(|&path| path.to_owned()).collect();
    }
    said.to_vec()
}

fn conditions(cx: &Context<'_>, fallback: &str) -> IndexMap<&'static str, String> {
    let said = &cx.overlay.errors.conditions;
    [
        ("timeout", &said.timeout),
        ("network", &said.network),
        ("not_json", &said.not_json),
        ("server_error", &said.server_error),
        ("rate_limited", &said.rate_limited),
        ("too_large", &said.too_large),
        ("redirect", &said.redirect),
    ]
    .into_iter()
    .map(|(key, code)| (key, code.clone().unwrap_or_else(|| fallback.to_owned())))
    .collect()
}

fn rules(cx: &Context<'_>) -> Vec<ErrorRule> {
    let errors = &cx.overlay.errors;
    if errors.mode == UpstreamErrorMode::Passthrough && !errors.map.is_empty() {
        cx.error(
            "map-without-effect",
            "/errors/map",
            "with `mode: passthrough` no rule applies".to_owned(),
            "write `mode: map`, or remove the rules",
        );
    }
    let rules = errors.map.iter().enumerate().map(|(index, rule)| {
        let at = pointer(&["errors", "map", &index.to_string()]);
        let anchored = rule.code.as_ref().map(|code| format!("^(?:{code})$"));
        check_pattern(cx, rule.code.as_deref(), &format!("{at}/code"));
        check_pattern(cx, rule.message.as_deref(), &format!("{at}/message"));
        let operation = rule.operation.as_ref().and_then(|key| {
            let index = find_operation(cx, key, &format!("{at}/operation"))?;
            Some(cx.api.operations[index].key.join_key())
        });
        ErrorRule {
            status: rule
                .status
                .as_ref()
                .and_then(|status| status_match(cx, status, &at)),
            code: anchored,
            message: rule.message.clone(),
            operation,
            to: rule.to.clone(),
        }
    });
    rules.collect()
}

fn check_pattern(cx: &Context<'_>, pattern: Option<&str>, at: &str) {
    if let Some((pattern, Err(error))) = pattern.map(|pattern| (pattern, Regex::new(pattern))) {
        cx.error(
            "invalid-pattern",
            at,
            format!(
                "`{pattern}` is no regular expression: {}",
                reason(&error.to_string())
            ),
            "look-around and back-references do not exist here",
        );
    }
}

/// The last line of what the parser says; the others draw the pattern in a font of equal widths.
fn reason(message: &str) -> String {
    let last = message.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

fn status_match(cx: &Context<'_>, status: &StatusPattern, at: &str) -> Option<StatusMatch> {
    match status {
        StatusPattern::Exact(status) if (300..=599).contains(status) => {
            Some(StatusMatch::Exact(*status))
        }
        StatusPattern::Class(class) if class.eq_ignore_ascii_case("4xx") => {
            Some(StatusMatch::Class(4))
        }
        StatusPattern::Class(class) if class.eq_ignore_ascii_case("5xx") => {
            Some(StatusMatch::Class(5))
        }
        _ => {
            cx.error(
                "invalid-status",
                &format!("{at}/status"),
                "this is no status of a failure".to_owned(),
                "write a number from 300 to 599, `4xx` or `5xx`",
            );
            None
        }
    }
}

/// The codes that something makes, in order, with who makes them.
pub(super) fn produced(cx: &Context<'_>, server: &Server) -> IndexMap<String, Source> {
    let mut produced = IndexMap::new();
    let (policy, arguments) = (&server.errors, &server.arguments);
    for rule in &policy.rules {
        produced.entry(rule.to.clone()).or_insert(Source::Api);
    }
    let own = policy.conditions.values().chain(&arguments.envelope_code);
    for code in std::iter::once(&policy.fallback).chain(own) {
        produced.insert(code.clone(), Source::Server);
    }
    for code in confirm::codes(server) {
        produced.insert(code.clone(), Source::Server);
    }
    for (code, entry) in &cx.overlay.errors.codes {
        let is_api = entry.source == Some(ErrorSource::Api);
        if is_api && policy.is_mapped && !produced.contains_key(code) {
            cx.error(
                "unproduced-code",
                &pointer(&["errors", "codes", code]),
                format!("no rule of `errors.map` gives `{code}`, and nothing is passed through"),
                "add a rule that gives it, or remove the entry",
            );
        }
        for code in std::iter::once(code)
            .chain(&entry.covers)
            .filter(|_| is_api)
        {
            produced.entry(code.clone()).or_insert(Source::Api);
        }
    }
    produced
}

/// Whether a code waits for behaviour that no version of the runtime has yet.
pub(super) fn is_reserved(code: &str) -> bool {
    AUTHORIZATION.contains(&code)
}
