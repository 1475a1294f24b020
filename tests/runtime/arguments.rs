//! What is reported of a call's arguments, and what goes on.

use serde_json::{Value, json};

use crate::call_sample::{STRICT, TOOL, WRITE, argument, checked, fixed, leak, raw};
use crate::runtime::arguments::{self, Report};
use crate::runtime::catalog::*;
use crate::runtime::wording::Fault;

const SCHEMA: &str = r#"{
    "type": "object",
    "required": ["id", "amount"],
    "additionalProperties": false,
    "properties": {
        "id": {"type": "string", "minLength": 2},
        "amount": {"type": "integer", "minimum": 1, "maximum": 100},
        "status": {"type": "string", "enum": ["open", "paid"]},
        "note": {"type": ["string", "null"]},
        "payer": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}},
            "additionalProperties": false
        },
        "items": {"type": "array", "items": {"type": "integer"}}
    }
}"#;

const fn structured(name: &'static str) -> Argument {
    Argument {
        structured: true,
        ..argument(name, Place::BodyField)
    }
}

const ARGUMENTS: &[Argument] = &[
    argument("id", Place::BodyField),
    argument("amount", Place::BodyField),
    argument("status", Place::BodyField),
    argument("note", Place::BodyField),
    structured("payer"),
    structured("items"),
];

const PAY: Tool = Tool {
    name: "pay",
    input_schema: Text(&[SCHEMA]),
    arguments: ARGUMENTS,
    ..WRITE
};

const READ: Tool = Tool {
    name: "look",
    kind: Kind::Read,
    method: "GET",
    body: Body::None,
    ..PAY
};

const LENIENT: ArgumentPolicy = ArgumentPolicy {
    style: ArgumentStyle::Text,
    unknown: UnknownArguments::ReadTools,
};

/// The report as bare text; `ok` when there is none.
#[track_caller]
fn told(tool: Tool, policy: ArgumentPolicy, given: &str) -> String {
    match checked(leak(tool), policy, given, |_| ()) {
        Ok(()) => "ok".to_owned(),
        Err(report) => report.text(ArgumentStyle::Text),
    }
}

