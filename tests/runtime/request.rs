//! The request that the API gets, as it arrives there.

use serde_json::Value;

use crate::call_sample::{TOOL, WRITE, api, argument, call, caller, catalog, fixed, text};
use crate::runtime::call::Outcome;
use crate::runtime::catalog::*;
use crate::stand_in::Request;

/// Calls a tool; gives what came of it and what arrived.
async fn sent_with(
    tool: Tool,
    given: &str,
    change: impl FnOnce(&mut Catalog),
) -> (Outcome, Vec<Request>) {
    let api = api().await;
    let catalog = catalog(vec![tool], change);
    let caller = caller(catalog, &api.base_url(), 5000);
    let outcome = call(&caller, catalog, given).await;
    (outcome, api.requests())
}

async fn sent(tool: Tool, given: &str) -> Request {
    let (outcome, requests) = sent_with(tool, given, |_| {}).await;
    assert!(!outcome.result.is_error, "{:?}", outcome.result);
    assert_eq!(outcome.status, Some(200));
    let [request] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    request.clone()
}

/// What a call is refused with, before anything is sent.
async fn refused(tool: Tool, given: &str) -> String {
    let (outcome, requests) = sent_with(tool, given, |_| {}).await;
    assert!(outcome.result.is_error);
    assert_eq!((requests.len(), outcome.status), (0, None));
    assert_eq!(outcome.code.as_deref(), Some("invalid_arguments"));
    text(&outcome.result).to_owned()
}

fn body(request: &Request) -> &str {
    std::str::from_utf8(&request.body).expect("UTF-8")
}

