//! Financial accounts.

use serde_json::{Value, json};

use super::super::http::{Request, Response};
use super::answers::{invalid_parameter, no_route, not_found};
use super::billets::{body, is_blank};
use super::customers::delete;
use super::pages::{Rules, cut};
use super::pix::item;
use super::store::{State, merge, writable};

const PLAIN: Rules = Rules {
    filters: &[],
    max: 100,
};

/// Operations under `/v2/financial/accounts`.
pub(super) fn route(state: &mut State, request: &Request, rest: &[&str]) -> Response {
    match (request.method.as_str(), rest) {
        ("GET", []) => cut(request, &PLAIN, state.accounts.rows.clone())
            .map_or_else(|refusal| refusal, |page| page.into_object(request)),
        ("POST", []) => {
            let body = body(request);
            if is_blank(&body, "financial_provider_slug") {
                return invalid_parameter("financial_provider_slug", "Informe o banco");
            }
            item(
                201,
                &state
                    .accounts
                    .add(writable(body), &json!({"status": "pending"})),
            )
        }
        ("GET", [uid]) => change(state, uid, &json!({})),
        ("PUT", [uid]) => change(state, uid, &writable(body(request))),
        ("DELETE", [uid]) => delete(&mut state.accounts, uid),
        _ => no_route(),
    }
}

fn change(state: &mut State, uid: &str, changes: &Value) -> Response {
    let Some(row) = state.accounts.find(uid) else {
        return not_found();
    };
    merge(row, changes);
    item(200, row)
}
