//! Counts durations by size, without a lock: the histogram of `prometheus-client` takes one for each duration.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::runtime::metrics::{add_one, value};

/// Upper bounds, as milliseconds for the comparison and as seconds for the reader.
const BOUNDS: [(u64, f64); 12] = [
    (5, 0.005),
    (10, 0.01),
    (25, 0.025),
    (50, 0.05),
    (100, 0.1),
    (250, 0.25),
    (500, 0.5),
    (1000, 1.0),
    (2500, 2.5),
    (5000, 5.0),
    (10_000, 10.0),
    (30_000, 30.0),
];

/// Durations by size.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    /// One count for each bound, and one for what lies above.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    sum_us: AtomicU64,
}

/// The numbers of a histogram at one moment.
pub(super) struct Snapshot {
    /// Upper bound in seconds and count, not cumulative; the last bound is infinity.
    pub(super) buckets: Vec<(f64, u64)>,
    pub(super) n: u64,
    pub(super) sum_s: f64,
}

impl Histogram {
    pub(super) fn observe(&self, took: Duration) {
        let above = |(bound, _): &&(u64, f64)| took > Duration::from_millis(*bound);
        let index = BOUNDS.iter().take_while(above).count();
        if let Some(bucket) = self.buckets.get(index) {
            add_one(bucket);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.sum_us.fetch_add(micros, Ordering::Relaxed);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.buckets.iter().all(|bucket| value(bucket) == 0)
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let bounds = BOUNDS.iter().map(|(_, seconds)| *seconds);
        let counts = self.buckets.iter().map(value);
        let buckets: Vec<(f64, u64)> = bounds.chain([f64::INFINITY]).zip(counts).collect();
        Snapshot {
            // The sum of the buckets, so that the two always agree.
            n: buckets.iter().map(|(_, count)| count).sum(),
            sum_s: Duration::from_micros(value(&self.sum_us)).as_secs_f64(),
            buckets,
        }
    }
}
