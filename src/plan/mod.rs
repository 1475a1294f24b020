//! Api and overlay → Server: every name, text and policy is decided here.

mod arguments;
mod body;
mod context;
mod docs;
mod endpoint;
mod errors;
mod example;
mod hash;
mod hidden;
mod identity;
mod kinds;
mod locales;
mod names;
mod overrides;
mod schema;
mod select;
pub mod server;
#[cfg(test)]
mod tests;
mod texts;
mod tools;
mod unbuilt;
mod units;
mod upstream;
mod wording;
mod words;

use std::cell::RefCell;

use indexmap::IndexMap;
use serde_json::json;

use crate::diagnostics::{Diagnostics, Location};
use crate::load::OverlayFile;
use crate::model::Api;
use crate::overlay::Overlay;

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
    let wording = match wording::read() {
        Ok(wording) => wording,
        Err(reason) => return broken(diagnostics, sources.document_file, &reason),
    };
    let empty;
    let (overlay, overlay_file) = match sources.overlay {
        Some(file) => (&file.overlay, file.file.as_str()),
        None => match serde_json::from_value::<Overlay>(json!({"overlay": 1, "spec": ""})) {
            Ok(overlay) => {
                empty = overlay;
                (&empty, sources.document_file)
            }
            Err(reason) => return broken(diagnostics, sources.document_file, &reason.to_string()),
        },
    };
    let has_overlay = sources.overlay.is_some();
    let locales = locales::decide(diagnostics, overlay, overlay_file, has_overlay);
    let apis = locales::apis(sources.api, sources.translations, &locales);
    let context = Context {
        api: sources.api,
        document_file: sources.document_file,
        overlay,
        overlay_file,
        has_overlay,
        locales,
        wording,
        apis,
        diagnostics: RefCell::new(diagnostics),
    };
    decide(&context)
}

/// A text that this crate embeds cannot be read: a fault of the generator, told as one.
fn broken(diagnostics: &mut Diagnostics, file: &str, reason: &str) -> Server {
    let message = format!("the generator's own texts cannot be read: {reason}");
    diagnostics.error(
        "generator-fault",
        Location::at(file, ""),
        message,
        "please report this",
    );
    Server::default()
}

fn decide(cx: &Context<'_>) -> Server {
    let selected = select::select(cx);
    let names = names::assign(cx, &selected);
    unbuilt::report(cx, &selected);
    let identity = identity::plan(cx);
    let tools = tools::plan(cx, &selected, &names);
    if tools.is_empty() {
        report_empty(cx);
    }
    let arguments = errors::arguments(cx);
    let mut server = Server {
        errors: errors::plan(cx, &arguments, &tools),
        upstream: upstream::plan(cx, &identity.name, &identity.version),
        name: identity.name,
        crate_name: identity.crate_name,
        title: identity.title,
        product_name: identity.product_name,
        version: identity.version,
        instructions: identity.instructions,
        locales: cx.locales.tags.clone(),
        wire_locale: cx.locales.wire,
        protocol: endpoint::protocol(cx),
        transport: endpoint::transport(cx),
        arguments,
        log_fields: texts::log_fields(cx),
        tools,
        prompts: texts::prompts(cx),
        resources: texts::resources(cx),
        docs: server::Docs::default(),
    };
    server.docs = docs::plan(cx, &server);
    if !cx.has_overlay {
        report_assumptions(cx, &server);
    }
    server
}

fn report_empty(cx: &Context<'_>) {
    let help = if cx.has_overlay {
        "nothing is exposed unless it is selected: write `select: {include: ['GET /**']}`, or entries under `tools`"
    } else {
        "the document has no operation that can become a tool"
    };
    cx.error(
        "no-tools",
        "",
        "the server would have no tools".to_owned(),
        help,
    );
}

/// What a newcomer should know, and how to write it down.
fn report_assumptions(cx: &Context<'_>, server: &Server) {
    let n_of = |kind: server::Kind| server.tools.iter().filter(|tool| tool.kind == kind).count();
    let base_url = server
        .upstream
        .environments
        .values()
        .next()
        .map_or("", String::as_str);
    let message = format!(
        "without an overlay, every operation became a tool: {} read, {} write, {} destructive (refused until confirmation is built); kinds are guessed from methods and words",
        n_of(server::Kind::Read),
        n_of(server::Kind::Write),
        n_of(server::Kind::Destructive),
    );
    let help = format!(
        "write down what holds in an overlay, and generate from that:\n\
         overlay: 1\nspec: {}\nserver: {{name: {}}}\nupstream: {{base_url: {base_url}}}\n\
         locales: {{default: en, fallback: en}}\nselect: {{include: ['GET /**']}}",
        cx.document_file, server.name,
    );
    cx.document_note("assumed", "", message, &help);
}
