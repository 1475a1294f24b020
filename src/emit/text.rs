//! Template and values → text: the one template environment, and its filters, which quote and do nothing else.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;

use super::EmitError;

/// Renders one template. `file` is the path of the file being made; it is named where the template is wrong.
///
/// # Errors
/// When the template does not parse or asks for a value that is not there: a fault of the generator.
pub fn render(file: &str, source: &str, values: impl Serialize) -> Result<String, EmitError> {
    let environment = environment(file)?;
    environment
        .render_named_str(file, source, Value::from(Serde(values)))
        .map_err(|error| fault(file, &error))
}

fn environment(file: &str) -> Result<Environment<'static>, EmitError> {
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()
        .map_err(|error| fault(file, &error))?;
    let mut environment = Environment::new();
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // Names such as `Cargo.toml.j2` would switch escaping on by themselves.
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.add_filter("cell", |text: &str| cell(text));
    environment.add_filter("prose", |text: &str| prose(text));
    environment.add_filter("code", |text: &str| code(text));
    environment.add_filter("toml", |text: &str| toml(text));
    environment.add_filter("json", |text: &str| json(text));
    environment.add_filter("rust", |text: &str| rust(text));
    Ok(environment)
}

fn fault(file: &str, error: &minijinja::Error) -> EmitError {
    EmitError {
        file: file.to_owned(),
        reason: format!("{error:#}"),
    }
}

/// Text as one line of Markdown that is safe in a table cell.
///
/// Nothing in it becomes markup, except that a pair of single backticks makes a code span, as authors expect.
#[must_use]
pub fn cell(text: &str) -> String {
    let line = one_line(text);
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(start) = rest.find('`') {
        push_escaped(&mut out, &rest[..start]);
        rest = &rest[start..];
        if let Some((span, after)) = code_span(rest) {
            out.push_str(&code(span));
            rest = after;
        } else {
            let run = rest.len() - rest.trim_start_matches('`').len();
            out.push_str(&"\\`".repeat(run));
            rest = &rest[run..];
        }
    }
    push_escaped(&mut out, rest);
    out
}

/// Text as Markdown paragraphs: blank lines divide them, and nothing in it becomes a heading, list or table.
#[must_use]
pub fn prose(text: &str) -> String {
    let unix = text.replace("\r\n", "\n");
    let mut paragraphs: Vec<String> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for line in unix.split('\n').chain([""]) {
        if !line.trim().is_empty() {
            lines.push(line);
        } else if !lines.is_empty() {
            paragraphs.push(without_block_marker(cell(&lines.join(" "))));
            lines.clear();
        }
    }
    paragraphs.join("\n\n")
}

