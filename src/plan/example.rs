//! Arguments that satisfy an input schema, for the emitted tests.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value, json};

use crate::model::schema::DEFINITION_PREFIX;

const MAX_DEPTH: usize = 12;

/// JSON text of arguments that the schema accepts; empty when none was found.
///
/// The required ones are tried first, then every one.
pub(super) fn arguments(schema: &Value, validator: &jsonschema::Validator) -> String {
    for is_full in [false, true] {
        let sampler = Sampler {
            root: schema,
            is_full,
        };
        let candidate = sampler.sample(schema, 0);
        if validator.is_valid(&candidate) {
            return candidate.to_string();
        }
    }
    String::new()
}

struct Sampler<'s> {
    root: &'s Value,
    is_full: bool,
}

impl Sampler<'_> {
    fn sample(&self, schema: &Value, depth: usize) -> Value {
        let Value::Object(object) = schema else {
            return json!("example");
        };
        if depth > MAX_DEPTH {
            return Value::Null;
        }
        if let Some(value) = given(object) {
            return value;
        }
        if let Some(target) = self.target(object) {
            return self.sample(target, depth + 1);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(branch) = object
                .get(key)
                .and_then(Value::as_array)
                .and_then(|b| b.first())
            {
                return self.merged(object, &[branch], depth);
            }
        }
        if let Some(branches) = object.get("allOf").and_then(Value::as_array) {
            return self.merged(object, &branches.iter().collect::<Vec<_>>(), depth);
        }
        match kind(object) {
            "object" => self.object(object, depth),
            "array" => self.array(object, depth),
            "integer" => number(object, true),
            "number" => number(object, false),
            "boolean" => json!(true),
            "null" => Value::Null,
            _ => json!(string(object)),
        }
    }

    fn target(&self, object: &Map<String, Value>) -> Option<&Value> {
        let name = object
            .get("$ref")?
            .as_str()?
            .strip_prefix(DEFINITION_PREFIX)?;
        self.root.get("$defs")?.get(name)
    }

    /// One value for a schema and the branches that hold beside it: objects are united, the first value wins.
    fn merged(&self, object: &Map<String, Value>, branches: &[&Value], depth: usize) -> Value {
        let mut own = object.clone();
        for key in ["anyOf", "oneOf", "allOf"] {
            own.shift_remove(key);
        }
        let mut result = Map::new();
        if (own.contains_key("properties") || own.contains_key("required"))
            && let Value::Object(fields) = self.object(&own, depth)
        {
            result.extend(fields);
        }
        for branch in branches {
            let mut branch = (*branch).clone();
            if let Value::Object(fields) = &mut branch {
                for (key, value) in &own {
                    if !matches!(key.as_str(), "properties" | "required") {
                        fields.entry(key.clone()).or_insert_with(|| value.clone());
                    }
                }
            }
            match self.sample(&branch, depth + 1) {
                Value::Object(fields) => {
                    for (key, value) in fields {
                        result.entry(key).or_insert(value);
                    }
                }
                other if result.is_empty() => return other,
                _ => {}
            }
        }
        Value::Object(result)
    }

    fn object(&self, object: &Map<String, Value>, depth: usize) -> Value {
        let mut result = Map::new();
        let required: Vec<&str> = object
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = object.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            if required.contains(&name.as_str()) || (self.is_full && depth < 3) {
                result.insert(name.clone(), self.sample(schema, depth + 1));
            }
        }
        for name in required {
            result.entry(name).or_insert_with(|| json!("example"));
        }
        let least = object
            .get("minProperties")
            .and_then(Value::as_u64)
            .unwrap_or(0);
        for (name, schema) in properties.into_iter().flatten() {
            if (result.len() as u64) < least && !result.contains_key(name) {
                result.insert(name.clone(), self.sample(schema, depth + 1));
            }
        }
        Value::Object(result)
    }

    fn array(&self, object: &Map<String, Value>, depth: usize) -> Value {
        let n = object
            .get("minItems")
            .and_then(Value::as_u64)
            .unwrap_or(1)
            .clamp(1, 16);
        let items = object.get("items").unwrap_or(&Value::Bool(true));
        let prefix = object.get("prefixItems").and_then(Value::as_array);
        let item = |index: u64| {
            let own = prefix.and_then(|list| usize::try_from(index).ok().and_then(|i| list.get(i)));
            self.sample(own.unwrap_or(items), depth + 1)
        };
        Value::Array((0..n).map(item).collect())
    }
}

/// A value that the schema itself names.
fn given(object: &Map<String, Value>) -> Option<Value> {
    let first = |key: &str| {
        object
            .get(key)
            .and_then(Value::as_array)
            .and_then(|v| v.first())
    };
    let non_null = object
        .get("enum")
        .and_then(Value::as_array)
        .and_then(|values| values.iter().find(|value| !value.is_null()));
    object
        .get("const")
        .or(non_null)
        .or_else(|| first("enum"))
        .or_else(|| first("examples"))
        .or_else(|| object.get("default").filter(|value| !value.is_null()))
        .cloned()
}

fn kind(object: &Map<String, Value>) -> &str {
    match object.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null")
            .unwrap_or("null"),
        _ if object.contains_key("properties") || object.contains_key("required") => "object",
        _ if object.contains_key("items") => "array",
        _ => "string",
    }
}

