//! Parameter styles: a JSON value → path, query, header or cookie text (OpenAPI 3.1.1, "Style Values").
//!
//! Numbers are written with the digits that the client sent.

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
enum Plain {
    Null,
    Scalar(String),
    List(Vec<String>),
    Object(Vec<(String, Nested)>),
}

/// A member of an object: only `deepObject` looks inside.
struct Nested {
    text: String,
    value: Box<RawValue>,
}

impl Plain {
    fn from_json(value: &RawValue) -> Self {
        let text = value.get().trim();
        match text.as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
                Self::List(items.into_iter().map(scalar_text).collect())
            }
            Some(b'{') => {
                let members: Members<'_> = serde_json::from_str(text).unwrap_or_default();
                let nested = |value: &RawValue| Nested {
                    text: scalar_text(value),
                    value: value.to_owned(),
                };
                Self::Object(
                    members
                        .0
                        .into_iter()
                        .map(|(key, value)| (key, nested(value)))
                        .collect(),
                )
            }
            _ => Self::Scalar(scalar_text(value)),
        }
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
    let pairs = |members: &[(String, Nested)], joint: &str| -> Vec<String> {
        members
            .iter()
            .map(|(key, nested)| format!("{}{joint}{}", encode(key), encode(&nested.text)))
            .collect()
    };
    let name = encode(form.name);
    let items =
        |items: &[String]| -> Vec<String> { items.iter().map(|item| encode(item)).collect() };
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

fn check_path(plain: &Plain) -> Result<(), Refusal> {
    match plain {
        Plain::Null => Err("must not be null"),
        Plain::Scalar(text) => check_segment(text),
        Plain::List(items) if items.is_empty() => Err("must not be empty"),
        Plain::List(items) => items.iter().try_for_each(|item| check_segment(item)),
        Plain::Object(members) if members.is_empty() => Err("must not be empty"),
        Plain::Object(members) => members.iter().try_for_each(|(key, nested)| {
            check_segment(key).and_then(|()| check_segment(&nested.text))
        }),
    }
}

fn check_segment(text: &str) -> Result<(), Refusal> {
    if text.is_empty() {
        return Err("must not be empty");
    }
    let mut form = text.to_owned();
    // A proxy before the API may decode once more than it should, so three layers are looked at.
    for _ in 0..3 {
        if form.chars().any(char::is_control) {
            return Err("must not hold control characters");
        }
        // Some servers cut a segment at `;` before they look for dots.
        let segments = form
            .split(['/', '\\'])
            .filter_map(|segment| segment.split(';').next());
        if segments.into_iter().any(|stem| stem == "." || stem == "..") {
            return Err("must not hold `.` or `..` as a path segment");
        }
        form = percent_decode_str(&form).decode_utf8_lossy().into_owned();
    }
    Ok(())
}

/// Encoded `name=value` pairs of a query; none for `null`, an empty list and an empty object, which count as undefined
/// (RFC 6570, 2.3). An empty string is a value.
#[must_use]
pub fn query(form: Form<'_>, value: &RawValue) -> Vec<String> {
    let name = encode(form.name);
    let set = if form.allow_reserved {
        DELIMITERS
    } else {
        RESERVED
    };
    let encode_value = |text: &str| utf8_percent_encode(text, set).to_string();
    let pair = |value: &str| format!("{name}={}", encode_value(value));
    let joint = match form.style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        _ => ",",
    };
    if form.style == Style::Json {
        return vec![pair(value.get())];
    }
    match Plain::from_json(value) {
        Plain::Null => Vec::new(),
        Plain::List(items) if items.is_empty() => Vec::new(),
        Plain::Object(members) if members.is_empty() => Vec::new(),
        Plain::Scalar(text) => vec![pair(&text)],
        Plain::List(items) if form.explode || form.style == Style::DeepObject => {
            items.iter().map(|item| pair(item)).collect()
        }
        Plain::List(items) => {
            let items: Vec<String> = items.iter().map(|item| encode_value(item)).collect();
            vec![format!("{name}={}", items.join(joint))]
        }
        Plain::Object(members) if form.style == Style::DeepObject => {
            let mut pairs = Vec::new();
            deep_pairs(&mut pairs, form.name, &members, set);
            pairs
        }
        Plain::Object(members) if form.explode => members
            .iter()
            .map(|(key, nested)| format!("{}={}", encode(key), encode_value(&nested.text)))
            .collect(),
        Plain::Object(members) => {
            let parts: Vec<String> = members
                .iter()
                .flat_map(|(key, nested)| [encode(key), encode_value(&nested.text)])
                .collect();
            vec![format!("{name}={}", parts.join(joint))]
        }
    }
}

/// `name[key]=value`, deeper objects as `name[a][b]=value`, lists as repeated pairs. OpenAPI leaves both undefined;
/// this is what the API frameworks in use read.
fn deep_pairs(
    pairs: &mut Vec<String>,
    name: &str,
    members: &[(String, Nested)],
    set: &'static AsciiSet,
) {
    for (key, nested) in members {
        let name = format!("{name}[{key}]");
        match Plain::from_json(&nested.value) {
            Plain::Null => {}
            Plain::Scalar(text) => pairs.push(format!(
                "{}={}",
                encode(&name),
                utf8_percent_encode(&text, set)
            )),
            Plain::List(items) => {
                for item in items {
                    pairs.push(format!(
                        "{}={}",
                        encode(&name),
                        utf8_percent_encode(&item, set)
                    ));
                }
            }
            Plain::Object(inner) => deep_pairs(pairs, &name, &inner, set),
        }
    }
}

/// The text of a header; none for `null`, an empty list and an empty object.
///
/// # Errors
/// A character that a header cannot carry unambiguously (RFC 9110, 5.5): only visible ASCII, space and tab pass.
pub fn header(form: Form<'_>, value: &RawValue) -> Result<Option<String>, Refusal> {
    let pairs = |members: Vec<(String, Nested)>, joint: &str| -> String {
        let parts: Vec<String> = members
            .into_iter()
            .map(|(key, nested)| format!("{key}{joint}{}", nested.text))
            .collect();
        parts.join(",")
    };
    let text = match (form.style, Plain::from_json(value)) {
        (Style::Json, _) => value.get().to_owned(),
        (_, Plain::Null) => return Ok(None),
        (_, Plain::List(items)) if items.is_empty() => return Ok(None),
        (_, Plain::Object(members)) if members.is_empty() => return Ok(None),
        (_, Plain::Scalar(text)) => text,
        (_, Plain::List(items)) => items.join(","),
        (_, Plain::Object(members)) => pairs(members, if form.explode { "=" } else { "," }),
    };
    let is_allowed = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    if !text.bytes().all(is_allowed) {
        return Err("must hold only visible ASCII characters, since it travels in a header");
    }
    Ok(Some(text))
}

/// `name=value` pairs of a `Cookie` header, percent-encoded so that no value can end a pair.
#[must_use]
pub fn cookie(form: Form<'_>, value: &RawValue) -> Vec<String> {
    if form.style == Style::Json {
        return vec![format!("{}={}", encode(form.name), encode(value.get()))];
    }
    let joined = Form {
        style: Style::Form,
        allow_reserved: false,
        ..form
    };
    query(joined, value)
}
