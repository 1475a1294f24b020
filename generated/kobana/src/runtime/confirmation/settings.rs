//! What confirmations are sealed with and where their use is recorded: settings → [`Confirmations`].

use clap::Args;

use crate::runtime::catalog::{Catalog, Kind, Tool};
use crate::runtime::confirmation::memory_store::{MAX_USES, MemoryStore};
use crate::runtime::confirmation::redis_store::RedisStore;
use crate::runtime::confirmation::state::Seals;
use crate::runtime::confirmation::store::Store;
use crate::runtime::secret::Secret;
use crate::runtime::setting::Variables;

/// Environment variable of the keys.
pub const KEYS: &str = "MCP_STATE_KEYS";

/// Where used confirmations are recorded.
#[derive(Args, Clone, Debug)]
pub struct ConfirmationSettings {
    /// Redis in which replicas record used confirmations, such as redis://127.0.0.1:6379/0; without it each process
    /// records its own. The keys that seal confirmations come from MCP_STATE_KEYS
    #[arg(long, env = "MCP_CONFIRMATION_STORE", hide_env_values = true, value_name = "URL", value_parser = secret)]
    pub confirmation_store: Option<Secret>,
}

/// Everything that confirmations share.
pub struct Confirmations {
    pub(super) seals: Seals,
    pub(super) store: Store,
}

impl Confirmations {
    /// Of this process alone: a key that nobody else has, and a record in memory.
    #[must_use]
    pub fn local() -> Self {
        let seals = Seals::random();
        Self {
            store: in_memory(&seals),
            seals,
        }
    }

    /// From settings and the environment. `is_reachable` says whether other machines can reach the server: then
    /// replicas may be behind one address, and a key of one process alone would refuse the answers of the others.
    ///
    /// # Errors
    /// A sentence for the operator when a key is missing or wrong, or the address of the store cannot be used.
    pub fn read(
        catalog: &Catalog,
        settings: &ConfirmationSettings,
        is_reachable: bool,
        variables: Variables<'_>,
    ) -> Result<Self, String> {
        let seals = match variables(KEYS).filter(|keys| !keys.is_empty()) {
            Some(keys) => Seals::read(&keys).map_err(|fault| format!("{KEYS}: {fault}"))?,
            None if is_reachable && asks(catalog) => {
                return Err(format!(
                    "other machines can reach this server and its destructive tools ask for confirmation, so {KEYS} \
                     must hold the key that seals them: `openssl rand -base64 32` makes one"
                ));
            }
            None => Seals::random(),
        };
        let url = settings.confirmation_store.as_ref();
        let url = url.filter(|url| !url.expose().is_empty());
        let store = match url {
            Some(url) => Store::Redis(RedisStore::new(url, catalog.name)?),
            None => in_memory(&seals),
        };
        Ok(Self { seals, store })
    }
}

/// Without random numbers nothing can be sealed, so that nothing comes back to be recorded.
fn in_memory(seals: &Seals) -> Store {
    Store::Memory(MemoryStore::new(
        seals.nonce().unwrap_or_default(),
        MAX_USES,
    ))
}

/// Whether a tool of the catalog can ask.
fn asks(catalog: &Catalog) -> bool {
    let is_asking = |tool: &Tool| tool.kind == Kind::Destructive && tool.confirm.is_some();
    !catalog.protocol.modern.is_empty() && catalog.tools.iter().any(is_asking)
}

/// The address of a store may hold a password. Any text is taken here: a message about it would show it.
fn secret(text: &str) -> Result<Secret, std::convert::Infallible> {
    Ok(Secret::new(text))
}
