//! The generator: golden, negative, drift, determinism, layout, command-line and corpus tests.
#![allow(clippy::expect_used, clippy::panic)]

mod cli;
mod corpus;
mod determinism;
mod drift;
mod emit;
mod golden;
mod layout;
mod readme;
mod sample;
mod write;
