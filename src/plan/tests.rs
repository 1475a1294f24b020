//! `plan` as a whole: overlays in, servers and diagnostics out.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::server::{Body, Kind, Place, Segment};
use super::*;
use crate::model::{Operation, OperationKey, Parameter, ParameterLocation, ParameterStyle};

pub(super) fn operation(method: &str, path: &str) -> Operation {
    let parameters = path
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split('}').next())
        .map(|name| parameter(name, ParameterLocation::Path, json!({"type": "integer"})))
        .collect();
    Operation {
        key: OperationKey {
            method: method.to_owned(),
            path: path.to_owned(),
            id: None,
        },
        parameters,
        pointer: format!("/paths/{}", path.replace('/', "~1")),
        ..Operation::default()
    }
}

pub(super) fn parameter(name: &str, location: ParameterLocation, schema: Value) -> Parameter {
    Parameter {
        name: name.to_owned(),
        location,
        required: location == ParameterLocation::Path,
        description: String::new(),
        schema,
        style: ParameterStyle::Form,
        explode: true,
        allow_reserved: false,
        pointer: String::new(),
    }
}

fn with_body(mut operation: Operation, required: bool, schema: Value) -> Operation {
    operation.body = Some(crate::model::Body {
        required,
        media_type: "application/json".to_owned(),
        description: String::new(),
        schema,
        pointer: String::new(),
    });
    operation
}

pub(super) fn api(operations: Vec<Operation>) -> Api {
    Api {
        title: "Cobrança".to_owned(),
        version: "1.2.3".to_owned(),
        servers: vec!["https://api.example.com".to_owned()],
        all_operations: operations.iter().map(|op| op.key.clone()).collect(),
        operations,
        ..Api::default()
    }
}

/// An overlay of these lines, in English alone.
pub(super) fn overlay(yaml: &str) -> OverlayFile {
    let mut value: serde_json::Map<String, Value> = serde_yaml::from_str::<Option<_>>(yaml)
        .unwrap()
        .unwrap_or_default();
    value.insert("overlay".to_owned(), json!(1));
    value.insert("spec".to_owned(), json!("openapi.yaml"));
    value.entry("locales").or_insert(json!({"all": ["en"]}));
    OverlayFile {
        file: "overlay.yaml".to_owned(),
        overlay: serde_json::from_value(Value::Object(value)).unwrap(),
    }
}

pub(super) fn plan_with(api: &Api, overlay: Option<&OverlayFile>) -> (Server, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let sources = Sources {
        api,
        document_file: "openapi.yaml",
        translations: &IndexMap::new(),
        overlay,
    };
    let server = plan(&mut diagnostics, sources);
    (server, diagnostics)
}

pub(super) fn codes(diagnostics: &Diagnostics) -> Vec<&str> {
    diagnostics.items().iter().map(|item| item.code).collect()
}

/// A charge API with one operation of each shape.
fn charges() -> Api {
    let body = json!({"type": "object", "required": ["amount"], "properties": {
        "amount": {"type": "number", "maximum": 50, "description": "Valor em reais"},
        "id": {"type": "integer"},
        "created_at": {"type": "string", "readOnly": true},
    }});
    let mut list = operation("GET", "/v1/charges");
    list.parameters = vec![
        parameter(
            "filter[name]",
            ParameterLocation::Query,
            json!({"type": "string"}),
        ),
        parameter(
            "per_page",
            ParameterLocation::Query,
            json!({"type": "integer", "maximum": 50}),
        ),
        parameter(
            "User-Agent",
            ParameterLocation::Header,
            json!({"type": "string"}),
        ),
        parameter(
            "sort",
            ParameterLocation::Query,
            json!({"enum": ["a", "b"]}),
        ),
    ];
    list.parameters[2].required = true;
    list.summary = "List charges".to_owned();
    api(vec![
        list,
        with_body(operation("PUT", "/v1/charges/{id}"), true, body),
        operation("PUT", "/v1/charges/{id}/cancel"),
    ])
}

