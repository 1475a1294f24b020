//! An emitted server beside its baselines: the same API, the same load, turn by turn in one run.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::load::{self, Figures};
use crate::process::Server;
use crate::table;

/// How many turns each server gets; the table shows medians.
const TURNS: usize = 3;

/// One kind of load.
struct Load {
    name: &'static str,
    body: String,
    method: &'static str,
    tool: &'static str,
    connections: usize,
    /// Budget of CPU per call against the forwarder, from the design.
    budget: f64,
}

/// Builds the Kobana server and measures it.
pub(crate) fn run() -> Result<(), String> {
    let binary = build_server()?;
    let api = start_baseline("api", None)?;
    let upstream = api.address.to_string();
    let mut rows = vec![header()];
    for load in loads() {
        rows.extend(measure(&load, &binary, &upstream)?);
    }
    table::print(
        "tools/call and tools/list (medians; CPU is the server's own)",
        &rows,
    );
    print_sizes(&binary, &upstream)
}

/// Builds in the server's own folder, where its release profile stands, and in a target folder of its own, since that
/// profile is not the benchmark's.
fn build_server() -> Result<PathBuf, String> {
    eprintln!("building the Kobana server in release mode");
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    // target/release/deps/bench-… → target/servers
    let target = this
        .ancestors()
        .nth(3)
        .ok_or("no target folder")?
        .join("servers");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "kobana-mcp"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/kobana"))
        .env("CARGO_TARGET_DIR", &target)
        .status()
        .map_err(|error| error.to_string())?;
    if !status.success() {
        return Err("the Kobana server did not build".to_owned());
    }
    Ok(target.join("release/kobana-mcp"))
}

fn start_baseline(kind: &str, upstream: Option<&str>) -> Result<Server, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    Server::start(Command::new(this).args(["serve", kind]).args(upstream))
}

fn start_server(binary: &PathBuf, upstream: &str) -> Result<Server, String> {
    Server::start(
        Command::new(binary)
            .args([
                "--listen",
                "127.0.0.1:0",
                "--admin-listen",
                "",
                "--reads-per-hour",
                "0",
                "--writes-per-hour",
                "0",
                "--base-url",
            ])
            .arg(format!("http://{upstream}"))
            .env("TOKIO_WORKER_THREADS", "1"),
    )
}

fn loads() -> Vec<Load> {
    let call = |tool: &str, arguments: &str, era: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}{era}}}}}"#
        )
    };
    let modern = r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let get = call("list_bank_billets", r#"{"limit":10}"#, modern);
    let post = call("create_bank_billet", NEW_BILLET, modern);
    let load = |name, body: &str, method, tool, connections, budget| Load {
        name,
        body: body.to_owned(),
        method,
        tool,
        connections,
        budget,
    };
    vec![
        load(
            "call GET, 64 connections",
            &get,
            "tools/call",
            "list_bank_billets",
            64,
            1.35,
        ),
        load(
            "call POST, 64 connections",
            &post,
            "tools/call",
            "create_bank_billet",
            64,
            1.5,
        ),
        load("list, 64 connections", list, "tools/list", "", 64, 1.3),
        load(
            "call GET, 1 connection",
            &get,
            "tools/call",
            "list_bank_billets",
            1,
            1.35,
        ),
    ]
}

/// A billet with fifteen fields.
pub(crate) const NEW_BILLET: &str = include_str!("billet.json");

fn header() -> Vec<String> {
    [
        "",
        "calls/s",
        "p50 ms",
        "p99 ms",
        "CPU µs/call",
        "CPU ratio",
        "budget",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn measure(load: &Load, binary: &PathBuf, upstream: &str) -> Result<Vec<Vec<String>>, String> {
    eprintln!("measuring: {}", load.name);
    let request = http_request(load);
    let (mut ours, mut forwarder, mut proxy) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let time = Duration::from_secs(2);
        ours.push(load::run(
            &start_server(binary, upstream)?,
            &request,
            load.connections,
            time,
        )?);
        forwarder.push(load::run(
            &start_baseline("forwarder", Some(upstream))?,
            &request,
            load.connections,
            time,
        )?);
        proxy.push(load::run(
            &start_baseline("proxy", Some(upstream))?,
            &request,
            load.connections,
            time,
        )?);
    }
    let base = median(&forwarder).cpu_us;
    Ok(vec![
        vec![load.name.to_owned()],
        row("  emitted server", median(&ours), base, Some(load.budget)),
        row("  forwarder", median(&forwarder), base, None),
        row("  bare proxy", median(&proxy), base, None),
    ])
}

fn http_request(load: &Load) -> Vec<u8> {
    let name = if load.tool.is_empty() {
        String::new()
    } else {
        format!("Mcp-Name: {}\r\n", load.tool)
    };
    format!(
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {}\r\n{name}Content-Length: {}\r\n\r\n{}",
        load.method,
        load.body.len(),
        load.body
    )
    .into_bytes()
}

fn median(turns: &[Figures]) -> Figures {
    let mut sorted = turns.to_vec();
    sorted.sort_by(|a, b| a.cpu_us.total_cmp(&b.cpu_us));
    sorted.get(sorted.len() / 2).copied().unwrap_or(Figures {
        per_second: 0.0,
        cpu_us: 0.0,
        p50_ms: 0.0,
        p99_ms: 0.0,
    })
}

fn row(name: &str, figures: Figures, base_us: f64, budget: Option<f64>) -> Vec<String> {
    vec![
        name.to_owned(),
        format!("{:.0}", figures.per_second),
        format!("{:.2}", figures.p50_ms),
        format!("{:.2}", figures.p99_ms),
        format!("{:.1}", figures.cpu_us),
        format!("{:.2}", figures.cpu_us / base_us),
        budget.map_or_else(String::new, |ratio| format!("≤ {ratio:.2}")),
    ]
}

fn print_sizes(binary: &PathBuf, upstream: &str) -> Result<(), String> {
    let server = start_server(binary, upstream)?;
    let idle = server.resident_kib();
    load::run(
        &server,
        &http_request(&loads().remove(0)),
        64,
        Duration::from_secs(2),
    )?;
    let bytes = std::fs::metadata(binary)
        .map_err(|error| error.to_string())?
        .len();
    let cells =
        |name: &str, value: String, budget: &str| vec![name.to_owned(), value, budget.to_owned()];
    #[allow(clippy::cast_precision_loss)] // Sizes stay far below 2^52.
    table::print(
        "size of the emitted server",
        &[
            cells("", "measured".to_owned(), "budget"),
            cells(
                "start to listening",
                format!("{:.1} ms", server.start.as_secs_f64() * 1e3),
                "≤ 10 ms",
            ),
            cells(
                "memory idle",
                format!("{:.1} MB", idle as f64 / 1024.0),
                "≤ 6 MB",
            ),
            cells(
                "memory under load",
                format!("{:.1} MB", server.resident_kib() as f64 / 1024.0),
                "≤ 15 MB",
            ),
            cells(
                "release binary",
                format!("{:.1} MB", bytes as f64 / 1e6),
                "≤ 8 MB",
            ),
        ],
    );
    Ok(())
}
