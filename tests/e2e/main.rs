//! End to end: the committed servers in `generated/`, over HTTP and stdio, in both eras, against the stand-ins.
#![allow(clippy::expect_used, clippy::panic)]

#[path = "../stand_in/mod.rs"]
pub mod stand_in;

mod client;
mod confirmation;
mod kobana;
mod official_client;
mod official_clients;
mod pages;
mod protocol;
mod quickstart;
mod regua;
mod server;
mod transport;
