//! Dispatch: eras, `_meta`, headers and methods, over real HTTP.

use serde_json::{Value, json};

use crate::runtime::catalog::MethodNotFound;
use crate::sample::{Server, catalog, meta, modern_body};

const NEW: (&str, &str) = ("MCP-Protocol-Version", "2026-07-28");
const LIST: (&str, &str) = ("Mcp-Method", "tools/list");

fn with_claim(method: &str, claim: &str) -> String {
    let mut meta = meta(json!({}));
    meta["io.modelcontextprotocol/protocolVersion"] = claim.into();
    modern_body(method, json!({ "_meta": meta }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn versions_are_refused_with_what_is_served() {
    let server = Server::start(catalog(|_| {})).await;
    let data = |requested: &str| json!({"supported": ["2026-07-28", "2025-11-25", "2025-06-18"], "requested": requested});
    let future = ("MCP-Protocol-Version", "2031-01-01");
    let body = with_claim("tools/list", "2031-01-01");
    let answer = server.post(&[future, LIST], &body).await;
    assert_eq!(answer.fault(), (400, -32022));
    assert_eq!(answer.json()["error"]["data"], data("2031-01-01"));
    assert_eq!(answer.json()["id"], 7);
    assert_eq!(
        server.post(&[NEW, LIST], &body).await.fault(),
        (400, -32020)
    );
    let plain = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
    let answer = server.post(&[], plain).await;
    assert_eq!(answer.fault(), (400, -32022));
    assert_eq!(answer.json()["error"]["data"], data("2025-03-26"));
    assert_eq!(server.post(&[future], plain).await.fault(), (400, -32022));
    assert_eq!(
        server.post(&[NEW, LIST], plain).await.fault(),
        (400, -32602)
    );
    let twice = [NEW, ("MCP-Protocol-Version", "2025-11-25"), LIST];
    assert_eq!(
        server
            .post(&twice, &modern_body("tools/list", json!({})))
            .await
            .fault(),
        (400, -32020)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_legacy_claim_is_served_as_that_version() {
    let server = Server::start(catalog(|_| {})).await;
    let body = with_claim("tools/list", "2025-06-18");
    let answer = server
        .post(&[("mcp-protocol-version", "2025-06-18")], &body)
        .await;
    assert_eq!(answer.fault(), (200, 0));
    assert_eq!(answer.json()["result"].get("resultType"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_modern_request_describes_itself() {
    let server = Server::start(catalog(|_| {})).await;
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let level = "io.modelcontextprotocol/logLevel";
    let claim = "2026-07-28";
    for (meta, expected) in [
        (json!({version: claim, capabilities: {}}), (200, 0)),
        (
            json!({version: claim, capabilities: {}, level: "debug", "x/y": 1, "progressToken": 1}),
            (200, 0),
        ),
        (json!({version: claim}), (400, -32602)),
        (json!({version: claim, capabilities: null}), (400, -32602)),
        (json!({version: claim, capabilities: []}), (400, -32602)),
        (
            json!({version: claim, capabilities: {}, level: "loud"}),
            (400, -32602),
        ),
        (
            json!({version: claim, capabilities: {}, level: 3}),
            (400, -32602),
        ),
        (json!({version: 5, capabilities: {}}), (400, -32602)),
        (json!({version: null, capabilities: {}}), (400, -32602)),
        (json!({capabilities: {}}), (400, -32602)),
        (json!({}), (400, -32602)),
        (json!([]), (400, -32602)),
        (json!("x"), (400, -32602)),
        (json!(null), (400, -32602)),
    ] {
        let body =
            json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": meta}});
        let answer = server.post(&[NEW, LIST], &body.to_string()).await;
        assert_eq!(answer.fault(), expected, "{meta}");
        assert_eq!(answer.json()["id"], 7);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_standard_headers_repeat_the_body() {
    let server = Server::start(catalog(|_| {})).await;
    let body = modern_body(
        "prompts/get",
        json!({"name": "greet", "arguments": {"who": "x"}}),
    );
    let get = ("Mcp-Method", "prompts/get");
    let name = ("Mcp-Name", "greet");
    for (headers, code) in [
        (vec![NEW, get, name], 0),
        (
            vec![NEW, ("mcp-method", "prompts/get"), ("MCP-NAME", " greet ")],
            0,
        ),
        (vec![NEW, get, ("Mcp-Name", "=?base64?Z3JlZXQ=?=")], 0),
        (vec![NEW, get, name, name], 0),
        (vec![get, name], -32020),
        (vec![NEW, name], -32020),
        (vec![NEW, get], -32020),
        (vec![NEW, ("Mcp-Method", "PROMPTS/GET"), name], -32020),
        (vec![NEW, ("Mcp-Method", "tools/list"), name], -32020),
        (vec![NEW, get, ("Mcp-Name", "Greet")], -32020),
        (vec![NEW, get, ("Mcp-Name", "")], -32020),
        (vec![NEW, get, ("Mcp-Name", "=?base64?Z3JlZXQ?=")], -32020),
        (vec![NEW, get, ("Mcp-Name", "=?BASE64?Z3JlZXQ=?=")], -32020),
        (vec![NEW, get, name, ("Mcp-Name", "other")], -32020),
        (vec![NEW, get, get, ("Mcp-Method", "ping"), name], -32020),
    ] {
        let status = if code == 0 { 200 } else { 400 };
        assert_eq!(
            server.post(&headers, &body).await.fault(),
            (status, code),
            "{headers:?}"
        );
    }
    // A body that lacks the name contradicts a header that has one; without one it is merely incomplete.
    let nameless = modern_body("prompts/get", json!({}));
    assert_eq!(
        server.post(&[NEW, get, name], &nameless).await.fault(),
        (400, -32020)
    );
    assert_eq!(
        server.post(&[NEW, get], &nameless).await.fault(),
        (200, -32602)
    );
    // A legacy request needs none of them.
    let legacy = server
        .legacy(
            "prompts/get",
            json!({"name": "greet", "arguments": {"who": "x"}}),
        )
        .await;
    assert_eq!(legacy.fault(), (200, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn methods_exist_by_era() {
    let server = Server::start(catalog(|_| {})).await;
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/list",
        "completion/complete",
        "subscriptions/listen",
        "nonsense",
        "",
    ] {
        let answer = server.modern(method, json!({})).await;
        assert_eq!(answer.fault(), (404, -32601), "{method}");
        assert_eq!(answer.json()["id"], 7);
    }
    for method in [
        "server/discover",
        "logging/setLevel",
        "completion/complete",
        "notifications/x",
        "Ping",
    ] {
        assert_eq!(
            server.legacy(method, json!({})).await.fault(),
            (200, -32601),
            "{method}"
        );
    }
    assert_eq!(
        server.legacy("ping", json!({})).await.json()["result"],
        json!({})
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_method_is_named_where_the_catalog_says_so() {
    let named = Server::start(catalog(|_| {})).await;
    let message = |value: Value| value["error"]["message"].clone();
    let answer = named.legacy("tools/describe", json!({})).await;
    assert_eq!(message(answer.json()), "Method not found: tools/describe");
    let long = named.legacy(&"x".repeat(2000), json!({})).await;
    assert_eq!(
        message(long.json()),
        format!("Method not found: {}", "x".repeat(64))
    );
    let plain = catalog(|catalog| catalog.protocol.method_not_found = MethodNotFound::Plain);
    let plain = Server::start(plain).await;
    assert_eq!(
        message(plain.legacy("x", json!({})).await.json()),
        "Method not found"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn params_must_be_an_object() {
    let server = Server::start(catalog(|_| {})).await;
    for params in [
        json!([]),
        json!("x"),
        json!(null),
        json!(1),
        json!({"_meta": 1}),
    ] {
        assert_eq!(
            server.legacy("tools/list", params.clone()).await.fault(),
            (200, -32602),
            "{params}"
        );
    }
    let twice = r#"{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"greet","name":"other"}}"#;
    let headers = [("MCP-Protocol-Version", "2025-11-25")];
    assert_eq!(server.post(&headers, twice).await.fault(), (200, -32602));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notifications_are_accepted_and_never_answered() {
    let server = Server::start(catalog(|_| {})).await;
    for version in ["2026-07-28", "2025-11-25"] {
        for body in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":5}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"now"}}"#,
        ] {
            let answer = server
                .post(&[("MCP-Protocol-Version", version)], body)
                .await;
            assert_eq!((answer.status, answer.body.as_str()), (202, ""), "{body}");
        }
    }
    assert_eq!(server.api.n_requests(), 0);
    let refused = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let answer = server
        .post(&[("MCP-Protocol-Version", "1999-01-01")], refused)
        .await;
    assert_eq!(answer.fault(), (400, -32022));
    assert_eq!(answer.json().get("id"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ids_come_back_as_they_were() {
    let server = Server::start(catalog(|_| {})).await;
    for id in [
        "0",
        "-5",
        "12345678901234567890123",
        r#""""#,
        r#""7""#,
        r#""é\u00e9""#,
    ] {
        let body = format!(r#"{{"id":{id},"jsonrpc":"2.0","method":"ping"}}"#);
        let answer = server
            .post(&[("MCP-Protocol-Version", "2025-11-25")], &body)
            .await;
        assert_eq!(
            answer.body,
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
        );
    }
}
