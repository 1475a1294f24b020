//! Input schemas: definitions inlined under a budget, recursive ones kept, read-only properties left out.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::model::Definitions;
use crate::model::schema::DEFINITION_PREFIX;

use super::keywords::{
    DEPTH_LIMIT, Keyword, NOISE, beside, collect_references, expanded_size, is_annotation, keyword,
    reference_name,
};
use super::words::ascii_name;

/// Bytes of one input schema up to which every definition is written out in place.
const INLINE_BUDGET: usize = 24 * 1024;
/// Bytes of a definition that is written out in place even beyond that budget.
const SMALL: usize = 512;
/// Depth below which references stay, so that no chain of definitions makes a schema too deep to read.
const MAX_DEPTH: usize = 32;

/// What is known of an API's definitions, found out once.
pub(super) struct Library<'a> {
    definitions: &'a Definitions,
    /// Expanded size in bytes; none: recursive.
    sizes: IndexMap<&'a str, Option<usize>>,
}

/// A schema being assembled.
struct Assembly<'l> {
    library: &'l Library<'l>,
    /// Largest expanded size that is inlined.
    limit: usize,
    /// Definitions that stay, by name, with the name that they get.
    kept: IndexMap<String, String>,
    /// How much was written already: no schema grows without end, whatever its references.
    written: usize,
}

impl<'a> Library<'a> {
    /// Finds recursion and sizes, in time linear in the definitions.
    pub(super) fn new(definitions: &'a Definitions) -> Self {
        let edges: IndexMap<&str, BTreeSet<&str>> = definitions
            .iter()
            .map(|(name, schema)| {
                let mut names = BTreeSet::new();
                collect_references(schema, definitions, &mut names, 0);
                (name.as_str(), names)
            })
            .collect();
        let mut incoming: IndexMap<&str, Vec<&str>> = IndexMap::new();
        let mut open: IndexMap<&str, usize> = IndexMap::new();
        for (name, targets) in &edges {
            open.insert(name, targets.len());
            for target in targets {
                incoming.entry(target).or_default().push(name);
            }
        }
        let mut ready: Vec<&str> = open
            .iter()
            .filter(|(_, n)| **n == 0)
            .map(|(name, _)| *name)
            .collect();
        let mut sizes: IndexMap<&str, Option<usize>> =
            edges.keys().map(|name| (*name, None)).collect();
        while let Some(name) = ready.pop() {
            let size = definitions
                .get(name)
                .map_or(0, |schema| expanded_size(schema, definitions, &sizes, 0));
            sizes.insert(name, Some(size));
            for user in incoming.get(name).into_iter().flatten() {
                if let Some(n) = open.get_mut(user) {
                    *n = n.saturating_sub(1);
                    if *n == 0 {
                        ready.push(user);
                    }
                }
            }
        }
        Self { definitions, sizes }
    }

    /// Follows references at the root of a schema; annotations beside a reference win.
    pub(super) fn resolve(&self, schema: &Value) -> Value {
        let mut current = schema.clone();
        for _ in 0..MAX_DEPTH {
            let Value::Object(mut object) = current else {
                return current;
            };
            let Some(target) = self.target(&object) else {
                return Value::Object(object);
            };
            if !object.keys().all(|key| key == "$ref" || is_annotation(key)) {
                return Value::Object(object);
            }
            object.shift_remove("$ref");
            current = beside(target.clone(), object);
        }
        current
    }

    fn target(&self, object: &Map<String, Value>) -> Option<&'a Value> {
        let name = reference_name(object, self.definitions)?;
        self.definitions.get(name)
    }

    /// The object schema of these properties, complete: nothing in it refers outside.
    pub(super) fn assemble(&self, properties: Map<String, Value>, required: &[String]) -> Value {
        let total = properties.values().fold(0_usize, |sum, schema| {
            sum.saturating_add(expanded_size(schema, self.definitions, &self.sizes, 0))
        });
        let limit = if total <= INLINE_BUDGET {
            usize::MAX
        } else {
            SMALL
        };
        let mut assembly = Assembly {
            library: self,
            limit,
            kept: IndexMap::new(),
            written: 0,
        };
        let properties: Map<String, Value> = properties
            .iter()
            .map(|(name, schema)| (name.clone(), assembly.expand(schema, 0)))
            .collect();
        let mut root = Map::new();
        root.insert("type".to_owned(), "object".into());
        root.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() {
            root.insert("required".to_owned(), required.to_vec().into());
        }
        root.insert("additionalProperties".to_owned(), false.into());
        let definitions = assembly.definitions();
        if !definitions.is_empty() {
            root.insert("$defs".to_owned(), Value::Object(definitions));
        }
        Value::Object(root)
    }
}

