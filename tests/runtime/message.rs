//! Reading JSON-RPC messages.

use crate::runtime::message::{id_key, read};

#[track_caller]
fn refused(body: &[u8], code: i32, id: Option<&str>) {
    let text = String::from_utf8_lossy(body).into_owned();
    let unreadable = read(body).expect_err(&text);
    assert_eq!((unreadable.error.code, unreadable.id), (code, id), "{text}");
}

#[test]
fn what_is_not_json_is_a_parse_error() {
    refused(b"", -32700, None);
    refused(b"  \n", -32700, None);
    refused(b"{", -32700, None);
    refused(b"[1,", -32700, None);
    refused(b"nonsense", -32700, None);
    refused(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x",
        -32700,
        None,
    );
    refused(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2", -32700, None);
    refused(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
        -32700,
        None,
    );
    refused("\u{feff}{}".as_bytes(), -32700, None);
}

#[test]
fn json_that_is_no_request_is_an_invalid_request() {
    refused(b"[]", -32600, None);
    refused(
        br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        -32600,
        None,
    );
    refused(br#"["2.0",1,"ping"]"#, -32600, None);
    refused(b"1", -32600, None);
    refused(b"null", -32600, None);
    refused(br#""ping""#, -32600, None);
    refused(b"{}", -32600, None);
    refused(br#"{"jsonrpc":"2.0","id":1}"#, -32600, Some("1"));
    refused(
        br#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#,
        -32600,
        Some("\"a\""),
    );
    refused(br#"{"id":1,"method":"ping"}"#, -32600, Some("1"));
    refused(
        br#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#,
        -32600,
        Some("1"),
    );
    refused(br#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600, Some("1"));
    for id in [
        "null",
        "1.5",
        "1.0",
        "1e3",
        "true",
        "{}",
        "[1]",
        r#""\ud800""#,
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        refused(body.as_bytes(), -32600, None);
    }
    refused(
        br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        -32600,
        None,
    );
    let nested = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    refused(nested.as_bytes(), -32600, None);
}

#[test]
fn responses_are_told_apart() {
    for body in [
        br#"{"jsonrpc":"2.0","id":1,"result":{}}"#.as_slice(),
        br#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#,
        br#"{"jsonrpc":"2.0","id":1,"result":null}"#,
    ] {
        refused(body, -32600, None);
        assert!(read(body).is_err_and(|unreadable| unreadable.is_response));
    }
    assert!(read(b"{}").is_err_and(|unreadable| !unreadable.is_response));
}

#[test]
fn the_id_keeps_its_spelling() {
    for id in [
        "1",
        "-1",
        "0",
        "123456789012345678901234567890",
        r#""""#,
        r#""\u0061\"b""#,
    ] {
        let body = format!(" {{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"a\\u0062\"}}\r\n");
        let message = read(body.as_bytes()).expect("a request");
        assert_eq!((message.id, message.method.as_ref()), (Some(id), "ab"));
    }
    let message = read(br#"{"jsonrpc":"2.0","method":"x"}"#).expect("a notification");
    assert_eq!(message.id, None);
}

#[test]
fn ids_are_compared_by_value_and_type() {
    let key = |text: &str| id_key(serde_json::from_str(text).expect("JSON"));
    assert_eq!(key(r#""a""#), key(r#""\u0061""#));
    assert_ne!(key(r#""1""#), key("1"));
    assert_eq!(key("1.5"), None);
    assert_eq!(key("null"), None);
}
