//! The stdio transport over an in-memory pipe.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split,
};
use tokio::task::JoinHandle;

use crate::runtime::stdio;
use crate::sample::{self, Api, catalog, modern_body, service};

struct Client {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    serving: JoinHandle<()>,
    lines: sample::Lines,
    _api: Api,
}

impl Client {
    async fn start(n_places: u32) -> Self {
        let api = Api::start().await;
        let (service, lines) = service(catalog(|_| {}), &api.base_url, n_places);
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = split(theirs);
        let streams = (BufReader::new(input), output);
        let grace = Duration::from_secs(20);
        let serving = tokio::spawn(stdio::serve(
            Arc::clone(&service),
            streams,
            grace,
            std::future::pending(),
        ));
        let (output, input) = split(ours);
        Self {
            input,
            output: BufReader::new(output).lines(),
            serving,
            lines,
            _api: api,
        }
    }

    async fn send(&mut self, line: &str) {
        self.input.write_all(line.as_bytes()).await.expect("sent");
        self.input.write_all(b"\n").await.expect("sent");
    }

    async fn next(&mut self) -> Value {
        let reading = tokio::time::timeout(Duration::from_secs(5), self.output.next_line());
        let line = reading.await.expect("in time").expect("read");
        serde_json::from_str(&line.expect("a line")).expect("JSON")
    }

    async fn ask(&mut self, line: &str) -> Value {
        self.send(line).await;
        self.next().await
    }

    /// Ends the input and returns what was still written.
    async fn end(mut self) -> Vec<String> {
        self.input.shutdown().await.expect("ended");
        let ended = tokio::time::timeout(Duration::from_secs(5), &mut self.serving).await;
        ended.expect("in time").expect("without a panic");
        let mut rest = Vec::new();
        while let Ok(Some(line)) = self.output.next_line().await {
            rest.push(line);
        }
        rest
    }
}

fn request(id: i64, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_eras_work_on_one_stream_without_headers() {
    let mut client = Client::start(8).await;
    let discovered = client.ask(&modern_body("server/discover", json!({}))).await;
    assert_eq!(discovered["result"]["resultType"], "complete");
    let initialize = request(
        2,
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}}),
    );
    assert_eq!(
        client.ask(&initialize).await["result"]["protocolVersion"],
        "2025-06-18"
    );
    client
        .send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    assert_eq!(
        client.ask(&request(3, "ping", json!({}))).await,
        json!({"jsonrpc": "2.0", "id": 3, "result": {}})
    );
    let legacy = client.ask(&request(4, "tools/list", json!({}))).await;
    assert_eq!(legacy["result"].get("resultType"), None);
    let modern = client.ask(&modern_body("tools/list", json!({}))).await;
    assert_eq!(modern["result"]["resultType"], "complete");
    let future = modern_body("tools/list", json!({})).replace("2026-07-28", "2031-01-01");
    assert_eq!(client.ask(&future).await["error"]["code"], -32022);
    assert_eq!(client.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_without_a_handshake_is_legacy() {
    let mut client = Client::start(8).await;
    let list = client.ask(&request(1, "tools/list", json!({}))).await;
    assert_eq!(list["result"]["tools"][0]["name"], "now");
    let call = client
        .ask(&request(2, "tools/call", json!({"name": "now"})))
        .await;
    assert_eq!(
        (&call["id"], &call["result"]["content"][0]["type"]),
        (&json!(2), &json!("text"))
    );
    let refused = client
        .ask(&request(3, "tools/call", json!({"name": "cancel"})))
        .await;
    assert_eq!(refused["result"]["isError"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_lines_are_told_and_skipped() {
    let mut client = Client::start(8).await;
    let error = client.ask("not json").await;
    assert_eq!(
        (&error["error"]["code"], error.get("id")),
        (&json!(-32700), None)
    );
    assert_eq!(client.ask("[]").await["error"]["code"], -32600);
    assert_eq!(
        client
            .ask(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#)
            .await["error"]["code"],
        -32600
    );
    // Neither empty lines nor responses are answered.
    client.send("").await;
    client.send("  \r").await;
    client.send(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await;
    let long = request(5, "ping", json!({"x": "y".repeat(5000)}));
    let error = client.ask(&long).await;
    assert_eq!(
        (&error["error"]["code"], error.get("id")),
        (&json!(-32600), None)
    );
    let exact = request(6, "ping", json!({}));
    let padded = format!("{exact}{}", " ".repeat(4096 - exact.len()));
    assert_eq!(client.ask(&padded).await["id"], 6);
    let over = format!("{padded} ");
    assert_eq!(client.ask(&over).await["error"]["code"], -32600);
    assert_eq!(client.ask(&request(7, "ping", json!({}))).await["id"], 7);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_last_line_without_a_break_counts() {
    let mut client = Client::start(8).await;
    let last = request(1, "ping", json!({}));
    client.input.write_all(last.as_bytes()).await.expect("sent");
    let rest = client.end().await;
    assert_eq!(rest, [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_many_calls_are_refused_by_an_error() {
    let mut client = Client::start(0).await;
    let error = client
        .ask(&request(1, "tools/call", json!({"name": "now"})))
        .await;
    assert_eq!(
        (&error["id"], &error["error"]["code"]),
        (&json!(1), &json!(-32603))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_the_input_drains_what_runs() {
    let mut client = Client::start(8).await;
    client
        .send(&request(1, "tools/call", json!({"name": "slow"})))
        .await;
    let rest = client.end().await;
    assert_eq!(rest.len(), 1);
    assert!(
        rest[0].starts_with(r#"{"jsonrpc":"2.0","id":1,"result":"#),
        "{rest:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_call_blocks_nothing_and_can_be_cancelled() {
    let mut client = Client::start(8).await;
    client.send(&json!({"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "slow"}}).to_string()).await;
    client
        .send(&request(2, "tools/call", json!({"name": "slow"})))
        .await;
    assert_eq!(client.ask(&request(3, "ping", json!({}))).await["id"], 3);
    // A call that is cancelled before it has begun leaves no trace; this one has begun by then.
    tokio::time::sleep(Duration::from_millis(200)).await;
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061"}}"#).await;
    client
        .send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"2"}}"#)
        .await;
    client
        .send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#)
        .await;
    assert_eq!(client.next().await["id"], 2);
    let lines = client.lines.clone();
    assert_eq!(client.end().await, Vec::<String>::new());
    let results: Vec<Value> = sample::calls(&lines)
        .iter()
        .map(|line| line["result"].clone())
        .collect();
    assert_eq!(results, ["cancelled", "ok"]);
}
