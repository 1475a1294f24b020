//! The baselines: the API itself, a bare reverse proxy, and a JSON-RPC forwarder that checks nothing.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::net::TcpListener;

type Failure = Box<dyn std::error::Error + Send + Sync + 'static>;

/// One page of billets, about 1 KB.
const PAGE: &str = include_str!("page.json");

/// Serves one baseline on a free port, whose address it prints; never returns on success.
pub(crate) fn serve(kind: &str, upstream: Option<&str>) -> ExitCode {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    else {
        return ExitCode::FAILURE;
    };
    let role = match (kind, upstream.and_then(|text| text.parse().ok())) {
        ("api", _) => Role::Api,
        ("proxy", Some(address)) => Role::Proxy(address),
        ("forwarder", Some(address)) => Role::Forwarder(address),
        _ => return ExitCode::FAILURE,
    };
    match runtime.block_on(listen(role)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

#[derive(Clone, Copy)]
enum Role {
    Api,
    Proxy(SocketAddr),
    Forwarder(SocketAddr),
}

async fn listen(role: Role) -> Result<(), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!(
        "{{\"event\":\"started\",\"listen\":\"{}\"}}",
        listener.local_addr()?
    );
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client = Arc::new(Client::builder(TokioExecutor::new()).build(connector));
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let client = Arc::clone(&client);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let client = Arc::clone(&client);
                async move {
                    // `Box<dyn Error>` does not satisfy hyper's `Into<Box<dyn Error>>` for every lifetime; `io::Error` does.
                    answer(role, request, &client)
                        .await
                        .map_err(std::io::Error::other)
                }
            });
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

type ApiClient = Client<HttpConnector, Full<Bytes>>;

async fn answer(
    role: Role,
    request: Request<Incoming>,
    client: &ApiClient,
) -> Result<Response<Full<Bytes>>, Failure> {
    match role {
        Role::Api => {
            let _ = request.into_body().collect().await?;
            Ok(json(Bytes::from_static(PAGE.as_bytes())))
        }
        Role::Proxy(upstream) => proxy(upstream, request, client).await,
        Role::Forwarder(upstream) => forward(upstream, request, client).await,
    }
}

fn json(body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    response.headers_mut().insert(
        "content-type",
        http::HeaderValue::from_static("application/json"),
    );
    response
}

async fn proxy(
    upstream: SocketAddr,
    request: Request<Incoming>,
    client: &ApiClient,
) -> Result<Response<Full<Bytes>>, Failure> {
    let body = request.into_body().collect().await?.to_bytes();
    let uri: Uri = format!("http://{upstream}/v1/bank_billets").parse()?;
    let response = client
        .request(Request::post(uri).body(Full::new(body))?)
        .await?;
    Ok(json(response.into_body().collect().await?.to_bytes()))
}

/// The least that is a `tools/call`: read the message, call the API, wrap its text.
async fn forward(
    upstream: SocketAddr,
    request: Request<Incoming>,
    client: &ApiClient,
) -> Result<Response<Full<Bytes>>, Failure> {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        id: &'a RawValue,
        method: &'a str,
        #[serde(borrow)]
        params: Option<Params<'a>>,
    }
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow)]
        arguments: Option<&'a RawValue>,
    }
    let body = request.into_body().collect().await?.to_bytes();
    let message: Message<'_> = serde_json::from_slice(&body)?;
    let result = if message.method == "tools/list" {
        TOOLS.to_owned()
    } else {
        let arguments = message
            .params
            .and_then(|params| params.arguments)
            .map_or("", RawValue::get);
        let sends_body = arguments.len() > 40;
        let uri: Uri = format!("http://{upstream}/v1/bank_billets?limit=10").parse()?;
        let call = if sends_body {
            Request::post(uri).body(Full::new(Bytes::copy_from_slice(arguments.as_bytes())))?
        } else {
            Request::get(uri).body(Full::default())?
        };
        let text = client
            .request(call)
            .await?
            .into_body()
            .collect()
            .await?
            .to_bytes();
        let text = serde_json::to_string(std::str::from_utf8(&text)?)?;
        format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#)
    };
    Ok(json(Bytes::from(format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
        message.id.get()
    ))))
}

/// A list of the size that 20 tools have.
static TOOLS: &str = include_str!("tools.json");
