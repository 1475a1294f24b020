//! Starts a server and stops it: listeners, signals, draining.
