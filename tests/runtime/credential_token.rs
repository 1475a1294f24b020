//! Tokens from an authorization server: what is asked, what is kept, what is refused, and what nobody gets to see.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::call_sample::{Always, TOOL, WRITE, api, text};
use crate::credential_sample::{
    bearer, call_as, caller, fault, hooked, literal, token_request, variables, with,
};
use crate::runtime::call::{Caller, CallerSettings, Outcome};
use crate::runtime::catalog::*;
use crate::runtime::hooks::NoHooks;
use crate::runtime::log::{Level, Log};
use crate::runtime::service::{Arrival, Service, Step};
use crate::sample::Lines;
use crate::stand_in::{Fault, Response, StandIn};
use crate::token_endpoint::{CLIENT, TokenEndpoint};

const NO_ACCESS: &str = "This server did not get access to the API; nothing was sent to it.";

async fn endpoint(expires_in: Value) -> TokenEndpoint {
    TokenEndpoint::start(expires_in).await.expect("a port")
}

/// The tokens that reached the API, in order.
fn tokens(api: &StandIn) -> Vec<String> {
    let requests = api.requests();
    let values = requests
        .iter()
        .map(|request| request.header("authorization").unwrap_or_default());
    values
        .map(|value| value.trim_start_matches("Bearer ").to_owned())
        .collect()
}

