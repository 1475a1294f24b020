//! One schema and everything below it → JSON Schema 2020-12.

use serde_json::{Map, Value, json};

use crate::diagnostics::{Diagnostics, Location};

use super::fault::Fault;
use super::keyword::{self, Keywords, Kind};
use super::reference::escape;
use super::schema::{Id, Schemas, target};

/// Deeper schemas are refused: every reader of a schema is recursive.
const MAX_DEPTH: usize = 200;

/// A walk down one schema.
pub(super) struct Walk<'a, 'd> {
    schemas: &'a mut Schemas<'d>,
    diagnostics: &'a mut Diagnostics,
    file: &'a str,
    /// Where the walk is.
    pointer: String,
    /// Where it began.
    base: String,
    depth: usize,
    /// Levels of the instance below the start.
    level: usize,
    /// Definitions that were referred to.
    pub(super) refs: Vec<Id>,
    /// Those of them that were met at the level of the start.
    pub(super) in_place: Vec<Id>,
}

impl<'a, 'd> Walk<'a, 'd> {
    pub(super) fn new(
        schemas: &'a mut Schemas<'d>,
        diagnostics: &'a mut Diagnostics,
        file: &'a str,
        pointer: &str,
    ) -> Self {
        Self {
            schemas,
            diagnostics,
            file,
            pointer: pointer.to_owned(),
            base: pointer.to_owned(),
            depth: 0,
            level: 0,
            refs: Vec::new(),
            in_place: Vec::new(),
        }
    }

    /// Converts the schema where the walk is.
    pub(super) fn node(&mut self, schema: &Value) -> Result<Value, Fault> {
        if self.depth > MAX_DEPTH {
            return Err(Fault::new(
                "schema-too-deep",
                &self.pointer,
                format!("this schema is nested deeper than {MAX_DEPTH} levels"),
                "move parts of it to `components.schemas`",
            ));
        }
        match schema {
            Value::Bool(_) => Ok(schema.clone()),
            Value::Object(map) => self.object(map),
            other => {
                self.warn(
                    "schema-invalid",
                    format!("`{other}` is not a schema; anything is accepted here"),
                    "write a mapping such as `type: string`",
                );
                Ok(json!({}))
            }
        }
    }

    fn object(&mut self, map: &Map<String, Value>) -> Result<Value, Fault> {
        let mut keywords = Keywords::new(map);
        if let Some(reference) = map.get("$ref") {
            let name = self.refer(reference)?;
            keywords.put("$ref", format!("#/$defs/{name}").into());
        }
        for (key, value) in map {
            match keyword::kind(key) {
                Kind::Schema { goes_down } => {
                    let value = self.below(key, value, goes_down)?;
                    keywords.put(key, value);
                }
                Kind::Items => self.items(value, &mut keywords)?,
                Kind::Map { goes_down } => self.map(key, value, goes_down, &mut keywords)?,
                Kind::List { goes_down } => self.list(key, value, goes_down, &mut keywords)?,
                Kind::Recursive => {
                    if !map.contains_key("$ref") {
                        let name = self.refer(&json!("#"))?;
                        keywords.put("$ref", format!("#/$defs/{name}").into());
                    }
                }
                Kind::Plain => keywords.plain(key, value),
                Kind::Dropped => {}
                Kind::Unknown => keywords.n_unknown += 1,
            }
        }
        if keywords.is_pseudo_schema() {
            self.warn(
                "schema-without-type",
                "this schema has no JSON Schema keyword, so anything is accepted here",
                "give it `type: object` and `properties`, or give the argument a `schema` in the overlay",
            );
        }
        let (value, repairs) = keywords.finish();
        if !repairs.is_empty() {
            self.warn("schema-repaired", repairs.join("; "), "");
        }
        Ok(value)
    }

