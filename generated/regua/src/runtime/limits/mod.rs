//! How much one caller may ask in an hour: a request → let through, or refused for some time.
//!
//! The whole hour's amount may be used at once and comes back evenly (GCRA). Without a store that replicas share,
//! everything happens here and now; with one, the transport asks it between two readings of the message.

mod charge;
mod memory;
mod redis;
mod settings;

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use ring::digest::{SHA256, digest};

use crate::runtime::catalog::Limits;
use crate::runtime::log::Log;
use crate::runtime::metrics::Budget;
use crate::runtime::principal::Principal;

pub use charge::Toll;
pub use memory::MemoryLimiter;
pub use redis::RedisLimiter;
pub use settings::LimitSettings;

/// Within this time the amount of a budget comes back.
const PERIOD: Duration = Duration::from_secs(3600);

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallerKey([u8; 32]);

impl CallerKey {
    /// The principal; where nobody is asked who they are, the network address that the connection comes from. One
    /// IPv6 subscriber has at least a /64, which counts as one address.
    #[must_use]
    pub fn of(principal: &Principal, peer: Option<IpAddr>) -> Self {
        if !principal.is_anonymous() {
            return Self(principal.key);
        }
        let Some(peer) = peer else {
            return Self(principal.key);
        };
        let hashed = match peer.to_canonical() {
            IpAddr::V4(address) => digest(&SHA256, &address.octets()),
            IpAddr::V6(address) => {
                let [network @ .., _, _, _, _, _, _, _, _] = address.octets();
                digest(&SHA256, &network)
            }
        };
        let mut key = [0; 32];
        for (to, from) in key.iter_mut().zip(hashed.as_ref()) {
            *to = *from;
        }
        Self(key)
    }

    /// The bytes, evenly spread.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// What a limiter says about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may be answered.
    Allowed,
    /// The budget is used up; there is room again after this time.
    Over(Duration),
    /// The shared store must be asked.
    Ask,
}

/// The limits of one server.
pub struct RateLimiter {
    reads: Option<NonZeroU32>,
    writes: Option<NonZeroU32>,
    memory: MemoryLimiter,
    store: Option<RedisLimiter>,
}

impl RateLimiter {
    /// Limits that this process counts by itself.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let reads = NonZeroU32::new(limits.reads_per_hour);
        let writes = NonZeroU32::new(limits.writes_per_hour);
        Self {
            reads,
            writes,
            memory: MemoryLimiter::new(reads, writes),
            store: None,
        }
    }

    /// The same, counted in a store that replicas share.
    #[must_use]
    pub fn shared(self, store: RedisLimiter) -> Self {
        Self {
            store: Some(store),
            ..self
        }
    }

    /// Charges a request, or says that the store must be asked.
    #[must_use]
    pub fn check(&self, key: &CallerKey, budget: Budget, log: &Log) -> Verdict {
        match (self.amount(budget), &self.store) {
            (None, _) => Verdict::Allowed,
            (Some(_), Some(_)) => Verdict::Ask,
            (Some(_), None) => self.memory.check(key, budget, log),
        }
    }

    /// Charges a request in the shared store; where that cannot be reached in time, in this process.
    pub async fn ask(&self, key: &CallerKey, budget: Budget, log: &Log) -> Verdict {
        let (Some(amount), Some(store)) = (self.amount(budget), &self.store) else {
            return self.check(key, budget, log);
        };
        match store.check(key, budget, amount, log).await {
            Some(verdict) => verdict,
            None => self.memory.check(key, budget, log),
        }
    }

    fn amount(&self, budget: Budget) -> Option<NonZeroU32> {
        match budget {
            Budget::Read => self.reads,
            Budget::Write => self.writes,
        }
    }
}
