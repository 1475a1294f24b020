//! Reads one JSON-RPC message: bytes → request, notification, or why it is neither.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};
use serde_json::value::RawValue;

use crate::runtime::answer::{ProtocolError, code};

/// A message that asks something of the server.
#[derive(Debug)]
pub struct Message<'a> {
    /// JSON text of the id, as it came; none: a notification, which is never answered.
    pub id: Option<&'a str>,
    /// The method.
    pub method: Cow<'a, str>,
    /// JSON text of `params`, as it came.
    pub params: Option<&'a RawValue>,
}

/// Why bytes are not a [`Message`].
#[derive(Debug)]
pub struct Unreadable<'a> {
    /// JSON text of the id, where one could be read.
    pub id: Option<&'a str>,
    /// What to answer.
    pub error: ProtocolError,
    /// Whether it was a response: one is never answered on a two-way channel, lest both sides go on for ever.
    pub is_response: bool,
}

/// The members of `params` that any method reads. Values stay as they came.
#[derive(Debug, Default, Deserialize)]
pub struct Params<'a> {
    /// `_meta`.
    #[serde(rename = "_meta", borrow, default, deserialize_with = "present")]
    pub meta: Option<&'a RawValue>,
    /// Of a tool or prompt.
    #[serde(borrow, default, deserialize_with = "present")]
    pub name: Option<&'a RawValue>,
    /// Of a tool or prompt.
    #[serde(borrow, default, deserialize_with = "present")]
    pub arguments: Option<&'a RawValue>,
    /// Of a resource.
    #[serde(borrow, default, deserialize_with = "present")]
    pub uri: Option<&'a RawValue>,
    /// Of a list.
    #[serde(borrow, default, deserialize_with = "present")]
    pub cursor: Option<&'a RawValue>,
    /// Of `initialize`.
    #[serde(
        rename = "protocolVersion",
        borrow,
        default,
        deserialize_with = "present"
    )]
    pub protocol_version: Option<&'a RawValue>,
    /// Of a second round: what went out with the question.
    #[serde(rename = "requestState", borrow, default, deserialize_with = "present")]
    pub request_state: Option<&'a RawValue>,
    /// Of a second round: the answers.
    #[serde(
        rename = "inputResponses",
        borrow,
        default,
        deserialize_with = "present"
    )]
    pub input_responses: Option<&'a RawValue>,
    /// Of `notifications/cancelled`.
    #[serde(rename = "requestId", borrow, default, deserialize_with = "present")]
    pub request_id: Option<&'a RawValue>,
}

/// The members of a request's `_meta` that the server reads.
#[derive(Debug, Default, Deserialize)]
pub struct Meta<'a> {
    /// The claim.
    #[serde(
        rename = "io.modelcontextprotocol/protocolVersion",
        borrow,
        default,
        deserialize_with = "present"
    )]
    pub protocol_version: Option<&'a RawValue>,
    /// What the client can do.
    #[serde(
        rename = "io.modelcontextprotocol/clientCapabilities",
        borrow,
        default,
        deserialize_with = "present"
    )]
    pub client_capabilities: Option<&'a RawValue>,
    /// From which level on it wants log messages; this server sends none.
    #[serde(
        rename = "io.modelcontextprotocol/logLevel",
        borrow,
        default,
        deserialize_with = "present"
    )]
    pub log_level: Option<&'a RawValue>,
    /// The trace that the request belongs to (W3C Trace Context).
    #[serde(borrow, default, deserialize_with = "present")]
    pub traceparent: Option<&'a RawValue>,
    /// What tracing systems add to it.
    #[serde(borrow, default, deserialize_with = "present")]
    pub tracestate: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Reads a member that is there, `null` included: for JSON-RPC a null id is not an absent one.
