//! Error answers of the API: the shapes in use, the rules, and what must never be shown.

use serde_json::Value;

use crate::call_sample::{Bench, catalog, text, tool};
use crate::runtime::call::Outcome;
use crate::runtime::catalog::*;
use crate::stand_in::Response;

async fn explain(answer: Response, change: impl FnOnce(&mut Catalog)) -> Outcome {
    let sample = tool("POST", &[], |tool| {
        tool.hints = &[Hint {
            code: "timed_out",
            text: Text(&["Look at list_things.", "Veja list_things."]),
        }];
    });
    let outcome = Bench::answering(catalog(sample, change), answer)
        .await
        .call("{}")
        .await;
    assert!(outcome.result.is_error);
    assert!(outcome.result.structured.is_none());
    outcome
}

fn parts(outcome: &Outcome) -> (String, String) {
    let envelope: Value = serde_json::from_str(&text(&outcome.result)).unwrap();
    let part = |name: &str| envelope["error"][name].as_str().unwrap().to_owned();
    assert_eq!(Some(part("code")), outcome.code);
    (part("code"), part("message"))
}

fn json(status: u16, body: &str) -> Response {
    Response::text(status, "application/json", body)
}

static RULES: &[ErrorRule] = &[
    rule(
        Some(StatusMatch::Exact(403)),
        None,
        Some("(?i)escopo"),
        "insufficient_scope",
    ),
    rule(
        None,
        Some("^(?:validation_error|invalid_.*)$"),
        None,
        "validation_failed",
    ),
    ErrorRule {
        operation: Some("POST /other"),
        ..rule(Some(StatusMatch::Exact(404)), None, None, "elsewhere")
    },
    rule(Some(StatusMatch::Exact(404)), None, None, "not_found"),
    rule(
        Some(StatusMatch::Exact(422)),
        Some("^(?:unprocessable_content)$"),
        None,
        "unprocessable",
    ),
    rule(
        Some(StatusMatch::Exact(422)),
        None,
        None,
        "validation_failed",
    ),
    rule(None, Some("("), None, "never"),
    rule(
        Some(StatusMatch::Class(4)),
        None,
        Some("bloqueada"),
        "unauthorized",
    ),
];

const fn rule(
    status: Option<StatusMatch>,
    code: Option<&'static str>,
    message: Option<&'static str>,
    to: &'static str,
) -> ErrorRule {
    ErrorRule {
        status,
        code,
        message,
        operation: None,
        to,
    }
}

/// Status and body of the API, code and message of the tool.
const SHAPES: &[(u16, &str, &str, &str)] = &[
    (
        422,
        r#"{"status":422,"errors":[{"title":"Erro","code":"validation_error","param":"amount","detail":"amount é obrigatório"}]}"#,
        "validation_failed",
        "Erro; amount é obrigatório",
    ),
    (
        422,
        r#"{"errors":{"amount":["can't be blank","is not a number"],"due_at":["is past"]}}"#,
        "validation_failed",
        "amount: can't be blank, is not a number; due_at: is past",
    ),
    (
        400,
        r#"{"error":"Pedido inválido"}"#,
        "tool_error",
        "Pedido inválido",
    ),
    (
        422,
        r#"{"message":"Falhou","errors":["a","b"]}"#,
        "validation_failed",
        "Falhou; a; b",
    ),
    (
        403,
        r#"{"status":403,"errors":[{"title":"Você precisa de um destes escopos: \"write\"","code":"forbidden"}]}"#,
        "insufficient_scope",
        "Você precisa de um destes escopos: \"write\"",
    ),
    (
        403,
        r#"{"errors":[{"title":"Proibido","code":"forbidden"}]}"#,
        "tool_error",
        "Proibido",
    ),
    (
        404,
        r#"{"error":{"code":"gone","message":"Nada"}}"#,
        "not_found",
        "Nada",
    ),
    (
        422,
        r#"{"errors":[{"title":"Pago","code":"unprocessable_content"}]}"#,
        "unprocessable",
        "Pago",
    ),
    (
        401,
        r#"{"error":"Conta bloqueada"}"#,
        "unauthorized",
        "Conta bloqueada",
    ),
    // A code is matched whole, not by a part of it.
    (
        400,
        r#"{"errors":[{"title":"x","code":"not_validation_error"}]}"#,
        "tool_error",
        "x",
    ),
    (
        409,
        r#"{"error":{"message":"a\u0000b\u001b[31m"}}"#,
        "tool_error",
        "a b [31m",
    ),
    (
        400,
        r#"{"errors":[{"title":"must be 1","detail":"must be 1","param":"n"}]}"#,
        "tool_error",
        "n: must be 1",
    ),
    (
        400,
        r#"{"unknown":"shape"}"#,
        "tool_error",
        "The API refused the call.",
    ),
    (400, "{}", "tool_error", "The API refused the call."),
    (400, "[]", "tool_error", "The API refused the call."),
    (
        400,
        r#"{"errors":null,"error":{"code":["x"]}}"#,
        "tool_error",
        "The API refused the call.",
    ),
];

#[tokio::test]
async fn every_shape_is_read_and_mapped() {
    for (status, body, code, message) in SHAPES {
        let outcome = explain(json(*status, body), |catalog| catalog.errors.rules = RULES).await;
        assert_eq!(
            parts(&outcome),
            ((*code).to_owned(), (*message).to_owned()),
            "{body}"
        );
        assert_eq!(outcome.status, Some(*status));
    }
}

