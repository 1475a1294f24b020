//! Files → Document and Overlay: the only reader of input files.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::Value;

use crate::diagnostics::Diagnostics;
use crate::overlay::Overlay;

/// An OpenAPI document as JSON, whatever it was written in.
#[derive(Clone, Debug)]
pub struct Document {
    /// Name in diagnostics.
    pub file: String,
    /// The whole document, in the order of the file.
    pub value: Value,
}

/// An overlay and where it came from.
#[derive(Clone, Debug)]
pub struct OverlayFile {
    /// Name in diagnostics.
    pub file: String,
    /// Its content.
    pub overlay: Overlay,
}

/// Everything that was read for one run.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The overlay; none when the run was started on an OpenAPI document alone.
    pub overlay: Option<OverlayFile>,
    /// The API's document.
    pub document: Document,
    /// Its translated copies, by locale.
    pub translations: IndexMap<String, Document>,
    /// Text of each file that was read, by the name that diagnostics use; [`Inputs::find`] looks places up in it.
    pub sources: IndexMap<String, String>,
}

/// Reads an overlay and the documents that it names, or an OpenAPI document alone.
///
/// Problems of every file are reported; nothing comes back when one of them stops the run.
pub fn load(diagnostics: &mut Diagnostics, path: &Path) -> Option<Inputs> {
    let _ = (diagnostics, PathBuf::from(path));
    None
}

impl Inputs {
    /// Fills lines and columns; stand-in.
    pub fn locate(&self, diagnostics: &mut Diagnostics) {
        diagnostics.locate(|_, _| None);
    }
}

/// The JSON Schema of overlays; stand-in.
#[must_use]
pub fn overlay_schema() -> Value {
    schemars::schema_for!(Overlay).to_value()
}