#[test]
fn missing_arguments_are_told_first_and_alone() {
    for (given, expected) in [
        ("{}", "Missing required arguments: id, amount"),
        (r#"{"amount":0,"x":1}"#, "Missing required arguments: id"),
        (
            r#"{"id":null,"amount":1}"#,
            "Invalid arguments: `id` must be a string",
        ),
        (r#"{"id":"ab","amount":1}"#, "ok"),
    ] {
        assert_eq!(told(PAY, STRICT, given), expected, "{given}");
    }
    let tool = leak(PAY);
    let checks = crate::runtime::validation::InputChecks::new(1);
    let none = arguments::check(tool, checks.get(0, tool), STRICT, None);
    assert_eq!(
        none.err(),
        Some(Report::Missing(vec!["id".to_owned(), "amount".to_owned()]))
    );
}

#[test]
fn every_fault_is_told_with_what_is_wanted() {
    let given = r#"{"id":"a","amount":1.5,"statu":"x","status":"done","payer":{"nome":1},"items":[1,"2",3,null]}"#;
    let text = told(PAY, STRICT, given);
    for part in [
        "`id` must have at least 2 characters",
        "`amount` must be an integer",
        "`statu` is not an argument of this tool; did you mean `status`?",
        "`status` must be one of `open`, `paid`",
        "`payer/name` is missing",
        "`payer/nome` is not a known field",
        "`items/1` must be an integer",
        "`items/3` must be an integer",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text.matches("; `").count(), 7, "{text}");
    for (given, expected) in [
        (r#""amount":101"#, "`amount` must be at most 100"),
        (r#""amount":0"#, "`amount` must be at least 1"),
        (r#""amount":"5""#, "`amount` must be an integer"),
        (
            r#""amount":5,"colour":1"#,
            "`colour` is not an argument of this tool; it takes `id`, `amount`, `status`, `note`, `payer`, `items`",
        ),
        (r#""amount":5,"note":5"#, "`note` must be a string or null"),
    ] {
        let given = format!(r#"{{"id":"ab",{given}}}"#);
        let expected = format!("Invalid arguments: {expected}");
        assert_eq!(told(PAY, STRICT, &given), expected);
    }
}

#[test]
fn null_counts_as_absent_where_it_is_optional_and_not_accepted() {
    let given = r#"{"id":"ab","amount":1,"status":null,"note":null,"payer":null,"items":null}"#;
    let seen = checked(leak(PAY), STRICT, given, |passed| {
        ARGUMENTS
            .iter()
            .map(|argument| {
                passed
                    .get(argument.name)
                    .map(|value| value.get().to_owned())
            })
            .collect::<Vec<_>>()
    });
    let some = |text: &str| Some(text.to_owned());
    let expected = vec![some(r#""ab""#), some("1"), None, some("null"), None, None];
    assert_eq!(seen, Ok(expected));
    // Long names are the same argument, too.
    let long: &'static str = leak("n".repeat(64));
    let schema = leak(format!(
        r#"{{"type":"object","additionalProperties":false,"properties":{{"{long}":{{"type":"string"}}}}}}"#
    ));
    let tool = Tool {
        input_schema: Text(leak([schema.as_str()])),
        arguments: leak([argument(long, Place::Query)]),
        ..TOOL
    };
    assert_eq!(told(tool, STRICT, &format!(r#"{{"{long}":null}}"#)), "ok");
}

#[test]
fn an_undeclared_null_is_no_absent_argument() {
    let given = r#"{"id":"ab","amount":1,"nota":null}"#;
    let text = told(PAY, STRICT, given);
    assert!(text.contains("`nota` is not an argument"), "{text}");
    let sent = checked(leak(PAY), LENIENT, given, |passed| {
        passed
            .undeclared(leak(PAY))
            .map(|(name, _)| name.to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!(sent, Ok(vec!["nota".to_owned()]));
}

#[test]
fn what_cannot_be_read_is_never_taken_for_null() {
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    for value in ["1e400", r#""\ud800""#, deep.as_str()] {
        for name in ["status", "items", "id"] {
            let rest = if name == "id" {
                r#""amount":1"#
            } else {
                r#""id":"ab","amount":1"#
            };
            let given = format!(r#"{{{rest},"{name}":{value}}}"#);
            let text = told(PAY, LENIENT, &given);
            let expected = format!("Invalid arguments: `{name}` is nested too deeply");
            assert!(text.starts_with(&expected), "{text}");
        }
        let given = format!(r#"{{"id":"ab","amount":1,"extra":{value}}}"#);
        assert_ne!(told(PAY, LENIENT, &given), "ok");
    }
}

#[test]
fn repeated_keys_are_refused_at_any_depth() {
    for (given, expected) in [
        (
            r#"{"id":"ab","amount":1,"amount":100}"#,
            "`amount` is given twice",
        ),
        (
            r#"{"id":"ab","amount":1,"\u0061mount":1}"#,
            "`amount` is given twice",
        ),
        (
            r#"{"id":"ab","amount":1,"payer":{"name":"a","name":"b"}}"#,
            "`payer` holds the same key twice",
        ),
        (
            r#"{"id":"ab","amount":1,"payer":"{\"name\":\"a\",\"name\":\"b\"}"}"#,
            "`payer` holds the same key twice",
        ),
    ] {
        assert_eq!(
            told(PAY, STRICT, given),
            format!("Invalid arguments: {expected}")
        );
    }
}

#[test]
fn a_string_of_json_is_parsed_only_where_only_structure_fits() {
    let seen = |given: &str, name: &'static str| {
        checked(leak(PAY), STRICT, given, move |passed| {
            passed.get(name).map(|value| value.get().to_owned())
        })
    };
    for (name, value, expected) in [
        ("items", r#""[1, 2]""#, Ok("[1, 2]")),
        (
            "items",
            r#"" [12345678901234567890] ""#,
            Ok("[12345678901234567890]"),
        ),
        (
            "payer",
            r#""{\"name\":\"Jo\u00e3o\"}""#,
            Ok(r#"{"name":"João"}"#),
        ),
        ("id", r#""[1]""#, Ok(r#""[1]""#)),
        ("note", r#""{\"name\":1}""#, Ok(r#""{\"name\":1}""#)),
        ("items", r#""1,2""#, Err("`items` must be an array")),
        ("items", r#""[1,""#, Err("`items` must be an array")),
        ("payer", r#""[1]""#, Err("`payer` must be an object")),
        ("items", r#""[\"x\"]""#, Err("`items/0` must be an integer")),
    ] {
        let id = if name == "id" { "" } else { r#""id":"ab","# };
        let given = format!(r#"{{{id}"amount":1,"{name}":{value}}}"#);
        let result = seen(&given, name);
        match (result, expected) {
            (Ok(text), Ok(expected)) => assert_eq!(text.as_deref(), Some(expected)),
            (Err(report), Err(expected)) => assert_eq!(
                report.text(ArgumentStyle::Text),
                format!("Invalid arguments: {expected}")
            ),
            (result, _) => panic!("{given}: {result:?}"),
        }
    }
}

const BODILESS: Tool = Tool {
    body: Body::None,
    ..PAY
};

const WHOLE: Tool = Tool {
    body: Body::Whole,
    ..PAY
};

const OPEN_READ: Tool = Tool {
    input_schema: TOOL.input_schema,
    ..READ
};

const OPEN_WRITE: Tool = Tool {
    input_schema: TOOL.input_schema,
    ..PAY
};

const HIDDEN: Tool = Tool {
    fixed: &[fixed(Place::BodyField, "origin", r#""mcp""#)],
    ..PAY
};

const OPEN_HIDDEN: Tool = Tool {
    input_schema: TOOL.input_schema,
    ..HIDDEN
};

const RENAMED: Tool = Tool {
    arguments: &[Argument {
        wire: "per_page",
        ..argument("limit", Place::BodyField)
    }],
    ..OPEN_WRITE
};

#[test]
fn undeclared_arguments_are_refused_or_go_on_and_never_vanish() {
    let given = |name: &str| format!(r#"{{"id":"ab","amount":1,"{name}":1}}"#);
    for (tool, policy, name, is_refused) in [
        (PAY, STRICT, "extra", true),
        (PAY, LENIENT, "extra", false),
        (READ, STRICT, "extra", true),
        (READ, LENIENT, "extra", true),
        (BODILESS, LENIENT, "extra", true),
        (WHOLE, LENIENT, "extra", true),
        (OPEN_READ, STRICT, "extra", true),
        (OPEN_READ, LENIENT, "extra", true),
        (OPEN_WRITE, STRICT, "extra", false),
        // No way around what is fixed or under another name.
        (HIDDEN, LENIENT, "origin", true),
        (HIDDEN, LENIENT, "original", false),
        (OPEN_HIDDEN, STRICT, "origin", true),
        (RENAMED, STRICT, "per_page", true),
        (RENAMED, LENIENT, "per_page", true),
    ] {
        let text = told(tool, policy, &given(name));
        let is_told = text.contains(&format!("`{name}` is not an argument of this tool"));
        assert_eq!(
            (is_told, text == "ok"),
            (is_refused, !is_refused),
            "{name}: {text}"
        );
    }
    // Other faults are told all the same.
    let text = told(PAY, LENIENT, r#"{"id":"ab","amount":0,"extra":1}"#);
    assert_eq!(text, "Invalid arguments: `amount` must be at least 1");
}

#[test]
fn hostile_sizes_cost_little_and_are_told_shortly() {
    let started = std::time::Instant::now();
    let items = vec!["\"x\""; 200_000].join(",");
    let text = told(
        PAY,
        STRICT,
        &format!(r#"{{"id":"ab","amount":1,"items":[{items}]}}"#),
    );
    assert!(text.contains("more faults than are listed"), "{text}");
    assert!(text.len() < 5000, "{}", text.len());
    let names: Vec<String> = (0..100_000).map(|n| format!(r#""n{n}":1"#)).collect();
    let many = format!(r#"{{"id":"ab","amount":1,{}}}"#, names.join(","));
    assert_eq!(
        told(PAY, STRICT, &many),
        "Invalid arguments: the arguments are more than 1000"
    );
    let some = format!(r#"{{"id":"ab","amount":1,{}}}"#, names[..900].join(","));
    let text = told(PAY, STRICT, &some);
    assert!(text.len() < 20_000, "{}", text.len());
    assert_eq!(told(PAY, LENIENT, &some), "ok");
    let long = format!(r#"{{"id":"ab","amount":1,"{}\n":1}}"#, "x".repeat(100_000));
    let text = told(PAY, STRICT, &long);
    assert!(text.len() < 500 && !text.contains('\n'), "{text}");
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

#[test]
fn a_tool_without_arguments_says_so() {
    const CLOSED: Text = Text(&[r#"{"type":"object","additionalProperties":false}"#]);
    let tool = |tool: Tool| Tool {
        input_schema: CLOSED,
        arguments: &[],
        ..tool
    };
    let expected = "Invalid arguments: `x` is not an argument of this tool; it takes none; \
                    `y` is not an argument of this tool; it takes none";
    let given = r#"{"x":1,"y":2}"#;
    assert_eq!(told(tool(TOOL), STRICT, given), expected);
    assert_eq!(told(tool(TOOL), LENIENT, given), expected);
    assert_eq!(told(tool(WRITE), STRICT, given), expected);
    assert_eq!(told(tool(WRITE), LENIENT, given), "ok");
    assert_eq!(told(tool(TOOL), STRICT, "{}"), "ok");
}

#[test]
fn what_is_no_object_is_told() {
    for given in ["[]", "1", "null", r#""{}""#] {
        let expected = "Invalid arguments: the arguments must be a JSON object";
        assert_eq!(told(PAY, STRICT, given), expected, "{given}");
    }
}

#[test]
fn both_styles_tell_the_same() {
    let style = ArgumentStyle::Envelope {
        code: "VALIDATION_ERROR",
    };
    let envelope =
        |report: &Report| -> Value { serde_json::from_str(&report.text(style)).expect("JSON") };
    let missing = Report::Missing(vec!["id".to_owned(), "amount".to_owned()]);
    let expected = json!({"error": {
        "code": "VALIDATION_ERROR",
        "message": "Missing required arguments: id, amount",
        "details": {"id": ["is missing"], "amount": ["is missing"]},
    }});
    assert_eq!(envelope(&missing), expected);
    let invalid = Report::Invalid(vec![
        Fault::new("id", "is short"),
        Fault::new("id", "is \"odd\""),
        Fault::new("", "are too many"),
    ]);
    let message = r#"Invalid arguments: `id` is short; `id` is "odd"; the arguments are too many"#;
    assert_eq!(invalid.text(ArgumentStyle::Text), message);
    let expected = json!({"error": {
        "code": "VALIDATION_ERROR",
        "message": message,
        "details": {"id": ["is short", "is \"odd\""], "arguments": ["are too many"]},
    }});
    assert_eq!(envelope(&invalid), expected);
    let order = invalid.text(style);
    assert!(
        order.starts_with(r#"{"error":{"code":"VALIDATION_ERROR","message":"#),
        "{order}"
    );
}

#[test]
fn arguments_keep_the_text_that_was_sent() {
    let given = raw(r#"{"id": "\u0061b", "amount":1.0 ,"items":[ 1,12345678901234567890123 ]}"#);
    let seen = checked(leak(PAY), STRICT, given.get(), |passed| {
        ["id", "amount", "items"].map(|name| {
            passed
                .get(name)
                .map_or(String::new(), |value| value.get().to_owned())
        })
    });
    let expected = [r#""\u0061b""#, "1.0", "[ 1,12345678901234567890123 ]"];
    assert_eq!(seen, Ok(expected.map(str::to_owned)));
}
