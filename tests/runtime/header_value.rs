//! Reading single headers and decoding the sentinel.

use http::HeaderMap;

use crate::runtime::header_value::{HeaderValue, decode_sentinel, read};

#[track_caller]
fn check_read(values: &[&[u8]], expected: HeaderValue<'_>) {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append("x", http::HeaderValue::from_bytes(value).unwrap());
    }
    assert_eq!(read(&headers, "X".to_ascii_lowercase().as_str()), expected);
}

#[test]
fn a_header_is_absent_single_or_malformed() {
    check_read(&[], HeaderValue::Absent);
    check_read(&[b"a"], HeaderValue::Text("a"));
    check_read(&[b""], HeaderValue::Text(""));
    check_read(&[b"a", b"a"], HeaderValue::Text("a"));
    check_read(&[b"a", b"b"], HeaderValue::Malformed);
    check_read(&["é".as_bytes()], HeaderValue::Malformed);
    check_read(&[b"a\tb"], HeaderValue::Text("a\tb"));
}

#[track_caller]
fn check_decode(value: &str, expected: Option<&str>) {
    assert_eq!(decode_sentinel(value).as_deref(), expected, "{value}");
}

#[test]
fn only_both_exact_markers_are_a_sentinel() {
    check_decode("sao-paulo", Some("sao-paulo"));
    check_decode("=?base64?U8OjbyBQYXVsbw==?=", Some("São Paulo"));
    check_decode("=?base64?IHg=?=", Some(" x"));
    check_decode("=?base64??=", Some(""));
    check_decode("", Some(""));
    check_decode("=?BASE64?IHg=?=", Some("=?BASE64?IHg=?="));
    check_decode("=?base64?IHg=", Some("=?base64?IHg="));
    check_decode("=?base64?=", Some("=?base64?="));
    check_decode("=?base64?IHg?=", None); // padding is missing
    check_decode("=?base64?IH!=?=", None); // not of the alphabet
    check_decode("=?base64?_-_-?=", None); // the other alphabet
    check_decode("=?base64?/w==?=", None); // not UTF-8
}
