//! Overlay sections about the server as a whole: identity, languages, protocol, transport, upstream.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ClientCertificate, Credential, Text};

/// The OpenAPI document(s).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SpecFiles {
    /// One document.
    One(String),
    /// Several documents behind one server (not built yet: more than one is an error).
    Several(Vec<SpecSource>),
}

/// One of several documents.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecSource {
    /// Path relative to the overlay.
    pub path: String,
    /// Prefix of its tools' names.
    pub prefix: Option<String>,
}

/// Who the server is.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Programmatic name and name of the emitted crate; default: from the document's title.
    pub name: Option<String>,
    /// Name for people; default: the document's title.
    pub title: Option<Text>,
    /// Version of the server; default: the document's version.
    pub version: Option<String>,
    /// How a model should use the server.
    pub instructions: Option<Text>,
    /// The product's name in the documentation; default: the title.
    pub product_name: Option<String>,
}

/// The languages.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Locales {
    /// The default language, a BCP 47 tag; default: the first of `all`, or `en`.
    pub default: Option<String>,
    /// All languages, out of `pt-BR`, `en` and `es`; default: all three.
    pub all: Option<Vec<String>>,
    /// The language on the wire: a tag, or `accept-language`; default: the default language.
    pub wire: Option<WireLocale>,
    /// The language that stands in where a text is missing; without it a missing text is an error.
    pub fallback: Option<String>,
}

/// The language on the wire: a BCP 47 tag or `accept-language`.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(transparent)]
pub struct WireLocale(pub String);

/// Versions and protocol texts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Protocol {
    /// Versions without a handshake; default: `[2026-07-28]`.
    pub modern: Option<Vec<String>>,
    /// Versions with a handshake; default: `[2025-11-25, 2025-06-18]`.
    pub legacy: Option<Vec<String>>,
    /// Whether -32601 names the method; default: `plain`.
    pub method_not_found: MethodNotFound,
    /// Items on one page of a list, 1 to 1000; default: 1000.
    pub page_size: Option<usize>,
    /// How long clients may keep lists, in milliseconds; default: 300000.
    pub list_ttl_ms: Option<u64>,
}

/// Whether -32601 names the method.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum MethodNotFound {
    /// `Method not found`.
    #[default]
    Plain,
    /// `Method not found: <method>`.
    Named,
}

/// The HTTP endpoint.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transport {
    /// Path of the MCP endpoint; default: `/mcp`.
    pub path: Option<String>,
    /// Largest request body in bytes; default: 4194304.
    pub max_body_bytes: Option<u64>,
    /// That limit as the documentation prints it; default: made from the number.
    pub max_body_label: Option<String>,
    /// Accepted `Host` names besides loopback ones.
    pub allowed_hosts: Vec<String>,
    /// Accepted `Origin` values besides loopback ones.
    pub allowed_origins: Vec<String>,
    /// Form of each refusal, where it is not the default: a JSON-RPC -32600.
    pub refusals: IndexMap<RefusalName, Refusal>,
    /// The API's own error body, for refusals with `body: api`: any JSON in which the strings `$status`, `$code`
    /// and `$message` stand for values.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub api_body: Option<serde_json::Value>,
}

/// What is refused.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Hash)]
#[serde(rename_all = "snake_case")]
pub enum RefusalName {
    /// `Host` is not on the list; default 403.
    Host,
    /// `Origin` is not on the list; default 403.
    Origin,
    /// Another path; default 404.
    Path,
    /// Another HTTP method; default 405.
    Method,
    /// Body over the limit; default 413.
    BodyTooLarge,
    /// `Content-Type` is not JSON; default 415.
    ContentType,
    /// `Accept` excludes the answer; default 406.
    Accept,
    /// The body came too slowly; default 408.
    BodyTimeout,
    /// Too many calls at once; default 503.
    Overloaded,
    /// Token missing or invalid; default 401. Comes with credentials.
    Credentials,
    /// Account blocked; default 403. Comes with credentials.
    Account,
    /// Address off the allow list; default 403. Comes with credentials.
    Address,
    /// Unknown organization; default 403. Comes with credentials.
    Organization,
    /// Rate limit; default 429. Comes with limits.
    RateLimit,
    /// Authorization server unreachable; default 503. Comes with credentials.
    AuthorizationServer,
}

/// Form of one refusal.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Refusal {
    /// HTTP status.
    #[schemars(range(min = 400, max = 599))]
    pub status: Option<u16>,
    /// Form of the body.
    pub body: Option<RefusalBody>,
    /// What `$code` stands for in `api_body`.
    pub code: Option<String>,
    /// The sentence in the body.
    pub message: Option<Text>,
    /// The cause as the documentation tells it.
    pub when: Option<Text>,
}

/// Form of a refusal's body.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum RefusalBody {
    /// A JSON-RPC error -32600 without `id`.
    Jsonrpc,
    /// The sentence as `text/plain`.
    Plain,
    /// `transport.api_body`.
    Api,
}

/// The API and how it is called.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Upstream {
    /// Base address, or addresses by environment (the first is the default); default: the document's servers.
    pub base_url: Option<BaseUrl>,
    /// One deadline over connection, headers and body, in milliseconds; default: 30000.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: Option<u64>,
    /// Largest answer in bytes; default: 1048576.
    pub max_answer_bytes: Option<u64>,
    /// How often an idempotent call is tried again, 0 to 5; default: 1.
    #[schemars(range(max = 5))]
    pub retries: Option<u8>,
    /// Headers that tools hide and that the server sends.
    pub headers: HeaderSettings,
    /// Where an idempotency key goes on writes.
    pub idempotency_key: Option<IdempotencyKey>,
    /// How the API is told who calls; default: by `headers.set`, or not at all.
    pub credential: Option<Credential>,
    /// The certificate that the API is shown.
    pub client_certificate: Option<ClientCertificate>,
}

/// Base address of the API.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BaseUrl {
    /// One address.
    One(String),
    /// Addresses by environment name.
    Environments(IndexMap<String, String>),
}

/// Headers that tools hide and that the server sends.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HeaderSettings {
    /// Header, query and cookie parameters that no tool shows. `Authorization`, `Cookie`, `Host`, `User-Agent` and
    /// the like are hidden always.
    pub hide: Vec<String>,
    /// Headers sent on every call. In a value, `{env:NAME}` is an environment variable, `{uuid}` a fresh UUID,
    /// `{name}` and `{version}` the server's.
    pub set: IndexMap<String, String>,
}

/// Where an idempotency key goes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdempotencyKey {
    /// Header name.
    pub header: String,
    /// HTTP methods that carry it; default: POST, PUT and PATCH.
    pub methods: Option<Vec<String>>,
}
