//! Overlay sections about credentials, scopes and limits.
//!
//! Their behaviour is not built yet. `plan` reports each section that is used.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Text;

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
    /// Requests of one caller that read, in an hour; default: no limit.
    pub reads_per_hour: Option<u32>,
    /// Calls of tools that write of one caller, in an hour; default: no limit.
    pub writes_per_hour: Option<u32>,
    /// Calls of all callers at once; default: 1024.
    pub concurrent_calls: Option<u32>,
}

/// The audit trail as the documentation tells it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Audit {
    /// How the trail names the caller, such as `api-token:<jti>`.
    pub actor: Option<String>,
}
