//! How failures are told: argument reports, the mapping of the API's errors, the registry of codes.

use super::Text;

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
    /// The answer is larger than [`super::Upstream::max_answer_bytes`].
    pub too_large: &'static str,
    /// 300 to 399: redirects are never followed.
    pub redirect: &'static str,
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
