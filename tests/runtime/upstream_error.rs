//! Error answers of the API → tool errors: codes by rule, messages by pointer, nothing of its internals.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use crate::call_sample::{TOOL, WRITE, catalog, leak};
use crate::runtime::catalog::*;
use crate::runtime::client::Failure;
use crate::runtime::hooks::ApiAnswer;
use crate::runtime::upstream_error::{Explained, Explainer, Scene};
use crate::sample;

const CODES: &[&str] = &["/error/code", "/errors/0/code", "/code"];
const MESSAGES: &[&str] = &[
    "/error/message",
    "/errors/0/detail",
    "/errors/0/title",
    "/message",
    "/error",
];
const FIELDS: &[&str] = &["/errors"];

/// A rule that gives `to`, whatever the answer is.
const fn rule(to: &'static str) -> ErrorRule {
    ErrorRule {
        status: None,
        code: None,
        message: None,
        operation: None,
        to,
    }
}

const RULES: &[ErrorRule] = &[
    ErrorRule {
        code: Some("^(?:change_pix_.*|channel_is_active)$"),
        ..rule("unprocessable")
    },
    ErrorRule {
        status: Some(StatusMatch::Exact(403)),
        message: Some("(?i)escopos?"),
        ..rule("insufficient_scope")
    },
    ErrorRule {
        status: Some(StatusMatch::Exact(409)),
        operation: Some("POST /things"),
        ..rule("conflict_on_create")
    },
    ErrorRule {
        status: Some(StatusMatch::Exact(409)),
        ..rule("conflict")
    },
    ErrorRule {
        status: Some(StatusMatch::Exact(404)),
        ..rule("not_found")
    },
    ErrorRule {
        status: Some(StatusMatch::Exact(422)),
        ..rule("validation_failed")
    },
    ErrorRule {
        code: Some("^(?:[invalid)$"),
        ..rule("never: it does not compile")
    },
    ErrorRule {
        status: Some(StatusMatch::Class(4)),
        message: Some("^saldo"),
        ..rule("no_funds")
    },
];

const REGISTRY: &[ErrorCode] = &[ErrorCode {
    code: "not_found",
    channel: Channel::Tool,
    source: Source::Api,
    message: Text(&["Nothing is there.", "Não existe."]),
}];

fn mapping(change: impl FnOnce(&mut Catalog)) -> &'static Catalog {
    catalog(vec![TOOL, WRITE], |catalog| {
        let errors = &mut catalog.errors;
        (errors.code_pointers, errors.message_pointers) = (CODES, MESSAGES);
        (errors.field_pointers, errors.rules) = (FIELDS, RULES);
        errors.registry = REGISTRY;
        change(catalog);
    })
}

fn passing() -> &'static Catalog {
    mapping(|catalog| catalog.errors.mode = UpstreamErrors::Passthrough)
}

fn answer(status: u16, body: &[u8]) -> ApiAnswer {
    ApiAnswer {
        status: StatusCode::from_u16(status).expect("a status"),
        headers: HeaderMap::new(),
        body: Bytes::copy_from_slice(body),
    }
}

