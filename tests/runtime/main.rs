//! The runtime of emitted servers: compiled, linted, formatted and tested where it is written.

#[allow(clippy::expect_used)]
#[path = "../stand_in/redis_server.rs"]
pub mod redis_server;
#[path = "../../templates/runtime/mod.rs"]
pub mod runtime; // `pub`: parts that no test uses are then not "dead code"
#[path = "../stand_in/http.rs"]
pub mod stand_in;
#[path = "../stand_in/token_endpoint.rs"]
pub mod token_endpoint;

// On the tests alone: for the whole crate, it would silence the runtime too.
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod admin;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod arguments;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod call;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod call_sample;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod client;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod config;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod confirmation;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod confirmation_question;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod confirmation_sample;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod confirmation_state;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod confirmation_store;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod credential_cache;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod credential_fixed;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod credential_load;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod credential_sample;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod credential_tls;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod credential_token;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod era;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod exposition;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod header_value;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod http_endpoint;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod identity;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod json_text;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod limits;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod lists;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod locale;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod log;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod log_writer;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod message;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod metrics;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod prompts;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod rebinding;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod request;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod resources;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod result;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod safe_text;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod sample;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod serialization;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod serve;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod service;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod setting;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod stdio;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod tool_call;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod trace_context;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod upstream_error;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod validation;
#[allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]
mod wording;
