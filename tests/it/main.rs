//! The generator: golden, negative, drift, determinism, layout, command-line and corpus tests.
