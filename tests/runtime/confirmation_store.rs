//! Where used confirmations are recorded: in memory, and in a real Redis that stops, hangs, restarts and forgets.

use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::confirmation_sample::{Scene, agreed, call, catalog, code, is_done, question, round};
use crate::redis_server::RedisServer;
use crate::runtime::confirmation::Confirmations;
use crate::runtime::confirmation::memory_store::MemoryStore;
use crate::runtime::confirmation::settings::{ConfirmationSettings, KEYS};
use crate::runtime::confirmation::store::StoreFault;
use crate::sample::ANONYMOUS;

const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

fn id() -> Value {
    json!({"id": "ch_1"})
}

#[test]
fn memory_refuses_when_full_and_never_forgets_early() {
    let run = [7; 16];
    let store = MemoryStore::new(run, 3);
    let nonce = |n: u8| [n; 16];
    for n in 0..3 {
        assert_eq!(store.use_once(&nonce(n), &run, (0, 1000)), Ok(true));
        assert_eq!(store.use_once(&nonce(n), &run, (999, 1000)), Ok(false));
    }
    assert_eq!(
        store.use_once(&nonce(9), &run, (999, 2000)),
        Err(StoreFault::Full)
    );
    // Also a while after the end, for a clock that is set back.
    assert_eq!(store.use_once(&nonce(0), &run, (1000, 2000)), Ok(false));
    assert_eq!(store.use_once(&nonce(9), &run, (61_000, 70_000)), Ok(true));
    assert_eq!(
        store.use_once(&nonce(8), &[8; 16], (0, 1)),
        Err(StoreFault::OtherRun)
    );
}

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    settings: ConfirmationSettings,
}

fn settings(url: &str) -> ConfirmationSettings {
    Flags::parse_from(["server", "--confirmation-store", url]).settings
}

fn keys(name: &str) -> Option<String> {
    (name == KEYS).then(|| KEY.to_owned())
}

fn shared(url: &str) -> Confirmations {
    Confirmations::read(catalog(|_| {}), &settings(url), true, &keys).expect("confirmations")
}

/// Two replicas behind one Redis.
async fn two_replicas(redis: &RedisServer) -> Scene {
    let url = redis.url();
    Scene::start(catalog(|_| {}), [shared(&url), shared(&url)]).await
}

#[test]
fn a_server_that_others_reach_needs_a_key() {
    let read = |is_reachable: bool, variables: &dyn Fn(&str) -> Option<String>| {
        Confirmations::read(catalog(|_| {}), &settings(""), is_reachable, variables).err()
    };
    let none = |_: &str| None;
    let fault = read(true, &none).expect("refused");
    assert!(
        fault.contains(KEYS) && fault.contains("openssl rand"),
        "{fault}"
    );
    assert_eq!(read(false, &none), None);
    assert_eq!(read(true, &keys), None);
    let wrong = |_: &str| Some("hunter2".to_owned());
    let fault = read(false, &wrong).expect("refused");
    assert!(!fault.contains("hunter2"), "{fault}");
}

#[test]
fn a_wrong_address_is_told_without_its_password() {
    for url in [
        "http://:hunter2@x/",
        "redis://:hunter2@:x/",
        "rediss://:hunter2@x:1/",
    ] {
        let read = Confirmations::read(catalog(|_| {}), &settings(url), false, &keys);
        let fault = read.err().expect("refused");
        assert!(!fault.contains("hunter2"), "{fault}");
    }
    assert!(!format!("{:?}", settings("redis://:hunter2@x/")).contains("hunter2"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_resends_to_two_replicas_run_once() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let scene = two_replicas(&redis).await;
    let (_, state) = scene.ask(id()).await;
    let mut sending = JoinSet::new();
    for n in 0..100 {
        let service = scene.replicas[n % 2].0.clone();
        let params = agreed(&id(), &state);
        sending.spawn(async move { call(&service, &ANONYMOUS, params).await });
    }
    let answers = sending.join_all().await;
    let n_done = answers.iter().filter(|answer| is_done(answer)).count();
    assert_eq!((n_done, scene.n_cancelled()), (1, 1));
    let others = answers.iter().filter(|answer| !is_done(answer));
    assert!(
        others
            .clone()
            .all(|answer| code(answer) == "confirmation_replayed")
    );
    assert_eq!(others.count(), 99);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_stops_lets_nothing_run() {
    let Some(mut redis) = RedisServer::start() else {
        return;
    };
    let scene = two_replicas(&redis).await;
    let (_, state) = scene.ask(id()).await;
    redis.stop();
    for params in [agreed(&id(), &state), round(&id(), json!({}))] {
        let before = Instant::now();
        let answer = scene.call(params).await;
        assert_eq!(code(&answer), "confirmation_unavailable");
        assert!(before.elapsed() < Duration::from_secs(3));
    }
    assert_eq!(scene.n_cancelled(), 0);
    let lines = scene.events("tools/call");
    let cause = lines[1]["cause"].as_str().expect("a cause");
    assert!(
        cause.starts_with("the confirmation store failed") && !cause.contains("127.0"),
        "{cause}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_hangs_is_not_waited_for() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    let scene = two_replicas(&redis).await;
    let (_, state) = scene.ask(id()).await;
    redis.signal("STOP");
    let before = Instant::now();
    let answer = scene.call(agreed(&id(), &state)).await;
    let took = before.elapsed();
    redis.signal("CONT");
    assert_eq!(code(&answer), "confirmation_unavailable");
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert_eq!(scene.n_cancelled(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_forgot_refuses_what_came_before() {
    let Some(mut redis) = RedisServer::start() else {
        return;
    };
    for forget in ["restart", "flush"] {
        let scene = two_replicas(&redis).await;
        let (_, used) = scene.ask(id()).await;
        let (_, unused) = scene.ask(id()).await;
        assert!(is_done(&scene.call(agreed(&id(), &used)).await));
        match forget {
            "restart" => redis.restart(),
            _ => redis.run("FLUSHALL"),
        }
        for state in [&used, &unused] {
            let mut answer = scene.call(agreed(&id(), state)).await;
            // The first call may find that the connection is gone.
            for _ in 0..20 {
                if answer["error"].is_object() {
                    break;
                }
                assert_eq!(code(&answer), "confirmation_unavailable", "{forget}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                answer = scene.call(agreed(&id(), state)).await;
            }
            assert_eq!(answer["error"]["code"], -32602, "{forget}: {answer}");
        }
        let (_, fresh) = question(&scene.call(round(&id(), json!({}))).await);
        assert!(
            is_done(&scene.call(agreed(&id(), &fresh)).await),
            "{forget}"
        );
        assert_eq!(scene.n_cancelled(), 2, "{forget}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_may_evict_keys_is_refused() {
    let Some(redis) = RedisServer::start() else {
        return;
    };
    redis.run("CONFIG SET maxmemory 100mb");
    redis.run("CONFIG SET maxmemory-policy allkeys-lru");
    let scene = two_replicas(&redis).await;
    let answer = scene.call(round(&id(), json!({}))).await;
    assert_eq!(code(&answer), "confirmation_unavailable");
    redis.run("CONFIG SET maxmemory-policy noeviction");
    question(&scene.call(round(&id(), json!({}))).await);
}