impl Assembly<'_> {
    /// The kept definitions and those that they bring in.
    fn definitions(&mut self) -> Map<String, Value> {
        let mut done = Map::new();
        let mut index = 0;
        while let Some((name, key)) = self.kept.get_index(index) {
            let (name, key) = (name.clone(), key.clone());
            let schema = self.library.definitions.get(&name);
            let value = schema.map_or(Value::Bool(true), |schema| self.expand(schema, 0));
            done.insert(key, value);
            index += 1;
        }
        done
    }

    fn expand(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(object) = schema else {
            return schema.clone();
        };
        if depth > DEPTH_LIMIT {
            return Value::Bool(true);
        }
        if !object.get("$ref").is_some_and(Value::is_string) {
            return self.expand_object(object, depth);
        }
        let mut beside_it = object.clone();
        beside_it.shift_remove("$ref");
        let Value::Object(beside_it) = self.expand_object(&beside_it, depth) else {
            return Value::Bool(true);
        };
        let Some(name) = reference_name(object, self.library.definitions) else {
            // `lower` reports references that lead nowhere; here they accept anything.
            return Value::Object(beside_it);
        };
        if self.is_inlined(name, depth) {
            let target = self.library.definitions.get(name);
            let target = target.map_or(Value::Bool(true), |target| self.expand(target, depth + 1));
            return beside(target, beside_it);
        }
        let key = self.keep(name);
        let mut result = Map::new();
        result.insert(
            "$ref".to_owned(),
            format!("{DEFINITION_PREFIX}{key}").into(),
        );
        result.extend(beside_it);
        Value::Object(result)
    }

    fn is_inlined(&mut self, name: &str, depth: usize) -> bool {
        let size = self.library.sizes.get(name).copied().flatten();
        let fits = size.is_some_and(|size| size <= self.limit && depth < MAX_DEPTH);
        if fits && self.written < 4 * INLINE_BUDGET {
            self.written += size.unwrap_or(0);
            return true;
        }
        false
    }

    fn keep(&mut self, name: &str) -> String {
        if let Some(key) = self.kept.get(name) {
            return key.clone();
        }
        let base = ascii_name(name, "_.-");
        let base = if base.is_empty() {
            "schema".to_owned()
        } else {
            base
        };
        let mut key = base.clone();
        let mut n = 2;
        while self.kept.values().any(|other| *other == key) {
            key = format!("{base}_{n}");
            n += 1;
        }
        self.kept.insert(name.to_owned(), key.clone());
        key
    }

    fn expand_object(&mut self, object: &Map<String, Value>, depth: usize) -> Value {
        let hidden = self.read_only_names(object);
        let mut result = Map::new();
        for (key, value) in object {
            if NOISE.contains(&key.as_str()) || key.starts_with("x-") {
                continue;
            }
            let value = match (key.as_str(), value) {
                ("properties", Value::Object(properties)) => Value::Object(
                    properties
                        .iter()
                        .filter(|(name, _)| !hidden.contains(*name))
                        .map(|(name, schema)| (name.clone(), self.expand(schema, depth + 1)))
                        .collect(),
                ),
                ("required", Value::Array(names)) => Value::Array(
                    names
                        .iter()
                        .filter(|name| !name.as_str().is_some_and(|n| hidden.contains(n)))
                        .cloned()
                        .collect(),
                ),
                (key, value) => self.expand_keyword(key, value, depth),
            };
            result.insert(key.clone(), value);
        }
        if result
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(Vec::is_empty)
        {
            result.shift_remove("required");
        }
        Value::Object(result)
    }

    fn expand_keyword(&mut self, key: &str, value: &Value, depth: usize) -> Value {
        match (keyword(key), value) {
            (Keyword::Schema, value) => self.expand(value, depth + 1),
            (Keyword::List, Value::Array(schemas)) => schemas
                .iter()
                .map(|schema| self.expand(schema, depth + 1))
                .collect(),
            (Keyword::Map, Value::Object(schemas)) => Value::Object(
                schemas
                    .iter()
                    .map(|(name, schema)| (name.clone(), self.expand(schema, depth + 1)))
                    .collect(),
            ),
            (_, value) => value.clone(),
        }
    }

    /// Names that an input must not show, wherever the composition declares them.
    fn read_only_names(&self, object: &Map<String, Value>) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let branches = object.get("allOf").and_then(Value::as_array);
        let own = std::iter::once(object.clone());
        let branches = branches.into_iter().flatten().filter_map(|branch| {
            match self.library.resolve(branch) {
                Value::Object(object) => Some(object),
                _ => None,
            }
        });
        for schema in own.chain(branches) {
            for (name, property) in schema
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                if self.library.is_read_only(property) {
                    names.insert(name.clone());
                }
            }
        }
        names
    }
}

