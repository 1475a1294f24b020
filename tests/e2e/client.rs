//! A bare HTTP client for both eras: what it sends and sees is exactly what stands on the wire.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

use crate::server::{HttpServer, StdioServer};

/// An HTTP answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Status.
    pub(crate) status: u16,
    /// Headers by lower-case name.
    pub(crate) headers: http::HeaderMap,
    /// Body as text.
    pub(crate) text: String,
}

impl Answer {
    /// The body as JSON; `null` when it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }
}

/// A protocol era, with the words that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// 2026-07-28.
    Modern,
    /// 2025-11-25.
    Legacy,
}

/// Both eras.
pub(crate) const ERAS: [Era; 2] = [Era::Modern, Era::Legacy];

/// How a message reaches a server.
pub(crate) enum Wire<'a> {
    /// Over HTTP at a path.
    Http(&'a HttpServer, &'a str),
    /// Over standard input and output.
    Stdio(&'a mut StdioServer),
}

impl Wire<'_> {
    /// Sends one request and gives the whole JSON-RPC answer.
    pub(crate) async fn ask(&mut self, era: Era, method: &str, params: Value) -> Value {
        let message = message(era, method, params);
        match self {
            Wire::Http(server, path) => post(
                server.address,
                path,
                &headers(era, &message),
                message.to_string(),
            )
            .await
            .json(),
            Wire::Stdio(server) => server.ask(&message.to_string()),
        }
    }

    /// Calls a tool and gives its result.
    pub(crate) async fn call(&mut self, era: Era, tool: &str, arguments: Value) -> Value {
        let answer = self
            .ask(
                era,
                "tools/call",
                json!({"name": tool, "arguments": arguments}),
            )
            .await;
        assert!(answer["result"].is_object(), "{tool}: {answer}");
        answer["result"].clone()
    }
}

/// A request in an era's form.
pub(crate) fn message(era: Era, method: &str, mut params: Value) -> Value {
    if era == Era::Modern {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

/// The headers that an era wants beside a message.
pub(crate) fn headers(era: Era, message: &Value) -> Vec<(&'static str, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut headers = vec![("accept", "application/json, text/event-stream".to_owned())];
    headers.push(("content-type", "application/json".to_owned()));
    if era == Era::Legacy {
        headers.push(("mcp-protocol-version", "2025-11-25".to_owned()));
        return headers;
    }
    headers.push(("mcp-protocol-version", "2026-07-28".to_owned()));
    headers.push(("mcp-method", text(&message["method"])));
    let params = &message["params"];
    let name = if params["uri"].is_string() {
        &params["uri"]
    } else {
        &params["name"]
    };
    if name.is_string() {
        headers.push(("mcp-name", text(name)));
    }
    headers
}

/// Posts a body and reads the answer.
pub(crate) async fn post(
    address: SocketAddr,
    path: &str,
    headers: &[(&'static str, String)],
    body: impl Into<Bytes>,
) -> Answer {
    send("POST", address, path, headers, body).await
}

/// Sends any request and reads the answer.
pub(crate) async fn send(
    method: &str,
    address: SocketAddr,
    path: &str,
    headers: &[(&'static str, String)],
    body: impl Into<Bytes>,
) -> Answer {
    let mut request = http::Request::builder()
        .method(method)
        .uri(format!("http://{address}{path}"));
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let request = request
        .body(Full::new(body.into()))
        .expect("a valid request");
    let client = Client::builder(TokioExecutor::new()).build_http();
    let response = client.request(request).await.expect("the server answers");
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("a whole answer").to_bytes();
    Answer {
        status: parts.status.as_u16(),
        headers: parts.headers,
        text: String::from_utf8(bytes.to_vec()).expect("UTF-8"),
    }
}