#[test]
fn without_an_overlay_everything_is_a_tool_and_one_note_says_so() {
    let (server, diagnostics) = plan_with(&charges(), None);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let tools: Vec<_> = server
        .tools
        .iter()
        .map(|t| (t.name.as_str(), t.kind))
        .collect();
    assert_eq!(
        tools,
        [
            ("list_charges", Kind::Read),
            ("update_charge", Kind::Write),
            ("cancel_charge", Kind::Destructive)
        ]
    );
    assert_eq!(codes(&diagnostics), ["assumed"]);
    assert_eq!(server.name, "cobranca");
    assert_eq!(server.locales, ["en", "pt-BR", "es"]);
    assert_eq!(server.errors.fallback, "tool_error");
    assert_eq!(server.transport.max_body_label, "4 MiB");
    assert_eq!(
        server.upstream.environments["default"],
        "https://api.example.com"
    );
    for tool in &server.tools {
        for text in &tool.input_schema {
            let schema: Value = serde_json::from_str(text).unwrap();
            let arguments: Value = serde_json::from_str(&tool.example_arguments).unwrap();
            assert!(
                jsonschema::validator_for(&schema)
                    .unwrap()
                    .is_valid(&arguments)
            );
            assert_eq!(schema["additionalProperties"], json!(false));
            assert!(schema.get("$schema").is_none());
        }
    }
}

#[test]
fn arguments_are_flat_named_and_mapped_back() {
    let (server, _) = plan_with(&charges(), None);
    let list = &server.tools[0];
    let pairs: Vec<_> = list
        .arguments
        .iter()
        .map(|a| (a.name.as_str(), a.wire.as_str()))
        .collect();
    assert_eq!(
        pairs,
        [
            ("filter_name", "filter[name]"),
            ("per_page", "per_page"),
            ("sort", "sort")
        ]
    );
    let update = &server.tools[1];
    let places: Vec<_> = update
        .arguments
        .iter()
        .map(|a| (a.name.as_str(), a.place))
        .collect();
    assert_eq!(
        places,
        [
            ("id_path", Place::Path),
            ("amount", Place::BodyField),
            ("id_body", Place::BodyField)
        ]
    );
    assert_eq!(update.body, Body::Fields { required: true });
    let schema: Value = serde_json::from_str(&update.input_schema[0]).unwrap();
    assert_eq!(schema["required"], json!(["id_path", "amount"]));
    assert_eq!(
        server.tools[2].path,
        [
            Segment::Literal("/v1/charges/".to_owned()),
            Segment::Parameter("id".to_owned()),
            Segment::Literal("/cancel".to_owned())
        ]
    );
}

#[test]
fn a_unit_stands_first_and_contradictions_are_told() {
    let yaml = "tools: {'PUT /v1/charges/{id}': {name: change, description: Changes it., arguments: {amount: {unit: cents}}}}";
    let (server, diagnostics) = plan_with(&charges(), Some(&overlay(yaml)));
    let tool = &server.tools[0];
    assert!(
        tool.description[0].starts_with("Amounts are in cents"),
        "{:?}",
        tool.description
    );
    assert!(tool.description[0].ends_with("Changes it."));
    let schema: Value = serde_json::from_str(&tool.input_schema[0]).unwrap();
    assert_eq!(schema["properties"]["amount"]["type"], "integer");
    let note = schema["properties"]["amount"]["description"]
        .as_str()
        .unwrap();
    assert!(
        note.starts_with("In cents") && note.ends_with("Valor em reais"),
        "{note}"
    );
    let warning = diagnostics
        .items()
        .iter()
        .find(|item| item.code == "unit-contradicts-document")
        .unwrap();
    assert!(warning.message.contains("cents") && warning.message.contains("Valor em reais"));
}

