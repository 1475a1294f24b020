//! Stand-ins of the two reference APIs: real HTTP servers with state, for the tests and the quick start.

pub mod http;
pub mod kobana;
pub mod regua;
