//! The static description of one server: the types that the emitted `catalog.rs` and `registry.rs` fill.
//!
//! Nothing here is parsed or built when a server starts: every value is a constant of the binary.

/// A text in every language of the server, in the order of [`Catalog::locales`].
///
/// A text that is the same in every language holds one entry.
#[derive(Clone, Copy, Debug)]
pub struct Text(pub &'static [&'static str]);

impl Text {
    /// The text in the language with this index; the first one where that language has none of its own.
    #[must_use]
    pub fn in_locale(self, index: usize) -> &'static str {
        self.0
            .get(index)
            .or_else(|| self.0.first())
            .copied()
            .unwrap_or("")
    }

    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|text| text.is_empty())
    }
}

/// Everything that the runtime knows of one server.
#[derive(Debug)]
pub struct Catalog {
    /// Programmatic name, sent as `serverInfo.name`.
    pub name: &'static str,
    /// Name for people, sent as `serverInfo.title`; empty: not sent.
    pub title: Text,
    /// Version of the server, sent as `serverInfo.version`.
    pub version: &'static str,
    /// How to use the server, told to the model by `server/discover` and `initialize`; empty: not sent.
    pub instructions: Text,
    /// BCP 47 tags of the languages, the default one first.
    pub locales: &'static [&'static str],
    /// Which language goes over the wire.
    pub wire_locale: WireLocale,
    /// Versions and protocol texts.
    pub protocol: Protocol,
    /// The HTTP endpoint and how it refuses.
    pub transport: Transport,
    /// The API behind the tools.
    pub upstream: Upstream,
    /// How argument faults are reported.
    pub arguments: ArgumentPolicy,
    /// How failures become tool errors.
    pub errors: ErrorPolicy,
    /// Fields of the line that each `tools/call` logs, in order.
    pub log_fields: &'static [LogField],
    /// The tools, in the order in which they are listed.
    pub tools: &'static [Tool],
    /// The prompts, in the order in which they are listed.
    pub prompts: &'static [Prompt],
    /// The resources, in the order in which they are listed.
    pub resources: &'static [Resource],
}

/// Which language the server's messages, descriptions and prompts have on the wire.
#[derive(Clone, Copy, Debug)]
pub enum WireLocale {
    /// Always the language with this index in [`Catalog::locales`].
    Fixed(usize),
    /// The best match of the request's `Accept-Language` (RFC 9110, 12.5.4); else the first language.
    AcceptLanguage,
}

/// Protocol versions and the texts of protocol errors.
#[derive(Debug)]
pub struct Protocol {
    /// Versions without a handshake, newest first; may be empty.
    pub modern: &'static [&'static str],
    /// Versions that begin with `initialize`, newest first; may be empty.
    pub legacy: &'static [&'static str],
    /// Whether -32601 names the method.
    pub method_not_found: MethodNotFound,
    /// Tools, prompts or resources on one page of a list.
    pub page_size: usize,
    /// `ttlMs` of cacheable results, in milliseconds.
    pub list_ttl_ms: u64,
}

/// The message of -32601.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodNotFound {
    /// `Method not found`.
    Plain,
    /// `Method not found: <method>`.
    Named,
}

/// The HTTP endpoint: its path, its limits and the form of each refusal.
#[derive(Debug)]
pub struct Transport {
    /// Path of the one MCP endpoint, such as `/mcp`.
    pub path: &'static str,
    /// Largest accepted request body in bytes.
    pub max_body_bytes: u64,
    /// That limit as the documentation prints it, such as `4 MiB`.
    pub max_body_label: &'static str,
    /// Accepted `Host` names besides loopback ones, without port, in lower case.
    pub allowed_hosts: &'static [&'static str],
    /// Accepted `Origin` values besides loopback ones, such as `https://app.example.com`.
    pub allowed_origins: &'static [&'static str],
    /// One entry for each [`RefusalKind`] that this version can give.
    pub refusals: &'static [Refusal],
}

/// Why a request is refused before its JSON-RPC message is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// `Host` is not on the list.
    Host,
    /// `Origin` is not on the list.
    Origin,
    /// Another path than the endpoint's.
    Path,
    /// Another HTTP method than POST.
    Method,
    /// The body is larger than [`Transport::max_body_bytes`].
    BodyTooLarge,
    /// `Content-Type` is not `application/json`.
    ContentType,
    /// `Accept` excludes both `application/json` and `text/event-stream`.
    Accept,
    /// The body did not arrive in time.
    BodyTimeout,
    /// More calls at once than the server takes.
    Overloaded,
}

