//! One JSON-RPC message → its answer, for both transports.
