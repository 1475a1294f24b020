//! `tests/cases/*`: one folder, one reason, the smallest document that shows it.
//!
//! `expected/` holds the parts of the crate that the case is about; a faulty case has none. `stderr.txt` is all that a
//! person is told. `UPDATE=1 cargo test --test it golden` rewrites what is there, and records a new case: its tools,
//! their requests, and its problems. To have another part recorded, create an empty file of its name first.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oas2mcp::emit::FileSet;

/// What a new case records.
const OF_INTEREST: &[&str] = &["tools.rs", "tests/requests.json"];

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = fs::read_dir(folder).expect("the cases");
    let mut cases: Vec<_> = entries.map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    assert!(cases.len() > 30, "{}", cases.len());
    cases
}

/// The file that a person would name: the overlay, or the document where there is none.
fn input(case: &Path) -> PathBuf {
    let names = ["overlay.yaml", "openapi.yaml", "openapi.json"];
    let mut paths = names.map(|name| case.join(name)).into_iter();
    paths.find(|path| path.exists()).expect("an input")
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

/// A part of the crate: a file, or one of the tables of the catalog.
fn part(files: &FileSet, name: &str) -> String {
    let file = |path: &str| {
        let file = files.files.get(path);
        &file.unwrap_or_else(|| panic!("no part {name}")).contents
    };
    let from = |word: &str| {
        let catalog = file("src/catalog.rs");
        &catalog[catalog.find(word).expect("a table")..]
    };
    let (tools, prompts) = (from("static TOOLS:"), from("static PROMPTS:"));
    match name {
        "tools.rs" => tools[..tools.len() - prompts.len()].to_owned(),
        "prompts_and_resources.rs" => prompts.to_owned(),
        "settings.rs" => {
            let settings = from("pub static CATALOG:");
            settings[..settings.len() - tools.len()].to_owned()
        }
        path => file(path).clone(),
    }
}

/// Names of the files below a folder, relative to it, with `/`.
fn names_below(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below");
                let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
                names.push(parts.join("/"));
            }
        }
    }
    names.sort();
    names
}

#[test]
fn cases_give_what_they_gave() {
    let mut faults = Vec::new();
    for case in cases() {
        let expected = case.join("expected");
        let mut names = names_below(&expected);
        let outcome = oas2mcp::generate(&input(&case));
        let Some(files) = outcome.files else {
            assert!(names.is_empty(), "{}: no crate", case.display());
            continue;
        };
        if names.is_empty() && is_update() {
            names = OF_INTEREST.iter().map(|&name| name.to_owned()).collect();
        }
        assert!(!names.is_empty(), "{}: nothing recorded", case.display());
        for name in names {
            check(&expected.join(&name), &part(&files, &name), &mut faults);
        }
    }
    refuse(&faults);
}

fn run(case: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oas2mcp"))
        .args(arguments)
        .args(["--color", "never"])
        .arg(input(case).file_name().expect("a name"))
        .current_dir(case)
        .output()
        .expect("it runs")
}

/// `lint` says what is recorded; `generate` says the same, and writes everything or nothing.
#[test]
fn cases_tell_what_they_told() {
    let folder = tempfile::tempdir().expect("temp");
    let mut faults = Vec::new();
    for case in cases() {
        let name = case.display();
        let linted = run(&case, &["lint"]);
        let is_faulty = !linted.status.success();
        let has_crate = case.join("expected").exists();
        assert!(has_crate != is_faulty || is_update(), "{name}");
        assert_eq!(linted.status.code(), Some(i32::from(is_faulty)), "{name}");
        assert!(linted.stdout.is_empty(), "{name}");
        let message = String::from_utf8_lossy(&linted.stderr);
        let recorded = case.join("stderr.txt");
        if is_faulty || message.contains("warning[") || recorded.exists() {
            check(&recorded, &message, &mut faults);
        }
        let out = folder.path().join(case.file_name().expect("a name"));
        let generated = run(&case, &["generate", "--out", out.to_str().expect("text")]);
        assert_eq!(generated.status.code(), linted.status.code(), "{name}");
        assert_eq!(out.join("src/catalog.rs").exists(), !is_faulty, "{name}");
        assert_eq!(out.exists(), !is_faulty, "{name}");
        if is_faulty {
            assert_eq!(generated.stderr, linted.stderr, "{name}");
        }
    }
    refuse(&faults);
}

/// Texts that would break out of any format that they reach unescaped make a crate that compiles.
///
/// It takes the dependencies' build, so it runs where `SLOW_TESTS` is set.
#[test]
fn hostile_texts_compile() {
    if std::env::var_os("SLOW_TESTS").is_none() {
        eprintln!("skipped: SLOW_TESTS is not set");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let case = root.join("tests/cases/hostile-texts");
    let folder = tempfile::tempdir().expect("temp");
    let out = folder.path().join("server");
    oas2mcp::generate(&input(&case))
        .write(&out)
        .expect("written");
    // The versions of this repository, so that nothing is looked up that is not there already.
    fs::copy(root.join("Cargo.lock"), out.join("Cargo.lock")).expect("a lock file");
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    for command in ["check", "fmt"] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .current_dir(&out)
            .env("CARGO_TARGET_DIR", &target)
            .arg(command);
        match command {
            "check" => cargo
                .args(["--all-targets", "--offline"])
                .env("RUSTFLAGS", "-D warnings"),
            _ => cargo.arg("--check"),
        };
        let output = cargo.output().expect("cargo runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {command}: {message}");
    }
}
