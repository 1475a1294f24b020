//! A small HTTP server that a stand-in plugs its answers into: it records requests and makes faults on demand.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpListener;

/// A request as a stand-in sees it.
#[derive(Clone, Debug)]
pub struct Request {
    /// HTTP method.
    pub method: String,
    /// Path without query, still percent-encoded.
    pub path: String,
    /// Raw query; empty when absent.
    pub query: String,
    /// Headers, names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// Raw body.
    pub body: Bytes,
}

impl Request {
    /// The first header with this lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Query pairs, percent-decoded, in order.
    pub fn query_pairs(&self) -> Vec<(String, String)> {
        self.query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                (decode(key), decode(value))
            })
            .collect()
    }

    /// The first query value with this name.
    pub fn query_value(&self, name: &str) -> Option<String> {
        self.query_pairs()
            .into_iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }

    /// The body as JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Path segments, percent-decoded.
    pub fn segments(&self) -> Vec<String> {
        self.path.trim_matches('/').split('/').map(decode).collect()
    }
}

fn decode(text: &str) -> String {
    let plus = text.replace('+', " ");
    percent_encoding::percent_decode_str(&plus)
        .decode_utf8_lossy()
        .into_owned()
}

/// An answer of a stand-in.
#[derive(Clone, Debug)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Headers besides `content-type`.
    pub headers: Vec<(String, String)>,
    /// Media type; empty: none.
    pub content_type: String,
    /// Body.
    pub body: Bytes,
}

impl Response {
    /// A JSON answer.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json; charset=utf-8", &body.to_string())
    }

    /// A text answer of any media type.
    pub fn text(status: u16, content_type: &str, body: &str) -> Self {
        Self {
            status,
            headers: Vec::new(),
            content_type: content_type.to_owned(),
            body: Bytes::copy_from_slice(body.as_bytes()),
        }
    }

    /// An answer without a body.
    pub fn empty(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            content_type: String::new(),
            body: Bytes::new(),
        }
    }

    /// The same answer with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// The behaviour of one API.
pub trait Api: Send + Sync + 'static {
    /// Answers one request.
    fn answer(&self, request: &Request) -> Response;
}

/// A fault that the next request meets instead of the API.
#[derive(Clone, Debug)]
pub enum Fault {
    /// This answer, whatever was asked.
    Answer(Response),
    /// The connection closes without an answer, after the request was read.
    Hangup,
    /// Nothing for this long, then the API's own answer.
    Delay(Duration),
}

/// A running stand-in. It stops when dropped with its runtime.
#[derive(Clone)]
pub struct StandIn {
    /// Where it listens.
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    faults: Arc<Mutex<VecDeque<Fault>>>,
}

impl StandIn {
    /// Starts on loopback; port 0 picks a free one.
    pub async fn start(api: impl Api, port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let stand_in = Self {
            address: listener.local_addr()?,
            requests: Arc::default(),
            faults: Arc::default(),
        };
        tokio::spawn(accept(listener, Arc::new(api), stand_in.clone()));
        Ok(stand_in)
    }

    /// Base address without a trailing slash.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.requests).clone()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        lock(&self.requests).clear();
    }

    /// Puts a fault in the way of one later request; several queue up.
    pub fn fail_next(&self, fault: Fault) {
        lock(&self.faults).push_back(fault);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, api: Arc<dyn Api>, stand_in: StandIn) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (api, stand_in) = (Arc::clone(&api), stand_in.clone());
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let (api, stand_in) = (Arc::clone(&api), stand_in.clone());
                async move { respond(request, api, stand_in).await }
            });
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn respond(
    request: hyper::Request<Incoming>,
    api: Arc<dyn Api>,
    stand_in: StandIn,
) -> Result<hyper::Response<Full<Bytes>>, std::io::Error> {
    let request = read(request).await;
    lock(&stand_in.requests).push(request.clone());
    let fault = lock(&stand_in.faults).pop_front();
    let response = match fault {
        Some(Fault::Answer(response)) => response,
        Some(Fault::Hangup) => return Err(std::io::Error::other("the stand-in hangs up")),
        Some(Fault::Delay(time)) => {
            tokio::time::sleep(time).await;
            api.answer(&request)
        }
        None => api.answer(&request),
    };
    Ok(write(response).unwrap_or_else(|never| match never {}))
}

async fn read(request: hyper::Request<Incoming>) -> Request {
    let (parts, body) = request.into_parts();
    let headers = parts
        .headers
        .iter()
        .map(|(name, value)| {
            (
                name.as_str().to_owned(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect();
    Request {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers,
        body: body
            .collect()
            .await
            .map(http_body_util::Collected::to_bytes)
            .unwrap_or_default(),
    }
}

fn write(response: Response) -> Result<hyper::Response<Full<Bytes>>, Infallible> {
    let mut builder = hyper::Response::builder().status(response.status);
    if !response.content_type.is_empty() {
        builder = builder.header("content-type", response.content_type);
    }
    for (name, value) in response.headers {
        builder = builder.header(name, value);
    }
    let body = Full::new(response.body);
    Ok(builder.body(body).unwrap_or_default())
}
