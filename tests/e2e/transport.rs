//! Transport rows of both pages on the wire: status and form of the body.

use serde_json::{Value, json};

use crate::client::{Answer, Era, headers, message, post, send};
use crate::server::HttpServer;
use crate::{kobana, regua};

/// What is refused, by a server at a path.
pub(crate) async fn refusals(server: &HttpServer, path: &str) -> Vec<(&'static str, Answer)> {
    let list = message(Era::Legacy, "tools/list", json!({}));
    let with = |name, value: &str| {
        let mut all = headers(Era::Legacy, &list);
        all.push((name, value.to_owned()));
        all
    };
    let (address, body) = (server.address, list.to_string());
    let long = format!("{{\"pad\":\"{}\"}}", "x".repeat(4 << 20));
    vec![
        (
            "host",
            post(address, path, &with("host", "evil.example"), body.clone()).await,
        ),
        (
            "origin",
            post(
                address,
                path,
                &with("origin", "https://evil.example"),
                body.clone(),
            )
            .await,
        ),
        (
            "method",
            send("GET", address, path, &headers(Era::Legacy, &list), "").await,
        ),
        (
            "body_too_large",
            post(address, path, &headers(Era::Legacy, &list), long).await,
        ),
    ]
}

fn is_json_rpc(answer: &Answer) -> bool {
    let body = answer.json();
    body["error"]["code"] == json!(-32600) && body.get("id").is_none()
}

#[tokio::test(flavor = "multi_thread")]
async fn kobana_refuses_as_json_rpc() {
    let (server, _stand_in) = kobana::start().await;
    let expected = [
        ("host", 403),
        ("origin", 403),
        ("method", 405),
        ("body_too_large", 413),
    ];
    for ((name, answer), (kind, status)) in refusals(&server, kobana::PATH)
        .await
        .into_iter()
        .zip(expected)
    {
        assert_eq!((name, answer.status), (kind, status), "{}", answer.text);
        assert!(is_json_rpc(&answer), "{name}: {}", answer.text);
        assert_eq!(
            answer.headers.contains_key("allow"),
            status == 405,
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn regua_refuses_in_plain_text() {
    let (server, _stand_in) = regua::start().await;
    let expected = [
        ("host", 404),
        ("origin", 403),
        ("method", 405),
        ("body_too_large", 413),
    ];
    for ((name, answer), (kind, status)) in refusals(&server, regua::PATH)
        .await
        .into_iter()
        .zip(expected)
    {
        assert_eq!((name, answer.status), (kind, status), "{}", answer.text);
        assert_eq!(answer.json(), Value::Null, "{name}: {}", answer.text);
        let media_type = answer
            .headers
            .get("content-type")
            .and_then(|value| value.to_str().ok());
        assert!(
            media_type.is_some_and(|text| text.starts_with("text/plain")),
            "{name}: {media_type:?}"
        );
        assert!(!answer.text.is_empty(), "{name}");
    }
}

/// A body of exactly this many bytes that asks for the tools.
fn body_of(n_bytes: usize) -> String {
    let list = message(Era::Legacy, "tools/list", json!({})).to_string();
    format!("{list}{}", " ".repeat(n_bytes - list.len()))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limits_are_exact() {
    let (kobana, _a) = kobana::start().await;
    let (regua, _b) = regua::start().await;
    for (server, path, limit) in [
        (&kobana, kobana::PATH, 4_194_304),
        (&regua, regua::PATH, 2_000_000),
    ] {
        let head = headers(Era::Legacy, &Value::Null);
        assert_eq!(
            post(server.address, path, &head, body_of(limit))
                .await
                .status,
            200,
            "{limit}"
        );
        assert_eq!(
            post(server.address, path, &head, body_of(limit + 1))
                .await
                .status,
            413,
            "{limit}"
        );
    }
}
