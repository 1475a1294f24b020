//! The keywords of one schema: which are kept, and how what is wrong with them is repaired.

use serde_json::{Map, Value, json};

use super::node::Down;

/// What a keyword holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A schema.
    Schema { goes_down: Down },
    /// `items`: a schema or, in older drafts, a list.
    Items,
    /// Schemas by name.
    Map { goes_down: Down },
    /// A list of schemas.
    List { goes_down: Down },
    /// `$recursiveRef` or `$dynamicRef`.
    Recursive,
    /// A value.
    Plain,
    /// Known, and of no use to an input schema.
    Dropped,
    /// Not JSON Schema.
    Unknown,
}

/// The kind of a keyword.
pub(super) fn kind(key: &str) -> Kind {
    match key {
        "not" | "if" | "then" | "else" => Kind::Schema {
            goes_down: Down::No,
        },
        "additionalProperties"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "propertyNames"
        | "contains"
        | "contentSchema" => Kind::Schema {
            goes_down: Down::Yes,
        },
        "items" => Kind::Items,
        "properties" | "patternProperties" => Kind::Map {
            goes_down: Down::Yes,
        },
        "dependentSchemas" => Kind::Map {
            goes_down: Down::No,
        },
        "allOf" | "anyOf" | "oneOf" => Kind::List {
            goes_down: Down::No,
        },
        "prefixItems" => Kind::List {
            goes_down: Down::Yes,
        },
        "$recursiveRef" | "$dynamicRef" => Kind::Recursive,
        "type" | "title" | "description" | "default" | "format" | "enum" | "const"
        | "multipleOf" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"
        | "minLength" | "maxLength" | "pattern" | "minItems" | "maxItems" | "uniqueItems"
        | "minContains" | "maxContains" | "minProperties" | "maxProperties" | "required"
        | "dependentRequired" | "readOnly" | "writeOnly" | "contentEncoding"
        | "contentMediaType" => Kind::Plain,
        "$ref" | "nullable" | "example" | "examples" | "xml" | "externalDocs" | "discriminator"
        | "deprecated" | "$comment" | "$schema" | "$id" | "$anchor" | "$dynamicAnchor"
        | "$recursiveAnchor" | "$vocabulary" | "$defs" | "definitions" => Kind::Dropped,
        key if key.starts_with("x-") => Kind::Dropped,
        _ => Kind::Unknown,
    }
}

/// Whether a validator can compile a pattern.
pub(super) fn is_pattern(pattern: &str) -> bool {
    jsonschema::draft202012::new(&json!({"type": "string", "pattern": pattern})).is_ok()
}

/// Annotations: they limit nothing, and stay outside when null is let in.
const ANNOTATIONS: [&str; 5] = ["title", "description", "default", "readOnly", "writeOnly"];

/// The keywords of one schema, as they are converted.
pub(super) struct Keywords<'m> {
    map: &'m Map<String, Value>,
    out: Map<String, Value>,
    types: Vec<String>,
    values: Option<Vec<Value>>,
    required: Vec<Value>,
    repairs: Vec<String>,
    pub(super) n_unknown: usize,
}

impl<'m> Keywords<'m> {
    pub(super) fn new(map: &'m Map<String, Value>) -> Self {
        let mut keywords = Self {
            map,
            out: Map::new(),
            types: Vec::new(),
            values: None,
            required: Vec::new(),
            repairs: Vec::new(),
            n_unknown: 0,
        };
        keywords.read_types();
        keywords.read_values();
        keywords
    }

    /// Puts a converted keyword.
    pub(super) fn put(&mut self, key: &str, value: Value) {
        self.out.insert(key.to_owned(), value);
    }

    /// Notes what was changed.
    pub(super) fn repair(&mut self, what: String) {
        self.repairs.push(what);
    }

    /// Makes a property required.
    pub(super) fn require(&mut self, name: &str) {
        let name = Value::from(name);
        if !self.required.contains(&name) {
            self.required.push(name);
        }
    }

