//! The caller's own token and fixed credentials: what reaches the API, what gives way, and what never goes elsewhere.

use http::{HeaderValue, Uri};

use crate::call_sample::{TOOL, api, argument, catalog, fixed};
use crate::credential_sample::{bearer, call_as, caller, fault, hooked, literal, variables, with};
use crate::runtime::answer::ToolResult;
use crate::runtime::catalog::*;
use crate::runtime::credential::fixed::FixedCredentials;
use crate::runtime::credential::is_same_origin;
use crate::runtime::hooks::{ApiRequest, Hooks};

const KEY: Setting = Setting(&[SettingPart::Env("API_KEY")]);
const STRANGE: Setting = Setting(&[SettingPart::Env("STRANGE_KEY")]);
const BROKEN: Setting = Setting(&[SettingPart::Env("BROKEN")]);
const UNSET: Setting = Setting(&[SettingPart::Env("UNSET")]);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_callers_token_goes_on_and_nobodys_does_not() {
    let api = api().await;
    let catalog = with(TOOL, Credential::Caller);
    let caller = caller(catalog, &api.base_url());
    for (token, expected) in [
        (Some("one"), Some("Bearer one")),
        (Some("two"), Some("Bearer two")),
        (None, None),
    ] {
        let outcome = call_as(&caller, catalog, &bearer(token), "{}").await;
        assert_eq!(outcome.code, None);
        let request = api.requests().pop().expect("a request");
        assert_eq!(request.header("authorization"), expected);
    }
    let none = with(TOOL, Credential::None);
    let caller = crate::credential_sample::caller(none, &api.base_url());
    call_as(&caller, none, &bearer(Some("one")), "{}").await;
    let request = api.requests().pop().expect("a request");
    assert_eq!(request.header("authorization"), None);
}

