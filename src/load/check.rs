//! A JSON value against the schema of overlays: every fault, worded for the person who wrote the file.
//!
//! Understands what `schemars` emits, no more: a general validator would explain an untagged enum as "matches none".

use serde_json::{Map, Value};

use super::places::escape;

/// One fault of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) pointer: String,
    pub(super) message: String,
    pub(super) help: String,
}

/// Every fault, in the order of the file.
pub(super) fn check(root: &Value, value: &Value) -> Vec<Fault> {
    let checker = Checker { root };
    let mut faults = Vec::new();
    checker.node(root, value, "", &mut faults);
    faults
}

struct Checker<'s> {
    root: &'s Value,
}

impl<'s> Checker<'s> {
    fn node(&self, schema: &'s Value, value: &Value, at: &str, faults: &mut Vec<Fault>) {
        let schema = self.target(schema);
        if let Some(branches) = branches(schema) {
            return self.branches(branches, value, at, faults);
        }
        let types = types(schema);
        if !types.is_empty() && !types.iter().any(|name| is_of(name, value)) {
            faults.push(wrong_type(&types, value, at));
            return;
        }
        if let Some(allowed) = allowed_values(schema) {
            if !allowed.contains(value) {
                faults.push(not_allowed(&allowed, value, at));
            }
            return;
        }
        bounds(schema, value, at, faults);
        match value {
            Value::Object(map) => self.object(schema, map, at, faults),
            Value::Array(items) => {
                if let Some(schema) = schema.get("items") {
                    for (i, item) in items.iter().enumerate() {
                        self.node(schema, item, &format!("{at}/{i}"), faults);
                    }
                }
            }
            _ => {}
        }
    }

    fn object(
        &self,
        schema: &'s Value,
        map: &Map<String, Value>,
        at: &str,
        faults: &mut Vec<Fault>,
    ) {
        let fields = schema.get("properties").and_then(Value::as_object);
        let others = schema.get("additionalProperties");
        for (key, value) in map {
            let below = format!("{at}/{}", escape(key));
            if let Some(field) = fields.and_then(|fields| fields.get(key)) {
                self.node(field, value, &below, faults);
            } else {
                match others {
                    Some(Value::Bool(false)) => faults.push(unknown_key(fields, key, below)),
                    Some(other) => {
                        self.key(schema, key, &below, faults);
                        self.node(other, value, &below, faults);
                    }
                    None => {}
                }
            }
        }
        for name in strings(schema.get("required")) {
            if !map.contains_key(name) {
                faults.push(Fault {
                    code: "missing-key",
                    pointer: at.to_owned(),
                    message: format!("missing key `{name}`"),
                    help: description(fields.and_then(|fields| fields.get(name)))
                        .map(|text| format!("`{name}`: {text}"))
                        .unwrap_or_default(),
                });
            }
        }
    }

    /// Keys of a map may be limited to names.
    fn key(&self, schema: &'s Value, key: &str, at: &str, faults: &mut Vec<Fault>) {
        if let Some(names) = schema.get("propertyNames") {
            self.node(names, &Value::String(key.to_owned()), at, faults);
        }
    }

    /// Of several branches, the one meant is that of the value's own type, or of its tag, or with the fewest faults.
    fn branches(&self, branches: Vec<&'s Value>, value: &Value, at: &str, faults: &mut Vec<Fault>) {
        let branches = self.flat(branches);
        let fitting: Vec<&&Value> = branches
            .iter()
            .filter(|branch| {
                let types = types(branch);
                types.is_empty() || types.iter().any(|name| is_of(name, value))
            })
            .collect();
        if fitting.is_empty() {
            let mut names: Vec<&str> = branches.iter().flat_map(|branch| types(branch)).collect();
            names.dedup();
            faults.push(wrong_type(&names, value, at));
            return;
        }
        let allowed: Vec<Option<Vec<Value>>> = fitting
            .iter()
            .map(|branch| allowed_values(branch))
            .collect();
        if allowed.iter().all(Option::is_some) {
            let allowed: Vec<Value> = allowed.into_iter().flatten().flatten().collect();
            if !allowed.contains(value) {
                faults.push(not_allowed(&allowed, value, at));
            }
            return;
        }
        let mut best: Option<Vec<Fault>> = None;
        for branch in fitting {
            let mut found = Vec::new();
            self.node(branch, value, at, &mut found);
            let is_better = best.as_ref().is_none_or(|best| found.len() < best.len());
            if is_better {
                best = Some(found);
            }
        }
        faults.extend(best.into_iter().flatten());
    }

