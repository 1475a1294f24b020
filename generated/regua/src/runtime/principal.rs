//! Who calls: what a verified credential says of its bearer.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::runtime::secret::Secret;

/// Who calls. Made from a verified token, never from arguments or from what a client says of itself.
#[derive(Debug)]
pub struct Principal {
    /// The same for every token of the same bearer, and for nobody else: a digest of issuer, subject and account.
    /// Confirmations, cached credentials and limits are bound to it.
    pub key: [u8; 32],
    /// Account or organization.
    pub account: Option<String>,
    /// User.
    pub user: Option<String>,
    /// Public identifier of the token (`jti`).
    pub token_id: Option<String>,
    /// Kind of token, as [`crate::runtime::catalog::TokenMode::name`] has it.
    pub token_kind: Option<&'static str>,
    /// Membership, for the log.
    pub membership: Option<String>,
    /// Whether this kind of token may write at all.
    pub may_write: bool,
    /// Scopes of the token.
    pub scopes: BTreeSet<String>,
    /// Dashboard permissions of the user.
    pub permissions: BTreeSet<String>,
    /// Products of the account.
    pub products: BTreeSet<String>,
    /// Everything that the token or its judge said, for the conditions of the catalog.
    pub claims: Value,
    /// The token as it came; none where nobody is asked for one.
    pub token: Option<Secret>,
}

impl Principal {
    /// Whether nobody was asked who calls.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        self.key == [0; 32]
    }

    /// Whoever calls a server that asks nobody for credentials.
    #[must_use]
    pub fn anonymous() -> Self {
        Self {
            key: [0; 32],
            account: None,
            user: None,
            token_id: None,
            token_kind: None,
            membership: None,
            may_write: true,
            scopes: BTreeSet::new(),
            permissions: BTreeSet::new(),
            products: BTreeSet::new(),
            claims: Value::Null,
            token: None,
        }
    }
}
