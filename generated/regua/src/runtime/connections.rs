//! Takes connections: a bounded number of them, each with deadlines, until the server is told to stop.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use crate::runtime::log::{Level, Log};
use crate::runtime::metrics::Metrics;

/// Largest head of a request, in bytes; a larger one is refused with 431.
const MAX_HEAD: usize = 32 * 1024;
/// How long to wait before accepting again when the system has no room for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// What a connection above the limit is told. It is written without waiting: whoever does not take it gets nothing.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Bounds of the connections of one address.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// How many may be open at once.
    pub max_open: usize,
    /// Within this time a request's head must be there, and an idle connection is closed after it.
    pub head_deadline: Duration,
    /// How long a client may take nothing of an answer.
    pub write_deadline: Duration,
}

impl ConnectionLimits {
    /// The usual deadlines for this many connections.
    #[must_use]
    pub fn new(max_open: usize) -> Self {
        Self {
            max_open,
            head_deadline: Duration::from_secs(60),
            write_deadline: Duration::from_secs(30),
        }
    }
}

/// Where connections are counted and troubles told.
pub(super) struct Watch<'a> {
    /// None on an address whose connections nobody counts.
    pub(super) metrics: Option<&'a Arc<Metrics>>,
    pub(super) log: &'a Log,
}

/// Takes connections until `stop` ends; gives back those that are still open.
pub(super) async fn accept<A, F>(
    listener: TcpListener,
    answer: A,
    stop: impl Future<Output = ()>,
    limits: ConnectionLimits,
    watch: Watch<'_>,
) -> GracefulShutdown
where
    A: Fn(Request<Incoming>, IpAddr) -> F + Clone + Send + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let connections = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(limits.max_open));
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => return connections,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                let message = error.kind().to_string();
                watch.log.message(Level::Warn, "accept-failed", &message);
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Ok(place) = places.clone().try_acquire_owned() else {
            if let Some(metrics) = watch.metrics {
                metrics.refused_connection();
            }
            let _ = stream.try_write(FULL);
            continue;
        };
        // Both are given back when the connection ends, however it does.
        let held = (place, watch.metrics.map(Metrics::connection));
        connect(
            (stream, peer.ip()),
            answer.clone(),
            &connections,
            limits,
            held,
        );
    }
}

fn connect<A, F>(
    (stream, peer): (TcpStream, IpAddr),
    answer: A,
    connections: &GracefulShutdown,
    limits: ConnectionLimits,
    held: impl Send + 'static,
) where
    A: Fn(Request<Incoming>, IpAddr) -> F + Send + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    // Without this a lone answer may wait for the acknowledgement of an earlier one. Not worth refusing for.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let answering = answer(request, peer);
        async move { Ok::<_, Infallible>(answering.await) }
    });
    // Reads have the deadlines of hyper and of the endpoint; a client that takes nothing of its answer has this one.
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write_deadline));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_deadline)
        .max_header_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    let connection = connections.watch(connection);
    // A connection that breaks concerns its client alone.
    tokio::spawn(async move {
        let _ = connection.await;
        drop(held);
    });
}