    /// Whether it says nothing that a validator reads, though it says something.
    pub(super) fn is_pseudo_schema(&self) -> bool {
        self.n_unknown > 0
            && self.types.is_empty()
            && self
                .out
                .keys()
                .all(|key| ANNOTATIONS.contains(&key.as_str()))
    }

    fn read_types(&mut self) {
        let named: Vec<&Value> = match self.map.get("type") {
            None | Some(Value::Null) => return,
            Some(Value::Array(names)) => names.iter().collect(),
            Some(one) => vec![one],
        };
        for name in named {
            let Some(text) = name.as_str() else {
                self.repair(format!("type `{name}` is not a name and was left out"));
                continue;
            };
            let known = known_type(text);
            match known {
                Some(known) if known == text => {}
                Some(known) => self.repair(format!("type `{text}` is read as `{known}`")),
                None => self.repair(format!("type `{text}` does not exist and was left out")),
            }
            if let Some(known) = known
                && !self.types.iter().any(|have| have == known)
            {
                self.types.push(known.to_owned());
            }
        }
    }

    /// `enum`, with its values brought to the type where they can be.
    fn read_values(&mut self) {
        let Some(values) = self.map.get("enum") else {
            return;
        };
        let Some(values) = values.as_array().filter(|values| !values.is_empty()) else {
            self.repair("`enum` is not a list of values and was left out".to_owned());
            return;
        };
        let mut kept: Vec<Value> = Vec::new();
        for value in values {
            if !kept.contains(value) {
                kept.push(value.clone());
            }
        }
        let is_foreign = |value: &&Value| !value.is_null() && !admits(&self.types, value);
        if !self.types.is_empty() && kept.iter().any(|value| is_foreign(&value)) {
            let as_typed: Option<Vec<Value>> = kept
                .iter()
                .map(|value| to_type(&self.types, value))
                .collect();
            if let Some(typed) = as_typed {
                self.repair(format!(
                    "the values of `enum` are read as type `{}`",
                    self.types.join("`, `")
                ));
                kept = typed;
            } else {
                self.repair(format!(
                    "the values of `enum` are not of type `{}`, which was left out",
                    self.types.join("`, `")
                ));
                self.types.clear();
            }
        }
        self.values = Some(kept);
    }

