//! What emitters may read: every name, text and policy of the server, decided.
//!
//! The shapes follow `templates/runtime/catalog/`, which documents each field; here they own their strings.

mod confirm;
mod credential;
mod docs;

use indexmap::IndexMap;
use serde::Serialize;

pub use confirm::{Confirm, Confirmation, Lookup, QuestionValue, ValueFormat, ValueSource};
pub use credential::{Credential, FixedCredential, Setting, SettingPart, TokenRequest};
pub use docs::{Docs, DocsRow, DocsTable, TransportRow};

/// A text in every language, in the order of [`Server::locales`]; one entry where all are the same.
pub type Text = Vec<String>;

/// A server, ready to be written.
#[derive(Clone, Debug, Default)]
pub struct Server {
    /// Programmatic name.
    pub name: String,
    /// Name of the emitted crate: the name as a package name.
    pub crate_name: String,
    /// Name for people.
    pub title: Text,
    /// The product's name in prose.
    pub product_name: String,
    /// Version.
    pub version: String,
    /// The version as Cargo takes it.
    pub crate_version: String,
    /// How to use the server.
    pub instructions: Text,
    /// BCP 47 tags, the default one first.
    pub locales: Vec<String>,
    /// Index of the wire language; none: by `Accept-Language`.
    pub wire_locale: Option<usize>,
    /// Protocol versions and texts.
    pub protocol: Protocol,
    /// The endpoint.
    pub transport: Transport,
    /// The API.
    pub upstream: Upstream,
    /// Argument reports.
    pub arguments: ArgumentPolicy,
    /// Failures.
    pub errors: ErrorPolicy,
    /// Confirmation of destructive tools.
    pub confirmation: Confirmation,
    /// How much one caller may ask.
    pub limits: Limits,
    /// Fields of the call log.
    pub log_fields: Vec<LogField>,
    /// Tools, in document order.
    pub tools: Vec<Tool>,
    /// Prompts, in overlay order.
    pub prompts: Vec<Prompt>,
    /// Resources from the overlay, in its order; the emitted pages follow them.
    pub resources: Vec<Resource>,
    /// The published pages.
    pub docs: Docs,
}

/// Protocol versions and texts.
#[derive(Clone, Debug, Default)]
pub struct Protocol {
    /// Versions without a handshake, newest first.
    pub modern: Vec<String>,
    /// Versions with a handshake, newest first.
    pub legacy: Vec<String>,
    /// Whether -32601 names the method.
    pub method_not_found_named: bool,
    /// Items on a page.
    pub page_size: usize,
    /// Milliseconds.
    pub list_ttl_ms: u64,
}

/// The endpoint.
#[derive(Clone, Debug, Default)]
pub struct Transport {
    /// Path.
    pub path: String,
    /// Bytes.
    pub max_body_bytes: u64,
    /// As printed.
    pub max_body_label: String,
    /// Host names in lower case.
    pub allowed_hosts: Vec<String>,
    /// Origins.
    pub allowed_origins: Vec<String>,
    /// One for each refusal that this version can give.
    pub refusals: Vec<Refusal>,
}

/// One refusal.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Name of the variant of `RefusalKind` in the runtime, such as `BodyTooLarge`.
    pub kind: &'static str,
    /// HTTP status.
    pub status: u16,
    /// Form of the body.
    pub body: RefusalBody,
    /// The sentence.
    pub message: Text,
}

/// Form of a refusal's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalBody {
    /// JSON-RPC -32600.
    JsonRpc,
    /// Text.
    Plain,
    /// The API's body: JSON text and what `$code` stands for.
    Api {
        /// JSON text.
        template: String,
        /// `$code`.
        code: String,
    },
}

/// The API.
#[derive(Clone, Debug, Default)]
pub struct Upstream {
    /// Base addresses by name; the first is the default.
    pub environments: IndexMap<String, String>,
    /// Milliseconds.
    pub timeout_ms: u64,
    /// Bytes.
    pub max_answer_bytes: u64,
    /// Tries after the first.
    pub retries: u8,
    /// Headers by lower-case name.
    pub headers: Vec<(String, Vec<HeaderPart>)>,
    /// Header in lower case, and methods.
    pub idempotency_key: Option<(String, Vec<String>)>,
    /// How the API is told who calls.
    pub credential: Credential,
    /// Environment variables of the paths of certificate and key.
    pub client_certificate: Option<(String, String)>,
}

/// A piece of a header's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderPart {
    /// Text.
    Literal(String),
    /// Environment variable.
    Env(String),
    /// Fresh UUID.
    Uuid,
}

/// How much one caller may ask; zero: no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// In an hour.
    pub reads_per_hour: u32,
    /// In an hour.
    pub writes_per_hour: u32,
    /// Of all callers.
    pub concurrent_calls: u32,
}

/// Argument reports.
#[derive(Clone, Debug, Default)]
pub struct ArgumentPolicy {
    /// Code of the envelope; none: bare text.
    pub envelope_code: Option<String>,
    /// Whether only read tools refuse undeclared arguments.
    pub unknown_on_read_tools_only: bool,
}

