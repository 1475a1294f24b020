//! A call from end to end: hooks before and after, what the outcome tells the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::HeaderValue;

use crate::call_sample::{Bench, argument, catalog, text, tool};
use crate::runtime::answer::ToolResult;
use crate::runtime::catalog::*;
use crate::runtime::hooks::{ApiRequest, Hooks};
use crate::stand_in::{Fault, Response};

fn good() -> Response {
    Response::text(200, "application/json", "{}")
}

/// Signs requests, answers one itself, marks results.
struct Marking(Arc<AtomicUsize>);

impl Hooks for Marking {
    fn before_request(
        &self,
        _tool: &Tool,
        request: &mut ApiRequest,
    ) -> Result<(), Box<ToolResult>> {
        match request.body.as_deref() {
            Some(br#"{"a":"cached"}"#) => return Err(Box::new(ToolResult::text("from the cache"))),
            Some(br#"{"a":"refused"}"#) => return Err(Box::new(ToolResult::error("not today"))),
            _ => {}
        }
        request
            .headers
            .insert("x-signed", HeaderValue::from_static("yes"));
        request.body = Some(Bytes::from_static(b"{\"signed\":1}"));
        Ok(())
    }

    fn after_call(&self, _tool: &Tool, _result: &mut ToolResult) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn hooks_change_requests_answer_themselves_and_see_every_result() {
    let seen = Arc::new(AtomicUsize::new(0));
    let sample = tool("POST", &[argument("a", Place::BodyField)], |_| {});
    let bench = Bench::hooked(catalog(sample, |_| {}), good(), Marking(Arc::clone(&seen))).await;
    let request = bench.request(r#"{"a":"plain"}"#).await;
    assert_eq!(request.header("x-signed"), Some("yes"));
    assert_eq!(request.body, r#"{"signed":1}"#);
    let cached = bench.call(r#"{"a":"cached"}"#).await;
    assert_eq!(text(&cached.result), "from the cache");
    assert_eq!((cached.code, cached.status), (None, None));
    let refused = bench.call(r#"{"a":"refused"}"#).await;
    assert!(refused.result.is_error && refused.code.is_some());
    bench.refusal(r#"{"b":1}"#).await;
    assert_eq!(bench.api.requests().len(), 1);
    assert_eq!(seen.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn the_outcome_tells_the_log_code_status_and_cause() {
    let sample = tool("POST", &[argument("a", Place::BodyField)], |_| {});
    let bench = Bench::answering(catalog(sample, |_| {}), good()).await;
    let outcome = bench.call(r#"{"secret-name":"secret-value"}"#).await;
    assert_eq!(outcome.code.as_deref(), Some("invalid_arguments"));
    assert_eq!((outcome.status, outcome.cause), (None, None));
    let outcome = bench.call(r#"{"a":1}"#).await;
    assert_eq!(
        (outcome.code, outcome.status, outcome.cause),
        (None, Some(200), None)
    );
    bench.api.fail_next(Fault::Answer(Response::text(
        500,
        "text/plain",
        "secret-value",
    )));
    let outcome = bench.call(r#"{"a":"secret-value"}"#).await;
    assert_eq!(outcome.code.as_deref(), Some("api_failed"));
    let cause = outcome.cause.unwrap();
    assert!(
        cause.contains("500") && !cause.contains("secret"),
        "{cause}"
    );
}

/// The schema of a tool is compiled once whoever asks first, and calls do not wait for each other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_run_at_once() {
    let sample = tool("GET", &[argument("n", Place::Query)], |_| {});
    let bench = Arc::new(Bench::answering(catalog(sample, |_| {}), good()).await);
    let calls: Vec<_> = (0..50)
        .map(|n| {
            let bench = Arc::clone(&bench);
            tokio::spawn(async move { bench.call(&format!(r#"{{"n":{n}}}"#)).await.code })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), None);
    }
    let mut queries: Vec<String> = bench
        .api
        .requests()
        .into_iter()
        .map(|request| request.query)
        .collect();
    queries.sort();
    queries.dedup();
    assert_eq!(queries.len(), 50);
}
