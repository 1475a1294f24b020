//! Requests as the API sees them: address, headers, body, to the last digit.

use crate::call_sample::{Bench, argument, catalog, leak, tool};
use crate::runtime::call::{Caller, CallerSettings};
use crate::runtime::catalog::*;
use crate::runtime::hooks::NoHooks;

const BIG: &str = "12345678901234567890.123456789";

#[tokio::test]
async fn every_place_gets_its_arguments() {
    let arguments = [
        argument("id", Place::Path),
        argument("page", Place::Query),
        argument("x-tenant", Place::Header),
        argument("session", Place::Cookie),
        argument("amount", Place::BodyField),
    ];
    let bench = Bench::start(catalog(
        tool("POST", &arguments, |tool| {
            tool.path = &[
                Segment::Literal("/v1/things/"),
                Segment::Parameter("id"),
                Segment::Literal("/pay"),
            ];
        }),
        |_| {},
    ))
    .await;
    let request = bench
        .request(&format!(
            r#"{{"amount":{BIG},"id":"a/b c","page":{BIG},"x-tenant":"t1","session":"s;1"}}"#
        ))
        .await;
    assert_eq!(request.method, "POST");
    assert_eq!(request.path, "/v1/things/a%2Fb%20c/pay");
    assert_eq!(request.query, format!("page={BIG}"));
    assert_eq!(request.header("x-tenant"), Some("t1"));
    assert_eq!(request.header("cookie"), Some("session=s%3B1"));
    assert_eq!(request.body, format!(r#"{{"amount":{BIG}}}"#));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(
        request.header("accept"),
        Some("application/json, */*;q=0.5")
    );
}

#[tokio::test]
async fn bodies() {
    let field = [argument("a", Place::BodyField)];
    let whole = [argument("body", Place::Body)];
    let hidden: &[Fixed] = &[Fixed {
        place: Place::BodyField,
        wire: "h",
        value: "1",
    }];
    type Row<'a> = (&'a [Argument], Body, &'static [Fixed], &'a str, &'a str);
    let optional = Body::Fields { required: false };
    let required = Body::Fields { required: true };
    let table: &[Row<'_>] = &[
        (&[], Body::None, &[], "{}", ""),
        (&field, optional, &[], "{}", ""),
        (&field, required, &[], "{}", "{}"),
        (&field, optional, hidden, "{}", r#"{"h":1}"#),
        (
            &field,
            optional,
            &[],
            r#"{"a":{"z":1e3,"a":[ 1 ]}}"#,
            r#"{"a":{"z":1e3,"a":[ 1 ]}}"#,
        ),
        (&whole, Body::Whole, &[], r#"{"body":[1.0,2]}"#, "[1.0,2]"),
        (&whole, Body::Whole, &[], "{}", ""),
    ];
    for (arguments, body, fixed, given, expected) in table {
        let sample = tool("POST", arguments, |tool| {
            tool.body = *body;
            tool.fixed = fixed;
        });
        let bench = Bench::start(catalog(sample, |_| {})).await;
        let request = bench.request(given).await;
        assert_eq!(request.body, *expected, "{body:?} {given}");
        let has_type = request.header("content-type").is_some();
        assert_eq!(has_type, !expected.is_empty(), "{body:?} {given}");
    }
}

#[tokio::test]
async fn hidden_parameters_are_sent() {
    let sample = tool("GET", &[argument("b", Place::Query)], |tool| {
        tool.path = &[Segment::Literal("/"), Segment::Parameter("kind")];
        tool.fixed = &[
            Fixed {
                place: Place::Path,
                wire: "kind",
                value: r#""all""#,
            },
            Fixed {
                place: Place::Query,
                wire: "view",
                value: r#"["x","y"]"#,
            },
            Fixed {
                place: Place::Header,
                wire: "x-kind",
                value: "1",
            },
            Fixed {
                place: Place::Cookie,
                wire: "c",
                value: "true",
            },
        ];
    });
    let request = Bench::start(catalog(sample, |_| {}))
        .await
        .request(r#"{"b":1}"#)
        .await;
    assert_eq!(
        (request.path.as_str(), request.query.as_str()),
        ("/all", "view=x&view=y&b=1")
    );
    assert_eq!(request.header("x-kind"), Some("1"));
    assert_eq!(request.header("cookie"), Some("c=true"));
}

#[tokio::test]
async fn hostile_values_are_faults_of_their_argument() {
    let arguments = [argument("id", Place::Path), argument("x-a", Place::Header)];
    let sample = tool("GET", &arguments, |tool| {
        tool.path = &[Segment::Literal("/things/"), Segment::Parameter("id")];
    });
    let bench = Bench::start(catalog(sample, |_| {})).await;
    let text = bench
        .refusal(r#"{"id":"../admin","x-a":"1\r\nX-Admin: 1"}"#)
        .await;
    assert!(
        text.starts_with("Invalid arguments: `id` must not"),
        "{text}"
    );
    assert!(
        text.contains("; `x-a` must hold only visible ASCII"),
        "{text}"
    );
    let long = "x".repeat(70_000);
    let text = bench.refusal(&format!(r#"{{"id":"{long}"}}"#)).await;
    assert!(text.contains("too long"), "{text}");
}

#[tokio::test]
async fn base_addresses() {
    let own = |address: &'static str| tool("GET", &[], |tool| tool.base_url = Some(address));
    let bench = Bench::start(catalog(tool("GET", &[], |_| {}), |_| {})).await;
    let base: &'static str = leak(bench.api.base_url());
    let known: &'static [Environment] = leak([Environment {
        name: "test",
        base_url: base,
    }]);
    let own_address: &'static str = leak(format!("{base}/own/"));
    // (address of the tool, address in the settings, path that is asked for)
    let table = [
        (None, format!("{base}/api/v2/"), "/api/v2/things"),
        (Some(own_address), base.to_owned(), "/own/things"),
        // Pointed at an API that the catalog does not know, the server must not reach another one.
        (
            Some("http://127.0.0.1:9"),
            format!("{base}/other"),
            "/other/things",
        ),
    ];
    for (address, base_url, path) in table {
        let sample = address.map_or_else(|| tool("GET", &[], |_| {}), own);
        let catalog = catalog(sample, |catalog| catalog.upstream.environments = known);
        let settings = CallerSettings {
            base_url,
            timeout_ms: 5000,
        };
        let caller = Caller::new(catalog, settings, Box::new(NoHooks)).unwrap();
        bench.api.forget_requests();
        let outcome = caller.call(&catalog.tools[0], 0, None, 0).await;
        assert_eq!(outcome.code, None);
        assert_eq!(bench.api.requests()[0].path, path);
    }
}

#[test]
fn unusable_base_addresses_are_refused_at_start() {
    for base_url in [
        "",
        "/v1",
        "ftp://x",
        "api.example.com",
        "https://",
        "https://x?a=1",
        "http://a b",
    ] {
        let settings = CallerSettings {
            base_url: base_url.to_owned(),
            timeout_ms: 1,
        };
        let made = Caller::new(
            catalog(tool("GET", &[], |_| {}), |_| {}),
            settings,
            Box::new(NoHooks),
        );
        assert!(made.is_err(), "{base_url}");
    }
}

#[tokio::test]
async fn standing_headers_are_sent_and_unset_ones_are_not() {
    let sample = tool("GET", &[], |_| {});
    let bench = Bench::start(catalog(sample, |catalog| {
        catalog.upstream.headers = &[
            SetHeader {
                name: "user-agent",
                value: &[HeaderPart::Literal("sample/1.0")],
            },
            SetHeader {
                name: "x-cargo",
                value: &[HeaderPart::Literal("p="), HeaderPart::Env("CARGO_PKG_NAME")],
            },
            SetHeader {
                name: "x-unset",
                value: &[HeaderPart::Env("OAS2MCP_TEST_UNSET")],
            },
            SetHeader {
                name: "x-request",
                value: &[HeaderPart::Literal("r-"), HeaderPart::Uuid],
            },
        ];
    }))
    .await;
    let first = bench.request("{}").await;
    assert_eq!(first.header("user-agent"), Some("sample/1.0"));
    assert_eq!(first.header("x-cargo"), Some("p=oas2mcp"));
    assert_eq!(first.header("x-unset"), None);
    let second = bench.request("{}").await;
    assert_eq!(first.header("x-request").map(str::len), Some(38));
    assert_ne!(first.header("x-request"), second.header("x-request"));
}

#[tokio::test]
async fn an_idempotency_key_is_fresh_for_each_call_of_its_methods() {
    let keyed = |catalog: &mut Catalog| {
        catalog.upstream.idempotency_key = Some(IdempotencyKey {
            header: "x-idempotency-key",
            methods: &["POST"],
        });
    };
    let bench = Bench::start(catalog(tool("POST", &[], |_| {}), keyed)).await;
    let first = bench.request("{}").await;
    let second = bench.request("{}").await;
    assert_eq!(first.header("x-idempotency-key").map(str::len), Some(36));
    assert_ne!(
        first.header("x-idempotency-key"),
        second.header("x-idempotency-key")
    );
    let bench = Bench::start(catalog(tool("GET", &[], |_| {}), keyed)).await;
    assert_eq!(bench.request("{}").await.header("x-idempotency-key"), None);
}
