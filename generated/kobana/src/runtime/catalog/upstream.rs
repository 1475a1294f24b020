//! The API behind the tools, and how it is called.

use super::{ClientCertificate, Credential};

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
    /// How the API is told who calls.
    pub credential: Credential,
    /// The certificate that the API is shown.
    pub client_certificate: Option<ClientCertificate>,
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
