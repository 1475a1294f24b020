//! The command line as a person meets it: help, exit codes, streams.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oas2mcp"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const MINIMAL: &str = "tests/cases/minimal/openapi.yaml";

#[test]
fn every_command_helps_with_examples() {
    for command in [
        &[][..],
        &["generate"],
        &["tools"],
        &["lint"],
        &["docs"],
        &["schema"],
        &["completions"],
    ] {
        let output = run(&[command, &["--help"]].concat());
        assert_eq!(output.status.code(), Some(0), "{command:?}");
        let help = text(&output.stdout);
        assert!(help.contains("Examples:"), "{command:?}: {help}");
        assert!(help.contains("--message-format"), "{command:?}: {help}");
    }
}

#[test]
fn wrong_usage_exits_with_2_and_suggests() {
    for (arguments, expected) in [
        (&["generat"][..], "generate"),
        (&["generate", "x.yaml"], "--out"),
        (&["generate", "x.yaml", "--outt", "y"], "--out"),
        (&["tools", "x.yaml", "--sort", "size"], "tokens"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn an_unreadable_input_exits_with_1_and_writes_nothing() {
    let out = tempfile::tempdir().expect("temp");
    let server = out.path().join("server");
    let server = server.to_str().expect("text");
    for arguments in [
        &["generate", "no-such.yaml", "--out", server][..],
        &["docs", "no-such.yaml", "--out", server],
        &["tools", "no-such.yaml"],
        &["lint", "no-such.yaml"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(
            text(&output.stderr).contains("no-such.yaml"),
            "{arguments:?}"
        );
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    assert!(!Path::new(server).exists());
}

#[test]
fn schema_and_completions_are_data() {
    let schema: serde_json::Value = serde_json::from_slice(&run(&["schema"]).stdout).expect("JSON");
    assert!(schema["properties"]["tools"].is_object());
    let script = text(&run(&["completions", "bash"]).stdout);
    assert!(script.contains("oas2mcp"));
}

#[test]
fn a_reader_that_leaves_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_oas2mcp"))
        .arg("schema")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(!text(&output.stderr).contains("panicked"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_document_alone_becomes_a_server_that_a_check_agrees_with() {
    let out = tempfile::tempdir().expect("temp");
    let server = out.path().join("server");
    let server = server.to_str().expect("text");
    let check = ["generate", MINIMAL, "--out", server, "--check"];
    let before = run(&check);
    assert_eq!(before.status.code(), Some(1));
    assert!(text(&before.stdout).contains("missing\tCargo.toml"));
    assert!(!Path::new(server).exists(), "a check writes nothing");
    let first = run(&["generate", MINIMAL, "--out", server]);
    let message = text(&first.stderr);
    assert_eq!(first.status.code(), Some(0), "{message}");
    for expected in ["written", "assumed", "overlay: 1", "cargo run"] {
        assert!(message.contains(expected), "{expected}: {message}");
    }
    assert_eq!(run(&check).status.code(), Some(0));
    let again = text(&run(&["generate", MINIMAL, "--out", server]).stderr);
    assert!(again.contains("0 files written"), "{again}");
    std::fs::write(Path::new(server).join("README.md"), "mine").expect("an edit");
    let output = run(&check);
    assert_eq!(text(&output.stdout), "stale\tREADME.md\n");
}

#[test]
fn tools_add_up() {
    let output = run(&[
        "tools",
        MINIMAL,
        "--message-format",
        "json",
        "--sort",
        "tokens",
    ]);
    let table: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let tools = table["tools"].as_array().expect("a list");
    assert_eq!(tools.len(), 3, "{table}");
    let sum: u64 = tools.iter().filter_map(|tool| tool["bytes"].as_u64()).sum();
    assert_eq!(table["total"]["bytes"], sum);
    let human = text(&run(&["tools", MINIMAL]).stdout);
    assert_eq!(human.lines().count(), 5, "{human}");
    let widths: Vec<_> = human.lines().map(|line| line.chars().count()).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{human}");
}