/// One argument in every place, under another name than the API's.
const EVERYWHERE: Tool = Tool {
    path: &[
        Segment::Literal("/a%20b/"),
        Segment::Parameter("id"),
        Segment::Literal("/"),
        Segment::Parameter("part"),
        Segment::Literal(".json"),
    ],
    arguments: &[
        Argument {
            wire: "id",
            ..argument("thing_id", Place::Path)
        },
        Argument {
            wire: "filter[at]",
            ..argument("filter_at", Place::Query)
        },
        Argument {
            wire: "x-trace",
            ..argument("trace", Place::Header)
        },
        Argument {
            wire: "session",
            ..argument("session_cookie", Place::Cookie)
        },
        Argument {
            wire: "amount",
            ..argument("amount_in_cents", Place::BodyField)
        },
    ],
    fixed: &[
        fixed(Place::Path, "part", r#""v 2""#),
        fixed(Place::Query, "lang", r#""pt""#),
        fixed(Place::Header, "x-mode", r#""fast""#),
        fixed(Place::Cookie, "theme", r#""dark""#),
        fixed(Place::BodyField, "origin", r#"{"by": "mcp"}"#),
    ],
    ..WRITE
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_place_gets_its_arguments() {
    let given = r#"{"thing_id":"a/b","filter_at":"x&y","trace":"t 1","session_cookie":"s;1","amount_in_cents":100}"#;
    let request = sent(EVERYWHERE, given).await;
    assert_eq!(request.method, "POST");
    assert_eq!(request.path, "/a%20b/a%2Fb/v%202.json");
    assert_eq!(request.query, "lang=pt&filter%5Bat%5D=x%26y");
    assert_eq!(request.header("x-trace"), Some("t 1"));
    assert_eq!(request.header("x-mode"), Some("fast"));
    assert_eq!(request.header("cookie"), Some("theme=dark; session=s%3B1"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(body(&request), r#"{"origin":{"by": "mcp"},"amount":100}"#);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_written_is_told_and_not_sent() {
    let given = r#"{"thing_id":"..","trace":"a\r\nX-Admin: 1"}"#;
    let text = refused(EVERYWHERE, given).await;
    let expected = "Invalid arguments: `thing_id` must not hold `.` or `..` as a path segment; \
                    `trace` must hold only visible ASCII characters, since it travels in a header";
    assert_eq!(text, expected);
    assert_eq!(
        refused(EVERYWHERE, "{}").await,
        "Invalid arguments: `thing_id` is missing"
    );
    let long = format!(r#"{{"thing_id":"1","filter_at":"{}"}}"#, "x".repeat(70_000));
    let text = refused(EVERYWHERE, &long).await;
    assert!(text.contains("address that is too long"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn digits_and_spelling_are_kept() {
    let tool = Tool {
        arguments: const {
            &[
                argument("q", Place::Query),
                argument("n", Place::BodyField),
                argument("m", Place::BodyField),
            ]
        },
        ..WRITE
    };
    let given = r#"{"q":12345678901234567890.10,"n": 980.10,"m":{"x":[1.0,1E+2,123456789012345678901234567890],"y":"\u00e7\/"}}"#;
    let request = sent(tool, given).await;
    assert_eq!(request.query, "q=12345678901234567890.10");
    let expected =
        r#"{"n":980.10,"m":{"x":[1.0,1E+2,123456789012345678901234567890],"y":"\u00e7\/"}}"#;
    assert_eq!(body(&request), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_of_each_kind() {
    const ARGUMENTS: &[Argument] = &[
        argument("a", Place::BodyField),
        argument("b c\"", Place::BodyField),
    ];
    const WHOLE: &[Argument] = &[argument("body", Place::Body)];
    let fields = |required| Body::Fields { required };
    for (kind, arguments, given, expected) in [
        (fields(true), ARGUMENTS, "{}", Some("{}")),
        (fields(false), ARGUMENTS, "{}", None),
        (
            fields(false),
            ARGUMENTS,
            r#"{"a":null}"#,
            Some(r#"{"a":null}"#),
        ),
        (
            fields(true),
            ARGUMENTS,
            r#"{"b c\"":[1, 2],"a":"x"}"#,
            Some(r#"{"a":"x","b c\"":[1, 2]}"#),
        ),
        // Undeclared ones under an open schema go on, escaped like the others.
        (
            fields(true),
            ARGUMENTS,
            r#"{"z\"":1,"a":2}"#,
            Some(r#"{"a":2,"z\"":1}"#),
        ),
        (Body::Whole, WHOLE, r#"{"body":[1.10]}"#, Some("[1.10]")),
        (Body::Whole, WHOLE, r#"{"body":"x"}"#, Some(r#""x""#)),
        (Body::Whole, WHOLE, "{}", None),
        (Body::None, &[], "{}", None),
    ] {
        let tool = Tool {
            body: kind,
            arguments,
            ..WRITE
        };
        let request = sent(tool, given).await;
        assert_eq!(body(&request), expected.unwrap_or(""), "{kind:?} {given}");
        let media_type = expected.map(|_| "application/json");
        assert_eq!(
            request.header("content-type"),
            media_type,
            "{kind:?} {given}"
        );
        // RFC 9110, 8.6: a POST without content says so.
        let length = expected.map_or(0, str::len).to_string();
        assert_eq!(request.header("content-length"), Some(length.as_str()));
    }
    let read = sent(TOOL, "{}").await;
    assert_eq!(
        (read.header("content-length"), read.header("content-type")),
        (None, None)
    );
    assert_eq!(read.header("accept"), Some("application/json, */*;q=0.5"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standing_headers_come_from_the_catalog_and_the_environment() {
    const HEADERS: &[SetHeader] = &[
        SetHeader {
            name: "x-version",
            value: &[HeaderPart::Literal("v"), HeaderPart::Literal("1")],
        },
        SetHeader {
            name: "x-crate",
            value: &[
                HeaderPart::Literal("is "),
                HeaderPart::Env("CARGO_PKG_NAME"),
            ],
        },
        SetHeader {
            name: "x-absent",
            value: &[
                HeaderPart::Literal("Bearer "),
                HeaderPart::Env("OAS2MCP_TEST_IS_NEVER_SET"),
            ],
        },
        SetHeader {
            name: "x-request-id",
            value: &[
                HeaderPart::Env("CARGO_PKG_NAME"),
                HeaderPart::Literal("-"),
                HeaderPart::Uuid,
            ],
        },
    ];
    let api = api().await;
    let tool = Tool {
        arguments: const { &[argument("x-version", Place::Header)] },
        ..TOOL
    };
    let catalog = catalog(vec![tool], |catalog| catalog.upstream.headers = HEADERS);
    let caller = caller(catalog, &api.base_url(), 5000);
    for _ in 0..2 {
        call(&caller, catalog, r#"{"x-version":"forged"}"#).await;
    }
    let requests = api.requests();
    for request in &requests {
        assert_eq!(request.header("x-version"), Some("v1"));
        assert_eq!(request.header("x-crate"), Some("is oas2mcp"));
        assert_eq!(request.header("x-absent"), None);
    }
    let ids: Vec<&str> = requests
        .iter()
        .filter_map(|request| request.header("x-request-id")?.strip_prefix("oas2mcp-"))
        .collect();
    assert_eq!(ids.len(), 2);
    assert_ne!(ids[0], ids[1]);
    for id in ids {
        let id: uuid::Uuid = id.parse().expect("a UUID");
        assert_eq!(id.get_version_num(), 4);
    }
}

#[test]
fn a_header_that_cannot_be_sent_stops_the_start_without_its_value() {
    use crate::runtime::request::StandingHeaders;
    for (value, fresh) in [("sécret\u{1}", false), ("secret\r\nX: 1", true)] {
        let parts = if fresh {
            vec![HeaderPart::Literal(value), HeaderPart::Uuid]
        } else {
            vec![HeaderPart::Literal(value)]
        };
        let header = SetHeader {
            name: "authorization",
            value: parts.leak(),
        };
        let catalog = catalog(Vec::new(), |catalog| {
            catalog.upstream.headers = crate::call_sample::leak([header]);
        });
        let error = StandingHeaders::read(&catalog.upstream).expect_err("a refusal");
        assert!(
            error.contains("`authorization`") && !error.contains("cret"),
            "{error}"
        );
    }
}

const KEY: Option<IdempotencyKey> = Some(IdempotencyKey {
    header: "x-idempotency-key",
    methods: &["POST", "PUT"],
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_write_carries_a_key_of_its_own() {
    let api = api().await;
    let catalog = catalog(vec![WRITE], |catalog| {
        catalog.upstream.idempotency_key = KEY
    });
    let caller = caller(catalog, &api.base_url(), 5000);
    for _ in 0..2 {
        call(&caller, catalog, "{}").await;
    }
    let keys: Vec<String> = api
        .requests()
        .iter()
        .filter_map(|request| request.header("x-idempotency-key").map(str::to_owned))
        .collect();
    assert_eq!(keys.len(), 2);
    assert_ne!(keys[0], keys[1]);
    for method in ["GET", "DELETE"] {
        let tool = Tool { method, ..WRITE };
        let (_, requests) =
            sent_with(tool, "{}", |catalog| catalog.upstream.idempotency_key = KEY).await;
        assert_eq!(requests[0].header("x-idempotency-key"), None);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_was_given_is_kept() {
    let tool = Tool {
        arguments: const { &[argument("x-idempotency-key", Place::Header)] },
        ..WRITE
    };
    let given = r#"{"x-idempotency-key":"order-7"}"#;
    let (_, requests) = sent_with(tool, given, |catalog| {
        catalog.upstream.idempotency_key = KEY
    })
    .await;
    assert_eq!(requests[0].header("x-idempotency-key"), Some("order-7"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strings_of_json_arrive_as_what_they_hold() {
    let tool = Tool {
        arguments: const {
            &[
                Argument {
                    structured: true,
                    ..argument("items", Place::BodyField)
                },
                argument("note", Place::BodyField),
            ]
        },
        ..WRITE
    };
    let request = sent(tool, r#"{"items":"[{\"amount\":1.10}]","note":"[1]"}"#).await;
    assert_eq!(
        body(&request),
        r#"{"items":[{"amount":1.10}],"note":"[1]"}"#
    );
    let parsed: Value = request.json().expect("JSON");
    assert_eq!(parsed["note"], "[1]");
}
