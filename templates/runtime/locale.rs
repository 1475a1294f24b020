//! Which language a request gets.
