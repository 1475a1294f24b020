//! Who the server is: names, title, version, instructions.

use super::context::Context;
use super::server::Text;
use super::words::ascii_name;

/// Who the server is.
pub(super) struct Identity {
    pub(super) name: String,
    pub(super) crate_name: String,
    pub(super) title: Text,
    pub(super) product_name: String,
    pub(super) version: String,
    pub(super) instructions: Text,
}

/// Decides from the overlay, else from the document.
pub(super) fn plan(cx: &Context<'_>) -> Identity {
    let settings = &cx.overlay.server;
    let name = match &settings.name {
        Some(name) => given_name(cx, name),
        None => slug(&cx.api.title),
    };
    let title = match &settings.title {
        Some(title) => cx.text(title, "/server/title"),
        None => vec![cx.api.title.clone()],
    };
    let product_name = settings
        .product_name
        .clone()
        .or_else(|| title.first().filter(|title| !title.is_empty()).cloned())
        .unwrap_or_else(|| name.clone());
    Identity {
        crate_name: crate_name(&name),
        product_name,
        title,
        version: version(cx),
        instructions: cx.optional_text(settings.instructions.as_ref(), "/server/instructions"),
        name,
    }
}

fn given_name(cx: &Context<'_>, name: &str) -> String {
    let is_valid = !name.is_empty()
        && name.len() <= 64
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
    if !is_valid {
        cx.error(
            "invalid-name",
            "/server/name",
            format!("`{name}` cannot be a server's name"),
            "write 1 to 64 characters of `A-Z a-z 0-9 _ . -`",
        );
    }
    name.to_owned()
}

fn slug(title: &str) -> String {
    let name = ascii_name(title, "").to_lowercase().replace('_', "-");
    let name: String = name.chars().take(48).collect();
    let name = name.trim_matches('-');
    if name.is_empty() {
        "server".to_owned()
    } else {
        name.to_owned()
    }
}

/// A package name that Cargo accepts: begins with a letter, is no keyword and no name of the standard library.
fn crate_name(name: &str) -> String {
    const TAKEN: &[&str] = &[
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
        "proc-macro",
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
    let name = ascii_name(name, "-").to_lowercase();
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !begins_well || TAKEN.contains(&name.as_str()) {
        return format!("mcp-{}", name.trim_start_matches(['-', '_']))
            .trim_end_matches('-')
            .to_owned();
    }
    name
}

fn version(cx: &Context<'_>) -> String {
    let given = cx.overlay.server.version.as_ref();
    let version = given.unwrap_or(&cx.api.version).trim();
    if version.is_empty() {
        cx.note(
            "assumed",
            "",
            "the document has no version, so the server's is `0.0.0`".to_owned(),
            "write `server: {version: 1.0.0}` in the overlay",
        );
        return "0.0.0".to_owned();
    }
    version.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_names_and_names_become_packages() {
        let cases = [
            (
                "Régua de Cobrança API",
                "regua-de-cobranca-api",
                "regua-de-cobranca-api",
            ),
            ("【聚美】", "server", "server"),
            ("3scale", "3scale", "mcp-3scale"),
            ("Test", "test", "mcp-test"),
            ("", "server", "server"),
        ];
        for (title, name, package) in cases {
            assert_eq!(slug(title), name, "{title}");
            assert_eq!(crate_name(&slug(title)), package, "{title}");
        }
    }
}
