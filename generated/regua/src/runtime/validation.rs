//! Compiled input schemas, one per tool, made on first use.

use std::sync::OnceLock;

use jsonschema::{Draft, Validator};
use serde_json::Value;

use crate::runtime::catalog::Tool;

/// What the checks of one tool need.
pub struct InputCheck {
    /// The compiled schema; none if it does not compile, which the generator rules out.
    pub validator: Option<Validator>,
    /// Arguments that must be given.
    pub required: Vec<String>,
}

/// The checks of every tool, by index in the catalog.
pub struct InputChecks(Vec<OnceLock<InputCheck>>);

impl InputChecks {
    /// Room for `n_tools` checks; nothing is compiled.
    #[must_use]
    pub fn new(n_tools: usize) -> Self {
        Self((0..n_tools).map(|_| OnceLock::new()).collect())
    }

    /// The check of a tool, compiled when it is first asked for.
    #[must_use]
    pub fn get(&self, index: usize, tool: &Tool) -> Option<&InputCheck> {
        self.0
            .get(index)
            .map(|slot| slot.get_or_init(|| InputCheck::compile(tool)))
    }
}

impl InputCheck {
    fn compile(tool: &Tool) -> Self {
        let schema: Value =
            serde_json::from_str(tool.input_schema.in_locale(0)).unwrap_or_default();
        let required = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(false)
            .build(&schema)
            .ok();
        Self {
            validator,
            required,
        }
    }
}
