//! Places of tokens: one request however many wait, failures that are remembered, and how many there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::runtime::answer_cache::{Keeping, Key};
use crate::runtime::credential::{CredentialFault, Patience, Slot, Slots, Token};
use crate::runtime::secret::Secret;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

/// A server of tokens that live this long.
#[derive(Clone)]
struct Server {
    n_asked: Arc<AtomicUsize>,
    lifetime: Option<Duration>,
    pause: Duration,
}

impl Server {
    fn new(lifetime_ms: u64, pause_ms: u64) -> Self {
        Self {
            n_asked: Arc::default(),
            lifetime: Some(Duration::from_millis(lifetime_ms)),
            pause: Duration::from_millis(pause_ms),
        }
    }

    async fn give(self) -> Result<Token, CredentialFault> {
        let n_asked = self.n_asked.fetch_add(1, Ordering::SeqCst) + 1;
        sleep(self.pause).await;
        Ok(Token {
            value: Secret::new(format!("t{n_asked}")),
            lifetime: self.lifetime,
        })
    }

    async fn fail(self) -> Result<Token, CredentialFault> {
        self.n_asked.fetch_add(1, Ordering::SeqCst);
        Err(CredentialFault::new("down"))
    }

    fn n_asked(&self) -> usize {
        self.n_asked.load(Ordering::SeqCst)
    }
}

async fn get(slot: &Arc<Slot>, server: &Server) -> String {
    let token = slot.get(soon(), || server.clone().give()).await;
    token.expect("a token").expose().to_owned()
}

async fn fault(slot: &Arc<Slot>, server: &Server) -> Result<Secret, String> {
    let outcome = slot.get(soon(), || server.clone().fail()).await;
    outcome.map_err(CredentialFault::into_cause)
}

fn slot(failure_memory_ms: u64) -> Arc<Slot> {
    Arc::new(Slot::new(keeping(Duration::from_millis(failure_memory_ms))))
}

fn keeping(failure_memory: Duration) -> Keeping {
    let patience = Patience {
        failure_memory,
        ..Patience::USUAL
    };
    patience.keeping()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_who_wait_cause_one_request() {
    for lifetime_ms in [60_000, 0] {
        let (slot, server) = (slot(1000), Server::new(lifetime_ms, 100));
        let waiting: Vec<_> = (0..100)
            .map(|_| {
                let (slot, server) = (slot.clone(), server.clone());
                tokio::spawn(async move { get(&slot, &server).await })
            })
            .collect();
        for one in waiting {
            assert_eq!(one.await.expect("no panic"), "t1");
        }
        assert_eq!(server.n_asked(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_leaves_stops_nothing_and_one_that_waits_leaves_in_time() {
    let (slot, server) = (slot(1000), Server::new(60_000, 300));
    let leaving = {
        let (slot, server) = (slot.clone(), server.clone());
        tokio::spawn(async move { get(&slot, &server).await })
    };
    sleep(Duration::from_millis(50)).await;
    leaving.abort();
    let early = slot.get(Instant::now() + Duration::from_millis(50), || {
        server.clone().give()
    });
    let early = early.await.map_err(CredentialFault::into_cause);
    assert_eq!(
        early.err().as_deref(),
        Some("no token came before the deadline")
    );
    assert_eq!(get(&slot, &server).await, "t1");
    assert_eq!(server.n_asked(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_are_renewed_before_they_expire() {
    let (slot, server) = (slot(1000), Server::new(1000, 0));
    assert_eq!(get(&slot, &server).await, "t1");
    sleep(Duration::from_millis(300)).await;
    assert_eq!(get(&slot, &server).await, "t1");
    sleep(Duration::from_millis(650)).await;
    assert_eq!(get(&slot, &server).await, "t2");
    // One that is forgotten already is not forgotten again.
    slot.forget(|kept| kept.expose() == "t1");
    assert_eq!(get(&slot, &server).await, "t2");
    slot.forget(|kept| kept.expose() == "t2");
    assert_eq!(get(&slot, &server).await, "t3");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_is_remembered_for_a_while() {
    let (slot, server) = (slot(200), Server::new(60_000, 0));
    for _ in 0..5 {
        assert_eq!(fault(&slot, &server).await, Err("down".to_owned()));
    }
    assert_eq!(server.n_asked(), 1);
    sleep(Duration::from_millis(250)).await;
    assert_eq!(get(&slot, &server).await, "t2");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_serves_to_its_end_when_no_other_comes() {
    let (slot, server) = (slot(1000), Server::new(2000, 0));
    assert_eq!(get(&slot, &server).await, "t1");
    sleep(Duration::from_millis(1850)).await;
    let kept = fault(&slot, &server).await.expect("the old token");
    assert_eq!((kept.expose(), server.n_asked()), ("t1", 2));
    sleep(Duration::from_millis(200)).await;
    assert_eq!(fault(&slot, &server).await, Err("down".to_owned()));
    assert_eq!(server.n_asked(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_panics_blocks_nobody() {
    let (slot, server) = (slot(1000), Server::new(60_000, 0));
    let asking = || async { panic!("in the request") };
    let outcome = slot.get(soon(), asking).await;
    assert!(outcome.is_err());
    assert_eq!(get(&slot, &server).await, "t1");
}

#[test]
fn slots_are_bounded_and_the_ones_in_use_stay() {
    let slots = Slots::new(100, keeping(Duration::from_secs(1)));
    let key = |n: u32| {
        let mut key = Key::default();
        key[..4].copy_from_slice(&n.to_be_bytes());
        key
    };
    let first = slots.slot(key(0));
    for n in 1..10_000 {
        let other = slots.slot(key(n));
        assert!(!Arc::ptr_eq(&first, &other));
        assert!(Arc::ptr_eq(&other, &slots.slot(key(n))));
        assert!(Arc::ptr_eq(&first, &slots.slot(key(0))), "{n}");
        assert!(slots.n_slots() <= 100, "{}", slots.n_slots());
    }
    assert!(!format!("{:?}", slots).contains("Secret(t"));
}
