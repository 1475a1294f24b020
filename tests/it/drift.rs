//! The committed servers are what their specifications give. `UPDATE=1 cargo test --test it drift` rewrites them.

use std::collections::BTreeMap;
use std::path::Path;

use oas2mcp::write::{check, write};

/// `specs/targets.yaml`: input and output folder, relative to the repository.
fn targets() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/targets.yaml");
    let text = std::fs::read_to_string(path).expect("specs/targets.yaml");
    let targets: BTreeMap<String, String> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| line.split_once(": "))
        .map(|(input, out)| (input.trim().to_owned(), out.trim().to_owned()))
        .collect();
    assert!(!targets.is_empty());
    targets
}

#[test]
fn committed_servers_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut faults = Vec::new();
    for (input, out) in targets() {
        let outcome = oas2mcp::generate(&root.join(&input));
        let files = outcome.files.unwrap_or_else(|| {
            panic!("{input}: {:#?}", outcome.diagnostics.items());
        });
        let folder = root.join(&out);
        if std::env::var_os("UPDATE").is_some() {
            write(&folder, &files).expect("written");
        }
        let drift = check(&folder, &files).expect("compared");
        for (word, paths) in [
            ("stale", &drift.stale),
            ("missing", &drift.missing),
            ("extra", &drift.extra),
        ] {
            if !paths.is_empty() {
                faults.push(format!("{out}: {word} {paths:?}"));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{}\nrun UPDATE=1 cargo test --test it drift",
        faults.join("\n")
    );
}
