//! Destructive tools of both servers: asked, confirmed, declined, tampered with, used twice, and without a store.

use serde_json::{Value, json};

use crate::client::{Answer, Era, Wire, headers, message, post};
use crate::kobana::{envelope, text};
use crate::server::{HttpServer, StdioServer, binary};
use crate::stand_in::http::StandIn;
use crate::stand_in::regua::Regua;
use crate::{kobana, regua};

/// A destructive call of one server, with what its person must read.
struct Destructive {
    tool: &'static str,
    arguments: Value,
    /// Parts of the question, in its language.
    question: &'static [&'static str],
    declined: &'static str,
    /// HTTP method and path of the call.
    request: (&'static str, &'static str),
}

fn cancel_billet() -> Destructive {
    Destructive {
        tool: "cancel_bank_billet",
        arguments: json!({"id": 1001}),
        question: &["Cancelar", "1001", "R$"],
        declined: "user_declined",
        request: ("PUT", "/v1/bank_billets/1001/cancel"),
    }
}

fn cancel_charge() -> Destructive {
    Destructive {
        tool: "cancel_charge",
        arguments: json!({"charge_id": "chg_open"}),
        question: &["Cancel", "chg_open", "R$"],
        declined: "USER_DECLINED",
        request: ("POST", "/v1/charges/chg_open/cancel"),
    }
}

/// A call of a client that can show a form, with what it carries beside its arguments.
pub(crate) fn asking_call(tool: &str, arguments: &Value, more: Value) -> Value {
    let mut params = json!({"name": tool, "arguments": arguments});
    if let Some(more) = more.as_object() {
        for (key, value) in more {
            params[key] = value.clone();
        }
    }
    let mut message = message(Era::Modern, "tools/call", params);
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({"elicitation": {"form": {}}});
    message
}

async fn send(server: &HttpServer, path: &str, message: &Value) -> Answer {
    let head = headers(Era::Modern, message);
    post(server.address, path, &head, message.to_string()).await
}

/// The first round: the question and the state.
async fn ask(server: &HttpServer, path: &str, call: &Destructive) -> (String, String) {
    let message = asking_call(call.tool, &call.arguments, json!({}));
    let answer = send(server, path, &message).await;
    let result = &answer.json()["result"];
    assert_eq!(result["resultType"], "input_required", "{}", answer.text);
    let request = &result["inputRequests"]["confirm"];
    assert_eq!(request["method"], "elicitation/create");
    let schema = &request["params"]["requestedSchema"];
    assert_eq!(
        schema["properties"]["confirm"]["type"], "boolean",
        "{schema}"
    );
    assert!(result.get("ttlMs").is_none() && result.get("content").is_none());
    let question = request["params"]["message"].as_str().expect("a question");
    let state = result["requestState"].as_str().expect("a state");
    (question.to_owned(), state.to_owned())
}

fn answered(call: &Destructive, state: &str, answer: Value) -> Value {
    let more = json!({"inputResponses": {"confirm": answer}, "requestState": state});
    asking_call(call.tool, &call.arguments, more)
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"confirm": true}})
}

/// Writes that reached the API.
fn writes(api: &StandIn) -> Vec<(String, String)> {
    api.requests()
        .iter()
        .filter(|request| request.method != "GET")
        .map(|request| (request.method.clone(), request.path.clone()))
        .collect()
}

async fn a_yes_runs_the_call_once(
    (server, api): (&HttpServer, &StandIn),
    path: &str,
    call: &Destructive,
) {
    let (question, state) = ask(server, path, call).await;
    for part in call.question {
        assert!(question.contains(part), "{question}");
    }
    assert!(writes(api).is_empty(), "asked only");
    let answer = send(server, path, &answered(call, &state, yes())).await;
    let result = &answer.json()["result"];
    assert_eq!(result["resultType"], "complete", "{}", answer.text);
    assert_ne!(result["isError"], true, "{}", answer.text);
    let (method, at) = call.request;
    assert_eq!(writes(api), [(method.to_owned(), at.to_owned())]);
}

async fn a_no_changes_nothing(
    (server, api): (&HttpServer, &StandIn),
    path: &str,
    call: &Destructive,
) {
    for no in [
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({"action": "accept", "content": {"confirm": false}}),
    ] {
        let (_, state) = ask(server, path, call).await;
        let answer = send(server, path, &answered(call, &state, no)).await;
        let error = envelope(&answer.json()["result"]);
        assert_eq!(error["code"], call.declined);
    }
    assert!(writes(api).is_empty());
}

async fn a_foreign_state_is_refused(
    (server, api): (&HttpServer, &StandIn),
    path: &str,
    call: &Destructive,
) {
    let (_, state) = ask(server, path, call).await;
    let mut altered = state.clone().into_bytes();
    altered[40] = if altered[40] == b'A' { b'B' } else { b'A' };
    let altered = String::from_utf8(altered).expect("text");
    let other = Destructive {
        arguments: json!({"id": 1006, "charge_id": "chg_overdue"}),
        ..cancel_billet()
    };
    let key = call.arguments.as_object().expect("an object").keys().next();
    let key = key.expect("a key");
    let other_arguments = json!({key: other.arguments[key]});
    let more = json!({"inputResponses": {"confirm": yes()}, "requestState": state});
    for message in [
        answered(call, &altered, yes()),
        answered(call, "", yes()),
        asking_call(call.tool, &other_arguments, more),
    ] {
        let answer = send(server, path, &message).await;
        assert_eq!(answer.json()["error"]["code"], -32602, "{}", answer.text);
    }
    assert!(writes(api).is_empty());
    let refused = server.lines_of("confirmation-refused", 3);
    assert_eq!(refused.len(), 3, "{refused:?}");
}

