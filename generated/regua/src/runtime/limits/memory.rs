//! Counts requests in this process, in bounded memory.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::ShrinkableKeyedStateStore;
use governor::{Quota, RateLimiter};

use crate::runtime::limits::{CallerKey, PERIOD, Verdict};
use crate::runtime::log::{Level, Log};
use crate::runtime::metrics::Budget;

/// Parts of a table, each with a lock of its own.
const N_SHARDS: usize = 16;
/// Most callers in one part. Beyond them callers share one count for each part, until earlier ones are forgotten:
/// refusing them would let whoever has many addresses shut everybody else out.
const MAX_KEYS: usize = 8192;
/// How often callers whose whole budget has come back are forgotten, and the least time between two lines about it.
const SWEEP: Duration = Duration::from_secs(60);

/// The limiter of one budget.
type Limiter<C> = RateLimiter<CallerKey, Table, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// Counts each caller's requests.
pub struct MemoryLimiter<C: Clock = DefaultClock> {
    reads: Option<Limiter<C>>,
    writes: Option<Limiter<C>>,
    clock: C,
    started: Instant,
    /// Milliseconds after the start at which the next sweep is due.
    next_sweep: AtomicU64,
    has_overflowed: Arc<AtomicBool>,
}

impl MemoryLimiter {
    /// A limiter with these amounts in an hour; none: no limit.
    #[must_use]
    pub fn new(reads: Option<NonZeroU32>, writes: Option<NonZeroU32>) -> Self {
        Self::with_clock(reads, writes, DefaultClock::default(), MAX_KEYS)
    }
}

impl<C: Clock + Clone> MemoryLimiter<C> {
    /// The same with another clock, and another number of callers in each part of the table.
    #[must_use]
    pub fn with_clock(
        reads: Option<NonZeroU32>,
        writes: Option<NonZeroU32>,
        clock: C,
        max_keys: usize,
    ) -> Self {
        let has_overflowed = Arc::<AtomicBool>::default();
        let limiter = |amount: Option<NonZeroU32>| {
            let table = Table {
                shards: std::array::from_fn(|_| Mutex::default()),
                max_keys,
                has_overflowed: has_overflowed.clone(),
            };
            Some(RateLimiter::new(quota(amount?)?, table, clock.clone()))
        };
        Self {
            reads: limiter(reads),
            writes: limiter(writes),
            started: Instant::now(),
            next_sweep: AtomicU64::new(millis(SWEEP)),
            clock,
            has_overflowed,
        }
    }

    /// Charges a request.
    #[must_use]
    pub fn check(&self, key: &CallerKey, budget: Budget, log: &Log) -> Verdict {
        let limiter = match budget {
            Budget::Read => &self.reads,
            Budget::Write => &self.writes,
        };
        let Some(limiter) = limiter else {
            return Verdict::Allowed;
        };
        self.sweep_when_due(log);
        match limiter.check_key(key) {
            Ok(()) => Verdict::Allowed,
            Err(until) => Verdict::Over(until.wait_time_from(self.clock.now())),
        }
    }

    /// How many callers are known.
    #[must_use]
    pub fn n_keys(&self) -> usize {
        let both = [&self.reads, &self.writes];
        both.into_iter().flatten().map(RateLimiter::len).sum()
    }

    /// Forgets callers whose whole budget has come back, and says whether callers had to share a count.
    pub fn sweep(&self) -> bool {
        for limiter in [&self.reads, &self.writes].into_iter().flatten() {
            limiter.retain_recent();
        }
        self.has_overflowed.swap(false, Ordering::Relaxed)
    }

    fn sweep_when_due(&self, log: &Log) {
        let now = millis(self.started.elapsed());
        let due = self.next_sweep.load(Ordering::Relaxed);
        if now < due {
            return;
        }
        let next = now.saturating_add(millis(SWEEP));
        let order = Ordering::Relaxed;
        // Of those that see that it is due, one does it.
        let is_ours = self.next_sweep.compare_exchange(due, next, order, order);
        if is_ours.is_ok() && self.sweep() {
            let message = "more callers than there is room for: some shared one budget";
            log.message(Level::Warn, "rate-limit-keys-full", message);
        }
    }
}

/// None where the amount is too large to divide an hour by.
fn quota(amount: NonZeroU32) -> Option<Quota> {
    Quota::with_period(PERIOD / amount.get()).map(|quota| quota.allow_burst(amount))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// When each caller's budget is whole again, in a bounded number of entries.
struct Table {
    shards: [Mutex<Shard>; N_SHARDS],
    max_keys: usize,
    has_overflowed: Arc<AtomicBool>,
}

#[derive(Default)]
struct Shard {
    callers: HashMap<CallerKey, Nanos>,
    /// The one count of everybody for whom there is no room.
    others: Option<Nanos>,
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StateStore for Table {
    type Key = CallerKey;

    fn measure_and_replace<T, F, E>(&self, key: &CallerKey, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let [first, ..] = key.bytes();
        let mut shard = lock(&self.shards[usize::from(*first) % N_SHARDS]);
        if let Some(known) = shard.callers.get_mut(key) {
            let (outcome, next) = measure(Some(*known))?;
            *known = next;
            return Ok(outcome);
        }
        if shard.callers.len() < self.max_keys {
            let (outcome, next) = measure(None)?;
            shard.callers.insert(*key, next);
            return Ok(outcome);
        }
        self.has_overflowed.store(true, Ordering::Relaxed);
        let (outcome, next) = measure(shard.others)?;
        shard.others = Some(next);
        Ok(outcome)
    }
}

impl ShrinkableKeyedStateStore<CallerKey> for Table {
    fn retain_recent(&self, drop_below: Nanos) {
        for mut shard in self.shards.iter().map(lock) {
            shard.callers.retain(|_, known| *known >= drop_below);
        }
    }

    fn len(&self) -> usize {
        let shards = self.shards.iter().map(lock);
        shards.map(|shard| shard.callers.len()).sum()
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