#[track_caller]
fn check_no_access(outcome: &Outcome, cause: &str) {
    assert!(
        text(&outcome.result).contains(NO_ACCESS),
        "{:?}",
        outcome.result
    );
    assert!(outcome.result.is_error);
    assert_eq!(
        (outcome.code.as_deref(), outcome.status),
        (Some("api_unreachable"), None)
    );
    let told = outcome.cause.as_deref().unwrap_or_default();
    assert!(told.contains(cause), "{told}");
    assert!(
        !told.contains("://") && !told.contains("127.0.0.1"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_credentials_are_asked_for_once_and_kept() {
    let (api, endpoint) = (api().await, endpoint(json!(3600)).await);
    let request = TokenRequest {
        scope: "read write",
        audience: "https://api.example.com",
        resource: "urn:api",
        ..token_request(&endpoint.url())
    };
    let catalog = with(TOOL, Credential::ClientCredentials(request));
    let caller = caller(catalog, &api.base_url());
    for token in [Some("theirs"), None, Some("other")] {
        let outcome = call_as(&caller, catalog, &bearer(token), "{}").await;
        assert_eq!(outcome.code, None, "{:?}", outcome.cause);
    }
    assert_eq!(tokens(&api), ["own-1", "own-1", "own-1"]);
    let expected = [
        ("audience", "https://api.example.com"),
        ("grant_type", "client_credentials"),
        ("resource", "urn:api"),
        ("scope", "read write"),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(endpoint.forms(), [expected.into_iter().collect()]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parameters_that_the_catalog_leaves_out_are_not_sent() {
    let (api, endpoint) = (api().await, endpoint(Value::Null).await);
    let catalog = with(
        TOOL,
        Credential::TokenExchange(token_request(&endpoint.url())),
    );
    let caller = caller(catalog, &api.base_url());
    call_as(&caller, catalog, &bearer(Some("t&=1")), "{}").await;
    let expected = [
        (
            "grant_type",
            "urn:ietf:params:oauth:grant-type:token-exchange",
        ),
        ("subject_token", "t&=1"),
        (
            "subject_token_type",
            "urn:ietf:params:oauth:token-type:access_token",
        ),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(endpoint.forms(), [expected.into_iter().collect()]);
    assert_eq!(tokens(&api), ["1.for.t&=1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_at_once_ask_once() {
    let (api, endpoint) = (api().await, endpoint(json!("3600")).await);
    endpoint
        .server
        .fail_next(Fault::Delay(Duration::from_millis(200)));
    let catalog = with(
        TOOL,
        Credential::ClientCredentials(token_request(&endpoint.url())),
    );
    let caller = std::sync::Arc::new(caller(catalog, &api.base_url()));
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let caller = caller.clone();
            tokio::spawn(async move { call_as(&caller, catalog, &bearer(None), "{}").await.code })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.expect("no panic"), None);
    }
    assert_eq!(
        (endpoint.n_given(), endpoint.server.requests().len()),
        (1, 1)
    );
    assert_eq!(tokens(&api), vec!["own-1"; 50]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expired_token_is_renewed() {
    let (api, endpoint) = (api().await, endpoint(json!(1)).await);
    let catalog = with(
        TOOL,
        Credential::ClientCredentials(token_request(&endpoint.url())),
    );
    let caller = caller(catalog, &api.base_url());
    for _ in 0..2 {
        call_as(&caller, catalog, &bearer(None), "{}").await;
        call_as(&caller, catalog, &bearer(None), "{}").await;
        tokio::time::sleep(Duration::from_millis(1100)).await;
    }
    assert_eq!(tokens(&api), ["own-1", "own-1", "own-2", "own-2"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_token_is_dropped_and_the_write_not_repeated() {
    let (api, endpoint) = (api().await, endpoint(json!(3600)).await);
    let request = token_request(&endpoint.url());
    for (credential, expected) in [
        (
            Credential::ClientCredentials(request),
            ["own-1", "own-1", "own-2"],
        ),
        (
            Credential::TokenExchange(request),
            ["3.for.me", "3.for.me", "4.for.me"],
        ),
    ] {
        let catalog = with(WRITE, credential);
        let caller = caller(catalog, &api.base_url());
        let me = bearer(Some("me"));
        assert_eq!(call_as(&caller, catalog, &me, "{}").await.status, Some(200));
        api.fail_next(Fault::Answer(Response::json(
            401,
            &json!({"error": "expired"}),
        )));
        let outcome = call_as(&caller, catalog, &me, "{}").await;
        assert_eq!((outcome.status, outcome.result.is_error), (Some(401), true));
        assert_eq!(call_as(&caller, catalog, &me, "{}").await.status, Some(200));
        assert_eq!(tokens(&api), expected);
        api.forget_requests();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_of_one_caller_stops_no_other() {
    let (api, endpoint) = (api().await, endpoint(json!(3600)).await);
    let catalog = with(
        WRITE,
        Credential::TokenExchange(token_request(&endpoint.url())),
    );
    let caller = caller(catalog, &api.base_url());
    for _ in 0..3 {
        let outcome = call_as(&caller, catalog, &bearer(Some("refused")), "{}").await;
        check_no_access(&outcome, "the token endpoint answered 400 (invalid_grant)");
    }
    let outcome = call_as(&caller, catalog, &bearer(None), "{}").await;
    check_no_access(&outcome, "the caller has no token to exchange");
    let outcome = call_as(&caller, catalog, &bearer(Some("good")), "{}").await;
    assert_eq!(outcome.code, None);
    assert_eq!(tokens(&api), ["2.for.good"]);
    assert_eq!(endpoint.server.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_that_is_down_is_not_asked_by_every_caller() {
    let (api, endpoint) = (api().await, endpoint(json!(3600)).await);
    for fault in [
        Fault::Answer(Response::empty(503)),
        Fault::Answer(Response::empty(429)),
        Fault::Hangup,
    ] {
        endpoint.server.forget_requests();
        endpoint.server.fail_next(fault);
        let catalog = with(
            WRITE,
            Credential::TokenExchange(token_request(&endpoint.url())),
        );
        let caller = caller(catalog, &api.base_url());
        for n in 0..5 {
            let outcome = call_as(&caller, catalog, &bearer(Some(&format!("t{n}"))), "{}").await;
            check_no_access(&outcome, "token endpoint");
        }
        assert_eq!(endpoint.server.requests().len(), 1);
    }
    // Nobody listens there.
    let catalog = with(
        TOOL,
        Credential::ClientCredentials(token_request("http://127.0.0.1:9/token")),
    );
    let caller = caller(catalog, &api.base_url());
    let outcome = call_as(&caller, catalog, &bearer(None), "{}").await;
    check_no_access(&outcome, "no answer of the token endpoint");
    assert_eq!(api.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_endpoint_does_not_outlast_the_deadline_of_the_call() {
    let (api, endpoint) = (api().await, endpoint(json!(3600)).await);
    endpoint
        .server
        .fail_next(Fault::Delay(Duration::from_millis(1500)));
    let catalog = with(
        WRITE,
        Credential::ClientCredentials(token_request(&endpoint.url())),
    );
    let caller = hooked(catalog, &api.base_url(), 300, Box::new(NoHooks));
    let started = Instant::now();
    let outcome = call_as(&caller, catalog, &bearer(None), "{}").await;
    check_no_access(&outcome, "no token came before the deadline");
    assert!(started.elapsed() < Duration::from_millis(1200));
    assert_eq!(api.requests().len(), 0);
    // The token arrives all the same, for the calls after it.
    tokio::time::sleep(Duration::from_millis(1600)).await;
    assert_eq!(
        call_as(&caller, catalog, &bearer(None), "{}").await.code,
        None
    );
    assert_eq!(tokens(&api), ["own-1"]);
}

/// What makes a good answer bad: a member and its value, as JSON text.
const BAD_MEMBERS: &[(&str, &str, &str)] = &[
    ("token_type", r#""mac""#, "not a bearer token"),
    ("token_type", "null", "not a bearer token"),
    (
        "issued_token_type",
        r#""urn:ietf:params:oauth:token-type:refresh_token""#,
        "another kind",
    ),
    ("access_token", "null", "without a token"),
    ("access_token", r#""""#, "without a token"),
    ("access_token", r#""SECRET\r\nx: 1""#, "without a token"),
    ("access_token", r#""SECRET 1""#, "without a token"),
    ("expires_in", r#""SECRET""#, "lifetime"),
    ("expires_in", "-1", "lifetime"),
    ("expires_in", "[]", "lifetime"),
];

const GOOD: &str = r#"{"access_token":"t","token_type":"Bearer"}"#;

/// Answers that are bad as a whole.
const BAD_ANSWERS: &[(u16, &str, &str)] = &[
    (200, "", "without a JSON object"),
    (200, "[]", "without a JSON object"),
    (200, "<html>SECRET</html>", "without a JSON object"),
    (200, "{}", "not a bearer token"),
    (201, GOOD, "answered 201"),
    (302, GOOD, "answered 302"),
    (400, r#"{"error":"SECRET"}"#, "answered 400"),
    (
        401,
        r#"{"error":"invalid_client","error_description":"SECRET"}"#,
        "(invalid_client)",
    ),
];

async fn check_bad(status: u16, body: &str, cause: &str) {
    let answer = Response::text(status, "application/json", body);
    let answer = Always(answer.with_header("location", "/elsewhere"));
    let server = StandIn::start(answer, 0).await.expect("a port");
    let api = api().await;
    let request = token_request(&server.base_url());
    let catalog = with(WRITE, Credential::ClientCredentials(request));
    let caller = caller(catalog, &api.base_url());
    let outcome = call_as(&caller, catalog, &bearer(None), "{}").await;
    check_no_access(&outcome, cause);
    assert!(
        !outcome.cause.expect("a cause").contains("SECRET"),
        "{body}"
    );
    assert_eq!(
        (api.requests().len(), server.requests().len()),
        (0, 1),
        "{body}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bad_answer_is_no_token() {
    for (status, body, cause) in BAD_ANSWERS {
        check_bad(*status, body, cause).await;
    }
    let with_member = |name: &str, value: Value| {
        let mut answer: Value = serde_json::from_str(GOOD).expect("JSON");
        answer[name] = value;
        answer.to_string()
    };
    for (name, value, cause) in BAD_MEMBERS {
        let value = serde_json::from_str(value).expect("JSON");
        check_bad(200, &with_member(name, value), cause).await;
    }
    let long = json!("x".repeat(17_000));
    check_bad(200, &with_member("access_token", long), "without a token").await;
    let longer = json!("x".repeat(70_000));
    check_bad(200, &with_member("padding", longer), "over the limit").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_lifetimes_are_taken_as_they_are_meant() {
    for expires_in in [json!(1e300), json!(0), json!(12.5), json!("60")] {
        let (api, endpoint) = (api().await, endpoint(expires_in.clone()).await);
        let catalog = with(
            TOOL,
            Credential::ClientCredentials(token_request(&endpoint.url())),
        );
        let caller = caller(catalog, &api.base_url());
        call_as(&caller, catalog, &bearer(None), "{}").await;
        call_as(&caller, catalog, &bearer(None), "{}").await;
        let second = if expires_in == json!(0) {
            "own-2"
        } else {
            "own-1"
        };
        assert_eq!(tokens(&api), ["own-1", second], "{expires_in}");
    }
}

#[test]
fn settings_that_cannot_be_used_stop_the_start() {
    let of = |change: fn(&mut TokenRequest)| {
        let mut request = token_request("https://auth.example.com/token");
        change(&mut request);
        fault(|upstream| upstream.credential = Credential::ClientCredentials(request))
    };
    assert_eq!(
        of(|request| request.client_secret = "UNSET"),
        "the environment variable UNSET is not set"
    );
    assert!(
        of(|request| request.client_id = Setting(&[SettingPart::Env("UNSET")])).contains("UNSET")
    );
    assert!(of(|request| request.url = Setting(&[SettingPart::Env("UNSET")])).contains("UNSET"));
    for (url, expected) in [
        ("", "not a valid URL"),
        ("/token", "not a valid URL"),
        ("https://", "not a valid URL"),
        (
            "https://user:secret@auth.example.com/token",
            "not a valid URL",
        ),
        ("https://auth.example.com/token#secret", "not a valid URL"),
        ("http://auth.example.com/secret", "must begin with https://"),
        (
            "http://localhost.example.com/secret",
            "must begin with https://",
        ),
        ("ftp://localhost/secret", "must begin with https://"),
    ] {
        let mut request = token_request("");
        request.url = literal(url);
        let sentence = fault(|upstream| upstream.credential = Credential::TokenExchange(request));
        assert!(sentence.contains(expected), "{url}: {sentence}");
        assert!(!sentence.contains("secret"), "{sentence}");
    }
    for url in [
        "http://localhost:1/x",
        "http://127.1.2.3/x",
        "http://[::1]:1/x",
        "https://a.example?x=1",
    ] {
        let catalog = with(TOOL, Credential::TokenExchange(token_request(url)));
        caller(catalog, "http://127.0.0.1:9");
    }
}

/// Runs a call through a service; its answer and the log after it.
async fn logged(catalog: &'static Catalog, base_url: &str, token: &str) -> String {
    let lines = Lines::default();
    let sink = lines.clone();
    let log = Log::to_sink(
        Level::Debug,
        Box::new(move |line| {
            let line = String::from_utf8_lossy(line).into_owned();
            sink.lock().expect("lines").push(line);
        }),
    );
    let settings = CallerSettings {
        base_url: base_url.to_owned(),
        timeout_ms: 2000,
    };
    let caller = Caller::with_variables(catalog, settings, Box::new(NoHooks), &variables);
    let service = Service::new(catalog, caller.expect("a caller"), log, 4);
    let arrival = Arrival {
        headers: None,
        started: Instant::now(),
        principal: &bearer(Some(token)),
        peer: None,
        toll: crate::runtime::limits::Toll::Due,
    };
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"things"}}"#;
    let Step::Call(call) = service.receive(body.as_bytes(), &arrival) else {
        panic!("no call");
    };
    let reply = service.run(call).await;
    let lines = lines.lock().expect("lines").join("");
    assert!(lines.contains("tools/call"), "{lines}");
    format!("{reply:?}{lines}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_secret_reaches_an_answer_or_the_log() {
    let (api, endpoint) = (api().await, endpoint(json!(3600)).await);
    let request = token_request(&endpoint.url());
    let query: &[FixedCredential] = &[FixedCredential::Query(
        "k",
        Setting(&[SettingPart::Env("API_KEY")]),
    )];
    for (credential, token, base_url) in [
        (Credential::TokenExchange(request), "t0k3n", api.base_url()),
        (
            Credential::TokenExchange(request),
            "refused-t0k3n",
            api.base_url(),
        ),
        (
            Credential::TokenExchange(request),
            "t0k3n",
            "http://127.0.0.1:9".to_owned(),
        ),
        (
            Credential::ClientCredentials(token_request("http://127.0.0.1:9/t0k3n")),
            "t0k3n",
            api.base_url(),
        ),
        (Credential::Caller, "t0k3n", "http://127.0.0.1:9".to_owned()),
        (
            Credential::Fixed(query),
            "t0k3n",
            "http://127.0.0.1:9".to_owned(),
        ),
    ] {
        let seen = logged(with(TOOL, credential), &base_url, token).await;
        for secret in [
            "t0k3n",
            "k3y",
            ".for.",
            "own-",
            CLIENT.1,
            "127.0.0.1",
            "/token",
        ] {
            assert!(!seen.contains(secret), "{secret}: {seen}");
        }
    }
}
