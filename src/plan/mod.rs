//! Api and overlay → Server: every name, text and policy is decided here.

pub mod server;

use indexmap::IndexMap;

use crate::diagnostics::Diagnostics;
use crate::load::OverlayFile;
use crate::model::Api;

pub use server::Server;

/// What `plan` decides from.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// The API.
    pub api: &'a Api,
    /// Name of its document in diagnostics.
    pub document_file: &'a str,
    /// The same API with texts in other languages, by locale.
    pub translations: &'a IndexMap<String, Api>,
    /// The overlay; none: safe defaults, every operation a tool.
    pub overlay: Option<&'a OverlayFile>,
}

/// Decides the server. The result is meaningful only when `diagnostics` has no errors.
pub fn plan(diagnostics: &mut Diagnostics, sources: Sources<'_>) -> Server {
    let _ = (diagnostics, sources);
    Server::default()
}
