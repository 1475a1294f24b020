//! What the overlay says of single arguments; it may tighten the document, never loosen it.

use serde_json::{Map, Number, Value};

use crate::overlay::{ArgumentEntry, ToolEntry, Unit};

use super::arguments::{self, Draft};
use super::context::{Context, in_locale, pointer, quote_list};
use super::select::nearest;
use super::server::{Place, Text};
use super::units;

/// Applies every entry; gives the sentences about units that open the tool's description.
pub(super) fn apply(
    cx: &Context<'_>,
    (key, entry): (&str, &ToolEntry),
    drafts: &mut [Draft],
) -> Vec<Text> {
    let mut units = units::Sentences::default();
    for (name, change) in &entry.arguments {
        let at = pointer(&["tools", key, "arguments", name]);
        let Some(index) = find(cx, drafts, name, &at) else {
            continue;
        };
        let draft = &mut drafts[index];
        rename(cx, draft, change, &at);
        constrain(cx, draft, change, &at);
        if let Some(description) = &change.description {
            draft.description = cx.text(description, &format!("{at}/description"));
        }
        if let Some(unit) = &change.unit {
            set_unit(cx, draft, unit, &at);
            units.add(cx, unit, &draft.name, &format!("{at}/unit"));
        }
        hide(cx, draft, change, &at);
    }
    report_duplicates(cx, key, drafts);
    units.finish()
}

fn find(cx: &Context<'_>, drafts: &[Draft], name: &str, at: &str) -> Option<usize> {
    if let Some(index) = drafts.iter().position(|draft| arguments_key(draft) == name) {
        return Some(index);
    }
    let found: Vec<usize> = (0..drafts.len())
        .filter(|&index| drafts[index].wire == name)
        .collect();
    match found.as_slice() {
        [index] => return Some(*index),
        [] => {
            let names = drafts.iter().map(|draft| draft.wire.clone());
            let help = nearest(name, names).map_or_else(
                || {
                    let known: Vec<&str> = drafts.iter().map(|d| d.wire.as_str()).collect();
                    format!("it has {}", quote_list(&known))
                },
                |name| format!("did you mean `{name}`?"),
            );
            cx.error(
                "unknown-argument",
                at,
                format!("the operation has no argument `{name}`"),
                &help,
            );
        }
        several => {
            let names: Vec<&str> = several.iter().map(|&i| drafts[i].name.as_str()).collect();
            cx.error(
                "ambiguous-argument",
                at,
                format!("the operation has more than one `{name}`"),
                &format!("write one of {}", quote_list(&names)),
            );
        }
    }
    None
}

/// The key by which an entry finds an argument before any renaming.
fn arguments_key(draft: &Draft) -> &str {
    &draft.name
}

fn rename(cx: &Context<'_>, draft: &mut Draft, change: &ArgumentEntry, at: &str) {
    let Some(name) = &change.name else {
        return;
    };
    if arguments::is_valid(name) {
        draft.name.clone_from(name);
    } else {
        cx.error(
            "invalid-name",
            &format!("{at}/name"),
            format!("`{name}` cannot be an argument's name"),
            "write 1 to 64 characters of `A-Z a-z 0-9 _ . -`",
        );
    }
}

fn report_duplicates(cx: &Context<'_>, key: &str, drafts: &[Draft]) {
    for (index, draft) in drafts.iter().enumerate() {
        let twin = drafts[..index]
            .iter()
            .find(|other| other.name == draft.name && !other.hidden && !draft.hidden);
        if let Some(twin) = twin {
            cx.error(
                "duplicate-name",
                &pointer(&["tools", key, "arguments"]),
                format!(
                    "`{}` and `{}` are both called `{}`",
                    twin.wire, draft.wire, draft.name
                ),
                "give each argument a name of its own",
            );
        }
    }
}

