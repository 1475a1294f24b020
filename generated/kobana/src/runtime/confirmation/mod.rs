//! Confirmation of destructive tools by multi round-trip requests (MCP 2026-07-28, basic, patterns, "MRTR"): the
//! question, the sealed state that goes out with it, the answer that comes back, and the record of its use.

pub mod amount;
pub mod digest;
pub mod exchange;
pub mod form;
pub mod memory_store;
pub mod question;
pub mod redis_store;
pub mod settings;
pub mod state;
pub mod store;

pub use exchange::Round;
pub use settings::Confirmations;
