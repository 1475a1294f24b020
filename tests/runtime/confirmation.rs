//! The exchange: asked, agreed, declined, altered, repeated, changed in between.

use std::sync::Arc;

use http::HeaderMap;
use serde_json::{Value, json};

use crate::confirmation_sample::{
    Scene, agreed, answered, call, catalog, code, is_done, question, receive, round,
};
use crate::runtime::catalog::WireLocale;
use crate::runtime::principal::Principal;
use crate::sample::ANONYMOUS;
use crate::stand_in::{Fault, Response};

fn id() -> Value {
    json!({"id": "ch_1"})
}

#[tokio::test]
async fn a_person_agrees_to_what_they_see() {
    let scene = Scene::one(catalog(|_| {})).await;
    let answer = scene.call(round(&id(), json!({}))).await;
    let (text, state) = question(&answer);
    assert_eq!(text, "Cancel ch_1 of Ana (R$\u{a0}980.00)? —");
    let request = &answer["result"]["inputRequests"]["confirm"];
    assert_eq!(
        request,
        &json!({"method": "elicitation/create", "params": {"mode": "form", "message": text,
            "requestedSchema": {"type": "object", "required": ["confirm"],
                "properties": {"confirm": {"type": "boolean", "title": "Yes, cancel it"}}}}})
    );
    let result = answer["result"].as_object().expect("an object");
    for absent in ["content", "isError", "ttlMs", "cacheScope"] {
        assert!(!result.contains_key(absent), "{answer}");
    }
    assert_eq!(scene.n_cancelled(), 0);
    assert!(is_done(&scene.call(agreed(&id(), &state)).await));
    assert_eq!(scene.n_cancelled(), 1);
    let results: Vec<Value> = scene
        .events("tools/call")
        .iter()
        .map(|line| line["result"].clone())
        .collect();
    assert_eq!(results, ["input_required", "ok"]);
}

#[tokio::test]
async fn a_confirmation_runs_once() {
    let scene = Scene::one(catalog(|_| {})).await;
    let (_, state) = scene.ask(id()).await;
    assert!(is_done(&scene.call(agreed(&id(), &state)).await));
    for _ in 0..2 {
        let again = scene.call(agreed(&id(), &state)).await;
        assert_eq!(code(&again), "confirmation_replayed");
    }
    assert_eq!(scene.n_cancelled(), 1);
}

#[tokio::test]
async fn a_confirmation_that_may_be_repeated_carries_one_key() {
    let scene = Scene::one(catalog(|catalog| catalog.confirmation.single_use = false)).await;
    let (_, state) = scene.ask(id()).await;
    for _ in 0..3 {
        assert!(is_done(&scene.call(agreed(&id(), &state)).await));
    }
    let (_, other) = scene.ask(id()).await;
    assert!(is_done(&scene.call(agreed(&id(), &other)).await));
    let requests = scene.api.requests();
    let keys: Vec<&str> = requests
        .iter()
        .filter_map(|request| request.header("idempotency-key"))
        .collect();
    assert_eq!(keys.len(), 4);
    assert!(keys[..3].iter().all(|key| *key == keys[0]), "{keys:?}");
    assert_ne!(keys[0], keys[3]);
}

#[tokio::test]
async fn a_no_changes_nothing_and_cannot_become_a_yes() {
    for no in [
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({"action": "accept", "content": {"confirm": false}}),
    ] {
        let scene = Scene::one(catalog(|_| {})).await;
        let (_, state) = scene.ask(id()).await;
        let answer = scene.call(answered(&id(), &state, no)).await;
        assert_eq!(code(&answer), "user_declined");
        let late = scene.call(agreed(&id(), &state)).await;
        assert_eq!(code(&late), "confirmation_replayed");
        assert_eq!(scene.n_cancelled(), 0);
    }
}

#[tokio::test]
async fn without_a_usable_answer_it_asks_again() {
    let scene = Scene::one(catalog(|_| {})).await;
    let (_, state) = scene.ask(id()).await;
    let with = |more: Value| round(&id(), more);
    for params in [
        with(json!({"requestState": state})),
        with(json!({"requestState": state, "inputResponses": {}})),
        with(json!({"requestState": state, "inputResponses": []})),
        with(json!({"requestState": state, "inputResponses": null})),
        with(json!({"requestState": state, "inputResponses": {"other": {"action": "accept"}}})),
        answered(&id(), &state, json!("accept")),
        answered(&id(), &state, json!({"action": "accept"})),
        answered(
            &id(),
            &state,
            json!({"action": "accept", "content": {"confirm": "true"}}),
        ),
        answered(
            &id(),
            &state,
            json!({"action": "Accept", "content": {"confirm": true}}),
        ),
        // An answer without the state that belongs to it.
        with(
            json!({"inputResponses": {"confirm": {"action": "accept", "content": {"confirm": true}}}}),
        ),
    ] {
        let answer = scene.call(params).await;
        let (_, fresh) = question(&answer);
        assert_ne!(fresh, state);
    }
    assert_eq!(scene.n_cancelled(), 0);
    assert!(is_done(&scene.call(agreed(&id(), &state)).await));
}