/// Failures.
#[derive(Clone, Debug, Default)]
pub struct ErrorPolicy {
    /// Whether the API's errors are mapped; else passed through.
    pub is_mapped: bool,
    /// JSON pointers.
    pub code_pointers: Vec<String>,
    /// JSON pointers.
    pub message_pointers: Vec<String>,
    /// JSON pointers.
    pub field_pointers: Vec<String>,
    /// Rules, first match wins.
    pub rules: Vec<ErrorRule>,
    /// Code of a failure that no rule knows.
    pub fallback: String,
    /// Codes by condition, keyed by the field of the runtime's `Conditions`.
    pub conditions: IndexMap<&'static str, String>,
    /// Every code, in the order of the tables.
    pub registry: Vec<ErrorCode>,
}

/// From an error answer to a code.
#[derive(Clone, Debug)]
pub struct ErrorRule {
    /// Exact status, or class 4 or 5.
    pub status: Option<StatusMatch>,
    /// Anchored regular expression.
    pub code: Option<String>,
    /// Regular expression.
    pub message: Option<String>,
    /// Join key.
    pub operation: Option<String>,
    /// The code given.
    pub to: String,
}

/// A status or a class of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusMatch {
    /// Exactly this.
    Exact(u16),
    /// First digit.
    Class(u16),
}

/// One code.
#[derive(Clone, Debug)]
pub struct ErrorCode {
    /// The code.
    pub code: String,
    /// Where it travels.
    pub channel: Channel,
    /// Who makes it.
    pub source: Source,
    /// The sentence for a model; empty where the failure always has its own.
    pub message: Text,
}

/// Where an error travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Tool result.
    Tool,
    /// JSON-RPC error.
    Protocol,
    /// HTTP status.
    Transport,
}

/// Who makes an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The server.
    Server,
    /// The API.
    Api,
    /// Nobody yet.
    Reserved,
}

/// One tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Unique name.
    pub name: String,
    /// For people.
    pub title: Text,
    /// For the model.
    pub description: Text,
    /// Effect.
    pub kind: Kind,
    /// Hint.
    pub idempotent: bool,
    /// Hint.
    pub open_world: bool,
    /// Minified JSON Schema text, by language.
    pub input_schema: Text,
    /// JSON Schema of the result.
    pub output_schema: Option<String>,
    /// Join key.
    pub operation: String,
    /// HTTP method.
    pub method: String,
    /// Path pieces.
    pub path: Vec<Segment>,
    /// Base address of its own.
    pub base_url: Option<String>,
    /// Body.
    pub body: Body,
    /// Arguments, in schema order.
    pub arguments: Vec<Argument>,
    /// Hidden constants.
    pub fixed: Vec<Fixed>,
    /// (code, sentence).
    pub hints: Vec<(String, Text)>,
    /// The question of a destructive tool.
    pub confirm: Option<Confirm>,
    /// Arguments that satisfy the input schema, made from it, for the emitted tests; JSON text. Empty: none was found.
    pub example_arguments: String,
}

/// Effect of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Nothing changes.
    Read,
    /// Something changes.
    Write,
    /// It cannot be undone.
    Destructive,
}

/// A piece of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Percent-encoded text.
    Literal(String),
    /// Wire name of a path parameter.
    Parameter(String),
}

/// How the body is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// None.
    None,
    /// Object of the body fields; sent as `{}` when required and no field is given.
    Fields {
        /// Whether it must be sent.
        required: bool,
    },
    /// The one `body` argument.
    Whole,
}

/// One argument.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Key for the model.
    pub name: String,
    /// Name for the API.
    pub wire: String,
    /// Name of the variant of the runtime's `Place`.
    pub place: Place,
    /// Name of the variant of the runtime's `Style`.
    pub style: crate::model::ParameterStyle,
    /// One pair per element.
    pub explode: bool,
    /// Reserved characters stay.
    pub allow_reserved: bool,
    /// Only an object or array is accepted.
    pub structured: bool,
}

/// Where an argument goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Path.
    Path,
    /// Query.
    Query,
    /// Header.
    Header,
    /// Cookie.
    Cookie,
    /// Field of the body.
    BodyField,
    /// The body.
    Body,
}

/// A hidden constant.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// Where it goes.
    pub place: Place,
    /// Name for the API.
    pub wire: String,
    /// JSON text.
    pub value: String,
}

/// A prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Unique name.
    pub name: String,
    /// For people.
    pub title: Text,
    /// Purpose.
    pub description: Text,
    /// (name, description, required).
    pub arguments: Vec<PromptArgument>,
    /// (role, text).
    pub messages: Vec<(&'static str, Text)>,
}

/// One argument of a prompt.
#[derive(Clone, Debug)]
pub struct PromptArgument {
    /// Key.
    pub name: String,
    /// What to fill in.
    pub description: Text,
    /// Must be given.
    pub required: bool,
}

/// A resource from the overlay.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Address.
    pub uri: String,
    /// Programmatic name.
    pub name: String,
    /// For people.
    pub title: Text,
    /// What it holds.
    pub description: Text,
    /// Media type.
    pub mime_type: String,
    /// The content.
    pub text: String,
}

/// One field of the call log: key, and name of the variant of the runtime's `LogValue`.
#[derive(Clone, Debug)]
pub struct LogField {
    /// Key.
    pub key: String,
    /// Variant, such as `DurationMs`.
    pub value: &'static str,
}
