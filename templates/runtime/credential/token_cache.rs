//! Tokens that a server gave out: kept until shortly before they expire, and asked for once however many wait.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::runtime::credential::CredentialFault;
use crate::runtime::secret::Secret;

/// What a slot is found by.
pub type Key = [u8; 32];

/// How long a token is kept whose server does not say how long it lives.
const UNKNOWN_LIFETIME: Duration = Duration::from_secs(300);
/// Longest time that a token is kept.
const MAX_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// Most of a token's time that is left unused at its end, so that none expires on its way.
const MAX_MARGIN: Duration = Duration::from_secs(60);
/// After this time without use a slot may go.
const GENERATION: Duration = Duration::from_secs(15 * 60);

/// A token that a server gave out.
#[derive(Clone, Debug)]
pub struct Token {
    /// The token.
    pub secret: Secret,
    /// How long it lives, where the server says so.
    pub lifetime: Option<Duration>,
}

type Outcome = Result<Secret, CredentialFault>;

/// The place of one token.
#[derive(Debug)]
pub struct Slot {
    state: Mutex<State>,
    failure_memory: Duration,
}

#[derive(Debug, Default)]
struct State {
    kept: Option<Kept>,
    /// The last failure, and until when it stands.
    failure: Option<(CredentialFault, Instant)>,
    /// The request under way. Its sender is gone when it ended.
    flight: Option<watch::Receiver<Option<Outcome>>>,
}

#[derive(Debug)]
struct Kept {
    secret: Secret,
    refresh_at: Instant,
    expires_at: Instant,
}

impl Slot {
    /// An empty place that remembers a failure for this long.
    #[must_use]
    pub fn new(failure_memory: Duration) -> Self {
        Self {
            state: Mutex::default(),
            failure_memory,
        }
    }

    /// The token, asked for where there is none. The request runs on its own: a caller that goes away does not stop
    /// it for those who wait beside it.
    ///
    /// # Errors
    /// The fault of the request, of one shortly before, or that it outlasts the deadline.
    pub async fn get<F>(self: &Arc<Self>, deadline: Instant, ask: impl FnOnce() -> F) -> Outcome
    where
        F: Future<Output = Result<Token, CredentialFault>> + Send + 'static,
    {
        let mut flight = {
            let mut state = self.lock();
            if let Some(outcome) = state.known(Instant::now()) {
                return outcome;
            }
            match state.running() {
                Some(flight) => flight,
                None => {
                    let (sender, receiver) = watch::channel(None);
                    state.flight = Some(receiver.clone());
                    let (slot, asking) = (self.clone(), ask());
                    tokio::spawn(async move {
                        let outcome = slot.keep(asking.await);
                        // Nobody may be waiting any more.
                        let _ = sender.send(Some(outcome));
                    });
                    receiver
                }
            }
        };
        match timeout_at(deadline, flight.wait_for(Option::is_some)).await {
            Ok(Ok(outcome)) => outcome.clone().unwrap_or_else(|| Err(lost())),
            Ok(Err(_)) => Err(lost()),
            Err(_) => Err(CredentialFault::new("no token came before the deadline")),
        }
    }

    /// Forgets this token, unless another one has taken its place.
    pub fn forget(&self, refused: &Secret) {
        let mut state = self.lock();
        if state
            .kept
            .as_ref()
            .is_some_and(|kept| kept.secret == *refused)
        {
            state.kept = None;
        }
    }

    fn keep(&self, asked: Result<Token, CredentialFault>) -> Outcome {
        let now = Instant::now();
        let mut state = self.lock();
        state.flight = None;
        match asked {
            Ok(token) => {
                let lifetime = token.lifetime.unwrap_or(UNKNOWN_LIFETIME).min(MAX_LIFETIME);
                let margin = (lifetime / 10).min(MAX_MARGIN);
                state.failure = None;
                state.kept = Some(Kept {
                    secret: token.secret.clone(),
                    refresh_at: now + (lifetime - margin),
                    expires_at: now + lifetime,
                });
                Ok(token.secret)
            }
            Err(fault) => {
                let until = fault.until().unwrap_or(now + self.failure_memory);
                state.failure = Some((fault.clone(), until));
                // A token that is about to expire is better than none.
                state.alive(now).ok_or(fault)
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What is known without asking.
    fn known(&self, now: Instant) -> Option<Outcome> {
        if let Some(kept) = self.kept.as_ref().filter(|kept| now < kept.refresh_at) {
            return Some(Ok(kept.secret.clone()));
        }
        let (fault, _) = self.failure.as_ref().filter(|(_, until)| now < *until)?;
        Some(self.alive(now).ok_or_else(|| fault.clone()))
    }

    fn alive(&self, now: Instant) -> Option<Secret> {
        let kept = self.kept.as_ref().filter(|kept| now < kept.expires_at)?;
        Some(kept.secret.clone())
    }

    fn running(&self) -> Option<watch::Receiver<Option<Outcome>>> {
        let flight = self.flight.clone()?;
        // The sender of a request that panicked is gone.
        flight.has_changed().is_ok().then_some(flight)
    }
}

fn lost() -> CredentialFault {
    CredentialFault::new("the request for a token broke off")
}

/// The places of many tokens, a bounded number of them.
#[derive(Debug)]
pub struct Slots {
    generations: Mutex<Generations>,
    max: usize,
    failure_memory: Duration,
}

/// Slots in use, and those not used since the last turn: what the next turn finds there goes, so that neither a full
/// table nor an idle one has to be searched.
#[derive(Debug)]
struct Generations {
    young: HashMap<Key, Arc<Slot>>,
    old: HashMap<Key, Arc<Slot>>,
    turned_at: Instant,
}

impl Slots {
    /// No slots; at most `max` later.
    #[must_use]
    pub fn new(max: usize, failure_memory: Duration) -> Self {
        Self {
            generations: Mutex::new(Generations {
                young: HashMap::new(),
                old: HashMap::new(),
                turned_at: Instant::now(),
            }),
            max,
            failure_memory,
        }
    }

    /// The slot of a key.
    #[must_use]
    pub fn slot(&self, key: Key) -> Arc<Slot> {
        let mut all = self.lock();
        if let Some(slot) = all.young.get(&key) {
            return slot.clone();
        }
        if all.young.len() >= (self.max / 2).max(1) || all.turned_at.elapsed() > GENERATION {
            all.old = std::mem::take(&mut all.young);
            all.turned_at = Instant::now();
        }
        let slot = all.old.remove(&key);
        let slot = slot.unwrap_or_else(|| Arc::new(Slot::new(self.failure_memory)));
        all.young.insert(key, slot.clone());
        slot
    }

    /// How many slots there are.
    #[must_use]
    pub fn n_slots(&self) -> usize {
        let all = self.lock();
        all.young.len() + all.old.len()
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.generations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
