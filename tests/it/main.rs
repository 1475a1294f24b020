//! The generator: golden, negative, drift, determinism, layout, command-line and corpus tests.

#![allow(clippy::expect_used, clippy::panic)]

mod corpus_front;
