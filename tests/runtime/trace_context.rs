//! Which trace contexts go on to the API, from where, and what stands in their way.

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::call_sample::{self, TOOL, api, argument};
use crate::runtime::catalog::*;
use crate::runtime::message::{self, Meta};
use crate::runtime::service::{Arrival, Reply, Step};
use crate::runtime::trace_context::TraceContext;
use crate::sample::{ANONYMOUS, meta, modern_body, service};
use crate::stand_in::Request;

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OTHER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

fn check_state(state: &str, is_kept: bool) {
    let context = TraceContext::new(PARENT, Some(state)).expect("a context");
    assert_eq!(context.state(), is_kept.then_some(state), "{state:?}");
    assert_eq!(context.parent(), PARENT);
}

#[test]
fn only_a_valid_parent_goes_on() {
    for parent in [PARENT, OTHER] {
        let context = TraceContext::new(parent, None).expect("a context");
        assert_eq!((context.parent(), context.state()), (parent, None));
    }
    for parent in [
        "",
        "00",
        // Another version, upper case, identifiers of zeros, other lengths, other characters.
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
        "00-0af7651916cd43dd8448eb211c80319-b7ad6b71692033310-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
        "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331\r\n1",
        " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b71692033é-01",
    ] {
        assert_eq!(TraceContext::new(parent, None), None, "{parent:?}");
    }
}

#[test]
fn a_state_that_is_not_valid_is_left_out() {
    let fits = format!("a={}", "x".repeat(256));
    let long_value = format!("a={}", "x".repeat(257));
    let long_key = format!("{}=x", "k".repeat(257));
    let members = |n: usize| {
        let members: Vec<String> = (0..n).map(|at| format!("k{at}=v")).collect();
        members.join(",")
    };
    for (state, is_kept) in [
        ("congo=t61rcWkgMzE", true),
        ("rojo=00f067aa0ba902b7 , congo=a b!~;:", true),
        ("fw529a3039@dt=FfAB,,a=1", true),
        (&fits, true),
        (&members(32), true),
        (&members(33), false),
        (&long_value, false),
        (&long_key, false),
        (&members(80), false),
        ("", false),
        (",", false),
        ("a", false),
        ("=a", false),
        ("a=", false),
        ("a=b=c", false),
        ("a=1,a=2", false),
        ("A=1", false),
        ("_a=1", false),
        ("a b=1", false),
        ("a=é", false),
        ("a=1\r\nx-forged: 1", false),
        ("a=\u{7f}", false),
    ] {
        check_state(state, is_kept);
    }
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let value = HeaderValue::from_str(value).expect("a value");
        headers.append(HeaderName::from_static(name), value);
    }
    headers
}

