//! How callers prove who they are, and what is read of them.

use super::{AccessCheck, Condition, RefusalKind};

/// A setting of the operator: text with values of environment variables in it, read once at start.
#[derive(Clone, Copy, Debug)]
pub struct Setting(pub &'static [SettingPart]);

/// A piece of a [`Setting`].
#[derive(Clone, Copy, Debug)]
pub enum SettingPart {
    /// Text from the overlay.
    Literal(&'static str),
    /// The value of an environment variable. Unset: the server does not start.
    Env(&'static str),
}

/// How callers prove who they are.
#[derive(Debug)]
pub struct Auth {
    /// Judges of tokens, tried in order: the first that knows a token by its prefix or its issuer decides.
    pub verifiers: &'static [Verifier],
    /// Where the facts about a caller stand.
    pub claims: Claims,
    /// Kinds of token, first match wins; a token of no kind is refused where there are any.
    pub modes: &'static [TokenMode],
    /// Who is refused before the message is read, in order.
    pub denials: &'static [Denial],
    /// What is checked before a tool runs, in order.
    pub checks: &'static [AccessCheck],
    /// How a shortage of scope is told.
    pub shortage: ScopeShortage,
    /// Whether lists leave out what the caller cannot use.
    pub hides_out_of_reach: bool,
    /// Address of this server as clients know it (RFC 9728 `resource`); `--public-url` takes its place.
    pub resource: Option<Setting>,
    /// Issuers of tokens, for RFC 9728 `authorization_servers`.
    pub authorization_servers: &'static [Setting],
    /// Every scope that something here needs, for RFC 9728 `scopes_supported`.
    pub scopes: &'static [&'static str],
    /// Environment variable of the token that stdio acts with; HTTP never reads it.
    pub stdio_token: Option<&'static str>,
}

/// A judge of tokens.
#[derive(Clone, Copy, Debug)]
pub enum Verifier {
    /// A JSON Web Token (RFC 7519) with a signature.
    Jwt(JwtVerifier),
    /// The authorization server is asked (RFC 7662).
    Introspection(Introspection),
    /// An operation of the API answers for the token.
    Operation(OperationVerifier),
}

/// How a JSON Web Token is checked.
#[derive(Clone, Copy, Debug)]
pub struct JwtVerifier {
    /// `iss`, exactly.
    pub issuer: Setting,
    /// `aud`: one of these must be named.
    pub audiences: &'static [Setting],
    /// Accepted algorithms; `none` is not among them.
    pub algorithms: &'static [JwtAlgorithm],
    /// Where the key comes from.
    pub key: JwtKey,
    /// Allowed difference of clocks, in seconds, 0 to 300.
    pub leeway_s: u64,
}

/// A signature algorithm (RFC 7518, 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JwtAlgorithm {
    /// HMAC with SHA-256.
    HS256,
    /// HMAC with SHA-384.
    HS384,
    /// HMAC with SHA-512.
    HS512,
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    RS256,
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    RS384,
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    RS512,
    /// RSASSA-PSS with SHA-256.
    PS256,
    /// RSASSA-PSS with SHA-384.
    PS384,
    /// RSASSA-PSS with SHA-512.
    PS512,
    /// ECDSA on P-256 with SHA-256.
    ES256,
    /// ECDSA on P-384 with SHA-384.
    ES384,
    /// Ed25519.
    EdDSA,
}

/// Where the key of a signature comes from.
#[derive(Clone, Copy, Debug)]
pub enum JwtKey {
    /// A JSON Web Key Set (RFC 7517) at this address.
    Jwks(Setting),
    /// A secret shared with the issuer, in an environment variable: its bytes as they stand, or `base64:` and Base64.
    Secret(&'static str),
}

/// How an authorization server is asked about a token (RFC 7662).
#[derive(Clone, Copy, Debug)]
pub struct Introspection {
    /// Address of the introspection endpoint.
    pub url: Setting,
    /// Client id of this server, for HTTP Basic.
    pub client_id: Setting,
    /// Environment variable of the client secret.
    pub client_secret: &'static str,
    /// `iss` of the answer, exactly.
    pub issuer: Setting,
    /// `aud` of the answer: one of these must be named.
    pub audiences: &'static [Setting],
    /// Prefix of the tokens that this judge knows; empty: every token that no other judge knows.
    pub prefix: &'static str,
    /// Longest time in seconds that an answer is kept, however long the token lives.
    pub max_cache_s: u64,
}

/// How an operation of the API answers for a token.
#[derive(Clone, Copy, Debug)]
pub struct OperationVerifier {
    /// Path below the API's base address; called with GET and the token as `Authorization: Bearer`.
    pub path: &'static str,
    /// What an answer other than 2xx means; a status that is not here: 401 refuses the token, any other is no answer.
    pub statuses: &'static [(u16, RefusalKind)],
    /// Prefix of the tokens that this judge knows; empty: every token that no other judge knows.
    pub prefix: &'static str,
    /// How long an answer is kept, in seconds.
    pub cache_s: u64,
}

/// Where the facts about a caller stand: JSON pointers (RFC 6901) into the claims of the token, or into what the
/// authorization server or the API answered. Empty: not known.
#[derive(Clone, Copy, Debug)]
pub struct Claims {
    /// Who the token speaks for; with issuer and account it is what confirmations are bound to.
    pub subject: &'static str,
    /// Account or organization.
    pub account: &'static str,
    /// User.
    pub user: &'static str,
    /// Public identifier of the token.
    pub token_id: &'static str,
    /// Scopes: a text with spaces or a list.
    pub scopes: &'static str,
    /// Dashboard permissions: a text with spaces or a list.
    pub permissions: &'static str,
    /// Products: a text with spaces or a list.
    pub products: &'static str,
    /// Membership, for the log.
    pub membership: &'static str,
    /// Networks (CIDR) that the caller must come from: a list; absent: any.
    pub addresses: &'static str,
}

/// One kind of token.
#[derive(Clone, Copy, Debug)]
pub struct TokenMode {
    /// What the log calls it, such as `oauth`.
    pub name: &'static str,
    /// How it is told from the others.
    pub when: ModeMatch,
    /// Whether its bearers may write.
    pub may_write: bool,
}

/// How a kind of token is told from the others.
#[derive(Clone, Copy, Debug)]
pub enum ModeMatch {
    /// Every token.
    Always,
    /// It begins so.
    Prefix(&'static str),
    /// This holds of its claims.
    Claims(Condition),
}

/// Who is refused before the message is read.
#[derive(Clone, Copy, Debug)]
pub struct Denial {
    /// When this holds.
    pub when: Condition,
    /// How: [`RefusalKind::Account`] or [`RefusalKind::Organization`].
    pub refusal: RefusalKind,
}

/// How a shortage of scope is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeShortage {
    /// As a tool error with the check's code.
    ToolError,
    /// As HTTP 403 with an `insufficient_scope` challenge (RFC 6750, 3.1), so that a client can ask for more.
    Challenge,
}
