//! Parameter styles: a JSON value → path, query, header or cookie text (OpenAPI 3.1.1, "Style Values").
//!
//! Numbers are written with the digits that the client sent.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::value::RawValue;

use crate::runtime::catalog::Style;
use crate::runtime::json_text::Members;

/// Everything but the unreserved characters of RFC 3986, 2.3.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// What stays encoded under `allowReserved`: whatever would end a pair, a key or the query itself.
const DELIMITERS: &AsciiSet = &RESERVED
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';');

/// The same within a list that commas join.
const DELIMITERS_AND_COMMA: &AsciiSet = &DELIMITERS.add(b',');

/// How a parameter is written.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// Name on the wire.
    pub name: &'a str,
    /// Style.
    pub style: Style,
    /// One pair per element.
    pub explode: bool,
    /// Whether reserved characters stay; query only.
    pub allow_reserved: bool,
}

/// Why a value cannot be written; a sentence that follows the argument's name.
pub type Refusal = &'static str;

/// A value without its JSON syntax: what styles distinguish.
enum Plain<'a> {
    Null,
    Scalar(String),
    List(Vec<Part<'a>>),
    Object(Vec<(String, Part<'a>)>),
}

/// An item of a list or a member of an object: only `deepObject` looks inside.
struct Part<'a> {
    text: String,
    value: &'a RawValue,
}

impl<'a> Part<'a> {
    fn new(value: &'a RawValue) -> Self {
        Self {
            text: scalar_text(value),
            value,
        }
    }

    fn is_defined(&self) -> bool {
        self.value.get() != "null"
    }
}

impl<'a> Plain<'a> {
    fn from_json(value: &'a RawValue) -> Self {
        let text = value.get();
        match text.as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b'[') => {
                let items: Vec<&'a RawValue> = serde_json::from_str(text).unwrap_or_default();
                Self::List(items.into_iter().map(Part::new).collect())
            }
            Some(b'{') => {
                let members: Members<'a> = serde_json::from_str(text).unwrap_or_default();
                let members = members.0.into_iter();
                Self::Object(
                    members
                        .map(|(key, value)| (key, Part::new(value)))
                        .collect(),
                )
            }
            _ => Self::Scalar(scalar_text(value)),
        }
    }

    /// Without `null` inside, which counts as undefined (RFC 6570, 2.3 and 3.2.1).
    fn defined(value: &'a RawValue) -> Self {
        let mut plain = Self::from_json(value);
        match &mut plain {
            Self::List(items) => items.retain(Part::is_defined),
            Self::Object(members) => members.retain(|(_, part)| part.is_defined()),
            Self::Null | Self::Scalar(_) => {}
        }
        plain
    }

    /// Refuses parts that hold the character between parts where it cannot be told from it once decoded.
    fn check_joint(&self, joint: char, refusal: Refusal) -> Result<(), Refusal> {
        let is_clear = match self {
            Self::Null | Self::Scalar(_) => true,
            Self::List(items) => items.iter().all(|item| !item.text.contains(joint)),
            Self::Object(members) => members
                .iter()
                .all(|(key, part)| !key.contains(joint) && !part.text.contains(joint)),
        };
        if is_clear { Ok(()) } else { Err(refusal) }
    }
}

