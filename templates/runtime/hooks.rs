//! The places where a server's owner may step in; the emitted `hooks.rs` implements them.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, Uri};

use crate::runtime::answer::ToolResult;
use crate::runtime::catalog::Tool;

/// A request about to be sent to the API.
#[derive(Clone)]
pub struct ApiRequest {
    /// HTTP method in upper case.
    pub method: &'static str,
    /// Full address.
    pub uri: Uri,
    /// Headers, complete.
    pub headers: HeaderMap,
    /// JSON body; none: no body is sent.
    pub body: Option<Bytes>,
}

/// Without query and body, which hold arguments and may hold credentials.
impl fmt::Debug for ApiRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.body.as_ref();
        formatter
            .debug_struct("ApiRequest")
            .field("method", &self.method)
            .field("path", &self.uri.path())
            .field("headers", &self.headers)
            .field("body_bytes", &body.map_or(0, Bytes::len))
            .finish()
    }
}

/// The API's answer, read whole.
#[derive(Clone, Debug)]
pub struct ApiAnswer {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Body, at most [`crate::runtime::catalog::Upstream::max_answer_bytes`] long.
    pub body: Bytes,
}

/// What a server's owner may change. Every method does nothing by default.
///
/// Hooks run on the server's threads: they must not block.
pub trait Hooks: Send + Sync + 'static {
    /// Changes a request before it is sent, or answers in the API's place.
    ///
    /// # Errors
    /// The result to give to the model instead of calling the API; it may be a good one.
    fn before_request(&self, tool: &Tool, request: &mut ApiRequest) -> Result<(), Box<ToolResult>> {
        let _ = (tool, request);
        Ok(())
    }

    /// Changes the result of a call before it is sent to the client.
    fn after_call(&self, tool: &Tool, result: &mut ToolResult) {
        let _ = (tool, result);
    }
}

/// No hooks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {}
