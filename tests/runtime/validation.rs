//! Compiled schemas: made once, for Draft 2020-12, without looking anything up.

use std::ptr;

use crate::call_sample::{Bench, argument, catalog, leak, tool};
use crate::runtime::catalog::*;
use crate::runtime::validation::InputChecks;

#[test]
fn a_schema_is_compiled_once_and_only_for_tools_of_the_catalog() {
    let checks = InputChecks::new(1);
    let sample = leak(tool("GET", &[argument("a", Place::Query)], |_| {}));
    let first = checks.get(0, sample).unwrap();
    assert!(first.validator.is_some());
    assert!(ptr::eq(first, checks.get(0, sample).unwrap()));
    assert!(checks.get(1, sample).is_none());
}

/// The generator rules these out; if one gets here all the same, nothing is sent unchecked.
#[tokio::test]
async fn a_schema_that_does_not_compile_refuses_the_call() {
    for broken in [
        r#"{"type":"nonsense"}"#,
        r#"{"$ref":"https://example.com/schema.json"}"#,
        r#"{"properties":{"a":{"pattern":"("}}}"#,
        "",
    ] {
        let sample = tool("GET", &[argument("a", Place::Query)], |tool| {
            tool.input_schema = Text(leak([broken]));
        });
        let bench = Bench::start(catalog(sample, |_| {})).await;
        let text = bench.refusal(r#"{"a":1}"#).await;
        assert_eq!(
            text, "Invalid arguments: the arguments cannot be checked",
            "{broken}"
        );
    }
}

#[tokio::test]
async fn recursion_and_the_newest_draft_are_understood_and_formats_are_not_asserted() {
    let sample = tool("POST", &[argument("tree", Place::BodyField)], |tool| {
        tool.input_schema = Text(&[
            r##"{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},"$defs":{
            "node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"},"at":{"type":"string","format":"date"}},
            "prefixItems":[true],"unevaluatedProperties":false}}}"##,
        ]);
    });
    let bench = Bench::start(catalog(sample, |_| {})).await;
    bench
        .request(r#"{"tree":{"at":"not a date","next":{"next":{}}}}"#)
        .await;
    assert_eq!(
        bench.refusal(r#"{"tree":{"next":{"next":{"x":1}}}}"#).await,
        "Invalid arguments: `tree/next/next/x` is not a known field"
    );
}
