//! Sentences for schema violations: which argument, and what is wanted instead. Long values are never repeated.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

/// Longest list of accepted values or names in a sentence.
const MAX_LISTED: usize = 20;

/// Longest value from a schema or a caller in a sentence, in characters.
const MAX_VALUE: usize = 60;

/// Longest name of an argument or place in a sentence, in characters: a declared name has at most 64.
const MAX_FIELD: usize = 200;

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
            field: cut(field, MAX_FIELD),
            message: message.into(),
        }
    }
}

/// The faults behind one violation; `declared` are the arguments that the tool knows.
#[must_use]
pub fn faults(error: &ValidationError<'_>, declared: &[&str]) -> Vec<Fault> {
    let pointer = error.instance_path().to_string();
    let field = pointer.trim_start_matches('/').to_owned();
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected
                .iter()
                .map(|name| unexpected_fault(&field, name, declared))
                .collect()
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![Fault::new(&join(&field, name), "is missing")]
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            match only_candidate(error, context) {
                Some(errors) => errors
                    .iter()
                    .flat_map(|error| faults(error, declared))
                    .collect(),
                None => vec![Fault::new(&field, sentence(error.kind()))],
            }
        }
        kind => vec![Fault::new(&field, sentence(kind))],
    }
}

/// The one branch that takes a value of this type: `anyOf: [{enum: …}, {type: null}]` means the first.
fn only_candidate<'a>(
    error: &ValidationError<'_>,
    branches: &'a [Vec<ValidationError<'static>>],
) -> Option<&'a [ValidationError<'static>]> {
    let takes_type = |errors: &&Vec<ValidationError<'static>>| {
        !errors.iter().any(|inner| {
            matches!(inner.kind(), Kind::Type { .. })
                && inner.instance_path() == error.instance_path()
        })
    };
    let mut candidates = branches.iter().filter(takes_type);
    match (candidates.next(), candidates.next()) {
        (Some(only), None) if !only.is_empty() => Some(only),
        _ => None,
    }
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
        Kind::Pattern { pattern } => {
            format!("must match the pattern `{}`", cut(pattern, MAX_VALUE))
        }
        Kind::Format { format } => format!("must be a valid {format}"),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => no_branch(context),
        Kind::OneOfMultipleValid { .. } => {
            "matches several of the accepted forms; only one may hold".to_owned()
        }
        Kind::FalseSchema => "is not accepted here".to_owned(),
        kind => format!("does not satisfy `{}` of the input schema", kind.keyword()),
    }
}

/// The types that would do, where only the type is wrong.
fn no_branch(branches: &[Vec<ValidationError<'static>>]) -> String {
    let names: Option<Vec<String>> = branches
        .iter()
        .map(|errors| match errors.as_slice() {
            [only] => match only.kind() {
                Kind::Type { kind } => Some(type_name(kind)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    match names {
        Some(names) if !names.is_empty() => format!("must be {}", names.join(" or ")),
        _ => "matches none of the accepted forms".to_owned(),
    }
}

fn type_name(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => with_article(kind.as_str()),
        TypeKind::Multiple(kinds) => {
            let names: Vec<String> = kinds
                .iter()
                .map(|kind| with_article(kind.as_str()))
                .collect();
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
        Value::String(text) => format!("`{}`", cut(text, MAX_VALUE)),
        other => cut(&other.to_string(), MAX_VALUE),
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
fn cut(text: &str, max: usize) -> String {
    let mut out: String = text
        .chars()
        .take(max)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(max).is_some() {
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