/// Overlays with one fault each, and the diagnostic that it gets.
#[expect(clippy::too_many_lines, reason = "a table")]
fn faults() -> Vec<(String, &'static str)> {
    let list = "GET /v1/charges";
    vec![
        (
            format!("tools: {{{list}: {{arguments: {{per_page: {{maximum: 100}}}}}}}}"),
            "loosened-argument",
        ),
        (
            format!("tools: {{{list}: {{arguments: {{sort: {{enum: [c]}}}}}}}}"),
            "loosened-argument",
        ),
        (
            format!("tools: {{{list}: {{arguments: {{per_pag: {{}}}}}}}}"),
            "unknown-argument",
        ),
        (
            format!("tools: {{{list}: {{arguments: {{sort: {{maximum: 1}}}}}}}}"),
            "limit-without-number",
        ),
        (
            format!("tools: {{{list}: {{name: 'a b'}}}}"),
            "invalid-name",
        ),
        (
            "tools: {'PUT /v1/charges/{id}': {name: get_it}}".to_owned(),
            "harmless-name",
        ),
        (
            "tools: {'PUT /v1/charges/{id}': {arguments: {id: {hide: true}}}}".to_owned(),
            "ambiguous-argument",
        ),
        (
            "tools: {'PUT /v1/charges/{id}': {arguments: {amount: {hide: true}}}}".to_owned(),
            "hidden-required-argument",
        ),
        (
            "tools: {'PUT /v1/charges/{id}': {arguments: {amount: {required: false}}}}".to_owned(),
            "loosened-argument",
        ),
        (
            "tools: {'PUT /v1/charges/{id}': {name: x}, 'GET /v1/charges': {name: x}}".to_owned(),
            "duplicate-name",
        ),
        ("locales: {all: [fr]}".to_owned(), "unknown-locale"),
        (
            "{locales: {all: [en, es]}, server: {title: T}}".to_owned(),
            "missing-locale",
        ),
        (
            "protocol: {legacy: ['2025-03-26']}".to_owned(),
            "unsupported-version",
        ),
        (
            "protocol: {legacy: [], modern: []}".to_owned(),
            "no-version",
        ),
        ("upstream: {base_url: /v1}".to_owned(), "invalid-base-url"),
        (
            "upstream: {headers: {set: {X: '{nope}'}}}".to_owned(),
            "unknown-placeholder",
        ),
        (
            "upstream: {headers: {set: {X: \"a\\r\\nb\"}}}".to_owned(),
            "invalid-header",
        ),
        ("upstream: {retries: 9}".to_owned(), "out-of-range"),
        (
            "errors: {mode: map, map: [{status: 404, code: '(', to: tool_error}]}".to_owned(),
            "invalid-pattern",
        ),
        (
            "errors: {mode: map, map: [{status: 404, to: mine}]}".to_owned(),
            "missing-code-text",
        ),
        (
            "errors: {codes: {never: {when: x}}}".to_owned(),
            "unused-code",
        ),
        (
            "errors: {tables: [{column: when, codes: [tool_error, never]}]}".to_owned(),
            "unproduced-code",
        ),
        (
            "errors: {extract: {code: [error.code]}}".to_owned(),
            "invalid-pointer",
        ),
        (
            "transport: {refusals: {host: {body: api}}}".to_owned(),
            "missing-api-body",
        ),
        (
            "prompts: {p: {messages: [{text: 'of {who}'}]}}".to_owned(),
            "unknown-placeholder",
        ),
        (
            "resources: {'docs://errors/x': {name: x, text: y}}".to_owned(),
            "reserved-uri",
        ),
        (
            "resources: {'file:///etc/x': {name: x, text: y}}".to_owned(),
            "invalid-uri",
        ),
        (
            "confirm: {legacy: protocol_error}".to_owned(),
            "invalid-value",
        ),
    ]
}

#[test]
fn every_fault_of_an_overlay_is_an_error_at_its_place() {
    for (yaml, code) in faults() {
        let (_, diagnostics) = plan_with(&charges(), Some(&overlay(&yaml)));
        let found = diagnostics.items().iter().find(|item| item.code == code);
        let found = found.unwrap_or_else(|| panic!("{yaml}: {:?}", codes(&diagnostics)));
        assert_eq!(
            found.severity,
            crate::diagnostics::Severity::Error,
            "{yaml}"
        );
        let place = found.location.as_ref().unwrap();
        assert!(
            place.file == "overlay.yaml" && !place.pointer.is_empty(),
            "{yaml}: {place:?}"
        );
        assert!(found.help.is_some(), "{yaml}");
    }
}

