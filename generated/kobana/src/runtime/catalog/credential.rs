//! How the API is told who calls.

use super::Setting;

/// How the API is told who calls.
#[derive(Clone, Copy, Debug)]
pub enum Credential {
    /// It is not told, or by [`super::Upstream::headers`].
    None,
    /// The caller's own token, as `Authorization: Bearer`.
    Caller,
    /// One and the same for every caller.
    Fixed(&'static [FixedCredential]),
    /// A token of the server's own (RFC 6749, 4.4).
    ClientCredentials(TokenRequest),
    /// The caller's token is exchanged for one of the API (RFC 8693).
    TokenExchange(TokenRequest),
}

/// A credential from the operator's settings.
#[derive(Clone, Copy, Debug)]
pub enum FixedCredential {
    /// A header: lower-case name and value.
    Header(&'static str, Setting),
    /// A pair of the query.
    Query(&'static str, Setting),
    /// A cookie.
    Cookie(&'static str, Setting),
    /// HTTP Basic: user and password.
    Basic(Setting, Setting),
}

/// How a token is asked for.
#[derive(Clone, Copy, Debug)]
pub struct TokenRequest {
    /// Address of the token endpoint.
    pub url: Setting,
    /// Client id.
    pub client_id: Setting,
    /// Environment variable of the client secret.
    pub client_secret: &'static str,
    /// Scopes to ask for; empty: none is named.
    pub scope: &'static str,
    /// `audience`; empty: not sent.
    pub audience: &'static str,
    /// `resource` (RFC 8707); empty: not sent.
    pub resource: &'static str,
}

/// The certificate that the API is shown in the TLS handshake.
#[derive(Clone, Copy, Debug)]
pub struct ClientCertificate {
    /// Environment variable of the path of the PEM file with the certificate chain.
    pub certificate_file: &'static str,
    /// Environment variable of the path of the PEM file with the private key.
    pub key_file: &'static str,
}
