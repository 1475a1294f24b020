//! Failures: how the API's errors are mapped, which codes there are, and who makes each.

use indexmap::IndexMap;
use regex::Regex;

use crate::overlay::{
    self, ArgumentStyle, CodeEntry, ErrorChannel, ErrorSource, NoConfirmation, StatusPattern,
    UpstreamErrorMode,
};

use super::context::{Context, pointer};
use super::select::find_operation;
use super::server::{
    ArgumentPolicy, Channel, ErrorCode, ErrorPolicy, ErrorRule, Kind, Source, StatusMatch, Tool,
};

/// Codes of confirmation that this version of the runtime does not give yet.
const CONFIRMATION: [&str; 3] = ["declined", "replayed", "unavailable"];

/// Decides how arguments are reported.
pub(super) fn arguments(cx: &Context<'_>) -> ArgumentPolicy {
    let settings = &cx.overlay.arguments;
    let code = || {
        settings
            .code
            .clone()
            .unwrap_or_else(|| "VALIDATION_ERROR".to_owned())
    };
    ArgumentPolicy {
        envelope_code: (settings.style == ArgumentStyle::Envelope).then(code),
        unknown_on_read_tools_only: settings.unknown == overlay::UnknownArguments::ReadTools,
    }
}

/// Decides what becomes of failures.
pub(super) fn plan(cx: &Context<'_>, arguments: &ArgumentPolicy, tools: &[Tool]) -> ErrorPolicy {
    let settings = &cx.overlay.errors;
    let fallback = settings
        .fallback
        .clone()
        .unwrap_or_else(|| "tool_error".to_owned());
    let without = cx.overlay.confirm.modern_without_elicitation;
    let mut policy = ErrorPolicy {
        is_mapped: settings.mode == UpstreamErrorMode::Map,
        code_pointers: pointers(
            cx,
            "code",
            &settings.extract.code,
            &["/error/code", "/errors/0/code", "/code"],
        ),
        message_pointers: pointers(
            cx,
            "message",
            &settings.extract.message,
            &[
                "/error/message",
                "/errors/0/detail",
                "/errors/0/title",
                "/message",
                "/error",
            ],
        ),
        field_pointers: pointers(cx, "fields", &settings.extract.fields, &["/errors"]),
        rules: rules(cx),
        conditions: conditions(&settings.conditions, &fallback),
        fallback,
        confirmation_required: confirmation_code(cx, "required"),
        is_missing_elicitation_protocol_error: without != Some(NoConfirmation::ToolError),
        registry: Vec::new(),
    };
    if cx.overlay.confirm.legacy == Some(NoConfirmation::ProtocolError) {
        cx.error(
            "modern-only",
            "/confirm/legacy",
            "-32021 does not exist in the 2025 versions".to_owned(),
            "write `tool_error`",
        );
    }
    policy.registry = registry(cx, &policy, arguments, tools);
    policy
}

fn pointers(cx: &Context<'_>, key: &str, given: &[String], usual: &[&str]) -> Vec<String> {
    for (index, text) in given.iter().enumerate() {
        if !text.is_empty() && !text.starts_with('/') {
            cx.error(
                "invalid-pointer",
                &pointer(&["errors", "extract", key, &index.to_string()]),
                format!("`{text}` is not a JSON pointer"),
                "a JSON pointer begins with a slash, such as `/error/code`",
            );
        }
    }
    if given.is_empty() {
        usual.iter().map(|&text| text.to_owned()).collect()
    } else {
        given.to_vec()
    }
}

fn rules(cx: &Context<'_>) -> Vec<ErrorRule> {
    let settings = &cx.overlay.errors;
    if settings.mode == UpstreamErrorMode::Passthrough && !settings.map.is_empty() {
        cx.error(
            "unused-map",
            "/errors/map",
            "the API's errors are passed through, so no rule is ever asked".to_owned(),
            "write `errors: {mode: map}`, or remove the rules",
        );
    }
    let rule = |(index, rule): (usize, &overlay::ErrorRule)| {
        let at = |key: &str| pointer(&["errors", "map", &index.to_string(), key]);
        ErrorRule {
            status: rule
                .status
                .as_ref()
                .and_then(|status| status_match(cx, status, &at("status"))),
            code: rule
                .code
                .as_ref()
                .map(|text| expression(cx, &format!("^(?:{text})$"), &at("code"))),
            message: rule
                .message
                .as_ref()
                .map(|text| expression(cx, text, &at("message"))),
            operation: rule.operation.as_ref().and_then(|key| {
                let index = find_operation(cx, key, &at("operation"))?;
                cx.api
                    .operations
                    .get(index)
                    .map(|operation| operation.key.join_key())
            }),
            to: rule.to.clone(),
        }
    };
    settings.map.iter().enumerate().map(rule).collect()
}

fn expression(cx: &Context<'_>, text: &str, at: &str) -> String {
    if let Err(error) = Regex::new(text) {
        let reason = error.to_string();
        let reason = reason
            .lines()
            .last()
            .unwrap_or("")
            .trim()
            .trim_start_matches("error: ")
            .to_owned();
        cx.error(
            "invalid-expression",
            at,
            format!("`{text}` is not a regular expression: {reason}"),
            "write it in the syntax of the Rust crate `regex`, without look-around",
        );
    }
    text.to_owned()
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
                "out-of-range",
                at,
                "this is not the status of an error".to_owned(),
                "write a status from 300 to 599, or `4xx` or `5xx`",
            );
            None
        }
    }
}

