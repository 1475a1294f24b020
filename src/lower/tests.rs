//! Tables of document fragments and what they become.

use serde_json::{Value, json};

use super::lower;
use crate::diagnostics::Diagnostics;
use crate::load::Document;
use crate::model::{Api, ParameterLocation, ParameterStyle};

fn run(value: Value) -> (Api, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let document = Document {
        file: "openapi.yaml".to_owned(),
        value,
    };
    let api = lower(&mut diagnostics, &document);
    (api, diagnostics)
}

fn codes(diagnostics: &Diagnostics) -> Vec<&'static str> {
    diagnostics.items().iter().map(|item| item.code).collect()
}

/// The schema of the body of the only operation.
fn convert(schema: &Value, schemas: &Value) -> (Option<Value>, Api, Vec<&'static str>) {
    let (api, diagnostics) = run(json!({
        "openapi": "3.1.0", "info": {"title": "t", "version": 1.0},
        "paths": {"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}}},
        "components": {"schemas": schemas}
    }));
    let body = api
        .operations
        .first()
        .and_then(|operation| operation.body.clone());
    (body.map(|body| body.schema), api, codes(&diagnostics))
}

#[test]
fn schemas_become_2020_12() {
    let named = json!({"N": {"type": "object", "properties": {"self": {"$ref": "#/components/schemas/N"}}}});
    let repaired = &["schema-repaired"][..];
    for (given, want, reported) in [
        (
            json!({"type": "string", "nullable": true, "example": "x", "x-y": 1}),
            json!({"type": ["string", "null"]}),
            &[][..],
        ),
        (
            json!({"$ref": "#/components/schemas/N", "nullable": true, "description": "d"}),
            json!({"description": "d", "anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]}),
            &[],
        ),
        (
            json!({"$ref": "#/components/schemas/N", "type": "object"}),
            json!({"$ref": "#/$defs/N", "type": "object"}),
            &[],
        ),
        (
            json!({"type": "string", "enum": ["a"], "nullable": true}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
            &[],
        ),
        (
            json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}),
            json!({"type": "integer", "exclusiveMinimum": 1}),
            &[],
        ),
        (
            json!({"type": "integer", "exclusiveMaximum": false, "maximum": 9}),
            json!({"type": "integer", "maximum": 9}),
            &[],
        ),
        (
            json!({"type": "integer", "enum": ["0", "1"]}),
            json!({"type": "integer", "enum": [0, 1]}),
            repaired,
        ),
        (
            json!({"type": "integer", "enum": ["a"]}),
            json!({"enum": ["a"]}),
            repaired,
        ),
        (
            json!({"type": "string", "enum": [1, 2]}),
            json!({"type": "string", "enum": ["1", "2"]}),
            repaired,
        ),
        (
            json!({"type": "integer", "maxLength": 3, "default": "x"}),
            json!({"type": "integer"}),
            repaired,
        ),
        (
            json!({"type": "string", "maxLength": -1, "minLength": 2.0}),
            json!({"type": "string", "minLength": 2}),
            repaired,
        ),
        (
            json!({"type": "string", "pattern": "("}),
            json!({"type": "string"}),
            repaired,
        ),
        (
            json!({"type": "string", "pattern": "^(?!a)b$"}),
            json!({"type": "string", "pattern": "^(?!a)b$"}),
            &[],
        ),
        (
            json!({"properties": {"a": true}}),
            json!({"properties": {"a": true}, "type": "object"}),
            &[],
        ),
        (
            json!({"type": "array", "items": [{"type": "string"}]}),
            json!({"type": "array", "prefixItems": [{"type": "string"}]}),
            &[],
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "string", "required": true}, "b": {"required": false}}}),
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}),
            &["required-on-property"],
        ),
        (
            json!({"create": {"type": "object"}}),
            json!({}),
            &["schema-without-type"],
        ),
        (json!({"type": "int"}), json!({"type": "integer"}), repaired),
        (json!({"type": "money"}), json!({}), repaired),
        (
            json!({"type": "object", "properties": {"nullable": {"type": "string"}, "example": {"type": "null"}}}),
            json!({"type": "object", "properties": {"nullable": {"type": "string"}, "example": {"type": "null"}}}),
            &[],
        ),
        (
            json!({"type": "string", "readOnly": true, "deprecated": true}),
            json!({"type": "string", "readOnly": true}),
            &[],
        ),
        (
            json!({"$defs": {"X": {"type": "string"}}, "type": "array", "items": {"$ref": "#/$defs/X"}}),
            json!({"type": "array", "items": {"$ref": "#/$defs/X"}}),
            &[],
        ),
    ] {
        let (got, api, codes) = convert(&given, &named);
        let got = got.unwrap();
        assert_eq!(got, want, "{given}");
        assert_eq!(codes, reported, "{given}");
        let mut whole = got.clone();
        if let Value::Object(map) = &mut whole {
            map.insert(
                "$defs".to_owned(),
                serde_json::to_value(&api.definitions).unwrap(),
            );
        }
        jsonschema::draft202012::new(&whole).unwrap();
    }
}

