//! Every public OpenAPI document of the corpus becomes a server: no panic, nothing lost in silence, every schema and
//! every emitted file is sound.
//!
//! The corpus stands beside the repository or where `OAS2MCP_CORPUS` says. Without it these tests are skipped, unless
//! `REQUIRE_CORPUS=1` says that it must be there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use oas2mcp::Outcome;
use oas2mcp::diagnostics::{Diagnostics, Severity};
use oas2mcp::lower::lower;
use oas2mcp::model::Api;
use oas2mcp::plan::Server;
use serde_json::{Value, json};

/// Operations and tools of the documents that matter most: (path, operations, at least so many tools).
const LEAST: &[(&str, usize, usize)] = &[
    ("github/api.github.com.json", 1223, 1221),
    ("kobana/v1_0/kobana-api-v1_0-openapi-3_1.yaml", 90, 88),
    ("kobana/v2_0/kobana-api-v2_0-openapi-3_1.yaml", 222, 220),
    ("square/api.json", 316, 309),
    ("openai/openapi.yaml", 288, 271),
    ("twilio/json/twilio_api_v2010.json", 197, 135),
    ("box/openapi.json", 296, 271),
    ("stripe/stripe.com.json", 452, 236),
    ("discord/openapi.json", 242, 239),
    ("intercom/2.14/api.intercom.io.yaml", 150, 150),
    ("xero/xero_accounting.yaml", 235, 213),
    ("meilisearch/open-api.json", 113, 107),
    ("jikan/api-docs.json", 100, 100),
    ("pokeapi/openapi.yml", 100, 100),
    ("resend/resend.yaml", 104, 103),
];

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("OAS2MCP_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        PathBuf::from,
    );
    let is_there = folder.join("index.tsv").is_file();
    let is_required = std::env::var_os("REQUIRE_CORPUS").is_some_and(|value| value == "1");
    assert!(
        is_there || !is_required,
        "no corpus at {}",
        folder.display()
    );
    if !is_there {
        eprintln!("skipped: no corpus at {}", folder.display());
    }
    is_there.then(|| folder.canonicalize().expect("a folder"))
}

/// Paths of the corpus whose version column begins with 3, the largest first.
fn documents(folder: &Path) -> Vec<String> {
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("index");
    let mut documents: Vec<(usize, String)> = index
        .lines()
        .skip(1)
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let is_openapi = cells.get(4)?.starts_with("3.");
            is_openapi.then(|| (cells[5].parse().expect("bytes"), cells[0].to_owned()))
        })
        .collect();
    documents.sort_by(|a, b| b.cmp(a));
    documents.into_iter().map(|(_, name)| name).collect()
}

/// What became of one document.
#[derive(Debug)]
struct Found {
    n_operations: usize,
    n_tools: usize,
    /// Code of the first error, where there is no server.
    refused: Option<&'static str>,
}

/// Generates without an overlay; a document without a usable server address gets the smallest one.
fn generate(path: &Path) -> Outcome {
    let outcome = oas2mcp::generate(path);
    let mut errors = outcome.diagnostics.items().iter();
    if !errors.any(|item| item.severity == Severity::Error && item.code == "missing-base-url") {
        return outcome;
    }
    overlay(path)
}

/// Generates with an overlay that selects everything.
fn overlay(path: &Path) -> Outcome {
    let folder = tempfile::tempdir().expect("temp");
    let file = folder.path().join("overlay.yaml");
    let spec = json!(path.to_str().expect("text"));
    let text = format!(
        "overlay: 1\nspec: {spec}\nlocales: {{all: [en], fallback: en}}\n\
         upstream: {{base_url: 'https://api.example.com'}}\nselect: {{include: ['* /**']}}\n"
    );
    std::fs::write(&file, text).expect("written");
    oas2mcp::generate(&file)
}

/// Checks one document.
fn examine(folder: &Path, name: &str) -> Found {
    let outcome = generate(&folder.join(name));
    check_places(name, &outcome.diagnostics);
    let api = outcome.inputs.as_ref().map(|inputs| {
        let api = lower(&mut Diagnostics::default(), &inputs.document);
        compile(name, &api);
        let server = outcome.server.as_ref();
        let kept = server.map_or_else(
            || api.operations.iter().map(|o| o.key.join_key()).collect(),
            |server| {
                server
                    .tools
                    .iter()
                    .map(|tool| tool.operation.clone())
                    .collect()
            },
        );
        check_left_out((name, &kept), &api, &outcome.diagnostics);
        api
    });
    let errors = outcome.diagnostics.items().iter();
    let refused = errors
        .filter(|item| item.severity == Severity::Error)
        .map(|item| item.code)
        .next();
    assert_eq!(refused.is_none(), outcome.files.is_some(), "{name}");
    let n_tools = outcome.server.as_ref().map_or(0, |server| {
        check_tools(name, server);
        server.tools.len()
    });
    let files = outcome.files.iter().flat_map(|files| &files.files);
    for (path, file) in files.filter(|(path, _)| is_made_of_input(path)) {
        if let Err(error) = syn::parse_file(&file.contents) {
            panic!("{name}: {path}: {error}");
        }
    }
    let n_operations = api.as_ref().map_or(0, |api| api.all_operations.len());
    Found {
        n_operations,
        n_tools,
        refused,
    }
}