/// The status and body of one refusal.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    /// What was wrong.
    pub kind: RefusalKind,
    /// HTTP status, 400 to 599.
    pub status: u16,
    /// Form of the body.
    pub body: RefusalBody,
    /// The sentence in the body.
    pub message: Text,
}

/// Form of a refusal's body.
#[derive(Clone, Copy, Debug)]
pub enum RefusalBody {
    /// A JSON-RPC error -32600 without `id`.
    JsonRpc,
    /// The sentence as `text/plain`.
    Plain,
    /// The API's own error body: JSON in which the strings `$status`, `$code` and `$message` stand for values
    /// (`$status` becomes a number).
    Api {
        /// The JSON text.
        template: &'static str,
        /// What `$code` stands for.
        code: &'static str,
    },
}

/// The API behind the tools and how it is called.
#[derive(Debug)]
pub struct Upstream {
    /// Named base addresses without a trailing slash; the first is the default.
    pub environments: &'static [Environment],
    /// One deadline in milliseconds over connection, headers and body.
    pub timeout_ms: u64,
    /// Largest answer in bytes that is read; a larger one is a tool error.
    pub max_answer_bytes: u64,
    /// How often an idempotent call is tried again after a failed connection, 502, 503 or 504.
    pub retries: u8,
    /// Headers sent on every call.
    pub headers: &'static [SetHeader],
    /// Header that carries a fresh key on each write, so that the API runs it once.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// One named base address of the API.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// Name for `--environment`, such as `sandbox`.
    pub name: &'static str,
    /// Base address without a trailing slash.
    pub base_url: &'static str,
}

/// A header that the server itself sends.
#[derive(Clone, Copy, Debug)]
pub struct SetHeader {
    /// Name in lower case.
    pub name: &'static str,
    /// The value, in pieces.
    pub value: &'static [HeaderPart],
}

/// A piece of a header's value.
#[derive(Clone, Copy, Debug)]
pub enum HeaderPart {
    /// Text from the overlay.
    Literal(&'static str),
    /// The value of an environment variable, read once at start. A header with an unset variable is not sent.
    Env(&'static str),
    /// A fresh version 4 UUID for each call.
    Uuid,
}

/// Where the idempotency key goes.
#[derive(Clone, Copy, Debug)]
pub struct IdempotencyKey {
    /// Header name in lower case.
    pub header: &'static str,
    /// HTTP methods that carry it.
    pub methods: &'static [&'static str],
}

/// How argument faults are reported, and which arguments are checked.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentPolicy {
    /// Form of the report.
    pub style: ArgumentStyle,
    /// Which tools refuse arguments that their schema does not declare.
    pub unknown: UnknownArguments,
}

/// Form of an argument report.
#[derive(Clone, Copy, Debug)]
pub enum ArgumentStyle {
    /// `Missing required arguments: …` or `Invalid arguments: …` as bare text.
    Text,
    /// The error envelope with this code and `details` by field.
    Envelope {
        /// Such as `VALIDATION_ERROR`.
        code: &'static str,
    },
}

/// Which tools refuse undeclared arguments. None ever drops one silently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownArguments {
    /// Every tool.
    All,
    /// Read tools; a write sends undeclared arguments on in its JSON body, for the API to judge. A write without an
    /// object as its body has no place for them and refuses them.
    ReadTools,
}

/// How failures become tool errors.
#[derive(Debug)]
pub struct ErrorPolicy {
    /// What happens to an error answer of the API.
    pub mode: UpstreamErrors,
    /// JSON pointers to try for the API's own code, first match wins.
    pub code_pointers: &'static [&'static str],
    /// JSON pointers to try for the API's own message, first match wins.
    pub message_pointers: &'static [&'static str],
    /// JSON pointers to a map from field to message(s), first match wins; its fields join the message.
    pub field_pointers: &'static [&'static str],
    /// Rules from an error answer to a code, first match wins.
    pub rules: &'static [ErrorRule],
    /// Code of a failure that no rule knows.
    pub fallback: &'static str,
    /// Codes of failures without a readable answer.
    pub conditions: Conditions,
    /// How destructive tools are refused.
    pub confirmation: Confirmation,
    /// Every code that a page names, in the order of the tables.
    pub registry: &'static [ErrorCode],
}

/// What happens to an error answer of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpstreamErrors {
    /// It becomes one of our codes by [`ErrorPolicy::rules`].
    Map,
    /// Its JSON body goes to the model unchanged.
    Passthrough,
}