    /// Notes a reference and gives the name of its definition.
    fn refer(&mut self, reference: &Value) -> Result<String, Fault> {
        let target = target(self.schemas.root, &self.base, reference, &self.pointer)?;
        let (id, name) = self.schemas.id(target);
        let name = name.to_owned();
        self.refs.push(id);
        if self.level == 0 {
            self.in_place.push(id);
        }
        Ok(name)
    }

    fn below(&mut self, segment: &str, schema: &Value, goes_down: Down) -> Result<Value, Fault> {
        let end = self.pointer.len();
        let down = usize::from(goes_down == Down::Yes);
        self.pointer.push('/');
        self.pointer.push_str(&escape(segment));
        self.depth += 1;
        self.level += down;
        let converted = self.node(schema);
        self.level -= down;
        self.depth -= 1;
        self.pointer.truncate(end);
        converted
    }

    /// `items` was a list in older drafts.
    fn items(&mut self, value: &Value, keywords: &mut Keywords<'_>) -> Result<(), Fault> {
        if value.is_array() {
            let end = self.pointer.len();
            self.pointer.push_str("/items");
            let items = self.members(value, Down::Yes);
            self.pointer.truncate(end);
            let items = items?;
            if !items.is_empty() {
                keywords.put("prefixItems", Value::Array(items));
            }
        } else {
            let value = self.below("items", value, Down::Yes)?;
            keywords.put("items", value);
        }
        Ok(())
    }

    fn map(
        &mut self,
        key: &str,
        value: &Value,
        goes_down: Down,
        keywords: &mut Keywords<'_>,
    ) -> Result<(), Fault> {
        let Some(map) = value.as_object() else {
            keywords.repair(format!("`{key}` is not a mapping and was left out"));
            return Ok(());
        };
        let end = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(key);
        let mut out = Map::new();
        for (name, schema) in map {
            if key == "patternProperties" && !keyword::is_pattern(name) {
                keywords.repair(format!(
                    "pattern `{name}` does not compile and was left out"
                ));
                continue;
            }
            let converted = self.below(name, schema, goes_down)?;
            if key == "properties"
                && let Some(Value::Bool(is_required)) = schema.get("required")
            {
                self.required_flag(name, *is_required, keywords);
            }
            out.insert(name.clone(), converted);
        }
        self.pointer.truncate(end);
        keywords.put(key, Value::Object(out));
        Ok(())
    }

    /// `required: true` on a property is draft 3; it is the parent's list that counts.
    fn required_flag(&mut self, name: &str, is_required: bool, keywords: &mut Keywords<'_>) {
        if !is_required {
            return;
        }
        keywords.require(name);
        let end = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&escape(name));
        self.pointer.push_str("/required");
        self.warn(
            "required-on-property",
            format!("`required: true` on property `{name}` is read as an entry of its object's `required`"),
            &format!("write `required: [{name}]` beside `properties`"),
        );
        self.pointer.truncate(end);
    }

    fn list(
        &mut self,
        key: &str,
        value: &Value,
        goes_down: Down,
        keywords: &mut Keywords<'_>,
    ) -> Result<(), Fault> {
        let end = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(key);
        let members = self.members(value, goes_down);
        self.pointer.truncate(end);
        let members = members?;
        if members.is_empty() {
            keywords.repair(format!("`{key}` is not a list of schemas and was left out"));
        } else {
            keywords.put(key, Value::Array(members));
        }
        Ok(())
    }

    fn members(&mut self, value: &Value, goes_down: Down) -> Result<Vec<Value>, Fault> {
        value
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(i, schema)| self.below(&i.to_string(), schema, goes_down))
            .collect()
    }

    fn warn(&mut self, code: &'static str, message: impl Into<String>, help: &str) {
        let at = Location::at(self.file, &self.pointer);
        self.diagnostics.warning(code, at, message, help);
    }
}

/// Whether a keyword's schemas speak of a part of the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Down {
    /// Of a member or item.
    Yes,
    /// Of the same value.
    No,
}
