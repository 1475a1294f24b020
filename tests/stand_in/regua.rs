//! Stand-in of the regua API.
