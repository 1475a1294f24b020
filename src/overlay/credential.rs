//! Overlay section about how the API is told who calls.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

/// How the API is told who calls. In a value, `{env:NAME}` is an environment variable; a secret never stands in a file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Credential {
    /// The caller's own token, as `Authorization: Bearer`.
    Caller,
    /// Headers by name.
    Header(IndexMap<String, String>),
    /// Pairs of the query by name.
    Query(IndexMap<String, String>),
    /// Cookies by name.
    Cookie(IndexMap<String, String>),
    /// HTTP Basic.
    Basic(BasicCredential),
    /// A token of the server's own (OAuth 2.0 client credentials, RFC 6749, 4.4).
    ClientCredentials(TokenRequest),
    /// The caller's token exchanged for one of the API (RFC 8693).
    TokenExchange(TokenRequest),
}

/// User and password of HTTP Basic.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BasicCredential {
    /// The user.
    pub user: String,
    /// The password.
    pub password: EnvName,
}

/// How a token is asked for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Address of the token endpoint: `https`, or `http` on this machine.
    pub url: String,
    /// Client id.
    pub client_id: String,
    /// Client secret.
    pub client_secret: EnvName,
    /// Scopes to ask for, with blanks between them.
    #[serde(default)]
    pub scope: String,
    /// `audience`.
    #[serde(default)]
    pub audience: String,
    /// `resource` (RFC 8707).
    #[serde(default)]
    pub resource: String,
}

/// An environment variable by name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnvName {
    /// The name, such as `SHOP_SECRET`.
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*$"))]
    pub env: String,
}

/// The certificate that the API is shown in the TLS handshake; both are paths of PEM files.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientCertificate {
    /// The certificate, and those that vouch for it.
    pub certificate_file: EnvName,
    /// Its private key.
    pub key_file: EnvName,
}
