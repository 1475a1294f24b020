//! Keys of the overlay whose behaviour is not in this version: each is named, so that nobody relies on it.

use crate::overlay::{DocsFormat, SpecFiles, ToolEntry};

use super::context::{Context, pointer};
use super::hidden;
use super::select::Selected;
use super::tools::is_destructive;

/// Reports every such key, and hidden names that hide nothing.
pub(super) fn report(cx: &Context<'_>, selected: &[Selected<'_>]) {
    let overlay = cx.overlay;
    let say = |at: &str| {
        cx.warning(
            "not-built-yet",
            at,
            "this key has no effect in this version".to_owned(),
            "remove it, or keep it for a later version",
        );
    };
    let sections = [
        ("/auth", overlay.auth.is_some()),
        ("/scopes", overlay.scopes.is_some()),
        ("/limits", overlay.limits.is_some()),
        ("/confirm/store", overlay.confirm.store.is_some()),
        (
            "/confirm/lifetime_seconds",
            overlay.confirm.lifetime_seconds.is_some(),
        ),
        (
            "/docs/format",
            overlay.docs.format == DocsFormat::Docusaurus,
        ),
    ];
    for (at, _) in sections.iter().filter(|(_, is_used)| *is_used) {
        say(at);
    }
    if matches!(&overlay.spec, SpecFiles::Several(files) if files.len() > 1) {
        cx.error(
            "not-built-yet",
            "/spec",
            "several documents are not served yet".to_owned(),
            "name one document",
        );
    }
    for (key, entry) in &overlay.tools {
        for rest in unbuilt_keys(entry) {
            say(&format!("{}{rest}", pointer(&["tools", key])));
        }
    }
    report_hidden_names(cx);
    report_unasked(cx, selected);
}

fn unbuilt_keys(entry: &ToolEntry) -> Vec<String> {
    let mut keys: Vec<String> = [
        ("/scopes", entry.scopes.is_some()),
        ("/permission", entry.permission.is_some()),
        ("/product", entry.product.is_some()),
        ("/pagination", entry.pagination.is_some()),
        ("/output/structured", entry.output.structured),
        ("/output/select", !entry.output.select.is_empty()),
        ("/output/max_bytes", entry.output.max_bytes.is_some()),
    ]
    .iter()
    .filter(|(_, is_used)| *is_used)
    .map(|(key, _)| (*key).to_owned())
    .collect();
    let elicited = entry
        .arguments
        .iter()
        .filter(|(_, argument)| argument.elicit);
    keys.extend(elicited.map(|(name, _)| pointer(&["arguments", name, "elicit"])));
    keys
}

fn report_hidden_names(cx: &Context<'_>) {
    for (index, name) in cx.overlay.upstream.headers.hide.iter().enumerate() {
        if !hidden::hides_something(cx, name) {
            cx.error(
                "unused-hide",
                &format!("/upstream/headers/hide/{index}"),
                format!("no operation has a parameter `{name}`"),
                "remove it, or write the name as the document does",
            );
        }
    }
}

/// A destructive tool will ask a person; the overlay should say what.
fn report_unasked(cx: &Context<'_>, selected: &[Selected<'_>]) {
    for tool in selected.iter().filter(|tool| is_destructive(tool)) {
        let confirm = tool.entry.and_then(|(_, entry)| entry.confirm.as_ref());
        let at = tool
            .entry
            .map_or_else(String::new, |(key, _)| pointer(&["tools", key]));
        match (
            confirm.and_then(|confirm| confirm.message.as_ref()),
            tool.entry,
        ) {
            (Some(message), Some((key, _))) => {
                drop(cx.text(message, &pointer(&["tools", key, "confirm", "message"])))
            }
            _ if cx.has_overlay && tool.entry.is_some() => cx.note(
                "no-question",
                &at,
                format!(
                    "`{}` is destructive, but has no question for the person",
                    tool.operation.key.join_key()
                ),
                "write `confirm: {message: …}`; until confirmation is built, the tool is refused",
            ),
            _ => {}
        }
    }
}
