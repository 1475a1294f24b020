#![doc = include_str!("ARCHITECTURE.md")]

pub mod diagnostics;
pub mod emit;
pub mod load;
pub mod lower;
pub mod model;
pub mod overlay;
pub mod plan;
pub mod write;

use std::path::Path;

use diagnostics::{Diagnostic, Diagnostics, Location, Severity};
use emit::FileSet;
use load::Inputs;
use plan::{Server, Sources};

/// The Rust of `README.md` is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// What came of one run, in memory: nothing is written yet.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Every problem, located and in order.
    pub diagnostics: Diagnostics,
    /// What was read; none when it could not be.
    pub inputs: Option<Inputs>,
    /// The server; none when an error stands in its way.
    pub server: Option<Server>,
    /// Its crate; none when an error stands in its way.
    pub files: Option<FileSet>,
}

impl Outcome {
    /// Writes the crate, as [`write::write`] does.
    ///
    /// # Errors
    /// When an error stands in the way of the crate, or it cannot be written; nothing is written then.
    pub fn write(&self, out: &Path) -> std::io::Result<write::Drift> {
        match &self.files {
            Some(files) => write::write(out, files),
            None => Err(std::io::Error::other(self.first_error())),
        }
    }

    fn first_error(&self) -> String {
        let mut items = self.diagnostics.items().iter();
        let error = items.find(|item| item.severity == Severity::Error);
        error.map_or_else(
            || "nothing was generated".to_owned(),
            |item| item.message.clone(),
        )
    }
}

/// Reads an overlay, or an OpenAPI document alone, and makes the server's crate from it, in memory.
///
/// The command line, the tests and a `build.rs` all go through here; `README.md` shows the last.
#[must_use]
pub fn generate(path: &Path) -> Outcome {
    let mut outcome = plan_server(path);
    if let Some(server) = &outcome.server {
        match emit::emit(server) {
            Ok(files) => outcome.files = Some(files),
            Err(error) => {
                let problem = fault(&error.to_string());
                outcome.diagnostics.push(problem);
                outcome.server = None;
            }
        }
    }
    outcome
}

/// As [`generate`], without the texts of the crate.
#[must_use]
pub fn plan_server(path: &Path) -> Outcome {
    let mut outcome = Outcome::default();
    let diagnostics = &mut outcome.diagnostics;
    if let Some(inputs) = load::load(diagnostics, path) {
        let server = plan_inputs(diagnostics, &inputs);
        locate(diagnostics, &inputs);
        outcome.server = (!diagnostics.has_errors()).then_some(server);
        outcome.inputs = Some(inputs);
    } else if !diagnostics.has_errors() {
        diagnostics.push(fault(&format!("`{}` cannot be read", path.display())));
    }
    outcome
}

fn plan_inputs(diagnostics: &mut Diagnostics, inputs: &Inputs) -> Server {
    let api = lower::lower(diagnostics, &inputs.document);
    let translations = inputs
        .translations
        .iter()
        .map(|(locale, document)| (locale.clone(), lower::lower(diagnostics, document)))
        .collect();
    let sources = Sources {
        api: &api,
        document_file: &inputs.document.file,
        translations: &translations,
        overlay: inputs.overlay.as_ref(),
    };
    plan::plan(diagnostics, sources)
}

/// The one place that asks the inputs where things stand.
fn locate(diagnostics: &mut Diagnostics, inputs: &Inputs) {
    inputs.locate(diagnostics);
}

fn fault(message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "not-generated",
        message: message.to_owned(),
        location: None::<Location>,
        help: None,
    }
}
