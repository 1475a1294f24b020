//! The MCP endpoint: an HTTP request → the checks before its message, the service, an HTTP response.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HeaderValue as RawHeaderValue};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::runtime::answer::Era;
use crate::runtime::catalog::RefusalKind;
use crate::runtime::header_value::{HeaderValue, read};
use crate::runtime::limits::Toll;
use crate::runtime::locale::{self, read_weight};
use crate::runtime::principal::Principal;
use crate::runtime::rebinding::Allowed;
use crate::runtime::refusal::{self, RefusalHeaders};
use crate::runtime::service::{Arrival, Reply, Service, Step, internal_error};

/// How much of a refused body is read and thrown away, so that a client that only then reads gets its answer.
const MAX_DISCARDED: u64 = 16 * 1024 * 1024;
const MAX_DISCARDING: Duration = Duration::from_secs(2);
/// Most room that is made for a body before it is there, whatever its declared length.
const MAX_RESERVED: u64 = 64 * 1024;
/// How many bodies above [`MAX_RESERVED`] may be in memory at once. Without a bound, connections that each send the
/// largest body slowly would take gigabytes before any call begins.
const MAX_LARGE_BODIES: usize = 32;

/// The one endpoint of a server.
pub struct Endpoint {
    service: Arc<Service>,
    allowed: Allowed,
    body_deadline: Duration,
    large_bodies: Arc<Semaphore>,
    anonymous: Arc<Principal>,
}

/// A body, with its place among the large ones for as long as what was read of it is in use.
struct Received {
    bytes: Bytes,
    place: Option<OwnedSemaphorePermit>,
}

impl Endpoint {
    /// An endpoint that waits this long for a request's body.
    #[must_use]
    pub fn new(service: Arc<Service>, allowed: Allowed, body_deadline: Duration) -> Self {
        Self {
            service,
            allowed,
            body_deadline,
            large_bodies: Arc::new(Semaphore::new(MAX_LARGE_BODIES)),
            anonymous: Arc::new(Principal::anonymous()),
        }
    }

    /// What answers its messages.
    #[must_use]
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// Answers one HTTP request of a connection from this address.
    pub async fn handle(&self, request: Request<Incoming>, peer: IpAddr) -> Response<Full<Bytes>> {
        let started = Instant::now();
        let (parts, body) = request.into_parts();
        if let Err(kind) = self.check_head(&parts, &body) {
            // Reading on would ask a client that waits for `100 Continue` to send what is not wanted.
            if !parts.headers.contains_key(EXPECT) && !body.is_end_stream() {
                tokio::spawn(discard(body));
            }
            return self.refuse(kind, &parts.headers);
        }
        let Received { bytes, place } = match self.read_body(body).await {
            Ok(received) => received,
            Err(kind) => return self.refuse(kind, &parts.headers),
        };
        let arrival = Arrival {
            headers: Some(&parts.headers),
            started,
            principal: &self.anonymous,
            peer: Some(peer),
            toll: Toll::Due,
        };
        let step = self.service.receive_charged(&bytes, arrival).await;
        // A call keeps its arguments alone.
        drop(bytes);
        let reply = match step {
            Step::Done(reply) => reply,
            // Over HTTP the client cancels by closing its connection; ids of others are not its to cancel.
            Step::Cancel(_) => Reply::Nothing,
            Step::Charge(_) => internal_error(None),
            Step::Call(call) => match call.era() {
                // Hyper drops this future when the client goes away, which cancels the call.
                Era::Modern => self.service.run(call).await,
                // There a lost connection cancels nothing: the call goes on by itself.
                Era::Legacy => {
                    let service = self.service.clone();
                    let running = async move {
                        let reply = service.run(call).await;
                        drop(place);
                        reply
                    };
                    GoesOn::new(running).await
                }
            },
        };
        self.respond(reply, &parts.headers)
    }

    /// The checks that need no body, in the order of the protocol reference.
    fn check_head(&self, parts: &http::request::Parts, body: &Incoming) -> Result<(), RefusalKind> {
        let transport = &self.service.catalog().transport;
        let headers = &parts.headers;
        if parts.uri.path() != transport.path {
            return Err(RefusalKind::Path);
        }
        self.allowed.check(&parts.uri, headers)?;
        if parts.method != Method::POST {
            return Err(RefusalKind::Method);
        }
        let declared = headers
            .get(CONTENT_LENGTH)
            .map(|_| body.size_hint().lower());
        if declared.is_some_and(|length| length > transport.max_body_bytes) {
            return Err(RefusalKind::BodyTooLarge);
        }
        if !is_json(headers) {
            return Err(RefusalKind::ContentType);
        }
        if !accepts_answers(headers) {
            return Err(RefusalKind::Accept);
        }
        Ok(())
    }

    /// Reads the body under its deadline, and counts what comes: a declared length is only a claim.
    async fn read_body(&self, body: Incoming) -> Result<Received, RefusalKind> {
        let limit = self.service.catalog().transport.max_body_bytes;
        let collecting = collect(body, limit, &self.large_bodies);
        let reading = tokio::time::timeout(self.body_deadline, collecting);
        reading.await.unwrap_or(Err(RefusalKind::BodyTimeout))
    }

