//! Schemas of an API: raw JSON Schema 2020-12, with references to shared definitions.

use indexmap::IndexMap;
use serde_json::Value;

/// Prefix of a reference to a shared definition.
pub const DEFINITION_PREFIX: &str = "#/$defs/";

/// Shared definitions by name, in document order.
///
/// A definition keeps `readOnly` and `writeOnly`, since it serves both directions; `plan` strips what a direction
/// must not show. The value may refer to other definitions, also in cycles.
pub type Definitions = IndexMap<String, Value>;
