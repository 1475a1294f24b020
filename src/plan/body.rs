//! Whether a request body can be taken apart into arguments.

use serde_json::{Map, Value};

use super::keywords::is_annotation;
use super::schema::Library;

/// Depth of `allOf` and references that is followed.
const MAX_DEPTH: usize = 16;

/// The fields of an object body, without the read-only ones.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Fields {
    /// Schemas by name, in document order.
    pub(super) properties: Map<String, Value>,
    /// Names that must be given.
    pub(super) required: Vec<String>,
}

/// The fields of a body; none: only the whole body keeps what the schema says.
///
/// Alternatives, patterns, conditions and open objects stay whole, and so does an optional body with required fields,
/// since a flat list cannot say "all of these or none".
pub(super) fn fields(library: &Library<'_>, schema: &Value, is_required: bool) -> Option<Fields> {
    let mut fields = Fields::default();
    collect(library, schema, &mut fields, 0)?;
    if fields.properties.is_empty() {
        return None;
    }
    let read_only: Vec<String> = fields
        .properties
        .iter()
        .filter(|(_, property)| library.is_read_only(property))
        .map(|(name, _)| name.clone())
        .collect();
    fields
        .properties
        .retain(|name, _| !read_only.contains(name));
    fields.required.retain(|name| !read_only.contains(name));
    for name in &fields.required {
        let property = fields.properties.entry(name.clone());
        property.or_insert_with(|| Value::Object(Map::new()));
    }
    (is_required || fields.required.is_empty()).then_some(fields)
}

fn collect(library: &Library<'_>, schema: &Value, fields: &mut Fields, depth: usize) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    let Value::Object(object) = library.resolve(schema) else {
        return None;
    };
    for (key, value) in &object {
        match (key.as_str(), value) {
            ("type", Value::String(kind)) if kind == "object" => {}
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    match fields.properties.get(name) {
                        Some(other) if other != property => return None,
                        _ => fields.properties.insert(name.clone(), property.clone()),
                    };
                }
            }
            ("required", Value::Array(names)) => {
                for name in names.iter().filter_map(Value::as_str) {
                    if !fields.required.iter().any(|known| known == name) {
                        fields.required.push(name.to_owned());
                    }
                }
            }
            ("allOf", Value::Array(branches)) => {
                for branch in branches {
                    collect(library, branch, fields, depth + 1)?;
                }
            }
            ("additionalProperties", Value::Bool(false)) => {}
            // A count of fields cannot be said of a list that holds path and query too; the API still judges it.
            ("minProperties" | "maxProperties", _) => {}
            (key, _) if is_annotation(key) => {}
            _ => return None,
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_plain_objects_are_taken_apart() {
        let definitions = serde_json::from_value(json!({
            "Base": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
        }))
        .unwrap();
        let library = Library::new(&definitions);
        let cases = [
            (json!({"$ref": "#/$defs/Base"}), true, Some(vec!["a"])),
            (json!({"$ref": "#/$defs/Base"}), false, None),
            (
                json!({"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"b": {}}}]}),
                true,
                Some(vec!["a", "b"]),
            ),
            (
                json!({"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"a": {}}}]}),
                true,
                None,
            ),
            (json!({"properties": {"a": {}}, "oneOf": [{}]}), true, None),
            (
                json!({"properties": {"a": {}}, "additionalProperties": {"type": "string"}}),
                true,
                None,
            ),
            (
                json!({"properties": {"a": {}, "id": {"readOnly": true}}, "required": ["id"]}),
                false,
                Some(vec!["a"]),
            ),
            (
                json!({"type": ["object", "null"], "properties": {"a": {}}}),
                true,
                None,
            ),
            (
                json!({"properties": {"a": {}}, "minProperties": 1}),
                true,
                Some(vec!["a"]),
            ),
            (json!({"type": "object"}), true, None),
            (json!({"type": "array", "items": {}}), true, None),
            (json!(true), true, None),
        ];
        for (schema, required, expected) in cases {
            let found = fields(&library, &schema, required);
            let names = found.map(|f| f.properties.keys().cloned().collect::<Vec<_>>());
            let expected = expected.map(|e| e.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(names, expected, "{schema}");
        }
    }
}
