//! Benchmarks, printed as ratios to baselines that run in the same minute on the same machine.
//!
//! `cargo bench` runs everything; `cargo bench -- generate` or `-- server` one part. Budgets stand beside the figures
//! and are never asserted: a busy machine must not fail a build.

mod baseline;
mod generation;
mod load;
mod process;
mod servers;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // The benchmark starts itself again as each of its baselines, so that their CPU can be counted apart.
    if let ["serve", kind, rest @ ..] = words.as_slice() {
        return baseline::serve(kind, rest.first().copied());
    }
    let wants =
        |part: &str| words.iter().all(|word| word.starts_with("--")) || words.contains(&part);
    if wants("generate") {
        generation::run();
    }
    if wants("server")
        && let Err(reason) = servers::run()
    {
        eprintln!("the server benchmark stopped: {reason}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
