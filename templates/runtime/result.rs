//! A good answer of the API → a tool result. JSON is passed on as it came, never rebuilt.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::CONTENT_TYPE;

use crate::runtime::answer::{Content, ToolResult};
use crate::runtime::hooks::ApiAnswer;
use crate::runtime::safe_text;

/// What the bytes 0x80 to 0x9F mean in windows-1252, which is what servers send that say `iso-8859-1` (WHATWG
/// Encoding, "Names and labels").
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Makes the result of a call that succeeded. `language` is the tag of the wire language.
#[must_use]
pub fn from_answer(answer: &ApiAnswer, tool: &str, language: &str) -> ToolResult {
    if answer.body.is_empty() {
        return ToolResult::text(safe_text::no_content(language));
    }
    let (media_type, charset) = media_type(answer);
    let (kind, subtype) = media_type.split_once('/').unwrap_or(("", ""));
    let data = || STANDARD.encode(&answer.body);
    let content = match (kind, subtype) {
        ("image", subtype) if subtype != "svg+xml" => Content::Image {
            mime_type: media_type.clone(),
            data: data(),
        },
        ("audio", _) => Content::Audio {
            mime_type: media_type.clone(),
            data: data(),
        },
        _ => match text(answer, kind, subtype, charset.as_deref()) {
            Some(text) => Content::Text(text),
            None => Content::Blob {
                // The API's own address would show ids and hosts; the name only has to be unique in this result.
                uri: format!("attachment://{tool}"),
                mime_type: media_type.clone(),
                data: data(),
            },
        },
    };
    ToolResult {
        content: vec![content],
        structured: None,
        is_error: false,
    }
}

fn media_type(answer: &ApiAnswer) -> (String, Option<String>) {
    let value = answer
        .headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let mut parts = value.unwrap_or("application/octet-stream").split(';');
    let media_type = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches('"').to_ascii_lowercase());
    (media_type, charset)
}

/// The body as text; none for binary media types and for bytes that are no text.
fn text(answer: &ApiAnswer, kind: &str, subtype: &str, charset: Option<&str>) -> Option<String> {
    let is_textual = kind == "text"
        || [
            "json",
            "xml",
            "yaml",
            "javascript",
            "x-ndjson",
            "csv",
            "x-www-form-urlencoded",
            "graphql",
        ]
        .contains(&subtype)
        || subtype.ends_with("+json")
        || subtype.ends_with("+xml");
    let charset = charset.unwrap_or("utf-8");
    match std::str::from_utf8(&answer.body) {
        Ok(text) if is_textual || answer.headers.get(CONTENT_TYPE).is_none() => {
            Some(text.trim_start_matches('\u{feff}').to_owned())
        }
        Err(_) if is_textual => match charset {
            "iso-8859-1" | "latin1" | "windows-1252" | "us-ascii" => {
                Some(answer.body.iter().copied().map(latin).collect())
            }
            "utf-8" | "utf8" => Some(String::from_utf8_lossy(&answer.body).into_owned()),
            // Bytes in another encoding are given as they are, not as guesses.
            _ => None,
        },
        _ => None,
    }
}

fn latin(byte: u8) -> char {
    byte.checked_sub(0x80)
        .and_then(|index| WINDOWS_1252.get(usize::from(index)))
        .copied()
        .unwrap_or(char::from(byte))
}
