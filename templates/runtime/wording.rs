//! Sentences for schema violations.
