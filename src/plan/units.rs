//! Units of amounts: a sentence first in the tool's description, and one in the argument's.
//!
//! Measured: with the unit in the argument alone a model got 0 of 9 payments right, with both 18 of 18.

use serde_json::Value;

use crate::overlay::{KnownUnit, Unit};

use super::arguments::Candidate;
use super::context::{Context, in_locale, pointer};
use super::select::Selected;
use super::server::{Place, Text};

/// A unit and what it is said of.
pub(super) struct Note {
    wire: String,
    place: Place,
    /// First in the tool's description.
    pub(super) sentence: Text,
    argument: Text,
    is_integer: bool,
}

impl Note {
    /// Whether it is said of this argument.
    pub(super) fn covers(&self, candidate: &Candidate<'_>) -> bool {
        self.wire == candidate.wire && self.place == candidate.place
    }

    /// Puts it into an argument's schema: first in the description, and a number of cents becomes an integer.
    pub(super) fn describe(&self, schema: &mut Value, locale: usize) {
        let Value::Object(object) = schema else {
            return;
        };
        let note = in_locale(&self.argument, locale);
        let text = match object.get("description").and_then(Value::as_str) {
            Some(text) if !text.trim().is_empty() => format!("{note} {}", text.trim()),
            _ => note.to_owned(),
        };
        object.insert("description".to_owned(), text.into());
        if self.is_integer {
            make_integer(object);
        }
    }
}

fn make_integer(object: &mut serde_json::Map<String, Value>) {
    match object.get_mut("type") {
        Some(Value::String(kind)) if kind == "number" => "integer".clone_into(kind),
        Some(Value::Array(kinds)) => {
            for kind in kinds.iter_mut().filter(|kind| **kind == "number") {
                *kind = "integer".into();
            }
        }
        _ => {}
    }
}

/// The units that the overlay names, in argument order.
pub(super) fn notes(
    cx: &Context<'_>,
    tool: &Selected<'_>,
    candidates: &[Candidate<'_>],
) -> Vec<Note> {
    candidates
        .iter()
        .filter_map(|candidate| {
            let unit = candidate.entry?.unit.as_ref()?;
            let key = tool.entry.map_or("", |(key, _)| key);
            let at = pointer(&["tools", key, "arguments", &candidate.wire, "unit"]);
            Some(note(cx, tool, candidate, (unit, &at)))
        })
        .collect()
}

fn note(
    cx: &Context<'_>,
    tool: &Selected<'_>,
    candidate: &Candidate<'_>,
    (unit, at): (&Unit, &str),
) -> Note {
    let (sentence, argument) = match unit {
        Unit::Known(known) => {
            warn_of_contradiction(cx, tool, candidate, (*known, at));
            match cx.wording.units.get(name(*known)) {
                Some(wording) => (
                    cx.own_text(&wording.sentence),
                    cx.own_text(&wording.argument),
                ),
                None => (Vec::new(), Vec::new()),
            }
        }
        Unit::Note(texts) => {
            let text = cx.text(&crate::overlay::Text::Localized(texts.clone()), at);
            (text.clone(), text)
        }
    };
    Note {
        wire: candidate.wire.clone(),
        place: candidate.place,
        sentence,
        argument,
        is_integer: *unit == Unit::Known(KnownUnit::Cents),
    }
}

fn name(unit: KnownUnit) -> &'static str {
    match unit {
        KnownUnit::Cents => "cents",
        KnownUnit::Brl => "brl",
        KnownUnit::Percent => "percent",
        KnownUnit::Days => "days",
    }
}

/// Words in the document that speak against a unit.
fn contradicting_words(unit: KnownUnit) -> &'static [&'static str] {
    match unit {
        KnownUnit::Cents => &["em reais", "in reais", "en reales", "r$", "brl"],
        KnownUnit::Brl => &["centavos", "cents", "céntimos"],
        KnownUnit::Percent | KnownUnit::Days => &[],
    }
}

fn warn_of_contradiction(
    cx: &Context<'_>,
    tool: &Selected<'_>,
    candidate: &Candidate<'_>,
    (unit, at): (KnownUnit, &str),
) {
    let Some(text) = document_text(tool, candidate) else {
        return;
    };
    let lower = text.to_lowercase();
    let found = contradicting_words(unit)
        .iter()
        .find(|word| lower.contains(*word));
    if let Some(word) = found {
        let quote: String = text.chars().take(120).collect();
        cx.warning(
            "unit-contradicted",
            at,
            format!(
                "the unit is `{}`, but the document speaks of `{word}`: `{}`",
                name(unit),
                quote.replace('\n', " ")
            ),
            "ask the API's owner which one holds, and correct the document or the overlay",
        );
    }
}

fn document_text(tool: &Selected<'_>, candidate: &Candidate<'_>) -> Option<String> {
    if let Some(index) = candidate.parameter {
        return tool
            .operation
            .parameters
            .get(index)
            .map(|parameter| parameter.description.clone());
    }
    let schema = &tool.operation.body.as_ref()?.schema;
    let property = schema.get("properties")?.get(&candidate.wire)?;
    property.get("description")?.as_str().map(str::to_owned)
}
