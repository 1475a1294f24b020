//! Writes every JSON-RPC message that the server sends.
//!
//! Pure: the generator mounts this file too, so that the examples in the documentation are the server's own bytes.

use serde_json::Value;
use serde_json::value::RawValue;

/// A family of protocol versions that share one wire form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// 2026-07-28: no handshake, every request describes itself.
    Modern,
    /// 2025 versions: opened by `initialize`.
    Legacy,
}

/// JSON-RPC and MCP error codes.
pub mod code {
    /// The body is not JSON.
    pub const PARSE_ERROR: i32 = -32700;
    /// Not a JSON-RPC request.
    pub const INVALID_REQUEST: i32 = -32600;
    /// The method does not exist or its capability is not advertised.
    pub const METHOD_NOT_FOUND: i32 = -32601;
    /// Wrong parameters; in the modern era also: no such resource.
    pub const INVALID_PARAMS: i32 = -32602;
    /// An unexpected fault; the message never says which.
    pub const INTERNAL_ERROR: i32 = -32603;
    /// No such resource, in the legacy era only.
    pub const RESOURCE_NOT_FOUND: i32 = -32002;
    /// A header is missing, malformed or contradicts the body.
    pub const HEADER_MISMATCH: i32 = -32020;
    /// The client did not declare a capability that the call needs.
    pub const MISSING_CLIENT_CAPABILITY: i32 = -32021;
    /// The protocol version is not served.
    pub const UNSUPPORTED_VERSION: i32 = -32022;
}

/// A JSON-RPC error object.
#[derive(Clone, Debug, PartialEq)]
pub struct ProtocolError {
    /// One of [`code`].
    pub code: i32,
    /// One short sentence without internals.
    pub message: String,
    /// Members that the code's definition asks for.
    pub data: Option<Value>,
}

impl ProtocolError {
    /// An error without `data`.
    #[must_use]
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The same error with `data`.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }
}

/// One block of a tool result's `content`.
#[derive(Clone, Debug)]
pub enum Content {
    /// Text for the model.
    Text(String),
    /// An image: media type and standard Base64.
    Image {
        /// Such as `image/png`.
        mime_type: String,
        /// Base64 of the bytes.
        data: String,
    },
    /// Audio: media type and standard Base64.
    Audio {
        /// Such as `audio/wav`.
        mime_type: String,
        /// Base64 of the bytes.
        data: String,
    },
    /// Other bytes as an embedded resource.
    Blob {
        /// Address of the bytes.
        uri: String,
        /// Media type.
        mime_type: String,
        /// Base64 of the bytes.
        data: String,
    },
}

/// The result of a tool call.
#[derive(Clone, Debug)]
pub struct ToolResult {
    /// Blocks, in order.
    pub content: Vec<Content>,
    /// JSON value that matches the tool's output schema. Never present on an error.
    pub structured: Option<Box<RawValue>>,
    /// Whether the call failed.
    pub is_error: bool,
}

impl ToolResult {
    /// A good result of one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![Content::Text(text.into())],
            structured: None,
            is_error: false,
        }
    }

    /// A failure of one text.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }
}

