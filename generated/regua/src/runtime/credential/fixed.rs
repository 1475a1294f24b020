//! Credentials that are the same for every caller: settings → headers, pairs of the query, cookies.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};
use http::uri::{PathAndQuery, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::runtime::catalog::{FixedCredential, Setting};
use crate::runtime::credential::CredentialFault;
use crate::runtime::hooks::ApiRequest;
use crate::runtime::secret::Secret;
use crate::runtime::setting::{self, Variables};

/// Everything but the unreserved characters of RFC 3986, 2.3.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Credentials that are the same for every caller.
#[derive(Debug, Default)]
pub struct FixedCredentials {
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Names, and pairs as they are written.
    query: Vec<(&'static str, Secret)>,
    cookies: Vec<(&'static str, Secret)>,
}

impl FixedCredentials {
    /// Reads them from the operator's settings.
    ///
    /// # Errors
    /// A sentence for the operator; the value itself is never in it.
    pub fn read(fixed: &[FixedCredential], variables: Variables<'_>) -> Result<Self, String> {
        let mut read = Self::default();
        for credential in fixed {
            match *credential {
                FixedCredential::Header(name, value) => {
                    let value = setting::read(value, variables)?;
                    read.headers.push(header(name, &value)?);
                }
                FixedCredential::Query(name, value) => {
                    let value = setting::read(value, variables)?;
                    let encode = |text| utf8_percent_encode(text, ENCODED).to_string();
                    let pair = format!("{}={}", encode(name), encode(&value));
                    read.query.push((name, Secret::new(pair)));
                }
                FixedCredential::Cookie(name, value) => {
                    let value = setting::read(value, variables)?;
                    read.cookies.push((name, cookie(name, &value)?));
                }
                FixedCredential::Basic(user, password) => {
                    let value = basic(user, password, variables)?;
                    read.headers.push((AUTHORIZATION, value));
                }
            }
        }
        Ok(read)
    }

    /// Puts them on a request. What stands there under the same names gives way, so that no argument takes the place
    /// of a credential.
    pub(super) fn apply(&self, request: &mut ApiRequest) -> Result<(), CredentialFault> {
        for (name, value) in &self.headers {
            request.headers.insert(name.clone(), value.clone());
        }
        if !self.query.is_empty() {
            request.uri = self.with_query(&request.uri)?;
        }
        if !self.cookies.is_empty() {
            let value = self.joined_cookies(request);
            let value = value.ok_or_else(|| CredentialFault::new("the cookies are not valid"))?;
            request.headers.insert(COOKIE, value);
        }
        Ok(())
    }

    fn with_query(&self, uri: &Uri) -> Result<Uri, CredentialFault> {
        let given = uri.query().unwrap_or_default().split('&');
        let is_ours = |pair: &str| {
            let name = pair.split('=').next().unwrap_or_default().replace('+', " ");
            let name = percent_decode_str(&name).decode_utf8_lossy();
            self.query.iter().any(|(own, _)| *own == name)
        };
        let given = given.filter(|pair| !pair.is_empty() && !is_ours(pair));
        let own = self.query.iter().map(|(_, pair)| pair.expose());
        let pairs: Vec<&str> = given.chain(own).collect();
        let mut parts = uri.clone().into_parts();
        let written = format!("{}?{}", uri.path(), pairs.join("&"));
        let fault = || CredentialFault::new("the address with its credential is too long");
        parts.path_and_query = Some(PathAndQuery::try_from(written).map_err(|_| fault())?);
        Uri::from_parts(parts).map_err(|_| fault())
    }

    fn joined_cookies(&self, request: &ApiRequest) -> Option<HeaderValue> {
        let given = request.headers.get_all(COOKIE).iter();
        let given = given.filter_map(|value| value.to_str().ok());
        let is_ours = |pair: &str| {
            let name = pair.split('=').next().unwrap_or_default().trim();
            self.cookies.iter().any(|(own, _)| *own == name)
        };
        let given = given
            .flat_map(|value| value.split(';').map(str::trim))
            .filter(|pair| !pair.is_empty() && !is_ours(pair));
        let own = self.cookies.iter().map(|(_, pair)| pair.expose());
        let pairs: Vec<&str> = given.chain(own).collect();
        let mut value = HeaderValue::from_str(&pairs.join("; ")).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), String> {
    let parsed = name.parse::<HeaderName>();
    let parsed = parsed.map_err(|_| format!("`{name}` is not a header name"))?;
    let value = HeaderValue::from_str(value);
    let mut value = value.map_err(|_| {
        format!("the value of the header `{name}` holds characters that a header cannot carry")
    })?;
    value.set_sensitive(true);
    Ok((parsed, value))
}

/// A pair of `Cookie` (RFC 6265, 4.1.1).
fn cookie(name: &str, value: &str) -> Result<Secret, String> {
    let is_octet =
        |byte| matches!(byte, 0x21 | 0x23..=0x2b | 0x2d..=0x3a | 0x3c..=0x5b | 0x5d..=0x7e);
    if name.parse::<HeaderName>().is_err() {
        return Err(format!("`{name}` is not a name of a cookie"));
    }
    if !value.bytes().all(is_octet) {
        return Err(format!(
            "the value of the cookie `{name}` holds characters that a cookie cannot carry"
        ));
    }
    Ok(Secret::new(format!("{name}={value}")))
}

fn basic(
    user: Setting,
    password: Setting,
    variables: Variables<'_>,
) -> Result<HeaderValue, String> {
    let user = setting::read(user, variables)?;
    let password = setting::secret(password, variables)?;
    let pair = format!("{user}:{}", password.expose());
    // RFC 7617, 2: the first colon ends the user.
    if user.contains(':') || pair.chars().any(char::is_control) {
        return Err(
            "the user of HTTP Basic holds a colon, or user or password a control character"
                .to_owned(),
        );
    }
    let encoded = Secret::new(STANDARD.encode(pair));
    let value = encoded.header("Basic");
    value.ok_or_else(|| "the credentials of HTTP Basic cannot travel in a header".to_owned())
}
