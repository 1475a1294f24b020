//! Stand-in of the Régua de Cobrança API: real state, real refusals.
//!
//! Seeded records (`Regua::default()`):
//!
//! | record | what it is |
//! |---|---|
//! | `chg_open` | open, 15000 cents, due 2026-12-20, follows `rul_standard` |
//! | `chg_overdue` | overdue, 98000 cents, follows `rul_standard` |
//! | `chg_partial` | open, 5000 cents, 2000 received by `pay_part` |
//! | `chg_paid` | paid by `pay_pix`, no letter yet |
//! | `chg_letter` | paid by `pay_cash`, letter issued |
//! | `chg_canceled` | canceled |
//! | `pay_refunded` | payment of `chg_open`, given back |
//! | `cus_ana`, `cus_bruno` | customers; tax numbers 12345678901 and 10987654321 |
//! | `rul_standard`, `rul_idle`, `rul_off` | enabled and followed, enabled and not followed, disabled |
//!
//! Magic ids: an id in the path, or `customer_id`/`charge_id` in the query, is refused by its end, whatever its prefix:
//!
//! | ends in | answer |
//! |---|---|
//! | `_foreign`, or no such record | 404 `NOT_FOUND` |
//! | `_forbidden` | 403 `FORBIDDEN` |
//! | `_noscope` | 403 `INSUFFICIENT_SCOPE`, `details` with `required` and `granted` |
//! | `_tokenscope` | 403 `insufficient_scope`, as above |
//! | `_permission` | 403 `insufficient_permission`, `details.permission` |
//! | `_inactive` | 403 `membership_inactive` |
//! | `_keyowner` | 403 `key_owner_not_member` |
//! | `_unauthorized` | 401 `UNAUTHORIZED` |
//! | `_limited` | 429 `RATE_LIMITED`, `retry-after: 7` |
//! | `_broken` | 500 `INTERNAL_ERROR` as JSON |
//! | `_html` | 502 with an HTML page |
//!
//! By state: a letter of `chg_open` is `CHARGE_NOT_SETTLED`; cancel, settle, update or pay `chg_paid` is
//! `CHARGE_ALREADY_PAID`, `chg_canceled` `CHARGE_CANCELED`; reopen `chg_open` is `CHARGE_NOT_CANCELED`; refund
//! `pay_refunded` is `PAYMENT_ALREADY_REFUNDED`; delete `rul_standard` is `RULE_IN_USE`; enable `rul_idle` is
//! `RULE_ALREADY_ENABLED`; disable `rul_off` is `RULE_ALREADY_DISABLED`. `CONFLICT`: reference `INV-1`, external_id
//! `E2E-1`, tax number 12345678901, rule name `Standard`.
//! A POST with an `Idempotency-Key` seen before on the same path gets the first answer again.

mod charges;
mod check;
mod list;
mod payments;
mod records;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use self::state::State;
use super::http::{Api, Request, Response};

/// The API with its records.
#[derive(Debug, Default)]
pub struct Regua {
    state: Mutex<State>,
    replays: Mutex<BTreeMap<String, Response>>,
    token: Option<String>,
}

impl Regua {
    /// The seeded API that answers 401 `UNAUTHORIZED` to any other bearer token. `default()` takes every caller.
    pub fn requiring_token(token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..Self::default()
        }
    }

    fn is_known_caller(&self, request: &Request) -> bool {
        self.token.as_ref().is_none_or(|token| {
            request.header("authorization") == Some(format!("Bearer {token}").as_str())
        })
    }

    fn run(&self, request: &Request) -> Response {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        magic(request)
            .and_then(|()| route(&mut state, request))
            .unwrap_or_else(|refusal| refusal)
    }
}

impl Api for Regua {
    fn answer(&self, request: &Request) -> Response {
        if !self.is_known_caller(request) {
            return error(401, "UNAUTHORIZED", "The token is not valid");
        }
        let key = request
            .header("idempotency-key")
            .filter(|_| request.method == "POST");
        let Some(key) = key else {
            return self.run(request);
        };
        let mut replays = self.replays.lock().unwrap_or_else(PoisonError::into_inner);
        replays
            .entry(format!("{} {key}", request.path))
            .or_insert_with(|| self.run(request))
            .clone()
    }
}

/// An answer, or a refusal that ends the work early.
type Answer = Result<Response, Response>;

fn route(state: &mut State, request: &Request) -> Answer {
    let segments = request.segments();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let ["v1", path @ ..] = segments.as_slice() else {
        return Err(no_route());
    };
    match path {
        ["charges", ..] => charges::answer(state, request, path),
        ["payments", ..] => payments::answer(state, request, path),
        ["customers" | "rules", ..] => records::answer(state, request, path),
        ["organization"] if request.method == "GET" => Ok(data(
            200,
            &json!({
                "id": "org_seed", "name": "Padaria Aurora", "environment": "sandbox",
                "time_zone": "America/Sao_Paulo", "plan": null
            }),
        )),
        _ => Err(no_route()),
    }
}

fn magic(request: &Request) -> Result<(), Response> {
    let in_query = ["customer_id", "charge_id"];
    let ids = request.segments().into_iter().chain(
        request
            .query_pairs()
            .into_iter()
            .filter(|(key, _)| in_query.contains(&key.as_str()))
            .map(|(_, value)| value),
    );
    for id in ids {
        if let Some(refusal) = id.rsplit_once('_').and_then(|(_, end)| magic_end(end)) {
            return Err(refusal);
        }
    }
    Ok(())
}

fn magic_end(end: &str) -> Option<Response> {
    let scopes = json!({ "required": "dunning.charges.write", "granted": ["dunning.charges"] });
    Some(match end {
        "foreign" => error(404, "NOT_FOUND", "Record not found"),
        "forbidden" => error(403, "FORBIDDEN", "This is not allowed"),
        "noscope" => detailed(403, "INSUFFICIENT_SCOPE", "The scope is missing", &scopes),
        "tokenscope" => detailed(403, "insufficient_scope", "The scope is missing", &scopes),
        "permission" => detailed(
            403,
            "insufficient_permission",
            "The permission charges.cancel is missing",
            &json!({ "permission": "charges.cancel" }),
        ),
        "inactive" => error(403, "membership_inactive", "The membership is inactive"),
        "keyowner" => error(403, "key_owner_not_member", "The owner is not a member"),
        "unauthorized" => error(401, "UNAUTHORIZED", "The token is not valid"),
        "limited" => {
            error(429, "RATE_LIMITED", "Too many requests").with_header("retry-after", "7")
        }
        "broken" => error(500, "INTERNAL_ERROR", "Something went wrong"),
        "html" => Response::text(502, "text/html", "<h1>502 bad gateway at 10.0.0.7</h1>"),
        _ => return None,
    })
}

fn data(status: u16, record: &Value) -> Response {
    Response::json(status, &json!({ "data": record }))
}

fn error(status: u16, code: &str, message: &str) -> Response {
    Response::json(
        status,
        &json!({ "error": { "code": code, "message": message } }),
    )
}

fn detailed(status: u16, code: &str, message: &str, details: &Value) -> Response {
    let body = json!({ "error": { "code": code, "message": message, "details": details } });
    Response::json(status, &body)
}

fn no_route() -> Response {
    error(404, "NOT_FOUND", "There is no such endpoint")
}
