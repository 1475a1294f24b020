//! The official TypeScript and Python clients, unmodified: they list, read, and confirm or decline a destructive call.
//!
//! `tests/clients/install` installs them; without it these tests skip and say so, unless `REQUIRE_CLIENTS` is set.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::client::Era;
use crate::{kobana, regua};

/// A client: its name, the program that runs it, its script, and the eras that it speaks.
struct Client {
    name: &'static str,
    program: &'static str,
    script: &'static str,
    eras: &'static [Era],
}

const CLIENTS: [Client; 3] = [
    Client {
        name: "TypeScript SDK 2",
        program: "node",
        script: "typescript/client.mjs",
        eras: &[Era::Modern, Era::Legacy],
    },
    Client {
        name: "TypeScript SDK 1",
        program: "node",
        script: "typescript/client_v1.mjs",
        eras: &[Era::Legacy],
    },
    Client {
        name: "Python SDK",
        program: "python/.venv/bin/python",
        script: "python/client.py",
        eras: &[Era::Modern, Era::Legacy],
    },
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

fn are_installed() -> bool {
    let is_there = folder().join("typescript/node_modules").is_dir()
        && folder().join("python/.venv/bin/python").exists();
    assert!(
        is_there || std::env::var_os("REQUIRE_CLIENTS").is_none(),
        "run tests/clients/install"
    );
    if !is_there {
        eprintln!("skipped: run tests/clients/install to test with the official clients");
    }
    is_there
}

/// Runs a client by a plan and gives what it saw.
async fn run(client: &'static Client, plan: Value) -> Value {
    let program = match client.program {
        "node" => PathBuf::from("node"),
        inside => folder().join(inside),
    };
    let plan = plan.to_string();
    let running = tokio::task::spawn_blocking(move || {
        Command::new(program)
            .arg(folder().join(client.script))
            .arg(plan)
            .output()
            .expect("the client runs")
    });
    let output = tokio::time::timeout(std::time::Duration::from_secs(60), running)
        .await
        .expect("an answer in time")
        .expect("no panic");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.trim()).unwrap_or_else(|_| {
        panic!(
            "{}: {text}\n{}",
            client.name,
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// What a server is asked, and what must come of it.
struct Scene {
    url: String,
    token: String,
    read: Value,
    destructive: Value,
    /// Part of the question.
    question: &'static str,
    /// Part of the result of the confirmed call.
    done: &'static str,
    declined: &'static str,
    required: &'static str,
}

/// One client in one era with one answer; gives the text of the destructive call.
async fn talk(client: &'static Client, scene: &Scene, era: Era, answer: &str) -> String {
    let plan = json!({
        "url": scene.url,
        "token": scene.token,
        "era": if era == Era::Modern { "modern" } else { "legacy" },
        "answer": answer,
        "read": scene.read,
        "destructive": scene.destructive,
    });
    let seen = run(client, plan).await;
    let place = format!("{} {era:?} {answer}: {seen}", client.name);
    assert!(seen["failed"].is_null(), "{place}");
    let tools = seen["tools"].as_array().expect("a list");
    assert!(tools.contains(&scene.destructive["name"]), "{place}");
    assert_ne!(seen["read"]["isError"], true, "{place}");
    let asked = seen["asked"].as_array().expect("a list");
    if era == Era::Modern {
        assert_eq!(asked.len(), 1, "{place}");
        let question = asked[0].as_str().unwrap_or_default();
        assert!(question.contains(scene.question), "{place}");
    } else {
        assert!(asked.is_empty(), "{place}");
    }
    let is_done = era == Era::Modern && answer == "accept";
    assert_eq!(seen["destructive"]["isError"] == true, !is_done, "{place}");
    let text = &seen["destructive"]["content"][0]["text"];
    text.as_str().expect("a text").to_owned()
}

/// Declined first, in every era and by every client; the record must still be as it was when it is confirmed last.
async fn talk_all(scene: &Scene, client: &'static Client) {
    for era in client.eras {
        for answer in ["decline", "cancel"] {
            let text = talk(client, scene, *era, answer).await;
            let code = match era {
                Era::Modern => scene.declined,
                Era::Legacy => scene.required,
            };
            assert!(text.contains(code), "{}: {text}", client.name);
        }
    }
    if client.eras.contains(&Era::Modern) {
        let text = talk(client, scene, Era::Modern, "accept").await;
        assert!(text.contains(scene.done), "{}: {text}", client.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn they_confirm_at_kobana() {
    if !are_installed() {
        return;
    }
    for client in &CLIENTS {
        let (server, _stand_in) = kobana::start().await;
        let scene = Scene {
            url: format!("http://{}/", server.address),
            token: String::new(),
            read: json!({"name": "list_bank_billets", "arguments": {"limit": 2}}),
            destructive: json!({"name": "cancel_bank_billet", "arguments": {"id": 1001}}),
            question: "1001",
            done: "Feito",
            declined: "user_declined",
            required: "confirmation_required",
        };
        talk_all(&scene, client).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn they_confirm_at_regua() {
    if !are_installed() {
        return;
    }
    for client in &CLIENTS {
        let (server, _stand_in) = regua::start().await;
        let scene = Scene {
            url: format!("http://{}/mcp", server.address),
            token: String::new(),
            read: json!({"name": "list_charges", "arguments": {"limit": 2}}),
            destructive: json!({"name": "cancel_charge", "arguments": {"charge_id": "chg_open"}}),
            question: "chg_open",
            done: "canceled",
            declined: "USER_DECLINED",
            required: "confirmation_required",
        };
        talk_all(&scene, client).await;
    }
}
