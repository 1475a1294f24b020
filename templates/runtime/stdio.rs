//! The same messages over standard input and output, one per line.
