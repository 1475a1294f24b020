//! Chooses the language of an answer.

use http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;

use crate::runtime::catalog::{Catalog, WireLocale};

/// How many language ranges of a request are looked at; the header is the client's to fill.
const MAX_RANGES: usize = 32;

/// The language of an answer to a request with these headers, as an index into [`Catalog::locales`].
///
/// Without headers (stdio) it is the fixed or the first language.
#[must_use]
pub fn choose(catalog: &Catalog, headers: Option<&HeaderMap>) -> usize {
    match catalog.wire_locale {
        WireLocale::Fixed(index) => index.min(catalog.locales.len().saturating_sub(1)),
        WireLocale::AcceptLanguage => headers.map_or(0, |headers| {
            let ranges = headers
                .get_all(ACCEPT_LANGUAGE)
                .iter()
                .filter_map(|value| value.to_str().ok())
                .flat_map(|value| value.split(','));
            negotiate(ranges, catalog.locales)
        }),
    }
}

/// The best match of language ranges such as `pt-BR;q=0.8`; the first language where none matches.
///
/// The highest weight wins, and of equal weights the range that stands first (RFC 9110, 12.5.4).
#[must_use]
pub fn negotiate<'a>(ranges: impl Iterator<Item = &'a str>, locales: &[&str]) -> usize {
    let mut best: Option<(u16, usize)> = None;
    for range in ranges.take(MAX_RANGES) {
        let Some((tag, weight)) = read_range(range) else {
            continue;
        };
        if weight == 0 || best.is_some_and(|(known, _)| known >= weight) {
            continue;
        }
        if let Some(index) = find(tag, locales) {
            best = Some((weight, index));
        }
    }
    best.map_or(0, |(_, index)| index)
}

/// Splits `tag;q=0.8` into the tag and its weight in thousandths. None: not a language range.
fn read_range(range: &str) -> Option<(&str, u16)> {
    let mut parts = range.split(';');
    let tag = parts.next()?.trim();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'*';
    if tag.is_empty() || !tag.bytes().all(fits) {
        return None;
    }
    let mut weight = 1000;
    for parameter in parts {
        if let Some(value) = parameter
            .trim()
            .strip_prefix("q=")
            .or_else(|| parameter.trim().strip_prefix("Q="))
        {
            weight = read_weight(value.trim())?;
        }
    }
    Some((tag, weight))
}

/// A weight from `0` to `1` with up to three decimals, in thousandths (RFC 9110, 12.4.2).
pub(super) fn read_weight(value: &str) -> Option<u16> {
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1000),
        _ => None,
    }
}

/// The language for one range: the same tag, else one that the range begins (`pt` → `pt-BR`), else one of the same
/// primary language (`es-419` → `es`, `pt-PT` → `pt-BR`).
fn find(tag: &str, locales: &[&str]) -> Option<usize> {
    if tag == "*" {
        return Some(0);
    }
    let position = |fits: &dyn Fn(&str) -> bool| locales.iter().position(|locale| fits(locale));
    position(&|locale| locale.eq_ignore_ascii_case(tag))
        .or_else(|| position(&|locale| begins(locale, tag)))
        .or_else(|| position(&|locale| primary(locale).eq_ignore_ascii_case(primary(tag))))
}

fn begins(locale: &str, tag: &str) -> bool {
    locale.as_bytes().get(tag.len()) == Some(&b'-')
        && locale
            .get(..tag.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(tag))
}

fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}