    fn respond(&self, reply: Reply, headers: &HeaderMap) -> Response<Full<Bytes>> {
        let (status, body) = match reply {
            Reply::Message { status, body } => (status, body),
            Reply::Unawaited(body) => (StatusCode::BAD_REQUEST, body),
            Reply::Refused {
                kind,
                retry_after,
                challenge,
                ..
            } => {
                let extra = RefusalHeaders {
                    retry_after,
                    challenge,
                };
                return self.refuse_with(kind, headers, &extra);
            }
            Reply::Nothing => {
                let mut response = Response::new(Full::default());
                *response.status_mut() = StatusCode::ACCEPTED;
                return response;
            }
        };
        let mut response = Response::new(Full::new(body));
        *response.status_mut() = status;
        response.headers_mut().insert(
            CONTENT_TYPE,
            RawHeaderValue::from_static("application/json"),
        );
        response
    }

    fn refuse(&self, kind: RefusalKind, headers: &HeaderMap) -> Response<Full<Bytes>> {
        let extra = RefusalHeaders {
            retry_after: (kind == RefusalKind::Overloaded).then_some(1),
            challenge: None,
        };
        self.refuse_with(kind, headers, &extra)
    }

    fn refuse_with(
        &self,
        kind: RefusalKind,
        headers: &HeaderMap,
        extra: &RefusalHeaders,
    ) -> Response<Full<Bytes>> {
        self.service.metrics().refusal(kind);
        let catalog = self.service.catalog();
        let locale = locale::choose(catalog, Some(headers));
        refusal::respond(&catalog.transport, kind, locale, extra)
    }
}

/// A future that runs on as a task of its own when it is dropped before its end. Most never are, and then cost no
/// task.
struct GoesOn<F: Future<Output: Send> + Send + 'static>(Option<Pin<Box<F>>>);

impl<F: Future<Output: Send> + Send + 'static> GoesOn<F> {
    fn new(future: F) -> Self {
        Self(Some(Box::pin(future)))
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for GoesOn<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Some(future) = self.0.as_mut() else {
            return Poll::Pending;
        };
        let output = std::task::ready!(future.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(output)
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for GoesOn<F> {
    fn drop(&mut self) {
        if let (Some(future), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(future);
        }
    }
}

async fn collect(
    mut body: Incoming,
    limit: u64,
    large_bodies: &Arc<Semaphore>,
) -> Result<Received, RefusalKind> {
    let mut place = None;
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    let mut n_read: u64 = 0;
    while let Some(frame) = body.frame().await {
        // A body that breaks off leaves nobody to answer; hyper closes the connection.
        let Ok(frame) = frame else {
            return Err(RefusalKind::BodyTimeout);
        };
        let Ok(data) = frame.into_data() else {
            continue; // trailers
        };
        n_read += data.len() as u64;
        if n_read > limit {
            tokio::spawn(discard(body));
            return Err(RefusalKind::BodyTooLarge);
        }
        if n_read > MAX_RESERVED && place.is_none() {
            place = large_bodies.clone().try_acquire_owned().ok();
            if place.is_none() {
                tokio::spawn(discard(body));
                return Err(RefusalKind::Overloaded);
            }
        }
        // Most bodies come in one piece, which is then used where it lies.
        if first.is_empty() && whole.is_empty() {
            first = data;
            continue;
        }
        if whole.is_empty() {
            let expected = n_read.saturating_add(body.size_hint().lower().min(MAX_RESERVED));
            whole.reserve(usize::try_from(expected).unwrap_or(0));
            whole.extend_from_slice(&first);
        }
        whole.extend_from_slice(&data);
    }
    let bytes = if whole.is_empty() {
        first
    } else {
        whole.freeze()
    };
    Ok(Received { bytes, place })
}

async fn discard(mut body: Incoming) {
    let reading = async {
        let mut n_read: u64 = 0;
        while let Some(Ok(frame)) = body.frame().await {
            n_read += frame.data_ref().map_or(0, Bytes::len) as u64;
            if n_read > MAX_DISCARDED {
                return;
            }
        }
    };
    // However it ends, the rest is not wanted.
    let _ = tokio::time::timeout(MAX_DISCARDING, reading).await;
}

fn is_json(headers: &HeaderMap) -> bool {
    let HeaderValue::Text(value) = read(headers, CONTENT_TYPE.as_str()) else {
        return false;
    };
    let media_type = value.split(';').next().unwrap_or("").trim();
    media_type.eq_ignore_ascii_case("application/json")
}

/// Whether the client takes one of the two types that MCP answers have; without the header it takes anything.
fn accepts_answers(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(ACCEPT).iter().peekable();
    if values.peek().is_none() {
        return true;
    }
    let ranges = || {
        headers
            .get_all(ACCEPT)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .filter_map(read_media_range)
    };
    [
        ("application/json", "application/*"),
        ("text/event-stream", "text/*"),
    ]
    .iter()
    .any(|(exact, group)| {
        // The closest range decides (RFC 9110, 12.5.1).
        [exact, group, &"*/*"]
            .iter()
            .find_map(|wanted| ranges().find(|(range, _)| range.eq_ignore_ascii_case(wanted)))
            .is_some_and(|(_, weight)| weight > 0)
    })
}

fn read_media_range(range: &str) -> Option<(&str, u16)> {
    let mut parts = range.split(';');
    let media_type = parts.next()?.trim();
    let weight = parts.find_map(|part| {
        let part = part.trim();
        part.strip_prefix("q=").or_else(|| part.strip_prefix("Q="))
    });
    let weight = weight.map_or(Some(1000), |value| read_weight(value.trim()))?;
    Some((media_type, weight))
}
