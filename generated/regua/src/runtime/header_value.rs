//! Reads request headers that must be present once: absent, a value, or malformed; and the sentinel encoding.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;

/// What a request says in one header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderValue<'a> {
    /// Not there.
    Absent,
    /// There, in visible ASCII.
    Text(&'a str),
    /// Not ASCII, or repeated with another value: which one is meant cannot be told.
    Malformed,
}

/// Reads a header. The same value twice counts as once.
#[must_use]
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> HeaderValue<'a> {
    let mut values = headers.get_all(name).iter();
    let Some(first) = values.next() else {
        return HeaderValue::Absent;
    };
    if values.any(|other| other != first) {
        return HeaderValue::Malformed;
    }
    match first.to_str() {
        Ok(text) => HeaderValue::Text(text.trim_matches([' ', '\t'])),
        Err(_) => HeaderValue::Malformed,
    }
}

/// Decodes `=?base64?…?=`; a value without both exact markers stands for itself.
///
/// None: the markers are there, but not around standard padded Base64 of UTF-8.
#[must_use]
pub fn decode_sentinel(value: &str) -> Option<Cow<'_, str>> {
    let Some(encoded) = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    else {
        return Some(Cow::Borrowed(value));
    };
    let bytes = STANDARD.decode(encoded).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
