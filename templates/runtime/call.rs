//! One tool call: arguments → request → the API → result or mapped error.

use serde_json::value::RawValue;

use crate::runtime::answer::ToolResult;
use crate::runtime::catalog::{Catalog, Tool};
use crate::runtime::hooks::Hooks;

/// Everything that calls share: the client, compiled checks, settings.
pub struct Caller {
    catalog: &'static Catalog,
    hooks: Box<dyn Hooks>,
}

/// What a caller is made from.
pub struct CallerSettings {
    /// Base address in place of the catalog's default, without trailing slash.
    pub base_url: String,
    /// The deadline in milliseconds, in place of the catalog's.
    pub timeout_ms: u64,
}

/// What came of a call, with what its log line says.
pub struct Outcome {
    /// For the client.
    pub result: ToolResult,
    /// `None` on success, else the code of the error (`invalid_arguments` for bare argument reports).
    pub code: Option<String>,
    /// HTTP status of the API's answer; none when it was not called or did not answer.
    pub status: Option<u16>,
    /// The cause of a failure for the operator's log: never arguments, bodies, tokens or full addresses.
    pub cause: Option<String>,
}

impl Caller {
    /// Makes a caller. Nothing is compiled or connected yet.
    ///
    /// # Errors
    /// A sentence for the operator when the base address or a header from the environment cannot be used.
    pub fn new(
        catalog: &'static Catalog,
        settings: CallerSettings,
        hooks: Box<dyn Hooks>,
    ) -> Result<Self, String> {
        let _ = settings;
        Ok(Self { catalog, hooks })
    }

    /// Checks the arguments, calls the API and explains what happened. `locale` is an index into the catalog's.
    pub async fn call(
        &self,
        tool: &'static Tool,
        index: usize,
        arguments: Option<&RawValue>,
        locale: usize,
    ) -> Outcome {
        let _ = (tool, index, arguments, locale, self.catalog, &self.hooks);
        Outcome {
            result: ToolResult::error(""),
            code: None,
            status: None,
            cause: None,
        }
    }
}
