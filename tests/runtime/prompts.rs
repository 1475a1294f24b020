//! Prompts.

use serde_json::json;

use crate::runtime::catalog::WireLocale;
use crate::runtime::prompts::{fill, shorten};
use crate::sample::{Server, catalog, modern_body};

#[track_caller]
fn check(template: &str, expected: &str) {
    let value = |name: &str| match name {
        "a" => Some("{b}"),
        "b" => Some("B"),
        "empty" => Some(""),
        _ => None,
    };
    assert_eq!(fill(template, value), expected);
}

#[test]
fn placeholders_are_filled_once() {
    check("x {a} {b}", "x {b} B");
    check("{{b}}", "{b}");
    check("{{{b}}}", "{B}");
    check("{empty}|", "|");
    check("{unknown} é {b}", "{unknown} é B");
    check("{b", "{b");
    check("b}", "b}");
    check("{ {b}", "{ B");
    check("{}", "{}");
    check("", "");
}

#[test]
fn names_in_messages_are_short() {
    assert_eq!(shorten("é"), "é");
    assert_eq!(shorten(&"é".repeat(100)), "é".repeat(64));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_is_filled_with_text_not_structure() {
    let server = Server::start(catalog(|_| {})).await;
    let params = json!({"name": "greet", "arguments": {"who": "{how}\"}]", "how": "!"}});
    let expected = json!({"description": "Greets a person", "messages": [
        {"role": "user", "content": {"type": "text", "text": "Hello {how}\"}]! {who} {nobody}"}}]});
    let legacy = server.legacy("prompts/get", params.clone()).await;
    assert_eq!(legacy.json()["result"], expected);
    let modern = server.modern("prompts/get", params).await.json()["result"].clone();
    assert_eq!(modern["messages"], expected["messages"]);
    assert_eq!(modern["resultType"], "complete");
    assert_eq!(
        (modern.get("ttlMs"), modern.get("cacheScope")),
        (None, None)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_optional_argument_leaves_nothing_behind() {
    let server = Server::start(catalog(|_| {})).await;
    let answer = server
        .legacy(
            "prompts/get",
            json!({"name": "greet", "arguments": {"who": "Ana"}}),
        )
        .await;
    let text = answer.json()["result"]["messages"][0]["content"]["text"].clone();
    assert_eq!(text, "Hello Ana {who} {nobody}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_of_a_prompt_request_are_invalid_params() {
    let server = Server::start(catalog(|_| {})).await;
    for params in [
        json!({"name": "nobody"}),
        json!({"name": "greet"}),
        json!({"name": "greet", "arguments": {}}),
        json!({"name": "greet", "arguments": {"how": "x"}}),
        json!({"name": "greet", "arguments": {"who": "x", "more": "y"}}),
        json!({"name": "greet", "arguments": {"who": 5}}),
        json!({"name": "greet", "arguments": {"who": null}}),
        json!({"name": "greet", "arguments": ["x"]}),
        json!({"name": "greet", "arguments": null}),
        json!({"name": 5}),
        json!({}),
    ] {
        assert_eq!(
            server.legacy("prompts/get", params.clone()).await.fault(),
            (200, -32602),
            "{params}"
        );
        if params["name"].is_string() {
            let modern = server.modern("prompts/get", params.clone()).await;
            assert_eq!(modern.fault(), (200, -32602), "{params}");
        }
    }
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":{"who":"x","wh\u006f":"y"}}}"#;
    let headers = [("MCP-Protocol-Version", "2025-11-25")];
    assert_eq!(server.post(&headers, twice).await.fault(), (200, -32602));
    let params = json!({"name": "greet", "arguments": {"who": "x"}, "requestState": "made up"});
    assert_eq!(
        server.modern("prompts/get", params).await.fault(),
        (200, -32602)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_language_is_the_one_asked_for() {
    let negotiated = catalog(|catalog| catalog.wire_locale = WireLocale::AcceptLanguage);
    let server = Server::start(negotiated).await;
    let body = modern_body(
        "prompts/get",
        json!({"name": "greet", "arguments": {"who": "Ana"}}),
    );
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "prompts/get"),
        ("Mcp-Name", "greet"),
        ("Accept-Language", "pt"),
    ];
    let result = server.post(&headers, &body).await.json()["result"].clone();
    assert_eq!(result["messages"][0]["content"]["text"], "Olá Ana");
}
