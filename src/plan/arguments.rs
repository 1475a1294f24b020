//! One flat list of arguments from parameters and body: where each goes, what it is called, which ones are hidden.

use indexmap::IndexMap;
use serde_json::Value;

use crate::model::{Operation, ParameterLocation, ParameterStyle};

use super::body;
use super::context::{Context, collapse};
use super::hash::short_hash;
use super::schema::Library;
use super::server::{Body, Place, Text};
use super::words::{ascii_name, words};

const MAX_LENGTH: usize = 64;

/// An argument in the making.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// Key for the model.
    pub(super) name: String,
    /// Name for the API.
    pub(super) wire: String,
    /// Where it goes.
    pub(super) place: Place,
    /// How it is written there.
    pub(super) style: ParameterStyle,
    /// One pair per element.
    pub(super) explode: bool,
    /// Reserved characters stay.
    pub(super) allow_reserved: bool,
    /// Whether it must be given.
    pub(super) required: bool,
    /// Its schema by language; one entry where no language has its own.
    pub(super) schemas: Vec<Value>,
    /// What the model reads beside it.
    pub(super) description: Text,
    /// Whether the model does not see it.
    pub(super) hidden: bool,
    /// What is always sent instead.
    pub(super) fixed: Option<Value>,
    /// Where it stands in the document.
    pub(super) pointer: String,
}

/// Every argument of an operation, and how its body is made. `index` finds the operation in every language.
pub(super) fn collect(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    index: usize,
) -> (Vec<Draft>, Body) {
    let Some(operation) = cx.api.operations.get(index) else {
        return (Vec::new(), Body::None);
    };
    let mut drafts: Vec<Draft> = operation
        .parameters
        .iter()
        .enumerate()
        .map(|(position, _)| from_parameter(cx, libraries, index, position))
        .collect();
    let body = match (&operation.body, libraries.first()) {
        (Some(body), Some(library)) => match body::fields(library, &body.schema, body.required) {
            Some(fields) => {
                let names = fields.properties.keys();
                let fields: Vec<Draft> = names
                    .map(|name| from_field(cx, libraries, index, (name, &fields)))
                    .collect();
                drafts.extend(fields);
                Body::Fields {
                    required: body.required,
                }
            }
            None => {
                drafts.push(from_body(cx, index));
                Body::Whole
            }
        },
        _ => Body::None,
    };
    for draft in &mut drafts {
        draft.hidden = is_hidden(cx, draft);
    }
    name_all(&mut drafts);
    (drafts, body)
}

/// The same operation in every language that has prose of its own.
fn in_languages<'c>(cx: &'c Context<'_>, index: usize) -> impl Iterator<Item = &'c Operation> {
    cx.apis
        .iter()
        .filter_map(move |api| api.operations.get(index))
}

fn from_parameter(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    index: usize,
    position: usize,
) -> Draft {
    let parameter = &cx.api.operations[index].parameters[position];
    let place = match parameter.location {
        ParameterLocation::Path => Place::Path,
        ParameterLocation::Query => Place::Query,
        ParameterLocation::Header => Place::Header,
        ParameterLocation::Cookie => Place::Cookie,
    };
    let twins = in_languages(cx, index).filter_map(|operation| operation.parameters.get(position));
    let (mut schemas, mut texts) = (Vec::new(), Vec::new());
    for (twin, library) in twins.zip(libraries) {
        let schema = library.resolve(&twin.schema);
        texts.push(first_text(&twin.description, &schema));
        schemas.push(schema);
    }
    Draft {
        name: String::new(),
        wire: parameter.name.clone(),
        place,
        style: parameter.style,
        explode: parameter.explode,
        allow_reserved: parameter.allow_reserved,
        required: parameter.required || place == Place::Path,
        schemas,
        description: collapse(texts),
        hidden: false,
        fixed: None,
        pointer: parameter.pointer.clone(),
    }
}

fn from_field(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    index: usize,
    (name, fields): (&str, &body::Fields),
) -> Draft {
    let (mut schemas, mut texts) = (Vec::new(), Vec::new());
    for (operation, library) in in_languages(cx, index).zip(libraries) {
        let body = operation.body.as_ref();
        let own = body.and_then(|body| body::fields(library, &body.schema, true));
        let property = own
            .as_ref()
            .and_then(|fields| fields.properties.get(name))
            .or_else(|| fields.properties.get(name));
        let schema = library.resolve(property.unwrap_or(&Value::Bool(true)));
        texts.push(first_text("", &schema));
        schemas.push(schema);
    }
    let place = Place::BodyField;
    let body_pointer = cx.api.operations[index]
        .body
        .as_ref()
        .map(|body| &body.pointer);
    Draft {
        required: fields.required.iter().any(|required| required == name),
        schemas,
        description: collapse(texts),
        ..whole_draft(name, place, body_pointer)
    }
}

fn from_body(cx: &Context<'_>, index: usize) -> Draft {
    let body = cx.api.operations[index].body.as_ref();
    let mut draft = whole_draft("body", Place::Body, body.map(|body| &body.pointer));
    draft.required = body.is_some_and(|body| body.required);
    let mut texts = Vec::new();
    for body in in_languages(cx, index).filter_map(|operation| operation.body.as_ref()) {
        texts.push(first_text(&body.description, &body.schema));
        draft.schemas.push(body.schema.clone());
    }
    draft.description = collapse(texts);
    draft
}