    /// Branches of branches count as branches.
    fn flat(&self, given: Vec<&'s Value>) -> Vec<&'s Value> {
        let mut flat = Vec::new();
        for branch in given {
            let branch = self.target(branch);
            match branches(branch) {
                Some(inner) => flat.extend(self.flat(inner)),
                None => flat.push(branch),
            }
        }
        flat
    }

    fn target(&self, mut schema: &'s Value) -> &'s Value {
        while let Some(name) = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|target| target.strip_prefix('#'))
        {
            match self.root.pointer(name) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }
}

fn branches(schema: &Value) -> Option<Vec<&Value>> {
    ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| schema.get(*key)?.as_array())
        .map(|branches| branches.iter().collect())
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(names @ Value::Array(_)) => strings(Some(names)),
        _ => match schema.get("const") {
            Some(Value::String(_)) => vec!["string"],
            _ => Vec::new(),
        },
    }
}

fn strings(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array)
        .map(|items| items.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

fn description(schema: Option<&Value>) -> Option<&str> {
    schema?.get("description")?.as_str()
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "integer" => value.is_i64() || value.is_u64(),
        other => other == type_of(value),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn allowed_values(schema: &Value) -> Option<Vec<Value>> {
    match schema.get("enum") {
        Some(Value::Array(values)) => Some(values.clone()),
        _ => schema.get("const").map(|value| vec![value.clone()]),
    }
}

/// A JSON type in the words of a person who writes YAML.
fn shown(name: &str) -> &'static str {
    match name {
        "null" => "nothing",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        _ => "a mapping",
    }
}

fn wrong_type(names: &[&str], value: &Value, at: &str) -> Fault {
    let wanted: Vec<&str> = names
        .iter()
        .filter(|name| **name != "null")
        .map(|name| shown(name))
        .collect();
    Fault {
        code: "wrong-type",
        pointer: at.to_owned(),
        message: format!(
            "expected {}, found {}{}",
            wanted.join(" or "),
            if value.is_string() { "the text " } else { "" },
            found(value)
        ),
        help: instead(names, value),
    }
}

/// How the value is written as the type that is wanted, where that can be told.
fn instead(names: &[&str], value: &Value) -> String {
    let wants = |name: &str| names.contains(&name);
    match value {
        Value::String(text) => {
            let plain: Option<Value> = serde_json::from_str(text).ok();
            if plain.is_some_and(|plain| names.iter().any(|name| is_of(name, &plain))) {
                return format!("write `{text}` without quotes");
            }
            if wants("array") {
                return format!("write `[{text}]`");
            }
        }
        Value::Number(_) | Value::Bool(_) if wants("string") => {
            return format!("write `\"{value}\"` in quotes");
        }
        _ => {}
    }
    String::new()
}

/// A short form of what was written.
fn found(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) | Value::Null => shown(type_of(value)).to_owned(),
        plain => {
            let text = plain
                .as_str()
                .map_or_else(|| plain.to_string(), str::to_owned);
            let text: String = text.chars().take(40).collect();
            format!("`{text}`")
        }
    }
}

fn not_allowed(allowed: &[Value], value: &Value, at: &str) -> Fault {
    let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    let near = value.as_str().and_then(|word| nearest(word, &names));
    let allowed: Vec<String> = allowed
        .iter()
        .map(|value| {
            format!(
                "`{}`",
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            )
        })
        .collect();
    let mut help = near
        .map(|near| format!("did you mean `{near}`?\n"))
        .unwrap_or_default();
    help.push_str(&format!("one of {}", allowed.join(", ")));
    Fault {
        code: "unknown-value",
        pointer: at.to_owned(),
        message: format!("{} is not an accepted value", found(value)),
        help,
    }
}

fn unknown_key(fields: Option<&Map<String, Value>>, key: &str, pointer: String) -> Fault {
    let names: Vec<&str> = fields
        .map(|fields| fields.keys().map(String::as_str).collect())
        .unwrap_or_default();
    let mut help = nearest(key, &names)
        .map(|near| format!("did you mean `{near}`?\n"))
        .unwrap_or_default();
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    help.push_str(&format!("keys here: {}", names.join(", ")));
    Fault {
        code: "unknown-key",
        pointer,
        message: format!("unknown key `{key}`"),
        help,
    }
}

