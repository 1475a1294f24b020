//! How much one caller may ask: budgets, what pays from which, refusals, and a Redis that replicas share.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use governor::clock::FakeRelativeClock;
use serde_json::{Value, json};

use crate::confirmation_sample::{self, agreed, round};
use crate::redis_server::RedisServer;
use crate::runtime::catalog::{Catalog, Limits};
use crate::runtime::limits::{CallerKey, MemoryLimiter, RateLimiter, RedisLimiter, Verdict};
use crate::runtime::log::{Level, Log};
use crate::runtime::metrics::Budget;
use crate::runtime::principal::Principal;
use crate::runtime::secret::Secret;
use crate::sample::{self, Server};

fn limits(reads_per_hour: u32, writes_per_hour: u32) -> Limits {
    Limits {
        reads_per_hour,
        writes_per_hour,
        concurrent_calls: 0,
    }
}

fn limited(limits: Limits) -> &'static Catalog {
    sample::catalog(|catalog| catalog.limits = limits)
}

fn silent() -> Log {
    Log::to_sink(Level::Error, Box::new(|_| {}))
}

fn key(byte: u8) -> CallerKey {
    let principal = Principal {
        key: [byte; 32],
        ..Principal::anonymous()
    };
    CallerKey::of(&principal, None)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_the_budget_is_429_until_there_is_room() {
    let server = Server::start(limited(limits(2, 0))).await;
    for _ in 0..2 {
        assert_eq!(server.modern("tools/list", json!({})).await.status, 200);
    }
    let refused = server.modern("tools/call", json!({"name": "now"})).await;
    assert_eq!(refused.status, 429, "{}", refused.body);
    let wait = refused.head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("retry-after").then_some(value)
    });
    let wait: u64 = wait.expect("retry-after").trim().parse().expect("seconds");
    assert!((1700..=1800).contains(&wait), "{wait}");
    assert_eq!(server.calls()[0]["result"], "rate_limited");
    // Whoever asks must be able to find out whom it talks to.
    let free = server.modern("server/discover", json!({})).await;
    assert_eq!(free.status, 200);
    assert_eq!(server.legacy("ping", json!({})).await.status, 200);
    assert_eq!(server.api.n_requests(), 0);
}

#[tokio::test]
async fn a_question_is_a_read_and_what_may_run_is_a_write() {
    let catalog = confirmation_sample::catalog(|catalog| catalog.limits = limits(0, 1));
    let scene = confirmation_sample::Scene::one(catalog).await;
    let arguments = json!({"id": "ch_1"});
    let states: Vec<String> = {
        let mut states = Vec::new();
        for _ in 0..3 {
            states.push(scene.ask(arguments.clone()).await.1);
        }
        states
    };
    let done = scene.call(agreed(&arguments, &states[0])).await;
    assert!(confirmation_sample::is_done(&done));
    let refused = scene.events("tools/call").len();
    assert_eq!(refused, 4);
    assert_eq!(scene.n_cancelled(), 1);
    // The next write is refused before anything happens; another question is not.
    let service = &scene.replicas[0].0;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": agreed(&arguments, &states[1])});
    let reply = confirmation_sample::reply(service, &sample::ANONYMOUS, None, &body).await;
    assert!(format!("{reply:?}").contains("RateLimit"), "{reply:?}");
    scene.call(round(&arguments, json!({}))).await;
    assert_eq!(scene.n_cancelled(), 1);
}

#[test]
fn each_caller_has_budgets_of_their_own() {
    let limiter = RateLimiter::new(limits(2, 1));
    let log = silent();
    for caller in [key(1), key(2)] {
        for (budget, n) in [(Budget::Read, 2), (Budget::Write, 1)] {
            for _ in 0..n {
                assert_eq!(limiter.check(&caller, budget, &log), Verdict::Allowed);
            }
            let over = limiter.check(&caller, budget, &log);
            assert!(matches!(over, Verdict::Over(_)), "{over:?}");
        }
    }
}

#[test]
fn callers_without_names_are_told_apart_by_address() {
    let of = |address: &str| {
        CallerKey::of(
            &Principal::anonymous(),
            Some(address.parse().expect("an address")),
        )
    };
    assert_eq!(of("192.0.2.1"), of("::ffff:192.0.2.1"));
    assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
    assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
}

#[test]
fn many_callers_take_bounded_room_until_their_budgets_are_whole_again() {
    let clock = FakeRelativeClock::default();
    let limiter = MemoryLimiter::with_clock(NonZeroU32::new(1), None, clock.clone(), 4);
    let log = silent();
    let allowed = |callers: std::ops::Range<u8>| {
        let verdicts = callers.map(|n| limiter.check(&key(n), Budget::Read, &log));
        verdicts
            .filter(|verdict| *verdict == Verdict::Allowed)
            .count()
    };
    // 16 parts of 4 callers each; the others share one count in each part.
    assert_eq!(allowed(0..64), 64);
    assert_eq!(limiter.n_keys(), 64);
    assert_eq!(allowed(64..255), 16);
    assert_eq!(limiter.n_keys(), 64);
    assert!(limiter.sweep(), "the operator is told");
    clock.advance(Duration::from_secs(7201));
    assert!(!limiter.sweep());
    assert_eq!(limiter.n_keys(), 0);
    assert_eq!(allowed(100..164), 64);
}

fn shared(redis: &RedisServer) -> RateLimiter {
    let url = Secret::new(redis.url());
    let store = RedisLimiter::new(&url, "sample").expect("a store");
    RateLimiter::new(limits(10, 0)).shared(store)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_share_a_budget_and_count_alone_without_their_store() {
    let Some(mut redis) = RedisServer::start() else {
        return;
    };
    let (log, replicas) = (silent(), [shared(&redis), shared(&redis)]);
    let mut n_allowed = 0;
    for n in 0..30 {
        let verdict = replicas[n % 2].ask(&key(1), Budget::Read, &log).await;
        n_allowed += usize::from(verdict == Verdict::Allowed);
    }
    assert_eq!(n_allowed, 10);
    redis.stop();
    let before = Instant::now();
    for replica in &replicas {
        let mut verdicts = Vec::new();
        for _ in 0..12 {
            verdicts.push(replica.ask(&key(2), Budget::Read, &log).await);
        }
        let n_allowed = verdicts
            .iter()
            .filter(|verdict| **verdict == Verdict::Allowed);
        assert_eq!(n_allowed.count(), 10);
    }
    assert!(before.elapsed() < Duration::from_secs(5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limited_server_asks_its_store() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let catalog = confirmation_sample::catalog(|_| {});
    let scene = confirmation_sample::Scene::one(catalog).await;
    let url = Secret::new(redis.url());
    let store = RedisLimiter::new(&url, "sample").expect("a store");
    let limiter = RateLimiter::new(limits(1, 0)).shared(store);
    let service = scene.unlimited().limited_by(limiter);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let ask = async || confirmation_sample::reply(&service, &sample::ANONYMOUS, None, &list).await;
    let first: Value = confirmation_sample::body(ask().await);
    assert!(first["result"]["tools"].is_array(), "{first}");
    assert!(format!("{:?}", ask().await).contains("RateLimit"));
}
