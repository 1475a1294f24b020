//! The endpoint: everything that is decided before a message is read.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::runtime::catalog::WireLocale;
use crate::sample::{Answer, Server, catalog, modern_body};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const OLD: (&str, &str) = ("MCP-Protocol-Version", "2025-11-25");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_answered_as_json() {
    let server = Server::start(catalog(|_| {})).await;
    let answer = server.post(&[OLD, ("Mcp-Session-Id", "abc")], PING).await;
    assert_eq!(
        (answer.status, answer.body.as_str()),
        (200, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    );
    assert!(
        answer.head.contains("content-type: application/json"),
        "{answer:?}"
    );
    assert!(!answer.head.contains("mcp-session-id"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_methods_paths_hosts_and_origins_are_refused_in_order() {
    let server = Server::start(catalog(|_| {})).await;
    for method in ["GET", "DELETE", "OPTIONS", "PUT", "HEAD"] {
        let request = |path: &str, more: &str| {
            format!(
                "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n"
            )
        };
        let answer = server.raw(request("/mcp", "").as_bytes()).await;
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.head.contains("allow: post"), "{answer:?}");
        if method != "HEAD" {
            assert_eq!(
                answer.json()["error"],
                json!({"code": -32600, "message": "Refused \"here\""})
            );
            assert_eq!(answer.json().get("id"), None);
        }
        let foreign = server
            .raw(request("/mcp", "Origin: http://evil.example\r\n").as_bytes())
            .await;
        assert_eq!(foreign.status, 403, "{method}");
        assert_eq!(
            server.raw(request("/other", "").as_bytes()).await.status,
            404
        );
    }
    let host = server.post(&[OLD, ("Host", "evil.example")], PING).await;
    assert_eq!((host.status, host.body.as_str()), (404, "Refused \"here\""));
    assert!(host.head.contains("content-type: text/plain"));
    let origin = server
        .post(&[OLD, ("Origin", "http://localhost:1")], PING)
        .await;
    assert_eq!(origin.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn media_types_are_checked() {
    let server = Server::start(catalog(|_| {})).await;
    for (content_type, status) in [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("application/json;charset=utf-8", 200),
        ("text/plain", 415),
        ("application/jsonx", 415),
        ("application/x-www-form-urlencoded", 415),
        ("", 415),
    ] {
        let answer = server
            .post(&[OLD, ("Content-Type", content_type)], PING)
            .await;
        assert_eq!(answer.status, status, "{content_type}");
    }
    let without = server.post(&[OLD, ("", "Content-Type")], PING).await;
    assert_eq!(without.status, 415);
    let twice = [
        OLD,
        ("Content-Type", "application/json"),
        ("Content-Type", "text/plain"),
    ];
    assert_eq!(server.post(&twice, PING).await.status, 415);
    for (accept, status) in [
        ("application/json", 200),
        ("text/event-stream", 200),
        ("*/*", 200),
        ("application/*;q=0.1", 200),
        ("text/html, application/json;q=0.5", 200),
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("application/json;q=0, text/event-stream;q=0, */*", 406),
        ("application/json;q=0, */*", 200),
        ("garbage", 406),
    ] {
        let answer = server.post(&[OLD, ("Accept", accept)], PING).await;
        assert_eq!(answer.status, status, "{accept}");
    }
    assert_eq!(server.post(&[OLD, ("", "Accept")], PING).await.status, 200);
}

/// A ping of exactly this many bytes.
fn ping_of(size: usize) -> String {
    let spaces = " ".repeat(size - PING.len());
    format!("{PING}{spaces}")
}

fn chunked(body: &str) -> Vec<u8> {
    let mut request = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
        MCP-Protocol-Version: 2025-11-25\r\nTransfer-Encoding: chunked\r\n\r\n"
        .to_vec();
    for piece in body.as_bytes().chunks(1000) {
        request.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        request.extend_from_slice(piece);
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"0\r\n\r\n");
    request
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_are_counted_as_they_come() {
    let server = Server::start(catalog(|_| {})).await;
    for (size, status) in [(4096, 200), (4097, 413), (300_000, 413)] {
        let body = ping_of(size);
        assert_eq!(server.post(&[OLD], &body).await.status, status, "{size}");
        assert_eq!(
            server.raw(&chunked(&body)).await.status,
            status,
            "{size} chunked"
        );
    }
    let refused = server.post(&[OLD], &ping_of(5000)).await.json();
    // Only whole strings are placeholders, and no value adds to the structure.
    let expected = json!({"errors": [
        {"status": 413, "code": "too\"large", "title": "Refused \"here\"", "note": "$status!"}]});
    assert_eq!(refused, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_declared_excess_is_refused_before_it_comes() {
    let server = Server::start_with(catalog(|_| {}), 8, Duration::from_secs(60)).await;
    let mut stream = TcpStream::connect(&server.address)
        .await
        .expect("a connection");
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
        Content-Length: 5000\r\nExpect: 100-continue\r\n\r\n";
    stream.write_all(head.as_bytes()).await.expect("sent");
    let reading = Answer::read(&mut stream);
    let answer = tokio::time::timeout(Duration::from_secs(5), reading)
        .await
        .expect("an answer");
    assert_eq!(answer.status, 413);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_does_not_come_times_out() {
    let server = Server::start(catalog(|_| {})).await;
    let request = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Connection: close\r\nContent-Length: 50\r\n\r\n{";
    let answer = server.raw(request.as_bytes()).await;
    assert_eq!(answer.status, 408);
    assert_eq!(answer.json()["error"]["code"], -32600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_have_a_limit_too() {
    let server = Server::start(catalog(|_| {})).await;
    let large = "a".repeat(40_000);
    assert_eq!(
        server.post(&[OLD, ("X-Large", &large)], PING).await.status,
        431
    );
    let many = "X-Many: 1\r\n".repeat(200);
    let request = format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    assert_eq!(server.raw(request.as_bytes()).await.status, 431);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_speaks_the_language_asked_for() {
    let negotiated = catalog(|catalog| catalog.wire_locale = WireLocale::AcceptLanguage);
    let server = Server::start(negotiated).await;
    let headers = [("Host", "evil.example"), ("Accept-Language", "pt-BR")];
    assert_eq!(server.post(&headers, PING).await.body, "Recusado");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_serves_both_eras_in_turn() {
    let server = Server::start(catalog(|_| {})).await;
    let mut requests = String::new();
    for round in 0..2 {
        let body = modern_body("tools/list", json!({}));
        let last = if round == 1 {
            "Connection: close\r\n"
        } else {
            ""
        };
        let common = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        requests.push_str(&format!(
            "{common}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        requests.push_str(&format!(
            "{common}MCP-Protocol-Version: 2025-06-18\r\n{last}Content-Length: {}\r\n\r\n{PING}",
            PING.len()
        ));
    }
    let text = server.raw(requests.as_bytes()).await;
    let whole = format!("{}\r\n\r\n{}", text.head, text.body);
    assert_eq!(
        whole.matches("http/1.1 200 ok").count() + whole.matches("HTTP/1.1 200 OK").count(),
        4
    );
    assert_eq!(whole.matches("\"resultType\":\"complete\"").count(), 2);
    assert_eq!(whole.matches("\"result\":{}").count(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_that_are_none_get_their_codes_without_an_id() {
    let server = Server::start(catalog(|_| {})).await;
    for (body, code) in [
        ("", -32700),
        ("{", -32700),
        ("[]", -32600),
        ("7", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, -32600),
    ] {
        for version in ["2026-07-28", "2025-11-25", "nonsense"] {
            let answer = server
                .post(&[("MCP-Protocol-Version", version)], body)
                .await;
            assert_eq!(answer.fault(), (400, code), "{body}");
            assert_eq!(answer.json().get("id"), None::<&Value>, "{body}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_large_bodies_at_once_are_refused_and_small_ones_are_not() {
    let large = catalog(|catalog| catalog.transport.max_body_bytes = 4 * 1024 * 1024);
    let server = Server::start_with(large, 8, Duration::from_secs(20)).await;
    let begun = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 300000\r\n\r\n{}",
        " ".repeat(200_000)
    );
    let mut waiting = Vec::new();
    // More than there are places: a probe below may take one that a body was about to have.
    for _ in 0..64 {
        let mut stream = TcpStream::connect(&server.address)
            .await
            .expect("a connection");
        stream
            .write_all(begun.as_bytes())
            .await
            .expect("half a body");
        waiting.push(stream);
    }
    let padded = format!("{PING}{}", " ".repeat(200_000));
    let mut status = 0;
    // The server needs a moment to have read what was sent.
    for _ in 0..100 {
        status = server.post(&[OLD], &padded).await.status;
        if status == 503 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(status, 503);
    assert_eq!(server.post(&[OLD], PING).await.status, 200);
    drop(waiting);
    for _ in 0..100 {
        status = server.post(&[OLD], &padded).await.status;
        if status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(status, 200);
}
