//! Used confirmations in a Redis that replicas share: one script each, atomic, within a time limit.
//!
//! A Redis that restarts, fails over or is flushed may have forgotten uses. Its run (the server's `run_id`, and a key of
//! ours that never expires) is part of each confirmation, so that those from before are refused.

use std::fmt::Write;
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisError, Script, ScriptInvocation};
use tokio::time::timeout;

use crate::runtime::confirmation::store::StoreFault;
use crate::runtime::secret::Secret;

/// Longest time that one operation may take.
const TIME_LIMIT: Duration = Duration::from_secs(1);
/// How much longer than its confirmation a use is kept, for clocks that differ.
const KEEP_MS: u64 = 60_000;

/// Gives the run. A Redis that may throw keys away when it is full cannot keep uses: it is refused.
const RUN: &str = r"
local memory = redis.call('INFO', 'memory')
local limit = string.match(memory, 'maxmemory:(%d+)')
local policy = string.match(memory, 'maxmemory_policy:(%S+)')
if limit ~= '0' and policy ~= 'noeviction' then return 'evicts' end
redis.call('SET', KEYS[1], ARGV[1], 'NX')
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
return string.sub(redis.sha1hex(server .. redis.call('GET', KEYS[1])), 1, 32)
";

/// Records a use within a run: 1 first, 0 again, -1 another run.
const USE: &str = r"
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local epoch = redis.call('GET', KEYS[1])
if not epoch then return -1 end
if string.sub(redis.sha1hex(server .. epoch), 1, 32) ~= ARGV[1] then return -1 end
if redis.call('SET', KEYS[2], 1, 'NX', 'PX', ARGV[2]) then return 1 end
return 0
";

/// The uses of every replica of a server.
pub struct RedisStore {
    connections: ConnectionManager,
    run: Script,
    use_once: Script,
    /// Begins every key; the braces keep them on one node of a cluster.
    prefix: String,
}

impl RedisStore {
    /// A store of the server with this name. Nothing is connected before it is first asked.
    ///
    /// # Errors
    /// A sentence for the operator when the address cannot be used; it does not repeat it, since it may hold a password.
    pub fn new(url: &Secret, server: &str) -> Result<Self, String> {
        let fault = |error: RedisError| {
            let category = error.category();
            format!(
                "the address of the confirmation store cannot be used ({category}): write redis://host:port/0"
            )
        };
        let client = Client::open(url.expose()).map_err(fault)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(TIME_LIMIT))
            .set_response_timeout(Some(TIME_LIMIT))
            .set_number_of_retries(1);
        Ok(Self {
            connections: ConnectionManager::new_lazy_with_config(client, config).map_err(fault)?,
            run: Script::new(RUN),
            use_once: Script::new(USE),
            prefix: format!("mcp:confirmation:{{{server}}}:"),
        })
    }

    /// Which run of the Redis this is.
    ///
    /// # Errors
    /// When it does not answer in time, or may forget.
    pub async fn run(&self) -> Result<[u8; 16], StoreFault> {
        let mut invocation = self.run.key(self.epoch());
        invocation.arg(uuid::Uuid::new_v4().to_string());
        let answer: String = self.ask(&invocation).await?;
        read_hex(&answer).ok_or_else(|| {
            StoreFault::Unavailable(
                "the store may forget: set maxmemory-policy to noeviction".to_owned(),
            )
        })
    }

    /// Records a use; false: it was used before.
    ///
    /// # Errors
    /// When it is not certain that the use is recorded.
    pub async fn use_once(
        &self,
        nonce: &[u8; 16],
        run: &[u8; 16],
        (now_ms, expires_ms): (u64, u64),
    ) -> Result<bool, StoreFault> {
        let mut invocation = self.use_once.key(self.epoch());
        invocation.key(format!("{}used:{}", self.prefix, hex(nonce)));
        invocation.arg(hex(run));
        invocation.arg(expires_ms.saturating_sub(now_ms).saturating_add(KEEP_MS));
        match self.ask::<i64>(&invocation).await? {
            1 => Ok(true),
            0 => Ok(false),
            _ => Err(StoreFault::OtherRun),
        }
    }

    fn epoch(&self) -> String {
        format!("{}epoch", self.prefix)
    }

    async fn ask<T: redis::FromRedisValue>(
        &self,
        invocation: &ScriptInvocation<'_>,
    ) -> Result<T, StoreFault> {
        let mut connections = self.connections.clone();
        match timeout(TIME_LIMIT, invocation.invoke_async(&mut connections)).await {
            Ok(Ok(answer)) => Ok(answer),
            // The category alone: a message may hold an address.
            Ok(Err(error)) => Err(StoreFault::Unavailable(error.category().to_owned())),
            Err(_) => Err(StoreFault::Unavailable("no answer in time".to_owned())),
        }
    }
}

fn hex(bytes: &[u8; 16]) -> String {
    let mut text = String::with_capacity(32);
    for byte in bytes {
        // Writing into memory has no way to fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn read_hex(text: &str) -> Option<[u8; 16]> {
    let number = u128::from_str_radix(text, 16).ok()?;
    (text.len() == 32).then(|| number.to_be_bytes())
}
