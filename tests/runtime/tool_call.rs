//! `tools/call`: what is refused, what is logged, what goes on.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::runtime::answer::ToolResult;
use crate::runtime::catalog::Tool;
use crate::runtime::catalog::{WireLocale, WithoutElicitation};
use crate::runtime::hooks::Hooks;
use crate::runtime::service::{Arrival, Reply, Step};
use crate::sample::{self, Api, Server, catalog, hooked_service, meta, modern_body};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_answer_in_the_form_of_their_era() {
    let server = Server::start(catalog(|_| {})).await;
    let modern = server
        .modern("tools/call", json!({"name": "now", "arguments": {}}))
        .await;
    assert_eq!(modern.fault(), (200, 0));
    let result = modern.json()["result"].clone();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "sample"
    );
    assert_eq!(result["content"][0]["type"], "text");
    assert_eq!(result.get("ttlMs"), None);
    let legacy = server
        .legacy("tools/call", json!({"name": "now"}))
        .await
        .json()["result"]
        .clone();
    assert_eq!(legacy["content"][0]["type"], "text");
    assert_eq!(
        (legacy.get("resultType"), legacy.get("_meta")),
        (None, None)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_a_call_is_invalid_params_and_logged() {
    let server = Server::start(catalog(|_| {})).await;
    for params in [
        json!({"name": "nobody"}),
        json!({"name": "NOW"}),
        json!({"name": "now", "arguments": []}),
        json!({"name": "now", "arguments": "x"}),
        json!({"name": "now", "arguments": null}),
        json!({"name": 5}),
        json!({}),
    ] {
        assert_eq!(
            server.legacy("tools/call", params.clone()).await.fault(),
            (200, -32602),
            "{params}"
        );
        if params["name"].is_string() {
            let answer = server.modern("tools/call", params.clone()).await;
            assert_eq!(answer.fault(), (200, -32602), "{params}");
        }
    }
    let params = json!({"name": "now", "requestState": "made up"});
    assert_eq!(
        server.modern("tools/call", params).await.fault(),
        (200, -32602)
    );
    assert_eq!(server.api.n_requests(), 0);
    let calls = server.calls();
    assert_eq!(calls.len(), 13);
    assert!(
        calls
            .iter()
            .all(|line| line["result"] == "-32602" && line["status"].is_null())
    );
    assert_eq!(calls[0]["tool"], "nobody");
}

fn destructive(capabilities: Value) -> Value {
    json!({"name": "cancel", "arguments": {}, "_meta": meta(capabilities)})
}

#[track_caller]
fn is_refused_by_tool_error(result: &Value) {
    assert_eq!(result["isError"], true);
    assert_eq!(result.get("structuredContent"), None);
    let text = result["content"][0]["text"].as_str().expect("a text");
    let envelope: Value = serde_json::from_str(text).expect("JSON");
    let expected =
        json!({"error": {"code": "confirmation_required", "message": "Confirm it first"}});
    assert_eq!(envelope, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_destructive_tool_never_runs() {
    let server = Server::start(catalog(|_| {})).await;
    let legacy = server.legacy("tools/call", json!({"name": "cancel"})).await;
    is_refused_by_tool_error(&legacy.json()["result"]);
    for capabilities in [
        json!({"elicitation": {}}),
        json!({"elicitation": {"form": {}, "url": {}}}),
    ] {
        let answer = server.modern("tools/call", destructive(capabilities)).await;
        assert_eq!(answer.fault(), (200, 0));
        is_refused_by_tool_error(&answer.json()["result"]);
        assert_eq!(answer.json()["result"]["resultType"], "complete");
    }
    for capabilities in [
        json!({}),
        json!({"elicitation": {"url": {}}}),
        json!({"elicitation": null}),
        json!({"elicitation": true}),
        json!({"Elicitation": {}}),
    ] {
        let answer = server
            .modern("tools/call", destructive(capabilities.clone()))
            .await;
        assert_eq!(answer.fault(), (400, -32021), "{capabilities}");
        let data = &answer.json()["error"]["data"];
        assert_eq!(
            data,
            &json!({"requiredCapabilities": {"elicitation": {"form": {}}}})
        );
    }
    let mut retry = destructive(json!({"elicitation": {}}));
    retry["inputResponses"] =
        json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
    let answer = server.modern("tools/call", retry.clone()).await;
    is_refused_by_tool_error(&answer.json()["result"]);
    retry["requestState"] = json!("v1.forged");
    assert_eq!(
        server.modern("tools/call", retry).await.fault(),
        (200, -32602)
    );
    assert_eq!(server.api.n_requests(), 0);
    let results: Vec<Value> = server
        .calls()
        .iter()
        .map(|line| line["result"].clone())
        .collect();
    assert_eq!(results[0], "confirmation_required");
    assert_eq!(results[3], "-32021");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_catalog_may_refuse_by_tool_error_always() {
    let catalog = catalog(|catalog| {
        catalog.confirmation.without_elicitation = WithoutElicitation::ToolError;
    });
    let server = Server::start(catalog).await;
    let answer = server.modern("tools/call", destructive(json!({}))).await;
    assert_eq!(answer.fault(), (200, 0));
    is_refused_by_tool_error(&answer.json()["result"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_refusal_is_worded_by_the_registry_or_else_by_us() {
    let text = |value: Value| value["result"]["content"][0]["text"].to_string();
    let fixed = Server::start(catalog(|catalog| {
        catalog.wire_locale = WireLocale::Fixed(1)
    }))
    .await;
    let answer = fixed.legacy("tools/call", json!({"name": "cancel"})).await;
    assert!(text(answer.json()).contains("Confirme antes"));
    let silent = Server::start(catalog(|catalog| catalog.errors.registry = &[])).await;
    let answer = silent.legacy("tools/call", json!({"name": "cancel"})).await;
    assert!(text(answer.json()).contains("Nothing was executed"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_beyond_the_limit_are_refused_and_nothing_else_is() {
    let server = Server::start_with(catalog(|_| {}), 0, Duration::from_secs(1)).await;
    let answer = server.legacy("tools/call", json!({"name": "now"})).await;
    assert_eq!(answer.status, 503);
    assert!(answer.head.contains("retry-after: 1"));
    assert_eq!(server.legacy("ping", json!({})).await.status, 200);
    assert_eq!(server.calls()[0]["result"], "overloaded");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_place_is_given_back_after_each_call() {
    let server = Server::start_with(catalog(|_| {}), 1, Duration::from_secs(1)).await;
    for _ in 0..3 {
        assert_eq!(
            server
                .modern("tools/call", json!({"name": "now"}))
                .await
                .fault(),
            (200, 0)
        );
        assert_eq!(
            server
                .legacy("tools/call", json!({"name": "now"}))
                .await
                .fault(),
            (200, 0)
        );
    }
}

/// Sends a slow call and leaves before it is answered; returns what the log says of it.
async fn leave_early(server: &Server, version: &str) -> Value {
    let body = modern_body("tools/call", json!({"name": "slow"}));
    let body = body.replace("2026-07-28", version);
    let mut stream = TcpStream::connect(&server.address)
        .await
        .expect("a connection");
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Method: tools/call\r\n\
         Mcp-Name: slow\r\nMCP-Protocol-Version: {version}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    tokio::time::sleep(Duration::from_millis(150)).await;
    drop(stream);
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(5) {
        if let Some(line) = server.calls().first() {
            return line.clone();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Value::Null
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_cancels_a_modern_call_and_no_legacy_one() {
    let server = Server::start(catalog(|_| {})).await;
    let line = leave_early(&server, "2026-07-28").await;
    assert_eq!(line["result"], "cancelled", "{line}");
    let server = Server::start(catalog(|_| {})).await;
    let line = leave_early(&server, "2025-11-25").await;
    assert_eq!(
        (&line["result"], &line["status"]),
        (&json!("ok"), &json!(200)),
        "{line}"
    );
}

struct Panics;

impl Hooks for Panics {
    fn after_call(&self, _: &Tool, _: &mut ToolResult) {
        panic!("an internal detail");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_is_an_internal_error_without_its_text() {
    let api = Api::start().await;
    let (service, lines) = hooked_service(catalog(|_| {}), &api.base_url, 1, Box::new(Panics));
    for _ in 0..2 {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"now"}}"#;
        let arrival = Arrival {
            peer: None,
            toll: crate::runtime::limits::Toll::Due,
            headers: None,
            started: Instant::now(),
            principal: &sample::ANONYMOUS,
        };
        let Step::Call(call) = service.receive(body.as_bytes(), &arrival) else {
            panic!("not a call");
        };
        let Reply::Message { status, body } = service.run(call).await else {
            panic!("no message");
        };
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        let expected = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "Internal error"}});
        assert_eq!((status.as_u16(), body), (200, expected));
    }
    let calls = sample::calls(&lines);
    assert_eq!(
        (&calls[1]["result"], &calls[1]["cause"]),
        (&json!("-32603"), &json!("a handler panicked"))
    );
}
