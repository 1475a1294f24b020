//! `plan` as a whole: small APIs and overlays in, servers and diagnostics out.

use serde_json::json;

use super::server::{Body, Kind, Place};
use super::*;
use crate::model::{
    Body as ApiBody, Operation, OperationKey, Parameter, ParameterLocation, ParameterStyle,
};

pub(super) fn operation(method: &str, path: &str) -> Operation {
    Operation {
        key: OperationKey {
            method: method.to_owned(),
            path: path.to_owned(),
            id: None,
        },
        summary: format!("{method} {path}"),
        parameters: path
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split_once('}'))
            .map(|(name, _)| parameter(name, ParameterLocation::Path, json!({"type": "string"})))
            .collect(),
        ..Operation::default()
    }
}

pub(super) fn parameter(
    name: &str,
    location: ParameterLocation,
    schema: serde_json::Value,
) -> Parameter {
    Parameter {
        name: name.to_owned(),
        location,
        required: false,
        description: String::new(),
        schema,
        style: ParameterStyle::Form,
        explode: true,
        allow_reserved: false,
        pointer: String::new(),
    }
}

pub(super) fn api(operations: Vec<Operation>) -> Api {
    Api {
        title: "Example".to_owned(),
        version: "1.2.3".to_owned(),
        servers: vec!["https://api.example.com".to_owned()],
        all_operations: operations
            .iter()
            .map(|operation| operation.key.clone())
            .collect(),
        operations,
        ..Api::default()
    }
}

/// An overlay of these lines; `overlay` and `spec` are there.
pub(super) fn overlay(yaml: &str) -> OverlayFile {
    let value: serde_json::Value =
        serde_yaml::from_str(yaml).unwrap_or_else(|error| panic!("{yaml}: {error}"));
    let mut object = value.as_object().cloned().unwrap_or_default();
    object.insert("overlay".to_owned(), json!(1));
    object.insert("spec".to_owned(), json!("openapi.yaml"));
    OverlayFile {
        file: "overlay.yaml".to_owned(),
        overlay: serde_json::from_value(object.into())
            .unwrap_or_else(|error| panic!("{yaml}: {error}")),
    }
}

pub(super) fn plan_with(api: &Api, overlay: Option<&OverlayFile>) -> (Server, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let translations = IndexMap::new();
    let sources = Sources {
        api,
        document_file: "openapi.yaml",
        translations: &translations,
        overlay,
    };
    let server = plan(&mut diagnostics, sources);
    (server, diagnostics)
}

pub(super) fn codes(diagnostics: &Diagnostics) -> Vec<&'static str> {
    diagnostics.items().iter().map(|item| item.code).collect()
}

fn with_body(mut operation: Operation, required: bool, schema: serde_json::Value) -> Operation {
    operation.body = Some(ApiBody {
        required,
        media_type: "application/json".to_owned(),
        description: String::new(),
        schema,
        pointer: String::new(),
    });
    operation
}

#[test]
fn without_an_overlay_everything_is_a_tool_and_the_assumptions_are_told() {
    let (server, diagnostics) = plan_with(
        &api(vec![
            operation("GET", "/v1/a"),
            operation("DELETE", "/v1/a/{id}"),
        ]),
        None,
    );
    assert_eq!(codes(&diagnostics), ["assumed"]);
    assert_eq!(server.name, "example");
    assert_eq!(server.locales, ["en", "pt-BR", "es"]);
    let kinds: Vec<Kind> = server.tools.iter().map(|tool| tool.kind).collect();
    assert_eq!(kinds, [Kind::Read, Kind::Destructive]);
}

