//! The numbers: what is counted, and that the text keeps to its two formats.

use std::collections::BTreeMap;
use std::time::Duration;

use http::Request;
use http::header::{ACCEPT, CONTENT_TYPE};
use http_body_util::BodyExt;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::call_sample::{TOOL, caller, catalog as tools, leak};
use crate::exposition::{Exposition, read};
use crate::runtime::admin::Admin;
use crate::runtime::catalog::{ErrorCode, RefusalKind, Text};
use crate::runtime::log::{Level, Log};
use crate::runtime::metrics::{Budget, ConfirmationEnd, Format, Metrics, UpstreamCounts};
use crate::runtime::service::Service;
use crate::sample::{Server, catalog, service};

/// The numbers of a server, read as strictly as both formats allow.
async fn numbers(server: &Server) -> Exposition {
    let admin = Admin {
        health: server.health.clone(),
        service: server.service.clone(),
    };
    let old = scrape(&admin, "*/*").await;
    let old_type = "text/plain; version=0.0.4; charset=utf-8";
    assert_eq!(old.0, old_type);
    read(&old.1, Format::Prometheus);
    let asked = "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.5";
    let new = scrape(&admin, asked).await;
    let new_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert_eq!(new.0, new_type);
    read(&new.1, Format::OpenMetrics)
}

