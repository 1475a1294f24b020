//! A value that satisfies a schema, for tests of the emitted server.

use serde_json::{Map, Value, json};

const MAX_DEPTH: usize = 12;

/// Arguments that satisfy an input schema; none where no simple value does.
pub(super) fn arguments(schema: &Value) -> Option<Value> {
    let value = object(schema, schema, 0);
    let validator = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(false)
        .build(schema)
        .ok()?;
    validator.is_valid(&value).then_some(value)
}

fn value(schema: &Value, root: &Value, depth: usize) -> Value {
    let Value::Object(keys) = schema else {
        return json!("text");
    };
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    if let Some(found) = stated(keys) {
        return found;
    }
    if let Some(target) = referred(keys, root) {
        return value(target, root, depth + 1);
    }
    for key in ["oneOf", "anyOf"] {
        let branches = keys
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        if let Some(branch) = branches
            .into_iter()
            .find(|branch| branch.get("type") != Some(&json!("null")))
        {
            return value(branch, root, depth + 1);
        }
    }
    match kind(keys) {
        "integer" | "number" => number(keys),
        "boolean" => json!(true),
        "array" => array(keys, root, depth),
        "object" => object(schema, root, depth),
        "null" => Value::Null,
        _ => text(keys),
    }
}

/// A value that the schema itself names.
fn stated(keys: &Map<String, Value>) -> Option<Value> {
    if let Some(value) = keys
        .get("const")
        .or_else(|| keys.get("default"))
        .filter(|value| !value.is_null())
    {
        return Some(value.clone());
    }
    keys.get("enum")?
        .as_array()?
        .iter()
        .find(|value| !value.is_null())
        .cloned()
}

fn referred<'r>(keys: &Map<String, Value>, root: &'r Value) -> Option<&'r Value> {
    root.pointer(keys.get("$ref")?.as_str()?.strip_prefix('#')?)
}

fn kind(keys: &Map<String, Value>) -> &str {
    match keys.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null")
            .unwrap_or("null"),
        _ if keys.contains_key("properties") || keys.contains_key("allOf") => "object",
        _ if keys.contains_key("items") => "array",
        _ => "string",
    }
}

fn number(keys: &Map<String, Value>) -> Value {
    let limit = |key: &str| keys.get(key).and_then(Value::as_f64);
    let least = limit("minimum").or_else(|| limit("exclusiveMinimum").map(|limit| limit + 1.0));
    let most = limit("maximum").or_else(|| limit("exclusiveMaximum").map(|limit| limit - 1.0));
    let mut wanted = least.unwrap_or(1.0).max(1.0);
    if let Some(step) = limit("multipleOf").filter(|step| *step > 0.0) {
        wanted = (wanted / step).ceil() * step;
    }
    if let Some(most) = most {
        wanted = wanted.min(most);
    }
    if wanted.fract() == 0.0 && wanted.abs() < 9e15 {
        #[allow(clippy::cast_possible_truncation)] // In range, and whole.
        return json!(wanted as i64);
    }
    json!(wanted)
}

fn text(keys: &Map<String, Value>) -> Value {
    let known = match keys.get("format").and_then(Value::as_str) {
        Some("date") => "2026-12-31",
        Some("date-time") => "2026-12-31T12:00:00Z",
        Some("email") => "ana@example.com",
        Some("uuid") => "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        Some("uri" | "url") => "https://example.com/",
        _ => "text",
    };
    let length = |key: &str| {
        keys.get(key)
            .and_then(Value::as_u64)
            .and_then(|n| usize::try_from(n).ok())
    };
    let mut text = known.to_owned();
    let least = length("minLength").unwrap_or(0).min(1000);
    while text.chars().count() < least {
        text.push('1');
    }
    if let Some(most) = length("maxLength") {
        text = text.chars().take(most).collect();
    }
    let pattern = keys
        .get("pattern")
        .and_then(Value::as_str)
        .and_then(|pattern| regex::Regex::new(pattern).ok());
    match pattern {
        Some(pattern) if !pattern.is_match(&text) => {
            let fits = |candidate: &String| pattern.is_match(candidate);
            let digits = (1..=20).map(|n| "1".repeat(n));
            let letters = (1..=20).map(|n| "A".repeat(n));
            digits
                .chain(letters)
                .find(fits)
                .map_or(json!(text), Value::String)
        }
        _ => json!(text),
    }
}

fn array(keys: &Map<String, Value>, root: &Value, depth: usize) -> Value {
    let n = keys
        .get("minItems")
        .and_then(Value::as_u64)
        .unwrap_or(1)
        .clamp(1, 20);
    let item = keys
        .get("items")
        .map_or(json!("text"), |items| value(items, root, depth + 1));
    (0..n).map(|_| item.clone()).collect()
}

/// Required properties only: what is optional may depend on more than its own schema.
fn object(schema: &Value, root: &Value, depth: usize) -> Value {
    let mut result = Map::new();
    let branches = schema
        .get("allOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    for branch in std::iter::once(schema).chain(branches) {
        let branch = branch
            .as_object()
            .and_then(|keys| referred(keys, root))
            .unwrap_or(branch);
        let required = branch
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        for name in required.filter_map(Value::as_str) {
            let property = branch
                .get("properties")
                .and_then(|properties| properties.get(name));
            let property = property.or_else(|| schema.get("properties")?.get(name));
            result.insert(
                name.to_owned(),
                property.map_or(json!("text"), |property| value(property, root, depth + 1)),
            );
        }
    }
    Value::Object(result)
}