async fn who_cannot_be_asked_is_refused(
    (server, api): (&HttpServer, &StandIn),
    stdio: &mut StdioServer,
    path: &str,
    call: &Destructive,
) {
    for era in crate::client::ERAS {
        for mut wire in [Wire::Http(server, path), Wire::Stdio(stdio)] {
            let result = wire.call(era, call.tool, call.arguments.clone()).await;
            let error = envelope(&result);
            assert_eq!(error["code"], "confirmation_required");
            let message = error["message"].as_str().expect("a message");
            assert!(message.len() > 20, "{error}");
        }
    }
    assert!(writes(api).is_empty(), "nothing may reach the API");
}

async fn exchange_over_stdio(stdio: &mut StdioServer, call: &Destructive) {
    let first = asking_call(call.tool, &call.arguments, json!({}));
    let asked = stdio.ask(&first.to_string());
    let state = asked["result"]["requestState"].as_str().expect("a state");
    let done = stdio.ask(&answered(call, state, yes()).to_string());
    assert_eq!(done["result"]["resultType"], "complete", "{done}");
    assert_ne!(done["result"]["isError"], true, "{done}");
}

/// The code of the tool error after a no.
async fn declined(server: &HttpServer, path: &str, call: &Destructive) -> String {
    let (_, state) = ask(server, path, call).await;
    let no = json!({"action": "decline"});
    let answer = send(server, path, &answered(call, &state, no)).await;
    code(&answer)
}

fn code(answer: &Answer) -> String {
    let error = envelope(&answer.json()["result"]);
    error["code"].as_str().expect("a code").to_owned()
}

/// Every code that Kobana's confirmations give.
pub(crate) async fn kobanas_codes(server: &HttpServer) -> Vec<String> {
    vec![declined(server, kobana::PATH, &cancel_billet()).await]
}

/// Every code that Régua's confirmations give.
pub(crate) async fn reguas_codes(server: &HttpServer) -> Vec<String> {
    let call = cancel_charge();
    let (_, state) = ask(server, regua::PATH, &call).await;
    let message = answered(&call, &state, yes());
    send(server, regua::PATH, &message).await;
    let replayed = send(server, regua::PATH, &message).await;
    let (storeless, _api) = without_a_store().await;
    let first = asking_call(call.tool, &call.arguments, json!({}));
    let unavailable = send(&storeless, regua::PATH, &first).await;
    vec![
        declined(server, regua::PATH, &call).await,
        code(&replayed),
        code(&unavailable),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn kobana_asks_a_person() {
    let call = cancel_billet();
    let (server, api) = kobana::start().await;
    let mut stdio = StdioServer::start(&binary("kobana-mcp", "kobana"), &api.base_url());
    let both = (&server, &api);
    who_cannot_be_asked_is_refused(both, &mut stdio, kobana::PATH, &call).await;
    a_no_changes_nothing(both, kobana::PATH, &call).await;
    a_foreign_state_is_refused(both, kobana::PATH, &call).await;
    a_yes_runs_the_call_once(both, kobana::PATH, &call).await;
    let (server, api) = kobana::start().await;
    drop(server);
    let mut stdio = StdioServer::start(&binary("kobana-mcp", "kobana"), &api.base_url());
    exchange_over_stdio(&mut stdio, &call).await;
    assert_eq!(writes(&api).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn regua_asks_a_person() {
    let call = cancel_charge();
    let (server, api) = regua::start().await;
    let mut stdio = StdioServer::start(&binary("regua-mcp", "regua"), &api.base_url());
    let both = (&server, &api);
    who_cannot_be_asked_is_refused(both, &mut stdio, regua::PATH, &call).await;
    a_no_changes_nothing(both, regua::PATH, &call).await;
    a_foreign_state_is_refused(both, regua::PATH, &call).await;
    a_yes_runs_the_call_once(both, regua::PATH, &call).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn regua_runs_a_confirmation_once() {
    let call = cancel_charge();
    let (server, api) = regua::start().await;
    let (_, state) = ask(&server, regua::PATH, &call).await;
    let message = answered(&call, &state, yes());
    let first = send(&server, regua::PATH, &message).await;
    assert_ne!(first.json()["result"]["isError"], true, "{}", first.text);
    for _ in 0..3 {
        let again = send(&server, regua::PATH, &message).await;
        let error = envelope(&again.json()["result"]);
        assert_eq!(error["code"], "confirmation_replayed", "{error}");
    }
    assert_eq!(writes(&api).len(), 1);
    let lines = server.call_lines(5);
    assert_eq!(lines[0]["status"], Value::Null, "{lines:?}");
}

/// A server whose store of used confirmations does not answer.
pub(crate) async fn without_a_store() -> (HttpServer, StandIn) {
    let api = StandIn::start(Regua::default(), 0)
        .await
        .expect("a free port");
    let server = HttpServer::start(
        &binary("regua-mcp", "regua"),
        &api.base_url(),
        &["--confirmation-store", "redis://127.0.0.1:9/"],
    );
    (server, api)
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_store_nothing_runs() {
    let call = cancel_charge();
    let (server, api) = without_a_store().await;
    let message = asking_call(call.tool, &call.arguments, json!({}));
    let answer = send(&server, regua::PATH, &message).await;
    let result = &answer.json()["result"];
    assert_eq!(envelope(result)["code"], "confirmation_unavailable");
    assert!(!text(result).contains("127.0.0.1"), "{result}");
    assert!(writes(&api).is_empty());
}
