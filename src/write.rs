//! FileSet → disk, or a comparison with it: the only writer.

mod manifest;
mod transaction;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::emit::FileSet;

use manifest::MANIFEST;
use transaction::Transaction;

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

impl Drift {
    /// Whether the folder holds exactly what it should.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stale.is_empty() && self.missing.is_empty() && self.extra.is_empty()
    }
}

/// Compares without writing.
///
/// # Errors
/// When the folder cannot be read.
pub fn check(out: &Path, files: &FileSet) -> io::Result<Drift> {
    Ok(compare(out, files)?.drift)
}

/// Makes the folder hold the files: new and changed ones are written, unchanged ones keep their modification time,
/// files of the previous run that are gone are removed, foreign files never. Returns what was changed.
///
/// # Errors
/// When something cannot be written, or a file that no earlier run wrote is in the way; the folder is then as it was.
pub fn write(out: &Path, files: &FileSet) -> io::Result<Drift> {
    let comparison = compare(out, files)?;
    refuse_foreign(out, &comparison.foreign)?;
    let drift = comparison.drift;
    if drift.is_empty() {
        return Ok(drift);
    }
    let manifest = manifest::text(files);
    let mut transaction = Transaction::begin(out)?;
    for path in drift.missing.iter().chain(&drift.stale) {
        let contents = files.files.get(path).map(|file| file.contents.as_str());
        transaction.stage(path, contents.unwrap_or(&manifest))?;
    }
    transaction.commit(&drift)?;
    Ok(drift)
}

/// What a comparison found.
struct Comparison {
    drift: Drift,
    /// Files that differ and that no earlier run wrote.
    foreign: Vec<String>,
}

fn compare(out: &Path, files: &FileSet) -> io::Result<Comparison> {
    refuse_other_than_folder(out)?;
    let previous = manifest::read(out)?;
    let mut comparison = Comparison {
        drift: Drift::default(),
        foreign: Vec::new(),
    };
    for (path, file) in &files.files {
        if file.is_written_once {
            // Its owner may have made anything of it, a link included.
            if fs::symlink_metadata(place_in(out, path)?).is_err() {
                comparison.drift.missing.push(path.clone());
            }
            continue;
        }
        let state = state_of(out, path, &file.contents)?;
        let is_ours = previous.contains(path);
        match state {
            State::Missing => comparison.drift.missing.push(path.clone()),
            State::Different => {
                comparison.drift.stale.push(path.clone());
                if !is_ours {
                    comparison.foreign.push(path.clone());
                }
            }
            State::Same => {}
        }
    }
    compare_manifest(out, files, &mut comparison.drift)?;
    comparison.drift.extra = extra(out, files, &previous)?;
    Ok(comparison)
}

fn compare_manifest(out: &Path, files: &FileSet, drift: &mut Drift) -> io::Result<()> {
    match state_of(out, MANIFEST, &manifest::text(files))? {
        State::Missing => drift.missing.push(MANIFEST.to_owned()),
        State::Different => drift.stale.push(MANIFEST.to_owned()),
        State::Same => {}
    }
    drift.missing.sort();
    drift.stale.sort();
    Ok(())
}

fn extra(out: &Path, files: &FileSet, previous: &BTreeSet<String>) -> io::Result<Vec<String>> {
    let mut extra = Vec::new();
    for path in previous
        .iter()
        .filter(|path| !files.files.contains_key(*path))
    {
        if fs::symlink_metadata(place_in(out, path)?).is_ok() {
            extra.push(path.clone());
        }
    }
    Ok(extra)
}

enum State {
    Missing,
    Same,
    Different,
}

fn state_of(out: &Path, path: &str, contents: &str) -> io::Result<State> {
    let place = place_in(out, path)?;
    match fs::symlink_metadata(&place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(State::Missing),
        Err(error) => Err(named(&place, &error)),
        Ok(metadata) if !metadata.is_file() => Err(invalid(format!(
            "`{}` is in the way: a generated file goes there, but it is a folder or a link",
            place.display()
        ))),
        Ok(metadata) if metadata.len() != contents.len() as u64 => Ok(State::Different),
        Ok(_) => {
            let found = fs::read(&place).map_err(|error| named(&place, &error))?;
            Ok(if found == contents.as_bytes() {
                State::Same
            } else {
                State::Different
            })
        }
    }
}

fn refuse_other_than_folder(out: &Path) -> io::Result<()> {
    match fs::metadata(out) {
        Ok(metadata) if !metadata.is_dir() => Err(invalid(format!(
            "`{}` is a file; the output must be a folder",
            out.display()
        ))),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(named(out, &error)),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn refuse_foreign(out: &Path, foreign: &[String]) -> io::Result<()> {
    if foreign.is_empty() {
        return Ok(());
    }
    let list = foreign
        .iter()
        .map(|path| format!("\n  {path}"))
        .collect::<String>();
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!(
            "these files in `{}` were not written by oas2mcp and are in the way; nothing was written:{list}\n\
             move them away, or choose another folder",
            out.display()
        ),
    ))
}

/// The place of a relative path below `out`, which no link may lead out of.
fn place_in(out: &Path, path: &str) -> io::Result<PathBuf> {
    if !manifest::is_inside(path) {
        return Err(invalid(format!("`{path}` leads out of the output folder")));
    }
    let mut place = out.to_path_buf();
    let mut pieces = path.split('/').peekable();
    while let Some(piece) = pieces.next() {
        place.push(piece);
        if pieces.peek().is_none() {
            break;
        }
        match fs::symlink_metadata(&place) {
            Ok(metadata) if metadata.is_symlink() => {
                return Err(invalid(format!(
                    "`{}` is a link; generated files are written into real folders only",
                    place.display()
                )));
            }
            Ok(metadata) if !metadata.is_dir() => {
                return Err(invalid(format!(
                    "`{}` is a file, but generated files go into a folder of that name",
                    place.display()
                )));
            }
            Ok(_) | Err(_) => {}
        }
    }
    Ok(place)
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// The same error with the path that it is about.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}
