//! Bytes of a file → text → JSON: encodings, JSON or YAML by content, and syntax faults with their place.

use std::path::Path;

use serde::de::DeserializeSeed;
use serde_json::Value;

use super::places;
use super::value::{DUPLICATE_KEY, Node, Syntax};

/// Larger files are refused: no API description comes near, and reading must not exhaust memory.
const MAX_BYTES: u64 = 128 * 1024 * 1024;

/// Characters of a parser's message that are shown.
const MAX_MESSAGE: usize = 160;

/// Why a text could not be parsed, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) message: String,
    pub(super) help: String,
}

/// Reads a file as text; a byte-order mark chooses the encoding and is left out.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let meta = std::fs::metadata(path).map_err(|error| reason(&error))?;
    if meta.is_dir() {
        return Err("it is a folder".to_owned());
    }
    if meta.len() > MAX_BYTES {
        return Err(format!("it is larger than {MAX_BYTES} bytes"));
    }
    let bytes = std::fs::read(path).map_err(|error| reason(&error))?;
    decode(bytes)
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.kind().to_string(),
    }
}

fn decode(bytes: Vec<u8>) -> Result<String, String> {
    match bytes.get(..3) {
        Some([0xEF, 0xBB, 0xBF]) => return utf8(bytes.get(3..).unwrap_or_default().to_vec()),
        Some([0xFF, 0xFE, _]) => return utf16(&bytes, u16::from_le_bytes),
        Some([0xFE, 0xFF, _]) => return utf16(&bytes, u16::from_be_bytes),
        _ => {}
    }
    utf8(bytes)
}

fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("it is not UTF-8 (first bad byte at offset {at})")
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let units: Vec<u16> = bytes
        .get(2..)
        .unwrap_or_default()
        .chunks_exact(2)
        .map(|pair| unit([pair[0], pair[1]]))
        .collect();
    String::from_utf16(&units).map_err(|_| "it is not UTF-16, though it begins like it".to_owned())
}

/// Parses JSON or YAML, whichever the text is.
pub(super) fn parse(text: &str) -> Result<Value, Fault> {
    let parsed = if text.trim_start().starts_with(['{', '[']) {
        parse_json(text)
    } else {
        parse_yaml(text)
    };
    parsed.map_err(|fault| with_first_place(text, fault))
}

fn parse_json(text: &str) -> Result<Value, Fault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let error = match Node::new(Syntax::Json)
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
    {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    // YAML's flow style begins like JSON; JSON that is merely broken stays broken in YAML.
    if error.is_syntax()
        && let Ok(value) = parse_yaml(text)
    {
        return Ok(value);
    }
    Err(fault(error.line(), error.column(), &error.to_string()))
}

fn parse_yaml(text: &str) -> Result<Value, Fault> {
    let reader = serde_yaml::Deserializer::from_str(text);
    Node::new(Syntax::Yaml)
        .deserialize(reader)
        .map_err(|error| {
            let message = error.to_string();
            let (line, column) = opening(&message).unwrap_or_else(|| {
                error
                    .location()
                    .map_or((1, 1), |at| (at.line(), at.column()))
            });
            fault(line, column, &message)
        })
}

