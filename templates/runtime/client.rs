//! The HTTP client: one deadline, no redirects, size limit, retries of idempotent calls.
