//! Which era and version a message speaks, and whether its headers agree with it.
