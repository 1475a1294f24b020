//! The decision table of the two eras, row by row.

use crate::runtime::answer::Era::{self, Legacy, Modern};
use crate::runtime::era::{Said, decide, negotiate};
use crate::runtime::header_value::HeaderValue;
use crate::sample::catalog;

const NEW: Option<&str> = Some("2026-07-28");
const OLD: Option<&str> = Some("2025-06-18");
const NEWEST_OLD: &str = "2025-11-25";
const FUTURE: Option<&str> = Some("2031-01-01");

#[track_caller]
fn check(
    method: &str,
    claim: Option<&str>,
    header: Option<&str>,
    expected: Result<(Era, &str), i32>,
) {
    check_kind((method, false), claim, header, expected);
}

#[track_caller]
fn check_kind(
    (method, is_notification): (&str, bool),
    claim: Option<&str>,
    header: Option<&str>,
    expected: Result<(Era, &str), i32>,
) {
    let said = Said {
        method,
        claim,
        header: Some(header.map_or(HeaderValue::Absent, HeaderValue::Text)),
        is_notification,
    };
    let decided = decide(&catalog(|_| {}).protocol, &said);
    let short = decided.map(|serving| (serving.era, serving.version));
    assert_eq!(short.map_err(|error| error.code), expected);
}

#[test]
fn every_row_of_the_table() {
    let new = Ok((Modern, "2026-07-28"));
    for method in ["tools/list", "initialize"] {
        check(method, NEW, NEW, new);
        check(method, NEW, None, Err(-32020));
        check(method, FUTURE, NEW, Err(-32020));
        check(method, NEW, OLD, Err(-32020));
        check(method, OLD, NEW, Err(-32020));
        check(method, FUTURE, None, Err(-32020));
        check(method, FUTURE, FUTURE, Err(-32022));
        check(method, Some(""), Some(""), Err(-32022));
        check(method, OLD, OLD, Ok((Legacy, "2025-06-18")));
    }
    check("initialize", None, None, Ok((Legacy, NEWEST_OLD)));
    check("initialize", None, OLD, Ok((Legacy, "2025-06-18")));
    check("initialize", None, NEW, Err(-32020));
    check("initialize", None, FUTURE, Err(-32022));
    check("tools/list", None, NEW, Err(-32602));
    check("tools/list", None, OLD, Ok((Legacy, "2025-06-18")));
    check("tools/list", None, None, Err(-32022));
    check("tools/list", None, FUTURE, Err(-32022));
    check("tools/list", None, Some("garbage"), Err(-32022));
    check("tools/list", None, Some("2025-03-26"), Err(-32022));
}

#[test]
fn the_header_decides_for_notifications() {
    let notification = ("notifications/initialized", true);
    check_kind(notification, None, NEW, Ok((Modern, "2026-07-28")));
    check_kind(notification, None, OLD, Ok((Legacy, "2025-06-18")));
    check_kind(notification, None, FUTURE, Err(-32022));
}

#[test]
fn a_repeated_header_is_a_mismatch() {
    for claim in [None, NEW, OLD] {
        let said = Said {
            method: "tools/list",
            claim,
            header: Some(HeaderValue::Malformed),
            is_notification: false,
        };
        let error = decide(&catalog(|_| {}).protocol, &said).expect_err("refused");
        assert_eq!(error.code, -32020);
    }
}

#[test]
fn without_headers_only_the_claim_counts() {
    let decided = |claim| {
        let said = Said {
            method: "tools/list",
            claim,
            header: None,
            is_notification: false,
        };
        decide(&catalog(|_| {}).protocol, &said)
            .map(|serving| serving.version)
            .map_err(|error| error.code)
    };
    assert_eq!(decided(NEW), Ok("2026-07-28"));
    assert_eq!(decided(OLD), Ok("2025-06-18"));
    assert_eq!(decided(None), Ok(NEWEST_OLD));
    assert_eq!(decided(FUTURE), Err(-32022));
}

#[test]
fn the_oldest_version_is_assumed_where_it_is_served() {
    let old = catalog(|catalog| catalog.protocol.legacy = &["2025-11-25", "2025-03-26"]);
    let said = Said {
        method: "tools/list",
        claim: None,
        header: Some(HeaderValue::Absent),
        is_notification: false,
    };
    let decided = decide(&old.protocol, &said).map(|serving| serving.version);
    assert_eq!(decided, Ok("2025-03-26"));
}

#[test]
fn a_handshake_echoes_what_it_serves_and_offers_the_newest_else() {
    let protocol = &catalog(|_| {}).protocol;
    for (asked, offered) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2026-07-28", NEWEST_OLD),
        ("1900-01-01", NEWEST_OLD),
        ("garbage", NEWEST_OLD),
        ("", NEWEST_OLD),
    ] {
        assert_eq!(negotiate(protocol, asked), Some(offered));
    }
    let modern_only = catalog(|catalog| catalog.protocol.legacy = &[]);
    assert_eq!(negotiate(&modern_only.protocol, "2025-11-25"), None);
}
