//! All files of one run into place, or none: staged in the output folder itself, so that each step is a rename.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Drift, named};

/// One run's changes, prepared in a folder of their own.
pub(super) struct Transaction {
    out: PathBuf,
    /// New texts below `new`, replaced and removed files below `old`. Its drop removes it.
    staging: TempDir,
    /// Folders that this run made, outermost first.
    made: Vec<PathBuf>,
    done: Vec<Step>,
}

/// One finished rename, so that it can be taken back.
enum Step {
    /// (place, where the old file went).
    Removed(PathBuf, PathBuf),
    Placed(PathBuf),
}

impl Transaction {
    /// Makes the output folder when it is not there, and a place for the new texts in it: the same file system for
    /// certain, even where the folder is a mount of its own.
    pub(super) fn begin(out: &Path) -> io::Result<Self> {
        let mut made = Vec::new();
        make_folder(out, &mut made).inspect_err(|_| remove_folders(&made))?;
        let staging = tempfile::Builder::new()
            .prefix(".oas2mcp-")
            .tempdir_in(out)
            .map_err(|error| {
                remove_folders(&made);
                named(out, &error)
            })?;
        Ok(Self {
            out: out.to_path_buf(),
            staging,
            made,
            done: Vec::new(),
        })
    }

    /// Writes one new text, not yet in its place.
    pub(super) fn stage(&mut self, path: &str, contents: &str) -> io::Result<()> {
        let result = write_file(&self.staging.path().join("new").join(path), contents);
        if result.is_err() {
            self.undo();
        }
        result
    }

    /// Moves everything into place; on any failure everything moves back.
    pub(super) fn commit(mut self, drift: &Drift) -> io::Result<()> {
        if let Err(error) = self.apply(drift) {
            self.undo();
            return Err(error);
        }
        for path in &drift.extra {
            remove_empty_parents(&self.out, path);
        }
        Ok(())
    }

    fn apply(&mut self, drift: &Drift) -> io::Result<()> {
        for path in &drift.extra {
            self.remove(path)?;
        }
        for path in &drift.stale {
            self.remove(path)?;
            self.place(path)?;
        }
        for path in &drift.missing {
            self.place(path)?;
        }
        Ok(())
    }

    fn remove(&mut self, path: &str) -> io::Result<()> {
        let place = self.out.join(path);
        let kept = self.staging.path().join("old").join(path);
        if let Some(parent) = kept.parent() {
            fs::create_dir_all(parent).map_err(|error| named(parent, &error))?;
        }
        fs::rename(&place, &kept).map_err(|error| named(&place, &error))?;
        self.done.push(Step::Removed(place, kept));
        Ok(())
    }

    fn place(&mut self, path: &str) -> io::Result<()> {
        let place = self.out.join(path);
        if let Some(parent) = place.parent() {
            make_folder(parent, &mut self.made)?;
        }
        let staged = self.staging.path().join("new").join(path);
        fs::rename(&staged, &place).map_err(|error| named(&place, &error))?;
        self.done.push(Step::Placed(place));
        Ok(())
    }

    /// Takes every step back, last one first. What fails here cannot be helped; the first error is reported.
    fn undo(&mut self) {
        for step in self.done.drain(..).rev() {
            let _ = match step {
                Step::Placed(place) => fs::remove_file(place),
                Step::Removed(place, kept) => fs::rename(kept, place),
            };
        }
        let _ = fs::remove_dir_all(self.staging.path());
        remove_folders(&self.made);
        self.made.clear();
    }
}

fn write_file(place: &Path, contents: &str) -> io::Result<()> {
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).map_err(|error| named(parent, &error))?;
    }
    fs::write(place, contents).map_err(|error| named(place, &error))
}

/// Makes a folder and those above it, and notes which ones were not there.
fn make_folder(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut absent = Vec::new();
    let mut current = Some(folder);
    while let Some(path) = current {
        if path.as_os_str().is_empty() || path.exists() {
            break;
        }
        absent.push(path);
        current = path.parent();
    }
    for path in absent.into_iter().rev() {
        fs::create_dir(path).map_err(|error| named(path, &error))?;
        made.push(path.to_path_buf());
    }
    Ok(())
}

fn remove_folders(made: &[PathBuf]) {
    for folder in made.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

/// Removes the folders that a removed file leaves empty, never the output folder itself.
fn remove_empty_parents(out: &Path, path: &str) {
    let mut folder = Path::new(path).parent();
    while let Some(relative) = folder.filter(|relative| !relative.as_os_str().is_empty()) {
        if fs::remove_dir(out.join(relative)).is_err() {
            break;
        }
        folder = relative.parent();
    }
}
