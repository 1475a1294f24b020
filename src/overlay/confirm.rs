//! Overlay sections about the confirmation of destructive tools.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{KnownUnit, Text};

/// Confirmation of destructive tools.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Confirm {
    /// What happens in the modern era when the client cannot ask; default: `protocol_error` (-32021).
    pub modern_without_elicitation: Option<NoConfirmation>,
    /// What happens in the legacy era; default: `tool_error`.
    pub legacy: Option<NoConfirmation>,
    /// Whether one confirmation runs one call; default: true. Where its use is recorded is a setting of the server.
    pub single_use: Option<bool>,
    /// How long an answer may take, in seconds, 10 to 3600; default: 300.
    #[schemars(range(min = 10, max = 3600))]
    pub lifetime_seconds: Option<u32>,
    /// Codes.
    pub codes: ConfirmCodes,
}

/// What happens when the client cannot ask. Nothing is ever executed unasked.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum NoConfirmation {
    /// The tool error `confirmation_required`.
    ToolError,
    /// The protocol error -32021 (modern era only).
    ProtocolError,
}

/// Codes of confirmation.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ConfirmCodes {
    /// The person said no; default: `user_declined`.
    pub declined: Option<String>,
    /// The client cannot ask; default: `confirmation_required`.
    pub required: Option<String>,
    /// The confirmation was used before; default: `confirmation_replayed`.
    pub replayed: Option<String>,
    /// The store cannot be reached; default: `confirmation_unavailable`.
    pub unavailable: Option<String>,
}

/// The confirmation of one tool.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolConfirm {
    /// The question; `{name}` stands for an argument or one of `fields`, `{{` and `}}` for braces.
    pub message: Option<Text>,
    /// The label of the box that says yes.
    pub accept: Option<Text>,
    /// `METHOD /path` or operationId of the read that shows the record in question. Its parameters are filled by
    /// the tool's arguments of the same name in the API.
    pub lookup: Option<String>,
    /// What the question shows of that record, by name.
    pub fields: IndexMap<String, RecordField>,
}

/// One value of a looked-up record.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordField {
    /// JSON pointer (RFC 6901) into the answer.
    pub at: String,
    /// Unit of an amount: it is then written as one.
    pub unit: Option<KnownUnit>,
}
