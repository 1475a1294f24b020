//! Answers the health checks and the questions for numbers of whatever runs the server, on an address of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;

use crate::runtime::metrics::Format;
use crate::runtime::service::Service;

/// Whether the server still takes requests.
#[derive(Debug, Default)]
pub struct Health {
    is_stopping: AtomicBool,
}

impl Health {
    /// From now on `/readyz` says that no more requests should come.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Answers one request: `/healthz` while the process lives, `/readyz` while it takes requests.
    #[must_use]
    pub fn answer<B>(&self, request: &Request<B>) -> Response<Full<Bytes>> {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        match request.uri().path() {
            "/healthz" if is_read => plain(StatusCode::OK, "ok\n"),
            "/readyz" if is_read && self.is_stopping.load(Ordering::Relaxed) => {
                plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
            }
            "/readyz" if is_read => plain(StatusCode::OK, "ok\n"),
            _ => plain(StatusCode::NOT_FOUND, "not found\n"),
        }
    }
}

/// Everything that the admin address answers.
#[derive(Clone)]
pub struct Admin {
    /// Whether the server takes requests.
    pub health: Arc<Health>,
    /// Whose numbers are told.
    pub service: Arc<Service>,
}

impl Admin {
    /// Answers one request: `/metrics`, and what [`Health::answer`] knows.
    #[must_use]
    pub fn answer<B>(&self, request: &Request<B>) -> Response<Full<Bytes>> {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        if !is_read || request.uri().path() != "/metrics" {
            return self.health.answer(request);
        }
        let format = Format::choose(request.headers());
        let service = &self.service;
        let Ok(text) = service.metrics().render(format, service.n_running()) else {
            return plain(StatusCode::INTERNAL_SERVER_ERROR, "no numbers\n");
        };
        let mut response = Response::new(Full::new(text.into()));
        let content_type = HeaderValue::from_static(format.content_type());
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        response
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = status;
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response
}