    /// A keyword that holds a value.
    pub(super) fn plain(&mut self, key: &str, value: &Value) {
        match key {
            "type" => {
                let types = self.types.clone();
                if let Some(value) = type_value(&types) {
                    self.put(key, value);
                }
            }
            "enum" => {
                if let Some(values) = self.values.clone() {
                    self.put(key, Value::Array(values));
                }
            }
            "const" => self.put(key, value.clone()),
            "title" | "description" | "format" | "contentEncoding" | "contentMediaType" => {
                self.keep_if(key, value, value.is_string(), "a text");
            }
            "uniqueItems" | "readOnly" | "writeOnly" => {
                self.keep_if(key, value, value.is_boolean(), "true or false");
            }
            "default" => self.default(value),
            "pattern" => self.pattern(value),
            "required" => self.required(value),
            "dependentRequired" => {
                let is_sound = value.as_object().is_some_and(|map| {
                    map.values().all(|names| {
                        names
                            .as_array()
                            .is_some_and(|names| names.iter().all(Value::is_string))
                    })
                });
                self.keep_if(key, value, is_sound, "lists of names");
            }
            "multipleOf" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                self.limit(key, value);
            }
            _ => self.count(key, value),
        }
    }

    fn keep_if(&mut self, key: &str, value: &Value, is_sound: bool, wanted: &str) {
        if is_sound {
            self.put(key, value.clone());
        } else if !value.is_null() {
            self.repair(format!("`{key}` is not {wanted} and was left out"));
        }
    }

    fn default(&mut self, value: &Value) {
        let is_null_allowed = value.is_null() && self.is_nullable();
        if is_null_allowed || admits(&self.types, value) {
            self.put("default", value.clone());
        } else if let Some(typed) = to_type(&self.types, value).filter(|_| !value.is_null()) {
            self.repair(format!("`default` is read as `{typed}`"));
            self.put("default", typed);
        } else {
            self.repair("`default` is not of the type and was left out".to_owned());
        }
    }

    fn pattern(&mut self, value: &Value) {
        if !self.is_for("pattern", &["string"]) {
            return;
        }
        match value.as_str() {
            Some(pattern) if is_pattern(pattern) => self.put("pattern", value.clone()),
            _ => self.repair("`pattern` does not compile and was left out".to_owned()),
        }
    }

    fn required(&mut self, value: &Value) {
        match value {
            // The parent reads it.
            Value::Bool(_) | Value::Null => {}
            Value::Array(names) => {
                for name in names {
                    match name.as_str() {
                        Some(name) => self.require(name),
                        None => self.repair(format!("`{name}` in `required` is not a name")),
                    }
                }
            }
            _ => self.repair("`required` is not a list of names and was left out".to_owned()),
        }
    }

    /// Numeric limits; `exclusiveMinimum: true` of older drafts turns `minimum` into it.
    fn limit(&mut self, key: &str, value: &Value) {
        if !self.is_for(key, &["integer", "number"]) {
            return;
        }
        let plain = match key {
            "exclusiveMinimum" => "minimum",
            "exclusiveMaximum" => "maximum",
            _ => key,
        };
        if key != plain && value.is_boolean() {
            if value == &Value::Bool(true)
                && let Some(limit) = self.map.get(plain).and_then(to_number)
            {
                self.out.shift_remove(plain);
                self.put(key, limit);
            }
            return;
        }
        let twin = format!("exclusive{}{}", plain[..1].to_uppercase(), &plain[1..]);
        if key == plain && self.map.get(&twin) == Some(&Value::Bool(true)) {
            return;
        }
        match to_number(value) {
            Some(number) if key != "multipleOf" || number.as_f64().is_some_and(|n| n > 0.0) => {
                if number != *value {
                    self.repair(format!("`{key}` is read as `{number}`"));
                }
                self.put(key, number);
            }
            _ => self.repair(format!("`{key}` is not a usable number and was left out")),
        }
    }

    /// Limits of lengths: whole numbers from 0.
    fn count(&mut self, key: &str, value: &Value) {
        let family: &[&str] = match key {
            "minLength" | "maxLength" => &["string"],
            "minProperties" | "maxProperties" => &["object"],
            _ => &["array"],
        };
        if !self.is_for(key, family) {
            return;
        }
        let count = to_number(value).and_then(|number| whole(&number));
        match count {
            Some(count) => self.put(key, count.into()),
            None => self.repair(format!(
                "`{key}` is not a whole number from 0 and was left out"
            )),
        }
    }

    /// Whether a keyword speaks of the schema's type; if not, it has no effect and confuses.
    fn is_for(&mut self, key: &str, family: &[&str]) -> bool {
        let is_for = self.types.is_empty()
            || self
                .types
                .iter()
                .any(|name| family.contains(&name.as_str()));
        if !is_for {
            let types = self.types.join("`, `");
            self.repair(format!(
                "`{key}` says nothing about type `{types}` and was left out"
            ));
        }
        is_for
    }

    fn is_nullable(&self) -> bool {
        self.map.get("nullable") == Some(&Value::Bool(true))
    }

    /// The schema, and what was repaired.
    pub(super) fn finish(mut self) -> (Value, Vec<String>) {
        if !self.required.is_empty() {
            let required = std::mem::take(&mut self.required);
            self.put("required", Value::Array(required));
        }
        self.infer_type();
        if self.is_nullable() {
            self.let_null_in();
        }
        (Value::Object(self.out), self.repairs)
    }

    /// `properties` without `type` means an object, unless alternatives say otherwise.
    fn infer_type(&mut self) {
        let has = |key: &str| self.out.contains_key(key);
        if !self.types.is_empty()
            || ["$ref", "anyOf", "oneOf", "enum", "const"]
                .iter()
                .any(|key| has(key))
        {
            return;
        }
        let inferred = if has("properties") {
            "object"
        } else if has("items") || has("prefixItems") {
            "array"
        } else {
            return;
        };
        self.types.push(inferred.to_owned());
        self.put("type", inferred.into());
    }

    fn let_null_in(&mut self) {
        const COMPOSED: [&str; 7] = ["$ref", "allOf", "anyOf", "oneOf", "not", "const", "if"];
        if COMPOSED.iter().any(|key| self.out.contains_key(*key)) {
            self.wrap_with_null();
            return;
        }
        if !self.types.is_empty() && !self.types.iter().any(|name| name == "null") {
            self.types.push("null".to_owned());
            if let Some(value) = type_value(&self.types) {
                self.put("type", value);
            }
        }
        if let Some(Value::Array(values)) = self.out.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
    }

    fn wrap_with_null(&mut self) {
        let has_null = ["anyOf", "oneOf"].iter().any(|key| {
            let branches = self.out.get(*key).and_then(Value::as_array);
            branches.is_some_and(|branches| branches.contains(&json!({"type": "null"})))
        });
        if has_null {
            return;
        }
        let (outer, inner): (Map<_, _>, Map<_, _>) = std::mem::take(&mut self.out)
            .into_iter()
            .partition(|(key, _)| ANNOTATIONS.contains(&key.as_str()));
        self.out = outer;
        self.put("anyOf", json!([inner, {"type": "null"}]));
    }
}

