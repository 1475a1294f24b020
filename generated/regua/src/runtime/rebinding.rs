//! Keeps foreign web pages away from a local server: which `Host` and `Origin` values are accepted.

use std::net::IpAddr;

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Uri};

use crate::runtime::catalog::RefusalKind;
use crate::runtime::header_value::{HeaderValue, read};

/// The accepted names besides loopback ones, in lower case.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    /// Host names without port.
    pub hosts: Vec<String>,
    /// Origins such as `https://app.example.com`.
    pub origins: Vec<String>,
}

impl Allowed {
    /// The catalog's names and those of the settings.
    #[must_use]
    pub fn new<'a>(
        hosts: impl Iterator<Item = &'a str>,
        origins: impl Iterator<Item = &'a str>,
    ) -> Self {
        // `a, b` in a variable means two names, and an empty variable none: an empty `Host` stays refused.
        let clean = |name: &str| name.trim().trim_end_matches('/').to_ascii_lowercase();
        let is_name = |name: &String| !name.is_empty();
        Self {
            hosts: hosts.map(clean).filter(is_name).collect(),
            origins: origins.map(clean).filter(is_name).collect(),
        }
    }

    /// Checks where a request was sent to and which page sent it.
    ///
    /// # Errors
    /// What is not accepted.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), RefusalKind> {
        let named = match read(headers, HOST.as_str()) {
            HeaderValue::Text(host) => self.has_host(host),
            HeaderValue::Absent | HeaderValue::Malformed => false,
        };
        // A request line with a full address overrules `Host` (RFC 9112, 3.2.2), so both must be ours.
        let addressed = uri
            .authority()
            .is_none_or(|authority| self.has_host(authority.as_str()));
        if !named || !addressed {
            return Err(RefusalKind::Host);
        }
        match read(headers, ORIGIN.as_str()) {
            HeaderValue::Absent => Ok(()),
            HeaderValue::Text(origin) if self.has_origin(origin) => Ok(()),
            HeaderValue::Text(_) | HeaderValue::Malformed => Err(RefusalKind::Origin),
        }
    }

    fn has_host(&self, host: &str) -> bool {
        let Some(name) = without_port(host) else {
            return false;
        };
        let name = name.to_ascii_lowercase();
        is_loopback(&name) || self.hosts.contains(&name)
    }

    fn has_origin(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        let host = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"));
        host.and_then(without_port).is_some_and(is_loopback) || self.origins.contains(&origin)
    }
}

/// Splits a port off. None: what follows the name is not one.
fn without_port(host: &str) -> Option<&str> {
    let end = match host.strip_prefix('[') {
        Some(rest) => rest.find(']')? + 2,
        None => host.find(':').unwrap_or(host.len()),
    };
    let (name, rest) = host.split_at(end);
    match rest.strip_prefix(':') {
        Some(port) => port
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(name),
        None => rest.is_empty().then_some(name),
    }
}

fn is_loopback(name: &str) -> bool {
    let address = name
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'))
        .unwrap_or(name);
    name == "localhost" || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