/// Any text as an inline code span, in prose and in table cells alike.
#[must_use]
pub fn code(text: &str) -> String {
    let line = one_line(text);
    if line.is_empty() {
        return String::new();
    }
    if !line.contains(['`', '|']) {
        return format!("`{line}`");
    }
    // A bar divides cells even inside backticks, and a backslash before it shows outside tables: spell both out.
    let mut out = String::from("<code>");
    for character in line.chars() {
        if character.is_ascii_punctuation() {
            out.push_str(&format!("&#{};", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out.push_str("</code>");
    out
}

/// A TOML basic string.
#[must_use]
pub fn toml(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other if other.is_control() || reorders(other) => {
                out.push_str(&format!("\\u{:04X}", u32::from(other)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// A JSON string.
#[must_use]
pub fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A Rust string literal.
#[must_use]
pub fn rust(text: &str) -> String {
    format!("{text:?}")
}

/// JSON for a file that people read: what would reorder its lines on their screen is written as an escape.
#[must_use]
pub fn readable_json(json: &str) -> String {
    // Such a character can stand within a string alone.
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if reorders(character) {
            out.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out
}

/// Whether a character changes the direction of the text around it, so that a line reads as something else.
fn reorders(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// White space runs, control characters and marks of direction as one space each.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control() || reorders(c))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The content of a code span at the start of the text and what follows it; none for runs of several backticks.
fn code_span(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('`')?;
    let end = inside.find('`')?;
    let after = &inside[end + 1..];
    let span = inside[..end].trim();
    (!span.is_empty() && !after.starts_with('`')).then_some((span, after))
}

fn push_escaped(out: &mut String, text: &str) {
    let mut characters = text.chars().peekable();
    let mut before = out.chars().last();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' if next.is_some_and(|c| c == '#' || c.is_ascii_alphabetic()) => {
                out.push_str("&amp;");
            }
            '\\' | '|' | '*' | '[' | ']' | '~' => out.extend(['\\', character]),
            // Between letters an underscore is an underscore: codes stay readable in the source.
            '_' if !(is_word(before) && is_word(next)) => out.push_str("\\_"),
            other => out.push(other),
        }
        before = Some(character);
    }
}

fn is_word(character: Option<char>) -> bool {
    character.is_some_and(char::is_alphanumeric)
}

/// Keeps the first characters of a paragraph from opening a heading, quote, list or rule.
fn without_block_marker(line: String) -> String {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 && line[digits..].starts_with(['.', ')']) {
        let (number, rest) = line.split_at(digits);
        return format!("{number}\\{rest}");
    }
    if line.starts_with(['#', '-', '+', '=', ':']) {
        return format!("\\{line}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_text_and_no_markup() {
        for (input, expected) in [
            ("a | b", r"a \| b"),
            ("a\nb\r\n\r\n| c", r"a b \| c"),
            (
                "<script>alert(1)</script>",
                "&lt;script&gt;alert(1)&lt;/script&gt;",
            ),
            ("![x](http://e)", r"!\[x\](http://e)"),
            ("*b* _i_ ~s~", r"\*b\* \_i\_ \~s\~"),
            ("insufficient_scope", "insufficient_scope"),
            ("see `details`.", "see `details`."),
            ("one ` only", r"one \` only"),
            ("```sh", r"\`\`\`sh"),
            ("`a|b`", "<code>a&#124;b</code>"),
            ("&lt; R&D a & b", "&amp;lt; R&amp;D a & b"),
            (r"tail \", r"tail \\"),
            ("{{ x }} {% y %}", "{{ x }} {% y %}"),
            ("", ""),
            ("a\u{7}\u{0}b", "a b"),
        ] {
            assert_eq!(cell(input), expected, "{input:?}");
        }
    }

    #[test]
    fn paragraphs_open_no_block() {
        for (input, expected) in [
            ("# a", r"\# a"),
            ("- a", r"\- a"),
            ("---", r"\---"),
            ("1. a", r"1\. a"),
            ("409 codes", "409 codes"),
            ("> a", "&gt; a"),
            ("    a\nb\n\n\n+ c", "a b\n\n\\+ c"),
            ("é: ação", "é: ação"),
        ] {
            assert_eq!(prose(input), expected, "{input:?}");
        }
    }

    #[test]
    fn code_spans_take_anything() {
        for (input, expected) in [
            ("not_found", "`not_found`"),
            ("a`b", "<code>a&#96;b</code>"),
            ("a|b", "<code>a&#124;b</code>"),
            ("<b>\n", "`<b>`"),
            ("", ""),
        ] {
            assert_eq!(code(input), expected, "{input:?}");
        }
    }

    #[test]
    fn literals_read_back_as_the_same_text() {
        for text in ["a\"b\\c\n\t\r", "\u{1}\u{7f}\u{85}é {{ x }} 🙂", "", "'''"] {
            let from_json: String = serde_json::from_str(&json(text)).expect("JSON");
            let from_rust: syn::LitStr = syn::parse_str(&rust(text)).expect("Rust");
            assert_eq!(from_json, text);
            assert_eq!(from_rust.value(), text);
        }
        assert_eq!(toml("a\"\\\n\u{1}\u{7f}é"), r#""a\"\\\n\u0001\u007Fé""#);
    }

    #[test]
    fn templates_are_strict_and_keep_their_last_line_end() {
        let values = serde_json::json!({"items": ["a|b"], "name": "<x>"});
        let source = "{% for item in items %}\n| {{ item | cell }} |\n{% endfor %}\n{{ name }}\n";
        let text = render("x.html", source, &values).expect("renders");
        assert_eq!(text, "| a\\|b |\n<x>\n");
        let error = render("x.md", "{{ missing }}", &values).expect_err("strict");
        assert_eq!(error.file, "x.md");
        assert!(error.reason.contains("undefined"), "{}", error.reason);
    }
}