/// The error envelope `{"error":{"code":…,"message":…,"details":…}}` as text.
#[must_use]
pub fn error_envelope(code: &str, message: &str, details: Option<&Value>) -> String {
    let mut text = format!(
        r#"{{"error":{{"code":{},"message":{}"#,
        json_string(code),
        json_string(message)
    );
    if let Some(details) = details {
        text.push_str(r#","details":"#);
        text.push_str(&details.to_string());
    }
    text.push_str("}}");
    text
}

/// A JSON string literal.
#[must_use]
pub fn json_string(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// A response that carries `result`, which is the JSON text of an object. `id` is the JSON text of the request's id.
#[must_use]
pub fn success(id: &str, result: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(result.len() + id.len() + 40);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(br#","result":"#);
    out.extend_from_slice(result.as_bytes());
    out.push(b'}');
    out
}

/// An error response. `id` is the JSON text of the request's id; without it the member is left out, since MCP ids are
/// never `null` (2026-07-28, basic, "Responses").
#[must_use]
pub fn failure(id: Option<&str>, error: &ProtocolError) -> Vec<u8> {
    let mut text = String::from(r#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        text.push_str(r#""id":"#);
        text.push_str(id);
        text.push(',');
    }
    text.push_str(&format!(
        r#""error":{{"code":{},"message":{}"#,
        error.code,
        json_string(&error.message)
    ));
    if let Some(data) = &error.data {
        text.push_str(r#","data":"#);
        text.push_str(&data.to_string());
    }
    text.push_str("}}");
    text.into_bytes()
}

/// The members that every modern result carries: `resultType` and `_meta` with the server's identity.
///
/// `server_info` is the JSON text of an `Implementation` object.
#[must_use]
pub fn modern_members(server_info: &str) -> String {
    members("complete", server_info)
}

/// The members that a question carries: [`modern_members`] with `input_required`.
#[must_use]
pub fn question_members(server_info: &str) -> String {
    members("input_required", server_info)
}

fn members(result_type: &str, server_info: &str) -> String {
    format!(
        r#""resultType":"{result_type}","_meta":{{"io.modelcontextprotocol/serverInfo":{server_info}}}"#
    )
}

/// A question to a person about a destructive call (2026-07-28, basic, patterns, "MRTR").
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub message: String,
    /// The label of the box that says yes.
    pub accept: &'static str,
    /// What the client sends back with the answer.
    pub state: String,
}

/// The JSON text of the result that asks; `members` are the [`question_members`].
#[must_use]
pub fn question(members: &str, question: &Question) -> String {
    let Question {
        message,
        accept,
        state,
    } = question;
    format!(
        concat!(
            r#"{{{},"inputRequests":{{"confirm":{{"method":"elicitation/create","params":{{"mode":"form","message":{},"#,
            r#""requestedSchema":{{"type":"object","properties":{{"confirm":{{"type":"boolean","title":{}}}}},"#,
            r#""required":["confirm"]}}}}}}}},"requestState":{}}}"#
        ),
        members,
        json_string(message),
        json_string(accept),
        json_string(state)
    )
}

/// The JSON text of a tool result; `members` are the [`modern_members`], or empty in the legacy era.
#[must_use]
pub fn tool_result(members: &str, result: &ToolResult) -> String {
    let mut out = Vec::new();
    push_tool_result(&mut out, members, result);
    String::from_utf8(out).unwrap_or_default()
}

/// The whole response to a tool call, written once into one buffer: results can be megabytes.
#[must_use]
pub fn tool_response(id: &str, members: &str, result: &ToolResult) -> Vec<u8> {
    let mut out = Vec::with_capacity(id.len() + members.len() + result_size(result) + 160);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(br#","result":"#);
    push_tool_result(&mut out, members, result);
    out.push(b'}');
    out
}

/// Appends a JSON string literal.
pub fn push_json_string(out: &mut Vec<u8>, text: &str) {
    // Writing a string into memory has no way to fail.
    let _ = serde_json::to_writer(out, text);
}

/// About how many bytes a result takes: JSON inside text grows by its escaped quotes, an eighth or so.
fn result_size(result: &ToolResult) -> usize {
    let blocks: usize = result
        .content
        .iter()
        .map(|block| match block {
            Content::Text(text) => text.len() + text.len() / 8 + 32,
            Content::Image { data, .. }
            | Content::Audio { data, .. }
            | Content::Blob { data, .. } => data.len() + 256,
        })
        .sum();
    let structured = result.structured.as_ref().map_or(0, |raw| raw.get().len());
    blocks + structured
}

fn push_tool_result(out: &mut Vec<u8>, members: &str, result: &ToolResult) {
    out.push(b'{');
    if !members.is_empty() {
        out.extend_from_slice(members.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(br#""content":["#);
    for (index, block) in result.content.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_content(out, block);
    }
    out.push(b']');
    if let Some(structured) = &result.structured {
        out.extend_from_slice(br#","structuredContent":"#);
        out.extend_from_slice(structured.get().as_bytes());
    }
    if result.is_error {
        out.extend_from_slice(br#","isError":true"#);
    }
    out.push(b'}');
}

fn push_content(out: &mut Vec<u8>, block: &Content) {
    match block {
        Content::Text(value) => {
            out.extend_from_slice(br#"{"type":"text","text":"#);
            push_json_string(out, value);
            out.push(b'}');
        }
        Content::Image { mime_type, data } => push_media(out, "image", mime_type, data),
        Content::Audio { mime_type, data } => push_media(out, "audio", mime_type, data),
        Content::Blob {
            uri,
            mime_type,
            data,
        } => {
            out.extend_from_slice(br#"{"type":"resource","resource":{"uri":"#);
            push_json_string(out, uri);
            out.extend_from_slice(br#","mimeType":"#);
            push_json_string(out, mime_type);
            out.extend_from_slice(br#","blob":""#);
            out.extend_from_slice(data.as_bytes());
            out.extend_from_slice(br#""}}"#);
        }
    }
}

fn push_media(out: &mut Vec<u8>, kind: &str, mime_type: &str, data: &str) {
    out.extend_from_slice(br#"{"type":""#);
    out.extend_from_slice(kind.as_bytes());
    out.extend_from_slice(br#"","data":""#);
    out.extend_from_slice(data.as_bytes());
    out.extend_from_slice(br#"","mimeType":"#);
    push_json_string(out, mime_type);
    out.push(b'}');
}
