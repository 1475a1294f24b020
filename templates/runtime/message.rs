//! Bytes → one JSON-RPC message, or why it is none.
