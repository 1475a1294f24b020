//! Overlay sections about confirmation, credentials, scopes and limits.
//!
//! Their behaviour is not built yet: a destructive tool is refused. `plan` reports each section that is used.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Text;

/// Confirmation of destructive tools.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Confirm {
    /// What happens in the modern era when the client cannot ask; default: `protocol_error` (-32021).
    pub modern_without_elicitation: Option<NoConfirmation>,
    /// What happens in the legacy era; default: `tool_error`.
    pub legacy: Option<NoConfirmation>,
    /// Whether one confirmation runs one call.
    pub single_use: Option<bool>,
    /// Where used confirmations are kept.
    pub store: Option<ConfirmStore>,
    /// How long a confirmation lives, in seconds.
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

/// Where used confirmations are kept.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmStore {
    /// In the process.
    Memory,
    /// In Redis, for several replicas.
    Redis,
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
    /// The question; `{name}` stands for an argument or a field of the looked-up record.
    pub message: Option<Text>,
    /// `METHOD /path` of the operation that shows the record.
    pub lookup: Option<String>,
}

/// Credentials of callers.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Auth {
    /// How tokens are checked.
    pub verify: Option<serde_json::Value>,
    /// Kinds of tokens, by name.
    pub modes: IndexMap<String, serde_json::Value>,
    /// How the API is told who calls.
    pub upstream: Option<serde_json::Value>,
}

/// Scopes by name, with their labels.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Scopes(pub IndexMap<String, Text>);

/// Scopes that a tool needs.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolScopes {
    /// Every one of these.
    pub all_of: Vec<String>,
    /// A resource, for scopes of resource and access.
    pub resource: Option<String>,
    /// `read` or `write`.
    pub access: Option<String>,
}

/// Rate limits and load.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Reads per hour and principal.
    pub reads_per_hour: Option<u32>,
    /// Writes per hour and principal.
    pub writes_per_hour: Option<u32>,
    /// Calls at once.
    pub concurrent_calls: Option<u32>,
}

/// The audit trail as the documentation tells it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Audit {
    /// How the trail names the caller, such as `api-token:<jti>`.
    pub actor: Option<String>,
}
