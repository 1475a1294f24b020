//! Stand-in of the kobana API.