/// The name that was probably meant.
fn nearest<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    let word = word.to_lowercase();
    names
        .iter()
        .map(|name| (strsim::jaro_winkler(&word, &name.to_lowercase()), *name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

fn bounds(schema: &Value, value: &Value, at: &str, faults: &mut Vec<Fault>) {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let mut push = |message: String| {
        faults.push(Fault {
            code: "out-of-range",
            pointer: at.to_owned(),
            message,
            help: description(Some(schema))
                .map(str::to_owned)
                .unwrap_or_default(),
        });
    };
    if let Some(number) = value.as_f64() {
        if let Some(least) = bound("minimum").filter(|least| number < *least) {
            push(format!("{value} is less than {least}"));
        }
        if let Some(most) = bound("maximum").filter(|most| number > *most) {
            push(format!("{value} is more than {most}"));
        }
    }
    let pattern = schema.get("pattern").and_then(Value::as_str);
    if let (Some(text), Some(pattern)) = (value.as_str(), pattern)
        && regex::Regex::new(pattern).is_ok_and(|regex| !regex.is_match(text))
    {
        push(format!("{} does not match `{pattern}`", found(value)));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn faults(value: Value) -> Vec<(String, String, String)> {
        check(&super::super::overlay_schema(), &value)
            .into_iter()
            .map(|fault| (fault.pointer, fault.message, fault.help))
            .collect()
    }

    #[test]
    fn a_sound_overlay_has_no_faults() {
        let value = json!({
            "overlay": 1, "spec": "openapi.yaml",
            "server": {"title": {"en": "A", "pt-BR": "B"}, "instructions": "text"},
            "transport": {"refusals": {"host": {"status": 403, "body": "plain"}}, "api_body": {"a": 1}},
            "select": {"include": ["GET /**", {"tag": "x"}]},
            "log": {"fields": ["tool", {"jti": "token_id"}]},
            "errors": {"map": [{"status": "4xx", "to": "a"}, {"status": 404, "to": "b"}]},
            "tools": {"GET /x": {
                "kind": "read", "arguments": {"a": {"unit": "cents"}, "b": {"unit": {"en": "x"}, "maximum": 3}},
                "pagination": {"style": "page", "page": "page", "per_page": "n"}
            }}
        });
        assert_eq!(faults(value), []);
    }

    #[test]
    fn every_fault_is_reported() {
        let value = json!({
            "overlay": 2, "tols": {},
            "server": {"titel": "x", "version": 1},
            "transport": {"refusals": {"hosts": {}, "origin": {"body": "plian", "status": 99}}},
            "select": {"include": [3, {"tags": "x"}]},
            "tools": {"GET /x": {"kind": "reads", "arguments": {"a": {"unit": "cent"}}, "name": "a b"}},
            "log": {"fields": ["toll"]}
        });
        let found = faults(value);
        let text = |pointer: &str| {
            found
                .iter()
                .filter(|fault| fault.0 == pointer)
                .map(|fault| format!("{} / {}", fault.1, fault.2))
                .collect::<Vec<_>>()
                .join("; ")
        };
        for (pointer, part) in [
            ("", "missing key `spec`"),
            ("/overlay", "2 is more than 1"),
            ("/tols", "did you mean `tools`?"),
            ("/server/titel", "did you mean `title`?"),
            ("/server/version", "expected a text, found `1`"),
            ("/transport/refusals/hosts", "host"),
            ("/transport/refusals/origin/body", "did you mean `plain`?"),
            ("/transport/refusals/origin/status", "99 is less than 400"),
            (
                "/select/include/0",
                "expected a text or a mapping, found `3`",
            ),
            ("/select/include/1/tags", "did you mean `tag`?"),
            ("/tools/GET ~1x/kind", "`read`, `write`, `destructive`"),
            ("/tools/GET ~1x/arguments/a/unit", "did you mean `cents`?"),
            ("/tools/GET ~1x/name", "does not match"),
            ("/log/fields/0", "did you mean `tool`?"),
        ] {
            assert!(text(pointer).contains(part), "{pointer}: {found:#?}");
        }
        assert_eq!(found.len(), 14, "{found:#?}");
    }
}
