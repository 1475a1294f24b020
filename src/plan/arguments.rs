//! Parameters and body → one flat object of arguments, and where each of them goes.

use serde_json::{Map, Value};

use crate::model::{Body as ApiBody, Operation, ParameterLocation, ParameterStyle};
use crate::overlay::ArgumentEntry;

use super::body::{self, Shape};
use super::context::{Context, collapse, pointer, quote_list};
use super::hidden;
use super::overrides;
use super::schema::Library;
use super::select::{Selected, nearest};
use super::server::{Argument, Body, Fixed, Place, Text};
use super::units::{self, Note};
use super::words::ascii_name;

/// Longest key of an argument; model providers refuse longer ones.
const MAX_KEY: usize = 64;

/// The arguments of a tool.
pub(super) struct Planned {
    /// Minified input schema, by language.
    pub(super) schema: Text,
    /// Arguments, in schema order.
    pub(super) arguments: Vec<Argument>,
    /// Hidden constants.
    pub(super) fixed: Vec<Fixed>,
    /// How the body is made.
    pub(super) body: Body,
    /// Sentences on units, for the tool's description.
    pub(super) notes: Vec<Note>,
}

/// A parameter or a field of the body, before it has a name.
pub(super) struct Candidate<'a> {
    /// Name on the wire; `body` for a whole body.
    pub(super) wire: String,
    /// Where it goes.
    pub(super) place: Place,
    /// Index of its parameter; none for the body and its fields.
    pub(super) parameter: Option<usize>,
    /// Whether it must be given.
    pub(super) required: bool,
    /// Its entry in the overlay.
    pub(super) entry: Option<&'a ArgumentEntry>,
}

/// What the schemas of one tool are made from.
struct Scene<'s, 'a> {
    tool: &'s Selected<'a>,
    candidates: &'s [Candidate<'a>],
    names: &'s [String],
    notes: &'s [Note],
    is_open: bool,
}

/// Decides the arguments of a tool. `libraries` holds one library by language, as `cx.apis` does.
pub(super) fn plan(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    tool: &Selected<'_>,
) -> Planned {
    let operation = tool.operation;
    let shape = operation
        .body
        .as_ref()
        .map(|body| body::shape(&libraries[0], body));
    let mut candidates = candidates(tool, shape.as_ref());
    check_entries(cx, tool, &candidates);
    let mut fixed = Vec::new();
    candidates.retain(|candidate| match hidden::fate(cx, tool, candidate) {
        hidden::Fate::Shown => true,
        hidden::Fate::Hidden => false,
        hidden::Fate::Fixed(value) => {
            fixed.push(Fixed {
                place: candidate.place,
                wire: candidate.wire.clone(),
                value,
            });
            false
        }
    });
    let names = names(cx, tool, &candidates);
    let notes = units::notes(cx, tool, &candidates);
    let is_open = matches!(&shape, Some(Shape::Fields(fields)) if fields.is_open);
    let scene = Scene {
        tool,
        candidates: &candidates,
        names: &names,
        notes: &notes,
        is_open,
    };
    let schema = (0..cx.n_locales())
        .map(|locale| schema(cx, libraries, &scene, locale).to_string())
        .collect();
    let arguments = candidates
        .iter()
        .zip(&names)
        .map(|(candidate, name)| argument(&libraries[0], operation, candidate, name))
        .collect();
    Planned {
        schema: collapse(schema),
        arguments,
        fixed,
        body: planned_body(operation.body.as_ref(), shape.as_ref()),
        notes,
    }
}

