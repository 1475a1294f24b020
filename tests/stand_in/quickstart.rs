//! `cargo run --package quickstart`: generates the Kobana server, runs it against its stand-in, and shows first calls.
//!
//! With `-- --once` it stops after showing, which is how the tests run it.
#![allow(clippy::print_stdout)]

#[path = "mod.rs"]
pub mod stand_in;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

use stand_in::http::StandIn;
use stand_in::kobana::Kobana;

/// Where the server listens, unless `--once`.
const PORT: u16 = 8080;

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
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let root = &root.canonicalize().map_err(text)?;
    generate(root)?;
    let runtime = tokio::runtime::Runtime::new().map_err(text)?;
    let stand_in = runtime
        .block_on(StandIn::start(Kobana::default(), 0))
        .map_err(text)?;
    eprintln!(
        "stand-in    the Kobana API answers on {}",
        stand_in.base_url()
    );
    let port = if is_once { free_port()? } else { PORT };
    let mut server = Ended(start_server(root, &stand_in.base_url(), port)?);
    runtime.block_on(show(port))?;
    if !is_once {
        eprintln!("\nThe server runs on http://127.0.0.1:{port}/ until you press Ctrl-C.");
        server.0.wait().map_err(text)?;
    }
    Ok(())
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn generate(root: &Path) -> Result<(), String> {
    let outcome = oas2mcp::generate(&root.join("specs/kobana/overlay.yaml"));
    let folder = root.join("generated/kobana");
    let drift = outcome.write(&folder).map_err(text)?;
    let n_tools = outcome
        .server
        .as_ref()
        .map_or(0, |server| server.tools.len());
    let n_written = drift.stale.len() + drift.missing.len();
    eprintln!(
        "generated   specs/kobana/ -> generated/kobana: {n_tools} tools, {n_written} files written"
    );
    eprintln!("pages       generated/kobana/docs/{{pt-BR,en,es}}/errors.md");
    Ok(())
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(text)?;
    Ok(listener.local_addr().map_err(text)?.port())
}

/// A process that ends with this program, however this program ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_server(root: &Path, base_url: &str, port: u16) -> Result<Child, String> {
    eprintln!("building    generated/kobana");
    Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "kobana-mcp", "--"])
        .args([
            "--admin-listen",
            "",
            "--base-url",
            base_url,
            "--log-level",
            "error",
        ])
        .args(["--listen", &format!("127.0.0.1:{port}")])
        .current_dir(root)
        .stdin(Stdio::null())
        .spawn()
        .map_err(text)
}

async fn show(port: u16) -> Result<(), String> {
    let mut list = None;
    // Building the server can take minutes the first time.
    for _ in 0..6000 {
        match ask(port, Era::Modern, "tools/list", json!({})).await {
            Ok(answer) => {
                list = Some(answer);
                break;
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    let list = list.ok_or("the server did not start")?;
    let tools = list["result"]["tools"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    println!("\ntools/list (2026-07-28): {} tools", tools.len());
    for tool in tools.iter().take(3) {
        println!(
            "  {:<24} {}",
            text_of(&tool["name"]),
            text_of(&tool["title"])
        );
    }
    println!("  …");
    for (era, arguments) in [
        (Era::Modern, json!({"limit": 1})),
        (Era::Legacy, json!({"limit": 1})),
        (Era::Modern, json!({"limit": 1000, "colour": "red"})),
    ] {
        call(port, era, "list_bank_billets", arguments).await?;
    }
    call(port, Era::Legacy, "get_bank_billet", json!({})).await?;
    call(port, Era::Modern, "get_bank_billet", json!({"id": 999_999})).await?;
    call(port, Era::Legacy, "cancel_bank_billet", json!({"id": 1001})).await?;
    confirm(port, "cancel_bank_billet", json!({"id": 1001})).await
}

/// A destructive call of a client that can ask: the question first, then the same call with a person's yes.
async fn confirm(port: u16, tool: &str, arguments: Value) -> Result<(), String> {
    let mut params = json!({"name": tool, "arguments": arguments});
    let asked = ask(port, Era::Modern, "tools/call", params.clone()).await?;
    let asked = &asked["result"];
    let question = &asked["inputRequests"]["confirm"]["params"]["message"];
    println!(
        "\n{tool} {arguments} (2026-07-28)\n  {}: {}",
        text_of(&asked["resultType"]),
        text_of(question)
    );
    params["requestState"] = asked["requestState"].clone();
    params["inputResponses"] =
        json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
    let done = ask(port, Era::Modern, "tools/call", params).await?;
    println!(
        "\nthe same, with a person's yes\n  {}: {}",
        text_of(&done["result"]["resultType"]),
        text_of(&done["result"]["content"][0]["text"])
    );
    Ok(())
}

#[derive(Clone, Copy)]
enum Era {
    Modern,
    Legacy,
}

impl Era {
    fn version(self) -> &'static str {
        match self {
            Self::Modern => "2026-07-28",
            Self::Legacy => "2025-11-25",
        }
    }
}

async fn call(port: u16, era: Era, tool: &str, arguments: Value) -> Result<(), String> {
    let params = json!({"name": tool, "arguments": arguments});
    let answer = ask(port, era, "tools/call", params).await?;
    let result = &answer["result"];
    let shown: String = text_of(&result["content"][0]["text"])
        .chars()
        .take(110)
        .collect();
    let mark = if result["isError"] == true {
        "isError"
    } else {
        "ok"
    };
    println!(
        "\n{tool} {arguments} ({})\n  {mark}: {shown}",
        era.version()
    );
    Ok(())
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

async fn ask(port: u16, era: Era, method: &str, mut params: Value) -> Result<Value, String> {
    let mut request = http::Request::post(format!("http://127.0.0.1:{port}/"))
        .header("content-type", "application/json")
        .header("mcp-protocol-version", era.version());
    if matches!(era, Era::Modern) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": era.version(),
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        });
        request = request.header("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            request = request.header("mcp-name", name);
        }
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let request = request
        .body(Full::new(bytes::Bytes::from(body.to_string())))
        .map_err(text)?;
    let client = Client::builder(TokioExecutor::new()).build_http();
    let response = client.request(request).await.map_err(text)?;
    let bytes = response
        .into_body()
        .collect()
        .await
        .map_err(text)?
        .to_bytes();
    serde_json::from_slice(&bytes).map_err(text)
}
