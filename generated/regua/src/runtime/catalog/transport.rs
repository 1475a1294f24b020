//! The HTTP endpoint: its limits, and the form of each refusal.

use super::Text;

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
    /// The token is missing or not valid.
    Credentials,
    /// The account is blocked.
    Account,
    /// The caller's address is not on the allow list.
    Address,
    /// The organization is not known.
    Organization,
    /// The token lacks a scope, and the catalog wants a challenge.
    Scope,
    /// The caller's rate limit is reached.
    RateLimit,
    /// The authorization server does not answer.
    AuthorizationServer,
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
