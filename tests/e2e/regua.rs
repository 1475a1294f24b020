//! Régua de Cobrança: the API's own errors unchanged, the `VALIDATION_ERROR` envelope, plain refusals.

use serde_json::{Value, json};

use crate::client::{ERAS, Era, Wire, send};
use crate::kobana::{envelope, error_text};
use crate::server::{HttpServer, StdioServer, binary};
use crate::stand_in::http::StandIn;
use crate::stand_in::regua::Regua;

/// Path of the endpoint.
pub(crate) const PATH: &str = "/mcp";

/// The server against a fresh stand-in.
pub(crate) async fn start() -> (HttpServer, StandIn) {
    let stand_in = StandIn::start(Regua::default(), 0)
        .await
        .expect("a free port");
    let server = HttpServer::start(&binary("regua-mcp", "regua"), &stand_in.base_url(), &[]);
    (server, stand_in)
}

/// Reads that the API refuses: tool, argument, value, code. The text must be the API's body, byte by byte.
const REFUSED_READS: [(&str, &str, &str, &str); 7] = [
    ("/v1/charges/", "get_charge", "chg_foreign", "NOT_FOUND"),
    ("/v1/charges/", "get_charge", "chg_forbidden", "FORBIDDEN"),
    (
        "/v1/charges/",
        "get_charge",
        "chg_noscope",
        "INSUFFICIENT_SCOPE",
    ),
    (
        "/v1/charges/",
        "get_charge",
        "chg_tokenscope",
        "insufficient_scope",
    ),
    (
        "/v1/charges/",
        "get_charge",
        "chg_permission",
        "insufficient_permission",
    ),
    (
        "/v1/charges/",
        "get_charge",
        "chg_inactive",
        "membership_inactive",
    ),
    (
        "/v1/charges/",
        "get_charge",
        "chg_keyowner",
        "key_owner_not_member",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn refused_reads_pass_through_byte_by_byte() {
    let (server, stand_in) = start().await;
    let mut stdio = StdioServer::start(&binary("regua-mcp", "regua"), &stand_in.base_url());
    for era in ERAS {
        for (path, tool, id, code) in REFUSED_READS {
            let arguments = json!({"charge_id": id});
            let over_stdio = Wire::Stdio(&mut stdio)
                .call(era, tool, arguments.clone())
                .await;
            let result = Wire::Http(&server, PATH).call(era, tool, arguments).await;
            assert_eq!(error_text(&over_stdio), error_text(&result), "{id}");
            assert_eq!(envelope(&result)["code"], code, "{id}");
            let direct = send("GET", stand_in.address, &format!("{path}{id}"), &[], "").await;
            assert_eq!(error_text(&result), direct.text, "{id}");
        }
    }
}

/// Calls that the API refuses because of a record's state or a duplicate.
fn refused_writes() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            "request_settlement_letter",
            json!({"charge_id": "chg_open"}),
            "CHARGE_NOT_SETTLED",
        ),
        (
            "reopen_charge",
            json!({"charge_id": "chg_open", "due_date": "2027-01-31"}),
            "CHARGE_NOT_CANCELED",
        ),
        (
            "enable_rule",
            json!({"rule_id": "rul_idle"}),
            "RULE_ALREADY_ENABLED",
        ),
        (
            "disable_rule",
            json!({"rule_id": "rul_off"}),
            "RULE_ALREADY_DISABLED",
        ),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn transition_codes_pass_through() {
    let (server, _stand_in) = start().await;
    for (tool, arguments, code) in refused_writes() {
        let result = Wire::Http(&server, PATH)
            .call(Era::Modern, tool, arguments)
            .await;
        assert_eq!(envelope(&result)["code"], code, "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_keeps_the_code_and_tells_the_wait() {
    let (server, _stand_in) = start().await;
    let arguments = json!({"charge_id": "chg_limited"});
    let result = Wire::Http(&server, PATH)
        .call(Era::Modern, "get_charge", arguments)
        .await;
    let error = envelope(&result);
    assert_eq!(error["code"], "RATE_LIMITED");
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains("7 s"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_without_a_readable_answer_have_a_safe_text() {
    let (server, _stand_in) = start().await;
    let result = Wire::Http(&server, PATH)
        .call(Era::Modern, "get_charge", json!({"charge_id": "chg_html"}))
        .await;
    let error = envelope(&result);
    assert_eq!(error["code"], "tool_error");
    assert!(!error.to_string().contains('<'), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn argument_faults_are_an_envelope_by_field() {
    let (server, stand_in) = start().await;
    let arguments = json!({"limit": 101, "colour": "red"});
    for era in ERAS {
        let result = Wire::Http(&server, PATH)
            .call(era, "list_charges", arguments.clone())
            .await;
        let error = envelope(&result);
        assert_eq!(error["code"], "VALIDATION_ERROR");
        assert!(
            error["details"]["limit"].is_array() && error["details"]["colour"].is_array(),
            "{error}"
        );
        let missing = Wire::Http(&server, PATH)
            .call(era, "get_charge", json!({}))
            .await;
        assert!(
            envelope(&missing)["details"]["charge_id"].is_array(),
            "{missing}"
        );
    }
    assert!(stand_in.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_leaves_undeclared_arguments_to_the_api() {
    let (server, stand_in) = start().await;
    let arguments = json!({"charge_id": "chg_open", "colour": "red"});
    let result = Wire::Http(&server, PATH)
        .call(Era::Modern, "update_charge", arguments)
        .await;
    let error = envelope(&result);
    assert_eq!(error["code"], "VALIDATION_ERROR", "the API's own: {error}");
    let requests = stand_in.requests();
    let body = requests
        .first()
        .and_then(crate::stand_in::http::Request::json)
        .expect("the API was asked");
    assert_eq!(body["colour"], "red");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_destructive_tool_is_refused_on_every_road() {
    let (server, stand_in) = start().await;
    let mut stdio = StdioServer::start(&binary("regua-mcp", "regua"), &stand_in.base_url());
    for era in ERAS {
        for mut wire in [Wire::Http(&server, PATH), Wire::Stdio(&mut stdio)] {
            let result = wire
                .call(era, "cancel_charge", json!({"charge_id": "chg_open"}))
                .await;
            assert_eq!(envelope(&result)["code"], "confirmation_required");
        }
    }
    assert!(stand_in.requests().is_empty(), "nothing may reach the API");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_call_logs_the_fields_of_the_page() {
    let (server, _stand_in) = start().await;
    Wire::Http(&server, PATH)
        .call(
            Era::Modern,
            "get_charge",
            json!({"charge_id": "chg_foreign"}),
        )
        .await;
    let lines = server.call_lines(1);
    let line = lines.first().expect("one line");
    for field in [
        "tool",
        "organization",
        "jti",
        "token_kind",
        "membership",
        "status",
        "duration",
    ] {
        assert!(line.get(field).is_some(), "{field}: {line}");
    }
    assert_eq!(line["status"], 404);
}

/// Calls whose failures bring out every code of the page that is given now.
pub(crate) fn calls_for_every_row() -> Vec<(&'static str, Value)> {
    let charge = |tool: &'static str, id: &str| (tool, json!({"charge_id": id}));
    let mut calls: Vec<(&'static str, Value)> = refused_writes()
        .into_iter()
        .map(|(tool, arguments, _)| (tool, arguments))
        .collect();
    calls.extend([
        charge("get_charge", "chg_foreign"),
        charge("get_charge", "chg_forbidden"),
        charge("get_charge", "chg_noscope"),
        charge("get_charge", "chg_html"),
        charge("cancel_charge", "chg_open"),
        ("get_charge", json!({})),
        (
            "create_customer",
            json!({"name": "Ana", "tax_id": "12345678901"}),
        ),
        (
            "update_charge",
            json!({"charge_id": "chg_paid", "amount": 100}),
        ),
        (
            "update_charge",
            json!({"charge_id": "chg_canceled", "amount": 100}),
        ),
    ]);
    calls
}