/// One of each place.
const EACH: &[FixedCredential] = &[
    FixedCredential::Header(
        "x-key",
        Setting(&[SettingPart::Literal("key "), SettingPart::Env("API_KEY")]),
    ),
    FixedCredential::Query("api key", STRANGE),
    FixedCredential::Query("second", KEY),
    FixedCredential::Cookie("session", KEY),
    FixedCredential::Basic(KEY, STRANGE),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_fixed_credentials_go_at_once_and_win() {
    let api = api().await;
    let tool = Tool {
        arguments: const {
            &[
                argument("x-key", Place::Header),
                argument("api key", Place::Query),
                argument("q", Place::Query),
                argument("session", Place::Cookie),
                argument("theme", Place::Cookie),
            ]
        },
        fixed: const { &[fixed(Place::Query, "second", "\"forged\"")] },
        ..TOOL
    };
    let catalog = catalog(vec![tool], |catalog| {
        catalog.upstream.credential = Credential::Fixed(EACH);
        catalog.upstream.headers = &[SetHeader {
            name: "authorization",
            value: &[HeaderPart::Literal("standing")],
        }];
    });
    let caller = caller(catalog, &api.base_url());
    let forged =
        r#"{"x-key":"forged","api key":"forged","q":"a&b","session":"forged","theme":"dark"}"#;
    let outcome = call_as(&caller, catalog, &bearer(None), forged).await;
    assert_eq!(outcome.code, None, "{:?}", outcome.cause);
    let request = api.requests().pop().expect("a request");
    assert_eq!(request.header("x-key"), Some("key k3y"));
    assert_eq!(
        request.header("authorization"),
        Some("Basic azN5OmEgYiZjPWQjw6kl")
    );
    assert_eq!(request.header("cookie"), Some("theme=dark; session=k3y"));
    assert_eq!(
        request.query,
        "q=a%26b&api%20key=a%20b%26c%3Dd%23%C3%A9%25&second=k3y"
    );
    assert_eq!(
        request
            .headers
            .iter()
            .filter(|(name, _)| name == "authorization")
            .count(),
        1
    );
    // Without arguments there is nothing to join.
    call_as(&caller, catalog, &bearer(None), "{}").await;
    let request = api.requests().pop().expect("a request");
    assert_eq!(request.header("cookie"), Some("session=k3y"));
    assert_eq!(
        request.query,
        "api%20key=a%20b%26c%3Dd%23%C3%A9%25&second=k3y"
    );
}

/// Sends requests to another address, and notes what it sees.
struct Diverting(Option<Uri>);

impl Hooks for Diverting {
    fn before_request(&self, _: &Tool, request: &mut ApiRequest) -> Result<(), Box<ToolResult>> {
        assert!(!format!("{:?} {}", request.headers, request.uri).contains("k3y"));
        assert_eq!(request.headers.get("authorization"), None);
        if let Some(elsewhere) = &self.0 {
            request.uri = elsewhere.clone();
        }
        request
            .headers
            .insert("x-hooked", HeaderValue::from_static("yes"));
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hooks_see_no_credential_and_take_none_elsewhere() {
    const ALL: &[FixedCredential] = &[
        FixedCredential::Header("authorization", KEY),
        FixedCredential::Query("key", KEY),
        FixedCredential::Cookie("session", KEY),
    ];
    let (api, other) = (api().await, api().await);
    for credential in [Credential::Fixed(ALL), Credential::Caller] {
        let catalog = with(TOOL, credential);
        let there: Uri = format!("{}/x", other.base_url())
            .parse()
            .expect("an address");
        let here: Uri = format!("{}/y", api.base_url()).parse().expect("an address");
        for (target, expected) in [(None, true), (Some(here), true), (Some(there), false)] {
            let hooks = Box::new(Diverting(target));
            let caller = hooked(catalog, &api.base_url(), 5000, hooks);
            let outcome = call_as(&caller, catalog, &bearer(Some("k3y")), "{}").await;
            assert_eq!(outcome.code, None);
            let mut arrived = api.requests();
            arrived.extend(other.requests());
            api.forget_requests();
            other.forget_requests();
            let request = arrived.pop().expect("a request");
            assert_eq!(request.header("x-hooked"), Some("yes"));
            assert_eq!(format!("{request:?}").contains("k3y"), expected);
        }
    }
}

#[test]
fn an_origin_is_scheme_host_and_port() {
    for (one, other, expected) in [
        ("https://a.example/x", "https://A.example:443/y?z", true),
        ("http://a.example", "http://a.example:80", true),
        ("https://a.example", "http://a.example", false),
        ("https://a.example", "https://b.example", false),
        ("https://a.example", "https://a.example:8443", false),
        ("https://a.example", "https://x@b.example", false),
        ("https://a.example", "/x", false),
        ("ftp://a.example", "ftp://a.example", false),
    ] {
        let parse = |text: &str| text.parse::<Uri>().expect("an address");
        assert_eq!(
            is_same_origin(&parse(one), &parse(other)),
            expected,
            "{one} {other}"
        );
    }
}

#[test]
fn what_cannot_be_sent_stops_the_start_and_is_not_shown() {
    let of = |fixed: FixedCredential| {
        let fixed: &'static [FixedCredential] = Box::leak(Box::new([fixed]));
        fault(|upstream| upstream.credential = Credential::Fixed(fixed))
    };
    for (credential, expected) in [
        (FixedCredential::Header("x-key", UNSET), "UNSET is not set"),
        (FixedCredential::Query("key", UNSET), "UNSET is not set"),
        (FixedCredential::Cookie("key", UNSET), "UNSET is not set"),
        (FixedCredential::Basic(KEY, UNSET), "UNSET is not set"),
        (FixedCredential::Header("x-key", BROKEN), "header `x-key`"),
        (
            FixedCredential::Header("x key", KEY),
            "`x key` is not a header name",
        ),
        (FixedCredential::Cookie("key", BROKEN), "cookie `key`"),
        (FixedCredential::Cookie("key", STRANGE), "cookie `key`"),
        (FixedCredential::Cookie("k;y", KEY), "`k;y` is not a name"),
        (FixedCredential::Basic(literal("a:b"), KEY), "HTTP Basic"),
        (FixedCredential::Basic(KEY, BROKEN), "HTTP Basic"),
    ] {
        let sentence = of(credential);
        assert!(sentence.contains(expected), "{sentence}");
        assert!(
            !sentence.contains("forged") && !sentence.contains("k3y"),
            "{sentence}"
        );
    }
}

#[test]
fn credentials_are_not_printed() {
    let all = [
        FixedCredential::Header("x-key", KEY),
        FixedCredential::Query("key", KEY),
        FixedCredential::Cookie("key", KEY),
        FixedCredential::Basic(KEY, KEY),
    ];
    let read = FixedCredentials::read(&all, &variables).expect("credentials");
    let printed = format!("{read:?}");
    assert!(
        !printed.contains("k3y") && !printed.contains("azN5"),
        "{printed}"
    );
    let request = ApiRequest {
        method: "GET",
        uri: "https://a.example/x?key=k3y".parse().expect("an address"),
        headers: http::HeaderMap::new(),
        body: Some(bytes::Bytes::from_static(b"k3y")),
    };
    let printed = format!("{request:?} {:?}", bearer(Some("k3y")));
    assert!(!printed.contains("k3y"), "{printed}");
}
