//! Prompts, resources and the fields of the call log.

use indexmap::IndexMap;

use crate::overlay::{self, LogValue, Role};

use super::arguments::is_valid;
use super::context::{Context, pointer, quote_list};
use super::server::{LogField, Prompt, PromptArgument, Resource};

/// The prompts, in overlay order.
pub(super) fn prompts(cx: &Context<'_>) -> Vec<Prompt> {
    let prompts = cx.overlay.prompts.iter();
    prompts
        .map(|(name, prompt)| plan_prompt(cx, name, prompt))
        .collect()
}

fn plan_prompt(cx: &Context<'_>, name: &str, prompt: &overlay::Prompt) -> Prompt {
    let at = pointer(&["prompts", name]);
    for key in std::iter::once(name).chain(prompt.arguments.keys().map(String::as_str)) {
        if !is_valid(key) {
            cx.error(
                "invalid-name",
                &at,
                format!("`{}` cannot be a name here", key.escape_debug()),
                "write 1 to 64 characters of `A-Z a-z 0-9 _ . -`",
            );
        }
    }
    if prompt.messages.is_empty() {
        cx.error(
            "empty-prompt",
            &at,
            format!("`{name}` says nothing"),
            "write a message",
        );
    }
    let arguments = prompt.arguments.iter().map(|(key, argument)| {
        let at = format!(
            "{}/description",
            pointer(&["prompts", name, "arguments", key])
        );
        PromptArgument {
            name: key.clone(),
            description: cx.optional_text(argument.description.as_ref(), &at),
            required: argument.required,
        }
    });
    let messages = prompt.messages.iter().enumerate().map(|(index, message)| {
        let at = format!("{at}/messages/{index}/text");
        let text = cx.text(&message.text, &at);
        for text in &text {
            check_placeholders(cx, text, prompt, &at);
        }
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        (role, text)
    });
    Prompt {
        name: name.to_owned(),
        title: cx.optional_text(prompt.title.as_ref(), &format!("{at}/title")),
        description: cx.optional_text(prompt.description.as_ref(), &format!("{at}/description")),
        arguments: arguments.collect(),
        messages: messages.collect(),
    }
}

fn check_placeholders(cx: &Context<'_>, text: &str, prompt: &overlay::Prompt, at: &str) {
    for name in placeholders(text) {
        match name {
            Some(name) if prompt.arguments.contains_key(&name) => {}
            Some(name) => {
                let known: Vec<&String> = prompt.arguments.keys().collect();
                cx.error(
                    "unknown-placeholder",
                    at,
                    format!("`{{{name}}}` is not an argument of this prompt"),
                    &format!(
                        "its arguments: {}; write `{{{{` for a brace",
                        quote_list(&known)
                    ),
                );
            }
            None => cx.error(
                "unknown-placeholder",
                at,
                "a brace stands alone".to_owned(),
                "write `{{` or `}}` for a brace",
            ),
        }
    }
}

/// The names in single braces; none for a brace without its other half.
pub(super) fn placeholders(text: &str) -> Vec<Option<String>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['{', '}']) {
        let tail = &rest[start..];
        rest = if tail.starts_with("{{") || tail.starts_with("}}") {
            &tail[2..]
        } else {
            let end = tail.find('}').filter(|end| *end > 0);
            found.push(end.map(|end| tail[1..end].to_owned()));
            &tail[end.map_or(1, |end| end + 1)..]
        };
    }
    found
}

/// The resources of the overlay, in its order.
pub(super) fn resources(cx: &Context<'_>) -> Vec<Resource> {
    let mut names: IndexMap<&str, &str> = IndexMap::new();
    let mut resources = Vec::new();
    for (uri, resource) in &cx.overlay.resources {
        let at = pointer(&["resources", uri]);
        check_uri(cx, uri, &at);
        if names.insert(&resource.name, uri).is_some() {
            cx.error(
                "duplicate-name",
                &format!("{at}/name"),
                format!("another resource is called `{}`", resource.name),
                "give each resource a name of its own",
            );
        }
        resources.push(Resource {
            uri: uri.clone(),
            name: resource.name.clone(),
            title: cx.optional_text(resource.title.as_ref(), &format!("{at}/title")),
            description: cx
                .optional_text(resource.description.as_ref(), &format!("{at}/description")),
            mime_type: resource
                .mime_type
                .clone()
                .unwrap_or_else(|| "text/plain".to_owned()),
            text: resource.text.clone(),
        });
    }
    resources
}

fn check_uri(cx: &Context<'_>, uri: &str, at: &str) {
    let scheme = uri.split_once("://").map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b))
    };
    let is_plain = |c: char| c.is_ascii_graphic() && !"<>\"{}|\\^`".contains(c);
    if uri.to_lowercase().starts_with("docs://errors") {
        cx.error(
            "reserved-uri",
            at,
            format!("`{uri}` belongs to the emitted error pages"),
            "choose another address",
        );
    } else if !scheme.is_some_and(is_scheme) || !uri.chars().all(is_plain) {
        cx.error(
            "invalid-uri",
            at,
            format!("`{}` is not an address", uri.escape_debug()),
            "write one such as `docs://guide`",
        );
    } else if scheme.is_some_and(|s| s.eq_ignore_ascii_case("file")) || uri.contains("/../") {
        cx.error(
            "invalid-uri",
            at,
            format!("`{uri}` reads like a file of the server"),
            "write one such as `docs://guide`",
        );
    }
}

/// The fields of the call log.
pub(super) fn log_fields(cx: &Context<'_>) -> Vec<LogField> {
    let fields: Vec<(String, LogValue)> = cx
        .overlay
        .log
        .fields
        .iter()
        .flat_map(|field| match field {
            overlay::LogField::Value(value) => vec![(own_key(*value).to_owned(), *value)],
            overlay::LogField::Renamed(names) => names
                .iter()
                .map(|(key, value)| (key.clone(), *value))
                .collect(),
        })
        .collect();
    let default = [
        LogValue::Tool,
        LogValue::Result,
        LogValue::Status,
        LogValue::Duration,
    ];
    let fields = if fields.is_empty() {
        default
            .iter()
            .map(|value| (own_key(*value).to_owned(), *value))
            .collect()
    } else {
        fields
    };
    for (index, (key, _)) in fields.iter().enumerate() {
        if fields[..index].iter().any(|(other, _)| other == key) {
            cx.error(
                "duplicate-name",
                "/log/fields",
                format!("two fields are called `{key}`"),
                "give each field a name of its own",
            );
        }
    }
    fields
        .into_iter()
        .map(|(key, value)| LogField {
            key,
            value: variant(value),
        })
        .collect()
}

fn own_key(value: LogValue) -> &'static str {
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