fn scene(catalog: &'static Catalog, index: usize, locale: usize) -> Scene<'static> {
    sample::scene(&catalog.tools[index], locale)
}

fn explain(catalog: &'static Catalog, status: u16, body: &str) -> Explained {
    Explainer::new(catalog).answer(scene(catalog, 0, 0), &answer(status, body.as_bytes()))
}

/// Code and message of the envelope; the code is the log's, too.
#[track_caller]
fn envelope(explained: &Explained) -> (String, String) {
    let value: Value = serde_json::from_str(&explained.text).expect("JSON");
    let (code, message) = (&value["error"]["code"], &value["error"]["message"]);
    assert_eq!(value, json!({"error": {"code": code, "message": message}}));
    assert_eq!(code, &json!(explained.code));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (text(code), text(message))
}

#[test]
fn the_shapes_of_error_bodies() {
    let catalog = mapping(|_| {});
    for (status, body, code, message) in [
        // An object with code and message.
        (
            422,
            r#"{"error":{"code":"invalid","message":"Valor inválido"}}"#,
            "validation_failed",
            "Valor inválido",
        ),
        // A list of error objects, each with its field.
        (
            422,
            r#"{"errors":[{"code":"blank","title":"Não pode ficar em branco","param":"amount"},
                {"title":"expire_at é passado","param":"expire_at"}]}"#,
            "validation_failed",
            "Não pode ficar em branco; amount: Não pode ficar em branco; expire_at é passado",
        ),
        // A map from field to messages.
        (
            422,
            r#"{"errors":{"amount":["é curto","não é número"],"name":"falta"}}"#,
            "validation_failed",
            "amount: é curto, não é número; name: falta",
        ),
        // A message beside the map.
        (
            422,
            r#"{"message":"Registro inválido","errors":{"amount":["é curto"]}}"#,
            "validation_failed",
            "Registro inválido; amount: é curto",
        ),
        // A bare text.
        (
            401,
            r#"{"error":"Token inválido"}"#,
            "tool_error",
            "Token inválido",
        ),
        // A list of texts.
        (422, r#"{"errors":["a","b"]}"#, "validation_failed", "a; b"),
        // A number as code, and messages that are none.
        (
            400,
            r#"{"code":1001,"message":"  "}"#,
            "tool_error",
            "The API refused the call.",
        ),
        (404, "{}", "not_found", "Nothing is there."),
        (404, "[]", "not_found", "Nothing is there."),
        (
            404,
            r#"{"error":{"message":5}}"#,
            "not_found",
            "Nothing is there.",
        ),
    ] {
        let explained = explain(catalog, status, body);
        let expected = (code.to_owned(), message.to_owned());
        assert_eq!(envelope(&explained), expected, "{body}");
        assert_eq!(explained.cause, None);
    }
}

#[test]
fn the_first_rule_that_holds_gives_the_code() {
    let catalog = mapping(|_| {});
    let code = |index: usize, status: u16, body: &str| {
        let scene = scene(catalog, index, 0);
        Explainer::new(catalog)
            .answer(scene, &answer(status, body.as_bytes()))
            .code
    };
    let coded = |code: &str, message: &str| {
        json!({"error": {"code": code, "message": message}}).to_string()
    };
    for (index, status, body, expected) in [
        (0, 400, coded("channel_is_active", "x"), "unprocessable"),
        (0, 404, coded("change_pix_state", "x"), "unprocessable"),
        // The whole code, not a part of it.
        (0, 404, coded("no_channel_is_active", "x"), "not_found"),
        (
            0,
            403,
            coded("forbidden", "Faltam ESCOPOS ao token"),
            "insufficient_scope",
        ),
        (
            0,
            403,
            coded("forbidden", "Faltam permissões"),
            "tool_error",
        ),
        (0, 401, coded("forbidden", "Faltam escopos"), "tool_error"),
        (0, 409, coded("x", "x"), "conflict"),
        (1, 409, coded("x", "x"), "conflict_on_create"),
        (0, 400, coded("x", "saldo insuficiente"), "no_funds"),
        (0, 400, coded("x", "sem saldo"), "tool_error"),
        // Messages by field count, too.
        (
            0,
            400,
            r#"{"errors":["saldo zero"]}"#.to_owned(),
            "no_funds",
        ),
        (0, 418, coded("[invalid", "x"), "tool_error"),
    ] {
        assert_eq!(code(index, status, &body), expected, "{status} {body}");
    }
}

#[test]
fn a_rule_by_status_judges_what_cannot_be_read() {
    for (body, is_ours) in [("", true), ("<html>gone</html>", true)] {
        let explained = explain(mapping(|_| {}), 404, body);
        let (given, message) = envelope(&explained);
        assert_eq!(given, "not_found", "{body}");
        assert_eq!(
            !message.is_empty() && !message.contains('<'),
            is_ours,
            "{message}"
        );
    }
    assert_eq!(envelope(&explain(passing(), 404, "")).0, "api_unreadable");
}

