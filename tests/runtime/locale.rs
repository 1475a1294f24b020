//! Choosing the language.

use http::HeaderMap;

use crate::runtime::catalog::WireLocale;
use crate::runtime::locale::{choose, negotiate};
use crate::sample::catalog;

#[track_caller]
fn check(header: &str, expected: &str) {
    let locales = ["en", "pt-BR", "es"];
    assert_eq!(
        locales[negotiate(header.split(','), &locales)],
        expected,
        "{header}"
    );
}

#[test]
fn the_best_match_wins() {
    check("pt-BR", "pt-BR");
    check("PT-br", "pt-BR");
    check("pt", "pt-BR");
    check("pt-PT", "pt-BR");
    check("es-419, en;q=0.5", "es");
    check("es;q=0.5, pt;q=0.8", "pt-BR");
    check("es;q=0.8, pt;q=0.8", "es");
    check("fr, es;q=0.1", "es");
    check("es;q=0, pt;q=0.1", "pt-BR");
    check("*", "en");
    check("fr", "en");
    check("p", "en");
    check("es; q = 1", "es"); // spaces around `=` are not a weight
}

#[test]
fn hostile_headers_give_the_first_language() {
    for header in [
        "",
        ",,,",
        ";q=1",
        "es;q=2",
        "es;q=1.001",
        "es;q=nan",
        "es;q=-1",
        "é",
        "es\"",
        "es;q=0.0001",
    ] {
        check(header, "en");
    }
    check(&format!("{}es", "fr,".repeat(1000)), "en"); // beyond what is looked at
    check(&"a".repeat(100_000), "en");
}

#[test]
fn headers_count_only_where_the_catalog_says_so() {
    let mut headers = HeaderMap::new();
    headers.append("accept-language", "fr".parse().unwrap());
    headers.append("accept-language", "pt".parse().unwrap());
    let negotiated = catalog(|catalog| catalog.wire_locale = WireLocale::AcceptLanguage);
    assert_eq!(choose(negotiated, Some(&headers)), 1);
    assert_eq!(choose(negotiated, None), 0);
    assert_eq!(choose(catalog(|_| {}), Some(&headers)), 0);
    let fixed = catalog(|catalog| catalog.wire_locale = WireLocale::Fixed(1));
    assert_eq!(choose(fixed, None), 1);
}
