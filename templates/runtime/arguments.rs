//! A call's arguments: what was given, what is missing, what is unknown.