fn constrain(cx: &Context<'_>, draft: &mut Draft, change: &ArgumentEntry, at: &str) {
    if let Some(schema) = &change.schema {
        if schema.is_object() {
            draft.schemas = vec![schema.clone()];
        } else {
            cx.error(
                "invalid-schema",
                &format!("{at}/schema"),
                "a schema is a map here".to_owned(),
                "write `{type: …}`",
            );
        }
    }
    if let Some(limit) = &change.maximum {
        limit_value(cx, draft, ("maximum", limit), at);
    }
    if let Some(limit) = &change.minimum {
        limit_value(cx, draft, ("minimum", limit), at);
    }
    if let Some(values) = &change.values {
        narrow_enum(cx, draft, values, at);
    }
    if let Some(default) = &change.default {
        set(draft, "default", default.clone());
    }
    match change.required {
        Some(false) if draft.required => cx.error(
            "loosened-argument",
            &format!("{at}/required"),
            format!("the API requires `{}`", draft.wire),
            "remove `required: false`, or send a value with `fixed`",
        ),
        Some(true) => draft.required = true,
        _ => {}
    }
}

fn set(draft: &mut Draft, key: &str, value: Value) {
    for schema in &mut draft.schemas {
        if !schema.is_object() {
            *schema = Value::Object(Map::new());
        }
        if let Value::Object(object) = schema {
            object.insert(key.to_owned(), value.clone());
        }
    }
}

fn limit_value(cx: &Context<'_>, draft: &mut Draft, (key, limit): (&str, &Number), at: &str) {
    let wanted = limit.as_f64().unwrap_or(0.0);
    let schema = draft.schemas.first().cloned().unwrap_or_default();
    if !is_numeric(&schema) {
        cx.error(
            "limit-without-number",
            &format!("{at}/{key}"),
            format!("`{}` is not a number, so it has no `{key}`", draft.wire),
            "remove the limit, or replace the schema with `schema`",
        );
        return;
    }
    for (known, is_open) in [(key.to_owned(), false), (exclusive(key).to_owned(), true)] {
        let Some(own) = schema.get(&known).and_then(Value::as_f64) else {
            continue;
        };
        let is_loose = if key == "maximum" {
            wanted > own
        } else {
            wanted < own
        };
        #[expect(
            clippy::float_cmp,
            reason = "an exclusive limit excludes exactly this value"
        )]
        let is_excluded = is_open && wanted == own;
        if is_loose || is_excluded {
            cx.error(
                "loosened-argument",
                &format!("{at}/{key}"),
                format!(
                    "the overlay says `{key}: {limit}`, the document `{known}: {}`",
                    schema.get(&known).unwrap_or(&Value::Null)
                ),
                "a limit may only be tighter than the document's",
            );
            return;
        }
    }
    set(draft, key, Value::Number(limit.clone()));
}

fn exclusive(key: &str) -> &'static str {
    if key == "maximum" {
        "exclusiveMaximum"
    } else {
        "exclusiveMinimum"
    }
}

fn is_numeric(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "integer" || kind == "number",
        Some(Value::Array(kinds)) => kinds
            .iter()
            .any(|kind| kind == "integer" || kind == "number"),
        _ => false,
    }
}

fn narrow_enum(cx: &Context<'_>, draft: &mut Draft, values: &[Value], at: &str) {
    let known = draft
        .schemas
        .first()
        .and_then(|schema| schema.get("enum"))
        .and_then(Value::as_array);
    if values.is_empty() {
        cx.error(
            "invalid-enum",
            &format!("{at}/enum"),
            "no value would be accepted".to_owned(),
            "list at least one value",
        );
        return;
    }
    for (index, value) in values.iter().enumerate() {
        if known.is_some_and(|known| !known.contains(value)) {
            let list: Vec<String> = known.into_iter().flatten().map(Value::to_string).collect();
            cx.error(
                "loosened-argument",
                &format!("{at}/enum/{index}"),
                format!("the document does not accept `{value}`"),
                &format!("it accepts {}", quote_list(&list)),
            );
        }
    }
    set(draft, "enum", Value::Array(values.to_vec()));
}

