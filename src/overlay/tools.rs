//! Overlay sections about tools: which operations, under which names, with which arguments.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Text, ToolConfirm, ToolScopes};

/// Which operations become tools.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Selection {
    /// Operations to include. Each selector must match something.
    pub include: Vec<Selector>,
    /// Operations to leave out again. Each selector must match something.
    pub exclude: Vec<Selector>,
}

/// One or more operations.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Selector {
    /// `METHOD /path`, where the method may be `*` and the path may hold `*` (within a segment) and `**` (across).
    Operation(String),
    /// By property; every one that is present must hold.
    Fields(SelectorFields),
}

/// Properties of an operation.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct SelectorFields {
    /// A tag of the document.
    pub tag: Option<String>,
    /// Path with `*` and `**`.
    pub path: Option<String>,
    /// HTTP method.
    pub method: Option<String>,
    /// The operationId, with `*`.
    pub operation_id: Option<String>,
}

/// How tools are named.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Naming {
    /// Put before every name, such as `kobana_`.
    pub prefix: Option<String>,
    /// Whether operationIds are ignored, so that names come from method and path alone.
    pub ignore_operation_ids: bool,
}

/// What one tool does differently.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolEntry {
    /// The tool's name, 1 to 64 characters of `[A-Za-z0-9_-]`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    pub name: Option<String>,
    /// Name for people.
    pub title: Option<Text>,
    /// What the model reads; default: the document's summary and description.
    pub description: Option<Text>,
    /// A sentence put first in the description, such as the unit of amounts.
    pub first_sentence: Option<Text>,
    /// What a call does; default: guessed from method and words, never weaker than the method says.
    pub kind: Option<Kind>,
    /// MCP annotations, where they differ from what the kind implies.
    pub annotations: Annotations,
    /// Changes to arguments by name: the name in the API, or `body` for a whole body.
    pub arguments: IndexMap<String, ArgumentEntry>,
    /// What becomes of the answer.
    pub output: OutputEntry,
    /// How the operation pages (not built yet).
    pub pagination: Option<Pagination>,
    /// The confirmation of a destructive tool.
    pub confirm: Option<ToolConfirm>,
    /// Scopes that a caller needs.
    pub scopes: Option<ToolScopes>,
    /// Dashboard permission that a caller needs.
    pub permission: Option<String>,
    /// Product that the account must have.
    pub product: Option<String>,
    /// Sentences added to the message of a failure, by code.
    pub hints: IndexMap<String, Text>,
}

/// What a call does to the API's records.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Nothing changes.
    Read,
    /// A record is made or changed.
    Write,
    /// It cannot be undone: a person must confirm it.
    Destructive,
}

/// MCP annotations.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Annotations {
    /// A second call changes nothing more; default: true for GET, HEAD, PUT and DELETE.
    pub idempotent: Option<bool>,
    /// The tool reaches beyond a closed set of records; default: true.
    pub open_world: Option<bool>,
}

/// Changes to one argument.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ArgumentEntry {
    /// Another name for the model.
    pub name: Option<String>,
    /// What the model reads.
    pub description: Option<Text>,
    /// Unit of an amount; its note joins the argument and the tool's first sentence.
    pub unit: Option<Unit>,
    /// Largest value; it may only tighten the document's own limit.
    pub maximum: Option<serde_json::Number>,
    /// Smallest value; it may only tighten the document's own limit.
    pub minimum: Option<serde_json::Number>,
    /// Value that the API takes when the argument is absent.
    pub default: Option<serde_json::Value>,
    /// Accepted values.
    #[serde(rename = "enum")]
    pub values: Option<Vec<serde_json::Value>>,
    /// Whether it must be given; may only tighten.
    pub required: Option<bool>,
    /// Leave it out of the tool.
    pub hide: bool,
    /// Always send this value, and leave the argument out of the tool.
    pub fixed: Option<serde_json::Value>,
    /// JSON Schema that replaces the document's.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub schema: Option<serde_json::Value>,
    /// Ask the person by form instead of the model (not built yet).
    pub elicit: bool,
}

/// Unit of an amount.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case", untagged)]
pub enum Unit {
    /// A known unit: `cents` (integer hundredths of a real), `brl` (reais with decimals), `percent`, `days`.
    Known(KnownUnit),
    /// Any other note, as a sentence.
    Note(IndexMap<String, String>),
}

/// A unit that the generator can word in every language.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum KnownUnit {
    /// Integer hundredths of a real: 1000 is R$ 10,00.
    Cents,
    /// Reais with decimals: 10.5 is R$ 10,50.
    Brl,
    /// Percent: 2.5 is 2.5 %.
    Percent,
    /// Whole days.
    Days,
}

/// What becomes of the answer.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OutputEntry {
    /// Give `structuredContent` with an `outputSchema` (not built yet).
    pub structured: bool,
    /// Fields to keep, as JSON pointers (not built yet).
    pub select: Vec<String>,
    /// Largest answer of this tool in bytes (not built yet).
    pub max_bytes: Option<u64>,
}

/// How an operation pages.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, tag = "style", rename_all = "snake_case")]
pub enum Pagination {
    /// Page number and size.
    Page {
        /// Parameter of the number.
        page: String,
        /// Parameter of the size.
        per_page: String,
    },
    /// Cursor.
    Cursor {
        /// Parameter of the cursor.
        cursor: String,
        /// JSON pointer to the next cursor in the answer.
        next: String,
    },
}
