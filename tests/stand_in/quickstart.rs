//! `cargo run --example quickstart`: generates the Kobana server, runs it against its stand-in, and shows a first call.
//!
//! With `-- --once` it stops after showing, which is how the tests run it.

#[path = "mod.rs"]
pub mod stand_in;

use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use oas2mcp::{GenerateRequest, generate};
use stand_in::http::StandIn;
use stand_in::kobana::Kobana;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let is_once = std::env::args().any(|argument| argument == "--once");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    generate_server(root)?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let stand_in = runtime
        .block_on(StandIn::start(Kobana::default(), 0))
        .map_err(|error| error.to_string())?;
    eprintln!("stand-in   the API answers on {}", stand_in.base_url());
    let port = if is_once { free_port()? } else { 8080 };
    let mut server = start_server(root, &stand_in.base_url(), port)?;
    let shown = runtime.block_on(show(port));
    if shown.is_err() || is_once {
        let _ = server.kill();
    }
    let _ = server.wait();
    shown
}
