//! Reads what a client sends back for a question: `inputResponses` → yes, no, or nothing that can be used.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::runtime::json_text::Members;

/// The key of the question among the input requests, and of its box in the form.
pub const KEY: &str = "confirm";

/// What a person said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The box was ticked.
    Yes,
    /// Declined, closed, or sent without the tick.
    No,
    /// There is no answer, or it has another form: whoever asks must ask again.
    None,
}

/// Reads `inputResponses`. Other keys are left alone.
#[must_use]
pub fn read(responses: Option<&RawValue>) -> Answer {
    let Some(response) = responses.and_then(confirm_member) else {
        return Answer::None;
    };
    match response.get("action").and_then(Value::as_str) {
        Some("decline" | "cancel") => Answer::No,
        Some("accept") => match response.get("content").and_then(|content| content.get(KEY)) {
            Some(Value::Bool(true)) => Answer::Yes,
            Some(Value::Bool(false)) => Answer::No,
            _ => Answer::None,
        },
        _ => Answer::None,
    }
}

/// The answer to the question; none where there is none, or more than one.
fn confirm_member(responses: &RawValue) -> Option<Value> {
    let Members(members) = serde_json::from_str(responses.get()).ok()?;
    let mut ours = members.iter().filter(|(key, _)| key == KEY);
    let (_, raw) = ours.next()?;
    if ours.next().is_some() {
        return None;
    }
    crate::runtime::json_text::single_value(raw.get()).ok()
}
