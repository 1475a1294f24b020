//! How the API is told who calls, decided.

/// A setting of the operator, in pieces.
pub type Setting = Vec<SettingPart>;

/// A piece of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingPart {
    /// Text.
    Literal(String),
    /// Environment variable.
    Env(String),
}

/// How the API is told who calls.
#[derive(Clone, Debug, Default)]
pub enum Credential {
    /// It is not told.
    #[default]
    None,
    /// The caller's own token.
    Caller,
    /// One for every caller.
    Fixed(Vec<FixedCredential>),
    /// A token of the server's own.
    ClientCredentials(TokenRequest),
    /// The caller's token, exchanged.
    TokenExchange(TokenRequest),
}

/// A credential from the operator's settings.
#[derive(Clone, Debug)]
pub enum FixedCredential {
    /// Lower-case name and value.
    Header(String, Setting),
    /// Name and value.
    Query(String, Setting),
    /// Name and value.
    Cookie(String, Setting),
    /// User and password.
    Basic(Setting, Setting),
}

/// How a token is asked for.
#[derive(Clone, Debug)]
pub struct TokenRequest {
    /// Address.
    pub url: Setting,
    /// Client id.
    pub client_id: Setting,
    /// Environment variable.
    pub client_secret: String,
    /// May be empty.
    pub scope: String,
    /// May be empty.
    pub audience: String,
    /// May be empty.
    pub resource: String,
}
