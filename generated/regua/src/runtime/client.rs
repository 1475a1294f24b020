//! The HTTP client: one deadline, no redirects, a size limit, retries of idempotent calls.

use std::error::Error;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_LENGTH, RETRY_AFTER};
use http::{HeaderValue, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;
use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use crate::runtime::credential::client_certificate::{self, Roots};
use crate::runtime::hooks::{ApiAnswer, ApiRequest};

/// Limits of one call.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the first byte sent to the last byte read, over all tries.
    pub timeout: Duration,
    /// Largest body in bytes.
    pub max_answer_bytes: u64,
    /// Tries after the first; 0 for calls that must not run twice.
    pub retries: u8,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// The deadline passed.
    Timeout,
    /// No connection, so that nothing was sent; the text is for the operator.
    Unreachable(String),
    /// The connection broke; the text is for the operator.
    Network(String),
    /// The body is larger than the limit.
    TooLarge,
}

/// A pool of connections to the API; a clone shares it.
#[derive(Clone)]
pub struct Client {
    http: HyperClient<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl Client {
    /// A client without connections that shows no certificate.
    ///
    /// # Errors
    /// A sentence for the operator when TLS cannot be set up.
    pub fn new() -> Result<Self, String> {
        client_certificate::config(Roots::Public, None).map(Self::with_tls)
    }

    /// A client without connections.
    #[must_use]
    pub fn with_tls(mut tls: ClientConfig) -> Self {
        // The connector says itself which protocols it speaks, and takes no other word for it.
        tls.alpn_protocols.clear();
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.enforce_http(false);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        // Requests that were cancelled on a stale connection are sent again by the pool only when no byte of them
        // was written (hyper-util, `retry_canceled_requests`), so a write still reaches the API at most once.
        let http = HyperClient::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(30))
            .pool_timer(TokioTimer::new())
            .build(connector);
        Self { http }
    }

    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// When there is no answer within the limits.
    pub async fn send(&self, request: &ApiRequest, limits: Limits) -> Result<ApiAnswer, Failure> {
        let deadline = Instant::now() + limits.timeout;
        let mut left = limits.retries;
        let mut has_arrived = false;
        loop {
            let outcome = match timeout_at(deadline, self.attempt(request, limits.max_answer_bytes))
                .await
            {
                // An earlier try may have had its effect.
                Ok(Err(Failure::Unreachable(cause))) if has_arrived => Err(Failure::Network(cause)),
                Ok(outcome) => outcome,
                Err(_) => return Err(Failure::Timeout),
            };
            has_arrived |= !matches!(outcome, Err(Failure::Unreachable(_)));
            if left == 0 || !is_worth_a_retry(&outcome) {
                return outcome;
            }
            let pause = pause_before_retry(&outcome, limits.retries - left);
            if pause >= deadline.saturating_duration_since(Instant::now()) {
                return outcome;
            }
            left -= 1;
            sleep(pause).await;
        }
    }

    async fn attempt(
        &self,
        request: &ApiRequest,
        max_answer_bytes: u64,
    ) -> Result<ApiAnswer, Failure> {
        let mut head = Request::builder()
            .method(request.method)
            .uri(request.uri.clone());
        if let Some(headers) = head.headers_mut() {
            headers.clone_from(&request.headers);
            // RFC 9110, 8.6: a method that expects content says that there is none; some gateways answer 411 otherwise.
            if request.body.is_none() && matches!(request.method, "POST" | "PUT" | "PATCH") {
                headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
            }
        }
        let body = Full::new(request.body.clone().unwrap_or_default());
        let http_request = head
            .body(body)
            .map_err(|error| Failure::Network(error.to_string()))?;
        let response = self.http.request(http_request).await.map_err(|error| {
            if error.is_connect() {
                Failure::Unreachable(chain(&error))
            } else {
                Failure::Network(chain(&error))
            }
        })?;
        let (parts, body) = response.into_parts();
        let declared = parts
            .headers
            .get(CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        // The length of an answer to HEAD is that of a body which does not follow.
        let is_bodiless = request.method == "HEAD";
        if !is_bodiless && declared.is_some_and(|length| length > max_answer_bytes) {
            return Err(Failure::TooLarge);
        }
        Ok(ApiAnswer {
            status: parts.status,
            headers: parts.headers,
            body: read(body, max_answer_bytes).await?,
        })
    }
}

/// Reads a body up to a limit, whatever length it declared. A body of one frame is not copied.
async fn read(mut body: Incoming, max_bytes: u64) -> Result<Bytes, Failure> {
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Failure::Network(chain(&error)))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if (first.len() + whole.len() + data.len()) as u64 > max_bytes {
            return Err(Failure::TooLarge);
        }
        if first.is_empty() && whole.is_empty() {
            first = data;
        } else {
            whole.extend_from_slice(&std::mem::take(&mut first));
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() {
        first
    } else {
        whole.freeze()
    })
}

/// The chain of causes, without addresses: hyper names none.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

/// Whether another try may end better.
fn is_worth_a_retry(outcome: &Result<ApiAnswer, Failure>) -> bool {
    match outcome {
        Ok(answer) => is_passing(answer.status),
        Err(failure) => {
            matches!(failure, Failure::Unreachable(_) | Failure::Network(_))
        }
    }
}

/// How long to wait before another try: longer each time, and never shorter than the API asks for.
fn pause_before_retry(outcome: &Result<ApiAnswer, Failure>, n_retried: u8) -> Duration {
    // Jitter keeps replicas from coming back in step.
    let jitter = Uuid::new_v4().as_u128() % 50;
    let backoff =
        Duration::from_millis((50 << n_retried.min(6)) + u64::try_from(jitter).unwrap_or(0));
    let asked = outcome.as_ref().ok().and_then(retry_after);
    asked.map_or(backoff, |time| time.max(backoff))
}

fn is_passing(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    )
}

/// `Retry-After` in seconds (RFC 9110, 10.2.3); its date form is not read.
#[must_use]
pub fn retry_after(answer: &ApiAnswer) -> Option<Duration> {
    let value = answer.headers.get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}
