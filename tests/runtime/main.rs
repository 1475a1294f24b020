//! The runtime of emitted servers: compiled, linted, formatted and tested where it is written.

#[path = "../../templates/runtime/mod.rs"]
pub mod runtime; // `pub`: parts that no test uses are then not "dead code"
