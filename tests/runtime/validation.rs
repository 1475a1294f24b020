//! Compiled input schemas.

use crate::call_sample::{STRICT, TOOL, checked, leak};
use crate::runtime::catalog::{ArgumentStyle, Place, Text, Tool};
use crate::runtime::validation::InputChecks;

#[test]
fn checks_are_compiled_once_and_on_demand() {
    let tool: &'static Tool = leak(Tool {
        input_schema: Text(&[r#"{"required":["a","b"]}"#, "not JSON in another language"]),
        ..TOOL
    });
    let checks = InputChecks::new(2);
    let first = checks.get(1, tool).expect("a check");
    assert!(std::ptr::eq(first, checks.get(1, tool).expect("a check")));
    assert_eq!(first.required, ["a", "b"]);
    assert!(first.validator.is_some());
    assert!(checks.get(2, tool).is_none());
}

#[test]
fn a_schema_that_does_not_compile_lets_nothing_pass() {
    for schema in [r#"{"type":"nothing"}"#, r##"{"$ref":"#/$defs/absent"}"##] {
        let tool = leak(Tool {
            input_schema: Text(leak([schema])),
            ..TOOL
        });
        let report = checked(tool, STRICT, "{}", |_| ()).expect_err("a report");
        let text = report.text(ArgumentStyle::Text);
        assert_eq!(
            text, "Invalid arguments: the arguments cannot be checked",
            "{schema}"
        );
    }
}

/// Money: decimals are not rounded on their way through the check.
#[test]
fn numbers_are_judged_as_written() {
    let judge = |schema: &str, value: &str| {
        let schema = format!(r#"{{"type":"object","properties":{{"x":{schema}}}}}"#);
        let tool = leak(Tool {
            input_schema: Text(leak([leak(schema).as_str()])),
            arguments: leak([crate::call_sample::argument("x", Place::Query)]),
            ..TOOL
        });
        checked(tool, STRICT, &format!(r#"{{"x":{value}}}"#), |_| ()).is_ok()
    };
    let cents = r#"{"type":"number","multipleOf":0.01}"#;
    for value in [
        "0.29",
        "1.1",
        "980.10",
        "19.99",
        "4.35",
        "1000000.01",
        "0",
        "7",
    ] {
        assert!(judge(cents, value), "{value}");
    }
    for value in ["0.001", "19.995", "\"1\""] {
        assert!(!judge(cents, value), "{value}");
    }
    let integer = r#"{"type":"integer"}"#;
    for (value, is_valid) in [
        ("1", true),
        ("1.0", true),
        ("1.5", false),
        ("12345678901234567890123", true),
        ("true", false),
        ("\"1\"", false),
    ] {
        assert_eq!(judge(integer, value), is_valid, "{value}");
    }
    // `format` describes; it does not refuse.
    assert!(judge(
        r#"{"type":"string","format":"date"}"#,
        r#""tomorrow""#
    ));
    assert!(!judge(
        r#"{"type":"string","pattern":"^[0-9]{11}$"}"#,
        r#""1234567890""#
    ));
}
