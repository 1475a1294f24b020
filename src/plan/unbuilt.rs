//! Keys of the overlay that have no effect in this version: nothing is silently without effect.

use crate::overlay::{DocsFormat, SpecFiles, ToolEntry};

use super::context::{Context, pointer};

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
    if overlay.docs.format == DocsFormat::Docusaurus {
        note(cx, "/docs/format", "`docs.format`");
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
