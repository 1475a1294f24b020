//! A call from its arguments to its outcome: what the log gets, whose address is called, and hooks.

use std::sync::{Arc, Mutex};

use crate::call_sample::{Always, TOOL, WRITE, api, argument, call, caller, catalog, hooked, text};
use crate::runtime::answer::{Content, ToolResult};
use crate::runtime::call::{Caller, CallerSettings};
use crate::runtime::catalog::*;
use crate::runtime::hooks::{ApiRequest, Hooks, NoHooks};
use crate::sample::scene;
use crate::stand_in::{Fault, Response, StandIn};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_good_answer_passes_untouched() {
    let body = "{\"id\": 1,\n \"amount\":1.10, \"big\":12345678901234567890123}";
    let answer = Response::text(201, "application/json", body);
    let api = StandIn::start(Always(answer), 0).await.expect("a port");
    let catalog = catalog(vec![WRITE], |_| {});
    let outcome = call(&caller(catalog, &api.base_url(), 2000), catalog, "{}").await;
    assert_eq!(text(&outcome.result), body);
    assert!(!outcome.result.is_error && outcome.result.structured.is_none());
    assert_eq!(
        (outcome.code, outcome.status, outcome.cause),
        (None, Some(201), None)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_content_says_so_in_the_language_of_the_call() {
    let api = StandIn::start(Always(Response::empty(204)), 0)
        .await
        .expect("a port");
    let catalog = catalog(vec![WRITE], |_| {});
    let caller = caller(catalog, &api.base_url(), 2000);
    for (locale, expected) in [
        (0, "Done. The API returned no content."),
        (1, "Feito. A API não retornou conteúdo."),
        (9, "Done. The API returned no content."),
    ] {
        let outcome = caller.call(scene(&catalog.tools[0], locale), 0, None).await;
        assert_eq!(text(&outcome.result), expected);
        assert_eq!(outcome.status, Some(204));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_become_an_image() {
    let mut answer = Response::text(200, "image/png", "");
    answer.body = bytes::Bytes::from_static(b"\x89PNG\r\n\x1a\n\0");
    let api = StandIn::start(Always(answer), 0).await.expect("a port");
    let catalog = catalog(vec![TOOL], |_| {});
    let outcome = call(&caller(catalog, &api.base_url(), 2000), catalog, "{}").await;
    let [Content::Image { mime_type, data }] = outcome.result.content.as_slice() else {
        panic!("{:?}", outcome.result);
    };
    assert_eq!(
        (mime_type.as_str(), data.as_str()),
        ("image/png", "iVBORw0KGgoA")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_answer_is_an_error_with_its_status() {
    let api = api().await;
    let body = r#"{"error":{"code":"NOT_FOUND","message":"x"}}"#;
    api.fail_next(Fault::Answer(Response::text(404, "application/json", body)));
    let catalog = catalog(vec![TOOL], |catalog| {
        catalog.errors.mode = UpstreamErrors::Passthrough;
        catalog.errors.code_pointers = &["/error/code"];
    });
    let outcome = call(&caller(catalog, &api.base_url(), 2000), catalog, "{}").await;
    assert!(outcome.result.is_error && outcome.result.structured.is_none());
    assert_eq!(text(&outcome.result), body);
    assert_eq!(
        (outcome.code.as_deref(), outcome.status),
        (Some("NOT_FOUND"), Some(404))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn argument_reports_name_their_code_and_reach_nobody() {
    let api = api().await;
    let envelope = ArgumentStyle::Envelope {
        code: "VALIDATION_ERROR",
    };
    for (style, code, expected) in [
        (
            ArgumentStyle::Text,
            "invalid_arguments",
            "Missing required arguments: id",
        ),
        (
            envelope,
            "VALIDATION_ERROR",
            r#"{"error":{"code":"VALIDATION_ERROR","message":"Missing required arguments: id","details":{"id":["is missing"]}}}"#,
        ),
    ] {
        let tool = Tool {
            input_schema: Text(&[r#"{"type":"object","required":["id"]}"#]),
            ..TOOL
        };
        let catalog = catalog(vec![tool], |catalog| catalog.arguments.style = style);
        let caller = caller(catalog, &api.base_url(), 2000);
        let outcome = caller.call(scene(&catalog.tools[0], 0), 0, None).await;
        assert!(outcome.result.is_error);
        assert_eq!(text(&outcome.result), expected);
        assert_eq!(
            (outcome.code.as_deref(), outcome.status),
            (Some(code), None)
        );
        assert_eq!(outcome.cause, None);
    }
    assert_eq!(api.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tools_own_address_holds_only_beside_a_known_one() {
    let (main, own) = (api().await, api().await);
    let own_url: &'static str = Box::leak(own.base_url().into_boxed_str());
    let main_url: &'static str = Box::leak(format!("{}/v1", main.base_url()).into_boxed_str());
    let tool = || Tool {
        base_url: Some(own_url),
        ..TOOL
    };
    let known = catalog(vec![tool()], |catalog| {
        let environment = Environment {
            name: "live",
            base_url: main_url,
        };
        catalog.upstream.environments = Box::leak(Box::new([environment]));
    });
    call(&caller(known, &format!("{main_url}/"), 2000), known, "{}").await;
    assert_eq!((main.requests().len(), own.requests().len()), (0, 1));
    // A test API in place of the real one takes the place of every address.
    let other = catalog(vec![tool()], |_| {});
    call(&caller(other, main_url, 2000), other, "{}").await;
    assert_eq!((main.requests().len(), own.requests().len()), (1, 1));
    assert_eq!(main.requests()[0].path, "/v1/things");
}

#[test]
fn an_address_that_cannot_be_called_stops_the_start() {
    let catalog = catalog(vec![TOOL], |_| {});
    for base_url in [
        "",
        "example.com",
        "ftp://example.com",
        "/v1",
        "http://",
        "http://a/?x=1",
        "http://a b",
    ] {
        let settings = CallerSettings {
            base_url: base_url.to_owned(),
            timeout_ms: 1,
        };
        assert!(
            Caller::new(catalog, settings, Box::new(NoHooks)).is_err(),
            "{base_url}"
        );
    }
}

/// Notes what it sees; with a result, it answers in the API's place.
struct Watching {
    seen: Arc<Mutex<Vec<String>>>,
    instead: Option<ToolResult>,
}

impl Hooks for Watching {
    fn before_request(&self, tool: &Tool, request: &mut ApiRequest) -> Result<(), Box<ToolResult>> {
        let line = format!("{} {} {}", tool.name, request.method, request.uri.path());
        self.seen.lock().expect("lines").push(line);
        request
            .headers
            .insert("x-hooked", http::HeaderValue::from_static("yes"));
        request.body = Some(bytes::Bytes::from_static(b"[1]"));
        self.instead
            .clone()
            .map_or(Ok(()), |result| Err(Box::new(result)))
    }

    fn after_call(&self, tool: &Tool, result: &mut ToolResult) {
        self.seen
            .lock()
            .expect("lines")
            .push(format!("after {}", tool.name));
        result.content.push(Content::Text("seen".to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hooks_change_requests_and_results() {
    let api = api().await;
    let tool = Tool {
        input_schema: Text(&[r#"{"type":"object","required":["x"]}"#]),
        arguments: const { &[argument("x", Place::BodyField)] },
        ..WRITE
    };
    let catalog = catalog(vec![tool], |_| {});
    for (given, instead, code, n_requests, lines) in [
        (
            r#"{"x":1}"#,
            None,
            None,
            1,
            vec!["create_thing POST /things", "after create_thing"],
        ),
        (
            r#"{"x":1}"#,
            Some(ToolResult::text("cached")),
            None,
            1,
            vec!["create_thing POST /things", "after create_thing"],
        ),
        (
            r#"{"x":1}"#,
            Some(ToolResult::error("no")),
            Some("hook"),
            1,
            vec!["create_thing POST /things", "after create_thing"],
        ),
        // Faulty arguments never come to a request, but their result can be changed.
        (
            "{}",
            None,
            Some("invalid_arguments"),
            1,
            vec!["after create_thing"],
        ),
    ] {
        let is_error = instead
            .as_ref()
            .map_or(code.is_some(), |result| result.is_error);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let hooks = Watching {
            seen: seen.clone(),
            instead,
        };
        let caller = hooked(catalog, &api.base_url(), 2000, Box::new(hooks));
        let outcome = call(&caller, catalog, given).await;
        assert_eq!(outcome.code.as_deref(), code);
        assert_eq!(outcome.result.is_error, is_error);
        assert_eq!(outcome.result.content.len(), 2);
        assert_eq!(*seen.lock().expect("lines"), lines);
        assert_eq!(api.requests().len(), n_requests);
    }
    let requests = api.requests();
    assert_eq!(requests[0].header("x-hooked"), Some("yes"));
    assert_eq!(requests[0].body.as_ref(), b"[1]");
}