async fn scrape(admin: &Admin, accept: &str) -> (String, String) {
    let request = Request::get("/metrics").header(ACCEPT, accept).body(());
    let response = admin.answer(&request.expect("a request"));
    assert_eq!(response.status(), 200);
    let content_type = response.headers()[CONTENT_TYPE].to_str().expect("text");
    let content_type = content_type.to_owned();
    let body = response.into_body().collect().await.expect("a body");
    let text = String::from_utf8(body.to_bytes().to_vec()).expect("UTF-8");
    (content_type, text)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_counted_by_tool_and_outcome() {
    let server = Server::start(catalog(|_| {})).await;
    for _ in 0..3 {
        server.modern("tools/call", json!({"name": "now"})).await;
    }
    server.legacy("tools/call", json!({"name": "cancel"})).await;
    let unknown = json!({"name": "x{}\"\n"});
    server.legacy("tools/call", unknown).await;
    let numbers = numbers(&server).await;
    let calls = |tool, outcome| {
        let labels = [("outcome", outcome), ("tool", tool)];
        numbers.get("mcp_tool_calls_total", &labels)
    };
    assert_eq!(calls("now", "ok"), Some(3.0));
    assert_eq!(calls("slow", "ok"), Some(0.0));
    assert_eq!(calls("cancel", "confirmation_required"), Some(1.0));
    assert_eq!(calls("(unknown)", "-32602"), Some(1.0));
    let count = "mcp_tool_call_duration_seconds_count";
    assert_eq!(numbers.get(count, &[("tool", "now")]), Some(3.0));
    assert_eq!(numbers.get(count, &[("tool", "cancel")]), Some(1.0));
    let answers = "mcp_upstream_responses_total";
    assert_eq!(numbers.get(answers, &[("status", "200")]), Some(3.0));
    assert_eq!(numbers.get(answers, &[("status", "none")]), Some(0.0));
    let build = [("name", "sample"), ("version", "1.2.3")];
    assert_eq!(numbers.get("mcp_build_info", &build), Some(1.0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_and_running_calls_are_counted() {
    let server = Server::start_with(catalog(|_| {}), 1, Duration::from_millis(300)).await;
    server
        .raw(b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .await;
    let slow = || server.legacy("tools/call", json!({"name": "slow"}));
    let watch = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let now = numbers(&server).await;
        assert_eq!(now.get("mcp_calls_running", &[]), Some(1.0));
        slow().await
    };
    let (first, second) = tokio::join!(slow(), watch);
    assert_eq!((first.status, second.status), (200, 503));
    let numbers = numbers(&server).await;
    assert_eq!(numbers.get("mcp_calls_running", &[]), Some(0.0));
    let refused = |kind| numbers.get("mcp_requests_refused_total", &[("kind", kind)]);
    assert_eq!(refused("method"), Some(1.0));
    assert_eq!(refused("overloaded"), Some(1.0));
    assert_eq!(refused("host"), Some(0.0));
    let labels = [("outcome", "overloaded"), ("tool", "slow")];
    assert_eq!(numbers.get("mcp_tool_calls_total", &labels), Some(1.0));
    let buckets = numbers.all("mcp_tool_call_duration_seconds_bucket");
    assert_eq!(buckets.len(), 13, "one tool ran: {buckets:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_call_is_counted_and_an_unreachable_api_too() {
    let server = Server::start(catalog(|_| {})).await;
    let body = crate::sample::modern_body("tools/call", json!({"name": "slow"}));
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: slow\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(&server.address).await.expect("open");
    stream
        .write_all((head + &body).as_bytes())
        .await
        .expect("sent");
    tokio::time::sleep(Duration::from_millis(200)).await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let seen = numbers(&server).await;
    let labels = [("outcome", "cancelled"), ("tool", "slow")];
    assert_eq!(seen.get("mcp_tool_calls_total", &labels), Some(1.0));

    let catalog = tools(vec![TOOL], |_| {});
    let caller = caller(catalog, "http://127.0.0.1:9", 2000);
    let answers = caller.answers().clone();
    crate::call_sample::call(&caller, catalog, "{}").await;
    let metrics = std::sync::Arc::new(Metrics::new(catalog, answers));
    let text = metrics.render(Format::OpenMetrics, 0).expect("text");
    assert!(
        text.contains("mcp_upstream_responses_total{status=\"none\"} 1\n"),
        "{text}"
    );
}

#[test]
fn no_text_from_outside_becomes_a_label() {
    let catalog = tools(vec![TOOL], |catalog| {
        catalog.errors.registry = leak(vec![ErrorCode {
            code: "not\"found\\\n",
            message: Text(&[]),
            ..catalog.errors.registry[0]
        }]);
    });
    let metrics = std::sync::Arc::new(Metrics::new(catalog, UpstreamCounts::new()));
    for outcome in ["ok", "not\"found\\\n", "made up \" by an API", "", "\u{0}"] {
        metrics.call(0, outcome, Duration::from_millis(7));
    }
    metrics.refused_call(None, "ok");
    metrics.call(99, "rate_limited", Duration::MAX);
    metrics.call(0, "ok", Duration::MAX);
    for end in [
        ConfirmationEnd::Asked,
        ConfirmationEnd::Replayed,
        ConfirmationEnd::Asked,
    ] {
        metrics.confirmation(end);
    }
    metrics.refusal(RefusalKind::AuthorizationServer);
    metrics.rate_limited(Budget::Write);
    let open = metrics.connection();
    let text = metrics.render(Format::OpenMetrics, 5).expect("text");
    let numbers = read(&text, Format::OpenMetrics);
    let calls = |outcome| {
        let labels = [("outcome", outcome), ("tool", "things")];
        numbers.get("mcp_tool_calls_total", &labels)
    };
    assert_eq!(calls("other"), Some(3.0));
    assert_eq!(calls("not\"found\\\n"), Some(1.0));
    let confirmed = |outcome| numbers.get("mcp_confirmations_total", &[("outcome", outcome)]);
    assert_eq!(
        (confirmed("asked"), confirmed("replayed")),
        (Some(2.0), Some(1.0))
    );
    let limited = |budget| numbers.get("mcp_rate_limited_total", &[("budget", budget)]);
    assert_eq!((limited("read"), limited("write")), (Some(0.0), Some(1.0)));
    assert_eq!(numbers.get("mcp_connections", &[]), Some(1.0));
    drop(open);
    let text = metrics.render(Format::Prometheus, 5).expect("text");
    let numbers = read(&text, Format::Prometheus);
    assert_eq!(numbers.get("mcp_connections", &[]), Some(0.0));
}

/// A call is counted within a fraction of a microsecond; the bound leaves room for a busy machine and no optimizer.
#[test]
fn counting_is_cheap() {
    let catalog = catalog(|_| {});
    let metrics = Metrics::new(catalog, UpstreamCounts::new());
    let n = 100_000;
    let best = (0..5).map(|_| {
        let started = std::time::Instant::now();
        for _ in 0..n {
            metrics.call(1, "confirmation_required", Duration::from_millis(3));
        }
        started.elapsed() / n
    });
    let best = best.min().expect("five rounds");
    assert!(best < Duration::from_micros(5), "{best:?}");
}

#[tokio::test]
async fn what_reads_the_numbers_asks_for_them_by_get() {
    let (service, _) = service(catalog(|_| {}), "http://127.0.0.1:9", 1);
    let admin = Admin {
        health: std::sync::Arc::default(),
        service,
    };
    let status = |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).body(());
        admin.answer(&request.expect("a request")).status().as_u16()
    };
    assert_eq!(status("HEAD", "/metrics"), 200);
    assert_eq!(status("POST", "/metrics"), 404);
    assert_eq!(status("GET", "/metrics/"), 404);
    assert_eq!(status("GET", "/healthz"), 200);
}

#[test]
fn every_outcome_of_a_service_is_one_series() {
    // The type that the confirmation of a call counts with is reached from the service.
    let log = Log::to_sink(Level::Error, Box::new(|_| {}));
    let catalog = catalog(|_| {});
    let caller = caller(catalog, "http://127.0.0.1:9", 1000);
    let service = Service::new(catalog, caller, log, 1);
    service.metrics().confirmation(ConfirmationEnd::Confirmed);
    let text = service
        .metrics()
        .render(Format::OpenMetrics, service.n_running());
    let numbers = read(&text.expect("text"), Format::OpenMetrics);
    let labels: BTreeMap<_, _> = numbers
        .all("mcp_confirmations_total")
        .into_iter()
        .map(|(labels, value)| (labels[0].1.clone(), value))
        .collect();
    assert_eq!(labels.len(), 6);
    assert_eq!(labels["confirmed"], 1.0);
}
