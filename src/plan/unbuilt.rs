//! Keys of the overlay that have no effect in this version: nothing is silently without effect.

use crate::overlay::{DocsFormat, SpecFiles, ToolEntry};

use super::context::{Context, pointer};
use super::server::{Kind, Tool};

const HELP: &str =
    "this version does not build it yet; the key is accepted so that the overlay need not change";

/// Reports every such key.
pub(super) fn report(cx: &Context<'_>) {
    let overlay = cx.overlay;
    if let SpecFiles::Several(specs) = &overlay.spec
        && (specs.len() > 1 || specs.iter().any(|spec| spec.prefix.is_some()))
    {
        note(cx, "/spec", "more than one document, or a prefix for one,");
    }
    for (is_used, at, what) in [
        (
            overlay.auth.is_some(),
            "/auth",
            "`auth`: callers are not checked, so this",
        ),
        (
            overlay.scopes.is_some(),
            "/scopes",
            "`scopes`: no tool is kept from anyone, so this",
        ),
        (
            overlay.limits.is_some(),
            "/limits",
            "`limits`: nothing is limited, so this",
        ),
    ] {
        if is_used {
            cx.warning(
                "not-built-yet",
                at,
                format!("{what} has no effect in this version"),
                HELP,
            );
        }
    }
    for (is_used, at) in [
        (overlay.confirm.single_use.is_some(), "/confirm/single_use"),
        (overlay.confirm.store.is_some(), "/confirm/store"),
        (
            overlay.confirm.lifetime_seconds.is_some(),
            "/confirm/lifetime_seconds",
        ),
        (
            overlay.docs.format == DocsFormat::Docusaurus,
            "/docs/format",
        ),
    ] {
        if is_used {
            note(
                cx,
                at,
                &format!("`{}`", at.trim_start_matches('/').replace('/', ".")),
            );
        }
    }
    for (key, entry) in &overlay.tools {
        report_tool(cx, key, entry);
    }
}

fn note(cx: &Context<'_>, at: &str, what: &str) {
    cx.note(
        "not-built-yet",
        at,
        format!("{what} has no effect in this version"),
        HELP,
    );
}

fn report_tool(cx: &Context<'_>, key: &str, entry: &ToolEntry) {
    let at = |name: &str| pointer(&["tools", key, name]);
    for (is_used, name) in [
        (entry.scopes.is_some(), "scopes"),
        (entry.permission.is_some(), "permission"),
        (entry.product.is_some(), "product"),
    ] {
        if is_used {
            let message = format!(
                "`{name}`: the API alone judges who may call this; it has no effect in this version"
            );
            cx.warning("not-built-yet", &at(name), message, HELP);
        }
    }
    if entry.confirm.is_some() {
        let message = "`confirm`: nobody is asked in this version; the tool is refused until then";
        cx.note("not-built-yet", &at("confirm"), message.to_owned(), HELP);
    }
    if entry.pagination.is_some() {
        note(cx, &at("pagination"), "`pagination`");
    }
    let output = &entry.output;
    for (is_used, name) in [
        (output.structured, "structured"),
        (!output.select.is_empty(), "select"),
        (output.max_bytes.is_some(), "max_bytes"),
    ] {
        if is_used {
            note(
                cx,
                &pointer(&["tools", key, "output", name]),
                &format!("`output.{name}`"),
            );
        }
    }
    for (name, argument) in &entry.arguments {
        if argument.elicit {
            note(
                cx,
                &pointer(&["tools", key, "arguments", name, "elicit"]),
                "`elicit`",
            );
        }
    }
}

/// Warns of destructive tools without a question, and checks the questions that there are.
pub(super) fn check_questions(cx: &Context<'_>, tools: &[Tool]) {
    for (key, entry) in &cx.overlay.tools {
        let question = entry
            .confirm
            .as_ref()
            .and_then(|confirm| confirm.message.as_ref());
        if let Some(question) = question {
            cx.text(question, &pointer(&["tools", key, "confirm", "message"]));
        }
    }
    if !cx.has_overlay {
        return;
    }
    for tool in tools.iter().filter(|tool| tool.kind == Kind::Destructive) {
        let operation = cx
            .api
            .operations
            .iter()
            .find(|o| o.key.join_key() == tool.operation);
        let id = operation.and_then(|operation| operation.key.id.as_ref());
        let entry = cx
            .overlay
            .tools
            .get_key_value(&tool.operation)
            .or_else(|| id.and_then(|id| cx.overlay.tools.get_key_value(id)));
        let has_question = entry
            .and_then(|(_, entry)| entry.confirm.as_ref())
            .is_some_and(|confirm| confirm.message.is_some());
        if !has_question {
            let at = entry.map_or_else(|| "/tools".to_owned(), |(key, _)| pointer(&["tools", key]));
            cx.warning(
                "missing-question",
                &at,
                format!(
                    "`{}` is destructive and has no question for the person who confirms it",
                    tool.name
                ),
                &format!(
                    "write it:\ntools:\n  {}:\n    confirm:\n      message: …",
                    tool.operation
                ),
            );
        }
    }
}