fn candidates<'a>(tool: &Selected<'a>, shape: Option<&Shape>) -> Vec<Candidate<'a>> {
    let entry = |wire: &str| tool.entry.and_then(|(_, entry)| entry.arguments.get(wire));
    let mut candidates: Vec<Candidate<'a>> = Vec::new();
    for (index, parameter) in tool.operation.parameters.iter().enumerate() {
        candidates.push(Candidate {
            wire: parameter.name.clone(),
            place: place(parameter.location),
            parameter: Some(index),
            required: parameter.required || parameter.location == ParameterLocation::Path,
            entry: entry(&parameter.name),
        });
    }
    let (Some(body), Some(shape)) = (&tool.operation.body, shape) else {
        return candidates;
    };
    let mut push = |wire: &str, place: Place, required: bool| {
        candidates.push(Candidate {
            wire: wire.to_owned(),
            place,
            parameter: None,
            required,
            entry: entry(wire),
        });
    };
    match shape {
        Shape::Whole => push("body", Place::Body, body.required),
        Shape::Fields(fields) => {
            for name in fields.properties.keys() {
                push(
                    name,
                    Place::BodyField,
                    body.required && fields.required.contains(name),
                );
            }
        }
    }
    candidates
}

fn place(location: ParameterLocation) -> Place {
    match location {
        ParameterLocation::Path => Place::Path,
        ParameterLocation::Query => Place::Query,
        ParameterLocation::Header => Place::Header,
        ParameterLocation::Cookie => Place::Cookie,
    }
}

fn planned_body(body: Option<&ApiBody>, shape: Option<&Shape>) -> Body {
    match (body, shape) {
        (Some(body), Some(Shape::Fields(_))) => Body::Fields {
            required: body.required,
        },
        (Some(_), Some(Shape::Whole)) => Body::Whole,
        _ => Body::None,
    }
}

