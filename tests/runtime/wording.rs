//! Sentences for what is wrong with an argument.

use serde_json::Value;

use crate::runtime::wording::{self, Fault, MAX_FAULTS};

/// Every fault of an instance as `field: message`.
fn faults(schema: &str, instance: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let instance: Value = serde_json::from_str(instance).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    validator
        .iter_errors(&instance)
        .flat_map(|error| wording::faults(&error, &instance, &["amount", "status"]))
        .map(|fault| format!("{}: {}", fault.field, fault.message))
        .collect()
}

/// Schema, instance, and its one fault.
const KEYWORDS: &[(&str, &str, &str)] = &[
    (r#"{"type":"string"}"#, "1", ": must be a string"),
    (r#"{"type":"object"}"#, "1", ": must be an object"),
    (
        r#"{"type":["integer","null"]}"#,
        "\"a\"",
        ": must be an integer or null",
    ),
    (
        r#"{"enum":["a",1,null]}"#,
        "2",
        ": must be one of `a`, 1, null",
    ),
    (r#"{"const":"a"}"#, "2", ": must be `a`"),
    (r#"{"maximum":5}"#, "6", ": must be at most 5"),
    (r#"{"minimum":5}"#, "4", ": must be at least 5"),
    (r#"{"exclusiveMaximum":5}"#, "5", ": must be less than 5"),
    (r#"{"exclusiveMinimum":5}"#, "5", ": must be greater than 5"),
    (r#"{"multipleOf":5}"#, "6", ": must be a multiple of 5"),
    (
        r#"{"maxLength":1}"#,
        "\"ab\"",
        ": must have at most 1 characters",
    ),
    (r#"{"minItems":1}"#, "[]", ": must have at least 1 items"),
    (
        r#"{"maxProperties":0}"#,
        r#"{"a":1}"#,
        ": must have at most 0 fields",
    ),
    (
        r#"{"uniqueItems":true}"#,
        "[1,1]",
        ": must not repeat an item",
    ),
    (
        r#"{"pattern":"^a+$"}"#,
        "\"b\"",
        ": must match the pattern `^a+$`",
    ),
    (
        r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
        "1",
        ": matches none of the accepted forms",
    ),
    (
        r#"{"oneOf":[{"minimum":1},{"minimum":2}]}"#,
        "3",
        ": matches several of the accepted forms; only one may hold",
    ),
    (
        r#"{"properties":{"a":false}}"#,
        r#"{"a":1}"#,
        "a: is not accepted here",
    ),
    (
        r#"{"not":{"type":"string"}}"#,
        "\"a\"",
        ": does not satisfy `not` of the input schema",
    ),
    (
        r#"{"properties":{"a":{"items":{"required":["b"]}}}}"#,
        r#"{"a":[{}]}"#,
        "a/0/b: is missing",
    ),
    (
        r#"{"additionalProperties":false}"#,
        r#"{"amout":1}"#,
        "amout: is not an argument of this tool; did you mean `amount`?",
    ),
    (
        r#"{"properties":{"a":false,"b":{}},"additionalProperties":false}"#,
        r#"{"a":1}"#,
        "a: is not accepted here",
    ),
    (
        r#"{"properties":{"a":{"additionalProperties":false}}}"#,
        r#"{"a":{"b":1}}"#,
        "a/b: is not a known field",
    ),
];

#[test]
fn each_keyword_says_what_is_wanted() {
    for (schema, instance, expected) in KEYWORDS {
        assert_eq!(faults(schema, instance), [*expected], "{schema}");
    }
}

#[test]
fn values_are_never_repeated_and_lists_end() {
    let secret = faults(r#"{"type":"integer"}"#, r#""4111111111111111""#);
    assert_eq!(secret, [": must be an integer"]);
    let options: Vec<String> = (0..25).map(|n| n.to_string()).collect();
    let text = &faults(&format!(r#"{{"enum":[{}]}}"#, options.join(",")), "99")[0];
    assert!(text.ends_with("18, 19 and 5 more"), "{text}");
    let long = "x".repeat(500);
    let text = &faults(&format!(r#"{{"const":"{long}\n"}}"#), "1")[0];
    assert!(text.len() < 120 && text.ends_with("…`"), "{text}");
    let many: Vec<String> = (0..200).map(|n| format!(r#""u{n}":1"#)).collect();
    let found = faults(
        r#"{"additionalProperties":false}"#,
        &format!("{{{}}}", many.join(",")),
    );
    assert_eq!(found.len(), MAX_FAULTS);
    let found = faults(
        r#"{"additionalProperties":false}"#,
        &format!("{{{}}}", many.join(",")),
    );
    assert_eq!(found.len(), MAX_FAULTS);
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_or_all() {
    let declared = ["amount", "status", "customer_id"];
    for (name, expected) in [
        ("amout", "did you mean `amount`?"),
        ("Status", "did you mean `status`?"),
        ("customerId", "did you mean `customer_id`?"),
        ("colour", "it takes `amount`, `status`, `customer_id`"),
        ("", "it takes `amount`, `status`, `customer_id`"),
    ] {
        let text = wording::unknown_argument(name, &declared);
        assert_eq!(
            text,
            format!("is not an argument of this tool; {expected}"),
            "{name}"
        );
    }
    let none = wording::unknown_argument("x", &[]);
    assert_eq!(none, "is not an argument of this tool; it takes none");
    let names: Vec<String> = (0..30).map(|n| format!("argument_number_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(
        wording::unknown_argument("zzz", &names),
        "is not an argument of this tool"
    );
}

#[test]
fn shown_names_are_short_and_clean() {
    let fault = Fault::new("a\u{1b}[31m\nb", "is odd");
    assert_eq!(fault.shown_field(), "a [31m b");
    let fault = Fault::new(&"é".repeat(65), "is odd");
    assert_eq!(fault.shown_field(), format!("{}…", "é".repeat(64)));
}