/// A string's content, a number's digits, and the JSON text of anything deeper.
fn scalar_text(value: &RawValue) -> String {
    let text = value.get().trim();
    match text.as_bytes().first() {
        Some(b'"') => serde_json::from_str(text).unwrap_or_default(),
        Some(b'n') => String::new(),
        _ => text.to_owned(),
    }
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// The text of a path segment.
///
/// # Errors
/// An empty value, a control character, or a `.` or `..` segment in any decoded form: each would name another address
/// than the tool's (RFC 3986, 5.2.4).
pub fn path(form: Form<'_>, value: &RawValue) -> Result<String, Refusal> {
    let plain = Plain::from_json(value);
    check_path(&plain)?;
    if form.style == Style::Label && form.explode {
        plain.check_joint(
            '.',
            "must not hold `.` within a part, since it separates parts",
        )?;
    }
    let pairs = |members: &[(String, Part<'_>)], joint: &str| -> Vec<String> {
        members
            .iter()
            .map(|(key, part)| format!("{}{joint}{}", encode(key), encode(&part.text)))
            .collect()
    };
    let name = encode(form.name);
    let items = |items: &[Part<'_>]| -> Vec<String> {
        items.iter().map(|item| encode(&item.text)).collect()
    };
    Ok(match (form.style, plain) {
        (Style::Json, _) => encode(value.get()),
        (Style::Label, Plain::Scalar(text)) => format!(".{}", encode(&text)),
        (Style::Label, Plain::List(list)) => format!(
            ".{}",
            items(&list).join(if form.explode { "." } else { "," })
        ),
        (Style::Label, Plain::Object(members)) if form.explode => {
            format!(".{}", pairs(&members, "=").join("."))
        }
        (Style::Label, Plain::Object(members)) => format!(".{}", pairs(&members, ",").join(",")),
        (Style::Matrix, Plain::Scalar(text)) => format!(";{name}={}", encode(&text)),
        (Style::Matrix, Plain::List(list)) if form.explode => items(&list)
            .iter()
            .map(|item| format!(";{name}={item}"))
            .collect(),
        (Style::Matrix, Plain::List(list)) => format!(";{name}={}", items(&list).join(",")),
        (Style::Matrix, Plain::Object(members)) if form.explode => {
            format!(";{}", pairs(&members, "=").join(";"))
        }
        (Style::Matrix, Plain::Object(members)) => {
            format!(";{name}={}", pairs(&members, ",").join(","))
        }
        (_, Plain::Scalar(text)) => encode(&text),
        (_, Plain::List(list)) => items(&list).join(","),
        (_, Plain::Object(members)) if form.explode => pairs(&members, "=").join(","),
        (_, Plain::Object(members)) => pairs(&members, ",").join(","),
        (_, Plain::Null) => String::new(),
    })
}

fn check_path(plain: &Plain<'_>) -> Result<(), Refusal> {
    match plain {
        Plain::Null => Err("must not be null"),
        Plain::Scalar(text) => check_segment(text),
        Plain::List(items) if items.is_empty() => Err("must not be empty"),
        Plain::List(items) => items.iter().try_for_each(|item| check_segment(&item.text)),
        Plain::Object(members) if members.is_empty() => Err("must not be empty"),
        Plain::Object(members) => members.iter().try_for_each(|(key, part)| {
            check_segment(key).and_then(|()| check_segment(&part.text))
        }),
    }
}

fn check_segment(text: &str) -> Result<(), Refusal> {
    if text.is_empty() {
        return Err("must not be empty");
    }
    let mut form = Cow::Borrowed(text);
    // A proxy before the API may decode once more than it should, so three layers are looked at.
    for _ in 0..3 {
        if form.chars().any(char::is_control) {
            return Err("must not hold control characters");
        }
        if form.split(['/', '\\']).any(is_dot_segment) {
            return Err("must not hold `.` or `..` as a path segment");
        }
        if !form.contains('%') {
            break;
        }
        let decoded = percent_decode_str(&form).decode_utf8_lossy().into_owned();
        form = Cow::Owned(decoded);
    }
    Ok(())
}

/// Servlet containers cut `;…` off a segment before they resolve it.
fn is_dot_segment(segment: &str) -> bool {
    matches!(segment.split(';').next(), Some("." | ".."))
}

/// Encoded `name=value` pairs of a query; none for `null` and for an empty exploded value.
///
/// # Errors
/// A part of a list that holds the separator of its style.
pub fn query(form: Form<'_>, value: &RawValue) -> Result<Vec<String>, Refusal> {
    let name = encode(form.name);
    let written = |text: &str| encode_value(text, form.allow_reserved);
    let pair = |value: &str| format!("{name}={}", written(value));
    if form.style == Style::Json {
        return Ok(vec![pair(value.get())]);
    }
    let plain = Plain::defined(value);
    Ok(match plain {
        Plain::Null => Vec::new(),
        Plain::Scalar(text) => vec![pair(&text)],
        Plain::List(items) if form.explode || form.style == Style::DeepObject => {
            items.iter().map(|item| pair(&item.text)).collect()
        }
        Plain::Object(members) if form.style == Style::DeepObject => {
            let mut pairs = Vec::new();
            deep_pairs(&mut pairs, form, form.name, members);
            pairs
        }
        Plain::Object(members) if form.explode => members
            .iter()
            .map(|(key, part)| format!("{}={}", encode(key), written(&part.text)))
            .collect(),
        joined => vec![format!("{name}={}", join(form, &joined)?)],
    })
}

/// The parts of a list or object in one value.
fn join(form: Form<'_>, plain: &Plain<'_>) -> Result<String, Refusal> {
    let joint = match form.style {
        Style::SpaceDelimited => {
            plain.check_joint(
                ' ',
                "must not hold a space within a part, since it separates parts",
            )?;
            "%20"
        }
        Style::PipeDelimited => {
            plain.check_joint(
                '|',
                "must not hold `|` within a part, since it separates parts",
            )?;
            "%7C"
        }
        _ => ",",
    };
    let written = |text: &str| match form.allow_reserved {
        true if joint == "," => encode_reserved(text, DELIMITERS_AND_COMMA),
        is_reserved => encode_value(text, is_reserved),
    };
    let parts: Vec<String> = match plain {
        Plain::List(items) => items.iter().map(|item| written(&item.text)).collect(),
        Plain::Object(members) => members
            .iter()
            .flat_map(|(key, part)| [encode(key), written(&part.text)])
            .collect(),
        Plain::Null | Plain::Scalar(_) => Vec::new(),
    };
    Ok(parts.join(joint))
}

fn encode_value(text: &str, allow_reserved: bool) -> String {
    if allow_reserved {
        encode_reserved(text, DELIMITERS)
    } else {
        encode(text)
    }
}

/// Reserved expansion: what is percent-encoded already stays (RFC 6570, 3.2.3).
fn encode_reserved(text: &str, set: &'static AsciiSet) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split('%');
    out.extend(
        pieces
            .next()
            .map(|first| utf8_percent_encode(first, set))
            .into_iter()
            .flatten(),
    );
    for piece in pieces {
        let is_triplet =
            piece.len() >= 2 && piece.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
        out.push_str(if is_triplet { "%" } else { "%25" });
        out.extend(utf8_percent_encode(piece, set));
    }
    out
}

/// `name[key]=value`, deeper objects as `name[a][b]=value`, lists as repeated pairs. OpenAPI leaves both undefined;
/// this is what the API frameworks in use read.
fn deep_pairs(
    pairs: &mut Vec<String>,
    form: Form<'_>,
    name: &str,
    members: Vec<(String, Part<'_>)>,
) {
    let pair = |name: &str, text: &str| {
        format!(
            "{}={}",
            encode(name),
            encode_value(text, form.allow_reserved)
        )
    };
    for (key, part) in members {
        let name = format!("{name}[{key}]");
        match Plain::defined(part.value) {
            Plain::Null => {}
            Plain::Scalar(text) => pairs.push(pair(&name, &text)),
            Plain::List(items) => pairs.extend(items.iter().map(|item| pair(&name, &item.text))),
            Plain::Object(inner) => deep_pairs(pairs, form, &name, inner),
        }
    }
}

/// The text of a header; none for `null`.
///
/// # Errors
/// A character that a header cannot carry unambiguously (RFC 9110, 5.5): only visible ASCII, space and tab pass. And a
/// comma within a part of a list, since header values are not percent-encoded.
pub fn header(form: Form<'_>, value: &RawValue) -> Result<Option<String>, Refusal> {
    let text = if form.style == Style::Json {
        value.get().to_owned()
    } else {
        let plain = Plain::defined(value);
        plain.check_joint(
            ',',
            "must not hold a comma within a part, since it separates parts",
        )?;
        let joint = if form.explode { "=" } else { "," };
        match plain {
            Plain::Null => return Ok(None),
            Plain::Scalar(text) => text,
            Plain::List(items) => list(items.into_iter().map(|item| item.text)),
            Plain::Object(members) => list(
                members
                    .into_iter()
                    .map(|(key, part)| format!("{key}{joint}{}", part.text)),
            ),
        }
    };
    let is_allowed = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    if !text.bytes().all(is_allowed) {
        return Err("must hold only visible ASCII characters, since it travels in a header");
    }
    Ok(Some(text))
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(",")
}

/// `name=value` pairs of a `Cookie` header, percent-encoded so that no value can end a pair.
///
/// # Errors
/// As for [`query`].
pub fn cookie(form: Form<'_>, value: &RawValue) -> Result<Vec<String>, Refusal> {
    if form.style == Style::Json {
        let pair = format!("{}={}", encode(form.name), encode(value.get()));
        return Ok(vec![pair]);
    }
    let joined = Form {
        style: Style::Form,
        allow_reserved: false,
        ..form
    };
    query(joined, value)
}
