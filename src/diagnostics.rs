//! Problems found in the input: collected as values, sorted by place, all shown in one run.

mod render;

use std::collections::{BTreeMap, HashSet};

use indexmap::IndexMap;
use serde::Serialize;

pub use render::{Color, MessageFormat, Renderer};

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
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
    /// The same as they were pushed: a hostile file may have a hundred thousand faults.
    seen: HashSet<Diagnostic>,
    /// Source lines for the renderer, by file, line and column: the texts themselves do not outlive a failed load.
    excerpts: BTreeMap<(String, usize, usize), Excerpt>,
}

/// The part of a source line that is shown below a diagnostic.
#[derive(Clone, Debug)]
struct Excerpt {
    /// The text, without line break.
    text: String,
    /// Where in it the diagnostic points, counted in characters from 0.
    column: usize,
    /// Characters of the line before the text.
    n_skipped: usize,
}

impl Excerpt {
    /// Whether the text starts where the line does.
    fn is_whole_line(&self) -> bool {
        self.n_skipped == 0
    }
}

/// Characters shown before and after a place: a minified document is one line.
const EXCERPT_REACH: usize = 90;

impl Diagnostics {
    /// Adds a problem; an exact repetition is dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.seen.insert(diagnostic.clone()) {
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
        self.add(
            Severity::Error,
            code,
            location,
            (message.into(), help.into()),
        );
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
            (message.into(), help.into()),
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
        self.add(
            Severity::Note,
            code,
            location,
            (message.into(), help.into()),
        );
    }

    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        location: Location,
        (message, help): (String, String),
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

    /// Keeps the source line of every located problem, for the renderer.
    pub fn excerpt(&mut self, sources: &IndexMap<String, String>) {
        for (file, text) in sources {
            let mut places = self
                .items
                .iter()
                .filter_map(|item| item.location.as_ref())
                .filter(|location| location.file == *file)
                .filter_map(|location| location.line.zip(location.column))
                .peekable();
            if places.peek().is_none() {
                continue;
            }
            let starts: Vec<usize> = std::iter::once(0)
                .chain(text.match_indices('\n').map(|(i, _)| i + 1))
                .collect();
            for (line, column) in places {
                if let Some(excerpt) = cut(text, &starts, line, column) {
                    self.excerpts.insert((file.clone(), line, column), excerpt);
                }
            }
        }
    }

    /// The source line of a problem.
    fn excerpt_of(&self, location: &Location) -> Option<&Excerpt> {
        let key = (location.file.clone(), location.line?, location.column?);
        self.excerpts.get(&key)
    }

    /// Fills lines and columns by asking `find` for (file, pointer), then sorts by place.
    pub fn locate(&mut self, mut find: impl FnMut(&str, &str) -> Option<(usize, usize)>) {
        for location in self
            .items
            .iter_mut()
            .filter_map(|item| item.location.as_mut())
        {
            if location.line.is_none()
                && let Some((line, column)) = find(&location.file, &location.pointer)
            {
                location.line = Some(line);
                location.column = Some(column);
            }
        }
        self.items.sort_by(|a, b| {
            place(a)
                .cmp(&place(b))
                .then_with(|| a.severity.cmp(&b.severity))
        });
    }
}

/// Cuts the excerpt for a place (counted from 1) out of a text.
fn cut(text: &str, starts: &[usize], line: usize, column: usize) -> Option<Excerpt> {
    let start = *starts.get(line.checked_sub(1)?)?;
    let line = text.get(start..)?.split('\n').next()?;
    let first = column.saturating_sub(1 + EXCERPT_REACH);
    let text: String = line
        .trim_end_matches('\r')
        .chars()
        .skip(first)
        .take(2 * EXCERPT_REACH)
        .collect();
    Some(Excerpt {
        text,
        column: column.saturating_sub(1) - first,
        n_skipped: first,
    })
}

fn place(item: &Diagnostic) -> (Option<&str>, Option<usize>, Option<usize>) {
    let location = item.location.as_ref();
    (
        location.map(|l| l.file.as_str()),
        location.and_then(|l| l.line),
        location.and_then(|l| l.column),
    )
}
