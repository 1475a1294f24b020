//! Who the server is: names, version, instructions.

use super::context::{Context, collapse};
use super::server::{Server, Text};
use super::words::ascii_name;

/// Words that cannot be a crate's name.
const KEYWORDS: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Fills the identity of the server.
pub(super) fn plan(cx: &Context<'_>, server: &mut Server) {
    let settings = &cx.overlay.server;
    server.name = match &settings.name {
        Some(name) => {
            check_name(cx, name);
            name.clone()
        }
        None => slug(&cx.api.title),
    };
    server.crate_name = crate_name(&server.name);
    server.title = match &settings.title {
        Some(title) => cx.text(title, "/server/title"),
        None => document_title(cx),
    };
    let title = server.title.first().cloned().unwrap_or_default();
    server.product_name = settings.product_name.clone().unwrap_or(title);
    server.instructions = cx.optional_text(settings.instructions.as_ref(), "/server/instructions");
    let mut version = settings
        .version
        .clone()
        .unwrap_or_else(|| cx.api.version.clone());
    if version.trim().is_empty() {
        cx.warning(
            "missing-version",
            "",
            "neither the overlay nor the document gives a version; the server's is `0.0.0`"
                .to_owned(),
            "write it:\nserver:\n  version: 1.0.0",
        );
        "0.0.0".clone_into(&mut version);
    }
    server.crate_version = crate_version(&version);
    server.version = version;
}

fn check_name(cx: &Context<'_>, name: &str) {
    let is_ok = !name.is_empty()
        && name.len() <= 64
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    if !is_ok {
        cx.error(
            "invalid-name",
            "/server/name",
            format!("`{}` cannot be the server's name", name.escape_debug()),
            "write 1 to 64 characters of `A-Z a-z 0-9 - _ .`",
        );
    }
}

fn document_title(cx: &Context<'_>) -> Text {
    let titles = (0..cx.apis.len().max(1)).map(|locale| cx.api_in(locale).title.trim().to_owned());
    collapse(titles.collect())
}

fn slug(title: &str) -> String {
    let name = ascii_name(title, "").to_lowercase().replace('_', "-");
    let name: String = name.chars().take(48).collect();
    match name.trim_matches('-') {
        "" => "server".to_owned(),
        name => name.to_owned(),
    }
}

/// The name as a package name of Cargo.
fn crate_name(name: &str) -> String {
    let plain = ascii_name(name, "-_").to_lowercase();
    let plain = plain.trim_matches(['-', '_']);
    if plain.is_empty() {
        return "server".to_owned();
    }
    let starts_badly = plain.starts_with(|c: char| c.is_ascii_digit());
    if starts_badly || KEYWORDS.contains(&plain.replace('-', "_").as_str()) {
        return format!("mcp-{plain}");
    }
    plain.to_owned()
}

/// The version as Cargo takes it: as it is where it is semantic, else its first three numbers.
fn crate_version(version: &str) -> String {
    if is_semantic(version) {
        return version.to_owned();
    }
    let mut numbers = version
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.parse::<u32>().unwrap_or(u32::MAX));
    let mut next = || numbers.next().unwrap_or(0);
    format!("{}.{}.{}", next(), next(), next())
}

fn is_semantic(version: &str) -> bool {
    let (core, build) = version
        .split_once('+')
        .map_or((version, None), |(c, b)| (c, Some(b)));
    let (core, pre) = core
        .split_once('-')
        .map_or((core, None), |(c, p)| (c, Some(p)));
    let is_number = |part: &str| part.parse::<u64>().is_ok_and(|n| n.to_string() == part);
    let is_identifiers = |text: &str| {
        text.split('.')
            .all(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
    };
    let has_leading_zero = |text: &str| {
        text.split('.')
            .any(|id| id.len() > 1 && id.starts_with('0') && id.bytes().all(|b| b.is_ascii_digit()))
    };
    core.split('.').count() == 3
        && core.split('.').all(is_number)
        && pre.is_none_or(|text| is_identifiers(text) && !has_leading_zero(text))
        && build.is_none_or(is_identifiers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_versions_are_what_cargo_takes() {
        for (title, name) in [
            ("API de Cobrança", "api-de-cobranca"),
            ("日本", "server"),
            ("", "server"),
            ("Pix 2.0!", "pix-2-0"),
        ] {
            assert_eq!(slug(title), name);
        }
        for (name, package) in [
            ("kobana-mcp", "kobana-mcp"),
            ("2fa", "mcp-2fa"),
            ("type", "mcp-type"),
            ("A.b", "a_b"),
        ] {
            assert_eq!(crate_name(name), package);
        }
        for (version, package) in [
            ("1.2.3", "1.2.3"),
            ("1.2.3-rc.1+b", "1.2.3-rc.1+b"),
            ("v2", "2.0.0"),
            ("2024-01-09", "2024.1.9"),
            ("1.0", "1.0.0"),
            ("01.2.3", "1.2.3"),
            ("1.2.3-01", "1.2.3"),
            ("99999999999999999999.1.0", "4294967295.1.0"),
        ] {
            assert_eq!(crate_version(version), package);
        }
    }
}
