//! How diagnostics print: rustc's look for people, one JSON object per line for programs.

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Where standard error is a terminal and `NO_COLOR` is unset.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageFormat {
    /// For people.
    Human,
    /// One JSON object per line.
    Json,
}

/// Prints diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct Renderer {
    /// Colour.
    pub color: Color,
    /// Format.
    pub format: MessageFormat,
}

impl Renderer {
    /// Every diagnostic; stand-in.
    #[must_use]
    pub fn render(&self, diagnostics: &super::Diagnostics) -> String {
        let items = diagnostics.items().iter();
        items
            .map(|item| format!("{}: {}\n", item.code, item.message))
            .collect()
    }
}
