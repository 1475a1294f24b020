//! `server/discover` and `initialize`.

use serde_json::{Value, json};

use crate::runtime::catalog::{Text, WireLocale};
use crate::runtime::identity::{Identity, handshake};
use crate::sample::{Server, catalog};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn discovery_says_everything_a_client_needs() {
    let server = Server::start(catalog(|_| {})).await;
    let answer = server.modern("server/discover", json!({})).await;
    assert_eq!(answer.status, 200);
    let expected = json!({"jsonrpc": "2.0", "id": 7, "result": {
        "resultType": "complete",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "sample", "version": "1.2.3", "title": "Sample"}},
        "ttlMs": 60000, "cacheScope": "public",
        "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18"],
        "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
        "instructions": "Use it",
    }});
    assert_eq!(answer.json(), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_what_exists_is_declared_and_answers() {
    let bare = catalog(|catalog| {
        catalog.prompts = &[];
        catalog.resources = &[];
        catalog.instructions = Text(&[]);
        catalog.title = Text(&[]);
    });
    let server = Server::start(bare).await;
    let result = server.modern("server/discover", json!({})).await.json()["result"].clone();
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(result.get("instructions"), None);
    let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info, &json!({"name": "sample", "version": "1.2.3"}));
    for (method, params) in [
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "greet"})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "docs://errors/en"})),
    ] {
        assert_eq!(
            server.modern(method, params.clone()).await.fault(),
            (404, -32601)
        );
        assert_eq!(server.legacy(method, params).await.fault(), (200, -32601));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handshake_offers_a_legacy_version() {
    let server = Server::start(catalog(|_| {})).await;
    for (asked, offered) in [
        ("2025-06-18", "2025-06-18"),
        ("2026-07-28", "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
    ] {
        let body = json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {
            "protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
        let answer = server.post(&[], &body.to_string()).await;
        let expected = json!({"jsonrpc": "2.0", "id": "a", "result": {
            "protocolVersion": offered,
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
            "serverInfo": {"name": "sample", "version": "1.2.3", "title": "Sample"},
            "instructions": "Use it",
        }});
        assert_eq!((answer.status, answer.json()), (200, expected));
    }
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}}"#;
    assert_eq!(server.post(&[], body).await.fault(), (200, -32602));
}

#[test]
fn the_oldest_version_gets_no_title() {
    let members = handshake(catalog(|_| {}), "2025-03-26", 0);
    let value: Value = serde_json::from_str(&format!("{{{members}}}")).expect("JSON");
    assert_eq!(
        value["serverInfo"],
        json!({"name": "sample", "version": "1.2.3"})
    );
}

#[test]
fn what_a_language_header_chose_is_private() {
    let negotiated = catalog(|catalog| catalog.wire_locale = WireLocale::AcceptLanguage);
    assert!(
        Identity::new(negotiated, 0)
            .cacheable
            .contains(r#""cacheScope":"private""#)
    );
    let one = catalog(|catalog| {
        catalog.wire_locale = WireLocale::AcceptLanguage;
        catalog.locales = &["en"];
    });
    assert!(
        Identity::new(one, 0)
            .cacheable
            .contains(r#""cacheScope":"public""#)
    );
}
