//! What the overlay changes in one argument's schema. A limit may only become tighter.

use serde_json::{Map, Number, Value};

use crate::overlay::ArgumentEntry;

use super::arguments::Candidate;
use super::context::{Context, in_locale, pointer};
use super::schema::Library;
use super::select::Selected;

/// The schema with the overlay's changes, in one language. Problems are reported once, with the first language.
pub(super) fn apply(
    cx: &Context<'_>,
    library: &Library<'_>,
    tool: &Selected<'_>,
    candidate: &Candidate<'_>,
    (own, locale): (Value, usize),
) -> Value {
    let Some(entry) = candidate.entry else {
        return own;
    };
    let key = tool.entry.map_or("", |(key, _)| key);
    let at = pointer(&["tools", key, "arguments", &candidate.wire]);
    let base = entry.schema.clone().unwrap_or(own);
    let mut schema = match base {
        Value::Object(object) => object,
        Value::Bool(true) => Map::new(),
        other => return other,
    };
    let limits = match library.resolve(&Value::Object(schema.clone())) {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    let patch = Patch {
        cx,
        entry,
        at: &at,
        is_reporting: locale == 0,
        limits: &limits,
    };
    patch.bound(&mut schema, "maximum", entry.maximum.as_ref());
    patch.bound(&mut schema, "minimum", entry.minimum.as_ref());
    patch.values(&mut schema);
    patch.required(candidate);
    if let Some(default) = &entry.default {
        schema.insert("default".to_owned(), default.clone());
    }
    if let Some(description) = &entry.description {
        let text = cx.text(description, &format!("{at}/description"));
        schema.insert("description".to_owned(), in_locale(&text, locale).into());
    }
    Value::Object(schema)
}

struct Patch<'p, 'a> {
    cx: &'p Context<'a>,
    entry: &'p ArgumentEntry,
    at: &'p str,
    is_reporting: bool,
    /// The document's schema with its reference followed.
    limits: &'p Map<String, Value>,
}

impl Patch<'_, '_> {
    fn bound(&self, schema: &mut Map<String, Value>, key: &str, wanted: Option<&Number>) {
        let Some(wanted) = wanted else {
            return;
        };
        let documented = self.limits.get(key).and_then(Value::as_f64);
        let value = wanted.as_f64().unwrap_or(0.0);
        let is_looser = documented.is_some_and(|limit| {
            if key == "maximum" {
                value > limit
            } else {
                value < limit
            }
        });
        if is_looser {
            let documented = self.limits.get(key).cloned().unwrap_or_default();
            self.error(
                "loosened-limit",
                key,
                format!("the {key} {wanted} is looser than the document's {documented}"),
                "a limit may only become tighter: the API refuses what lies beyond its own",
            );
            return;
        }
        schema.insert(key.to_owned(), Value::Number(wanted.clone()));
    }

    fn values(&self, schema: &mut Map<String, Value>) {
        let Some(values) = &self.entry.values else {
            return;
        };
        if let Some(Value::Array(known)) = self.limits.get("enum") {
            for value in values.iter().filter(|value| !known.contains(value)) {
                self.error(
                    "loosened-limit",
                    "enum",
                    format!("{value} is not among the values of the document"),
                    "an enum may only lose values",
                );
            }
        }
        schema.insert("enum".to_owned(), Value::Array(values.clone()));
    }

    fn required(&self, candidate: &Candidate<'_>) {
        if candidate.required && self.entry.required == Some(false) {
            self.error(
                "loosened-limit",
                "required",
                format!("the document requires `{}`", candidate.wire),
                "remove `required: false`; use `fixed` to send a value of your own",
            );
        }
    }

    fn error(&self, code: &'static str, key: &str, message: String, help: &str) {
        if self.is_reporting {
            self.cx
                .error(code, &format!("{}/{key}", self.at), message, help);
        }
    }
}
