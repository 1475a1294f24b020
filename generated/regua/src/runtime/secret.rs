//! Text that must never be seen: tokens, passwords and keys.

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;

/// A secret text. It cannot be printed, logged or serialized; [`Secret::expose`] is the one way to its value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Secret(Arc<str>);

impl Secret {
    /// Takes a text into keeping.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The text, for the one place that sends or compares it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// `<scheme> <secret>` as a header that hyper neither prints nor keeps in its compression tables; none where the
    /// text has characters that a header cannot carry.
    #[must_use]
    pub fn header(&self, scheme: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{scheme} {}", self.expose())).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(..)")
    }
}
