//! Used confirmations of one process: bounded, and never forgotten before their time.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

use crate::runtime::confirmation::store::StoreFault;

/// How much longer than its confirmation a use is kept, for a clock that is set back.
const KEEP_MS: u64 = 60_000;

/// How many uses are kept at once. A full store refuses; it does not forget.
pub const MAX_USES: usize = 100_000;

/// The uses of one process.
pub struct MemoryStore {
    run: [u8; 16],
    max_uses: usize,
    uses: Mutex<Uses>,
}

#[derive(Default)]
struct Uses {
    nonces: HashSet<[u8; 16]>,
    by_end: BTreeSet<(u64, [u8; 16])>,
}

impl MemoryStore {
    /// An empty store. `run` must differ from that of every earlier process.
    #[must_use]
    pub fn new(run: [u8; 16], max_uses: usize) -> Self {
        Self {
            run,
            max_uses,
            uses: Mutex::default(),
        }
    }

    /// Which run this is.
    #[must_use]
    pub fn run(&self) -> [u8; 16] {
        self.run
    }

    /// Records a use; false: it was used before.
    ///
    /// # Errors
    /// When the confirmation belongs to another run, or there is no room.
    pub fn use_once(
        &self,
        nonce: &[u8; 16],
        run: &[u8; 16],
        (now_ms, expires_ms): (u64, u64),
    ) -> Result<bool, StoreFault> {
        if *run != self.run {
            return Err(StoreFault::OtherRun);
        }
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        uses.forget_ended(now_ms);
        if uses.nonces.contains(nonce) {
            return Ok(false);
        }
        if uses.nonces.len() >= self.max_uses {
            return Err(StoreFault::Full);
        }
        uses.nonces.insert(*nonce);
        uses.by_end
            .insert((expires_ms.saturating_add(KEEP_MS), *nonce));
        Ok(true)
    }
}

impl Uses {
    /// A state is refused from its end on, so a use that ended can no longer be repeated.
    fn forget_ended(&mut self, now_ms: u64) {
        while let Some((end, nonce)) = self.by_end.first().copied() {
            if end > now_ms {
                return;
            }
            self.by_end.remove(&(end, nonce));
            self.nonces.remove(&nonce);
        }
    }
}
