//! JSON → Overlay: every fault of the file in one run, then the typed value.

use serde_json::Value;

use crate::diagnostics::{Diagnostics, Location};
use crate::overlay::Overlay;

use super::check::{self, Fault};
use super::places::escape;

/// Checks the whole file and gives the overlay when it is sound.
pub(super) fn parse(diagnostics: &mut Diagnostics, file: &str, value: &Value) -> Option<Overlay> {
    if is_openapi_overlay(value) {
        diagnostics.error(
            "not-an-mcp-overlay",
            Location::at(file, "/overlay"),
            "this is an OpenAPI Overlay document (`actions`), not an MCP overlay",
            "apply it to the OpenAPI document first; an MCP overlay starts with `overlay: 1` and `spec:`",
        );
        return None;
    }
    let faults = check::check(&super::overlay_schema(), value);
    for fault in &faults {
        report(diagnostics, file, fault);
    }
    if !faults.is_empty() {
        // What is left without the faulty keys is judged too, so that one run tells everything.
        return serde_json::from_value(without(value, &faults)).ok();
    }
    match serde_path_to_error::deserialize(value) {
        Ok(overlay) => Some(overlay),
        Err(error) => {
            // The schema is made from the same types, so this is met only where serde is stricter than a schema can say.
            let at = Location::at(file, &pointer_of(error.path()));
            diagnostics.error("overlay-invalid", at, error.inner().to_string(), "");
            None
        }
    }
}

/// The value without the places of the faults, later ones first so that positions in lists still hold.
fn without(value: &Value, faults: &[Fault]) -> Value {
    let mut value = value.clone();
    for fault in faults.iter().rev() {
        let Some((parent, key)) = fault.pointer.rsplit_once('/') else {
            continue;
        };
        let key = key.replace("~1", "/").replace("~0", "~");
        match value.pointer_mut(parent) {
            Some(Value::Object(object)) => drop(object.shift_remove(&key)),
            Some(Value::Array(items)) => {
                if let Some(index) = key.parse().ok().filter(|index| *index < items.len()) {
                    items.remove(index);
                }
            }
            _ => {}
        }
    }
    value
}

fn report(diagnostics: &mut Diagnostics, file: &str, fault: &Fault) {
    diagnostics.error(
        fault.code,
        Location::at(file, &fault.pointer),
        fault.message.clone(),
        fault.help.clone(),
    );
}

fn is_openapi_overlay(value: &Value) -> bool {
    value.get("actions").is_some()
        || value
            .get("overlay")
            .and_then(Value::as_str)
            .is_some_and(|version| version.starts_with("1."))
}

/// The JSON pointer of a path that serde followed.
pub(crate) fn pointer_of(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(format!("/{index}")),
            Segment::Map { key } => Some(format!("/{}", escape(key))),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect()
}