impl Library<'_> {
    /// Whether only answers show this property.
    pub(super) fn is_read_only(&self, property: &Value) -> bool {
        let says = |value: &Value| value.get("readOnly") == Some(&Value::Bool(true));
        says(property) || (property.get("$ref").is_some() && says(&self.resolve(property)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::keywords::text_length;
    use super::*;
    use serde_json::json;

    fn definitions(value: Value) -> Definitions {
        serde_json::from_value(value).unwrap()
    }

    fn assembled(definitions: &Definitions, schema: Value) -> Value {
        let mut properties = Map::new();
        properties.insert("x".to_owned(), schema);
        let schema = Library::new(definitions).assemble(properties, &[]);
        jsonschema::validator_for(&schema).unwrap();
        schema
    }

    #[test]
    fn definitions_are_inlined_unless_recursive() {
        let definitions = definitions(json!({
            "Money": {"type": "integer", "description": "cents"},
            "Item": {"type": "object", "properties": {"price": {"$ref": "#/$defs/Money", "description": "of one"}}},
            "Tree Node": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree Node"}}}},
        }));
        let schema = assembled(&definitions, json!({"$ref": "#/$defs/Item"}));
        assert_eq!(
            schema["properties"]["x"]["properties"]["price"],
            json!({"type": "integer", "description": "of one"})
        );
        assert!(schema.get("$defs").is_none());
        let schema = assembled(&definitions, json!({"$ref": "#/$defs/Tree Node"}));
        assert_eq!(schema["properties"]["x"]["$ref"], "#/$defs/Tree_Node");
        assert_eq!(
            schema["$defs"]
                .as_object()
                .unwrap()
                .keys()
                .collect::<Vec<_>>(),
            ["Tree_Node"]
        );
    }

    #[test]
    fn read_only_properties_leave_at_every_depth() {
        let definitions = definitions(json!({
            "Id": {"type": "string", "readOnly": true},
            "Inner": {"type": "object", "required": ["id", "a"], "properties": {
                "id": {"$ref": "#/$defs/Id"}, "a": {"type": "string"}, "secret": {"type": "string", "writeOnly": true},
            }},
        }));
        let schema = assembled(
            &definitions,
            json!({"type": "array", "items": {"$ref": "#/$defs/Inner"}}),
        );
        let inner = &schema["properties"]["x"]["items"];
        assert_eq!(inner["required"], json!(["a"]));
        assert!(inner["properties"].get("id").is_none());
        assert!(inner["properties"].get("secret").is_some());
    }

    #[test]
    fn a_hostile_fan_out_stays_small() {
        let mut all = Map::new();
        all.insert("D0".to_owned(), json!({"type": "string"}));
        for n in 1..60 {
            let below = json!({"$ref": format!("#/$defs/D{}", n - 1)});
            all.insert(
                format!("D{n}"),
                json!({"type": "object", "properties": {"a": below, "b": below}}),
            );
        }
        let definitions = definitions(Value::Object(all));
        let schema = assembled(&definitions, json!({"$ref": "#/$defs/D59"}));
        assert!(text_length(&schema) < 8 * INLINE_BUDGET);
    }

    #[test]
    fn a_large_schema_keeps_its_definitions() {
        let big: Map<String, Value> = (0..400)
            .map(|n| {
                (
                    format!("p{n}"),
                    json!({"type": "string", "description": "text of some length"}),
                )
            })
            .collect();
        let definitions = definitions(json!({"Big": {"type": "object", "properties": big}}));
        let two = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Big"}, "b": {"$ref": "#/$defs/Big"}}});
        let schema = assembled(&definitions, two);
        assert_eq!(
            schema["properties"]["x"]["properties"]["a"]["$ref"],
            "#/$defs/Big"
        );
    }
}
