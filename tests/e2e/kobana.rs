//! Kobana: the API's errors in the server's own words, bare argument reports, refused destructive tools, the log line.

use serde_json::{Value, json};

use crate::client::{ERAS, Era, Wire};
use crate::server::{HttpServer, StdioServer, binary};
use crate::stand_in::http::{Fault, Response, StandIn};
use crate::stand_in::kobana::Kobana;

/// Path of the endpoint.
pub(crate) const PATH: &str = "/";

/// The server against a fresh stand-in.
pub(crate) async fn start() -> (HttpServer, StandIn) {
    let stand_in = StandIn::start(Kobana::default(), 0)
        .await
        .expect("a free port");
    let server = HttpServer::start(&binary("kobana-mcp", "kobana"), &stand_in.base_url(), &[]);
    (server, stand_in)
}

/// What the API answers to `get_bank_billet` with a magic id, and the code that the model sees.
pub(crate) const API_ERRORS: [(&str, &str, &str); 17] = [
    ("302", "tool_error", ""),
    ("400", "tool_error", ""),
    ("4001", "unprocessable", "cursor"),
    ("401", "unauthorized", ""),
    ("4031", "insufficient_scope", "escopo"),
    ("4032", "insufficient_permission", "permiss"),
    ("4033", "membership_inactive", "inativo"),
    ("4034", "product_not_enabled", "produto"),
    ("4035", "unauthorized", ""),
    ("404", "not_found", ""),
    ("409", "unprocessable", ""),
    ("418", "tool_error", ""),
    ("4220", "validation_failed", ""),
    ("4221", "validation_failed", ""),
    ("4222", "unprocessable", ""),
    ("429", "tool_error", "30"),
    ("502", "tool_error", ""),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_error_of_the_api_has_its_code() {
    let (server, stand_in) = start().await;
    let mut stdio = StdioServer::start(&binary("kobana-mcp", "kobana"), &stand_in.base_url());
    for era in ERAS {
        for mut wire in [Wire::Http(&server, PATH), Wire::Stdio(&mut stdio)] {
            for (id, code, part) in API_ERRORS {
                let arguments = json!({"id": id.parse::<u64>().expect("a number")});
                let result = wire.call(era, "get_bank_billet", arguments).await;
                let error = envelope(&result);
                assert_eq!(error["code"], code, "{era:?} {id}: {error}");
                let message = error["message"].as_str().expect("a message");
                assert!(message.to_lowercase().contains(part), "{id}: {message}");
                let leaks = message.contains("127.0.0.1") || message.contains('<');
                assert!(!leaks, "{id}: {message}");
            }
        }
    }
    assert!(
        stand_in
            .requests()
            .iter()
            .all(|request| request.method == "GET")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_below_http_are_tool_errors() {
    let (server, stand_in) = start().await;
    let internals = Response::json(
        500,
        &json!({"errors": [{"code": "boom", "detail": "PG::ConnectionBad 10.0.0.7"}]}),
    );
    // A read is tried again once after a broken connection, so that fault must meet both tries; a 500 is final.
    stand_in.fail_next(Fault::Hangup);
    for fault in [Fault::Hangup, Fault::Answer(internals)] {
        stand_in.fail_next(fault);
        let result = Wire::Http(&server, PATH)
            .call(Era::Modern, "get_bank_billet", json!({"id": 1001}))
            .await;
        let error = envelope(&result);
        assert_eq!(error["code"], "tool_error");
        assert!(!error.to_string().contains("10.0.0.7"), "{error}");
    }
    let result = Wire::Http(&server, PATH)
        .call(Era::Modern, "get_bank_billet", json!({"id": 1001}))
        .await;
    assert_ne!(
        result["isError"], true,
        "the next call finds the API again: {result}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_cannot_be_reached_is_a_tool_error() {
    let server = HttpServer::start(&binary("kobana-mcp", "kobana"), "http://127.0.0.1:9", &[]);
    let result = Wire::Http(&server, PATH)
        .call(Era::Legacy, "get_bank_billet", json!({"id": 1001}))
        .await;
    assert_eq!(envelope(&result)["code"], "tool_error");
}

/// Arguments, and a part of the report. Nothing of these may reach the API.
fn bad_arguments() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            "get_bank_billet",
            json!({}),
            "Missing required arguments: id",
        ),
        (
            "get_bank_billet",
            json!({"id": "abc"}),
            "Invalid arguments: ",
        ),
        (
            "get_bank_billet",
            json!({"id": 1001, "idd": 2}),
            "Invalid arguments: ",
        ),
        (
            "list_bank_billets",
            json!({"limit": 101}),
            "Invalid arguments: ",
        ),
        (
            "list_bank_billets",
            json!({"sort_by": "colour"}),
            "Invalid arguments: ",
        ),
        (
            "list_bank_billets",
            json!({"limit": 101, "sort_by": "colour"}),
            "sort_by",
        ),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn argument_faults_are_bare_text_and_never_reach_the_api() {
    let (server, stand_in) = start().await;
    let mut stdio = StdioServer::start(&binary("kobana-mcp", "kobana"), &stand_in.base_url());
    for era in ERAS {
        for mut wire in [Wire::Http(&server, PATH), Wire::Stdio(&mut stdio)] {
            for (tool, arguments, part) in bad_arguments() {
                let result = wire.call(era, tool, arguments.clone()).await;
                let text = error_text(&result);
                assert!(text.contains(part), "{tool} {arguments}: {text}");
                let is_bare = serde_json::from_str::<Value>(text).is_err();
                assert!(is_bare, "no envelope: {text}");
            }
        }
    }
    assert!(stand_in.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_carries_headers_of_the_overlay_and_the_query() {
    let (server, stand_in) = start().await;
    let arguments = json!({"limit": 2, "page": 1});
    let result = Wire::Http(&server, PATH)
        .call(Era::Modern, "list_bank_billets", arguments)
        .await;
    assert!(
        text(&result).starts_with('[') || text(&result).starts_with('{'),
        "{result}"
    );
    let requests = stand_in.requests();
    let request = requests.first().expect("one request");
    assert_eq!(request.path, "/v1/bank_billets");
    assert_eq!(request.query_value("per_page").as_deref(), Some("2"));
    assert_eq!(
        request.header("authorization"),
        Some("Bearer secret-kobana-token")
    );
    assert!(
        request
            .header("user-agent")
            .is_some_and(|agent| agent.starts_with("kobana-mcp/"))
    );
    assert_eq!(request.header("x-idempotency-key"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn digits_pass_unchanged_in_both_directions() {
    let (server, stand_in) = start().await;
    let result = Wire::Http(&server, PATH)
        .call(Era::Modern, "get_bank_billet", json!({"id": 1007}))
        .await;
    assert!(text(&result).contains("120.50"), "{result}");
    let direct = crate::client::send(
        "GET",
        stand_in.address,
        "/v1/bank_billets/1007",
        &[("user-agent", "test".to_owned())],
        "",
    )
    .await;
    assert_eq!(
        text(&result),
        direct.text,
        "the body is the API's own, byte by byte"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_runs_once_with_an_idempotency_key() {
    let (server, stand_in) = start().await;
    let arguments = new_billet();
    let result = Wire::Http(&server, PATH)
        .call(Era::Modern, "create_bank_billet", arguments)
        .await;
    assert_ne!(result["isError"], true, "{result}");
    stand_in.fail_next(Fault::Hangup);
    let failed = Wire::Http(&server, PATH)
        .call(Era::Modern, "create_bank_billet", new_billet())
        .await;
    assert_eq!(envelope(&failed)["code"], "tool_error");
    let requests = stand_in.requests();
    assert_eq!(requests.len(), 2, "a write is never sent again");
    let keys: Vec<_> = requests
        .iter()
        .filter_map(|request| request.header("x-idempotency-key"))
        .collect();
    assert_eq!(keys.len(), 2);
    assert_ne!(keys.first(), keys.last());
}

/// A billet that the API accepts.
pub(crate) fn new_billet() -> Value {
    json!({
        "amount": 150.5,
        "expire_at": "2027-01-15",
        "description": "Mensalidade",
        "customer_person_name": "Maria Exemplo",
        "customer_cnpj_cpf": "012.345.678-90",
        "customer_email": "maria@example.com",
        "tags": ["mensalidade"],
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_destructive_tool_is_refused_on_every_road() {
    let (server, stand_in) = start().await;
    let mut stdio = StdioServer::start(&binary("kobana-mcp", "kobana"), &stand_in.base_url());
    for era in ERAS {
        for mut wire in [Wire::Http(&server, PATH), Wire::Stdio(&mut stdio)] {
            let result = wire
                .call(era, "cancel_bank_billet", json!({"id": 1001}))
                .await;
            let error = envelope(&result);
            assert_eq!(error["code"], "confirmation_required");
            assert!(
                error["message"]
                    .as_str()
                    .is_some_and(|message| message.len() > 20),
                "{error}"
            );
        }
    }
    assert!(stand_in.requests().is_empty(), "nothing may reach the API");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_call_logs_one_line_without_its_content() {
    let (server, _stand_in) = start().await;
    let mut wire = Wire::Http(&server, PATH);
    wire.call(Era::Modern, "get_bank_billet", json!({"id": 1001}))
        .await;
    wire.call(Era::Legacy, "get_bank_billet", json!({"id": 404}))
        .await;
    let lines = server.call_lines(2);
    let [good, bad] = lines.as_slice() else {
        panic!("two calls, two lines: {lines:?}");
    };
    for (line, result) in [(good, "ok"), (bad, "not_found")] {
        for field in [
            "tool",
            "account",
            "user",
            "token",
            "token_kind",
            "result",
            "duration",
        ] {
            assert!(line.get(field).is_some(), "{field}: {line}");
        }
        assert_eq!(line["tool"], "get_bank_billet");
        assert_eq!(line["result"], result);
    }
    let all = format!("{:?}", server.log_lines());
    assert!(
        !all.contains("secret-kobana-token") && !all.contains("/v1/bank_billets"),
        "{all}"
    );
}

/// The text of a result's only block.
pub(crate) fn text(result: &Value) -> &str {
    let content = result["content"].as_array().expect("content");
    assert_eq!(content.len(), 1, "{result}");
    result["content"][0]["text"].as_str().expect("a text block")
}

/// The text of a failed result: only in `content`, never in `structuredContent`.
pub(crate) fn error_text(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    text(result)
}

/// The `error` member of a failed result's envelope.
pub(crate) fn envelope(result: &Value) -> Value {
    let body: Value = serde_json::from_str(error_text(result)).expect("an envelope");
    assert!(body["error"]["code"].is_string(), "{body}");
    body["error"].clone()
}
