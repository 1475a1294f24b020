//! Pix charges: amounts are whole cents.

use serde_json::{Map, Value, json};

use super::super::http::{Request, Response};
use super::answers::{invalid_parameter, no_route, not_found, problem};
use super::billets::body;
use super::pages::{Rules, cut};
use super::store::{State, merge, writable};

const FILTERS: Rules = Rules {
    filters: &["status", "created_at[gte]", "created_at[lte]"],
    max: 100,
};

/// Operations under `/v2/charge/pix`.
pub(super) fn route(state: &mut State, request: &Request, rest: &[&str]) -> Response {
    match (request.method.as_str(), rest) {
        ("GET", []) => list(state, request),
        ("POST", []) => create(state, body(request)),
        ("GET", [uid]) => state
            .pix
            .find(uid)
            .map_or_else(not_found, |row| item(200, row)),
        ("PUT", [uid, "update"]) => change(state, uid, &writable(body(request))),
        ("PUT", [uid, "cancel"]) => change(state, uid, &json!({"status": "canceled"})),
        _ => no_route(),
    }
}

/// One record in the version 2 envelope.
pub(super) fn item(status: u16, row: &Value) -> Response {
    Response::json(status, &json!({"status": status, "data": row}))
}

fn list(state: &State, request: &Request) -> Response {
    let value = |name: &str| request.query_value(name);
    let mut rows = state.pix.rows.clone();
    rows.retain(|row| {
        let created = row["created_at"].as_str().unwrap_or_default();
        value("status").is_none_or(|status| row["status"] == status)
            && value("created_at[gte]").is_none_or(|from| created >= from.as_str())
            && value("created_at[lte]").is_none_or(|to| created <= to.as_str())
    });
    cut(request, &FILTERS, rows).map_or_else(|refusal| refusal, |page| page.into_object(request))
}

fn create(state: &mut State, body: Map<String, Value>) -> Response {
    if body
        .get("amount")
        .and_then(Value::as_u64)
        .unwrap_or_default()
        == 0
    {
        return invalid_parameter("amount", "O valor deve ser um número inteiro de centavos");
    }
    if body.get("pix_account_uid") != Some(&json!("pix-account-1")) {
        return invalid_parameter("pix_account_uid", "A conta Pix não existe");
    }
    let set = json!({"status": "opened", "created_at": "2026-12-01T10:00:00-03:00"});
    item(201, &state.pix.add(writable(body), &set))
}

fn change(state: &mut State, uid: &str, changes: &Value) -> Response {
    let Some(row) = state.pix.find(uid) else {
        return not_found();
    };
    if row["status"] != "opened" {
        let (code, text) = match row["status"].as_str() {
            Some("canceled") => ("change_pix_already_canceled", "A cobrança já foi cancelada"),
            Some("expired") => ("change_pix_expired", "A cobrança está vencida"),
            _ => ("unprocessable_content", "A cobrança já foi paga"),
        };
        return problem(422, code, text);
    }
    if changes
        .get("amount")
        .is_some_and(|cents| cents.as_u64().unwrap_or_default() == 0)
    {
        return invalid_parameter("amount", "O valor deve ser um número inteiro de centavos");
    }
    merge(row, changes);
    item(200, row)
}