fn type_value(types: &[String]) -> Option<Value> {
    match types {
        [] => None,
        [one] => Some(Value::from(one.as_str())),
        many => Some(Value::from(many.to_vec())),
    }
}

/// The JSON type that a name means.
fn known_type(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "text" | "str" | "date" | "datetime" | "date-time" | "uuid" | "file" => "string",
        "integer" | "int" | "int32" | "int64" | "long" => "integer",
        "number" | "float" | "double" | "decimal" => "number",
        "boolean" | "bool" => "boolean",
        "array" | "list" => "array",
        "object" | "map" => "object",
        "null" => "null",
        _ => return None,
    })
}

/// Whether a value is of one of the types; no type admits all.
fn admits(types: &[String], value: &Value) -> bool {
    types.is_empty()
        || types.iter().any(|name| match (name.as_str(), value) {
            ("null", Value::Null)
            | ("boolean", Value::Bool(_))
            | ("number", Value::Number(_))
            | ("string", Value::String(_))
            | ("array", Value::Array(_))
            | ("object", Value::Object(_)) => true,
            ("integer", Value::Number(number)) => {
                number.as_f64().is_some_and(|number| number.fract() == 0.0)
            }
            _ => false,
        })
}

/// The value in the types, where the text of the one is the text of the other; null stays null.
fn to_type(types: &[String], value: &Value) -> Option<Value> {
    if value.is_null() || admits(types, value) {
        return Some(value.clone());
    }
    types.iter().find_map(|name| match (name.as_str(), value) {
        ("integer" | "number", Value::String(_)) => {
            to_number(value).filter(|number| admits(types, number))
        }
        ("boolean", Value::String(text)) => text.parse::<bool>().ok().map(Value::Bool),
        ("string", Value::Number(number)) => Some(Value::String(number.to_string())),
        ("string", Value::Bool(flag)) => Some(Value::String(flag.to_string())),
        _ => None,
    })
}

/// A number, also one that was written as a text in JSON's own form.
fn to_number(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(text) => serde_json::from_str::<serde_json::Number>(text)
            .ok()
            .map(Value::Number),
        _ => None,
    }
}

fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (number >= 0.0 && number.fract() == 0.0 && number < 9e15).then_some(number as u64)
    })
}