fn present<'de, D>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error>
where
    D: Deserializer<'de>,
{
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Reads one message.
///
/// # Errors
/// What to answer to bytes that are not JSON (-32700) or not a request or notification (-32600).
pub fn read(body: &[u8]) -> Result<Message<'_>, Box<Unreadable<'_>>> {
    let Ok(text) = std::str::from_utf8(body) else {
        return Err(refuse(code::PARSE_ERROR, "The body is not UTF-8"));
    };
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    if !text.starts_with('{') {
        return Err(not_an_object(text));
    }
    match serde_json::from_str::<Envelope<'_>>(text) {
        Ok(envelope) => check(&envelope),
        // A member that stands twice may also be followed by a syntax error, which then is the first thing to say.
        Err(_) if is_json(text) => Err(refuse(
            code::INVALID_REQUEST,
            "A member of the message stands twice",
        )),
        Err(_) => Err(refuse(code::PARSE_ERROR, "The body is not valid JSON")),
    }
}

/// Reads the members of `params`; without any, every member is absent.
///
/// # Errors
/// -32602 where `params` is not an object or holds a member twice.
pub fn read_params<'a>(params: Option<&'a RawValue>) -> Result<Params<'a>, ProtocolError> {
    let Some(raw) = params else {
        return Ok(Params::default());
    };
    read_object(raw, "params")
}

/// Reads an object whose members are known.
///
/// # Errors
/// -32602, naming what was read, where it is not an object or holds a member twice.
pub fn read_object<'a, T: Deserialize<'a>>(
    raw: &'a RawValue,
    what: &str,
) -> Result<T, ProtocolError> {
    // A derived reader would take an array for an object.
    if !is_object(raw) {
        return Err(invalid_params(format!("{what} must be an object")));
    }
    serde_json::from_str(raw.get())
        .map_err(|_| invalid_params(format!("{what} holds a member twice")))
}

/// The error -32602.
#[must_use]
pub fn invalid_params(message: impl Into<String>) -> ProtocolError {
    ProtocolError::new(code::INVALID_PARAMS, message)
}

/// Whether a value is a JSON object.
#[must_use]
pub fn is_object(raw: &RawValue) -> bool {
    raw.get().starts_with('{')
}

/// The value of a JSON string; none: another type, or one with lone surrogates.
#[must_use]
pub fn as_string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str::<String>(text).ok().map(Cow::Owned)
}

/// One spelling for an id, so that `"a"` and `"\u0061"` are the same. None: not a string or integer.
#[must_use]
pub fn id_key(raw: &RawValue) -> Option<String> {
    if let Some(text) = as_string(raw) {
        return Some(format!("\"{text}"));
    }
    is_integer(raw.get()).then(|| raw.get().to_owned())
}

fn check<'a>(envelope: &Envelope<'a>) -> Result<Message<'a>, Box<Unreadable<'a>>> {
    let id = match envelope.id {
        Some(raw) if id_key(raw).is_none() => {
            return Err(refuse(
                code::INVALID_REQUEST,
                "The id must be a string or an integer",
            ));
        }
        id => id.map(RawValue::get),
    };
    let is_response =
        envelope.method.is_none() && (envelope.result.is_some() || envelope.error.is_some());
    let fault = |message| {
        let mut unreadable = refuse(code::INVALID_REQUEST, message);
        unreadable.is_response = is_response;
        // The id of a response is one that the other side was given: it is not repeated.
        unreadable.id = id.filter(|_| !is_response);
        Err(unreadable)
    };
    if is_response {
        return fault("No response is awaited");
    }
    if envelope.jsonrpc.and_then(as_string).as_deref() != Some("2.0") {
        return fault("The member jsonrpc must be \"2.0\"");
    }
    let Some(method) = envelope.method.and_then(as_string) else {
        return fault("The member method must be a string");
    };
    Ok(Message {
        id,
        method,
        params: envelope.params,
    })
}

fn not_an_object<'a>(text: &str) -> Box<Unreadable<'a>> {
    if !is_json(text) {
        refuse(code::PARSE_ERROR, "The body is not valid JSON")
    } else if text.starts_with('[') {
        refuse(code::INVALID_REQUEST, "Batches are not supported")
    } else {
        refuse(code::INVALID_REQUEST, "The message must be an object")
    }
}

fn refuse<'a>(code: i32, message: &str) -> Box<Unreadable<'a>> {
    Box::new(Unreadable {
        id: None,
        error: ProtocolError::new(code, message),
        is_response: false,
    })
}

fn is_json(text: &str) -> bool {
    // Values are skipped without recursion: nesting of any depth is read.
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn is_integer(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-')
}
