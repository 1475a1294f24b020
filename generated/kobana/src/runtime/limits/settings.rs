//! Settings of the limits.

use clap::Args;

use crate::runtime::catalog::{Catalog, Limits};
use crate::runtime::limits::{RateLimiter, RedisLimiter};
use crate::runtime::secret::Secret;

/// How many calls may run at once where neither the settings nor the catalog say.
const CONCURRENT_CALLS: u32 = 1024;

/// How much callers may ask, in place of what the catalog says.
#[derive(Args, Clone, Debug)]
pub struct LimitSettings {
    /// How many requests that read one caller may send in an hour; 0: no limit
    #[arg(
        long,
        env = "MCP_READS_PER_HOUR",
        hide_env_values = true,
        value_name = "N"
    )]
    pub reads_per_hour: Option<u32>,

    /// How many calls of tools that write one caller may send in an hour; 0: no limit
    #[arg(
        long,
        env = "MCP_WRITES_PER_HOUR",
        hide_env_values = true,
        value_name = "N"
    )]
    pub writes_per_hour: Option<u32>,

    /// Redis in which replicas count requests together, such as redis://127.0.0.1:6379/0; without it each counts by
    /// itself
    #[arg(long, env = "MCP_RATE_LIMIT_STORE", hide_env_values = true, value_name = "URL", value_parser = secret)]
    pub rate_limit_store: Option<Secret>,

    /// How many tool calls may run at once; more are refused
    #[arg(long, env = "MCP_MAX_CONCURRENT_CALLS", hide_env_values = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_concurrent_calls: Option<u32>,

    /// How many connections may be open at once; more are closed
    #[arg(long, env = "MCP_MAX_CONNECTIONS", hide_env_values = true, default_value_t = 4096, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,
}

impl LimitSettings {
    /// The rate limits of a server. Must be called where tasks can be started.
    ///
    /// # Errors
    /// A sentence for the operator when the address of the store cannot be used.
    pub fn rate_limiter(&self, catalog: &Catalog) -> Result<RateLimiter, String> {
        let limits = Limits {
            reads_per_hour: self.reads_per_hour.unwrap_or(catalog.limits.reads_per_hour),
            writes_per_hour: self
                .writes_per_hour
                .unwrap_or(catalog.limits.writes_per_hour),
            ..catalog.limits
        };
        let limiter = RateLimiter::new(limits);
        match &self.rate_limit_store {
            Some(url) if !url.expose().is_empty() => {
                Ok(limiter.shared(RedisLimiter::new(url, catalog.name)?))
            }
            _ => Ok(limiter),
        }
    }

    /// How many calls may run at once.
    #[must_use]
    pub fn n_places(&self, catalog: &Catalog) -> u32 {
        match (self.max_concurrent_calls, catalog.limits.concurrent_calls) {
            (Some(set), _) => set,
            (None, 0) => CONCURRENT_CALLS,
            (None, known) => known,
        }
    }
}

/// The address of a store may hold a password. Any text is taken here: a message about it would show it.
fn secret(text: &str) -> Result<Secret, std::convert::Infallible> {
    Ok(Secret::new(text))
}
