//! How much one caller may ask.

/// Limits per caller. Zero: no limit.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Messages and read calls in an hour.
    pub reads_per_hour: u32,
    /// Calls of tools that write, in an hour.
    pub writes_per_hour: u32,
    /// Calls of all callers at once; `--max-concurrent-calls` takes its place.
    pub concurrent_calls: u32,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        reads_per_hour: 0,
        writes_per_hour: 0,
        concurrent_calls: 0,
    };
}
