//! The lists and their pages.

use serde_json::{Value, json};

use crate::runtime::catalog::WireLocale;
use crate::runtime::lists::{Form, List, Lists};
use crate::sample::{Server, catalog};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_follow_each_other_in_both_eras() {
    let server = Server::start(catalog(|_| {})).await;
    let first = server.modern("tools/list", json!({})).await.json()["result"].clone();
    assert_eq!(first["resultType"], "complete");
    assert_eq!(first["ttlMs"], 60000);
    assert_eq!(first["cacheScope"], "public");
    assert_eq!(names(&first), ["now", "slow"]);
    let cursor = first["nextCursor"].clone();
    let last = server
        .modern("tools/list", json!({ "cursor": cursor }))
        .await
        .json()["result"]
        .clone();
    assert_eq!(names(&last), ["cancel"]);
    assert_eq!(last.get("nextCursor"), None);
    assert_eq!(last["cacheScope"], "public");
    let legacy = server
        .legacy("tools/list", json!({ "cursor": cursor }))
        .await
        .json()["result"]
        .clone();
    assert_eq!(names(&legacy), ["cancel"]);
    for member in ["resultType", "ttlMs", "cacheScope", "_meta", "nextCursor"] {
        assert_eq!(legacy.get(member), None, "{member}");
    }
    let empty = server
        .modern("tools/list", json!({"cursor": ""}))
        .await
        .json()["result"]
        .clone();
    assert_eq!(empty, first);
}

fn names(result: &Value) -> Vec<&str> {
    let tools = result["tools"].as_array().expect("tools");
    tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cursor_of_no_page_is_refused() {
    let server = Server::start(catalog(|_| {})).await;
    for cursor in [
        json!("t0"),
        json!("t2"),
        json!("t01"),
        json!("t+1"),
        json!("p1"),
        json!("t"),
        json!("ét1"),
        json!("t99999999999999999999999"),
        json!(1),
        json!(null),
        json!({}),
    ] {
        let params = json!({ "cursor": cursor });
        assert_eq!(
            server.modern("tools/list", params.clone()).await.fault(),
            (200, -32602),
            "{params}"
        );
        assert_eq!(
            server.legacy("tools/list", params.clone()).await.fault(),
            (200, -32602),
            "{params}"
        );
    }
    for method in ["prompts/list", "resources/list", "resources/templates/list"] {
        assert_eq!(
            server.modern(method, json!({"cursor": "t1"})).await.fault(),
            (200, -32602)
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entries_say_what_the_catalog_says() {
    let server = Server::start(catalog(|_| {})).await;
    let list = |method: &'static str| {
        let server = &server;
        async move { server.modern(method, json!({})).await.json()["result"].clone() }
    };
    assert_eq!(
        list("tools/list").await["tools"][0],
        json!({
            "name": "now", "description": "Says \"hello\"",
            "inputSchema": {"type": "object", "additionalProperties": false},
            "outputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true},
        })
    );
    assert_eq!(
        list("prompts/list").await["prompts"],
        json!([{
            "name": "greet", "title": "Greeting", "description": "Greets a person",
            "arguments": [{"name": "who", "description": "Whom", "required": true}, {"name": "how", "required": false}],
        }])
    );
    assert_eq!(
        list("resources/list").await["resources"],
        json!([{
            "uri": "docs://errors/en", "name": "errors-en", "title": "Errors", "mimeType": "text/markdown",
        }])
    );
    let templates = list("resources/templates/list").await;
    assert_eq!(templates["resourceTemplates"], json!([]));
    assert_eq!(templates["ttlMs"], 60000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_destructive_tool_is_marked() {
    let whole = catalog(|catalog| catalog.protocol.page_size = 100);
    let server = Server::start(whole).await;
    let result = server.legacy("tools/list", json!({})).await.json()["result"].clone();
    let hints = &result["tools"][2]["annotations"];
    assert_eq!(
        (&hints["readOnlyHint"], &hints["destructiveHint"]),
        (&json!(false), &json!(true))
    );
}

#[test]
fn forms_and_languages_are_kept_apart() {
    let negotiated = catalog(|catalog| catalog.wire_locale = WireLocale::AcceptLanguage);
    let lists = Lists::new(negotiated);
    let read = |list, form, locale| {
        let page = lists.page(list, None, form, locale).expect("a page");
        let members = lists.members(page).into_owned();
        serde_json::from_slice::<Value>(&[b"{".as_slice(), &members, b"}"].concat()).expect("JSON")
    };
    // Twice: what is kept must be what was built.
    for _ in 0..2 {
        assert_eq!(
            read(List::Tools, Form::Modern, 0)["tools"][0]["description"],
            "Says \"hello\""
        );
        assert_eq!(
            read(List::Tools, Form::Modern, 1)["tools"][0]["description"],
            "Diz \"olá\""
        );
        assert!(
            read(List::Tools, Form::Legacy, 0)["tools"][0]
                .get("outputSchema")
                .is_some()
        );
        assert!(
            read(List::Tools, Form::Oldest, 0)["tools"][0]
                .get("outputSchema")
                .is_none()
        );
        assert!(
            read(List::Prompts, Form::Oldest, 0)["prompts"][0]
                .get("title")
                .is_none()
        );
        assert!(
            read(List::Prompts, Form::Legacy, 0)["prompts"][0]
                .get("title")
                .is_some()
        );
    }
}

#[test]
fn odd_page_sizes_lose_nothing() {
    for size in [0, 1, 2, 3, 4, usize::MAX] {
        let lists = Lists::new(catalog(|catalog| catalog.protocol.page_size = size));
        let mut seen = Vec::new();
        let mut cursor = None;
        for _ in 0..4 {
            let raw = cursor
                .as_ref()
                .map(|value: &Value| serde_json::value::to_raw_value(value).expect("JSON"));
            let page = lists
                .page(List::Tools, raw.as_deref(), Form::Modern, 0)
                .expect("a page");
            let members = lists.members(page).into_owned();
            let value: Value =
                serde_json::from_slice(&[b"{".as_slice(), &members, b"}"].concat()).expect("JSON");
            seen.extend(names(&value).iter().map(ToString::to_string));
            cursor = value.get("nextCursor").cloned();
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, ["now", "slow", "cancel"], "{size}");
    }
}
