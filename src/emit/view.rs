//! Server → the values that the templates under `templates/crate/` print.

use serde_json::{Value, json};

use crate::plan::Server;
use crate::plan::server::{HeaderPart, Kind, Text, Tool};

/// Every value of every template.
pub(super) fn values(server: &Server, pages: &[(String, String)]) -> Value {
    let first = |text: &Text| text.first().cloned().unwrap_or_default();
    let title = match first(&server.title) {
        title if title.is_empty() => server.name.clone(),
        title => title,
    };
    let url = format!("http://127.0.0.1:8080{}", server.transport.path);
    json!({
        "binary_variable": format!("CARGO_BIN_EXE_{}", server.crate_name),
        "binary": format!("target/release/{}", server.crate_name),
        "description": one_line(&format!("MCP server for {}", server.product_name)),
        "url": url,
        "name": server.name,
        "crate_name": server.crate_name,
        "product": server.product_name,
        "title": title,
        "instructions": first(&server.instructions),
        "version": server.version,
        "package_version": package_version(&server.version),
        "generator_version": env!("CARGO_PKG_VERSION"),
        "path": server.transport.path,
        "max_body": server.transport.max_body_label,
        "modern": server.protocol.modern,
        "legacy": server.protocol.legacy,
        "timeout_ms": server.upstream.timeout_ms,
        "environments": environments(server),
        "header_variables": header_variables(server),
        "tools": server.tools.iter().map(tool).collect::<Vec<_>>(),
        "n_tools": server.tools.len(),
        "pages": pages.iter().map(|(path, _)| path).collect::<Vec<_>>(),
    })
}

fn environments(server: &Server) -> Vec<Value> {
    let list = server.upstream.environments.iter();
    list.map(|(name, base_url)| json!({"name": name, "base_url": base_url}))
        .collect()
}

/// Environment variables that become headers of every call: (variable, header).
fn header_variables(server: &Server) -> Vec<Value> {
    let mut list = Vec::new();
    for (header, parts) in &server.upstream.headers {
        for part in parts {
            if let HeaderPart::Env(variable) = part {
                list.push(json!({"variable": variable, "header": header}));
            }
        }
    }
    list
}

fn tool(tool: &Tool) -> Value {
    let kind = match tool.kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Destructive => "destructive",
    };
    json!({"name": tool.name, "kind": kind, "operation": tool.operation})
}

/// Words with one space between them. Cargo hands a manifest's texts to processes, which take no NUL.
fn one_line(text: &str) -> String {
    let is_gap = |character: char| character.is_whitespace() || character.is_control();
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// A version that Cargo accepts: as it is, or with zeros in the missing places, or `0.0.0` and the text as build part.
fn package_version(version: &str) -> String {
    let plain = version.trim().trim_start_matches(['v', 'V']);
    let (numbers, suffix) = match plain.find(['-', '+']) {
        Some(at) => plain.split_at(at),
        None => (plain, ""),
    };
    let mut parts: Vec<&str> = numbers.split('.').collect();
    let is_number = |part: &&str| {
        part.parse::<u64>()
            .is_ok_and(|number| number.to_string() == **part)
    };
    let is_plain = parts.len() <= 3 && parts.iter().all(is_number);
    if is_plain && is_suffix(suffix) {
        parts.resize(3, "0");
        return format!("{}{suffix}", parts.join("."));
    }
    let build: String = version
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() {
                character
            } else {
                '-'
            }
        })
        .collect();
    match build.trim_matches('-') {
        "" => "0.0.0".to_owned(),
        build => format!("0.0.0+{build}"),
    }
}

/// Whether a pre-release and build part are well formed (Semantic Versioning 2.0.0, 9 and 10).
fn is_suffix(suffix: &str) -> bool {
    let (before, build) = suffix
        .split_once('+')
        .map_or((suffix, None), |(a, b)| (a, Some(b)));
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let has_leading_zero = |word: &str| {
        word.len() > 1 && word.starts_with('0') && word.chars().all(|c| c.is_ascii_digit())
    };
    let before_is_fine = before.is_empty()
        || before.strip_prefix('-').is_some_and(|list| {
            list.split('.')
                .all(|word| is_word(word) && !has_leading_zero(word))
        });
    before_is_fine && build.is_none_or(|list| list.split('.').all(is_word))
}

#[cfg(test)]
mod tests {
    use super::package_version;

    #[test]
    fn versions_become_semantic_ones() {
        for (input, expected) in [
            ("1.2.3", "1.2.3"),
            ("1", "1.0.0"),
            ("v2.1", "2.1.0"),
            ("1.0.0-rc.1+b", "1.0.0-rc.1+b"),
            ("1.0.0-01", "0.0.0+1-0-0-01"),
            ("2024-01-01", "2024.0.0-01-01"),
            ("01.2.3", "0.0.0+01-2-3"),
            ("1.2.3.4", "0.0.0+1-2-3-4"),
            ("\"\n[x]", "0.0.0+x"),
            ("", "0.0.0"),
        ] {
            assert_eq!(package_version(input), expected, "{input:?}");
        }
    }
}