fn set_unit(cx: &Context<'_>, draft: &mut Draft, unit: &Unit, at: &str) {
    let at = format!("{at}/unit");
    units::check_words(cx, draft, unit, &at);
    if units::is_whole(unit) {
        let mut is_number = true;
        for schema in &mut draft.schemas {
            is_number &= make_integer(schema);
        }
        if !is_number {
            cx.error(
                "unit-without-number",
                &at,
                format!("`{}` is not a number in the document", draft.wire),
                "whole units need an integer; replace the schema with `schema: {type: integer}` if the API takes one",
            );
        }
    }
    let note = units::argument_note(cx, unit, &at);
    let joined = (0..cx.n_locales())
        .map(|locale| {
            let own = in_locale(&draft.description, locale);
            format!("{} {own}", in_locale(&note, locale))
                .trim()
                .to_owned()
        })
        .collect();
    draft.description = super::context::collapse(joined);
}

/// Makes a number an integer; whether it was a number.
fn make_integer(schema: &mut Value) -> bool {
    if let Some(object) = schema.as_object_mut() {
        let is_fraction = object
            .get("multipleOf")
            .and_then(Value::as_f64)
            .is_some_and(|n| n < 1.0);
        if is_fraction {
            object.shift_remove("multipleOf");
        }
        if object
            .get("format")
            .and_then(Value::as_str)
            .is_some_and(|f| f == "float" || f == "double")
        {
            object.shift_remove("format");
        }
        match object.get_mut("type") {
            Some(Value::String(kind)) if kind == "number" || kind == "integer" => {
                "integer".clone_into(kind);
                return true;
            }
            Some(Value::Array(kinds)) => {
                let mut found = false;
                kinds.retain_mut(|kind| {
                    let is_number = kind == "number" || kind == "integer";
                    let is_repeated = is_number && found;
                    if is_number {
                        *kind = "integer".into();
                        found = true;
                    }
                    !is_repeated
                });
                return found && kinds.iter().all(|kind| kind == "integer" || kind == "null");
            }
            _ => {}
        }
    }
    false
}

fn hide(cx: &Context<'_>, draft: &mut Draft, change: &ArgumentEntry, at: &str) {
    if let Some(value) = &change.fixed {
        if draft.place == Place::Body {
            cx.error(
                "fixed-body",
                &format!("{at}/fixed"),
                "a whole body cannot be fixed".to_owned(),
                "fix single fields, or leave the operation out",
            );
        } else if !accepts(cx, draft, value) {
            cx.error(
                "invalid-value",
                &format!("{at}/fixed"),
                format!(
                    "the document does not accept `{value}` for `{}`",
                    draft.wire
                ),
                "write a value of the documented type",
            );
        }
        draft.fixed = Some(value.clone());
        draft.hidden = true;
    } else if change.hide {
        if draft.required {
            cx.error(
                "hidden-required-argument",
                &format!("{at}/hide"),
                format!("the API requires `{}`, so it cannot be hidden", draft.wire),
                "send a value with `fixed`",
            );
        }
        draft.hidden = true;
    }
}

/// Whether a schema takes a value; one that refers elsewhere or does not compile is judged later.
fn accepts(cx: &Context<'_>, draft: &Draft, value: &Value) -> bool {
    let Some(schema) = draft.schemas.first() else {
        return true;
    };
    let mut schema = schema.clone();
    if let (Value::Object(object), false) = (&mut schema, cx.api.definitions.is_empty()) {
        let definitions = cx.api.definitions.iter();
        let definitions: Map<String, Value> = definitions
            .map(|(name, schema)| (name.clone(), schema.clone()))
            .collect();
        object.insert("$defs".to_owned(), Value::Object(definitions));
    }
    jsonschema::validator_for(&schema).map_or(true, |validator| validator.is_valid(value))
}
