//! How destructive tools are confirmed: the codes, and the question of each tool.

use super::{Text, Tool};

/// How destructive tools are confirmed. None is ever executed unasked.
#[derive(Clone, Copy, Debug)]
pub struct Confirmation {
    /// Code of the tool error for a client that cannot ask, such as `confirmation_required`.
    pub required: &'static str,
    /// Code of the tool error after a no, such as `user_declined`.
    pub declined: &'static str,
    /// Code of the tool error for a confirmation that was used before, such as `confirmation_replayed`.
    pub replayed: &'static str,
    /// Code of the tool error when its use cannot be recorded, such as `confirmation_unavailable`.
    pub unavailable: &'static str,
    /// What a modern client gets that did not declare form elicitation. Legacy clients get the tool error.
    pub without_elicitation: WithoutElicitation,
    /// Whether one confirmation runs one call.
    pub single_use: bool,
    /// How long an answer may take, in seconds, 10 to 3600.
    pub lifetime_s: u64,
}

/// What a modern client gets that did not declare form elicitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutElicitation {
    /// The tool error with [`Confirmation::required`].
    ToolError,
    /// The protocol error -32021 with HTTP 400 (MCP 2026-07-28, basic, "Error Codes").
    ProtocolError,
}

/// The question that a destructive tool asks.
#[derive(Clone, Copy, Debug)]
pub struct Confirm {
    /// The question; `{name}` stands for one of the values, `{{` and `}}` for braces.
    pub message: Text,
    /// The label of the box that says yes.
    pub accept: Text,
    /// What the names in the question stand for.
    pub values: &'static [QuestionValue],
    /// The operation that shows the record in question.
    pub lookup: Option<Lookup>,
}

/// One value in a question.
#[derive(Clone, Copy, Debug)]
pub struct QuestionValue {
    /// The name in the question.
    pub name: &'static str,
    /// Where the value comes from.
    pub source: ValueSource,
    /// How it is written.
    pub format: ValueFormat,
}

/// Where a value in a question comes from.
#[derive(Clone, Copy, Debug)]
pub enum ValueSource {
    /// The argument with this name.
    Argument(&'static str),
    /// The place in the looked-up record that this JSON pointer (RFC 6901) names.
    Record(&'static str),
}

/// How a value in a question is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// As it came.
    Plain,
    /// Hundredths of a real, as an amount in reais.
    Cents,
    /// Reais, as an amount in reais.
    Brl,
    /// With a percent sign.
    Percent,
    /// With the word for days.
    Days,
}

/// The operation that shows the record in question.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// The operation: a read, called as a tool is, but not listed.
    pub tool: &'static Tool,
    /// Its arguments: the name there, and the name among the arguments of the tool that asks.
    pub arguments: &'static [(&'static str, &'static str)],
}
