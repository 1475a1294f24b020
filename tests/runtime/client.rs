//! Limits of a call: one deadline, a size, tries, and what is not followed.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::call_sample::{
    Always, Scripted, TOOL, WRITE, api, argument, call, caller, catalog, text,
};
use crate::runtime::call::Outcome;
use crate::runtime::catalog::*;
use crate::runtime::client::retry_after;
use crate::runtime::hooks::ApiAnswer;
use crate::stand_in::{Fault, Response, StandIn};

const N_RETRIES: u8 = 2;

fn retrying(tool: Tool) -> &'static Catalog {
    catalog(vec![tool], |catalog| {
        catalog.upstream.retries = N_RETRIES;
        catalog.upstream.idempotency_key = Some(IdempotencyKey {
            header: "x-key",
            methods: &["GET", "POST", "PUT", "DELETE"],
        });
    })
}

fn fails(n: usize, fault: &Fault) -> Vec<Fault> {
    vec![fault.clone(); n]
}

/// Calls a tool whose API meets these faults; what came of it, and how many requests arrived.
async fn after(tool: Tool, faults: Vec<Fault>) -> (Outcome, usize) {
    let api = api().await;
    for fault in faults {
        api.fail_next(fault);
    }
    let catalog = retrying(tool);
    let outcome = call(&caller(catalog, &api.base_url(), 5000), catalog, "{}").await;
    let keys: Vec<Option<String>> = api
        .requests()
        .iter()
        .map(|request| request.header("x-key").map(str::to_owned))
        .collect();
    // One key per call, whatever the number of tries.
    assert!(
        keys.iter().all(|key| *key == keys[0] && key.is_some()),
        "{keys:?}"
    );
    (outcome, keys.len())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_and_idempotent_writes_are_tried_again() {
    let busy = Fault::Answer(Response::empty(503));
    let put = || Tool {
        method: "PUT",
        idempotent: true,
        ..WRITE
    };
    let delete = || Tool {
        method: "DELETE",
        idempotent: true,
        body: Body::None,
        ..WRITE
    };
    for (tool, fault, n_faults, code, n_requests) in [
        (TOOL, busy.clone(), 1, None, 2),
        (TOOL, Fault::Answer(Response::empty(502)), 2, None, 3),
        (
            TOOL,
            Fault::Answer(Response::empty(504)),
            5,
            Some("api_failed"),
            3,
        ),
        (TOOL, Fault::Hangup, 1, None, 2),
        (TOOL, Fault::Hangup, 5, Some("api_unreachable"), 3),
        (put(), busy.clone(), 1, None, 2),
        (delete(), Fault::Hangup, 1, None, 2),
        // What another try would not help.
        (
            TOOL,
            Fault::Answer(Response::empty(500)),
            1,
            Some("api_failed"),
            1,
        ),
        (
            TOOL,
            Fault::Answer(Response::empty(404)),
            1,
            Some("api_unreadable"),
            1,
        ),
        (
            TOOL,
            Fault::Answer(Response::empty(429)),
            1,
            Some("api_busy"),
            1,
        ),
    ] {
        let shown = format!("{} {fault:?} {n_faults}", tool.method);
        let (outcome, n_arrived) = after(tool, fails(n_faults, &fault)).await;
        assert_eq!(outcome.code.as_deref(), code, "{shown}");
        assert_eq!(n_arrived, n_requests, "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_reach_the_api_once() {
    let busy = Fault::Answer(Response::empty(503));
    for fault in [busy, Fault::Hangup] {
        for tool in [
            WRITE,
            Tool {
                idempotent: true,
                ..WRITE
            },
            Tool {
                method: "PUT",
                ..WRITE
            },
            Tool {
                method: "PATCH",
                idempotent: true,
                ..WRITE
            },
            Tool {
                method: "DELETE",
                ..WRITE
            },
            // A GET that writes, as some APIs have them.
            Tool {
                method: "GET",
                idempotent: true,
                body: Body::None,
                ..WRITE
            },
            // A search by POST: it may be safe, but nothing says that it can be sent twice.
            Tool {
                method: "POST",
                ..TOOL
            },
        ] {
            let shown = format!("{} {:?} {fault:?}", tool.method, tool.kind);
            let is_patch = tool.method == "PATCH";
            let api = api().await;
            api.fail_next(fault.clone());
            let catalog = retrying(tool);
            let outcome = call(&caller(catalog, &api.base_url(), 5000), catalog, "{}").await;
            assert!(outcome.result.is_error, "{shown}");
            assert_eq!(api.requests().len(), 1, "{shown}");
            assert_eq!(api.requests()[0].header("x-key").is_none(), is_patch);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_went_stale_costs_a_write_nothing() {
    let api = api().await;
    let catalog = retrying(WRITE);
    let caller = caller(catalog, &api.base_url(), 5000);
    for n_requests in 1..=3 {
        let outcome = call(&caller, catalog, "{}").await;
        assert_eq!(outcome.code, None);
        assert_eq!(api.requests().len(), n_requests);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retry_after_is_waited_for_within_the_deadline() {
    let busy = |wait: &str| Fault::Answer(Response::empty(503).with_header("retry-after", wait));
    let started = Instant::now();
    let (outcome, n_requests) = after(TOOL, vec![busy("1")]).await;
    assert_eq!((outcome.code, n_requests), (None, 2));
    assert!(started.elapsed() >= Duration::from_secs(1));
    // Beyond the deadline, or beyond all reckoning: the answer is told at once.
    for wait in ["60", "18446744073709551615"] {
        let started = Instant::now();
        let (outcome, n_requests) = after(TOOL, vec![busy(wait)]).await;
        assert_eq!(outcome.code.as_deref(), Some("api_failed"), "{wait}");
        assert_eq!((outcome.status, n_requests), (Some(503), 1));
        assert!(started.elapsed() < Duration::from_secs(4));
    }
    for (wait, seconds) in [
        ("5", Some(5)),
        (" 7 ", Some(7)),
        ("-1", None),
        ("1.5", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("99999999999999999999", None),
    ] {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", wait.parse().expect("a header"));
        let answer = ApiAnswer {
            status: StatusCode::TOO_MANY_REQUESTS,
            headers,
            body: Bytes::new(),
        };
        assert_eq!(
            retry_after(&answer),
            seconds.map(Duration::from_secs),
            "{wait}"
        );
    }
}

/// A server that does these things takes no longer than the deadline, over all tries.
async fn times_out(base_url: &str) {
    for tool in [TOOL, WRITE] {
        let is_write = tool.kind == Kind::Write;
        let catalog = retrying(tool);
        let caller = caller(catalog, base_url, 400);
        let started = Instant::now();
        let outcome = call(&caller, catalog, "{}").await;
        let elapsed = started.elapsed();
        assert_eq!(outcome.code.as_deref(), Some("api_timeout"));
        assert_eq!(
            (outcome.status, outcome.cause.as_deref()),
            (None, Some("the deadline passed"))
        );
        let is_doubtful = text(&outcome.result).contains("may have been made");
        assert_eq!(is_doubtful, is_write);
        assert!(elapsed >= Duration::from_millis(390), "{elapsed:?}");
        assert!(elapsed < Duration::from_secs(2), "{elapsed:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_deadline_covers_connection_headers_and_body() {
    let silent = Scripted::start(&[]).await;
    // The handshake of TLS never ends.
    times_out(&silent.base_url.replace("http://", "https://")).await;
    times_out(&silent.base_url).await;
    let half_a_head = Scripted::start(&[(0, "HTTP/1.1 200 OK\r\ncontent-le")]).await;
    times_out(&half_a_head.base_url).await;
    let half_a_body =
        Scripted::start(&[(0, "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n[1")]).await;
    times_out(&half_a_body.base_url).await;
    // A trickle does not extend it.
    let trickle = Scripted::start(&[
        (0, "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n["),
        (200, "1"),
        (150, ","),
        (150, "2"),
        (150, "3"),
        (150, "]"),
    ])
    .await;
    times_out(&trickle.base_url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tries_share_the_deadline() {
    let api = api().await;
    api.fail_next(Fault::Answer(Response::empty(503)));
    api.fail_next(Fault::Delay(Duration::from_secs(2)));
    let catalog = retrying(TOOL);
    let started = Instant::now();
    let outcome = call(&caller(catalog, &api.base_url(), 500), catalog, "{}").await;
    assert_eq!(outcome.code.as_deref(), Some("api_timeout"));
    assert_eq!(api.requests().len(), 2);
    assert!(started.elapsed() < Duration::from_millis(1500));
}

/// What a server writes, and the code under a limit of ten bytes.
type Size = (&'static [(u64, &'static str)], Option<&'static str>);

const SIZES: &[Size] = &[
    (
        &[(0, "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n0123456789")],
        None,
    ),
    // Refused by its length: no body follows.
    (
        &[(0, "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n")],
        Some("answer_too_large"),
    ),
    (
        &[(
            0,
            "HTTP/1.1 200 OK\r\ncontent-length: 9000000000000000000\r\n\r\n",
        )],
        Some("answer_too_large"),
    ),
    (
        &[
            (
                0,
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n01234\r\n",
            ),
            (50, "5\r\n56789\r\n0\r\n\r\n"),
        ],
        None,
    ),
    // Refused as soon as it is too long: the end never comes.
    (
        &[
            (
                0,
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n01234\r\n",
            ),
            (50, "6\r\n56789a\r\n"),
        ],
        Some("answer_too_large"),
    ),
    (
        &[(0, "HTTP/1.1 404 Not Found\r\ncontent-length: 11\r\n\r\n")],
        Some("answer_too_large"),
    ),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_size_limit_holds_with_and_without_a_declared_length() {
    let limited = |tool| catalog(vec![tool], |catalog| catalog.upstream.max_answer_bytes = 10);
    for (script, code) in SIZES {
        let server = Scripted::start(script).await;
        let catalog = limited(TOOL);
        let outcome = call(&caller(catalog, &server.base_url, 2000), catalog, "{}").await;
        assert_eq!(outcome.code.as_deref(), *code, "{script:?}");
        assert_eq!(server.heads().len(), 1);
        if code.is_none() {
            // No media type: the bytes are text, in order.
            assert_eq!(text(&outcome.result), "0123456789");
        }
    }
    // HEAD tells the length of a body that it does not send.
    let server = Scripted::start(&[(0, "HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n")]).await;
    let catalog = limited(Tool {
        method: "HEAD",
        ..TOOL
    });
    let outcome = call(&caller(catalog, &server.base_url, 2000), catalog, "{}").await;
    assert_eq!(outcome.code, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirects_are_told_and_not_followed() {
    let elsewhere = api().await;
    for status in [301, 302, 303, 304, 307, 308] {
        let location = format!("{}/admin", elsewhere.base_url());
        let answer = Response::json(status, &serde_json::json!({"secret": 1}))
            .with_header("location", &location);
        let api = StandIn::start(Always(answer), 0).await.expect("a port");
        let catalog = retrying(TOOL);
        let outcome = call(&caller(catalog, &api.base_url(), 2000), catalog, "{}").await;
        assert_eq!(outcome.code.as_deref(), Some("api_moved"), "{status}");
        assert_eq!((outcome.status, api.requests().len()), (Some(status), 1));
        let text = text(&outcome.result);
        assert!(
            !text.contains("secret") && !text.contains("admin"),
            "{text}"
        );
    }
    assert_eq!(elsewhere.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_connection_is_told_without_its_address() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = closed.local_addr().expect("an address").to_string();
    drop(closed);
    let tool = Tool {
        arguments: const { &[argument("secret", Place::Query)] },
        ..TOOL
    };
    let catalog = catalog(vec![tool], |_| {});
    let caller = caller(catalog, &format!("http://{address}"), 2000);
    let outcome = call(&caller, catalog, r#"{"secret":"s3cr3t"}"#).await;
    assert_eq!(
        (outcome.code.as_deref(), outcome.status),
        (Some("api_unreachable"), None)
    );
    let cause = outcome.cause.as_deref().unwrap_or_default();
    assert!(
        cause.contains("refused") && !cause.contains("s3cr3t"),
        "{cause}"
    );
    let text = text(&outcome.result);
    assert!(
        !text.contains(&address) && !text.contains("refused"),
        "{text}"
    );
    for garbage in [
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n12",
    ] {
        let script = crate::call_sample::leak([(0, garbage)]);
        let server = Scripted::start(script).await;
        let outcome = call(
            &crate::call_sample::caller(catalog, &server.base_url, 300),
            catalog,
            "{}",
        )
        .await;
        assert!(outcome.result.is_error);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_is_in_doubt_only_where_something_was_sent() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let base_url = format!("http://{}", closed.local_addr().expect("an address"));
    drop(closed);
    let put = || Tool {
        method: "PUT",
        idempotent: true,
        ..WRITE
    };
    for tool in [WRITE, put()] {
        let catalog = retrying(tool);
        let outcome = call(&caller(catalog, &base_url, 2000), catalog, "{}").await;
        assert_eq!(outcome.code.as_deref(), Some("api_unreachable"));
        let text = text(&outcome.result);
        assert!(!text.contains("may have been made"), "{text}");
    }
    // The first try arrives and breaks; then there is nobody to ask.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let base_url = format!("http://{}", listener.local_addr().expect("an address"));
    let once = tokio::spawn(async move {
        use tokio::io::AsyncReadExt;
        let (mut stream, _) = listener.accept().await.expect("a connection");
        drop(listener);
        stream.read(&mut [0; 1024]).await.expect("a request")
    });
    let catalog = retrying(put());
    let outcome = call(&caller(catalog, &base_url, 2000), catalog, "{}").await;
    assert!(once.await.expect("the server") > 0);
    assert_eq!(outcome.code.as_deref(), Some("api_unreachable"));
    let text = text(&outcome.result);
    assert!(text.contains("may have been made"), "{text}");
}
