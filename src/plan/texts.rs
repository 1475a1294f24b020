//! Prompts, resources and the fields of the call log.

use crate::overlay::{self, LogValue, Role};

use super::context::{Context, pointer, quote_list};
use super::server::{LogField, Prompt, PromptArgument, Resource, Text};

/// Addresses of the emitted pages, which no resource of an overlay may take.
const PAGES: &str = "docs://errors/";

/// The prompts, in overlay order.
pub(super) fn prompts(cx: &Context<'_>) -> Vec<Prompt> {
    cx.overlay
        .prompts
        .iter()
        .map(|(name, prompt)| plan_prompt(cx, name, prompt))
        .collect()
}

fn plan_prompt(cx: &Context<'_>, name: &str, prompt: &overlay::Prompt) -> Prompt {
    let at = |rest: &[&str]| pointer(&[&["prompts", name], rest].concat());
    if prompt.messages.is_empty() {
        cx.error(
            "empty-prompt",
            &at(&["messages"]),
            format!("the prompt `{name}` says nothing"),
            "write a message",
        );
    }
    let arguments = prompt
        .arguments
        .iter()
        .map(|(argument, entry)| PromptArgument {
            name: argument.clone(),
            description: cx.optional_text(
                entry.description.as_ref(),
                &at(&["arguments", argument, "description"]),
            ),
            required: entry.required,
        });
    let messages = prompt.messages.iter().enumerate().map(|(index, message)| {
        let at = at(&["messages", &index.to_string(), "text"]);
        let text = cx.text(&message.text, &at);
        check_placeholders(cx, prompt, &text, &at);
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        (role, text)
    });
    Prompt {
        name: name.to_owned(),
        title: cx.optional_text(prompt.title.as_ref(), &at(&["title"])),
        description: cx.optional_text(prompt.description.as_ref(), &at(&["description"])),
        arguments: arguments.collect(),
        messages: messages.collect(),
    }
}

fn check_placeholders(cx: &Context<'_>, prompt: &overlay::Prompt, text: &Text, at: &str) {
    let known: Vec<&String> = prompt.arguments.keys().collect();
    for name in text.iter().flat_map(|text| placeholders(text)) {
        if !known.iter().any(|known| **known == name) {
            let help = format!(
                "its arguments are {}; write `{{{{` for a brace",
                quote_list(&known)
            );
            cx.error(
                "unknown-placeholder",
                at,
                format!("`{{{name}}}` is not an argument of the prompt"),
                &help,
            );
        }
    }
}

/// Names in single braces; doubled braces stand for themselves.
fn placeholders(text: &str) -> Vec<String> {
    let plain = text.replace("{{", "").replace("}}", "");
    plain
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// The resources of the overlay, in its order.
pub(super) fn resources(cx: &Context<'_>) -> Vec<Resource> {
    cx.overlay
        .resources
        .iter()
        .map(|(uri, resource)| {
            check_uri(cx, uri);
            let at = |key: &str| pointer(&["resources", uri, key]);
            Resource {
                uri: uri.clone(),
                name: resource.name.clone(),
                title: cx.optional_text(resource.title.as_ref(), &at("title")),
                description: cx.optional_text(resource.description.as_ref(), &at("description")),
                mime_type: resource
                    .mime_type
                    .clone()
                    .unwrap_or_else(|| "text/plain".to_owned()),
                text: resource.text.clone(),
            }
        })
        .collect()
}

fn check_uri(cx: &Context<'_>, uri: &str) {
    let at = pointer(&["resources", uri]);
    let scheme = uri.split_once("://").map(|(scheme, _)| scheme);
    let is_scheme = scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    });
    if !is_scheme || uri.chars().any(|c| c.is_control() || c.is_whitespace()) {
        cx.error(
            "invalid-uri",
            &at,
            format!("`{uri}` is not the address of a resource"),
            "write one such as `docs://guide`",
        );
    } else if uri.starts_with(PAGES) {
        cx.error(
            "reserved-uri",
            &at,
            format!("`{uri}` belongs to the emitted error pages"),
            "choose another address",
        );
    }
}

/// The fields of the call log.
pub(super) fn log_fields(cx: &Context<'_>) -> Vec<LogField> {
    const USUAL: [LogValue; 4] = [
        LogValue::Tool,
        LogValue::Result,
        LogValue::Status,
        LogValue::Duration,
    ];
    let mut fields: Vec<LogField> = Vec::new();
    for (index, field) in cx.overlay.log.fields.iter().enumerate() {
        match field {
            overlay::LogField::Value(value) => {
                push(cx, &mut fields, index, (own_name(*value), *value))
            }
            overlay::LogField::Renamed(names) => {
                for (name, value) in names {
                    push(cx, &mut fields, index, (name, *value));
                }
            }
        }
    }
    if fields.is_empty() {
        for value in USUAL {
            push(cx, &mut fields, 0, (own_name(value), value));
        }
    }
    fields
}

fn push(
    cx: &Context<'_>,
    fields: &mut Vec<LogField>,
    index: usize,
    (key, value): (&str, LogValue),
) {
    // These stand in every line already.
    const TAKEN: [&str; 4] = ["time", "level", "event", "cause"];
    if TAKEN.contains(&key) || fields.iter().any(|field| field.key == key) {
        let at = format!("/log/fields/{index}");
        cx.error(
            "duplicate-name",
            &at,
            format!("the line has a field `{key}` already"),
            "choose another name",
        );
        return;
    }
    fields.push(LogField {
        key: key.to_owned(),
        value: variant(value),
    });
}

fn own_name(value: LogValue) -> &'static str {
    match value {
        LogValue::Tool => "tool",
        LogValue::Account => "account",
        LogValue::User => "user",
        LogValue::TokenId => "token_id",
        LogValue::TokenKind => "token_kind",
        LogValue::Membership => "membership",
        LogValue::Result => "result",
        LogValue::Status => "status",
        LogValue::Duration => "duration",
    }
}

fn variant(value: LogValue) -> &'static str {
    match value {
        LogValue::Tool => "Tool",
        LogValue::Account => "Account",
        LogValue::User => "User",
        LogValue::TokenId => "TokenId",
        LogValue::TokenKind => "TokenKind",
        LogValue::Membership => "Membership",
        LogValue::Result => "Result",
        LogValue::Status => "Status",
        LogValue::Duration => "DurationMs",
    }
}
