//! How destructive tools are confirmed, decided.

use super::{Text, Tool};

/// Confirmation of destructive tools.
#[derive(Clone, Debug, Default)]
pub struct Confirmation {
    /// Code where nobody can be asked.
    pub required: String,
    /// Code after a no.
    pub declined: String,
    /// Code of a second use.
    pub replayed: String,
    /// Code when the use cannot be recorded.
    pub unavailable: String,
    /// Whether a modern client without form elicitation gets -32021 instead of the tool error.
    pub is_missing_elicitation_protocol_error: bool,
    /// Whether one confirmation runs one call.
    pub single_use: bool,
    /// Seconds.
    pub lifetime_s: u64,
}

/// The question of a destructive tool.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// With `{name}` for each value.
    pub message: Text,
    /// Label of the box that says yes.
    pub accept: Text,
    /// What the names stand for.
    pub values: Vec<QuestionValue>,
    /// The read that shows the record.
    pub lookup: Option<Lookup>,
}

/// One value in a question.
#[derive(Clone, Debug)]
pub struct QuestionValue {
    /// The name in the question.
    pub name: String,
    /// Where it comes from.
    pub source: ValueSource,
    /// How it is written.
    pub format: ValueFormat,
}

/// Where a value in a question comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// An argument of the tool.
    Argument(String),
    /// JSON pointer into the looked-up record.
    Record(String),
}

/// How a value in a question is written; the names are those of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// As it came.
    Plain,
    /// Hundredths of a real.
    Cents,
    /// Reais.
    Brl,
    /// Percent.
    Percent,
    /// Days.
    Days,
}

/// The read that shows the record in question.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The operation, made like a tool.
    pub tool: Box<Tool>,
    /// (argument there, argument of the tool that asks).
    pub arguments: Vec<(String, String)>,
}
