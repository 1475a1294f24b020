//! An error answer of the API → a tool error.
