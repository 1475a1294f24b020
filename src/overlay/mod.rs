//! The vocabulary of the MCP overlay, version 1: what a person may write beside an OpenAPI document.
//!
//! These are plain data types. `load` reads them, `plan` gives them meaning, and `oas2mcp schema`
//! prints their JSON Schema. A key whose behaviour is not built yet is still a key here, and `plan` says so in a
//! diagnostic: nothing is silently without effect.

mod auth;
mod confirm;
mod credential;
mod docs;
mod errors;
mod server;
mod text;
mod tools;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

pub use auth::{Audit, Auth, Limits, Scopes, ToolScopes};
pub use confirm::{Confirm, ConfirmCodes, NoConfirmation, RecordField, ToolConfirm};
pub use credential::{BasicCredential, ClientCertificate, Credential, EnvName, TokenRequest};
pub use docs::{
    Docs, DocsFormat, LogField, LogValue, Logging, Prompt, PromptArgument, PromptMessage, Resource,
    Role,
};
pub use errors::{
    ArgumentStyle, Arguments, CodeEntry, Column, Conditions, Envelope, Era, ErrorChannel,
    ErrorRule, ErrorSource, Errors, Extract, StatusPattern, Table, UnknownArguments,
    UpstreamErrorMode,
};
pub use server::{
    BaseUrl, HeaderSettings, IdempotencyKey, Locales, MethodNotFound, Protocol, Refusal,
    RefusalBody, RefusalName, Server, SpecFiles, SpecSource, Transport, Upstream, WireLocale,
};
pub use text::Text;
pub use tools::{
    Annotations, ArgumentEntry, Kind, KnownUnit, Naming, OutputEntry, Pagination, Selection,
    Selector, SelectorFields, ToolEntry, Unit,
};

/// An MCP overlay: which operations of an API become tools, and everything its OpenAPI document cannot say.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "oas2mcp overlay", extend("$id" = "urn:oas2mcp:overlay:1"))]
pub struct Overlay {
    /// Version of this format: `1`.
    #[schemars(range(min = 1, max = 1))]
    pub overlay: u8,
    /// The OpenAPI document(s), by path relative to this file.
    pub spec: SpecFiles,
    /// Translated copies of the document by locale, joined by method and path: texts of tools come from them.
    #[serde(default)]
    pub spec_locales: IndexMap<String, String>,
    /// Who the server is.
    #[serde(default)]
    pub server: Server,
    /// The languages.
    #[serde(default)]
    pub locales: Locales,
    /// Versions and protocol texts.
    #[serde(default)]
    pub protocol: Protocol,
    /// The HTTP endpoint.
    #[serde(default)]
    pub transport: Transport,
    /// The API and how it is called.
    #[serde(default)]
    pub upstream: Upstream,
    /// How argument faults are reported.
    #[serde(default)]
    pub arguments: Arguments,
    /// How failures become errors, and the tables of the documentation.
    #[serde(default)]
    pub errors: Errors,
    /// Which operations become tools. Nothing is exposed unless it is selected here or has an entry in `tools`.
    #[serde(default)]
    pub select: Selection,
    /// How tools are named.
    #[serde(default)]
    pub naming: Naming,
    /// What single tools do differently, by `METHOD /path` or operationId.
    #[serde(default)]
    pub tools: IndexMap<String, ToolEntry>,
    /// Messages that a person picks, by name.
    #[serde(default)]
    pub prompts: IndexMap<String, Prompt>,
    /// Texts that a client reads, by URI, besides the emitted error pages.
    #[serde(default)]
    pub resources: IndexMap<String, Resource>,
    /// Confirmation of destructive tools.
    #[serde(default)]
    pub confirm: Confirm,
    /// Credentials of callers.
    pub auth: Option<Auth>,
    /// Scopes by name.
    pub scopes: Option<Scopes>,
    /// Rate limits and load.
    pub limits: Option<Limits>,
    /// The line that each `tools/call` logs.
    #[serde(default)]
    pub log: Logging,
    /// The published pages.
    #[serde(default)]
    pub docs: Docs,
}
