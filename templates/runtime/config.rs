//! Settings of a server: flags and environment variables.
