//! Arguments → the HTTP request to the API.