#[test]
fn arguments_that_collide_are_told_apart_by_place() {
    let mut put = operation("PUT", "/v1/a/{id}");
    put.parameters.push(parameter(
        "id",
        ParameterLocation::Query,
        json!({"type": "string"}),
    ));
    put.parameters.push(parameter(
        "filter[name]",
        ParameterLocation::Query,
        json!({"type": "string"}),
    ));
    let schema = json!({"type": "object", "required": ["name"], "properties": {
        "id": {"type": "integer"}, "name": {"type": "string"}, "made": {"type": "string", "readOnly": true}}});
    let (server, _) = plan_with(&api(vec![with_body(put, true, schema)]), None);
    let found: Vec<(&str, &str, Place)> = server.tools[0]
        .arguments
        .iter()
        .map(|argument| {
            (
                argument.name.as_str(),
                argument.wire.as_str(),
                argument.place,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("id_path", "id", Place::Path),
            ("id_query", "id", Place::Query),
            ("filter_name", "filter[name]", Place::Query),
            ("id_body", "id", Place::BodyField),
            ("name", "name", Place::BodyField),
        ]
    );
    let schema: serde_json::Value = serde_json::from_str(&server.tools[0].input_schema[0]).unwrap();
    assert_eq!(schema["required"], json!(["id_path", "name"]));
    assert_eq!(schema["additionalProperties"], json!(false));
}

#[test]
fn bodies_that_a_flat_list_cannot_say_stay_whole() {
    let object =
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
    let cases = [
        (true, object.clone(), Body::Fields { required: true }),
        (false, object, Body::Whole),
        (
            true,
            json!({"type": "array", "items": {"type": "string"}}),
            Body::Whole,
        ),
        (
            true,
            json!({"oneOf": [{"type": "object"}, {"type": "string"}]}),
            Body::Whole,
        ),
        (
            true,
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            Body::Whole,
        ),
        (
            true,
            json!({"allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"type": "object", "properties": {"b": {"type": "string"}}}]}),
            Body::Fields { required: true },
        ),
    ];
    for (required, schema, expected) in cases {
        let (server, _) = plan_with(
            &api(vec![with_body(
                operation("POST", "/v1/a"),
                required,
                schema.clone(),
            )]),
            None,
        );
        assert_eq!(server.tools[0].body, expected, "{schema}");
    }
}

#[test]
fn a_unit_comes_first_and_makes_cents_whole() {
    let schema = json!({"type": "object", "properties": {"amount": {"type": "number", "description": "Valor em reais"}}});
    let api = api(vec![with_body(operation("POST", "/v1/a"), true, schema)]);
    let overlay = overlay(
        "locales: {default: en, fallback: en}\ntools: {POST /v1/a: {arguments: {amount: {unit: cents}}}}",
    );
    let (server, diagnostics) = plan_with(&api, Some(&overlay));
    assert_eq!(codes(&diagnostics), ["unit-contradicted"]);
    assert!(
        server.tools[0]
            .description
            .iter()
            .all(|text| text.contains("1000")),
        "{:?}",
        server.tools[0].description
    );
    for schema in &server.tools[0].input_schema {
        let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        let amount = &schema["properties"]["amount"];
        assert_eq!(amount["type"], "integer");
        assert!(amount["description"].as_str().unwrap().contains("1000"));
    }
}

/// Overlay lines, and the code of the one problem that they have.
const FAULTS: &[(&str, &str)] = &[
    (
        "tools: {GET /v1/a: {arguments: {colour: {}}}}",
        "unknown-argument",
    ),
    (
        "tools: {GET /v1/a: {arguments: {limit: {maximum: 200}}}}",
        "loosened-limit",
    ),
    (
        "tools: {GET /v1/a: {arguments: {token: {hide: true}}}}",
        "hidden-required",
    ),
    (
        "tools: {GET /v1/a: {kind: write, name: list_a}}",
        "misleading-name",
    ),
    ("tools: {GET /v1/a: {name: 'a b'}}", "invalid-name"),
    (
        "tools: {GET /v1/a: {title: {en: A, xx: B}}}",
        "unknown-locale",
    ),
    (
        "locales: {default: en, all: [en, es]}\ntools: {GET /v1/a: {title: A}}",
        "missing-locale",
    ),
    (
        "locales: {all: [fr], fallback: en}\ntools: {GET /v1/a: {}}",
        "unknown-locale",
    ),
    (
        "protocol: {legacy: ['2025-03-26']}\ntools: {GET /v1/a: {}}",
        "unknown-version",
    ),
    (
        "protocol: {legacy: [], modern: []}\ntools: {GET /v1/a: {}}",
        "no-version",
    ),
    (
        "upstream: {base_url: ftp://x}\ntools: {GET /v1/a: {}}",
        "invalid-base-url",
    ),
    (
        "upstream: {headers: {set: {'X-A': \"a\\nb\"}}}\ntools: {GET /v1/a: {}}",
        "invalid-header",
    ),
    (
        "upstream: {headers: {hide: [X-None]}}\ntools: {GET /v1/a: {}}",
        "unused-hide",
    ),
    (
        "errors: {mode: map, map: [{code: '(', to: tool_error}]}\ntools: {GET /v1/a: {}}",
        "invalid-expression",
    ),
    (
        "errors: {map: [{status: 404, to: not_found}]}\ntools: {GET /v1/a: {}}",
        "unused-map",
    ),
    (
        "errors: {codes: {odd: {when: {en: a, pt-BR: a, es: a}}}}\ntools: {GET /v1/a: {}}",
        "unused-code",
    ),
    (
        "errors: {fallback: odd}\ntools: {GET /v1/a: {}}",
        "missing-code-text",
    ),
    (
        "errors: {protocol: [-32700]}\ntools: {GET /v1/a: {}}",
        "undocumented-code",
    ),
    (
        "prompts: {p: {messages: [{text: {en: '{x}', pt-BR: a, es: a}}]}}\ntools: {GET /v1/a: {}}",
        "unknown-placeholder",
    ),
    (
        "resources: {docs://errors/en: {name: a, text: b}}\ntools: {GET /v1/a: {}}",
        "reserved-uri",
    ),
    (
        "transport: {path: mcp}\ntools: {GET /v1/a: {}}",
        "invalid-path",
    ),
    ("select: {}", "no-tools"),
];

#[test]
fn every_fault_of_an_overlay_is_an_error_at_its_place() {
    let mut get = operation("GET", "/v1/a");
    get.parameters.push(parameter(
        "limit",
        ParameterLocation::Query,
        json!({"type": "integer", "maximum": 50}),
    ));
    let mut token = parameter("token", ParameterLocation::Query, json!({"type": "string"}));
    token.required = true;
    get.parameters.push(token);
    let api = api(vec![get]);
    for (yaml, code) in FAULTS {
        let (_, diagnostics) = plan_with(&api, Some(&overlay(yaml)));
        let found = diagnostics.items().iter().find(|item| item.code == *code);
        let found = found.unwrap_or_else(|| panic!("{yaml}: {:?}", codes(&diagnostics)));
        assert_eq!(
            found.severity,
            crate::diagnostics::Severity::Error,
            "{yaml}"
        );
        assert_eq!(
            found.location.as_ref().map(|place| place.file.as_str()),
            Some("overlay.yaml"),
            "{yaml}"
        );
        assert!(found.help.is_some(), "{yaml}");
    }
}

#[test]
fn keys_without_behaviour_are_named() {
    let api = api(vec![operation("GET", "/v1/a")]);
    let yaml =
        "limits: {reads_per_hour: 1}\ntools: {GET /v1/a: {product: x, output: {structured: true}}}";
    let (_, diagnostics) = plan_with(&api, Some(&overlay(yaml)));
    assert_eq!(
        codes(&diagnostics),
        ["not-built-yet", "not-built-yet", "not-built-yet"]
    );
}
