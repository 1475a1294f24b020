//! The invariants of ARCHITECTURE.md that a search can test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use oas2mcp::emit::assets;

const MAX_LINES: usize = 500;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below some folders with one of these endings: path from the root, and text.
pub(crate) fn files(folders: &[&str], endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root()).expect("below");
            let name = name.display().to_string().replace('\\', "/");
            if path.is_dir() {
                open.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push((name, fs::read_to_string(&path).expect("text")));
            }
        }
    }
    assert!(!found.is_empty(), "{folders:?}");
    found.sort();
    found
}

/// The part of a file that is not its own tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

#[test]
fn files_are_short_and_open_with_what_they_are_for() {
    for (name, text) in files(&["src", "templates/runtime", "tests/it"], &[".rs"]) {
        let n_lines = text.lines().count();
        assert!(n_lines <= MAX_LINES, "{name}: {n_lines} lines");
        assert!(text.starts_with("//!") || name == "src/lib.rs", "{name}");
    }
}

#[test]
fn openapi_types_stay_in_load_and_lower() {
    for (name, text) in files(&["src"], &[".rs"]) {
        let may = ["src/load", "src/lower"]
            .iter()
            .any(|folder| name.starts_with(folder));
        assert!(may || !text.contains("openapiv3::"), "{name}");
    }
}

#[test]
fn only_write_writes_and_only_load_reads() {
    for (name, text) in files(&["src"], &[".rs"]) {
        let code = code(&text);
        for word in [
            "fs::write",
            "fs::rename",
            "fs::remove",
            "fs::create_dir",
            "File::create",
        ] {
            assert!(
                name.starts_with("src/write") || !code.contains(word),
                "{name}: {word}"
            );
        }
        for word in ["fs::read", "File::open"] {
            let may = name.starts_with("src/write") || name.starts_with("src/load");
            assert!(may || !code.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn nothing_prints_by_macro() {
    for (name, text) in files(&["src", "templates/runtime"], &[".rs"]) {
        let code = code(&text)
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for word in ["print!(", "println!(", "dbg!(", "todo!(", "unimplemented!("] {
                assert!(!line.contains(word), "{name}: {line}");
            }
        }
    }
}

#[test]
fn every_runtime_file_is_embedded() {
    let folder = files(&["templates/runtime"], &[".rs"]);
    let embedded: Vec<(String, String)> = assets::RUNTIME
        .iter()
        .map(|(name, text)| (format!("templates/runtime/{name}"), (*text).to_owned()))
        .collect();
    let names = |list: &[(String, String)]| -> BTreeSet<String> {
        list.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(
        names(&embedded),
        names(&folder),
        "list them in src/emit/assets.rs"
    );
    for (name, text) in embedded {
        assert!(
            folder.contains(&(name.clone(), text)),
            "{name} is another file's text"
        );
    }
}

#[test]
fn the_runtime_names_no_generated_module() {
    for (name, text) in files(&["templates/runtime"], &[".rs"]) {
        for word in ["crate::catalog", "crate::registry", "crate::hooks"] {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
}

/// The lines `name = …` of one section of a manifest.
fn section<'a>(manifest: &'a str, name: &str) -> BTreeSet<&'a str> {
    let header = format!("[{name}]");
    let lines = manifest.lines().skip_while(|line| **line != header).skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter(|line| line.contains('=') && !line.starts_with('#'))
        .collect()
}

#[test]
fn emitted_dependencies_are_those_that_the_runtime_is_tested_with() {
    let own = include_str!("../../Cargo.toml");
    let emitted = include_str!("../../templates/crate/Cargo.toml.j2");
    let mut tested = section(own, "dev-dependencies");
    // They test servers and the runtime from outside; no server needs them.
    let for_tests = ["proptest ", "rcgen ", "rmcp ", "tokio-rustls "];
    tested.retain(|line| !for_tests.iter().any(|name| line.starts_with(name)));
    assert!(tested.len() > 10);
    let emitted = section(emitted, "dependencies");
    assert!(
        emitted.is_superset(&tested),
        "{:?}",
        tested.difference(&emitted)
    );
    tested.extend(section(own, "dependencies"));
    let unknown: Vec<_> = emitted.difference(&tested).collect();
    assert!(
        unknown.is_empty(),
        "other versions or features: {unknown:?}"
    );
}

#[test]
fn no_file_names_a_path_of_a_machine() {
    let endings = [".rs", ".j2", ".md", ".toml", ".yaml", ".json"];
    for (name, text) in files(&["src", "templates"], &endings) {
        for word in ["/home/", "/root/", "/Users/", "C:\\Users"] {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn emitted_rust_is_formatted_and_parses() {
    for (path, file) in oas2mcp::emit::emit(&crate::sample::server())
        .expect("it emits")
        .files
    {
        if path.ends_with(".rs") {
            assert!(file.contents.ends_with('\n'), "{path}");
            assert!(!file.contents.contains('\t'), "{path}");
            syn::parse_file(&file.contents).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
    }
}
