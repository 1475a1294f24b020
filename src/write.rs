//! FileSet → disk, or a comparison with it: the only writer.

use std::io;
use std::path::Path;

use crate::emit::FileSet;

/// How a folder differs from a [`FileSet`]; paths relative to the folder, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// Files whose text differs.
    pub stale: Vec<String>,
    /// Files that are not there.
    pub missing: Vec<String>,
    /// Files that an earlier run wrote and this one would not.
    pub extra: Vec<String>,
}

/// Compares without writing.
///
/// # Errors
/// When the folder cannot be read.
pub fn check(out: &Path, files: &FileSet) -> io::Result<Drift> {
    let _ = (out, files);
    Ok(Drift::default())
}

/// Makes the folder hold the files: new and changed ones are written, unchanged ones keep their modification time,
/// files of the previous run that are gone are removed, foreign files never.
///
/// # Errors
/// When something cannot be written; the folder is then as it was.
pub fn write(out: &Path, files: &FileSet) -> io::Result<Drift> {
    let _ = (out, files);
    Ok(Drift::default())
}
