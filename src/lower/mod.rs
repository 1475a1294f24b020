//! Document → Api: what a server could offer, in MCP's own schema dialect.

use crate::diagnostics::Diagnostics;
use crate::load::Document;
use crate::model::Api;

/// Turns a document into the API that a server may offer.
///
/// An operation that cannot become a tool is left out and reported; it never stops the others.
pub fn lower(diagnostics: &mut Diagnostics, document: &Document) -> Api {
    let _ = (diagnostics, document);
    Api::default()
}
