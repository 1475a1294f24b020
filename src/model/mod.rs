//! The API that a server will offer: what is left of an OpenAPI document after `lower`.
//!
//! No OpenAPI types and no Rust syntax. Schemas are JSON Schema 2020-12 (see [`schema`]).

pub mod schema;

use serde_json::Value;

pub use schema::Definitions;

/// A place in an input file, as a JSON pointer (RFC 6901) without the leading `#`.
pub type Pointer = String;

/// One API.
#[derive(Clone, Debug, Default)]
pub struct Api {
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// `info.description`; empty when absent.
    pub description: String,
    /// Base addresses without trailing slash, variables filled with their defaults, in document order.
    pub servers: Vec<String>,
    /// Operations in document order. Those that could not become tools were reported and are not here.
    pub operations: Vec<Operation>,
    /// `METHOD /path` of every operation of the document, also of those left out, so that an overlay entry for one of
    /// these is told "left out" instead of "no such operation".
    pub all_operations: Vec<OperationKey>,
    /// Converted component schemas by name; schemas refer to them as `#/$defs/<name>`.
    pub definitions: Definitions,
}

/// The names by which an overlay may refer to an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationKey {
    /// HTTP method in upper case.
    pub method: String,
    /// Path template as the document writes it.
    pub path: String,
    /// operationId; absent in many documents.
    pub id: Option<String>,
}

impl OperationKey {
    /// `METHOD /path`, the join key of overlays.
    #[must_use]
    pub fn join_key(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

/// One operation: a method on a path.
#[derive(Clone, Debug, Default)]
pub struct Operation {
    /// Its names.
    pub key: OperationKey,
    /// `summary`; empty when absent.
    pub summary: String,
    /// `description`; empty when absent.
    pub description: String,
    /// `tags`.
    pub tags: Vec<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// Base address of this operation or its path alone, where the document gives one.
    pub server: Option<String>,
    /// Parameters: path-level ones first unless overridden, in document order. Path parameters match the template.
    pub parameters: Vec<Parameter>,
    /// Request body; only JSON bodies get here.
    pub body: Option<Body>,
    /// Answers by status, in document order.
    pub responses: Vec<Response>,
    /// Scopes named by `security`, all alternatives together, without duplicates.
    pub scopes: Vec<String>,
    /// Where it stands.
    pub pointer: Pointer,
}

/// One parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name on the wire.
    pub name: String,
    /// Where it goes.
    pub location: ParameterLocation,
    /// Whether it must be given.
    pub required: bool,
    /// `description`; empty when absent.
    pub description: String,
    /// Its schema, converted. Where the document used `content: application/json`, `style` is [`ParameterStyle::Json`].
    pub schema: Value,
    /// How it is written.
    pub style: ParameterStyle,
    /// One pair per element.
    pub explode: bool,
    /// Reserved characters stay unencoded.
    pub allow_reserved: bool,
    /// Where it stands.
    pub pointer: Pointer,
}

/// Where a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ParameterLocation {
    /// A path segment.
    Path,
    /// The query.
    Query,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
}

/// Serialization of a parameter (OpenAPI 3.1, "Style Values").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterStyle {
    /// Path and header default.
    Simple,
    /// Path only.
    Label,
    /// Path only.
    Matrix,
    /// Query and cookie default.
    Form,
    /// Query only.
    SpaceDelimited,
    /// Query only.
    PipeDelimited,
    /// Query only.
    DeepObject,
    /// JSON text.
    Json,
}

/// A JSON request body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Whether it must be sent.
    pub required: bool,
    /// `application/json` or a `+json` type.
    pub media_type: String,
    /// `description`; empty when absent.
    pub description: String,
    /// Its schema, converted.
    pub schema: Value,
    /// Where it stands.
    pub pointer: Pointer,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Response {
    /// `200`, `4XX` or `default`.
    pub status: String,
    /// `description`; empty when absent.
    pub description: String,
    /// Media types, in document order.
    pub media_types: Vec<String>,
    /// Converted schema of its JSON body.
    pub schema: Option<Value>,
}
