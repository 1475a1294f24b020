//! The languages of a server, and the API's texts in each of them.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::Value;

use crate::diagnostics::{Diagnostics, Location};
use crate::model::{Api, Operation};
use crate::overlay::{self, Overlay};

use super::context::quote_list;

/// The tags that the generator can write; anything else has no texts of its own.
pub(super) const SUPPORTED: [&str; 3] = ["pt-BR", "en", "es"];

/// The languages of a server.
#[derive(Clone, Debug)]
pub(super) struct Locales {
    /// Tags, the default one first.
    pub(super) tags: Vec<String>,
    /// Index of the language on the wire; none: by `Accept-Language`.
    pub(super) wire: Option<usize>,
    /// Index of the language that stands in for missing texts.
    pub(super) fallback: Option<usize>,
}

/// Decides the languages. Without an overlay: English by default, all three documented.
pub(super) fn decide(
    diagnostics: &mut Diagnostics,
    overlay: &Overlay,
    file: &str,
    has_overlay: bool,
) -> Locales {
    let settings = &overlay.locales;
    let mut report = |at: &str, tag: &str, known: &[String]| {
        diagnostics.error(
            "unknown-locale",
            Location::at(file, at),
            format!("`{tag}` is not a language of this server"),
            format!("write one of {}", quote_list(known)),
        );
    };
    let supported: Vec<String> = SUPPORTED.iter().map(|&tag| tag.to_owned()).collect();
    let mut all: Vec<String> = Vec::new();
    for (index, tag) in settings.all.iter().flatten().enumerate() {
        if !supported.contains(tag) {
            report(&format!("/locales/all/{index}"), tag, &supported);
        } else if !all.contains(tag) {
            all.push(tag.clone());
        }
    }
    let first = all.first().cloned();
    if all.is_empty() {
        all.clone_from(&supported);
    }
    let default = match &settings.default {
        Some(tag) if all.contains(tag) => tag.clone(),
        Some(tag) => {
            report("/locales/default", tag, &all);
            all[0].clone()
        }
        None => first.unwrap_or_else(|| "en".to_owned()),
    };
    let mut tags = vec![default.clone()];
    tags.extend(all.into_iter().filter(|tag| *tag != default));
    let mut index_of = |tag: &String, at: &str| {
        let found = tags.iter().position(|known| known == tag);
        if found.is_none() {
            report(at, tag, &tags);
        }
        found
    };
    let wire = match &settings.wire {
        None => Some(0),
        Some(overlay::WireLocale(tag)) if tag == "accept-language" => None,
        Some(overlay::WireLocale(tag)) => index_of(tag, "/locales/wire").or(Some(0)),
    };
    let fallback = match &settings.fallback {
        Some(tag) => index_of(tag, "/locales/fallback"),
        None => (!has_overlay).then_some(0),
    };
    Locales {
        tags,
        wire,
        fallback,
    }
}

/// The API in every language: one entry where no document is translated.
pub(super) fn apis<'a>(
    api: &'a Api,
    translations: &IndexMap<String, Api>,
    locales: &Locales,
) -> Vec<Cow<'a, Api>> {
    let in_tag = |tag: &String| {
        translations.get(tag).map_or_else(
            || Cow::Borrowed(api),
            |other| Cow::Owned(translated(api, other)),
        )
    };
    if locales
        .tags
        .iter()
        .any(|tag| translations.contains_key(tag))
    {
        locales.tags.iter().map(in_tag).collect()
    } else {
        vec![Cow::Borrowed(api)]
    }
}

/// `api` with the prose of `other`, joined by method and path; its structure stays.
fn translated(api: &Api, other: &Api) -> Api {
    let mut result = api.clone();
    prefer(&mut result.title, &other.title);
    prefer(&mut result.description, &other.description);
    let by_key: IndexMap<String, &Operation> = other
        .operations
        .iter()
        .map(|operation| (operation.key.join_key(), operation))
        .collect();
    for operation in &mut result.operations {
        if let Some(source) = by_key.get(&operation.key.join_key()) {
            translate_operation(operation, source);
        }
    }
    for (name, schema) in &mut result.definitions {
        if let Some(source) = other.definitions.get(name) {
            translate_schema(schema, source, 0);
        }
    }
    result
}

fn translate_operation(operation: &mut Operation, source: &Operation) {
    prefer(&mut operation.summary, &source.summary);
    prefer(&mut operation.description, &source.description);
    for parameter in &mut operation.parameters {
        let twin = source
            .parameters
            .iter()
            .find(|twin| twin.name == parameter.name && twin.location == parameter.location);
        if let Some(twin) = twin {
            prefer(&mut parameter.description, &twin.description);
            translate_schema(&mut parameter.schema, &twin.schema, 0);
        }
    }
    if let (Some(body), Some(twin)) = (&mut operation.body, &source.body) {
        prefer(&mut body.description, &twin.description);
        translate_schema(&mut body.schema, &twin.schema, 0);
    }
}

fn prefer(text: &mut String, other: &str) {
    if !other.trim().is_empty() {
        other.clone_into(text);
    }
}

/// Takes `title` and `description` over wherever both schemas have the same shape.
fn translate_schema(schema: &mut Value, source: &Value, depth: usize) {
    const MAX_DEPTH: usize = 96;
    if depth > MAX_DEPTH {
        return;
    }
    match (schema, source) {
        (Value::Object(schema), Value::Object(source)) => {
            for (key, value) in schema.iter_mut() {
                match (source.get(key), &mut *value) {
                    (Some(Value::String(other)), Value::String(text))
                        if key == "description" || key == "title" =>
                    {
                        prefer(text, other);
                    }
                    (Some(other), value) => translate_schema(value, other, depth + 1),
                    (None, _) => {}
                }
            }
        }
        (Value::Array(schema), Value::Array(source)) if schema.len() == source.len() => {
            for (value, other) in schema.iter_mut().zip(source) {
                translate_schema(value, other, depth + 1);
            }
        }
        _ => {}
    }
}
