//! Api and overlay → Server: every name, text and policy is decided here.

mod argument_entry;
mod arguments;
mod assumed;
mod body;
mod confirm;
mod context;
mod credential;
mod docs;
mod endpoint;
mod errors;
mod example;
mod hash;
mod identity;
mod keywords;
mod kinds;
mod locales;
mod names;
mod prompts;
mod schema;
mod select;
pub mod server;
#[cfg(test)]
mod tests;
mod tools;
mod unbuilt;
mod units;
mod upstream;
mod verbs;
mod wording;
mod words;

use std::cell::RefCell;

use indexmap::IndexMap;

use crate::diagnostics::{Diagnostics, Location};
use crate::load::OverlayFile;
use crate::model::Api;
use crate::overlay::{Overlay, SpecFiles};

use context::Context;

pub use server::Server;

/// What `plan` decides from.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// The API.
    pub api: &'a Api,
    /// Name of its document in diagnostics.
    pub document_file: &'a str,
    /// The same API with texts in other languages, by locale.
    pub translations: &'a IndexMap<String, Api>,
    /// The overlay; none: safe defaults, every operation a tool.
    pub overlay: Option<&'a OverlayFile>,
}

/// Decides the server. The result is meaningful only when `diagnostics` has no errors.
pub fn plan(diagnostics: &mut Diagnostics, sources: Sources<'_>) -> Server {
    let default = default_overlay(sources.document_file);
    let (overlay, overlay_file) = sources
        .overlay
        .map_or((&default, sources.document_file), |file| {
            (&file.overlay, file.file.as_str())
        });
    let has_overlay = sources.overlay.is_some();
    let locales = locales::decide(diagnostics, overlay, overlay_file, has_overlay);
    let wording = wording::read().unwrap_or_else(|error| {
        let message = format!("the generator's own texts cannot be read: {error}");
        let place = Location::at(overlay_file, "");
        diagnostics.error(
            "internal",
            place,
            message,
            "this is a fault of the generator",
        );
        wording::Wording::default()
    });
    let cx = Context {
        api: sources.api,
        document_file: sources.document_file,
        overlay,
        overlay_file,
        has_overlay,
        apis: locales::apis(sources.api, sources.translations, &locales),
        locales,
        wording,
        diagnostics: RefCell::new(diagnostics),
    };
    decide(&cx)
}

fn decide(cx: &Context<'_>) -> Server {
    if cx.overlay.overlay != 1 {
        cx.error(
            "unknown-format",
            "/overlay",
            format!("version {} of the overlay is not known", cx.overlay.overlay),
            "write `overlay: 1`",
        );
    }
    let mut server = Server {
        locales: cx.locales.tags.clone(),
        wire_locale: cx.locales.wire,
        protocol: endpoint::protocol(cx),
        transport: endpoint::transport(cx),
        arguments: errors::arguments(cx),
        errors: errors::policy(cx),
        confirmation: confirm::policy(cx),
        log_fields: prompts::log_fields(cx),
        prompts: prompts::prompts(cx),
        resources: prompts::resources(cx),
        ..Server::default()
    };
    identity::plan(cx, &mut server);
    server.upstream = upstream::plan(cx, &server.name, &server.version);
    server.upstream.credential = credential::plan(cx, (&server.name, &server.version));
    server.upstream.client_certificate = credential::certificate(cx);
    server.limits = endpoint::limits(cx);
    server.tools = tools::plan(cx, &select::select(cx));
    check_tools(cx, &server);
    let produced = errors::produced(cx, &server);
    docs::plan(cx, &mut server, &produced);
    unbuilt::report(cx);
    assumed::report(cx, &server);
    server
}

/// A server with nothing to call is a forgotten selection, unless it has prompts or texts, or other errors explain it.
fn check_tools(cx: &Context<'_>, server: &Server) {
    let has_more = !server.prompts.is_empty() || !server.resources.is_empty();
    if !server.tools.is_empty() || has_more || cx.diagnostics.borrow().has_errors() {
        return;
    }
    let help = if cx.api.operations.is_empty() {
        "the document has no operation that could be one"
    } else {
        "select operations: `select: {include: ['* /**']}` takes all"
    };
    let at = if cx.overlay.select.include.is_empty() {
        ""
    } else {
        "/select"
    };
    cx.error("no-tools", at, "the server has no tools".to_owned(), help);
}

/// What an overlay says that says nothing.
fn default_overlay(document_file: &str) -> Overlay {
    Overlay {
        overlay: 1,
        spec: SpecFiles::One(document_file.to_owned()),
        spec_locales: IndexMap::new(),
        server: Default::default(),
        locales: Default::default(),
        protocol: Default::default(),
        transport: Default::default(),
        upstream: Default::default(),
        arguments: Default::default(),
        errors: Default::default(),
        select: Default::default(),
        naming: Default::default(),
        tools: IndexMap::new(),
        prompts: IndexMap::new(),
        resources: IndexMap::new(),
        confirm: Default::default(),
        auth: None,
        scopes: None,
        limits: None,
        log: Default::default(),
        docs: Default::default(),
    }
}
