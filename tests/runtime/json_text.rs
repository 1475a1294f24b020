//! What a JSON text means, and what it must not mean.

use serde_json::{Value, json};

use crate::call_sample::raw;
use crate::runtime::json_text::{Members, single_value};

#[test]
fn members_keep_order_text_and_repetition() {
    let text = r#"{"b": 1.10, "a":[ 1 ],"b":null, "\u0061":"x"}"#;
    let members: Members<'_> = serde_json::from_str(text).expect("an object");
    let read: Vec<(&str, &str)> = members
        .0
        .iter()
        .map(|(key, value)| (key.as_str(), value.get()))
        .collect();
    let expected = [
        ("b", "1.10"),
        ("a", "[ 1 ]"),
        ("b", "null"),
        ("a", r#""x""#),
    ];
    assert_eq!(read, expected);
    for other in ["[]", "1", "null", r#""{}""#] {
        assert!(
            serde_json::from_str::<Members<'_>>(other).is_err(),
            "{other}"
        );
    }
}

#[test]
fn a_single_value_is_what_any_reader_takes_it_for() {
    for text in [
        "null",
        "true",
        "-1",
        "18446744073709551615",
        "12345678901234567890123",
        "0.29",
        r#""a\u00e9\ud83d\ude00""#,
        r#"[1,[2],{"a":{"b":[]}}]"#,
        r#"{"a":1,"A":2,"b":{"a":1}}"#,
    ] {
        let plain: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(single_value(text), Ok(plain), "{text}");
    }
    assert_eq!(single_value(r#"{"a":{"x":1}}"#), Ok(json!({"a": {"x": 1}})));
}

#[test]
fn what_readers_disagree_on_is_refused() {
    for text in [
        r#"{"amount":999999,"amount":1}"#,
        r#"{"a":{"amount":1,"\u0061mount":2}}"#,
        r#"[{"a":1,"a":1}]"#,
    ] {
        assert_eq!(
            single_value(text),
            Err("holds the same key twice"),
            "{text}"
        );
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for text in ["1e400", "-1e999", r#""\ud800""#, &deep] {
        // All of these pass as text, so that they arrive here.
        raw(text);
        let refusal = single_value(text).expect_err("a refusal");
        assert!(refusal.contains("cannot be read"), "{refusal}");
    }
}