/// Reports entries of the overlay for arguments that the operation does not have.
fn check_entries(cx: &Context<'_>, tool: &Selected<'_>, candidates: &[Candidate<'_>]) {
    let Some((key, entry)) = tool.entry else {
        return;
    };
    for name in entry.arguments.keys() {
        if candidates.iter().any(|candidate| candidate.wire == *name) {
            continue;
        }
        let known: Vec<String> = candidates
            .iter()
            .map(|candidate| candidate.wire.clone())
            .collect();
        let help = match nearest(name, known.iter().cloned()) {
            Some(name) => format!("did you mean `{name}`?"),
            None if known.is_empty() => "the operation takes no arguments".to_owned(),
            None => format!("it takes {}", quote_list(&known)),
        };
        cx.error(
            "unknown-argument",
            &pointer(&["tools", key, "arguments", name]),
            format!(
                "`{}` has no argument `{name}`",
                tool.operation.key.join_key()
            ),
            &help,
        );
    }
}

/// Keys for the model: valid, unique, and the same whatever stands around them.
fn names(cx: &Context<'_>, tool: &Selected<'_>, candidates: &[Candidate<'_>]) -> Vec<String> {
    let wanted: Vec<String> = candidates
        .iter()
        .map(|candidate| wanted_name(cx, tool, candidate))
        .collect();
    let mut names: Vec<String> = wanted
        .iter()
        .zip(candidates)
        .map(|(name, candidate)| {
            if wanted.iter().filter(|other| *other == name).count() > 1 {
                limited(&format!("{name}_{}", suffix(candidate.place)))
            } else {
                name.clone()
            }
        })
        .collect();
    // A suffixed name may meet another one: then its place among the arguments tells them apart.
    for index in 0..names.len() {
        if names[..index].contains(&names[index]) {
            names[index] = limited(&format!("{}_{}", names[index], index + 1));
        }
    }
    names
}

fn wanted_name(cx: &Context<'_>, tool: &Selected<'_>, candidate: &Candidate<'_>) -> String {
    let Some(given) = candidate.entry.and_then(|entry| entry.name.as_ref()) else {
        let name = ascii_name(&candidate.wire, "_.-");
        return if name.is_empty() {
            "argument".to_owned()
        } else {
            limited(&name)
        };
    };
    let is_valid = (1..=MAX_KEY).contains(&given.len())
        && given
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
    if !is_valid {
        let key = tool.entry.map_or("", |(key, _)| key);
        cx.error(
            "invalid-name",
            &pointer(&["tools", key, "arguments", &candidate.wire, "name"]),
            format!("`{given}` cannot be an argument's name"),
            "write 1 to 64 characters of `A-Z a-z 0-9 _ . -`",
        );
    }
    limited(&ascii_name(given, "_.-"))
}

fn limited(name: &str) -> String {
    name.chars().take(MAX_KEY).collect()
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

/// The input schema in one language.
fn schema(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    scene: &Scene<'_, '_>,
    locale: usize,
) -> Value {
    let library = libraries.get(locale).unwrap_or(&libraries[0]);
    let operation = &cx.api_in(locale).operations[scene.tool.index];
    let fields = match operation
        .body
        .as_ref()
        .map(|body| body::shape(library, body))
    {
        Some(Shape::Fields(fields)) => fields.properties,
        _ => Map::new(),
    };
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (candidate, name) in scene.candidates.iter().zip(scene.names) {
        let own = own_schema(operation, &fields, candidate);
        let mut patched = overrides::apply(cx, library, scene.tool, candidate, (own, locale));
        for note in scene.notes.iter().filter(|note| note.covers(candidate)) {
            note.describe(&mut patched, locale);
        }
        if candidate.required
            || candidate
                .entry
                .is_some_and(|entry| entry.required == Some(true))
        {
            required.push(name.clone());
        }
        properties.insert(name.clone(), patched);
    }
    let mut schema = library.assemble(properties, &required);
    if let (true, Value::Object(root)) = (scene.is_open, &mut schema) {
        root.insert("additionalProperties".to_owned(), Value::Bool(true));
    }
    schema
}

/// The document's schema of a candidate, with the description that stands beside it.
fn own_schema(
    operation: &Operation,
    fields: &Map<String, Value>,
    candidate: &Candidate<'_>,
) -> Value {
    let (schema, description) = match (candidate.parameter, candidate.place) {
        (Some(index), _) => {
            let parameter = &operation.parameters[index];
            (parameter.schema.clone(), parameter.description.as_str())
        }
        (None, Place::Body) => {
            let body = operation.body.as_ref();
            let schema = body.map_or(Value::Bool(true), |body| body.schema.clone());
            (schema, body.map_or("", |body| body.description.as_str()))
        }
        (None, _) => (
            fields
                .get(&candidate.wire)
                .cloned()
                .unwrap_or(Value::Bool(true)),
            "",
        ),
    };
    with_description(schema, description)
}

/// A parameter's own description is the nearer one.
fn with_description(schema: Value, description: &str) -> Value {
    if description.trim().is_empty() {
        return schema;
    }
    let mut object = match schema {
        Value::Object(object) => object,
        Value::Bool(false) => return Value::Bool(false),
        _ => Map::new(),
    };
    object.insert("description".to_owned(), description.trim().into());
    Value::Object(object)
}

fn argument(
    library: &Library<'_>,
    operation: &Operation,
    candidate: &Candidate<'_>,
    name: &str,
) -> Argument {
    let parameter = candidate
        .parameter
        .map(|index| &operation.parameters[index]);
    let schema = match (candidate.parameter, &operation.body, candidate.place) {
        (Some(index), _, _) => operation.parameters[index].schema.clone(),
        (None, Some(body), Place::Body) => body.schema.clone(),
        (None, Some(body), _) => match body::shape(library, body) {
            Shape::Fields(fields) => fields
                .properties
                .get(&candidate.wire)
                .cloned()
                .unwrap_or_default(),
            Shape::Whole => Value::Null,
        },
        (None, None, _) => Value::Null,
    };
    let schema = candidate
        .entry
        .and_then(|entry| entry.schema.clone())
        .unwrap_or(schema);
    Argument {
        name: name.to_owned(),
        wire: candidate.wire.clone(),
        place: candidate.place,
        style: parameter.map_or(ParameterStyle::Json, |parameter| parameter.style),
        explode: parameter.is_some_and(|parameter| parameter.explode),
        allow_reserved: parameter.is_some_and(|parameter| parameter.allow_reserved),
        structured: body::accepts_only_structures(library, &schema),
    }
}
