//! Customers, their groups, and webhooks.

use serde_json::{Map, Value, json};

use super::super::http::{Request, Response};
use super::answers::{invalid_fields, invalid_list, no_route, not_found};
use super::billets::{body, is_blank, show};
use super::pages::{Rules, cut};
use super::store::{State, Table, merge, writable};

const PLAIN: Rules = Rules {
    filters: &[],
    max: 100,
};
const BY_EMAIL: Rules = Rules {
    filters: &["email"],
    max: 100,
};

/// Operations under `/v1/customers`, `/v1/customer_groups` and `/v1/webhooks`.
pub(super) fn route(
    state: &mut State,
    request: &Request,
    resource: &str,
    rest: &[&str],
) -> Response {
    match (request.method.as_str(), resource, rest) {
        ("GET", "customers", []) => list_customers(state, request),
        ("POST", "customers", []) => create_customer(state, body(request)),
        ("GET", "customers", ["cnpj_cpf"]) => find_customer(state, request),
        ("GET", "customers", [id]) => show(&mut state.customers, id),
        ("PUT", "customers", [id]) => match state.customers.find(id) {
            Some(row) => {
                merge(row, &writable(body(request)));
                Response::empty(204)
            }
            None => not_found(),
        },
        ("GET", "customer_groups", []) => {
            Response::json(200, &Value::Array(state.groups.rows.clone()))
        }
        ("POST", "customer_groups", []) => create_group(state, body(request)),
        ("GET", "webhooks", []) => list(request, &PLAIN, state.webhooks.rows.clone()),
        ("POST", "webhooks", []) => create_webhook(state, body(request)),
        ("GET", "webhooks", [id]) => show(&mut state.webhooks, id),
        ("DELETE", "webhooks", [id]) => delete(&mut state.webhooks, id),
        _ => no_route(),
    }
}

/// Removes a record, or 404.
pub(super) fn delete(table: &mut Table, id: &str) -> Response {
    if table.remove(id) {
        Response::empty(204)
    } else {
        not_found()
    }
}

fn list(request: &Request, rules: &Rules, rows: Vec<Value>) -> Response {
    cut(request, rules, rows).map_or_else(|refusal| refusal, |page| page.into_array(request))
}

fn list_customers(state: &State, request: &Request) -> Response {
    let email = request.query_value("email");
    let mut rows = state.customers.rows.clone();
    rows.retain(|row| email.as_ref().is_none_or(|email| row["email"] == **email));
    list(request, &BY_EMAIL, rows)
}

fn find_customer(state: &State, request: &Request) -> Response {
    let wanted = request.query_value("q").unwrap_or_default();
    let mut rows = state.customers.rows.iter();
    rows.find(|row| row["cnpj_cpf"] == wanted)
        .map_or_else(not_found, |row| Response::json(200, row))
}

fn create_customer(state: &mut State, body: Map<String, Value>) -> Response {
    let mut faults = Map::new();
    for field in ["person_name", "cnpj_cpf"] {
        if is_blank(&body, field) {
            faults.insert(field.to_owned(), json!(["não pode ficar em branco"]));
        }
    }
    let same = |row: &Value| Some(&row["cnpj_cpf"]) == body.get("cnpj_cpf");
    if state.customers.rows.iter().any(same) {
        faults.insert("cnpj_cpf".to_owned(), json!(["já está em uso"]));
    }
    if faults.is_empty() {
        Response::json(201, &state.customers.add(writable(body), &json!({})))
    } else {
        invalid_fields(&Value::Object(faults))
    }
}

fn create_group(state: &mut State, body: Map<String, Value>) -> Response {
    if is_blank(&body, "name") {
        return invalid_fields(&json!({"name": ["não pode ficar em branco"]}));
    }
    Response::json(201, &state.groups.add(writable(body), &json!({})))
}

fn create_webhook(state: &mut State, mut body: Map<String, Value>) -> Response {
    if !body
        .get("url")
        .is_some_and(|url| url.to_string().contains("https://"))
    {
        return invalid_list("O webhook não é válido", &["O endereço deve usar HTTPS"]);
    }
    // The secret is write-only: no answer shows it again.
    body.remove("secret");
    Response::json(
        201,
        &state
            .webhooks
            .add(Value::Object(body), &json!({"active": true})),
    )
}
