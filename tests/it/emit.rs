//! What a server's crate holds, whatever texts its API has.

use oas2mcp::emit::{FileSet, emit};
use proc_macro2::{TokenStream, TokenTree};
use serde_json::{Value, json};

use crate::sample::{ODD, server};

fn files() -> FileSet {
    emit(&server()).expect("it emits")
}

fn contents<'a>(files: &'a FileSet, path: &str) -> &'a str {
    &files
        .files
        .get(path)
        .unwrap_or_else(|| panic!("{path}"))
        .contents
}

#[test]
fn a_crate_is_complete() {
    let files = files();
    for path in [
        ".dockerignore",
        ".gitignore",
        "Cargo.toml",
        "Dockerfile",
        "README.md",
        "src/catalog.rs",
        "src/hooks.rs",
        "src/main.rs",
        "src/registry.rs",
        "src/runtime/mod.rs",
        "tests/requests.json",
        "tests/smoke.rs",
        "tests/wire/mod.rs",
    ] {
        contents(&files, path);
    }
    let written_once = files.files.iter().filter(|(_, file)| file.is_written_once);
    let names: Vec<_> = written_once.map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["src/hooks.rs"]);
}

/// Every string literal of a stream, at any depth.
fn literals(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) => literals(group.stream()),
            TokenTree::Literal(literal) => syn::parse_str::<syn::LitStr>(&literal.to_string())
                .map(|literal| vec![literal.value()])
                .unwrap_or_default(),
            _ => Vec::new(),
        })
        .collect()
}

#[test]
fn every_text_survives_as_a_literal_and_appears_nowhere_else() {
    let files = files();
    for (path, at_least) in [("src/catalog.rs", 12), ("src/registry.rs", 3)] {
        let tokens: TokenStream = contents(&files, path).parse().expect("Rust");
        let n_found = literals(tokens).iter().filter(|text| *text == ODD).count();
        assert!(n_found >= at_least, "{path}: {n_found}");
        assert!(
            !contents(&files, path).contains('\u{202e}'),
            "{path}: a raw direction mark"
        );
    }
}

#[test]
fn the_manifest_is_valid_whatever_the_names_are() {
    let files = files();
    let manifest = contents(&files, "Cargo.toml");
    for line in [
        "name = \"odd-server\"",
        "version = \"0.0.0+1-0\"",
        "[package.metadata.oas2mcp]",
    ] {
        assert!(
            manifest.lines().any(|found| found == line),
            "{line}\n{manifest}"
        );
    }
    assert!(!manifest.contains("[workspace]"));
    // Cargo passes these texts to the compiler's process, which takes no NUL in any spelling.
    assert!(!manifest.contains("\\u0000"), "{manifest}");
    let mut odd = server();
    odd.crate_name = "../x".to_owned();
    assert!(emit(&odd).is_err());
}

#[test]
fn tables_of_the_readme_keep_their_columns() {
    let files = files();
    let readme = contents(&files, "README.md");
    let rows: Vec<_> = readme
        .lines()
        .filter(|line| line.contains("destroy_it"))
        .collect();
    assert_eq!(rows.len(), 1, "{readme}");
    assert_eq!(rows[0].matches('|').count(), 4, "{}", rows[0]);
    assert!(!readme.contains(['\u{0}', '\r']));
}

#[test]
fn requests_are_what_the_example_arguments_say() {
    let files = files();
    let table: Value = serde_json::from_str(contents(&files, "tests/requests.json")).expect("JSON");
    let tool = &table["tools"][1];
    assert_eq!(tool["path"], "/things/a/b");
    assert_eq!(
        tool["query"],
        json!([
            ["filter[k]", "1"],
            ["tags", "x"],
            ["tags", "y z"],
            ["version", "2"]
        ])
    );
    assert_eq!(tool["body"], json!({"amount": 980.0}));
    assert_eq!(table["tools"][0]["body"], Value::Null);
    assert_eq!(table["tools"][2]["kind"], "destructive");
}
