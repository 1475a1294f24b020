//! The static description of one server: the types that the emitted `catalog.rs` and `registry.rs` fill.
//!
//! Nothing here is parsed or built when a server starts: every value is a constant of the binary.

mod access;
mod auth;
mod confirm;
mod credential;
mod errors;
mod limits;
mod log;
mod prompts;
mod tools;
mod transport;
mod upstream;

pub use access::*;
pub use auth::*;
pub use confirm::*;
pub use credential::*;
pub use errors::*;
pub use limits::*;
pub use log::*;
pub use prompts::*;
pub use tools::*;
pub use transport::*;
pub use upstream::*;

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
    /// How destructive tools are confirmed.
    pub confirmation: Confirmation,
    /// How callers prove who they are; none: nobody is asked.
    pub auth: Option<Auth>,
    /// How much one caller may ask.
    pub limits: Limits,
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