fn whole_draft(wire: &str, place: Place, pointer: Option<&String>) -> Draft {
    Draft {
        name: String::new(),
        wire: wire.to_owned(),
        place,
        style: ParameterStyle::Json,
        explode: false,
        allow_reserved: false,
        required: false,
        schemas: Vec::new(),
        description: Vec::new(),
        hidden: false,
        fixed: None,
        pointer: pointer.cloned().unwrap_or_default(),
    }
}

fn first_text(own: &str, schema: &Value) -> String {
    let from_schema = || schema.get("description").and_then(Value::as_str);
    let own = own.trim();
    let text = if own.is_empty() {
        from_schema().unwrap_or("")
    } else {
        own
    };
    text.trim().to_owned()
}

/// Gives every argument a valid key; those that collide get a suffix by location.
///
/// Hidden ones take part, so that hiding one later does not rename another.
fn name_all(drafts: &mut [Draft]) {
    let mut uses: IndexMap<String, usize> = IndexMap::new();
    for draft in drafts.iter_mut() {
        draft.name = valid_name(&draft.wire);
        *uses.entry(draft.name.clone()).or_default() += 1;
    }
    for draft in drafts.iter_mut() {
        if uses.get(&draft.name).copied().unwrap_or(0) > 1 {
            draft.name = with_suffix(&draft.name, suffix(draft.place));
        }
    }
    // Two names of one location may still be one after cleaning (`a[]` and `a`), or meet a suffix.
    let mut uses: IndexMap<String, usize> = IndexMap::new();
    for draft in drafts.iter() {
        *uses.entry(draft.name.clone()).or_default() += 1;
    }
    for draft in drafts.iter_mut() {
        if uses.get(&draft.name).copied().unwrap_or(0) > 1 {
            let hash = short_hash(&format!("{} {}", suffix(draft.place), draft.wire));
            draft.name = with_suffix(&draft.name, &hash);
        }
    }
}

/// Whether a key may be sent to a model.
pub(super) fn is_valid(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_LENGTH
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

fn valid_name(wire: &str) -> String {
    if is_valid(wire) {
        return wire.to_owned();
    }
    let name = ascii_name(wire, "_.-");
    if name.is_empty() {
        return format!("argument_{}", short_hash(wire));
    }
    if name.len() > MAX_LENGTH {
        return with_suffix(&name, &short_hash(wire));
    }
    name
}

fn with_suffix(name: &str, suffix: &str) -> String {
    let end = name.len().min(MAX_LENGTH - suffix.len() - 1);
    format!("{}_{suffix}", &name[..end])
}

fn suffix(place: Place) -> &'static str {
    match place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Header => "header",
        Place::Cookie => "cookie",
        Place::BodyField | Place::Body => "body",
    }
}

/// Whether the server itself sends this, or nobody should: never an argument.
fn is_hidden(cx: &Context<'_>, draft: &Draft) -> bool {
    let is_listed = is_listed(cx, &draft.wire);
    match draft.place {
        Place::Header => {
            is_listed
                || is_own_header(&draft.wire)
                || is_set(cx, &draft.wire)
                || is_credential(&draft.wire)
        }
        Place::Cookie => is_listed || is_credential(&draft.wire),
        Place::Query => is_listed || is_query_credential(&draft.wire),
        Place::Path | Place::BodyField | Place::Body => false,
    }
}

/// Whether the overlay hides parameters of this name everywhere.
pub(super) fn is_listed(cx: &Context<'_>, wire: &str) -> bool {
    let hidden = &cx.overlay.upstream.headers.hide;
    hidden.iter().any(|name| name.eq_ignore_ascii_case(wire))
}

/// Whether the server sends a hidden parameter by itself.
pub(super) fn is_sent_anyway(cx: &Context<'_>, draft: &Draft) -> bool {
    draft.fixed.is_some()
        || (draft.place == Place::Header && (is_set(cx, &draft.wire) || is_own_header(&draft.wire)))
}

fn is_set(cx: &Context<'_>, header: &str) -> bool {
    let upstream = &cx.overlay.upstream;
    let is_key = upstream
        .idempotency_key
        .as_ref()
        .is_some_and(|key| key.header.eq_ignore_ascii_case(header));
    is_key
        || upstream
            .headers
            .set
            .keys()
            .any(|name| name.eq_ignore_ascii_case(header))
}

fn is_own_header(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "accept",
        "authorization",
        "connection",
        "cookie",
        "date",
        "expect",
        "forwarded",
        "host",
        "keep-alive",
        "max-forwards",
        "origin",
        "referer",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "via",
        "x-real-ip",
    ];
    const PREFIXES: &[&str] = &["accept-", "content-", "proxy-", "sec-", "x-forwarded-"];
    let name = name.to_ascii_lowercase();
    NAMES.contains(&name.as_str()) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn is_credential(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "apikey",
        "auth",
        "authorization",
        "credential",
        "credentials",
        "csrf",
        "jwt",
        "password",
        "secret",
        "sess",
        "session",
        "sid",
        "token",
        "xsrf",
    ];
    let words = words(name);
    words.iter().any(|word| WORDS.contains(&word.as_str()))
        || words
            .windows(2)
            .any(|pair| pair == ["api", "key"] || pair == ["access", "key"])
}

fn is_query_credential(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "accesskey",
        "accesstoken",
        "apikey",
        "apitoken",
        "authtoken",
        "clientsecret",
        "password",
    ];
    NAMES.contains(&words(name).concat().as_str())
}
