//! The README's first command, as a new user runs it.

use std::process::Command;

#[test]
fn the_first_command_works() {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "quickstart", "--", "--once"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{log}");
    for part in [
        "tools",
        "list_bank_billets",
        "Missing required arguments",
        "confirmation_required",
        "input_required: Cancelar o boleto 1001 de Ana Souza",
        "complete: Feito",
        "2026-07-28",
        "2025-11-25",
    ] {
        assert!(shown.contains(part), "{part} is not in:\n{shown}");
    }
}
