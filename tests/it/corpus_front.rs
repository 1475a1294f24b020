//! Every public document of the corpus loads and lowers: no panic, nothing lost in silence, every schema compiles.
//!
//! The corpus stands beside the repository or where `OAS2MCP_CORPUS` says; without it these tests are skipped.

use std::path::{Path, PathBuf};

use oas2mcp::diagnostics::{Diagnostics, Severity};
use oas2mcp::load::{Document, load};
use oas2mcp::lower::lower;
use oas2mcp::model::Api;
use serde_json::{Value, json};

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("OAS2MCP_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        PathBuf::from,
    );
    let is_there = folder.join("index.tsv").is_file();
    if !is_there {
        eprintln!("skipped: no corpus at {}", folder.display());
    }
    is_there.then_some(folder)
}

/// Paths of the corpus whose version column begins with 3.
fn documents(folder: &Path) -> Vec<String> {
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("index");
    index
        .lines()
        .skip(1)
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let is_openapi = cells.get(4)?.starts_with("3.");
            is_openapi.then(|| cells[0].to_owned())
        })
        .collect()
}

/// A document with all its operations, and what was said about it.
fn front(path: &Path) -> (Option<(Document, Api)>, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let Some(inputs) = load(&mut diagnostics, path) else {
        assert!(
            diagnostics.has_errors(),
            "{}: nothing, and no error",
            path.display()
        );
        return (None, diagnostics);
    };
    let api = lower(&mut diagnostics, &inputs.document);
    inputs.locate(&mut diagnostics);
    for item in diagnostics.items() {
        let location = item
            .location
            .as_ref()
            .expect("every diagnostic has a place");
        assert!(location.line.is_some(), "{}: {item:?}", path.display());
    }
    (Some((inputs.document, api)), diagnostics)
}

/// Compiles every schema of the API as a tool would use it.
fn compile(name: &str, api: &Api) {
    let definitions: Value = serde_json::to_value(&api.definitions).expect("definitions");
    let mut all = vec![("definitions".to_owned(), json!({"$defs": definitions}))];
    for (name, schema) in &api.definitions {
        all.push((name.clone(), schema.clone()));
    }
    for operation in &api.operations {
        let key = operation.key.join_key();
        for parameter in &operation.parameters {
            all.push((
                format!("{key} {}", parameter.name),
                parameter.schema.clone(),
            ));
        }
        if let Some(body) = &operation.body {
            all.push((format!("{key} body"), body.schema.clone()));
        }
        for response in &operation.responses {
            if let Some(schema) = &response.schema {
                all.push((format!("{key} {}", response.status), schema.clone()));
            }
        }
    }
    let known = |reference: &str| api.definitions.contains_key(&reference["#/$defs/".len()..]);
    let mut shells = serde_json::Map::new();
    for (at, schema) in &all {
        references(schema, &mut |reference| {
            assert!(known(reference), "{name} {at}: {reference}")
        });
        shells.insert(at.clone(), schema.clone());
    }
    // One compilation of everything: the definitions under their names, the rest as alternatives.
    let whole = json!({
        "$defs": definitions,
        "anyOf": shells.into_iter().filter(|(at, _)| at != "definitions").map(|(_, schema)| schema)
            .chain([json!(true)]).collect::<Vec<_>>()
    });
    if let Err(error) = jsonschema::draft202012::new(&whole) {
        panic!("{name}: {error} at {}", error.instance_path());
    }
}

fn references(schema: &Value, visit: &mut impl FnMut(&str)) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match value.as_str() {
                    Some(text) if key == "$ref" && text.starts_with("#/$defs/") => visit(text),
                    _ if matches!(key.as_str(), "default" | "const" | "enum") => {}
                    _ => references(value, visit),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, visit)),
        _ => {}
    }
}

#[test]
fn every_document_is_lowered() {
    let Some(folder) = corpus() else { return };
    let mut n_lowered = 0;
    eprintln!("{:70} {:>5} {:>5} {:>5}", "document", "all", "kept", "diag");
    for name in documents(&folder) {
        let (lowered, diagnostics) = front(&folder.join(&name));
        let n_diagnostics = diagnostics.items().len();
        let Some((_, api)) = lowered else {
            let first = &diagnostics.items()[0];
            eprintln!("{name:70} refused: {}: {}", first.code, first.message);
            continue;
        };
        n_lowered += 1;
        eprintln!(
            "{name:70} {:5} {:5} {n_diagnostics:5}",
            api.all_operations.len(),
            api.operations.len()
        );
        compile(&name, &api);
        assert_eq!(diagnostics.n_of(Severity::Error), 0, "{name}");
        let n_left_out = api.all_operations.len() - api.operations.len();
        assert!(
            n_left_out == 0 || n_diagnostics > 0,
            "{name}: left out in silence"
        );
    }
    assert!(n_lowered > 60, "only {n_lowered} documents were lowered");
}

#[test]
fn kobana_keeps_every_operation_that_can_be_sent() {
    let Some(folder) = corpus() else { return };
    for (name, n_all, n_kept) in [
        ("kobana/v1_0/kobana-api-v1_0-openapi-3_1.yaml", 90, 88),
        ("kobana/v2_0/kobana-api-v2_0-openapi-3_1.yaml", 222, 220),
    ] {
        let (lowered, diagnostics) = front(&folder.join(name));
        let (_, api) = lowered.expect("it loads");
        let of = |code: &str| {
            diagnostics
                .items()
                .iter()
                .filter(|item| item.code == code)
                .count()
        };
        assert_eq!(
            (api.all_operations.len(), api.operations.len()),
            (n_all, n_kept),
            "{name}"
        );
        assert_eq!(of("security-undefined"), 1, "{name}");
        assert_eq!(of("unsupported-media-type"), n_all - n_kept, "{name}");
    }
}
