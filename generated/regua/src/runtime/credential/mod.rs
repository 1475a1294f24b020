//! Tells the API who calls: the credential of the catalog and the caller → headers, cookies and query of a request.
//!
//! It acts after the hooks of the server's owner, which therefore never see a token, and only on requests that still
//! go where the catalog sends them.

pub mod client_certificate;
pub mod fixed;
pub mod token_client;

use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use http::header::AUTHORIZATION;
use ring::digest;
use tokio::time::Instant;

use crate::runtime::answer_cache::{self, Fault, Keeping, Key, Timed};
use crate::runtime::catalog::{Credential, Upstream};
use crate::runtime::client::Client;
use crate::runtime::credential::fixed::FixedCredentials;
use crate::runtime::credential::token_client::TokenClient;
use crate::runtime::hooks::ApiRequest;
use crate::runtime::principal::Principal;
use crate::runtime::secret::Secret;
use crate::runtime::setting::Variables;

/// Most callers whose exchanged tokens are kept.
const MAX_CALLERS: usize = 10_000;

/// A token that a server gave out, and how long it lives.
pub type Token = Timed<Secret>;
/// The place of one token.
pub type Slot = answer_cache::Slot<Secret, CredentialFault>;
/// The places of many.
pub type Slots = answer_cache::Slots<Secret, CredentialFault>;

/// How long a token server may take, and how long its failure is remembered.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From the first byte sent to the last byte read.
    pub deadline: Duration,
    /// For this long a failed request is not repeated.
    pub failure_memory: Duration,
}

impl Patience {
    /// What servers use.
    pub const USUAL: Self = Self {
        deadline: Duration::from_secs(10),
        failure_memory: Duration::from_secs(10),
    };

    /// How long tokens are kept. A part of a token's time is left unused at its end, so that none expires on its way.
    #[must_use]
    pub fn keeping(self) -> Keeping {
        Keeping {
            unknown: Duration::from_secs(300),
            longest: Duration::from_secs(24 * 60 * 60),
            early_percent: 10,
            earliest: Duration::from_secs(60),
            fault_memory: self.failure_memory,
        }
    }
}

/// Why a request has no credential. The text is for the operator; no token or address is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CredentialFault {
    cause: String,
    until: Option<Instant>,
}

impl CredentialFault {
    /// A fault with its cause in words.
    #[must_use]
    pub fn new(cause: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            until: None,
        }
    }

    /// The same fault, which is known to stand until then.
    #[must_use]
    pub fn standing_until(self, until: Instant) -> Self {
        Self {
            until: Some(until),
            ..self
        }
    }

    /// The cause, for the log.
    #[must_use]
    pub fn into_cause(self) -> String {
        self.cause
    }
}

impl Fault for CredentialFault {
    fn until(&self) -> Option<Instant> {
        self.until
    }

    fn lost() -> Self {
        Self::new("the request for a token broke off")
    }

    fn late() -> Self {
        Self::new("no token came before the deadline")
    }
}

/// The credentials of one server.
pub struct Credentials {
    kind: Kind,
}

enum Kind {
    None,
    Caller,
    Fixed(FixedCredentials),
    Own(Arc<TokenClient>, Arc<Slot>),
    Exchanged(Arc<TokenClient>, Slots),
}

/// What a request was given. The token behind it is forgotten when the API refuses it.
#[derive(Debug, Default)]
pub struct Ticket(Option<(Arc<Slot>, Secret)>);

impl Ticket {
    /// The API answered 401: the next call asks for another token. This call is over; it is never sent again.
    pub fn refuse(self) {
        if let Some((slot, token)) = self.0 {
            slot.forget(|kept| *kept == token);
        }
    }
}

impl Credentials {
    /// Reads what the catalog names from the operator's settings. Nothing is connected yet.
    ///
    /// # Errors
    /// A sentence for the operator that names the setting at fault.
    pub fn read(
        upstream: &Upstream,
        client: &Client,
        variables: Variables<'_>,
        patience: Patience,
    ) -> Result<Self, String> {
        let kind = match upstream.credential {
            Credential::None => Kind::None,
            Credential::Caller => Kind::Caller,
            Credential::Fixed(fixed) => Kind::Fixed(FixedCredentials::read(fixed, variables)?),
            Credential::ClientCredentials(request) => {
                let client = TokenClient::read(request, client.clone(), variables, patience)?;
                let slot = Slot::new(patience.keeping());
                Kind::Own(Arc::new(client), Arc::new(slot))
            }
            Credential::TokenExchange(request) => {
                let client = TokenClient::read(request, client.clone(), variables, patience)?;
                let slots = Slots::new(MAX_CALLERS, patience.keeping());
                Kind::Exchanged(Arc::new(client), slots)
            }
        };
        Ok(Self { kind })
    }

    /// Puts the caller's credential on a request, and waits for one until the deadline where a server gives it out.
    ///
    /// # Errors
    /// When there is none. The request must then not be sent.
    pub async fn apply(
        &self,
        principal: &Principal,
        request: &mut ApiRequest,
        deadline: Instant,
    ) -> Result<Ticket, CredentialFault> {
        let (slot, token) = match &self.kind {
            Kind::None => return Ok(Ticket::default()),
            Kind::Fixed(fixed) => return fixed.apply(request).map(|()| Ticket::default()),
            Kind::Caller => {
                if let Some(token) = &principal.token {
                    set_bearer(request, token)?;
                }
                return Ok(Ticket::default());
            }
            Kind::Own(client, slot) => {
                let client = client.clone();
                let asking = || async move { client.own().await };
                (slot.clone(), slot.get(deadline, asking).await?)
            }
            Kind::Exchanged(client, slots) => {
                let subject = principal.token.clone();
                let subject = subject
                    .ok_or_else(|| CredentialFault::new("the caller has no token to exchange"))?;
                let slot = slots.slot(key(principal, &subject));
                let client = client.clone();
                let asking = || async move { client.exchange(&subject).await };
                let token = slot.get(deadline, asking).await?;
                (slot, token)
            }
        };
        set_bearer(request, &token)?;
        Ok(Ticket(Some((slot, token))))
    }
}

/// Whose exchanged token it is. The token alone would do; with the principal, no mistake elsewhere can mix two up.
fn key(principal: &Principal, token: &Secret) -> Key {
    let mut context = digest::Context::new(&digest::SHA256);
    context.update(&principal.key);
    context.update(token.expose().as_bytes());
    let mut key = Key::default();
    key.copy_from_slice(context.finish().as_ref());
    key
}

fn set_bearer(request: &mut ApiRequest, token: &Secret) -> Result<(), CredentialFault> {
    let value = token.header("Bearer");
    let value = value.ok_or_else(|| CredentialFault::new("the token cannot travel in a header"))?;
    request.headers.insert(AUTHORIZATION, value);
    Ok(())
}

/// Whether two addresses have scheme, host and port in common (RFC 6454, 4).
#[must_use]
pub fn is_same_origin(one: &Uri, other: &Uri) -> bool {
    match (origin(one), origin(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

fn origin(uri: &Uri) -> Option<(bool, String, u16)> {
    let is_secure = match uri.scheme_str()? {
        "https" => true,
        "http" => false,
        _ => return None,
    };
    let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
    Some((is_secure, uri.host()?.to_ascii_lowercase(), port))
}