#[test]
fn what_cannot_be_read_or_shown_gets_a_sentence_of_ours() {
    let html = "<html>at /srv/api/billets.rb:12 in 10.0.0.7</html>";
    let leaky = r#"{"error":{"code":"boom","message":"PG::Error at 10.0.0.7"}}"#;
    for catalog in [mapping(|_| {}), passing()] {
        for (status, body, code) in [
            (500, leaky, "api_failed"),
            (503, html, "api_failed"),
            (599, "", "api_failed"),
            (400, html, "api_unreadable"),
            (410, "", "api_unreadable"),
            (403, "\"forbidden 10.0.0.7\"", "api_unreadable"),
            (423, r#"{"error":"#, "api_unreadable"),
            (302, leaky, "api_moved"),
        ] {
            let explained = explain(catalog, status, body);
            let (given, message) = envelope(&explained);
            assert_eq!(given, code, "{status} {body}");
            assert!(
                !message.is_empty() && !explained.text.contains("10.0.0.7"),
                "{message}"
            );
            let cause = format!("the API answered {status}");
            assert_eq!(explained.cause, Some(cause));
        }
    }
    let invalid = Explainer::new(passing()).answer(
        scene(passing(), 0, 0),
        &answer(400, b"{\"error\":\"\xff\"}"),
    );
    assert_eq!(invalid.code, "api_unreadable");
}

#[test]
fn absent_answers_are_told_with_the_doubt_after_a_write() {
    let catalog = mapping(|_| {});
    let explainer = Explainer::new(catalog);
    for (failure, code, is_doubtful) in [
        (Failure::Timeout, "api_timeout", true),
        (
            Failure::Network("connection reset 10.0.0.7".to_owned()),
            "api_unreachable",
            true,
        ),
        (Failure::TooLarge, "answer_too_large", true),
        // Nothing was sent.
        (
            Failure::Unreachable("connection refused 10.0.0.7".to_owned()),
            "api_unreachable",
            false,
        ),
    ] {
        for (index, locale, doubt) in [
            (0, 0, None),
            (1, 0, Some("check the record before trying again")),
            (1, 1, Some("confira o registro antes de tentar de novo")),
        ] {
            let explained = explainer.failure(scene(catalog, index, locale), &failure);
            let (given, message) = envelope(&explained);
            assert_eq!(given, code);
            let has_doubt = doubt.is_some_and(|doubt| message.contains(doubt));
            assert_eq!(has_doubt, is_doubtful && doubt.is_some(), "{message}");
            assert!(!message.contains("10.0.0.7"), "{message}");
            assert!(explained.cause.is_some());
        }
    }
    let failed = explainer.answer(scene(catalog, 1, 0), &answer(500, b""));
    assert!(failed.text.contains("may have been made"));
    let refused = explainer.answer(scene(catalog, 1, 0), &answer(404, b""));
    assert!(!refused.text.contains("may have been made"));
}

#[test]
fn passthrough_gives_the_body_byte_for_byte() {
    let catalog = passing();
    for (status, body, code) in [
        (
            404,
            "{ \"error\" : {\"code\":\"NOT_FOUND\",\n\"message\":\"\\u00e7\\/\", \"n\":1.10} }\n",
            "NOT_FOUND",
        ),
        (
            409,
            r#"{"error":{"code":"CHARGE_NOT_SETTLED"},"error":{"code":"B"}}"#,
            "B",
        ),
        (422, r#"[{"a":12345678901234567890123}]"#, "tool_error"),
        (400, r#"{"error":{"code":7}}"#, "7"),
    ] {
        let explained = explain(catalog, status, body);
        assert_eq!(
            (explained.text.as_str(), explained.code.as_str()),
            (body, code)
        );
        assert_eq!(explained.cause, None);
    }
    // The log takes no essay, and nothing that could forge a line.
    let body = json!({"error": {"code": format!("a\u{1b}b\u{7}{}", "x".repeat(5000))}}).to_string();
    let explained = explain(catalog, 400, &body);
    assert_eq!(explained.text, body);
    assert!(explained.code.starts_with("a b x") && explained.code.chars().count() == 101);
}

#[test]
fn too_many_requests_tell_the_wait() {
    let told = |catalog: &'static Catalog, locale, body: &str, wait: Option<&str>| {
        let mut answer = answer(429, body.as_bytes());
        if let Some(wait) = wait {
            let wait = wait.parse().expect("a header");
            answer.headers.insert("retry-after", wait);
        }
        let explained = Explainer::new(catalog).answer(scene(catalog, 1, locale), &answer);
        assert_eq!(explained.cause.as_deref(), Some("the API answered 429"));
        envelope(&explained)
    };
    let own = r#"{"error":{"code":"RATE_LIMITED","message":"internal: bucket 10.0.0.7"}}"#;
    let plain = "The API's request limit has been reached.";
    for (catalog, locale, body, wait, code, message) in [
        (mapping(|_| {}), 0, "", None, "api_busy", plain.to_owned()),
        (
            mapping(|_| {}),
            0,
            own,
            Some("30"),
            "api_busy",
            format!("{plain} Try again in 30 s."),
        ),
        (
            mapping(|_| {}),
            1,
            "Too many",
            Some("30"),
            "api_busy",
            "O limite de requisições da API foi atingido. Tente de novo em 30 s.".to_owned(),
        ),
        (
            passing(),
            0,
            own,
            Some("5"),
            "RATE_LIMITED",
            format!("{plain} Try again in 5 s."),
        ),
        (
            passing(),
            0,
            "{}",
            Some("soon"),
            "api_busy",
            plain.to_owned(),
        ),
    ] {
        let expected = (code.to_owned(), message);
        assert_eq!(
            told(catalog, locale, body, wait),
            expected,
            "{body} {wait:?}"
        );
    }
}

#[test]
fn hints_join_the_message_of_their_code() {
    const HINTED: Tool = Tool {
        hints: &[
            Hint {
                code: "not_found",
                text: Text(&["List them first.", "Liste antes."]),
            },
            Hint {
                code: "api_timeout",
                text: Text(&["Look before you retry."]),
            },
        ],
        ..TOOL
    };
    let catalog = mapping(|catalog| catalog.tools = leak([HINTED]));
    let explainer = Explainer::new(catalog);
    for (locale, body, expected) in [
        (
            0,
            r#"{"message":"No billet 7"}"#,
            "No billet 7 List them first.",
        ),
        (1, "{}", "Não existe. Liste antes."),
    ] {
        let explained = explainer.answer(scene(catalog, 0, locale), &answer(404, body.as_bytes()));
        assert_eq!(envelope(&explained).1, expected);
    }
    let late = explainer.failure(scene(catalog, 0, 1), &Failure::Timeout);
    assert_eq!(
        envelope(&late).1,
        "A API não respondeu a tempo. Look before you retry."
    );
    let other = explainer.answer(scene(catalog, 0, 0), &answer(409, br#"{"message":"x"}"#));
    assert_eq!(envelope(&other).1, "x");
}

#[test]
fn a_code_without_a_message_falls_back_to_the_registry_and_then_to_us() {
    let catalog = mapping(|_| {});
    let explainer = Explainer::new(catalog);
    let message = |status, locale| {
        envelope(&explainer.answer(scene(catalog, 0, locale), &answer(status, b"{}"))).1
    };
    assert_eq!(message(404, 0), "Nothing is there.");
    assert_eq!(message(404, 1), "Não existe.");
    assert_eq!(message(409, 0), "The API refused the call.");
    assert_eq!(message(409, 1), "A API recusou a chamada.");
}

#[test]
fn messages_are_cleaned_and_end() {
    let catalog = mapping(|_| {});
    let body = json!({"message": "a\u{1b}[31m\r\nb\u{0}\u{85}c\tç"}).to_string();
    assert_eq!(envelope(&explain(catalog, 400, &body)).1, "a [31m \nb  c ç");
    let body = json!({"message": "é".repeat(5000)}).to_string();
    let (_, message) = envelope(&explain(catalog, 400, &body));
    assert_eq!(message, format!("{}…", "é".repeat(2000)));
}
