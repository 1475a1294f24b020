//! Argument checks: what is refused and in which words, what goes on as it came.

use serde_json::{Value, json};

use crate::call_sample::{Bench, argument, catalog, schema, tool};
use crate::runtime::catalog::*;

fn sample() -> Tool {
    let arguments = [
        argument("id", Place::Path),
        argument("limit", Place::Query),
        argument("sort_by", Place::Query),
        argument("note", Place::Query),
        argument("name", Place::Query),
        Argument {
            structured: true,
            ..argument("items", Place::Query)
        },
        argument("status", Place::Query),
    ];
    tool("GET", &arguments, |tool| {
        tool.path = &[Segment::Literal("/things/"), Segment::Parameter("id")];
        tool.input_schema = schema(
            r#"{"id":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":100},
            "sort_by":{"enum":["created_at","amount"]},"note":{"type":["string","null"],"maxLength":5},
            "name":{"type":"string","pattern":"^[a-z]+$"},
            "items":{"type":"array","items":{"type":"object","properties":{"amount":{"type":"number","multipleOf":0.01}}}},
            "status":{"anyOf":[{"enum":["paid","open"]},{"type":"null"}]}}"#,
            r#""required":["id"]"#,
        );
    })
}

/// What is given, and what is said to it.
const FAULTS: &[(&str, &str)] = &[
    ("{}", "Missing required arguments: id"),
    (r#"{"limit":500}"#, "Missing required arguments: id"),
    (
        r#"{"id":"1","limit":500}"#,
        "Invalid arguments: `limit` must be at most 100",
    ),
    (
        r#"{"id":"1","limit":0,"sort_by":"x"}"#,
        "Invalid arguments: `limit` must be at least 1; `sort_by` must be one of `created_at`, `amount`",
    ),
    (
        r#"{"id":"1","limit":"10"}"#,
        "Invalid arguments: `limit` must be an integer",
    ),
    (r#"{"id":1}"#, "Invalid arguments: `id` must be a string"),
    (r#"{"id":null}"#, "Invalid arguments: `id` must be a string"),
    (
        r#"{"id":"1","note":"too long"}"#,
        "Invalid arguments: `note` must have at most 5 characters",
    ),
    (
        r#"{"id":"1","name":"A1"}"#,
        "Invalid arguments: `name` must match the pattern `^[a-z]+$`",
    ),
    (
        r#"{"id":"1","items":[{"amount":"x"}]}"#,
        "Invalid arguments: `items/0/amount` must be a number",
    ),
    (
        r#"{"id":"1","items":"[{\"amount\":true}]"}"#,
        "Invalid arguments: `items/0/amount` must be a number",
    ),
    (
        r#"{"id":"1","items":"[not json"}"#,
        "Invalid arguments: `items` must be an array",
    ),
    (
        r#"{"id":"1","status":"lost"}"#,
        "Invalid arguments: `status` must be one of `paid`, `open`",
    ),
    (
        r#"{"id":"1","limt":5}"#,
        "Invalid arguments: `limt` is not an argument of this tool; did you mean `limit`?",
    ),
    (
        r#"{"id":"1","xyzzy":5}"#,
        "Invalid arguments: `xyzzy` is not an argument of this tool; it takes `id`, `limit`, `sort_by`, `note`, `name`, `items`, `status`",
    ),
    (
        r#"{"id":"1","id":"2"}"#,
        "Invalid arguments: `id` is given twice",
    ),
    (
        r#"{"id":"1","items":[{"amount":1,"amount":2}]}"#,
        "Invalid arguments: `items` holds an object that gives a field twice",
    ),
    (
        "[1]",
        "Invalid arguments: the arguments must be a JSON object",
    ),
];

#[tokio::test]
async fn every_fault_is_named_with_what_is_wanted() {
    let bench = Bench::start(catalog(sample(), |_| {})).await;
    for (given, expected) in FAULTS {
        assert_eq!(bench.refusal(given).await, *expected, "{given}");
    }
    assert_eq!(bench.api.requests().len(), 0);
}

/// A value that the check cannot read must not be taken for `null` and dropped, nor sent unchecked.
#[tokio::test]
async fn unreadable_values_are_refused() {
    let bench = Bench::start(catalog(sample(), |_| {})).await;
    let deep = format!(
        r#"{{"id":"1","items":{}{}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    for given in [
        r#"{"id":"1","limit":1e999}"#,
        r#"{"id":"1","items":[{"amount":-1e999}]}"#,
        r#"{"id":"1","name":"\ud800"}"#,
        &deep,
    ] {
        let text = bench.refusal(given).await;
        assert!(text.contains("cannot be read"), "{text}");
    }
}

#[tokio::test]
async fn long_values_and_names_are_not_repeated() {
    let bench = Bench::start(catalog(sample(), |_| {})).await;
    let secret = "s".repeat(5000);
    let text = bench
        .refusal(&format!(
            r#"{{"id":"1","note":"{secret}","sort_by":"{secret}"}}"#
        ))
        .await;
    assert!(!text.contains("sss"), "{text}");
    let text = bench
        .refusal(&format!(r#"{{"id":"1","{secret}\n":1}}"#))
        .await;
    assert!(text.len() < 500 && !text.contains('\n'), "{text}");
}

#[tokio::test]
async fn null_for_an_optional_argument_means_absent() {
    let bench = Bench::start(catalog(sample(), |_| {})).await;
    let request = bench
        .request(r#"{"id":"1","limit":null,"sort_by":null,"note":null}"#)
        .await;
    assert_eq!(request.query, "");
    // An undeclared name is a mistake whatever its value.
    let text = bench.refusal(r#"{"id":"1","extra_field":null}"#).await;
    assert!(text.contains("`extra_field` is not an argument"), "{text}");
}

#[tokio::test]
async fn money_with_two_decimals_is_a_multiple_of_a_cent() {
    let bench = Bench::start(catalog(sample(), |_| {})).await;
    for amount in ["0.07", "1.10", "980.10", "19.99", "1234567.89", "0.29"] {
        bench
            .request(&format!(r#"{{"id":"1","items":[{{"amount":{amount}}}]}}"#))
            .await;
    }
    let text = bench
        .refusal(r#"{"id":"1","items":[{"amount":0.005}]}"#)
        .await;
    assert_eq!(
        text,
        "Invalid arguments: `items/0/amount` must be a multiple of 0.01"
    );
}

#[tokio::test]
async fn the_envelope_lists_faults_by_field() {
    let bench = Bench::start(catalog(sample(), |catalog| {
        catalog.arguments.style = ArgumentStyle::Envelope {
            code: "VALIDATION_ERROR",
        };
    }))
    .await;
    let outcome = bench.call(r#"{"id":"1","limit":500,"limt":1}"#).await;
    assert_eq!(outcome.code.as_deref(), Some("VALIDATION_ERROR"));
    let envelope: Value = serde_json::from_str(&crate::call_sample::text(&outcome.result)).unwrap();
    assert_eq!(envelope["error"]["code"], "VALIDATION_ERROR");
    assert_eq!(
        envelope["error"]["details"],
        json!({
            "limit": ["must be at most 100"],
            "limt": ["is not an argument of this tool; did you mean `limit`?"],
        })
    );
    let missing: Value = serde_json::from_str(&bench.refusal("{}").await).unwrap();
    assert_eq!(
        missing["error"],
        json!({
            "code": "VALIDATION_ERROR",
            "message": "Missing required arguments: id",
            "details": {"id": ["is missing"]},
        })
    );
}

fn write(change: impl FnOnce(&mut Tool)) -> &'static Catalog {
    let cents = Argument {
        wire: "amount",
        ..argument("cents", Place::BodyField)
    };
    let tool = tool(
        "POST",
        &[cents, argument("note", Place::BodyField)],
        |tool| {
            tool.fixed = &[Fixed {
                place: Place::BodyField,
                wire: "origin",
                value: r#""mcp""#,
            }];
            change(tool);
        },
    );
    catalog(tool, |catalog| {
        catalog.arguments.unknown = UnknownArguments::ReadTools;
    })
}

#[tokio::test]
async fn a_write_leaves_undeclared_fields_to_the_api_where_the_policy_says_so() {
    let bench = Bench::start(write(|_| {})).await;
    let request = bench
        .request(r#"{"cents":100,"extra":1.50,"gone":null}"#)
        .await;
    assert_eq!(
        request.body,
        r#"{"origin":"mcp","amount":100,"extra":1.50,"gone":null}"#
    );
}

/// Two fields of one name in a body: which one counts would depend on the API's parser.
#[tokio::test]
async fn undeclared_fields_cannot_stand_in_for_mapped_or_hidden_ones() {
    let bench = Bench::start(write(|_| {})).await;
    for given in [
        r#"{"cents":100,"amount":1}"#,
        r#"{"amount":1}"#,
        r#"{"cents":100,"origin":"me"}"#,
    ] {
        let text = bench.refusal(given).await;
        assert!(text.contains("is not an argument"), "{given}: {text}");
    }
    let open = Bench::start(write(|tool| {
        tool.input_schema = Text(&[r#"{"type":"object","properties":{"cents":{}}}"#]);
    }))
    .await;
    assert!(
        open.refusal(r#"{"cents":100,"amount":1}"#)
            .await
            .contains("`amount`")
    );
    assert_eq!(
        open.request(r#"{"cents":100,"other":1}"#).await.body,
        r#"{"origin":"mcp","amount":100,"other":1}"#
    );
}

#[tokio::test]
async fn an_undeclared_argument_without_a_body_to_go_to_is_refused() {
    let read = tool("GET", &[argument("a", Place::Query)], |_| {});
    let bench = Bench::start(catalog(read, |catalog| {
        catalog.arguments.unknown = UnknownArguments::ReadTools;
    }))
    .await;
    assert!(bench.refusal(r#"{"b":1}"#).await.contains("`b`"));
    let bodyless = tool("POST", &[argument("a", Place::Query)], |_| {});
    let bench = Bench::start(catalog(bodyless, |catalog| {
        catalog.arguments.unknown = UnknownArguments::ReadTools;
    }))
    .await;
    assert!(bench.refusal(r#"{"b":1}"#).await.contains("`b`"));
}

#[tokio::test]
async fn arguments_may_be_left_out_altogether() {
    let plain = tool("GET", &[], |_| {});
    let bench = Bench::start(catalog(plain, |_| {})).await;
    let tool = &bench.catalog.tools[0];
    let outcome = bench.caller.call(tool, 0, None, 0).await;
    assert_eq!((outcome.code, outcome.status), (None, Some(200)));
    assert_eq!(
        bench.refusal(r#"{"a":1}"#).await,
        "Invalid arguments: `a` is not an argument of this tool; it takes none"
    );
}