/// What is read from `_meta` and headers: parent and state.
fn read(meta: &Value, pairs: &[(&'static str, &str)]) -> Option<(String, Option<String>)> {
    let text = meta.to_string();
    let raw = serde_json::from_str(&text).expect("JSON");
    let meta: Meta<'_> = message::read_object(raw, "_meta").expect("an object");
    let context = TraceContext::read(Some(&meta), Some(&headers(pairs)))?;
    Some((
        context.parent().to_owned(),
        context.state().map(str::to_owned),
    ))
}

#[test]
fn meta_wins_over_headers() {
    let both = json!({"traceparent": PARENT, "tracestate": "a=1", "baggage": "secret=1"});
    let named =
        |parent: &str, state: Option<&str>| Some((parent.to_owned(), state.map(str::to_owned)));
    for (meta, pairs, expected) in [
        (both.clone(), vec![], named(PARENT, Some("a=1"))),
        (
            both,
            vec![("traceparent", OTHER), ("tracestate", "b=2")],
            named(PARENT, Some("a=1")),
        ),
        // What `_meta` names wrongly is not made good by a header.
        (
            json!({"traceparent": 1}),
            vec![("traceparent", OTHER)],
            None,
        ),
        (
            json!({"traceparent": null}),
            vec![("traceparent", OTHER)],
            None,
        ),
        (
            json!({"traceparent": PARENT}),
            vec![("tracestate", "b=2")],
            named(PARENT, None),
        ),
        (
            json!({"traceparent": PARENT, "tracestate": ["a=1"]}),
            vec![],
            named(PARENT, None),
        ),
        // A state without a parent says nothing.
        (json!({"tracestate": "a=1"}), vec![], None),
        (
            json!({"tracestate": "a=1"}),
            vec![("traceparent", OTHER)],
            named(OTHER, None),
        ),
        (json!({}), vec![("tracestate", "b=2")], None),
        (
            json!({}),
            vec![
                ("traceparent", OTHER),
                ("tracestate", "b=2"),
                ("tracestate", "a=1"),
            ],
            named(OTHER, Some("b=2,a=1")),
        ),
        (
            json!({}),
            vec![("traceparent", OTHER), ("traceparent", OTHER)],
            None,
        ),
        (json!({}), vec![], None),
    ] {
        assert_eq!(read(&meta, &pairs), expected, "{meta} {pairs:?}");
    }
}

/// What reaches the API of a call with this `_meta` beside the usual one and these headers.
async fn sent(
    catalog: &'static Catalog,
    arguments: Value,
    given: &Value,
    pairs: &[(&'static str, &str)],
) -> Request {
    let api = api().await;
    let (service, _) = service(catalog, &api.base_url(), 4);
    let mut described = meta(json!({}));
    for (key, value) in given.as_object().expect("an object") {
        described[key] = value.clone();
    }
    let params = json!({"name": "things", "arguments": arguments, "_meta": described});
    let mut headers = headers(pairs);
    for (name, value) in [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "things"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let arrival = Arrival {
        peer: None,
        toll: crate::runtime::limits::Toll::Due,
        headers: Some(&headers),
        started: std::time::Instant::now(),
        principal: &ANONYMOUS,
    };
    let Step::Call(call) = service.receive(modern_body("tools/call", params).as_bytes(), &arrival)
    else {
        panic!("no call");
    };
    let Reply::Message { .. } = service.run(call).await else {
        panic!("no answer");
    };
    api.requests().remove(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_context_reaches_the_api_and_baggage_does_not() {
    let catalog = call_sample::catalog(vec![TOOL], |_| {});
    let given = json!({"traceparent": PARENT, "tracestate": "a=1", "baggage": "k=v"});
    let request = sent(catalog, json!({}), &given, &[("baggage", "k=v")]).await;
    assert_eq!(request.header("traceparent"), Some(PARENT));
    assert_eq!(request.header("tracestate"), Some("a=1"));
    assert_eq!(request.header("baggage"), None);
    let request = sent(catalog, json!({}), &json!({}), &[("traceparent", OTHER)]).await;
    assert_eq!(request.header("traceparent"), Some(OTHER));
    let hostile = json!({"traceparent": format!("{PARENT}\r\nx-forged: 1")});
    let request = sent(catalog, json!({}), &hostile, &[]).await;
    assert_eq!(
        (request.header("traceparent"), request.header("x-forged")),
        (None, None)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_catalog_sends_under_that_name_stays() {
    let tool = Tool {
        arguments: const { &[argument("traceparent", Place::Header)] },
        ..TOOL
    };
    let of_argument = call_sample::catalog(vec![tool], |_| {});
    let standing = call_sample::catalog(vec![TOOL], |catalog| {
        catalog.upstream.headers = &[SetHeader {
            name: "traceparent",
            value: &[HeaderPart::Literal("own")],
        }];
    });
    let given = json!({"traceparent": PARENT, "tracestate": "a=1"});
    let request = sent(of_argument, json!({"traceparent": "own"}), &given, &[]).await;
    assert_eq!(
        (request.header("traceparent"), request.header("tracestate")),
        (Some("own"), None)
    );
    let request = sent(standing, json!({}), &given, &[]).await;
    assert_eq!(
        (request.header("traceparent"), request.header("tracestate")),
        (Some("own"), None)
    );
}
