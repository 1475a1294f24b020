//! The state of a question: sealed, so that a client can carry it and cannot make or change one.
//!
//! HMAC-SHA256 over a fixed layout (MCP 2026-07-28, basic, patterns, "MRTR": state that influences what is done must be
//! protected, bound to the caller and the call, and short-lived). It holds digests alone, nothing to be read.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

const VERSION: u8 = 1;
const N_KEY_ID: usize = 4;
const N_BODY: usize = 1 + N_KEY_ID + 8 + 16 + 16 + 2 + 3 * 32;
const N_TAG: usize = 32;
/// Length of a key in bytes, at least (RFC 2104, 3: no shorter than the digest).
const MIN_KEY: usize = 32;

/// What a question was about, and until when it may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// End of its life, in milliseconds since the epoch.
    pub expires_ms: u64,
    /// Different for every question.
    pub nonce: [u8; 16],
    /// The run of the store that will record its use.
    pub run: [u8; 16],
    /// Index of the language of the question.
    pub locale: u16,
    /// Digest of tool and arguments.
    pub call: [u8; 32],
    /// [`crate::runtime::principal::Principal::key`] of the caller.
    pub principal: [u8; 32],
    /// Digest of the question as it was shown.
    pub question: [u8; 32],
}

/// What a state must match.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// Now, in milliseconds since the epoch.
    pub now_ms: u64,
    /// Index of the language of the request.
    pub locale: u16,
    /// Digest of tool and arguments.
    pub call: [u8; 32],
    /// Key of the caller.
    pub principal: [u8; 32],
}

/// Why a state is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsealed {
    /// It is not one of ours.
    Malformed,
    /// It was sealed with a key that this server does not have.
    UnknownKey,
    /// It was altered.
    Altered,
    /// Its time is over.
    Expired,
    /// It belongs to another tool or other arguments.
    OtherCall,
    /// It was given to someone else.
    OtherCaller,
    /// The question was put in another language.
    OtherLocale,
    /// The store has forgotten what was used before it was given out.
    OtherRun,
}

impl Unsealed {
    /// The word for the log.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::UnknownKey => "unknown-key",
            Self::Altered => "altered",
            Self::Expired => "expired",
            Self::OtherCall => "other-call",
            Self::OtherCaller => "other-caller",
            Self::OtherLocale => "other-locale",
            Self::OtherRun => "other-run",
        }
    }

    /// The sentence for the client. It tells nothing that would help to make another state.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Expired => "requestState has expired: call the tool again without it",
            _ => "requestState is not valid for this call: call the tool again without it",
        }
    }
}

/// The keys of a server: the first seals, every one opens.
pub struct Seals {
    keys: Vec<Seal>,
    random: SystemRandom,
}

struct Seal {
    id: [u8; N_KEY_ID],
    key: hmac::Key,
}

impl Seal {
    fn new(secret: &[u8]) -> Self {
        let digest = ring::digest::digest(&ring::digest::SHA256, secret);
        let mut id = [0; N_KEY_ID];
        id.copy_from_slice(&digest.as_ref()[..N_KEY_ID]);
        Self {
            id,
            key: hmac::Key::new(hmac::HMAC_SHA256, secret),
        }
    }
}

impl Seals {
    /// One key that no other process has; none where the system gives no random numbers: then nothing can be asked.
    #[must_use]
    pub fn random() -> Self {
        let random = SystemRandom::new();
        let mut secret = [0; MIN_KEY];
        let filled = random.fill(&mut secret);
        Self {
            keys: filled.map_or_else(|_| Vec::new(), |()| vec![Seal::new(&secret)]),
            random,
        }
    }

    /// Keys from a text: standard Base64 of at least 32 bytes each, separated by commas.
    ///
    /// # Errors
    /// A sentence for the operator that says which one is wrong; never a part of it.
    pub fn read(text: &str) -> Result<Self, String> {
        let keys = text.split(',').enumerate().map(|(index, key)| {
            let secret = STANDARD.decode(key.trim()).ok();
            let secret = secret.filter(|secret| secret.len() >= MIN_KEY);
            let secret = secret.ok_or_else(|| {
                format!(
                    "key {} is not Base64 of {MIN_KEY} bytes or more; `openssl rand -base64 {MIN_KEY}` makes one",
                    index + 1
                )
            })?;
            Ok(Seal::new(&secret))
        });
        Ok(Self {
            keys: keys.collect::<Result<_, String>>()?,
            random: SystemRandom::new(),
        })
    }

    /// A fresh nonce; none when the system gives no random numbers.
    #[must_use]
    pub fn nonce(&self) -> Option<[u8; 16]> {
        let mut nonce = [0; 16];
        self.random.fill(&mut nonce).ok().map(|()| nonce)
    }

    /// The text of a state.
    #[must_use]
    pub fn seal(&self, state: &State) -> String {
        let Some(seal) = self.keys.first() else {
            return String::new();
        };
        let mut bytes = Vec::with_capacity(N_BODY + N_TAG);
        bytes.push(VERSION);
        bytes.extend_from_slice(&seal.id);
        bytes.extend_from_slice(&state.expires_ms.to_be_bytes());
        bytes.extend_from_slice(&state.nonce);
        bytes.extend_from_slice(&state.run);
        bytes.extend_from_slice(&state.locale.to_be_bytes());
        bytes.extend_from_slice(&state.call);
        bytes.extend_from_slice(&state.principal);
        bytes.extend_from_slice(&state.question);
        let tag = hmac::sign(&seal.key, &bytes);
        bytes.extend_from_slice(tag.as_ref());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a state back. Nothing of it is believed before its seal is checked, in constant time.
    ///
    /// # Errors
    /// Why it is not accepted.
    pub fn open(&self, text: &str, expected: &Expected) -> Result<State, Unsealed> {
        let bytes = URL_SAFE_NO_PAD
            .decode(text)
            .map_err(|_| Unsealed::Malformed)?;
        let (body, tag) = bytes
            .split_at_checked(N_BODY)
            .filter(|(_, tag)| tag.len() == N_TAG)
            .ok_or(Unsealed::Malformed)?;
        if body.first() != Some(&VERSION) {
            return Err(Unsealed::Malformed);
        }
        let mut with_id = self
            .keys
            .iter()
            .filter(|seal| body[1..].starts_with(&seal.id))
            .peekable();
        with_id.peek().ok_or(Unsealed::UnknownKey)?;
        if !with_id.any(|seal| hmac::verify(&seal.key, body, tag).is_ok()) {
            return Err(Unsealed::Altered);
        }
        let state = read(body).ok_or(Unsealed::Malformed)?;
        check(&state, expected)?;
        Ok(state)
    }
}

fn check(state: &State, expected: &Expected) -> Result<(), Unsealed> {
    if state.principal != expected.principal {
        Err(Unsealed::OtherCaller)
    } else if state.call != expected.call {
        Err(Unsealed::OtherCall)
    } else if state.locale != expected.locale {
        Err(Unsealed::OtherLocale)
    } else if state.expires_ms <= expected.now_ms {
        Err(Unsealed::Expired)
    } else {
        Ok(())
    }
}

fn read(body: &[u8]) -> Option<State> {
    let mut rest = body.get(1 + N_KEY_ID..)?;
    Some(State {
        expires_ms: u64::from_be_bytes(take(&mut rest)?),
        nonce: take(&mut rest)?,
        run: take(&mut rest)?,
        locale: u16::from_be_bytes(take(&mut rest)?),
        call: take(&mut rest)?,
        principal: take(&mut rest)?,
        question: take(&mut rest)?,
    })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*first)
}