fn conditions(given: &overlay::Conditions, fallback: &str) -> IndexMap<&'static str, String> {
    let all: [(&'static str, &Option<String>); 7] = [
        ("timeout", &given.timeout),
        ("network", &given.network),
        ("not_json", &given.not_json),
        ("server_error", &given.server_error),
        ("rate_limited", &given.rate_limited),
        ("too_large", &given.too_large),
        ("redirect", &given.redirect),
    ];
    all.into_iter()
        .map(|(name, code)| (name, code.clone().unwrap_or_else(|| fallback.to_owned())))
        .collect()
}

/// The name that the overlay gives to a code of confirmation.
fn confirmation_code(cx: &Context<'_>, which: &str) -> String {
    let codes = &cx.overlay.confirm.codes;
    let (given, usual) = match which {
        "declined" => (&codes.declined, "user_declined"),
        "required" => (&codes.required, "confirmation_required"),
        "replayed" => (&codes.replayed, "confirmation_replayed"),
        _ => (&codes.unavailable, "confirmation_unavailable"),
    };
    given.clone().unwrap_or_else(|| usual.to_owned())
}

/// Every code: those of the tables in order, then those in use that no table names.
fn registry(
    cx: &Context<'_>,
    policy: &ErrorPolicy,
    arguments: &ArgumentPolicy,
    tools: &[Tool],
) -> Vec<ErrorCode> {
    let settings = &cx.overlay.errors;
    let server = server_codes(policy, arguments, tools);
    let mapped: Vec<&String> = policy.rules.iter().map(|rule| &rule.to).collect();
    let mut names: Vec<String> = Vec::new();
    let tables = settings.tables.iter().flat_map(|table| &table.codes);
    for code in tables.chain(server.iter()).chain(mapped.iter().copied()) {
        push_new(&mut names, code);
        for covered in settings
            .codes
            .get(code)
            .into_iter()
            .flat_map(|entry| &entry.covers)
        {
            push_new(&mut names, covered);
        }
    }
    report_unused(cx, &names);
    names
        .into_iter()
        .map(|code| {
            let is_server = server.contains(&code);
            let is_mapped = mapped.contains(&&code);
            error_code(cx, code, is_server, is_mapped)
        })
        .collect()
}

fn push_new(names: &mut Vec<String>, code: &str) {
    if !names.iter().any(|name| name == code) {
        names.push(code.to_owned());
    }
}

/// Codes that this version of the runtime makes itself.
pub(super) fn server_codes(
    policy: &ErrorPolicy,
    arguments: &ArgumentPolicy,
    tools: &[Tool],
) -> Vec<String> {
    let mut codes: Vec<String> = vec![policy.fallback.clone()];
    for code in policy.conditions.values().chain(&arguments.envelope_code) {
        push_new(&mut codes, code);
    }
    if tools.iter().any(|tool| tool.kind == Kind::Destructive) {
        push_new(&mut codes, &policy.confirmation_required);
    }
    codes
}

fn error_code(cx: &Context<'_>, code: String, is_server: bool, is_mapped: bool) -> ErrorCode {
    let entry = entry(cx, &code);
    let wording = cx.wording.tool.get(&code);
    let said = entry.and_then(|(_, entry)| entry.source);
    let source = if is_server {
        Source::Server
    } else if is_mapped || said == Some(ErrorSource::Api) {
        Source::Api
    } else if is_confirmation(cx, &code) || said == Some(ErrorSource::Server) {
        Source::Reserved
    } else if cx.overlay.errors.mode == UpstreamErrorMode::Passthrough
        && wording.is_some_and(|wording| wording.source.as_deref() == Some("api"))
    {
        Source::Api
    } else {
        Source::Reserved
    };
    let message = match entry.and_then(|(key, entry)| Some((key, entry.message.as_ref()?))) {
        Some((key, message)) => cx.text(message, &pointer(&["errors", "codes", key, "message"])),
        None => wording
            .and_then(|wording| wording.message.as_ref())
            .map_or_else(|| vec![String::new()], |message| cx.own_text(message)),
    };
    ErrorCode {
        code,
        channel: Channel::Tool,
        source,
        message,
    }
}

fn is_confirmation(cx: &Context<'_>, code: &str) -> bool {
    CONFIRMATION
        .iter()
        .any(|which| confirmation_code(cx, which) == code)
}

/// A code's own entry, or the one that covers it.
pub(super) fn entry<'c>(cx: &'c Context<'_>, code: &str) -> Option<(&'c str, &'c CodeEntry)> {
    let codes = &cx.overlay.errors.codes;
    let own = codes.get_key_value(code);
    let covering = || {
        codes
            .iter()
            .find(|(_, entry)| entry.covers.iter().any(|covered| covered == code))
    };
    own.or_else(covering)
        .map(|(key, entry)| (key.as_str(), entry))
}

fn report_unused(cx: &Context<'_>, names: &[String]) {
    let protocol = cx.overlay.errors.protocol.iter().flatten();
    let protocol: Vec<String> = protocol.map(ToString::to_string).collect();
    for (code, entry) in &cx.overlay.errors.codes {
        let is_used = match entry.channel {
            ErrorChannel::Tool => names.contains(code),
            ErrorChannel::Protocol => {
                cx.overlay.errors.protocol.is_none() || protocol.contains(code)
            }
            ErrorChannel::Transport => true,
        };
        if !is_used {
            cx.error(
                "unused-code",
                &pointer(&["errors", "codes", code]),
                format!("no rule, condition or table names `{code}`"),
                "name it in a table or a rule, or remove it",
            );
        }
    }
}
