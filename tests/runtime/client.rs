//! The HTTP client against a real server: retries are counted where they arrive, limits hold over the whole call.

use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::call_sample::{Bench, argument, catalog, text, tool};
use crate::runtime::call::{Caller, CallerSettings, Outcome};
use crate::runtime::catalog::*;
use crate::runtime::hooks::NoHooks;
use crate::stand_in::{Fault, Response};

fn code(outcome: &Outcome) -> &str {
    outcome.code.as_deref().unwrap_or("ok")
}

fn unavailable() -> Fault {
    Fault::Answer(Response::text(503, "text/html", "<h1>db-7 is down</h1>"))
}

#[tokio::test]
async fn only_calls_that_may_run_twice_are_sent_again() {
    // (method, kind, whether the API promises idempotence, requests after one hangup)
    let table = [
        ("GET", Kind::Read, true, 2),
        ("HEAD", Kind::Read, true, 2),
        ("PUT", Kind::Write, true, 2),
        ("DELETE", Kind::Destructive, true, 2),
        ("PUT", Kind::Write, false, 1),
        ("POST", Kind::Write, false, 1),
        ("POST", Kind::Read, true, 1),
        ("POST", Kind::Write, true, 1),
        ("PATCH", Kind::Write, true, 1),
        ("GET", Kind::Write, true, 1),
        ("GET", Kind::Destructive, false, 1),
    ];
    for (method, kind, idempotent, expected) in table {
        for fault in [Fault::Hangup, unavailable()] {
            let sample = tool(method, &[], |tool| {
                tool.kind = kind;
                tool.idempotent = idempotent;
            });
            let bench = Bench::start(catalog(sample, |_| {})).await;
            bench.api.fail_next(fault.clone());
            let outcome = bench.call("{}").await;
            let n_requests = bench.api.requests().len();
            assert_eq!(
                n_requests, expected,
                "{method} {kind:?} {idempotent} {fault:?}"
            );
            assert_eq!(outcome.code.is_none(), expected == 2, "{method} {kind:?}");
        }
    }
}