#[tokio::test]
async fn a_state_for_something_else_is_an_error() {
    let scene = Scene::one(catalog(|_| {})).await;
    let (_, state) = scene.ask(id()).await;
    let mut altered = state.clone();
    altered.replace_range(100..101, if &state[100..101] == "A" { "B" } else { "A" });
    for (arguments, state, reason) in [
        (json!({"id": "ch_2"}), state.as_str(), "other-call"),
        (json!({"id": "ch_1", "reason": "x"}), &state, "other-call"),
        (id(), altered.as_str(), "altered"),
        (id(), "", "malformed"),
        (id(), "v1.forged", "malformed"),
        (id(), &format!("{state}A"), "malformed"),
        (id(), &format!("{state}="), "malformed"),
    ] {
        let answer = scene.call(agreed(&arguments, state)).await;
        assert_eq!(answer["error"]["code"], -32602, "{reason}: {answer}");
        let events = scene.events("confirmation-refused");
        let last = events.last().expect("an event");
        assert_eq!(
            (&last["reason"], &last["tool"]),
            (&json!(reason), &json!("cancel"))
        );
    }
    let number = round(&id(), json!({"requestState": 7}));
    assert_eq!(scene.call(number).await["error"]["code"], -32602);
    assert_eq!(scene.n_cancelled(), 0);
}

#[tokio::test]
async fn a_confirmation_is_its_callers_alone() {
    let scene = Scene::one(catalog(|_| {})).await;
    let service = &scene.replicas[0].0;
    let caller = |byte: u8| {
        Arc::new(Principal {
            key: [byte; 32],
            ..Principal::anonymous()
        })
    };
    let (ana, eve) = (caller(1), caller(2));
    let (_, state) = question(&call(service, &ana, round(&id(), json!({}))).await);
    for foreign in [&eve, &*ANONYMOUS] {
        let answer = call(service, foreign, agreed(&id(), &state)).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert!(is_done(&call(service, &ana, agreed(&id(), &state)).await));
}

#[tokio::test]
async fn a_confirmation_holds_in_the_language_of_its_question() {
    let scene = Scene::one(catalog(|catalog| {
        catalog.wire_locale = WireLocale::AcceptLanguage;
    }))
    .await;
    let service = &scene.replicas[0].0;
    let ask = async |language: &str, params: Value| {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("accept-language", language),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "cancel"),
        ] {
            headers.insert(name, value.parse().expect("a value"));
        }
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
        receive(service, &ANONYMOUS, Some(&headers), &body).await
    };
    let (text, state) = question(&ask("pt-BR", round(&id(), json!({}))).await);
    assert_eq!(text, "Cancelar ch_1 de Ana (R$\u{a0}980,00)? —");
    let answer = ask("en", agreed(&id(), &state)).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(is_done(&ask("pt-BR", agreed(&id(), &state)).await));
}

#[tokio::test]
async fn what_changed_since_the_question_is_asked_again() {
    let scene = Scene::one(catalog(|_| {})).await;
    let (_, state) = scene.ask(id()).await;
    scene.charges.record.lock().expect("the record")["amount"] = json!(9_800_000);
    let (text, state) = question(&scene.call(agreed(&id(), &state)).await);
    assert!(text.contains("R$\u{a0}98,000.00"), "{text}");
    assert_eq!(scene.n_cancelled(), 0);
    assert!(is_done(&scene.call(agreed(&id(), &state)).await));
    assert_eq!(scene.n_cancelled(), 1);
}

#[tokio::test]
async fn a_record_that_cannot_be_shown_refuses_the_call() {
    let scene = Scene::one(catalog(|_| {})).await;
    let (_, state) = scene.ask(id()).await;
    let missing = Response::json(404, &json!({"error": {"code": "gone", "message": "No."}}));
    for params in [round(&id(), json!({})), agreed(&id(), &state)] {
        scene.fail_next(Fault::Answer(missing.clone()));
        assert_eq!(code(&scene.call(params).await), "tool_error");
    }
    for record in [
        json!({"amount": 1}),
        json!({"amount": null, "payer": {"name": "A"}}),
        json!("x"),
    ] {
        *scene.charges.record.lock().expect("the record") = record;
        let answer = scene.call(round(&id(), json!({}))).await;
        assert_eq!(code(&answer), "tool_error");
        assert!(
            answer.to_string().contains("Nothing was executed"),
            "{answer}"
        );
    }
    assert_eq!(scene.n_cancelled(), 0);
}

#[tokio::test]
async fn faulty_arguments_are_told_before_anything_is_asked() {
    let scene = Scene::one(catalog(|_| {})).await;
    for arguments in [json!({}), json!({"id": 7}), json!({"id": ".."})] {
        let answer = scene.call(round(&arguments, json!({}))).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    }
    assert!(scene.api.requests().is_empty());
}

#[tokio::test]
async fn a_write_that_broke_off_is_not_sent_again() {
    let scene = Scene::one(catalog(|_| {})).await;
    let (_, state) = scene.ask(id()).await;
    // The record is read once more before the write; that read is tried again.
    scene.fail_next(Fault::Answer(Response::json(
        200,
        &json!({"amount": 98000, "payer": {"name": "Ana"}}),
    )));
    scene.fail_next(Fault::Hangup);
    let answer = scene.call(agreed(&id(), &state)).await;
    assert_eq!(code(&answer), "tool_error");
    let requests = scene.api.requests();
    let writes = requests.iter().filter(|request| request.method == "POST");
    assert_eq!(writes.count(), 1);
}