#[test]
fn keys_without_effect_are_reported() {
    let yaml = "{auth: {}, docs: {format: docusaurus}, tools: {'PUT /v1/charges/{id}/cancel': {scopes: {}, output: {structured: true}}}}";
    let (server, diagnostics) = plan_with(&charges(), Some(&overlay(yaml)));
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let n = codes(&diagnostics)
        .iter()
        .filter(|code| **code == "not-built-yet")
        .count();
    assert_eq!(n, 4, "{diagnostics:?}");
    assert!(
        server
            .errors
            .registry
            .iter()
            .any(|code| code.code == "confirmation_required")
    );
    assert!(
        server
            .docs
            .protocol
            .iter()
            .any(|(code, _)| code == "-32021")
    );
}

#[test]
fn a_hidden_required_parameter_needs_a_value() {
    let mut api = charges();
    api.operations[0].parameters[2].name = "X-Api-Key".to_owned();
    let (server, diagnostics) = plan_with(&api, None);
    assert_eq!(server.tools.len(), 2);
    assert!(codes(&diagnostics).contains(&"hidden-required-argument"));
    let select = "select: {include: ['*']}";
    let (server, diagnostics) = plan_with(&api, Some(&overlay(select)));
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    assert_eq!(server.tools.len(), 2);
    let hide = format!("{{{select}, upstream: {{headers: {{hide: [x-api-key]}}}}}}");
    let (_, diagnostics) = plan_with(&api, Some(&overlay(&hide)));
    assert!(diagnostics.has_errors());
    let set =
        format!("{{{select}, upstream: {{headers: {{set: {{x-api-key: 'k {{env:KEY}}'}}}}}}}}");
    let (server, diagnostics) = plan_with(&api, Some(&overlay(&set)));
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    assert_eq!(server.upstream.headers[0].0, "x-api-key");
}

#[test]
fn translated_documents_give_their_texts() {
    let api = charges();
    let mut spanish = api.clone();
    spanish.operations[0].summary = "Listar cobros".to_owned();
    spanish.operations[0].parameters[1].description = "Por página".to_owned();
    let file = overlay("{locales: {all: [en, es]}, tools: {GET /v1/charges: {}}}");
    let mut diagnostics = Diagnostics::default();
    let translations = IndexMap::from([("es".to_owned(), spanish)]);
    let sources = Sources {
        api: &api,
        document_file: "openapi.yaml",
        translations: &translations,
        overlay: Some(&file),
    };
    let server = plan(&mut diagnostics, sources);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    assert_eq!(server.tools[0].title, ["List charges", "Listar cobros"]);
    assert_eq!(server.tools[0].input_schema.len(), 2);
    assert!(server.tools[0].input_schema[1].contains("Por página"));
    assert!(!server.tools[0].input_schema[0].contains("Por página"));
}

#[test]
fn reserved_codes_are_marked_until_something_gives_them() {
    let yaml = "select: {include: ['GET /**']}\nerrors: {mode: map, map: [{status: 403, to: insufficient_scope}], tables: [{column: who, codes: [insufficient_scope, membership_inactive]}, {column: when, codes: [tool_error]}]}";
    let (server, diagnostics) = plan_with(&charges(), Some(&overlay(yaml)));
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let rows: Vec<_> = server
        .docs
        .tables
        .iter()
        .flat_map(|table| &table.rows)
        .map(|row| (row.codes[0].as_str(), row.is_reserved))
        .collect();
    assert_eq!(
        rows,
        [
            ("insufficient_scope", false),
            ("membership_inactive", true),
            ("tool_error", false)
        ]
    );
}

#[test]
fn only_what_may_be_sent_twice_is_idempotent() {
    let cases = [
        ("GET", "/v1/charges", true),
        ("GET", "/v1/charges/resend", false),
        ("PUT", "/v1/charges/{id}", true),
        ("PUT", "/v1/charges/{id}/resend", false),
        ("DELETE", "/v1/charges/{id}", true),
        ("POST", "/v1/charges", false),
    ];
    for (method, path, expected) in cases {
        let (server, _) = plan_with(&api(vec![operation(method, path)]), None);
        assert_eq!(server.tools[0].idempotent, expected, "{method} {path}");
    }
}
