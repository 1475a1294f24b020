//! Says who the server is and what it can do: the results of `server/discover` and `initialize`.

use crate::runtime::answer::{json_string, modern_members, question_members};
use crate::runtime::catalog::{Catalog, WireLocale};
use crate::runtime::era;
use crate::runtime::lists::Form;

/// The members that results carry, in one language; made once, at start.
#[derive(Debug)]
pub struct Identity {
    /// `resultType` and `_meta` of a modern result.
    pub modern: String,
    /// The same of a question.
    pub asking: String,
    /// The same with `ttlMs` and `cacheScope`.
    pub cacheable: String,
}

impl Identity {
    /// The members in the language with this index.
    #[must_use]
    pub fn new(catalog: &Catalog, locale: usize) -> Self {
        let server_info = server_info(catalog, Form::Modern, locale);
        let modern = modern_members(&server_info);
        let asking = question_members(&server_info);
        // What `Accept-Language` chose for one user is not for a cache to hand to another.
        let scope = match catalog.wire_locale {
            WireLocale::AcceptLanguage if catalog.locales.len() > 1 => "private",
            WireLocale::AcceptLanguage | WireLocale::Fixed(_) => "public",
        };
        let ttl = catalog.protocol.list_ttl_ms;
        let cacheable = format!(r#"{modern},"ttlMs":{ttl},"cacheScope":"{scope}""#);
        Self {
            modern,
            asking,
            cacheable,
        }
    }
}

/// The members of the result of `server/discover`, besides those of every modern result.
#[must_use]
pub fn discovery(catalog: &Catalog, locale: usize) -> String {
    let versions: Vec<String> = era::supported(&catalog.protocol).map(json_string).collect();
    format!(
        r#""supportedVersions":[{}],"capabilities":{}{}"#,
        versions.join(","),
        capabilities(catalog),
        instructions(catalog, locale)
    )
}

/// The members of the result of `initialize` for a version of the catalog.
#[must_use]
pub fn handshake(catalog: &Catalog, version: &str, locale: usize) -> String {
    format!(
        r#""protocolVersion":{},"capabilities":{},"serverInfo":{}{}"#,
        json_string(version),
        capabilities(catalog),
        server_info(catalog, form(version), locale),
        instructions(catalog, locale)
    )
}

/// What a legacy version wants to see.
#[must_use]
pub fn form(version: &str) -> Form {
    match version {
        "2025-03-26" => Form::Oldest,
        _ => Form::Legacy,
    }
}

/// Only what works is declared; the rest answers -32601.
fn capabilities(catalog: &Catalog) -> String {
    let mut text = String::from(r#"{"tools":{}"#);
    if !catalog.prompts.is_empty() {
        text.push_str(r#","prompts":{}"#);
    }
    if !catalog.resources.is_empty() {
        text.push_str(r#","resources":{}"#);
    }
    text.push('}');
    text
}

fn server_info(catalog: &Catalog, form: Form, locale: usize) -> String {
    let mut text = format!(
        r#"{{"name":{},"version":{}"#,
        json_string(catalog.name),
        json_string(catalog.version)
    );
    if form != Form::Oldest && !catalog.title.is_empty() {
        text.push_str(r#","title":"#);
        text.push_str(&json_string(catalog.title.in_locale(locale)));
    }
    text.push('}');
    text
}

fn instructions(catalog: &Catalog, locale: usize) -> String {
    if catalog.instructions.is_empty() {
        return String::new();
    }
    let text = json_string(catalog.instructions.in_locale(locale));
    format!(r#","instructions":{text}"#)
}
