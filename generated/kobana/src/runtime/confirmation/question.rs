//! Words a question: the catalog's text, with values of the call and of the looked-up record in it.
//!
//! Every value is somebody else's: it is shown on one line, cut, without characters that move or hide text.

use serde_json::value::RawValue;

use crate::runtime::arguments::Arguments;
use crate::runtime::catalog::{Confirm, QuestionValue, ValueFormat, ValueSource};
use crate::runtime::confirmation::amount;
use crate::runtime::json_text::at_pointer;
use crate::runtime::prompts::fill;

/// Longest value that is shown, in characters.
const MAX_VALUE: usize = 200;
/// What stands for an argument that was not given.
const ABSENT: &str = "—";

/// The record lacks a value that the question names, so that nobody could see what they agree to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotShown;

/// The question in a language: `locale` is an index into the catalog's, `language` its tag.
///
/// # Errors
/// When the record lacks a value that the question names.
pub fn word(
    confirm: &Confirm,
    arguments: &Arguments<'_>,
    record: Option<&RawValue>,
    (locale, language): (usize, &str),
) -> Result<String, NotShown> {
    let mut values = Vec::with_capacity(confirm.values.len());
    for value in confirm.values {
        values.push((value.name, shown(value, arguments, record, language)?));
    }
    let template = confirm.message.in_locale(locale);
    Ok(fill(template, |name| {
        let known = values.iter().find(|(known, _)| *known == name);
        known.map(|(_, text)| text.as_str())
    }))
}

fn shown(
    value: &QuestionValue,
    arguments: &Arguments<'_>,
    record: Option<&RawValue>,
    language: &str,
) -> Result<String, NotShown> {
    let raw = match value.source {
        ValueSource::Argument(name) => arguments.get(name),
        ValueSource::Record(pointer) => {
            let found = record.and_then(|record| at_pointer(record, pointer));
            Some(found.filter(|raw| raw.get() != "null").ok_or(NotShown)?)
        }
    };
    let Some(raw) = raw.filter(|raw| raw.get() != "null") else {
        return Ok(ABSENT.to_owned());
    };
    let text = match serde_json::from_str::<String>(raw.get()) {
        Ok(text) => text,
        Err(_) => raw.get().to_owned(),
    };
    Ok(formatted(&text, value.format, language).unwrap_or_else(|| one_line(&text)))
}

fn formatted(text: &str, format: ValueFormat, language: &str) -> Option<String> {
    match format {
        ValueFormat::Plain => None,
        ValueFormat::Cents => amount::cents(text, language),
        ValueFormat::Brl => amount::brl(text, language),
        ValueFormat::Percent => amount::percent(text, language),
        ValueFormat::Days => amount::days(text, language),
    }
}

/// A text on one line, without characters that cannot be seen or that change the order of others.
fn one_line(text: &str) -> String {
    let mut out = String::new();
    let mut is_after_space = true;
    let mut n_shown = 0;
    for character in text.chars() {
        if is_hidden(character) {
            continue;
        }
        let is_space = character.is_whitespace() || character.is_control();
        if is_space && is_after_space {
            continue;
        }
        if n_shown == MAX_VALUE {
            out.push('…');
            return out;
        }
        out.push(if is_space { ' ' } else { character });
        is_after_space = is_space;
        n_shown += 1;
    }
    let trimmed = out.trim_end();
    if trimmed.is_empty() {
        return ABSENT.to_owned();
    }
    trimmed.to_owned()
}

/// Format characters: they turn the direction of text, join or split what is seen, or show nothing.
fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