/// From an error answer to a code. Every condition that is present must hold.
#[derive(Clone, Copy, Debug)]
pub struct ErrorRule {
    /// HTTP status, or none for any.
    pub status: Option<StatusMatch>,
    /// Regular expression that the API's code must match.
    pub code: Option<&'static str>,
    /// Regular expression that the API's message or title must match.
    pub message: Option<&'static str>,
    /// `METHOD /path` of the operation.
    pub operation: Option<&'static str>,
    /// The code given.
    pub to: &'static str,
}

/// A status or a class of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusMatch {
    /// Exactly this one.
    Exact(u16),
    /// `4` for 400 to 499, `5` for 500 to 599.
    Class(u16),
}

/// Codes of failures where the API's answer cannot be read or must not be shown.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// The deadline passed.
    pub timeout: &'static str,
    /// No connection, or it broke.
    pub network: &'static str,
    /// An error answer that is not JSON.
    pub not_json: &'static str,
    /// 500 to 599.
    pub server_error: &'static str,
    /// 429.
    pub rate_limited: &'static str,
    /// The answer is larger than [`Upstream::max_answer_bytes`].
    pub too_large: &'static str,
    /// 300 to 399: redirects are never followed.
    pub redirect: &'static str,
}

/// How a destructive tool is refused when nobody can be asked. It is never executed unasked.
#[derive(Clone, Copy, Debug)]
pub struct Confirmation {
    /// Code of the tool error, such as `confirmation_required`.
    pub required: &'static str,
    /// What a modern client gets that did not declare form elicitation. Legacy clients get the tool error.
    pub without_elicitation: WithoutElicitation,
}

/// What a modern client gets that did not declare form elicitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutElicitation {
    /// The tool error with [`Confirmation::required`].
    ToolError,
    /// The protocol error -32021 with HTTP 400 (MCP 2026-07-28, basic, "Error Codes").
    ProtocolError,
}

/// One code of the documentation: who makes it, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct ErrorCode {
    /// The code, such as `not_found` or `-32601` or `413`.
    pub code: &'static str,
    /// Where it travels.
    pub channel: Channel,
    /// Who makes it.
    pub source: Source,
    /// The sentence for a model when the failure has none of its own; empty where it always has.
    pub message: Text,
}

/// Where an error travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// In a tool result marked `isError`.
    Tool,
    /// As a JSON-RPC error object.
    Protocol,
    /// As an HTTP status.
    Transport,
}

/// Who makes an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// This server.
    Server,
    /// The API, passed through or mapped.
    Api,
    /// Nobody yet: the behaviour that makes it is not in this version of the runtime.
    Reserved,
}

/// One tool: an operation of the API that a model may call.
#[derive(Debug)]
pub struct Tool {
    /// Unique name, 1 to 64 characters of `[A-Za-z0-9_-]`.
    pub name: &'static str,
    /// Name for people; empty: not sent.
    pub title: Text,
    /// What the model reads.
    pub description: Text,
    /// What a call does to the API's records.
    pub kind: Kind,
    /// `annotations.idempotentHint`.
    pub idempotent: bool,
    /// `annotations.openWorldHint`.
    pub open_world: bool,
    /// JSON Schema 2020-12 of the arguments, one text per language as in [`Text`].
    pub input_schema: Text,
    /// JSON Schema of the result, for tools that give `structuredContent`.
    pub output_schema: Option<&'static str>,
    /// `METHOD /path` as the API's description writes it.
    pub operation: &'static str,
    /// HTTP method in upper case.
    pub method: &'static str,
    /// Path below the base address.
    pub path: &'static [Segment],
    /// Base address of this operation alone, where it differs.
    pub base_url: Option<&'static str>,
    /// How the request body is made.
    pub body: Body,
    /// The arguments, in schema order.
    pub arguments: &'static [Argument],
    /// Parameters with a value that the model does not see.
    pub fixed: &'static [Fixed],
    /// Sentence added to the message of a failure, by condition.
    pub hints: &'static [Hint],
}

/// What a call does to the API's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing changes.
    Read,
    /// A record is made or changed.
    Write,
    /// It cannot be undone: a person must confirm it.
    Destructive,
}

