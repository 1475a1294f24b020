//! `tests/cases/*`: one folder, one reason; `expected/` holds what the specification decides, `stderr.txt` what a
//! faulty one is told. `UPDATE=1 cargo test --test it golden` rewrites both.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that depend on the specification; the others are the same in every case.
const OF_INTEREST: &[&str] = &["src/catalog.rs", "src/registry.rs", "tests/requests.json"];

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = fs::read_dir(folder).expect("the cases");
    let mut cases: Vec<_> = entries.map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    assert!(!cases.is_empty());
    cases
}

fn input(case: &Path) -> PathBuf {
    let overlay = case.join("overlay.yaml");
    if overlay.exists() {
        overlay
    } else {
        case.join("openapi.yaml")
    }
}

fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

/// Compares with a file, or rewrites it.
fn check(path: &Path, found: &str, faults: &mut Vec<String>) {
    if is_update() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, found).expect("written");
    } else if fs::read_to_string(path).ok().as_deref() != Some(found) {
        faults.push(format!("{}:\n{found}", path.display()));
    }
}

fn refuse(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "{} differ; if that is right, run UPDATE=1 cargo test --test it golden\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn cases_give_what_they_gave() {
    let mut faults = Vec::new();
    for case in cases() {
        let outcome = oas2mcp::generate(&input(&case));
        let Some(files) = outcome.files else {
            assert!(
                case.join("stderr.txt").exists() || is_update(),
                "{}",
                case.display()
            );
            continue;
        };
        let texts: BTreeMap<_, _> = OF_INTEREST
            .iter()
            .filter_map(|path| Some((*path, &files.files.get(*path)?.contents)))
            .collect();
        assert_eq!(texts.len(), OF_INTEREST.len());
        for (path, text) in texts {
            check(&case.join("expected").join(path), text, &mut faults);
        }
    }
    refuse(&faults);
}

#[test]
fn faulty_cases_are_told_what_they_were_told() {
    let mut faults = Vec::new();
    for case in cases() {
        let output = Command::new(env!("CARGO_BIN_EXE_oas2mcp"))
            .args(["lint", "--color", "never"])
            .arg(input(&case).file_name().expect("a name"))
            .current_dir(&case)
            .output()
            .expect("it runs");
        if output.status.success() {
            assert!(
                !case.join("stderr.txt").exists(),
                "{} is no fault",
                case.display()
            );
            continue;
        }
        let message = String::from_utf8_lossy(&output.stderr);
        check(&case.join("stderr.txt"), &message, &mut faults);
    }
    refuse(&faults);
}
