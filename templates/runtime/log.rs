//! Structured lines on standard error.
