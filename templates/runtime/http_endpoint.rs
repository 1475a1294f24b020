//! The MCP endpoint over HTTP: refusals before the message is read, then the message.