fn number(object: &Map<String, Value>, is_integer: bool) -> Value {
    let limit = |key: &str| object.get(key).and_then(Value::as_f64);
    let step = limit("multipleOf").filter(|step| *step > 0.0);
    let least = limit("minimum")
        .or_else(|| limit("exclusiveMinimum").map(|n| n + 1.0))
        .unwrap_or(1.0);
    let most = limit("maximum")
        .or_else(|| limit("exclusiveMaximum").map(|n| n - 1.0))
        .unwrap_or(f64::MAX);
    let mut value = least.max(1.0).min(most);
    if let Some(step) = step {
        value = (value / step).ceil() * step;
    }
    if is_integer {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "saturates; the validator judges it"
        )]
        return json!(value.ceil() as i64);
    }
    json!(value)
}

fn string(object: &Map<String, Value>) -> String {
    let format = object.get("format").and_then(Value::as_str).unwrap_or("");
    let sample = match format {
        "date" => "2026-12-01",
        "date-time" => "2026-12-01T12:00:00Z",
        "time" => "12:00:00Z",
        "duration" => "P1D",
        "email" | "idn-email" => "person@example.com",
        "uuid" => "123e4567-e89b-42d3-a456-426614174000",
        "uri" | "url" | "uri-reference" | "iri" => "https://example.com/",
        "hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "byte" => "ZXhhbXBsZQ==",
        _ => "example",
    };
    let pattern = object.get("pattern").and_then(Value::as_str);
    let mut text = match pattern {
        Some(pattern) => matching(pattern, sample),
        None => sample.to_owned(),
    };
    let length = |key: &str| object.get(key).and_then(Value::as_u64);
    let least = usize::try_from(length("minLength").unwrap_or(0))
        .unwrap_or(0)
        .min(4096);
    let most = usize::try_from(length("maxLength").unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    if pattern.is_none() {
        while text.chars().count() < least {
            text.push('x');
        }
    }
    text.chars().take(most).collect()
}

/// A short text that a pattern accepts; the sample where it accepts that, or where the pattern cannot be read.
fn matching(pattern: &str, sample: &str) -> String {
    let Ok(regex) = Regex::new(pattern) else {
        return sample.to_owned();
    };
    if regex.is_match(sample) {
        return sample.to_owned();
    }
    regex_syntax::parse(pattern).map_or_else(
        |_| sample.to_owned(),
        |parsed| {
            let mut text = String::new();
            push_match(&mut text, &parsed);
            text
        },
    )
}

/// The first characters that each part of an expression accepts. Assertions are left to the caller's check.
fn push_match(text: &mut String, part: &Hir) {
    const MAX_LENGTH: usize = 4096;
    if text.len() > MAX_LENGTH {
        return;
    }
    match part.kind() {
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.push(first_of(class)),
        HirKind::Repetition(repetition) => {
            // `a*` could match nothing, but an empty text is seldom what an API means.
            let least = repetition.min.max(u32::from(repetition.max != Some(0)));
            for _ in 0..least.min(256) {
                push_match(text, &repetition.sub);
            }
        }
        HirKind::Capture(capture) => push_match(text, &capture.sub),
        HirKind::Concat(parts) => parts.iter().for_each(|part| push_match(text, part)),
        HirKind::Alternation(parts) => parts.iter().take(1).for_each(|part| push_match(text, part)),
        HirKind::Empty | HirKind::Look(_) => {}
    }
}

/// A letter or digit of the class where it has one, so that the example reads like a value.
fn first_of(class: &Class) -> char {
    let accepts = |wanted: char| match class {
        Class::Unicode(class) => class
            .ranges()
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&wanted)),
        Class::Bytes(class) => class.ranges().iter().any(|range| {
            wanted.is_ascii() && (range.start()..=range.end()).contains(&(wanted as u8))
        }),
    };
    let first = match class {
        Class::Unicode(class) => class.ranges().first().map(|range| range.start()),
        Class::Bytes(class) => class
            .ranges()
            .first()
            .map(|range| char::from(range.start())),
    };
    ['1', 'a', 'A']
        .into_iter()
        .find(|wanted| accepts(*wanted))
        .or(first)
        .unwrap_or('1')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_satisfy_their_schema() {
        let cases = [
            json!({"type": "object"}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 5, "maximum": 6}}}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "pattern": "^\\d{11}$"}}}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "pattern": "^(cus|rul)_[A-Za-z0-9]+(-x)?$"}}}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": ["null", "string"], "minLength": 12}}}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {"enum": ["x"]}}}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/N"}},
                "$defs": {"N": {"type": "object", "required": ["v"], "properties": {"v": {"type": "number"}, "n": {"$ref": "#/$defs/N"}}}}}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {"allOf": [
                {"type": "object", "required": ["b"], "properties": {"b": {"type": "boolean"}}}, {"required": ["c"]}]}}}),
            json!({"type": "object", "minProperties": 1, "properties": {"a": {"type": "array", "minItems": 2, "items": {"type": "integer"}}}}),
        ];
        for schema in cases {
            let validator = jsonschema::validator_for(&schema).unwrap();
            let text = arguments(&schema, &validator);
            let value: Value =
                serde_json::from_str(&text).unwrap_or_else(|_| panic!("{schema}: none"));
            assert!(validator.is_valid(&value), "{schema}: {text}");
        }
        let never = json!({"type": "object", "required": ["a"], "properties": {"a": false}});
        assert_eq!(
            arguments(&never, &jsonschema::validator_for(&never).unwrap()),
            ""
        );
    }
}
