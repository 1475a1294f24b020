//! Decides which protocol version serves a request: its claim and its header → version, or why none does.

use serde_json::json;

use crate::runtime::answer::{Era, ProtocolError, code};
use crate::runtime::catalog::Protocol;
use crate::runtime::header_value::HeaderValue;
use crate::runtime::message::invalid_params;

/// The version that servers assume where a request names none (2025-11-25, basic, "Transports").
const ASSUMED: &str = "2025-03-26";

/// What a request says about its version.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// The method.
    pub method: &'a str,
    /// `_meta["io.modelcontextprotocol/protocolVersion"]`.
    pub claim: Option<&'a str>,
    /// `MCP-Protocol-Version`; none: the transport has no headers.
    pub header: Option<HeaderValue<'a>>,
    /// Whether it is a notification: those need no `_meta` in any era.
    pub is_notification: bool,
}

/// The version that serves a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serving {
    /// The wire form.
    pub era: Era,
    /// The version, one of the catalog's.
    pub version: &'static str,
}

/// Decides by the table of the protocol reference: a claim rules and must equal the header; without one the header
/// does; without either only `initialize` is understood.
///
/// # Errors
/// -32020, -32022 or -32602, each with HTTP status 400.
pub fn decide(protocol: &Protocol, said: &Said<'_>) -> Result<Serving, ProtocolError> {
    match said.header {
        None => decide_without_headers(protocol, said),
        Some(HeaderValue::Malformed) => Err(mismatch("MCP-Protocol-Version is malformed")),
        Some(HeaderValue::Absent) => decide_by(protocol, said, None),
        Some(HeaderValue::Text(header)) => decide_by(protocol, said, Some(header)),
    }
}

/// The version offered by `initialize`: the asked one where it is served, else the newest (2025-11-25, basic,
/// "Lifecycle"). Never one without a handshake. None: no such version is served.
#[must_use]
pub fn negotiate(protocol: &Protocol, asked: &str) -> Option<&'static str> {
    find(protocol.legacy, asked).or_else(|| protocol.legacy.first().copied())
}

/// The error -32020.
#[must_use]
pub fn mismatch(message: impl Into<String>) -> ProtocolError {
    ProtocolError::new(code::HEADER_MISMATCH, message)
}

/// The error -32022, with what it says about the versions.
#[must_use]
pub fn unsupported(protocol: &Protocol, requested: &str) -> ProtocolError {
    let supported: Vec<&str> = supported(protocol).collect();
    ProtocolError::new(
        code::UNSUPPORTED_VERSION,
        match requested.len() {
            ..=32 => format!("Unsupported protocol version: {requested}"),
            _ => "Unsupported protocol version".to_owned(),
        },
    )
    .with_data(json!({ "supported": supported, "requested": requested }))
}

/// Every version of both eras, newest first.
pub fn supported(protocol: &Protocol) -> impl Iterator<Item = &'static str> {
    protocol.modern.iter().chain(protocol.legacy).copied()
}

fn decide_by(
    protocol: &Protocol,
    said: &Said<'_>,
    header: Option<&str>,
) -> Result<Serving, ProtocolError> {
    if let Some(claim) = said.claim {
        return match header {
            Some(header) if header == claim => serve(protocol, claim),
            Some(_) => Err(mismatch(
                "MCP-Protocol-Version differs from the version in _meta",
            )),
            None => Err(mismatch("MCP-Protocol-Version is missing")),
        };
    }
    let Some(header) = header else {
        return if said.method == "initialize" {
            handshake(protocol)
        } else {
            serve(protocol, ASSUMED)
        };
    };
    let serving = serve(protocol, header)?;
    if serving.era == Era::Legacy || said.is_notification {
        return Ok(serving);
    }
    if said.method == "initialize" {
        return Err(mismatch(format!(
            "MCP-Protocol-Version {header} has no initialize; _meta must claim it"
        )));
    }
    Err(invalid_params(
        "_meta must hold io.modelcontextprotocol/protocolVersion",
    ))
}

fn decide_without_headers(protocol: &Protocol, said: &Said<'_>) -> Result<Serving, ProtocolError> {
    match said.claim {
        Some(claim) => serve(protocol, claim),
        None => handshake(protocol),
    }
}

/// The newest version with a handshake, for a request that opens one or that follows one unseen.
fn handshake(protocol: &Protocol) -> Result<Serving, ProtocolError> {
    match protocol.legacy.first() {
        Some(version) => Ok(Serving {
            era: Era::Legacy,
            version,
        }),
        None => Err(unsupported(protocol, ASSUMED)),
    }
}

fn serve(protocol: &Protocol, version: &str) -> Result<Serving, ProtocolError> {
    let modern = find(protocol.modern, version).map(|version| (Era::Modern, version));
    let legacy = || find(protocol.legacy, version).map(|version| (Era::Legacy, version));
    match modern.or_else(legacy) {
        Some((era, version)) => Ok(Serving { era, version }),
        None => Err(unsupported(protocol, version)),
    }
}

fn find(versions: &'static [&'static str], version: &str) -> Option<&'static str> {
    versions.iter().find(|known| **known == version).copied()
}
