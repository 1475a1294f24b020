#![doc = include_str!("ARCHITECTURE.md")]

pub mod diagnostics;
pub mod emit;
pub mod load;
pub mod lower;
pub mod model;
pub mod overlay;
pub mod plan;
pub mod write;
