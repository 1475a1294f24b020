//! Compiled input schemas, one per tool, made on first use.
