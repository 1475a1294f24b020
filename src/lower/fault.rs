//! Why an operation cannot become a tool; one report per reason, naming every operation that it costs.

use indexmap::IndexMap;

use crate::diagnostics::{Diagnostics, Location};

/// One reason, at the node that is at fault.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) pointer: String,
    pub(super) message: String,
    pub(super) help: String,
}

impl Fault {
    pub(super) fn new(
        code: &'static str,
        pointer: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            pointer: pointer.to_owned(),
            message: message.into(),
            help: help.into(),
        }
    }
}

/// How many operations a report names.
const N_NAMED: usize = 5;

/// What each fault costs.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    operations: IndexMap<Fault, Vec<String>>,
    answers: IndexMap<Fault, Vec<String>>,
}

impl LeftOut {
    /// The operation is not offered.
    pub(super) fn push(&mut self, fault: Fault, operation: String) {
        add(&mut self.operations, fault, operation);
    }

    /// The operation is offered without the schema of an answer.
    pub(super) fn push_answer(&mut self, fault: Fault, operation: String) {
        add(&mut self.answers, fault, operation);
    }

    pub(super) fn report(self, diagnostics: &mut Diagnostics, file: &str) {
        for (fault, operations) in self.operations {
            warn(diagnostics, file, fault, "left out", &operations);
        }
        for (fault, operations) in self.answers {
            warn(
                diagnostics,
                file,
                fault,
                "without schema of the answer",
                &operations,
            );
        }
    }
}

fn add(map: &mut IndexMap<Fault, Vec<String>>, fault: Fault, operation: String) {
    let operations = map.entry(fault).or_default();
    if !operations.contains(&operation) {
        operations.push(operation);
    }
}

fn warn(
    diagnostics: &mut Diagnostics,
    file: &str,
    fault: Fault,
    what: &str,
    operations: &[String],
) {
    let mut named: Vec<String> = operations
        .iter()
        .take(N_NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    let n_more = operations.len().saturating_sub(N_NAMED);
    if n_more > 0 {
        named.push(format!("{n_more} more"));
    }
    let message = format!("{}; {what}: {}", fault.message, named.join(", "));
    let at = Location::at(file, &fault.pointer);
    diagnostics.warning(fault.code, at, message, fault.help);
}
