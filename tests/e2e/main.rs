//! End to end: the emitted servers in `generated/`, over HTTP and stdio, in both eras, against the stand-ins.

#[path = "../stand_in/mod.rs"]
pub mod stand_in;
