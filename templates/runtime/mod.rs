//! The runtime of an MCP server: both protocol eras over HTTP and stdio, and calls to the API.
//!
//! It knows no API: everything that varies arrives as a [`catalog::Catalog`]. Copied unchanged into every server.

// What a request passes, in order.
pub mod admin;
pub mod answer;
pub mod answer_cache;
pub mod arguments;
pub mod call;
pub mod catalog;
pub mod client;
pub mod config;
pub mod confirmation;
pub mod connections;
pub mod credential;
pub mod era;
pub mod header_value;
pub mod hooks;
pub mod http_endpoint;
pub mod identity;
pub mod json_text;
pub mod limits;
pub mod lists;
pub mod locale;
pub mod log;
pub mod log_writer;
pub mod message;
pub mod metrics;
pub mod principal;
pub mod prompts;
pub mod rebinding;
pub mod refusal;
pub mod request;
pub mod request_meta;
pub mod resources;
pub mod result;
pub mod safe_text;
pub mod secret;
pub mod serialization;
pub mod serve;
pub mod service;
pub mod setting;
pub mod stdio;
pub mod tool_call;
pub mod trace_context;
pub mod upstream_error;
pub mod validation;
pub mod wording;
