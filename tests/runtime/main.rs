//! The runtime of emitted servers: compiled, linted, formatted and tested where it is written.

#[path = "../../templates/runtime/mod.rs"]
pub mod runtime; // `pub`: parts that no test uses are then not "dead code"

#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod sample;

mod admin;
mod config;
mod era;
mod header_value;
mod http_endpoint;
mod identity;
mod lists;
mod locale;
mod log;
mod message;
mod prompts;
mod rebinding;
mod resources;
mod serve;
mod service;
mod stdio;
mod tool_call;