/// Where what the end of the file leaves open was opened: the parser ends its sentence with that place.
fn opening(message: &str) -> Option<(usize, usize)> {
    let (_, context) = message
        .split_once("unexpected end of stream")?
        .1
        .split_once(", while ")?;
    let (line, column) = context.rsplit_once(" at line ")?.1.split_once(" column ")?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

fn fault(line: usize, column: usize, message: &str) -> Fault {
    let code = if message.contains(DUPLICATE_KEY) {
        "duplicate-key"
    } else {
        "syntax"
    };
    Fault {
        code,
        line: line.max(1),
        column: column.max(1),
        message: without_place(message),
        help: String::new(),
    }
}

/// A duplicate key is shown at its second place, with the line of its first.
fn with_first_place(text: &str, fault: Fault) -> Fault {
    if fault.code != "duplicate-key" {
        return fault;
    }
    let Some(twice) = places::first_duplicate(text) else {
        return fault;
    };
    Fault {
        line: twice.second.0,
        column: twice.second.1,
        message: format!(
            "duplicate key `{}`, first written in line {}",
            twice.key, twice.first.0
        ),
        help: "keep one of them".to_owned(),
        ..fault
    }
}

/// The parsers end their sentences, and parts of them, with the place, which is shown anyway.
fn without_place(message: &str) -> String {
    let message = match message.rfind(" at line ") {
        Some(end) => message.get(..end).unwrap_or(message),
        None => message,
    };
    let joined;
    let message = match (message.find(" at line "), message.find(", while ")) {
        (Some(start), Some(end)) if start < end => {
            joined = format!("{}{}", &message[..start], &message[end..]);
            joined.as_str()
        }
        _ => message,
    };
    let message = message.trim_end_matches('.');
    // A message may begin with the path of a deep node; its end is the reason.
    match message.char_indices().rev().nth(MAX_MESSAGE) {
        Some((start, _)) => format!("…{}", message.get(start..).unwrap_or(message)),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_both_syntaxes() {
        for (text, want) in [
            ("{\"a\": 1}", json!({"a": 1})),
            ("{a: 1, b: [x,],}", json!({"a": 1, "b": ["x"]})),
            (
                "a: 1\r\nb:\r\n  200: x\r\n",
                json!({"a": 1, "b": {"200": "x"}}),
            ),
            ("true: on\nnull: 01\n", json!({"true": "on", "null": "01"})),
            (
                "x: &x {p: 1, q: 2}\ny:\n  <<: *x\n  q: 3\n",
                json!({"x": {"p": 1, "q": 2}, "y": {"q": 3, "p": 1}}),
            ),
            (
                "a: &a {p: 1}\nb: &b {p: 2, r: 5}\nc: {<<: [*a, *b]}\n",
                json!({"a": {"p": 1}, "b": {"p": 2, "r": 5}, "c": {"p": 1, "r": 5}}),
            ),
            (
                "n: -9223372036854776000",
                json!({"n": -9223372036854776000.0}),
            ),
            ("{\"<<\": {\"a\": 1}}", json!({"<<": {"a": 1}})),
        ] {
            assert_eq!(parse(text).unwrap(), want, "{text}");
        }
    }

    #[test]
    fn faults_have_a_place() {
        for (text, line, column, part) in [
            (
                "{\n  \"a\": 1,\n  \"a\": 2\n}",
                3,
                3,
                "duplicate key `a`, first written in line 2",
            ),
            (
                "p:\n  200: x\n  '200': y\n",
                3,
                3,
                "duplicate key `200`, first written in line 2",
            ),
            ("a:\n  - .inf\n", 2, 5, "not a finite number"),
            ("{\"a\": [1, 2}", 1, 12, "expected"),
            ("a:\n\tb: 1\n", 2, 1, ""),
            ("a: 1\nb: \"open\nc: 2\n", 2, 4, "end of stream, while"),
        ] {
            let fault = parse(text).unwrap_err();
            assert_eq!(
                (fault.line, fault.column),
                (line, column),
                "{text}: {fault:?}"
            );
            assert!(fault.message.contains(part), "{fault:?}");
        }
    }

    #[test]
    fn depth_and_aliases_are_bounded() {
        let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
        assert!(parse(&deep).is_err());
        let deep = format!("a: {deep}");
        assert!(parse(&deep).is_err());
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..10 {
            let one = format!("*a{}", i - 1);
            bomb += &format!("a{i}: &a{i} [{}]\n", vec![one; 9].join(", "));
        }
        assert!(parse(&bomb).is_err());
    }

    #[test]
    fn encodings() {
        let text = "{\"é\": 1}";
        let le: Vec<u8> = [0xFF, 0xFE]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(decode(le).unwrap(), text);
        assert_eq!(
            decode(format!("\u{feff}{text}").into_bytes()).unwrap(),
            text
        );
        assert!(decode(vec![b'a', 0xFF]).is_err());
    }
}
