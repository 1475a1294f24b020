//! Overlay sections about prompts, resources, logging and the published pages.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Audit, Text};

/// A prompt: messages that a person picks.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// Name for people.
    pub title: Option<Text>,
    /// What it is for.
    pub description: Option<Text>,
    /// Arguments by name, all strings.
    #[serde(default)]
    pub arguments: IndexMap<String, PromptArgument>,
    /// The messages, in order.
    pub messages: Vec<PromptMessage>,
}

/// One argument of a prompt.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PromptArgument {
    /// What to fill in.
    pub description: Option<Text>,
    /// Whether the prompt cannot be made without it.
    pub required: bool,
}

/// One message of a prompt.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptMessage {
    /// Who speaks; default: `user`.
    #[serde(default)]
    pub role: Role,
    /// The text; `{name}` stands for an argument, `{{` and `}}` for braces.
    pub text: Text,
}

/// Who speaks in a prompt.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    #[default]
    User,
    /// The model.
    Assistant,
}

/// A text that a client reads.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    /// Programmatic name.
    pub name: String,
    /// Name for people.
    pub title: Option<Text>,
    /// What it holds.
    pub description: Option<Text>,
    /// Media type; default: `text/plain`.
    pub mime_type: Option<String>,
    /// The content.
    pub text: String,
}

/// The line that each `tools/call` logs.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Logging {
    /// Fields, in order; default: tool, result, status, duration.
    pub fields: Vec<LogField>,
}

/// One field of the line: a value under its own name, or under another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LogField {
    /// The value under its own name.
    Value(LogValue),
    /// The value under another name: `{jti: token_id}`.
    Renamed(IndexMap<String, LogValue>),
}

/// What a field of the call log holds.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum LogValue {
    /// The tool's name.
    Tool,
    /// The account or organization.
    Account,
    /// The user.
    User,
    /// The token's public identifier.
    TokenId,
    /// `oauth` or `personal`.
    TokenKind,
    /// The membership of the token's owner.
    Membership,
    /// `ok` or the code of the error.
    Result,
    /// HTTP status of the API's answer.
    Status,
    /// Milliseconds.
    Duration,
}

/// The published pages.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Docs {
    /// Dialect of the pages; default: `markdown`.
    pub format: DocsFormat,
    /// A sentence on why a refused operation is a result and not a protocol error.
    pub why_example: Option<Text>,
    /// What to tell support.
    pub support: Option<Text>,
    /// The audit trail.
    pub audit: Option<Audit>,
    /// Codes of the example results, default: the first API code of the first table.
    pub example_code: Option<String>,
    /// Message of the example results.
    pub example_message: Option<String>,
}

/// Dialect of the pages.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum DocsFormat {
    /// GitHub Markdown.
    #[default]
    Markdown,
    /// Docusaurus: front matter, MDX characters escaped (not built yet).
    Docusaurus,
}
