//! A good answer of the API → a tool result.
