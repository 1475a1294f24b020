//! The JSON Schema of overlays, made from the Rust types.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::overlay::{Overlay, RefusalName};

/// The schema that editors complete overlays with and that `load` checks them against (JSON Schema 2020-12).
#[must_use]
pub fn overlay_schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let names = generator.subschema_for::<RefusalName>().to_value();
    let mut schema = generator.into_root_schema_for::<Overlay>().to_value();
    // `schemars` says nothing about keys that are an enum.
    if let Some(refusals) = schema
        .pointer_mut("/$defs/Transport/properties/refusals")
        .and_then(Value::as_object_mut)
    {
        refusals.insert("propertyNames".to_owned(), names);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_described() {
        let schema = overlay_schema();
        let mut missing = Vec::new();
        visit(&schema, "", &mut missing);
        assert!(missing.is_empty(), "without description: {missing:?}");
        assert_eq!(schema["title"], "oas2mcp overlay");
    }

    fn visit(value: &Value, at: &str, missing: &mut Vec<String>) {
        let Some(map) = value.as_object() else { return };
        for (name, field) in map
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            if field.get("description").is_none() && field.get("const").is_none() {
                missing.push(format!("{at}/{name}"));
            }
        }
        for (key, child) in map {
            visit(child, &format!("{at}/{key}"), missing);
        }
    }
}
