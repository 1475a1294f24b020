//! What each keyword of JSON Schema holds, and what a schema refers to.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::model::Definitions;
use crate::model::schema::DEFINITION_PREFIX;

/// Depth below which nothing is looked at.
pub(super) const DEPTH_LIMIT: usize = 160;

/// Keys that hold no constraint and nothing for a model.
pub(super) const NOISE: &[&str] = &[
    "$schema",
    "$id",
    "xml",
    "externalDocs",
    "example",
    "discriminator",
];

pub(super) enum Keyword {
    Schema,
    List,
    Map,
    Data,
}

pub(super) fn keyword(key: &str) -> Keyword {
    match key {
        "items"
        | "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Keyword::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Keyword::List,
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" => Keyword::Map,
        _ => Keyword::Data,
    }
}

/// Keywords that say nothing about which values are accepted.
pub(super) fn is_annotation(key: &str) -> bool {
    matches!(
        key,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
    ) || NOISE.contains(&key)
        || key.starts_with("x-")
}

/// `target` with what stood beside the reference to it.
pub(super) fn beside(target: Value, siblings: Map<String, Value>) -> Value {
    if siblings.is_empty() {
        return target;
    }
    match target {
        Value::Object(mut object) if siblings.keys().all(|key| is_annotation(key)) => {
            object.extend(siblings);
            Value::Object(object)
        }
        Value::Bool(true) => Value::Object(siblings),
        target => {
            let mut result = siblings;
            let branches = result
                .entry("allOf")
                .or_insert_with(|| Value::Array(vec![]));
            if let Value::Array(branches) = branches {
                branches.push(target);
            }
            Value::Object(result)
        }
    }
}

pub(super) fn reference_name<'d>(
    object: &Map<String, Value>,
    definitions: &'d Definitions,
) -> Option<&'d str> {
    let name = object
        .get("$ref")?
        .as_str()?
        .strip_prefix(DEFINITION_PREFIX)?;
    let found = definitions.get_key_value(name).or_else(|| {
        let plain = name.replace("~1", "/").replace("~0", "~");
        definitions.get_key_value(plain.as_str())
    });
    found.map(|(key, _)| key.as_str())
}

pub(super) fn subschemas(object: &Map<String, Value>) -> Vec<&Value> {
    let mut found = Vec::new();
    for (key, value) in object {
        match (keyword(key), value) {
            (Keyword::Schema, value) => found.push(value),
            (Keyword::List, Value::Array(list)) => found.extend(list),
            (Keyword::Map, Value::Object(map)) => found.extend(map.values()),
            _ => {}
        }
    }
    found
}

pub(super) fn collect_references<'d>(
    schema: &Value,
    definitions: &'d Definitions,
    names: &mut BTreeSet<&'d str>,
    depth: usize,
) {
    let Value::Object(object) = schema else {
        return;
    };
    if depth > DEPTH_LIMIT {
        return;
    }
    names.extend(reference_name(object, definitions));
    for subschema in subschemas(object) {
        collect_references(subschema, definitions, names, depth + 1);
    }
}

/// Bytes of a schema when every definition that is not recursive is written out.
pub(super) fn expanded_size(
    schema: &Value,
    definitions: &Definitions,
    sizes: &IndexMap<&str, Option<usize>>,
    depth: usize,
) -> usize {
    let mut names = Vec::new();
    collect_all_references(schema, definitions, &mut names, depth);
    names.iter().fold(text_length(schema), |sum, name| {
        sum.saturating_add(sizes.get(name).copied().flatten().unwrap_or(0))
    })
}

pub(super) fn collect_all_references<'d>(
    schema: &Value,
    definitions: &'d Definitions,
    names: &mut Vec<&'d str>,
    depth: usize,
) {
    let Value::Object(object) = schema else {
        return;
    };
    if depth > DEPTH_LIMIT {
        return;
    }
    names.extend(reference_name(object, definitions));
    for subschema in subschemas(object) {
        collect_all_references(subschema, definitions, names, depth + 1);
    }
}

pub(super) fn text_length(value: &Value) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}