/// A piece of a path.
#[derive(Clone, Copy, Debug)]
pub enum Segment {
    /// Text as it stands, already percent-encoded.
    Literal(&'static str),
    /// The value of the path parameter with this wire name.
    Parameter(&'static str),
}

/// How the request body is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// There is none.
    None,
    /// A JSON object of every argument with [`Place::BodyField`].
    Fields {
        /// Whether `{}` is sent when no argument is given.
        required: bool,
    },
    /// The value of the one argument with [`Place::Body`].
    Whole,
}

/// One argument of a tool and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Key in the tool's arguments.
    pub name: &'static str,
    /// Name that the API knows.
    pub wire: &'static str,
    /// Where it goes.
    pub place: Place,
    /// How it is written there; of no effect in a body.
    pub style: Style,
    /// One pair per element (`a=1&a=2`) instead of one joined value; of no effect in a body.
    pub explode: bool,
    /// Whether reserved characters stay unencoded (`allowReserved`); query only.
    pub allow_reserved: bool,
    /// Whether only an object or array is accepted, so that a string holding JSON is parsed first.
    pub structured: bool,
}

/// Where an argument goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Into the path.
    Path,
    /// Into the query.
    Query,
    /// Into a header.
    Header,
    /// Into `Cookie`.
    Cookie,
    /// A field of the JSON body.
    BodyField,
    /// The body itself.
    Body,
}

/// Serialization of a parameter (OpenAPI 3.1, "Style Values").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `a,b`.
    Simple,
    /// `.a.b`.
    Label,
    /// `;k=a,b`.
    Matrix,
    /// `k=a,b` or `k=a&k=b`.
    Form,
    /// `k=a%20b`.
    SpaceDelimited,
    /// `k=a|b`.
    PipeDelimited,
    /// `k[x]=1`.
    DeepObject,
    /// The JSON text of the value (`content: application/json`).
    Json,
}

/// A parameter with a value that the model does not see.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// Where it goes: path, query, header, cookie or a field of the body.
    pub place: Place,
    /// Name that the API knows.
    pub wire: &'static str,
    /// JSON text of the value.
    pub value: &'static str,
}

/// A sentence added to the message of one kind of failure.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// The code whose message it joins.
    pub code: &'static str,
    /// The sentence.
    pub text: Text,
}

/// A prompt: messages that a person picks.
#[derive(Debug)]
pub struct Prompt {
    /// Unique name.
    pub name: &'static str,
    /// Name for people; empty: not sent.
    pub title: Text,
    /// What it is for; empty: not sent.
    pub description: Text,
    /// Arguments, all strings.
    pub arguments: &'static [PromptArgument],
    /// The messages, in order.
    pub messages: &'static [PromptMessage],
}

/// One argument of a prompt.
#[derive(Debug)]
pub struct PromptArgument {
    /// Key in the request.
    pub name: &'static str,
    /// What to fill in; empty: not sent.
    pub description: Text,
    /// Whether the prompt cannot be made without it.
    pub required: bool,
}

/// One message of a prompt.
#[derive(Debug)]
pub struct PromptMessage {
    /// `user` or `assistant`.
    pub role: &'static str,
    /// The text; `{name}` stands for an argument, `{{` and `}}` for braces.
    pub text: Text,
}

/// A resource whose text is part of the binary.
#[derive(Debug)]
pub struct Resource {
    /// Address, such as `docs://errors/en`.
    pub uri: &'static str,
    /// Programmatic name.
    pub name: &'static str,
    /// Name for people; empty: not sent.
    pub title: Text,
    /// What it holds; empty: not sent.
    pub description: Text,
    /// Media type, such as `text/markdown`.
    pub mime_type: &'static str,
    /// The content.
    pub text: &'static str,
}

/// One field of the line that each `tools/call` logs.
#[derive(Clone, Copy, Debug)]
pub struct LogField {
    /// Key in the line.
    pub key: &'static str,
    /// What it holds.
    pub value: LogValue,
}

/// What a field of the call log holds. Arguments, bodies, tokens and full addresses are not on the list by design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogValue {
    /// The tool's name.
    Tool,
    /// The account or organization that the token speaks for; `null` until credentials are checked.
    Account,
    /// The user that the token speaks for; `null` until credentials are checked.
    User,
    /// The token's public identifier (`jti`), never the token; `null` until credentials are checked.
    TokenId,
    /// `oauth` or `personal`; `null` until credentials are checked.
    TokenKind,
    /// The membership of the token's owner; `null` until credentials are checked.
    Membership,
    /// `ok`, or the code of the error.
    Result,
    /// HTTP status of the API's answer; `null` when it was not called.
    Status,
    /// Milliseconds from the request's arrival to its answer.
    DurationMs,
}
