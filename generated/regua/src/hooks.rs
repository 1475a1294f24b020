//! Yours: oas2mcp wrote this file once and never touches it again.

use crate::runtime::hooks::Hooks;

/// What this server does differently from what its overlay says.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServerHooks;

// Both methods of the trait do nothing until you write them here:
//
// - `before_request(&self, tool, request)` changes a request before it is sent (`request.headers`, `request.uri`,
//   `request.body`), or answers in the API's place by returning `Err(Box::new(ToolResult::text("…")))`;
// - `after_call(&self, tool, result)` changes what the client gets (`result.content`).
//
// They run on the server's threads, so they must not block. `tool.name` tells which tool was called.
impl Hooks for ServerHooks {}