/// The runtime is the same in every crate, and compiled in this one.
fn is_made_of_input(path: &str) -> bool {
    path.ends_with(".rs") && !path.starts_with("src/runtime/")
}

/// Every problem says where it is.
fn check_places(name: &str, diagnostics: &Diagnostics) {
    for item in diagnostics.items() {
        let location = item
            .location
            .as_ref()
            .expect("every diagnostic has a place");
        let is_unread = item.code == "unreadable-file";
        assert!(location.line.is_some() || is_unread, "{name}: {item:?}");
    }
}

/// An operation that is no tool is named where the reason stands, or counted there after the first few.
fn check_left_out((name, kept): (&str, &BTreeSet<String>), api: &Api, diagnostics: &Diagnostics) {
    let lists: Vec<&str> = diagnostics
        .items()
        .iter()
        .filter_map(|item| Some(item.message.split_once("left out: ")?.1))
        .collect();
    let mut n_more: usize = lists
        .iter()
        .filter_map(|list| {
            list.rsplit_once(", ")?
                .1
                .strip_suffix(" more")?
                .parse::<usize>()
                .ok()
        })
        .sum();
    for key in &api.all_operations {
        let key = key.join_key();
        let quoted = format!("`{key}`");
        if kept.contains(&key) || lists.iter().any(|list| list.contains(&quoted)) {
            continue;
        }
        assert!(n_more > 0, "{name}: {key} is lost");
        n_more -= 1;
    }
}

/// What a client relies on.
fn check_tools(name: &str, server: &Server) {
    let pattern = regex::Regex::new("^[A-Za-z0-9_-]{1,64}$").expect("a pattern");
    let mut names = BTreeSet::new();
    for tool in &server.tools {
        let at = format!("{name}: {}", tool.name);
        assert!(pattern.is_match(&tool.name), "{at}");
        assert!(names.insert(&tool.name), "{at} twice");
        for schema in &tool.input_schema {
            let schema: Value = serde_json::from_str(schema).expect("JSON");
            assert_eq!(schema["type"], "object", "{at}");
            if let Err(error) = jsonschema::draft202012::new(&schema) {
                panic!("{at}: {error}");
            }
            let properties = schema["properties"].as_object().expect("properties");
            let keys: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
            let wired: BTreeSet<&str> = tool.arguments.iter().map(|a| a.name.as_str()).collect();
            assert_eq!(keys, wired, "{at}");
        }
    }
}

/// Compiles every schema of the API, those of answers too.
fn compile(name: &str, api: &Api) {
    let mut all: Vec<&Value> = api.definitions.values().collect();
    for operation in &api.operations {
        all.extend(
            operation
                .parameters
                .iter()
                .map(|parameter| &parameter.schema),
        );
        all.extend(operation.body.iter().map(|body| &body.schema));
        all.extend(
            operation
                .responses
                .iter()
                .filter_map(|response| response.schema.as_ref()),
        );
    }
    let known = |reference: &str| api.definitions.contains_key(&reference["#/$defs/".len()..]);
    for schema in &all {
        references(schema, &mut |reference| {
            assert!(known(reference), "{name}: {reference}");
        });
    }
    // One compilation of everything: the definitions under their names, the rest as alternatives.
    let whole = json!({"$defs": api.definitions, "anyOf": all.into_iter().chain([&json!(true)]).collect::<Vec<_>>()});
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
fn every_document_becomes_a_server() {
    let Some(folder) = corpus() else { return };
    let names = documents(&folder);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let started = std::time::Instant::now();
                    let one = examine(&folder, name);
                    eprintln!("{:?} {name} {one:?}", started.elapsed());
                    found.lock().expect("no panic").insert(name.as_str(), one);
                }
            });
        }
    });
    let found = found.into_inner().expect("no panic");
    // Files that cannot be read, and documents without an operation that can be sent; everything else is served.
    const REASONS: [&str; 6] = [
        "syntax",
        "duplicate-key",
        "unreadable-file",
        "no-tools",
        "selector-without-match",
        "operation-left-out",
    ];
    for (name, one) in &found {
        assert!(
            one.refused.is_none_or(|code| REASONS.contains(&code)),
            "{name}: {one:?}"
        );
    }
    for (name, n_operations, n_tools) in LEAST {
        let one = &found[name];
        assert_eq!(one.n_operations, *n_operations, "{name}");
        assert!(one.n_tools >= *n_tools, "{name}: {one:?}");
    }
}

/// Everything of the two public Kobana documents, by an overlay.
#[test]
fn kobana_keeps_every_operation_that_can_be_sent() {
    let Some(folder) = corpus() else { return };
    for (name, n_all, n_kept) in [
        ("kobana/v1_0/kobana-api-v1_0-openapi-3_1.yaml", 90, 88),
        ("kobana/v2_0/kobana-api-v2_0-openapi-3_1.yaml", 222, 220),
    ] {
        let outcome = overlay(&folder.join(name));
        let items = outcome.diagnostics.items();
        let n_of = |code: &str| items.iter().filter(|item| item.code == code).count();
        let server = outcome.server.as_ref().expect("a server");
        check_places(name, &outcome.diagnostics);
        check_tools(name, server);
        assert_eq!(server.tools.len(), n_kept, "{name}");
        assert_eq!(n_of("security-undefined"), 1, "{name}");
        assert_eq!(n_of("unsupported-media-type"), n_all - n_kept, "{name}");
    }
}
