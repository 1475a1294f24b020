//! The published pages, decided.

use super::Text;

/// The published pages: structure once, prose by language.
#[derive(Clone, Debug, Default)]
pub struct Docs {
    /// Tables of tool codes, in order.
    pub tables: Vec<DocsTable>,
    /// Rows of the protocol table, in order: code and meaning.
    pub protocol: Vec<(String, Text)>,
    /// Rows of the transport table, in order.
    pub transport: Vec<TransportRow>,
    /// Sentence on why a refusal is a result, with an example of this API; may be empty.
    pub why_example: Text,
    /// What to tell support; may be empty.
    pub support: Text,
    /// How the audit trail names the caller; empty: no such paragraph.
    pub audit_actor: String,
    /// Code and message of the example result.
    pub example: (String, String),
    /// Whether argument faults are bare text with a section of their own.
    pub has_argument_section: bool,
    /// Whether the envelope may hold `details`.
    pub envelope_has_details: bool,
}

/// One table of tool codes.
#[derive(Clone, Debug, Default)]
pub struct DocsTable {
    /// Above the table; may be empty.
    pub intro: Text,
    /// Whether the second column says who resolves the error; else when it appears.
    pub shows_who: bool,
    /// Rows, in order.
    pub rows: Vec<DocsRow>,
    /// Below the table; may be empty.
    pub outro: Text,
}

/// One row of a table of tool codes.
#[derive(Clone, Debug, Default)]
pub struct DocsRow {
    /// The code or codes behind the row.
    pub codes: Vec<String>,
    /// What the first column shows.
    pub label: Text,
    /// What the second column shows.
    pub text: Text,
    /// Whether no version of the runtime makes it yet.
    pub is_reserved: bool,
}

/// One row of the transport table.
#[derive(Clone, Debug)]
pub struct TransportRow {
    /// HTTP status.
    pub status: u16,
    /// What was wrong.
    pub cause: Text,
    /// Form of the body: `json_rpc`, `plain` or `api`.
    pub body: &'static str,
    /// Whether no version of the runtime makes it yet.
    pub is_reserved: bool,
}
