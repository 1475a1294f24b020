//! Counts what the server does, for whoever watches it: events → numbers that `/metrics` shows.
//!
//! Every label value comes from the catalog or from this program, so no client can make more of them. Counting is an
//! addition to an atomic number: no lock, no allocation.

mod calls;
mod exposition;
mod histogram;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use crate::runtime::catalog::{Catalog, RefusalKind};
use crate::runtime::metrics::calls::CallCounts;

pub use exposition::Format;

/// HTTP statuses that are counted one by one.
const STATUSES: std::ops::Range<u16> = 100..600;

/// The numbers of one server.
#[derive(Debug)]
pub struct Metrics {
    catalog: &'static Catalog,
    calls: CallCounts,
    upstream: Arc<UpstreamCounts>,
    confirmations: [AtomicU64; ConfirmationEnd::ALL.len()],
    refusals: [AtomicU64; REFUSAL_KINDS.len()],
    rate_limited: [AtomicU64; Budget::ALL.len()],
    connections: AtomicI64,
    refused_connections: AtomicU64,
}

/// What came of a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmationEnd {
    /// The question was put.
    Asked,
    /// A person agreed, and the call may run.
    Confirmed,
    /// A person declined or closed the question.
    Declined,
    /// A confirmation was used a second time.
    Replayed,
    /// It could not be recorded, so that nothing was executed.
    Unavailable,
    /// What came back was not what was given out, or nobody could be asked.
    Refused,
}

impl ConfirmationEnd {
    const ALL: [Self; 6] = [
        Self::Asked,
        Self::Confirmed,
        Self::Declined,
        Self::Replayed,
        Self::Unavailable,
        Self::Refused,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Confirmed => "confirmed",
            Self::Declined => "declined",
            Self::Replayed => "replayed",
            Self::Unavailable => "unavailable",
            Self::Refused => "refused",
        }
    }
}

/// What a request is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Lists, prompts, resources, calls of tools that read, and questions.
    Read,
    /// Calls of tools that write.
    Write,
}

impl Budget {
    const ALL: [Self; 2] = [Self::Read, Self::Write];

    /// The word for it in metrics, logs and the keys of a store.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

const REFUSAL_KINDS: [(RefusalKind, &str); 16] = [
    (RefusalKind::Host, "host"),
    (RefusalKind::Origin, "origin"),
    (RefusalKind::Path, "path"),
    (RefusalKind::Method, "method"),
    (RefusalKind::BodyTooLarge, "body_too_large"),
    (RefusalKind::ContentType, "content_type"),
    (RefusalKind::Accept, "accept"),
    (RefusalKind::BodyTimeout, "body_timeout"),
    (RefusalKind::Overloaded, "overloaded"),
    (RefusalKind::Credentials, "credentials"),
    (RefusalKind::Account, "account"),
    (RefusalKind::Address, "address"),
    (RefusalKind::Organization, "organization"),
    (RefusalKind::Scope, "scope"),
    (RefusalKind::RateLimit, "rate_limit"),
    (RefusalKind::AuthorizationServer, "authorization_server"),
];

/// Answers of the API by status.
#[derive(Debug)]
pub struct UpstreamCounts {
    by_status: Box<[AtomicU64]>,
    without: AtomicU64,
}

impl UpstreamCounts {
    /// No answers yet.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            by_status: STATUSES.map(|_| AtomicU64::new(0)).collect(),
            without: AtomicU64::new(0),
        })
    }

    /// Counts an answer; none: the API was asked and did not answer.
    pub fn count(&self, status: Option<u16>) {
        let counted = status.and_then(|status| {
            let index = status.checked_sub(STATUSES.start)?;
            self.by_status.get(usize::from(index))
        });
        add_one(counted.unwrap_or(&self.without));
    }
}

/// A connection that is open; it counts as closed when this is dropped.
#[derive(Debug)]
pub struct OpenConnection(Arc<Metrics>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Zero everywhere.
    #[must_use]
    pub fn new(catalog: &'static Catalog, upstream: Arc<UpstreamCounts>) -> Self {
        Self {
            catalog,
            calls: CallCounts::new(catalog),
            upstream,
            confirmations: std::array::from_fn(|_| AtomicU64::new(0)),
            refusals: std::array::from_fn(|_| AtomicU64::new(0)),
            rate_limited: std::array::from_fn(|_| AtomicU64::new(0)),
            connections: AtomicI64::new(0),
            refused_connections: AtomicU64::new(0),
        }
    }

    /// Counts a call that ran: the tool's place in the catalog, `ok` or the code of its error, and how long it took.
    pub fn call(&self, tool: usize, outcome: &str, took: Duration) {
        self.calls.count(Some(tool), outcome);
        self.calls.observe(tool, took);
    }

    /// Counts a call that did not run; none: no tool has the name that was asked for.
    pub fn refused_call(&self, tool: Option<usize>, outcome: &str) {
        self.calls.count(tool, outcome);
    }

    /// Counts a step of a confirmation.
    pub fn confirmation(&self, end: ConfirmationEnd) {
        let known = ConfirmationEnd::ALL.iter().position(|known| *known == end);
        if let Some(count) = known.and_then(|index| self.confirmations.get(index)) {
            add_one(count);
        }
    }

    /// Counts a request that was refused before it was answered.
    pub fn refusal(&self, kind: RefusalKind) {
        let known = REFUSAL_KINDS.iter().position(|(known, _)| *known == kind);
        if let Some(count) = known.and_then(|index| self.refusals.get(index)) {
            add_one(count);
        }
    }

    /// Counts a request above the caller's limit.
    pub fn rate_limited(&self, budget: Budget) {
        let known = Budget::ALL.iter().position(|known| *known == budget);
        if let Some(count) = known.and_then(|index| self.rate_limited.get(index)) {
            add_one(count);
        }
    }

    /// Counts a connection above the limit.
    pub fn refused_connection(&self) {
        add_one(&self.refused_connections);
    }

    /// Counts a connection for as long as what this gives lives.
    #[must_use]
    pub fn connection(self: &Arc<Self>) -> OpenConnection {
        self.connections.fetch_add(1, Ordering::Relaxed);
        OpenConnection(self.clone())
    }
}

fn add_one(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

fn value(count: &AtomicU64) -> u64 {
    count.load(Ordering::Relaxed)
}
