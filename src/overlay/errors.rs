//! Overlay sections about errors: argument reports, the mapping of the API's errors, the registry and its tables.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Text;

/// How argument faults are reported.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Arguments {
    /// Form of the report; default: `text`.
    pub style: ArgumentStyle,
    /// Code of the report in the `envelope` style; default: `VALIDATION_ERROR`.
    pub code: Option<String>,
    /// Which tools refuse undeclared arguments; default: `all`.
    pub unknown: UnknownArguments,
}

/// Form of an argument report.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentStyle {
    /// `Missing required arguments: …` or `Invalid arguments: …` as bare text.
    #[default]
    Text,
    /// The error envelope with `details` by field.
    Envelope,
}

/// Which tools refuse undeclared arguments.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum UnknownArguments {
    /// Every tool.
    #[default]
    All,
    /// Read tools; writes leave the judgement to the API.
    ReadTools,
}

/// How failures become errors, and the tables of the documentation.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Errors {
    /// Members of the envelope as the documentation tells them; default: code and message.
    pub envelope: Envelope,
    /// What happens to an error answer of the API; default: `passthrough`.
    pub mode: UpstreamErrorMode,
    /// Where code and message stand in an error answer.
    pub extract: Extract,
    /// Rules from an error answer to a code, first match wins (mode `map`).
    pub map: Vec<ErrorRule>,
    /// Code of a failure that no rule knows; default: `tool_error`.
    pub fallback: Option<String>,
    /// Codes of failures without a readable answer; default: the fallback code.
    pub conditions: Conditions,
    /// Codes by name. A code without an entry here takes the generator's own texts, where it knows the code.
    pub codes: IndexMap<String, CodeEntry>,
    /// The tables of the documentation, in order; default: the generator's own, for the codes in use.
    pub tables: Vec<Table>,
    /// Codes of the protocol table, in order; default: all that this server can give.
    pub protocol: Option<Vec<i32>>,
}

/// Members of the error envelope.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Envelope {
    /// `code` and `message`.
    #[default]
    CodeMessage,
    /// `code`, `message` and optional `details`.
    CodeMessageDetails,
}

/// What happens to an error answer of the API.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum UpstreamErrorMode {
    /// It becomes one of the server's codes by the rules.
    Map,
    /// Its JSON body goes to the model unchanged.
    #[default]
    Passthrough,
}

/// Where code and message stand in an error answer: JSON pointers (RFC 6901), first match wins.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Extract {
    /// The API's code; default: `/error/code`, `/errors/0/code`, `/code`.
    pub code: Vec<String>,
    /// The API's message; default: `/error/message`, `/errors/0/detail`, `/errors/0/title`, `/message`, `/error`.
    pub message: Vec<String>,
    /// A map from field to message(s); default: `/errors`.
    pub fields: Vec<String>,
}

/// From an error answer to a code. Every condition that is present must hold.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorRule {
    /// HTTP status, such as 404, or a class, such as `4xx`.
    pub status: Option<StatusPattern>,
    /// Regular expression that the API's whole code must match.
    pub code: Option<String>,
    /// Regular expression found in the API's message or title.
    pub message: Option<String>,
    /// `METHOD /path` or operationId.
    pub operation: Option<String>,
    /// The code given.
    pub to: String,
}

/// A status or a class of them.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(untagged)]
pub enum StatusPattern {
    /// One status.
    Exact(u16),
    /// `4xx` or `5xx`.
    Class(String),
}

/// Codes of failures without a readable answer.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Conditions {
    /// The deadline passed.
    pub timeout: Option<String>,
    /// No connection, or it broke.
    pub network: Option<String>,
    /// An error answer that is not JSON.
    pub not_json: Option<String>,
    /// 500 to 599.
    pub server_error: Option<String>,
    /// 429.
    pub rate_limited: Option<String>,
    /// The answer is too large.
    pub too_large: Option<String>,
    /// 300 to 399.
    pub redirect: Option<String>,
}

/// One code of the registry.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CodeEntry {
    /// Where it travels; default: `tool`.
    pub channel: ErrorChannel,
    /// Who makes it; default: found out from the overlay.
    pub source: Option<ErrorSource>,
    /// The era in which it appears; default: both.
    pub era: Option<Era>,
    /// How the table writes it, where that is not the code itself (such as `409 transition codes`).
    pub label: Option<Text>,
    /// Other codes that the same row stands for; they share its channel, source, era and texts.
    pub covers: Vec<String>,
    /// When it appears.
    pub when: Option<Text>,
    /// Who resolves it.
    pub who: Option<Text>,
    /// The sentence for the model when the failure has none of its own.
    pub message: Option<Text>,
}

/// Where an error travels.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ErrorChannel {
    /// In a tool result marked `isError`.
    #[default]
    Tool,
    /// As a JSON-RPC error object.
    Protocol,
    /// As an HTTP status.
    Transport,
}

/// Who makes an error.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ErrorSource {
    /// The server itself.
    Server,
    /// The API.
    Api,
}

/// An era of the protocol.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// 2026-07-28 and later.
    Modern,
    /// 2025 versions.
    Legacy,
}

/// One table of the documentation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Text above the table.
    pub intro: Option<Text>,
    /// Which text its second column shows.
    pub column: Column,
    /// Codes, in order.
    pub codes: Vec<String>,
    /// Text below the table.
    pub outro: Option<Text>,
}

/// The second column of a table.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// When the code appears.
    When,
    /// Who resolves it.
    Who,
}
