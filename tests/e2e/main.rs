//! End to end: the committed servers in `generated/`, over HTTP and stdio, in both eras, against the stand-ins.
#![allow(clippy::expect_used, clippy::panic)]

#[path = "../stand_in/mod.rs"]
pub mod stand_in;

mod client;
mod kobana;
mod official_client;
mod pages;
mod protocol;
mod quickstart;
mod regua;
mod server;
mod transport;
