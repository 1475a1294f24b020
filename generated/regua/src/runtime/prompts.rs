//! Fills in a prompt: its messages and the arguments of a request → the result of `prompts/get`.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::runtime::answer::{ProtocolError, push_json_string};
use crate::runtime::catalog::Prompt;
use crate::runtime::json_text::Members;
use crate::runtime::message::{as_string, invalid_params, is_object};

/// The members of the result of `prompts/get`, without braces.
///
/// # Errors
/// -32602 where an argument is missing, undeclared or not a string.
pub fn get(
    prompt: &Prompt,
    arguments: Option<&RawValue>,
    locale: usize,
) -> Result<Vec<u8>, ProtocolError> {
    let values = read_arguments(prompt, arguments)?;
    let mut out = Vec::new();
    if !prompt.description.is_empty() {
        out.extend_from_slice(br#""description":"#);
        push_json_string(&mut out, prompt.description.in_locale(locale));
        out.push(b',');
    }
    out.extend_from_slice(br#""messages":["#);
    for (index, message) in prompt.messages.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(br#"{"role":"#);
        push_json_string(&mut out, message.role);
        out.extend_from_slice(br#","content":{"type":"text","text":"#);
        let text = fill(message.text.in_locale(locale), |name| {
            let declared = prompt.arguments.iter().any(|known| known.name == name);
            // An optional argument that was not given leaves nothing behind.
            declared.then(|| values.get(name).map_or("", String::as_str))
        });
        push_json_string(&mut out, &text);
        out.extend_from_slice(b"}}");
    }
    out.push(b']');
    Ok(out)
}

/// Puts values in place of `{name}`, and braces in place of `{{` and `}}`. What a value holds is text: it is never
/// read again. A name without a value, and a brace that closes nothing, stay as they stand.
#[must_use]
pub fn fill<'a>(template: &'a str, value: impl Fn(&'a str) -> Option<&'a str>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("{{") {
            out.push('{');
            rest = after;
        } else if let Some(after) = rest.strip_prefix("}}") {
            out.push('}');
            rest = after;
        } else if let Some((text, after)) = placeholder(rest).and_then(|(name, after)| {
            let text = value(name)?;
            Some((text, after))
        }) {
            out.push_str(text);
            rest = after;
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// Splits `{name}` off the front.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('{')?.split_once('}')
}

fn read_arguments(
    prompt: &Prompt,
    arguments: Option<&RawValue>,
) -> Result<BTreeMap<String, String>, ProtocolError> {
    let Members(given) = match arguments {
        Some(raw) if !is_object(raw) => {
            return Err(invalid_params("arguments must be an object"));
        }
        Some(raw) => serde_json::from_str(raw.get())
            .map_err(|_| invalid_params("arguments must be an object of strings"))?,
        None => Members::default(),
    };
    let mut values = BTreeMap::new();
    for (name, value) in given {
        if !prompt.arguments.iter().any(|known| known.name == name) {
            return Err(invalid_params(format!(
                "Prompt {} takes no argument {}",
                prompt.name,
                shorten(&name)
            )));
        }
        let Some(value) = as_string(value) else {
            return Err(invalid_params(format!("Argument {name} must be a string")));
        };
        // Which of two values is meant cannot be told.
        if values.contains_key(&name) {
            return Err(invalid_params(format!("Argument {name} stands twice")));
        }
        values.insert(name, value.into_owned());
    }
    let missing = prompt
        .arguments
        .iter()
        .find(|known| known.required && !values.contains_key(known.name));
    match missing {
        Some(argument) => Err(invalid_params(format!(
            "Missing required argument: {}",
            argument.name
        ))),
        None => Ok(values),
    }
}

/// A name from a request as a message may repeat it: at most 64 characters.
#[must_use]
pub fn shorten(name: &str) -> &str {
    match name.char_indices().nth(64) {
        Some((end, _)) => &name[..end],
        None => name,
    }
}
