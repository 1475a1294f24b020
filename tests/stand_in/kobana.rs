//! Stand-in of the Kobana API: billets, batches, customers, webhooks, Pix charges and accounts, with real state.
//!
//! Seeded records (`Kobana::default()`):
//!
//! | record | where | state |
//! |---|---|---|
//! | billet | 1001, 1006 | opened |
//! | billet | 1002 | overdue |
//! | billet | 1003 | paid: refuses cancel, pay and update |
//! | billet | 1004 | canceled |
//! | billet | 1005 | generating |
//! | billet | 1007 | not in lists; its text holds numbers that only a copy of the digits keeps |
//! | customer | 51, 52 | – |
//! | webhook | 61 | – |
//! | batch | 71 | holds 1001 and 1002 |
//! | customer group | 81 | holds 82 |
//! | remittance | 91 | text |
//! | Pix charge | `pix-opened`, `pix-paid`, `pix-canceled`, `pix-expired` | as named |
//! | Pix account | `pix-account-1` | any other is refused |
//! | financial account | `account-1`, `account-2` | – |
//!
//! Magic values: a path segment, a query value (other than `page`, `per_page`) or a top-level string of a body.
//!
//! | value | answer | code under `specs/kobana/overlay.yaml` |
//! |---|---|---|
//! | 302 | 302 to a file | `tool_error` |
//! | 400 | 400 `{error}` | `tool_error` |
//! | 4001 | 400 `{error}` on a parameter's value | `unprocessable` |
//! | 401 | 401 `{status, errors}` | `unauthorized` |
//! | 4031 | 403, the title speaks of scopes | `insufficient_scope` |
//! | 4032 | 403, the title speaks of a permission | `insufficient_permission` |
//! | 4033 | 403, the title says that the user is inactive | `membership_inactive` |
//! | 4034 | 403, the title speaks of a product | `product_not_enabled` |
//! | 4035 | 403, neither of these | `unauthorized` |
//! | 404 | 404 | `not_found` |
//! | 409 | 409 `channel_is_active` | `unprocessable` |
//! | 418 | 418 with an unknown code | `tool_error` |
//! | 4220 | 422 `{message, errors}` | `validation_failed` |
//! | 4221 | 422 field map | `validation_failed` |
//! | 4222 | 422 `unprocessable_content` | `unprocessable` |
//! | 429 | 429 `{error}`, `retry-after: 30` | `tool_error` |
//! | 500 | 500 JSON with internals | `tool_error` |
//! | 502 | 502 HTML | `tool_error` |
//!
//! Tokens: `Bearer invalid` is 401, `Bearer blocked` is 403; no `Authorization` is accepted. A missing `User-Agent`,
//! an unknown query parameter, an unreadable body or a body of another media type is 400 `{error}`. A write with an
//! `X-Idempotency-Key` seen before gets the first answer again.

mod accounts;
mod answers;
mod billets;
mod customers;
mod magic;
mod pages;
mod pix;
mod store;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::http::{Api, Request, Response};
use store::State;

/// The API, in its seeded state.
#[derive(Default)]
pub struct Kobana {
    state: Mutex<State>,
    answered: Mutex<BTreeMap<String, Response>>,
}

impl Api for Kobana {
    fn answer(&self, request: &Request) -> Response {
        if let Some(refusal) = refuse(request).or_else(|| magic::answer(request)) {
            return refusal;
        }
        let key = request.header("x-idempotency-key").map(str::to_owned);
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = key.as_ref().and_then(|key| answered.get(key)) {
            return earlier.clone();
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let response = route(&mut state, request);
        if let Some(key) = key {
            answered.insert(key, response.clone());
        }
        response
    }
}

fn refuse(request: &Request) -> Option<Response> {
    match request.header("authorization") {
        Some("Bearer invalid") => return Some(answers::unauthorized()),
        Some("Bearer blocked") => {
            return Some(answers::problem(403, "forbidden", "A conta está bloqueada"));
        }
        _ => {}
    }
    if request.header("user-agent").is_none_or(str::is_empty) {
        return Some(answers::bad_request("Informe o cabeçalho User-Agent"));
    }
    if request.body.is_empty() {
        return None;
    }
    let media_type = request.header("content-type").unwrap_or_default();
    if media_type.split(';').next() != Some("application/json") {
        return Some(answers::bad_request("O corpo deve ser application/json"));
    }
    match request.json() {
        Some(Value::Object(_)) => None,
        _ => Some(answers::bad_request("O corpo não é um objeto JSON")),
    }
}

fn route(state: &mut State, request: &Request) -> Response {
    let segments = request.segments();
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    let is_batch = matches!(parts.as_slice(), ["v1", "bank_billet_batches", _]);
    if request.path.starts_with("//") || request.path.ends_with('/') != is_batch {
        return answers::no_route();
    }
    if !is_listing(request, &parts) {
        let known: &[&str] = if parts.ends_with(&["cnpj_cpf"]) {
            &["q"]
        } else {
            &[]
        };
        if let Err(refusal) = pages::only_known(request, known) {
            return refusal;
        }
    }
    match parts.as_slice() {
        ["v1", "bank_billets", rest @ ..] => billets::route(state, request, rest),
        ["v1", "bank_billet_batches", rest @ ..] => billets::route_batches(state, request, rest),
        ["v1", "remittances", id, "raw"] if request.method == "GET" => remittance(id),
        ["v1", resource, rest @ ..] => customers::route(state, request, resource, rest),
        ["v2", "charge", "pix", rest @ ..] => pix::route(state, request, rest),
        ["v2", "financial", "accounts", rest @ ..] => accounts::route(state, request, rest),
        _ => answers::no_route(),
    }
}

/// Whether the operation checks its own query.
fn is_listing(request: &Request, parts: &[&str]) -> bool {
    let pages = match parts {
        ["v1", resource] => *resource != "customer_groups",
        ["v2", "charge", "pix"] | ["v2", "financial", "accounts"] => true,
        _ => false,
    };
    pages && request.method == "GET"
}

fn remittance(id: &str) -> Response {
    if id == "91" {
        Response::text(200, "text/plain; charset=utf-8", "01REMESSA01COBRANÇA\n")
    } else {
        answers::not_found()
    }
}

#[cfg(test)]
mod tests;
