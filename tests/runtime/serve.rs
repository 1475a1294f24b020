//! Stopping a server.

use std::time::Duration;

use http::Request;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::sample::{Answer, Server, catalog};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_ends_idle_connections_and_refuses_new_ones() {
    let server = Server::start(catalog(|_| {})).await;
    assert_eq!(server.legacy("ping", json!({})).await.status, 200);
    let mut idle = TcpStream::connect(&server.address)
        .await
        .expect("a connection");
    tokio::time::sleep(Duration::from_millis(50)).await;
    server.stop.send(()).expect("a running server");
    let ended = tokio::time::timeout(Duration::from_secs(5), server.serving).await;
    ended.expect("in time").expect("without a panic");
    let answer = Answer::read(&mut idle).await;
    assert_eq!(answer.status, 0);
    assert!(TcpStream::connect(&server.address).await.is_err());
    let request = Request::get("/readyz").body(()).expect("a request");
    assert_eq!(server.health.answer(&request).status(), 503);
    let lines = server.lines.lock().expect("the lines").join("");
    assert!(lines.contains(r#""event":"stopping""#), "{lines}");
    assert!(lines.contains("all requests were answered"), "{lines}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_calls_end_before_the_server_does() {
    let server = Server::start(catalog(|_| {})).await;
    let address = server.address.clone();
    let call = async {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}"#;
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             MCP-Protocol-Version: 2025-11-25\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(&address).await.expect("a connection");
        stream.write_all(request.as_bytes()).await.expect("sent");
        Answer::read(&mut stream).await
    };
    let stop = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        server.stop.send(()).expect("a running server");
        server.serving.await.expect("without a panic");
    };
    let (answer, ()) = tokio::join!(call, stop);
    assert_eq!(answer.fault(), (200, 0));
    assert_eq!(answer.json()["result"]["isError"], json!(null));
}

const HEAD: &str = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
    MCP-Protocol-Version: 2025-11-25\r\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_has_begun_is_taken_to_its_end() {
    let server = Server::start_with(catalog(|_| {}), 8, Duration::from_secs(5)).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let (first, rest) = body.split_at(5);
    let mut stream = TcpStream::connect(&server.address)
        .await
        .expect("a connection");
    let head = format!("{HEAD}Content-Length: {}\r\n\r\n{first}", body.len());
    stream.write_all(head.as_bytes()).await.expect("sent");
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.stop.send(()).expect("a running server");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!server.serving.is_finished());
    stream.write_all(rest.as_bytes()).await.expect("sent");
    assert_eq!(Answer::read(&mut stream).await.fault(), (200, 0));
    let ended = tokio::time::timeout(Duration::from_secs(5), server.serving).await;
    ended.expect("in time").expect("without a panic");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_client_left_is_waited_for() {
    let server = Server::start(catalog(|_| {})).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}"#;
    let mut stream = TcpStream::connect(&server.address)
        .await
        .expect("a connection");
    let request = format!("{HEAD}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.expect("sent");
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(50)).await;
    server.stop.send(()).expect("a running server");
    server.serving.await.expect("without a panic");
    assert_eq!(crate::sample::calls(&server.lines)[0]["result"], "ok");
}
