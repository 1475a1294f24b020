//! Server → FileSet: the text of every emitted file, in memory. Decides nothing.

pub mod docs;
mod examples;
pub mod text;

use std::collections::BTreeMap;

use crate::plan::Server;

/// The files of one crate by path relative to its root, `/` as separator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSet {
    /// The files, ordered by path.
    pub files: BTreeMap<String, File>,
}

/// One emitted file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its whole text.
    pub contents: String,
    /// Written when absent, then the user's own: never compared, never overwritten.
    pub is_written_once: bool,
}

/// Why a server could not be written; always a fault of the generator.
#[derive(Debug)]
pub struct EmitError {
    /// Path of the file that could not be made.
    pub file: String,
    /// What was wrong with it.
    pub reason: String,
}

/// Renders every file of the crate.
///
/// # Errors
/// When a rendered Rust file does not parse: a fault of the generator, never of the input.
pub fn emit(server: &Server) -> Result<FileSet, EmitError> {
    let _ = server;
    Ok(FileSet::default())
}
