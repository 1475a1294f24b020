//! Counts the calls of each tool by outcome, and how long they took.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use crate::runtime::catalog::{ArgumentStyle, Catalog};
use crate::runtime::metrics::histogram::Histogram;
use crate::runtime::metrics::{add_one, value};

/// What calls of names that no tool has are counted under. No tool's name has brackets.
const UNKNOWN_TOOL: &str = "(unknown)";
/// The outcome of a good call.
const OK: &str = "ok";
/// What codes that the catalog does not know are counted under, such as those that an API made up.
const OTHER: &str = "other";
/// Outcomes of the runtime's own making.
const OWN: [&str; 9] = [
    OTHER,
    "-32021",
    "-32602",
    "-32603",
    "cancelled",
    "hook",
    "invalid_arguments",
    "overloaded",
    "rate_limited",
];

/// The calls of every tool.
#[derive(Debug)]
pub(super) struct CallCounts {
    catalog: &'static Catalog,
    /// Codes that failures are counted under, in order.
    codes: Box<[&'static str]>,
    tools: Box<[ToolCounts]>,
    unknown: ToolCounts,
}

#[derive(Debug, Default)]
struct ToolCounts {
    ok: AtomicU64,
    /// One count for each code, made at the first failure: most tools of a large API never have one.
    failed: OnceLock<Box<[AtomicU64]>>,
    duration: Histogram,
}

impl CallCounts {
    pub(super) fn new(catalog: &'static Catalog) -> Self {
        Self {
            catalog,
            codes: known_codes(catalog).into_iter().collect(),
            tools: catalog
                .tools
                .iter()
                .map(|_| ToolCounts::default())
                .collect(),
            unknown: ToolCounts::default(),
        }
    }

    pub(super) fn count(&self, tool: Option<usize>, outcome: &str) {
        let known = tool.and_then(|index| self.tools.get(index));
        let counts = known.unwrap_or(&self.unknown);
        if outcome == OK {
            return add_one(&counts.ok);
        }
        let code = self.codes.binary_search(&outcome);
        let Ok(index) = code.or_else(|_| self.codes.binary_search(&OTHER)) else {
            return;
        };
        let failed = counts
            .failed
            .get_or_init(|| self.codes.iter().map(|_| AtomicU64::new(0)).collect());
        if let Some(count) = failed.get(index) {
            add_one(count);
        }
    }

    pub(super) fn observe(&self, tool: usize, took: Duration) {
        if let Some(counts) = self.tools.get(tool) {
            counts.duration.observe(took);
        }
    }

    /// Every count with its tool and outcome. Good calls are told of each tool, since a rate that begins with the
    /// first call would miss it; failures once there is one.
    pub(super) fn each(
        &self,
        mut tell: impl FnMut(&'static str, &'static str, u64) -> std::fmt::Result,
    ) -> std::fmt::Result {
        let names = self.catalog.tools.iter().map(|tool| tool.name);
        let known = names.zip(self.tools.iter());
        for (name, counts) in known.chain([(UNKNOWN_TOOL, &self.unknown)]) {
            if name != UNKNOWN_TOOL {
                tell(name, OK, value(&counts.ok))?;
            }
            let failed = counts.failed.get().map_or(&[][..], |counts| counts);
            for (code, count) in self.codes.iter().zip(failed) {
                let count = value(count);
                if count > 0 {
                    tell(name, code, count)?;
                }
            }
        }
        Ok(())
    }

    /// The durations of each tool that was called.
    pub(super) fn durations(&self) -> impl Iterator<Item = (&'static str, &Histogram)> {
        let names = self.catalog.tools.iter().map(|tool| tool.name);
        let called = names.zip(self.tools.iter().map(|counts| &counts.duration));
        called.filter(|(_, duration)| !duration.is_empty())
    }
}

fn known_codes(catalog: &'static Catalog) -> BTreeSet<&'static str> {
    let errors = &catalog.errors;
    let conditions = &errors.conditions;
    let confirmation = &catalog.confirmation;
    let mut codes = BTreeSet::from(OWN);
    codes.extend(errors.registry.iter().map(|known| known.code));
    codes.extend(errors.rules.iter().map(|rule| rule.to));
    codes.extend([
        errors.fallback,
        conditions.timeout,
        conditions.network,
        conditions.not_json,
        conditions.server_error,
        conditions.rate_limited,
        conditions.too_large,
        conditions.redirect,
        confirmation.required,
        confirmation.declined,
        confirmation.replayed,
        confirmation.unavailable,
    ]);
    if let Some(auth) = &catalog.auth {
        codes.extend(auth.checks.iter().map(|check| check.code));
    }
    if let ArgumentStyle::Envelope { code } = catalog.arguments.style {
        codes.insert(code);
    }
    codes
}
