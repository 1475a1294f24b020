//! Sentences for schema violations: which argument, and what is wanted instead. Long values are never repeated.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

/// Longest list of accepted values or names in a sentence.
const MAX_LISTED: usize = 20;

/// Longest value from a schema or a caller in a sentence, in characters.
const MAX_VALUE: usize = 64;

/// Most faults that are told of one call: a list of a million wrong items must not cost a million sentences.
pub const MAX_FAULTS: usize = 50;

/// One fault of a call's arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The argument, or a place within it such as `items/0/amount`; empty for the whole object.
    pub field: String,
    /// What is wrong; follows the field's name.
    pub message: String,
}

impl Fault {
    /// A fault of one argument.
    #[must_use]
    pub fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            message: message.into(),
        }
    }

    /// The field's name, fit to be shown: short and without control characters.
    #[must_use]
    pub fn shown_field(&self) -> String {
        cut(&self.field)
    }
}

/// The faults behind one violation in `arguments`; `declared` are those that the tool knows.
#[must_use]
pub fn faults(error: &ValidationError<'_>, arguments: &Value, declared: &[&str]) -> Vec<Fault> {
    let pointer = error.instance_path().to_string();
    let field = pointer.trim_start_matches('/').to_owned();
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected
                .iter()
                .take(MAX_FAULTS)
                .map(|name| unexpected_fault(&field, name, declared))
                .collect()
        }
        // Where no field at all is known, the validator does not name the unknown ones.
        Kind::FalseSchema if is_closed_object(error) => arguments
            .pointer(&pointer)
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(|object| object.keys())
            .take(MAX_FAULTS)
            .map(|name| unexpected_fault(&field, name, declared))
            .collect(),
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![Fault::new(&join(&field, name), "is missing")]
        }
        kind => vec![Fault::new(&field, sentence(kind))],
    }
}

fn is_closed_object(error: &ValidationError<'_>) -> bool {
    let keyword = error.schema_path().as_str().rsplit('/').next();
    matches!(
        keyword,
        Some("additionalProperties" | "unevaluatedProperties")
    )
}

fn unexpected_fault(field: &str, name: &str, declared: &[&str]) -> Fault {
    if !field.is_empty() {
        return Fault::new(&join(field, name), "is not a known field");
    }
    Fault::new(name, unknown_argument(name, declared))
}

/// The sentence for an argument that the tool does not declare, with the nearest name or all of them.
#[must_use]
pub fn unknown_argument(name: &str, declared: &[&str]) -> String {
    let nearest = declared
        .iter()
        .map(|known| (distance(name, known), known))
        .min_by_key(|(distance, _)| *distance);
    match nearest {
        Some((distance, known)) if distance <= 1 + name.chars().count() / 4 => {
            format!("is not an argument of this tool; did you mean `{known}`?")
        }
        Some(_) if declared.len() <= MAX_LISTED => {
            format!(
                "is not an argument of this tool; it takes {}",
                list(declared.iter().map(|name| format!("`{name}`")))
            )
        }
        Some(_) => "is not an argument of this tool".to_owned(),
        None => "is not an argument of this tool; it takes none".to_owned(),
    }
}

fn sentence(kind: &Kind) -> String {
    match kind {
        Kind::Type { kind } => format!("must be {}", type_name(kind)),
        Kind::Enum { options } => format!("must be one of {}", options_list(options)),
        Kind::Constant { expected_value } => format!("must be {}", value_text(expected_value)),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be greater than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MaxLength { limit } => format!("must have at most {limit} characters"),
        Kind::MinLength { limit } => format!("must have at least {limit} characters"),
        Kind::MaxItems { limit } => format!("must have at most {limit} items"),
        Kind::MinItems { limit } => format!("must have at least {limit} items"),
        Kind::MaxProperties { limit } => format!("must have at most {limit} fields"),
        Kind::MinProperties { limit } => format!("must have at least {limit} fields"),
        Kind::UniqueItems => "must not repeat an item".to_owned(),
        Kind::Pattern { pattern } => format!("must match the pattern `{}`", cut(pattern)),
        Kind::Format { format } => format!("must be a valid {format}"),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            "matches none of the accepted forms".to_owned()
        }
        Kind::OneOfMultipleValid { .. } => {
            "matches several of the accepted forms; only one may hold".to_owned()
        }
        Kind::FalseSchema => "is not accepted here".to_owned(),
        kind => format!("does not satisfy `{}` of the input schema", kind.keyword()),
    }
}

fn type_name(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => with_article(kind.as_str()),
        TypeKind::Multiple(kinds) => {
            let mut names: Vec<String> = kinds
                .iter()
                .map(|kind| with_article(kind.as_str()))
                .collect();
            // "a string or null" reads better than the order of the bits.
            names.sort_by_key(|name| name == "null");
            names.join(" or ")
        }
    }
}

fn with_article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "integer" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn options_list(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut text = list(options.iter().take(MAX_LISTED).map(value_text));
    if options.len() > MAX_LISTED {
        text.push_str(&format!(" and {} more", options.len() - MAX_LISTED));
    }
    text
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", cut(text)),
        other => cut(&other.to_string()),
    }
}

fn join(field: &str, name: &str) -> String {
    if field.is_empty() {
        name.to_owned()
    } else {
        format!("{field}/{name}")
    }
}

/// A name or value from outside, short and without control characters.
fn cut(text: &str) -> String {
    let mut out: String = text
        .chars()
        .take(MAX_VALUE)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(MAX_VALUE).is_some() {
        out.push('…');
    }
    out
}

/// Levenshtein distance, in characters. Long names are compared by their first 64 characters, which bounds the work.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (y, above) in b.iter().zip(row.iter().skip(1)) {
            let change = diagonal + usize::from(x != *y);
            left = change.min(left + 1).min(above + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
