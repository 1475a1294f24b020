//! How diagnostics print: rustc's look for people, one JSON object per line for programs.

use std::io::IsTerminal;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Snippet};
use serde_json::json;

use super::{Diagnostic, Diagnostics, Excerpt, Location, Severity};

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
    /// Every diagnostic, in order, each with a final line break; the empty string when there is none.
    ///
    /// Source lines are shown where [`Diagnostics::excerpt`] kept them.
    #[must_use]
    pub fn render(&self, diagnostics: &Diagnostics) -> String {
        let mut out = String::new();
        for item in diagnostics.items() {
            match self.format {
                MessageFormat::Human => {
                    out.push_str(&self.human(item, diagnostics));
                    out.push_str("\n\n");
                }
                MessageFormat::Json => {
                    out.push_str(&json_line(item));
                    out.push('\n');
                }
            }
        }
        out
    }

    fn human(&self, item: &Diagnostic, diagnostics: &Diagnostics) -> String {
        let renderer = if self.has_color() {
            annotate_snippets::Renderer::styled()
        } else {
            annotate_snippets::Renderer::plain()
        }
        .decor_style(DecorStyle::Ascii)
        .term_width(200);
        let mut group: Group<'_> = level(item.severity)
            .primary_title(clean(&item.message))
            .id(item.code)
            .elements(std::iter::empty::<Element<'_>>());
        if let Some(location) = &item.location {
            group = at(group, location, diagnostics.excerpt_of(location));
        }
        if let Some(help) = &item.help {
            // One message, so that lines to be copied do not begin with our own words.
            let lines: Vec<String> = help.lines().map(clean).collect();
            group = group.element(Level::HELP.message(lines.join("\n")));
        }
        renderer.render(&[group])
    }

    fn has_color(&self) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stderr().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}

fn at<'a>(mut group: Group<'a>, location: &'a Location, excerpt: Option<&'a Excerpt>) -> Group<'a> {
    let file = clean(&location.file);
    group = match excerpt.zip(location.line) {
        Some((excerpt, line)) => {
            let snippet = snippet(excerpt, line);
            if excerpt.is_whole_line() {
                group.element(snippet.path(file))
            } else {
                // The column in a window is not the column in the file.
                group.element(origin(file, location)).element(snippet)
            }
        }
        None => group.element(origin(file, location)),
    };
    if !location.pointer.is_empty() {
        group = group.element(Level::NOTE.message(format!("at #{}", clean(&location.pointer))));
    }
    group
}

fn origin<'a>(file: String, location: &Location) -> Origin<'a> {
    let origin = Origin::path(file);
    match location.line.zip(location.column) {
        Some((line, column)) => origin.line(line).char_column(column),
        None => origin,
    }
}

fn snippet<'a>(excerpt: &Excerpt, line: usize) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let part = |from: usize, n: usize| -> String {
        clean(&excerpt.text.chars().skip(from).take(n).collect::<String>())
    };
    let before = part(0, excerpt.column);
    let rest = part(excerpt.column, usize::MAX);
    let start = before.len();
    let end = start + token(&rest);
    Snippet::source(before + &rest)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(start..end))
}

/// Length in bytes of the key or value at the start of a text.
fn token(text: &str) -> usize {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let end = match quote {
        Some(quote) => text
            .char_indices()
            .skip(1)
            .find(|(_, c)| *c == quote)
            .map(|(i, _)| i + 1),
        None => text
            .find(": ")
            .or_else(|| text.strip_suffix(':').map(str::len))
            .or_else(|| text.find([',', '}', ']'])),
    };
    end.unwrap_or_else(|| text.trim_end().len()).min(text.len())
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

fn json_line(item: &Diagnostic) -> String {
    let location = item.location.as_ref();
    json!({
        "severity": item.severity,
        "code": item.code,
        "message": item.message,
        "file": location.map(|location| &location.file),
        "line": location.and_then(|location| location.line),
        "column": location.and_then(|location| location.column),
        "pointer": location.map(|location| &location.pointer),
        "help": item.help,
    })
    .to_string()
}

/// Input must not move the cursor, colour or reorder a terminal: such characters are shown as `�`, a tab as a space.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' | '\n' => ' ',
            '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' => {
                '\u{FFFD}'
            }
            '\u{FEFF}' => '\u{FFFD}',
            c if c.is_control() => '\u{FFFD}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;

    fn sample() -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(
            "unknown-key",
            Location::at("a/overlay.yaml", "/tols"),
            "unknown key `tols\u{1b}[31m`",
            "did you mean `tools`?\nkeys here: `tools`",
        );
        diagnostics.note("assumed", Location::at("x.json", ""), "something", "");
        diagnostics.locate(|file, _| (file == "a/overlay.yaml").then_some((2, 1)));
        diagnostics.excerpt(&IndexMap::from([(
            "a/overlay.yaml".to_owned(),
            "overlay: 1\ntols: {\u{1b}}\n".to_owned(),
        )]));
        diagnostics
    }

    #[test]
    fn human_and_plain() {
        let renderer = Renderer {
            color: Color::Never,
            format: MessageFormat::Human,
        };
        let want = "\
error[unknown-key]: unknown key `tols\u{FFFD}[31m`
 --> a/overlay.yaml:2:1
  |
2 | tols: {\u{FFFD}}
  | ^^^^
  |
  = note: at #/tols
  = help: did you mean `tools`?
          keys here: `tools`

note[assumed]: something
--> x.json

";
        let mut got = renderer.render(&sample());
        // The one without a place comes last in this comparison.
        if let Some(i) = got.find("error[") {
            got = format!("{}{}", &got[i..], &got[..i]);
        }
        assert_eq!(got, want);
    }

    #[test]
    fn json_lines() {
        let renderer = Renderer {
            color: Color::Never,
            format: MessageFormat::Json,
        };
        let got = renderer.render(&sample());
        assert_eq!(got.lines().count(), 2);
        for line in got.lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert!(value["code"].is_string());
            assert!(!line.contains('\u{1b}'));
        }
        assert!(
            got.contains("\"line\":2,\"column\":1,\"pointer\":\"/tols\""),
            "{got}"
        );
    }
}
