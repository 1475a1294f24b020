//! The list of what a run wrote, kept beside it so that a later run knows which files are its own.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::emit::FileSet;

/// Name of the list in the output folder.
pub(super) const MANIFEST: &str = ".oas2mcp";

const HEADER: &str = "\
# Files that oas2mcp wrote here. Do not edit: the next run replaces these and removes those it no longer makes.
";

/// The list for these files. Files written once belong to their owner and are not on it.
pub(super) fn text(files: &FileSet) -> String {
    let mut text = String::from(HEADER);
    for (path, file) in &files.files {
        if !file.is_written_once {
            text.push_str(path);
            text.push('\n');
        }
    }
    text
}

/// The files of the previous run; none when there was no run.
pub(super) fn read(out: &Path) -> io::Result<BTreeSet<String>> {
    let place = out.join(MANIFEST);
    match fs::symlink_metadata(&place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => {
            return Err(super::invalid(format!(
                "`{}` is not a file",
                place.display()
            )));
        }
        Err(error) => return Err(super::named(&place, &error)),
    }
    let text = fs::read_to_string(&place).map_err(|error| super::named(&place, &error))?;
    text.lines()
        .map(|line| line.trim_end_matches('\r'))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            if is_inside(line) {
                Ok(line.to_owned())
            } else {
                Err(super::invalid(format!(
                    "`{}` lists `{line}`, which is outside of the folder; remove that line",
                    place.display()
                )))
            }
        })
        .collect()
}

/// Whether a path is relative, has no `.` or `..` pieces and stays inside whatever the platform makes of it.
pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && path.split('/').all(|piece| {
            !matches!(piece, "" | "." | "..") && !piece.contains(['\\', ':', '\0', '\n', '\r'])
        })
}

#[cfg(test)]
mod tests {
    use super::is_inside;

    #[test]
    fn paths_stay_inside() {
        for path in ["a", "src/main.rs", ".gitignore", "docs/pt-BR/errors.md"] {
            assert!(is_inside(path), "{path}");
        }
        for path in [
            "", "/a", "../a", "a/../b", "a//b", "./a", "c:/a", "a\\b", "a/", "a\nb",
        ] {
            assert!(!is_inside(path), "{path:?}");
        }
    }
}
