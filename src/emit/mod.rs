//! Server → FileSet: the text of every emitted file, in memory. Decides nothing.

pub mod assets;
mod catalog;
mod credential;
pub mod docs;
mod examples;
mod policy;
mod registry;
mod requests;
pub mod text;
mod tokens;
mod tools;
mod view;

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

impl FileSet {
    fn add(&mut self, path: &str, contents: String) {
        let file = File {
            contents,
            is_written_once: false,
        };
        self.files.insert(path.to_owned(), file);
    }
}

/// Why a server could not be written; always a fault of the generator.
#[derive(Debug)]
pub struct EmitError {
    /// Path of the file that could not be made.
    pub file: String,
    /// What was wrong with it.
    pub reason: String,
}

impl std::fmt::Display for EmitError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.file, self.reason)
    }
}

impl std::error::Error for EmitError {}

/// Renders every file of the crate.
///
/// # Errors
/// When a rendered Rust file does not parse: a fault of the generator, never of the input.
pub fn emit(server: &Server) -> Result<FileSet, EmitError> {
    refuse_odd_name(&server.crate_name)?;
    let pages = docs::render_pages(server)?;
    let mut set = FileSet::default();
    let values = view::values(server, &pages);
    for (path, template) in assets::CRATE {
        set.add(path, text::render(path, template, &values)?);
    }
    for (name, contents) in assets::RUNTIME {
        set.add(&format!("src/runtime/{name}"), (*contents).to_owned());
    }
    set.add("src/catalog.rs", catalog::render(server, &pages)?);
    set.add("src/registry.rs", registry::render(server)?);
    set.add("tests/requests.json", requests::render(server));
    let hooks = File {
        contents: text::render("src/hooks.rs", assets::HOOKS, &values)?,
        is_written_once: true,
    };
    set.files.insert("src/hooks.rs".to_owned(), hooks);
    for (path, page) in pages {
        set.add(&path, page);
    }
    refuse_broken_rust(&set)?;
    Ok(set)
}

/// Renders the published pages alone.
///
/// # Errors
/// When a template is wrong: a fault of the generator, never of the input.
pub fn emit_pages(server: &Server) -> Result<FileSet, EmitError> {
    let mut set = FileSet::default();
    for (path, page) in docs::render_pages(server)? {
        let path = path.strip_prefix("docs/").unwrap_or(&path).to_owned();
        set.add(&path, page);
    }
    Ok(set)
}

/// The name goes into paths and commands as it stands, so `plan` must have made a package name of it.
fn refuse_odd_name(name: &str) -> Result<(), EmitError> {
    let is_fine = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name
            .chars()
            .all(|other| other.is_ascii_alphanumeric() || matches!(other, '-' | '_'));
    if is_fine {
        return Ok(());
    }
    Err(EmitError {
        file: "Cargo.toml".to_owned(),
        reason: format!("`{name}` is no name of a package"),
    })
}

fn refuse_broken_rust(set: &FileSet) -> Result<(), EmitError> {
    let copies = |path: &str| path.starts_with("src/runtime/");
    for (path, file) in &set.files {
        if path.ends_with(".rs") && !copies(path) {
            syn::parse_file(&file.contents).map_err(|error| EmitError {
                file: path.clone(),
                reason: error.to_string(),
            })?;
        }
    }
    Ok(())
}