#[test]
fn unusable_schemas_cost_the_operations_that_reach_them() {
    let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let schemas = json!({
        "Gone": {"type": "array", "items": reference("Absent")}, "ViaGone": {"properties": {"x": reference("Gone")}},
        "Endless": {"allOf": [reference("Endless2")]}, "Endless2": {"anyOf": [reference("Endless"), {"type": "null"}]},
        "File": {"$ref": "other.yaml#/X"}, "Fine": {"properties": {"x": reference("Fine")}}
    });
    for (name, code) in [
        ("Absent", Some("reference-missing")),
        ("Gone", Some("reference-missing")),
        ("ViaGone", Some("reference-missing")),
        ("Endless", Some("schema-endless")),
        ("File", Some("external-reference")),
        ("Fine", None),
    ] {
        let (schema, api, codes) = convert(&reference(name), &schemas);
        assert_eq!(schema.is_none(), code.is_some(), "{name}");
        assert_eq!(codes, code.into_iter().collect::<Vec<_>>(), "{name}");
        assert_eq!(api.all_operations.len(), 1);
    }
}

#[test]
fn depth_is_bounded() {
    let mut deep = json!({"type": "string"});
    for _ in 0..300 {
        deep = json!({"items": deep});
    }
    let (schema, _, codes) = convert(&deep, &json!({}));
    assert!(schema.is_none());
    assert_eq!(codes, ["schema-too-deep"]);
}

#[test]
fn parameters_match_the_template() {
    let (api, diagnostics) = run(json!({
        "openapi": "3.0.0", "info": {},
        "servers": [{"url": "https://{h}/", "variables": {"h": {"default": "a.test", "enum": ["a.test"]}}}],
        "paths": {"/a/{id}/{x}": {
            "parameters": [
                {"name": "id", "in": "path", "schema": {"type": "integer"}},
                {"name": "page", "in": "query", "schema": {"type": "integer"}},
                {"name": "gone", "in": "path", "schema": {"type": "string"}}
            ],
            "get": {"security": [{"no": ["s1", "s2"]}, {"no": ["s1"]}], "parameters": [
                {"$ref": "#/components/parameters/P"},
                {"name": "page", "in": "query", "required": true, "style": "simple", "schema": {"type": "string"}},
                {"name": "Accept", "in": "header", "schema": {"type": "string"}},
                {"name": "f", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}
            ]},
            "put": {"parameters": [{"name": "z", "in": "body"}]},
            "trace": {}, "GET": {}
        }},
        "components": {"parameters": {"P": {"name": "c", "in": "cookie", "schema": {"type": "array"}}}}
    }));
    assert_eq!(api.servers, ["https://a.test"]);
    assert_eq!(api.all_operations.len(), 3);
    let [operation] = api.operations.as_slice() else {
        panic!("{diagnostics:?}")
    };
    assert_eq!(operation.scopes, ["s1", "s2"]);
    let got: Vec<_> = operation
        .parameters
        .iter()
        .map(|p| (p.name.as_str(), p.location, p.style, p.explode, p.required))
        .collect();
    assert_eq!(
        got,
        [
            (
                "id",
                ParameterLocation::Path,
                ParameterStyle::Simple,
                false,
                true
            ),
            (
                "c",
                ParameterLocation::Cookie,
                ParameterStyle::Form,
                true,
                false
            ),
            (
                "page",
                ParameterLocation::Query,
                ParameterStyle::Form,
                true,
                true
            ),
            (
                "f",
                ParameterLocation::Query,
                ParameterStyle::Json,
                false,
                false
            ),
            (
                "x",
                ParameterLocation::Path,
                ParameterStyle::Simple,
                false,
                true
            ),
        ]
    );
    let mut codes = codes(&diagnostics);
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(
        codes,
        [
            "operation-invalid",
            "path-key-unknown",
            "path-parameter-undeclared",
            "path-parameter-unused",
            "schema-missing",
            "security-undefined",
            "style-unknown",
            "unsupported-method",
        ]
    );
}

#[test]
fn bodies_and_answers() {
    let (api, diagnostics) = run(json!({
        "openapi": "3.0.0", "info": {},
        "paths": {
            "/a": {"post": {
                "requestBody": {"required": true, "content": {
                    "multipart/form-data": {}, "application/vnd.a+json": {"schema": {"type": "object"}}}},
                "responses": {
                    "200": {"content": {"application/json; charset=utf-8": {"schema": {"type": "string"}}}},
                    "4xx": {"$ref": "#/components/responses/E"}, "default": {}, "nope": {}, "500": {"$ref": "#/absent"}
                }
            }},
            "/b": {"post": {"requestBody": {"content": {"text/plain": {}}}}},
            "/c": {"get": {"requestBody": {"content": {
                "application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": {}}}}}}}
        },
        "components": {"responses": {"E": {"description": "e", "content": {"application/json": {"schema": {"$ref": "#/absent"}}}}}}
    }));
    let kept: Vec<String> = api.operations.iter().map(|o| o.key.join_key()).collect();
    assert_eq!(kept, ["POST /a", "GET /c"]);
    let body = api.operations[0].body.as_ref().unwrap();
    assert_eq!(
        (body.required, body.media_type.as_str()),
        (true, "application/vnd.a+json")
    );
    let answers: Vec<(&str, bool)> = api.operations[0]
        .responses
        .iter()
        .map(|r| (r.status.as_str(), r.schema.is_some()))
        .collect();
    assert_eq!(answers, [("200", true), ("4XX", false), ("default", false)]);
    let mut codes = codes(&diagnostics);
    codes.sort_unstable();
    assert_eq!(
        codes,
        [
            "reference-missing",
            "reference-missing",
            "response-invalid",
            "unsupported-media-type"
        ]
    );
}