#[tokio::test]
async fn long_messages_are_cut() {
    let body = format!(r#"{{"error":"{}"}}"#, "ã".repeat(4000));
    let (_, message) = parts(&explain(json(400, &body), |_| {}).await);
    assert_eq!(message.chars().count(), 2001);
}

#[tokio::test]
async fn the_registry_speaks_where_the_api_does_not() {
    let outcome = explain(json(404, "{}"), |catalog| {
        catalog.errors.rules = RULES;
        catalog.errors.registry = &[ErrorCode {
            code: "not_found",
            channel: Channel::Tool,
            source: Source::Api,
            message: Text(&["No such record."]),
        }];
    })
    .await;
    assert_eq!(parts(&outcome).1, "No such record.");
}

#[tokio::test]
async fn unreadable_answers_get_a_safe_sentence() {
    let html = "<h1>PG::Error at db-7.internal:5432</h1>";
    let table = [
        (Response::text(404, "text/html", html), "not_json"),
        (json(400, "{broken db-7"), "not_json"),
        (json(400, r#""db-7""#), "not_json"),
        (Response::empty(404), "not_json"),
        (
            json(500, r#"{"error":{"code":"X","message":"db-7 down"}}"#),
            "api_failed",
        ),
        (Response::text(502, "text/html", html), "api_failed"),
        (json(429, r#"{"error":"db-7 is tired"}"#), "slow_down"),
    ];
    for mode in [UpstreamErrors::Map, UpstreamErrors::Passthrough] {
        for (answer, code) in &table {
            let outcome = explain(answer.clone(), |catalog| catalog.errors.mode = mode).await;
            assert_eq!(parts(&outcome).0, *code, "{answer:?}");
            let text = text(&outcome.result);
            assert!(!text.contains("db-7"), "{text}");
            assert!(outcome.cause.is_some_and(|cause| !cause.contains("db-7")));
        }
    }
}

#[tokio::test]
async fn a_rule_by_status_holds_for_answers_that_cannot_be_read() {
    const BY_STATUS: &[ErrorRule] = &[
        rule(
            Some(StatusMatch::Exact(404)),
            Some("^X$"),
            None,
            "needs_a_code",
        ),
        rule(Some(StatusMatch::Exact(404)), None, None, "not_found"),
        rule(Some(StatusMatch::Class(5)), None, None, "api_down"),
        rule(Some(StatusMatch::Exact(429)), None, None, "too_fast"),
    ];
    for (answer, code) in [
        (Response::empty(404), "not_found"),
        (
            Response::text(404, "text/html", "<h1>gone</h1>"),
            "not_found",
        ),
        (
            Response::text(503, "text/html", "<h1>db-7</h1>"),
            "api_down",
        ),
        (json(429, "{}"), "too_fast"),
        (Response::empty(400), "not_json"),
    ] {
        let mapped = explain(answer.clone(), |catalog| catalog.errors.rules = BY_STATUS).await;
        let (found, message) = parts(&mapped);
        assert_eq!(found, code, "{answer:?}");
        assert!(!message.is_empty() && !message.contains('<'), "{message}");
    }
}

#[tokio::test]
async fn a_refused_rate_says_how_long_to_wait() {
    let answer = json(429, r#"{"error":{"code":"TOO_MANY"}}"#).with_header("retry-after", "30");
    let mapped = parts(&explain(answer.clone(), |_| {}).await);
    assert_eq!(mapped.0, "slow_down");
    assert_eq!(
        mapped.1,
        "The API's request limit has been reached. Try again in 30 s."
    );
    let passed = explain(answer, |catalog| {
        catalog.errors.mode = UpstreamErrors::Passthrough;
    })
    .await;
    assert_eq!(parts(&passed).0, "TOO_MANY");
    assert!(parts(&passed).1.contains("30 s"));
    let dated = json(429, "{}").with_header("retry-after", "Tue, 01 Dec 2026 02:00:00 GMT");
    let (_, message) = parts(&explain(dated, |_| {}).await);
    assert_eq!(message, "The API's request limit has been reached.");
}

#[tokio::test]
async fn passthrough_changes_no_byte() {
    let body = "{ \"error\": {\"code\":\"NOT_FOUND\", \"message\":\"Charge \\u00e9 12345678901234567890.10\",\"details\":{}}}\n";
    let outcome = explain(json(404, body), |catalog| {
        catalog.errors.mode = UpstreamErrors::Passthrough;
    })
    .await;
    assert_eq!(text(&outcome.result), body);
    assert_eq!(outcome.code.as_deref(), Some("NOT_FOUND"));
    assert_eq!(outcome.status, Some(404));
}

#[tokio::test]
async fn safe_sentences_speak_the_language_of_the_wire_and_take_hints() {
    let sample = tool("GET", &[], |tool| {
        tool.hints = &[Hint {
            code: "api_failed",
            text: Text(&[
                "Look at list_things.",
                "Veja list_things.",
                "Vea list_things.",
            ]),
        }];
    });
    let bench = Bench::answering(
        catalog(sample, |catalog| catalog.upstream.retries = 0),
        Response::empty(503),
    )
    .await;
    let table = [
        (
            0,
            "The API failed while it handled the call. Look at list_things.",
        ),
        (1, "A API falhou ao tratar a chamada. Veja list_things."),
        (2, "La API falló al atender la llamada. Vea list_things."),
    ];
    for (locale, expected) in table {
        assert_eq!(parts(&bench.call_in("{}", locale).await).1, expected);
    }
}
