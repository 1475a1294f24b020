//! Whether a request body becomes arguments of their own, or one argument `body`.

use serde_json::{Map, Value};

use crate::model::Body;

use super::schema::{Library, is_annotation};

/// How a body is shown.
pub(super) enum Shape {
    /// Its fields are arguments.
    Fields(Fields),
    /// It is one argument, `body`.
    Whole,
}

/// The fields of an object body.
#[derive(Default)]
pub(super) struct Fields {
    /// Schemas by name, without read-only ones.
    pub(super) properties: Map<String, Value>,
    /// Names that must be given.
    pub(super) required: Vec<String>,
    /// Whether the API says that it takes further fields.
    pub(super) is_open: bool,
}

/// Decides. Only a plain object becomes fields: a flat list of arguments cannot say `oneOf`, patterns of names, or
/// "these are required if any of them is given", which an optional body with required fields means.
pub(super) fn shape(library: &Library<'_>, body: &Body) -> Shape {
    let mut fields = Fields::default();
    let is_plain = collect(library, &body.schema, &mut fields, 0);
    if !is_plain || fields.properties.is_empty() || (!body.required && !fields.required.is_empty())
    {
        return Shape::Whole;
    }
    Shape::Fields(fields)
}

/// Gathers the fields of a plain object or of an `allOf` of plain objects; false where the schema says more.
fn collect(library: &Library<'_>, schema: &Value, fields: &mut Fields, depth: usize) -> bool {
    const MAX_DEPTH: usize = 8;
    let Value::Object(schema) = library.resolve(schema) else {
        return false;
    };
    let is_object = match schema.get("type") {
        None => schema.contains_key("properties") || schema.contains_key("allOf"),
        Some(kind) => kind == "object",
    };
    if depth > MAX_DEPTH || !is_object || schema.contains_key("$ref") {
        return false;
    }
    schema
        .iter()
        .all(|(key, value)| match (key.as_str(), value) {
            ("type", _) => true,
            ("additionalProperties", Value::Bool(is_open)) => {
                fields.is_open |= *is_open;
                true
            }
            ("properties", Value::Object(properties)) => add(library, properties, fields),
            ("required", Value::Array(names)) => {
                fields
                    .required
                    .extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
                true
            }
            ("allOf", Value::Array(branches)) => branches
                .iter()
                .all(|branch| collect(library, branch, fields, depth + 1)),
            (key, _) => is_annotation(key),
        })
}

/// False where two branches describe the same field differently.
fn add(library: &Library<'_>, properties: &Map<String, Value>, fields: &mut Fields) -> bool {
    properties.iter().all(|(name, schema)| {
        if library.is_read_only(schema) || schema == &Value::Bool(false) {
            return true;
        }
        let earlier = fields.properties.insert(name.clone(), schema.clone());
        earlier.is_none_or(|earlier| earlier == *schema)
    })
}

/// Whether a schema accepts objects or arrays and nothing else but `null`.
pub(super) fn accepts_only_structures(library: &Library<'_>, schema: &Value) -> bool {
    let Value::Object(schema) = library.resolve(schema) else {
        return false;
    };
    let is_structure = |kind: &Value| kind == "object" || kind == "array";
    match schema.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().any(is_structure)
                && kinds
                    .iter()
                    .all(|kind| is_structure(kind) || kind == "null")
        }
        Some(kind) => is_structure(kind),
        None => {
            let says = |key: &str| schema.contains_key(key);
            let branches = ["anyOf", "oneOf", "allOf"]
                .iter()
                .find_map(|key| schema.get(*key)?.as_array());
            match branches {
                Some(branches) => branches.iter().all(|branch| {
                    branch.get("type").is_some_and(|kind| kind == "null")
                        || accepts_only_structures(library, branch)
                }),
                None => says("properties") || says("items"),
            }
        }
    }
}
