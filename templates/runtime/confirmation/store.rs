//! Where used confirmations are recorded, so that none runs twice.

use crate::runtime::confirmation::memory_store::MemoryStore;
use crate::runtime::confirmation::redis_store::RedisStore;

/// Why a use could not be recorded. Nothing may be executed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreFault {
    /// The store does not answer, or not in time; the text is for the operator.
    Unavailable(String),
    /// There is no room: forgetting an older use would let it run again.
    Full,
    /// It is not the run of the store that the confirmation belongs to: it may have forgotten earlier uses.
    OtherRun,
}

/// A record of used confirmations.
pub enum Store {
    /// Of this process alone.
    Memory(MemoryStore),
    /// Shared between replicas.
    Redis(RedisStore),
}

impl Store {
    /// Which run of the store this is: it changes whenever the store may have forgotten something.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn run(&self) -> Result<[u8; 16], StoreFault> {
        match self {
            Self::Memory(store) => Ok(store.run()),
            Self::Redis(store) => store.run().await,
        }
    }

    /// Records a use; false: it was used before. `now_ms` and `expires_ms` are milliseconds since the epoch.
    ///
    /// # Errors
    /// When it is not certain that the use is recorded.
    pub async fn use_once(
        &self,
        nonce: &[u8; 16],
        run: &[u8; 16],
        (now_ms, expires_ms): (u64, u64),
    ) -> Result<bool, StoreFault> {
        match self {
            Self::Memory(store) => store.use_once(nonce, run, (now_ms, expires_ms)),
            Self::Redis(store) => store.use_once(nonce, run, (now_ms, expires_ms)).await,
        }
    }
}
