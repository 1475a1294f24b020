//! What another server said: kept until shortly before it expires, and asked for once however many wait.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// What a slot is found by.
pub type Key = [u8; 32];

/// After this time without use a slot may go.
const GENERATION: Duration = Duration::from_secs(15 * 60);

/// An answer, and how long it holds.
#[derive(Clone, Debug)]
pub struct Timed<T> {
    /// The answer.
    pub value: T,
    /// How long it holds, where that is known.
    pub lifetime: Option<Duration>,
}

/// Why there is no answer.
pub trait Fault: Clone + Send + Sync + 'static {
    /// Until when this fault stands, where that is known; until then nobody asks again.
    fn until(&self) -> Option<Instant>;
    /// The request broke off.
    fn lost() -> Self;
    /// No answer came before the deadline of the one who waits.
    fn late() -> Self;
}

/// How long answers and faults are kept.
#[derive(Clone, Copy, Debug)]
pub struct Keeping {
    /// How long an answer is kept that does not say how long it holds.
    pub unknown: Duration,
    /// Longest time that an answer is kept.
    pub longest: Duration,
    /// How much of its time is left when another is asked for, in percent.
    pub early_percent: u32,
    /// The same at most.
    pub earliest: Duration,
    /// How long a fault is remembered that does not say until when it stands.
    pub fault_memory: Duration,
}

/// The place of one answer.
#[derive(Debug)]
pub struct Slot<T, F> {
    state: Mutex<State<T, F>>,
    keeping: Keeping,
}

type Outcome<T, F> = Result<T, F>;
type Flight<T, F> = watch::Receiver<Option<Outcome<T, F>>>;

#[derive(Debug)]
struct State<T, F> {
    kept: Option<Kept<T>>,
    /// The last fault, and until when it stands.
    fault: Option<(F, Instant)>,
    /// The request under way. Its sender is gone when it ended.
    flight: Option<Flight<T, F>>,
}

#[derive(Debug)]
struct Kept<T> {
    value: T,
    refresh_at: Instant,
    expires_at: Instant,
}

impl<T: Clone + Send + Sync + 'static, F: Fault> Slot<T, F> {
    /// An empty place.
    #[must_use]
    pub fn new(keeping: Keeping) -> Self {
        let state = State {
            kept: None,
            fault: None,
            flight: None,
        };
        Self {
            state: Mutex::new(state),
            keeping,
        }
    }

    /// The answer, asked for where there is none. The request runs on its own: whoever goes away does not stop it for
    /// those who wait beside it.
    ///
    /// # Errors
    /// The fault of the request, of one shortly before, or that it outlasts the deadline.
    pub async fn get<A>(
        self: &Arc<Self>,
        deadline: Instant,
        ask: impl FnOnce() -> A,
    ) -> Outcome<T, F>
    where
        A: Future<Output = Result<Timed<T>, F>> + Send + 'static,
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
            Ok(Ok(outcome)) => outcome.clone().unwrap_or_else(|| Err(F::lost())),
            Ok(Err(_)) => Err(F::lost()),
            Err(_) => Err(F::late()),
        }
    }

    /// Forgets an answer, unless another one has taken its place.
    pub fn forget(&self, is_it: impl FnOnce(&T) -> bool) {
        let mut state = self.lock();
        if state.kept.as_ref().is_some_and(|kept| is_it(&kept.value)) {
            state.kept = None;
        }
    }

    /// Has the answer asked for again by the next one who wants it; it stays in use where no other comes.
    pub fn doubt(&self) {
        if let Some(kept) = &mut self.lock().kept {
            kept.refresh_at = kept.refresh_at.min(Instant::now());
        }
    }

    fn keep(&self, asked: Result<Timed<T>, F>) -> Outcome<T, F> {
        let now = Instant::now();
        let keeping = &self.keeping;
        let mut state = self.lock();
        state.flight = None;
        match asked {
            Ok(answer) => {
                let lifetime = answer.lifetime.unwrap_or(keeping.unknown);
                let lifetime = lifetime.min(keeping.longest);
                let early = (lifetime * keeping.early_percent / 100).min(keeping.earliest);
                state.fault = None;
                state.kept = Some(Kept {
                    value: answer.value.clone(),
                    refresh_at: now + lifetime.saturating_sub(early),
                    expires_at: now + lifetime,
                });
                Ok(answer.value)
            }
            Err(fault) => {
                let until = fault.until().unwrap_or(now + keeping.fault_memory);
                state.fault = Some((fault.clone(), until));
                // One that is about to expire is better than none.
                state.alive(now).ok_or(fault)
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T, F>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone, F: Clone> State<T, F> {
    /// What is known without asking.
    fn known(&self, now: Instant) -> Option<Outcome<T, F>> {
        if let Some(kept) = self.kept.as_ref().filter(|kept| now < kept.refresh_at) {
            return Some(Ok(kept.value.clone()));
        }
        let (fault, _) = self.fault.as_ref().filter(|(_, until)| now < *until)?;
        Some(self.alive(now).ok_or_else(|| fault.clone()))
    }

    fn alive(&self, now: Instant) -> Option<T> {
        let kept = self.kept.as_ref().filter(|kept| now < kept.expires_at)?;
        Some(kept.value.clone())
    }

    fn running(&self) -> Option<Flight<T, F>> {
        let flight = self.flight.clone()?;
        // The sender of a request that panicked is gone.
        flight.has_changed().is_ok().then_some(flight)
    }
}

/// The places of many answers, a bounded number of them.
#[derive(Debug)]
pub struct Slots<T, F> {
    generations: Mutex<Generations<T, F>>,
    max: usize,
    keeping: Keeping,
}

type Table<T, F> = HashMap<Key, Arc<Slot<T, F>>>;

/// Slots in use, and those not used since the last turn: what the next turn finds there goes, so that neither a full
/// table nor an idle one has to be searched.
#[derive(Debug)]
struct Generations<T, F> {
    young: Table<T, F>,
    old: Table<T, F>,
    turned_at: Instant,
}

impl<T: Clone + Send + Sync + 'static, F: Fault> Slots<T, F> {
    /// No slots; at most `max` later.
    #[must_use]
    pub fn new(max: usize, keeping: Keeping) -> Self {
        Self {
            generations: Mutex::new(Generations {
                young: HashMap::new(),
                old: HashMap::new(),
                turned_at: Instant::now(),
            }),
            max,
            keeping,
        }
    }

    /// The slot of a key.
    #[must_use]
    pub fn slot(&self, key: Key) -> Arc<Slot<T, F>> {
        let mut all = self.lock();
        if let Some(slot) = all.young.get(&key) {
            return slot.clone();
        }
        if all.young.len() >= (self.max / 2).max(1) || all.turned_at.elapsed() > GENERATION {
            all.old = std::mem::take(&mut all.young);
            all.turned_at = Instant::now();
        }
        let slot = all.old.remove(&key);
        let slot = slot.unwrap_or_else(|| Arc::new(Slot::new(self.keeping)));
        all.young.insert(key, slot.clone());
        slot
    }

    /// How many slots there are.
    #[must_use]
    pub fn n_slots(&self) -> usize {
        let all = self.lock();
        all.young.len() + all.old.len()
    }

    fn lock(&self) -> MutexGuard<'_, Generations<T, F>> {
        self.generations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