/// The pool must not send a write again either, when the kept connection breaks under it.
#[tokio::test]
async fn a_write_on_a_kept_connection_is_sent_once() {
    let bench = Bench::start(catalog(
        tool("POST", &[argument("a", Place::BodyField)], |_| {}),
        |_| {},
    ))
    .await;
    for _ in 0..5 {
        assert_eq!(bench.call(r#"{"a":1}"#).await.code, None);
        bench.api.forget_requests();
        bench.api.fail_next(Fault::Hangup);
        let outcome = bench.call(r#"{"a":2}"#).await;
        assert_eq!(code(&outcome), "unreachable");
        assert_eq!(bench.api.requests().len(), 1);
        let text = text(&outcome.result);
        assert!(text.contains("may have been made all the same"), "{text}");
    }
}

#[tokio::test]
async fn retries_end_and_carry_the_same_key() {
    let sample = tool("PUT", &[], |_| {});
    let bench = Bench::start(catalog(sample, |catalog| {
        catalog.upstream.idempotency_key = Some(IdempotencyKey {
            header: "x-key",
            methods: &["PUT"],
        });
    }))
    .await;
    for _ in 0..3 {
        bench.api.fail_next(unavailable());
    }
    let outcome = bench.call("{}").await;
    assert_eq!((code(&outcome), outcome.status), ("api_failed", Some(503)));
    let requests = bench.api.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests[0].header("x-key").is_some());
    assert!(
        requests
            .iter()
            .all(|request| request.header("x-key") == requests[0].header("x-key"))
    );
}

#[tokio::test]
async fn other_failures_are_not_sent_again() {
    for status in [400, 404, 409, 422, 429, 500, 501, 301] {
        let bench = Bench::start(catalog(tool("GET", &[], |_| {}), |_| {})).await;
        bench.api.fail_next(Fault::Answer(Response::text(
            status,
            "application/json",
            "{}",
        )));
        assert!(bench.call("{}").await.result.is_error);
        assert_eq!(bench.api.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn retry_after_is_waited_for_only_where_it_fits() {
    // The last value overflows a point in time.
    for wait in ["60", "18446744073709551615"] {
        let bench = Bench::start(catalog(tool("GET", &[], |_| {}), |_| {})).await;
        let busy = Response::empty(503).with_header("retry-after", wait);
        bench.api.fail_next(Fault::Answer(busy));
        let started = Instant::now();
        let outcome = bench.call("{}").await;
        assert_eq!((code(&outcome), outcome.status), ("api_failed", Some(503)));
        assert!(started.elapsed() < Duration::from_secs(4));
        assert_eq!(bench.api.requests().len(), 1);
    }
    let bench = Bench::start(catalog(tool("GET", &[], |_| {}), |_| {})).await;
    let busy = Response::empty(503).with_header("retry-after", "1");
    bench.api.fail_next(Fault::Answer(busy));
    let started = Instant::now();
    assert_eq!(code(&bench.call("{}").await), "ok");
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn one_deadline_covers_every_try() {
    let bench = Bench::start(catalog(tool("GET", &[], |_| {}), |catalog| {
        catalog.upstream.timeout_ms = 300;
    }))
    .await;
    bench.api.fail_next(Fault::Delay(Duration::from_secs(20)));
    let started = Instant::now();
    let outcome = bench.call("{}").await;
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!((code(&outcome), outcome.status), ("timed_out", None));
    assert!(outcome.cause.is_some());
    assert_eq!(bench.api.requests().len(), 1);
}

/// A server that answers every connection with these bytes and then falls silent.
async fn silent_after(bytes: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(bytes).await;
            kept.push(stream);
        }
    });
    format!("http://{address}")
}

async fn call_at(base_url: String, timeout_ms: u64) -> Outcome {
    let catalog = catalog(tool("GET", &[], |_| {}), |_| {});
    let settings = CallerSettings {
        base_url,
        timeout_ms,
    };
    let caller = Caller::new(catalog, settings, Box::new(NoHooks)).unwrap();
    caller.call(&catalog.tools[0], 0, None, 0).await
}

#[tokio::test]
async fn the_deadline_covers_headers_and_body() {
    for bytes in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\ncontent-",
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"a\":",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n",
    ] {
        let base_url = silent_after(bytes).await;
        let started = Instant::now();
        let outcome = call_at(base_url, 300).await;
        assert_eq!(
            code(&outcome),
            "timed_out",
            "{:?}",
            String::from_utf8_lossy(bytes)
        );
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}

#[tokio::test]
async fn answers_over_the_limit_are_not_read() {
    // Declared and streamed without a declaration; the second never ends, so only counting can stop it.
    let base_url = silent_after(b"HTTP/1.1 200 OK\r\ncontent-length: 999999999999\r\n\r\n{").await;
    assert_eq!(code(&call_at(base_url, 5000).await), "too_large");
    let bench = Bench::answering(
        catalog(tool("GET", &[], |_| {}), |_| {}),
        Response {
            body: Bytes::from(vec![b'1'; 10_001]),
            ..Response::text(200, "application/json", "")
        },
    )
    .await;
    let outcome = bench.call("{}").await;
    assert_eq!(code(&outcome), "too_large");
    assert!(text(&outcome.result).len() < 300);
    let chunked: &'static [u8] = Box::leak(
        [
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4000\r\n".as_slice(),
            &[b'1'; 0x4000],
        ]
        .concat()
        .into_boxed_slice(),
    );
    assert_eq!(
        code(&call_at(silent_after(chunked).await, 5000).await),
        "too_large"
    );
}

#[tokio::test]
async fn broken_answers_and_refused_connections_are_explained_without_internals() {
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let garbage = silent_after(b"this is not HTTP at all\r\n\r\n").await;
    for base_url in [
        format!("http://{closed}"),
        garbage,
        format!("https://{closed}"),
    ] {
        let outcome = call_at(base_url, 5000).await;
        assert_eq!((code(&outcome), outcome.status), ("unreachable", None));
        let envelope: Value = serde_json::from_str(&text(&outcome.result)).unwrap();
        assert_eq!(
            envelope["error"]["message"],
            "The API cannot be reached right now."
        );
        let cause = outcome.cause.unwrap();
        assert!(
            !cause.is_empty() && !cause.contains("127.0.0.1") && !cause.contains("http:"),
            "{cause}"
        );
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let bench = Bench::start(catalog(tool("GET", &[], |_| {}), |_| {})).await;
        let target = format!("{}/elsewhere", bench.api.base_url());
        let redirect = Response::empty(status).with_header("location", &target);
        bench.api.fail_next(Fault::Answer(redirect));
        let outcome = bench.call("{}").await;
        assert_eq!(
            (code(&outcome), outcome.status),
            ("redirected", Some(status))
        );
        assert!(!text(&outcome.result).contains("elsewhere"));
        assert_eq!(bench.api.requests().len(), 1);
    }
}
