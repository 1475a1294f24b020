//! Values of `Mcp-*` headers, with the Base64 form.
