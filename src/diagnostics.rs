//! Problems found in the input: collected as values, sorted by place, all shown in one run.

mod render;

use serde::Serialize;

pub use render::{Color, MessageFormat, Renderer};

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is written.
    Error,
    /// Something is left out or repaired; the rest is written.
    Warning,
    /// Something was assumed.
    Note,
}

/// Which input file, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Location {
    /// Path as the user gave it, or relative to the overlay.
    pub file: String,
    /// JSON pointer (RFC 6901); empty for the whole file.
    pub pointer: String,
    /// Line, counted from 1; filled by [`Diagnostics::locate`].
    pub line: Option<usize>,
    /// Column in characters, counted from 1; filled by [`Diagnostics::locate`].
    pub column: Option<usize>,
}

impl Location {
    /// A place in a file by pointer; line and column follow later.
    #[must_use]
    pub fn at(file: &str, pointer: &str) -> Self {
        Self {
            file: file.to_owned(),
            pointer: pointer.to_owned(),
            line: None,
            column: None,
        }
    }

    /// A place by line and column, for files that could not be parsed.
    #[must_use]
    pub fn at_line(file: &str, line: usize, column: usize) -> Self {
        Self {
            file: file.to_owned(),
            pointer: String::new(),
            line: Some(line),
            column: Some(column),
        }
    }
}

/// One problem: where, what, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// Stable kebab-case name, listed in the README.
    pub code: &'static str,
    /// One sentence in lower case without a final period, values in backticks.
    pub message: String,
    /// Where.
    pub location: Option<Location>,
    /// What to write instead; may have several lines.
    pub help: Option<String>,
}

/// Every problem of one run.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a problem; an exact repetition is dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.items.contains(&diagnostic) {
            self.items.push(diagnostic);
        }
    }

    /// Adds an error with a place.
    pub fn error(
        &mut self,
        code: &'static str,
        location: Location,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(Severity::Error, code, location, message.into(), help.into());
    }

    /// Adds a warning with a place.
    pub fn warning(
        &mut self,
        code: &'static str,
        location: Location,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(
            Severity::Warning,
            code,
            location,
            message.into(),
            help.into(),
        );
    }

    /// Adds a note with a place.
    pub fn note(
        &mut self,
        code: &'static str,
        location: Location,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(Severity::Note, code, location, message.into(), help.into());
    }

    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        location: Location,
        message: String,
        help: String,
    ) {
        let help = (!help.is_empty()).then_some(help);
        self.push(Diagnostic {
            severity,
            code,
            message,
            location: Some(location),
            help,
        });
    }

    /// Whether anything stops the run.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.items
            .iter()
            .any(|item| item.severity == Severity::Error)
    }

    /// The problems, by file, line and column.
    #[must_use]
    pub fn items(&self) -> &[Diagnostic] {
        &self.items
    }

    /// How many problems have this severity.
    #[must_use]
    pub fn n_of(&self, severity: Severity) -> usize {
        self.items
            .iter()
            .filter(|item| item.severity == severity)
            .count()
    }

    /// Fills lines and columns by asking `find` for (file, pointer), then sorts by place.
    pub fn locate(&mut self, mut find: impl FnMut(&str, &str) -> Option<(usize, usize)>) {
        for location in self
            .items
            .iter_mut()
            .filter_map(|item| item.location.as_mut())
        {
            if location.line.is_none() {
                if let Some((line, column)) = find(&location.file, &location.pointer) {
                    location.line = Some(line);
                    location.column = Some(column);
                }
            }
        }
        self.items.sort_by(|a, b| {
            place(a)
                .cmp(&place(b))
                .then_with(|| a.severity.cmp(&b.severity))
        });
    }
}

fn place(item: &Diagnostic) -> (Option<&str>, Option<usize>, Option<usize>) {
    let location = item.location.as_ref();
    (
        location.map(|l| l.file.as_str()),
        location.and_then(|l| l.line),
        location.and_then(|l| l.column),
    )
}
