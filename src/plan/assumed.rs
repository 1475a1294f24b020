//! What a run without an overlay takes for granted, and how to write it down.

use crate::diagnostics::Location;

use super::context::Context;
use super::server::{Kind, Server};

/// Tells it in one note.
pub(super) fn report(cx: &Context<'_>, server: &Server) {
    if cx.has_overlay || server.tools.is_empty() {
        return;
    }
    let n_of = |kind: Kind| server.tools.iter().filter(|tool| tool.kind == kind).count();
    let message = format!(
        "without an overlay every operation is a tool: {} read, {} write, {} destructive (refused until a person can confirm), guessed from methods and words; texts come from the document, the server's own messages are in English",
        n_of(Kind::Read),
        n_of(Kind::Write),
        n_of(Kind::Destructive),
    );
    let base_url = server.upstream.environments.values().next();
    let mut help = format!(
        "write it down in an overlay, and select what a model should see:\noverlay: 1\nspec: {}\nserver:\n  name: {}\nlocales:\n  default: {}\n  fallback: {}\nupstream:\n  base_url: {}\nselect:\n  include: ['* /**']\ntools:",
        cx.document_file,
        server.name,
        server.locales.first().map_or("en", String::as_str),
        server.locales.first().map_or("en", String::as_str),
        base_url.map_or("https://api.example.com", String::as_str),
    );
    // The most dangerous one shows the form; every kind can be written like it.
    let shown = server.tools.iter().max_by_key(|tool| tool.kind);
    if let Some(tool) = shown {
        let kind = match tool.kind {
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::Destructive => "destructive",
        };
        help.push_str(&format!(
            "\n  {}:\n    name: {}\n    kind: {kind}",
            tool.operation, tool.name
        ));
    }
    cx.diagnostics
        .borrow_mut()
        .note("assumed", Location::at(cx.document_file, ""), message, help);
}
