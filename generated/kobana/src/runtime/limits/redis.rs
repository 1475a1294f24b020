//! Counts requests in a Redis that replicas share: one script for each request, by the clock of Redis.

use std::fmt::Write;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisError, Script};
use tokio::time::timeout;

use crate::runtime::limits::{CallerKey, PERIOD, Verdict};
use crate::runtime::log::{Level, Log};
use crate::runtime::metrics::Budget;
use crate::runtime::secret::Secret;

/// Longest time that one check may take.
const TIME_LIMIT: Duration = Duration::from_millis(300);
/// How long a store that failed is left alone, so that not every request waits for it.
const REST: Duration = Duration::from_secs(1);
/// Least time between two lines about a store that fails.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// The generic cell rate algorithm. The key holds when the caller's budget is whole again, in microseconds since 1970,
/// and expires then. Returns 0, or the microseconds to wait. A clock that was set back costs one period at most.
const GCRA: &str = r"
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local each, whole = tonumber(ARGV[1]), tonumber(ARGV[2])
local full_at = tonumber(redis.call('GET', KEYS[1]) or now)
full_at = math.min(math.max(full_at, now), now + whole)
local next_full = full_at + each
local wait = next_full - whole - now
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.2f', next_full), 'PX', math.ceil((next_full - now) / 1000))
return 0
";

/// Counts each caller's requests over all replicas.
pub struct RedisLimiter {
    connections: ConnectionManager,
    script: Script,
    /// Begins every key, so that servers can share a Redis.
    prefix: String,
    started: Instant,
    /// Milliseconds after the start until which the store is left alone.
    rests_until: AtomicU64,
    /// Milliseconds after the start until which nothing more is logged about it.
    silent_until: AtomicU64,
}

impl RedisLimiter {
    /// A limiter of the server with this name. Nothing is connected before the first check.
    ///
    /// # Errors
    /// A sentence for the operator when the address cannot be used; it does not repeat it, since it may hold a password.
    pub fn new(url: &Secret, server: &str) -> Result<Self, String> {
        let fault = |error: RedisError| {
            let category = error.category();
            format!(
                "the address of the rate limit store cannot be used ({category}): write redis://host:port/0"
            )
        };
        let client = Client::open(url.expose()).map_err(fault)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(TIME_LIMIT))
            .set_response_timeout(Some(TIME_LIMIT))
            // Another request tries again soon enough.
            .set_number_of_retries(1);
        let connections = ConnectionManager::new_lazy_with_config(client, config).map_err(fault)?;
        Ok(Self {
            connections,
            script: Script::new(GCRA),
            prefix: format!("mcp:rate:{server}:"),
            started: Instant::now(),
            rests_until: AtomicU64::new(0),
            silent_until: AtomicU64::new(0),
        })
    }

    /// Charges a request against this amount in an hour; none: the store did not answer in time.
    pub async fn check(
        &self,
        key: &CallerKey,
        budget: Budget,
        amount: NonZeroU32,
        log: &Log,
    ) -> Option<Verdict> {
        let now = self.now();
        if now < self.rests_until.load(Ordering::Relaxed) {
            return None;
        }
        let whole = PERIOD.as_micros();
        let each = PERIOD.as_secs_f64() * 1e6 / f64::from(amount.get());
        let mut invocation = self.script.key(self.key(key, budget));
        invocation.arg(each).arg(whole.to_string());
        let mut connections = self.connections.clone();
        let asking = invocation.invoke_async::<u64>(&mut connections);
        let cause = match timeout(TIME_LIMIT, asking).await {
            Ok(Ok(0)) => return Some(Verdict::Allowed),
            Ok(Ok(wait_us)) => return Some(Verdict::Over(Duration::from_micros(wait_us))),
            Ok(Err(error)) => error.category().to_owned(),
            Err(_) => "no answer in time".to_owned(),
        };
        self.rests_until
            .store(self.now() + millis(REST), Ordering::Relaxed);
        self.tell(&cause, log);
        None
    }

    fn key(&self, key: &CallerKey, budget: Budget) -> String {
        let mut text = String::with_capacity(self.prefix.len() + 72);
        text.push_str(&self.prefix);
        text.push_str(budget.name());
        text.push(':');
        for byte in key.bytes() {
            // Writing into memory has no way to fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    fn tell(&self, cause: &str, log: &Log) {
        let (now, order) = (self.now(), Ordering::Relaxed);
        let until = self.silent_until.load(order);
        let next = now + millis(BETWEEN_LINES);
        if now < until
            || self
                .silent_until
                .compare_exchange(until, next, order, order)
                .is_err()
        {
            return;
        }
        let message = format!("each process counts by itself: {cause}");
        log.message(Level::Warn, "rate-limit-store-down", &message);
    }

    fn now(&self) -> u64 {
        millis(self.started.elapsed())
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
