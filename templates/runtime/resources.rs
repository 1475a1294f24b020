//! `resources/read`: the texts that are part of the server.
