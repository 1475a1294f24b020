//! Billets and their batches.

use serde_json::{Map, Value, json};

use super::super::http::{Request, Response};
use super::answers::{invalid_fields, invalid_list, no_route, not_found, wrong_state};
use super::pages::{Rules, cut};
use super::store::{State, Table, merge, writable};

const FILTERS: Rules = Rules {
    filters: &["status", "expire_from", "expire_to", "cnpj_cpf", "sort_by"],
    max: 100,
};
const NUMBERS: &str =
    r#"{"id":1007,"status":"opened","amount":120.50,"our_number":12345678901234567890123}"#;

/// Operations under `/v1/bank_billets`.
pub(super) fn route(state: &mut State, request: &Request, rest: &[&str]) -> Response {
    let body = body(request);
    match (request.method.as_str(), rest) {
        ("GET", []) => list(state, request).unwrap_or_else(|refusal| refusal),
        ("POST", []) => create(state, body),
        ("GET", ["1007"]) => Response::text(200, "application/json", NUMBERS),
        ("GET", [id]) => show(&mut state.billets, id),
        ("PUT", [id]) => change(state, id, &["opened", "overdue"], &writable(body)),
        ("PUT", [id, "cancel"]) => {
            let cancelled = json!({"status": "canceled"});
            change(state, id, &["opened", "overdue"], &cancelled)
        }
        ("POST", [id, "duplicate"]) => duplicate(state, id, &body),
        ("PUT", [id, "pay"]) => pay(state, id, &body),
        ("POST", [id, "send_email"]) => send(state, id, &body),
        _ => no_route(),
    }
}

/// Operations under `/v1/bank_billet_batches`.
pub(super) fn route_batches(state: &mut State, request: &Request, rest: &[&str]) -> Response {
    let mut body = body(request);
    match (request.method.as_str(), rest) {
        ("GET", []) => {
            let rules = Rules {
                filters: &[],
                max: 50,
            };
            cut(request, &rules, state.batches.rows.clone())
                .map_or_else(|refusal| refusal, |page| page.into_array(request))
        }
        ("POST", []) => {
            if is_blank(&body, "name") {
                return invalid_fields(&json!({"name": ["não pode ficar em branco"]}));
            }
            body.entry("bank_billet_ids").or_insert(json!([]));
            Response::json(
                201,
                &state
                    .batches
                    .add(Value::Object(body), &json!({"status": "created"})),
            )
        }
        ("GET", [id]) => show(&mut state.batches, id),
        ("PUT", [id, "add_bank_billets"]) => add_to_batch(state, id, &body),
        ("GET", [id, "zip"]) => match state.batches.find(id) {
            Some(_) => Response::empty(302)
                .with_header("location", "https://arquivos.example.com/lote.zip"),
            None => not_found(),
        },
        _ => no_route(),
    }
}

/// The fields of a body; none without one.
pub(super) fn body(request: &Request) -> Map<String, Value> {
    match request.json() {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Whether a field is absent, `null` or empty.
pub(super) fn is_blank(body: &Map<String, Value>, field: &str) -> bool {
    match body.get(field) {
        None | Some(Value::Null) => true,
        Some(value) => value.as_str().is_some_and(|text| text.trim().is_empty()),
    }
}

/// One record, or 404.
pub(super) fn show(table: &mut Table, id: &str) -> Response {
    table
        .find(id)
        .map_or_else(not_found, |row| Response::json(200, row))
}

fn list(state: &State, request: &Request) -> Result<Response, Response> {
    let value = |name: &str| request.query_value(name);
    let mut rows: Vec<Value> = state.billets.rows.clone();
    rows.retain(|row| {
        let is = |name: &str, field: &str| value(name).is_none_or(|text| row[field] == text);
        let date = row["expire_at"].as_str().unwrap_or_default();
        is("status", "status")
            && is("cnpj_cpf", "customer_cnpj_cpf")
            && value("expire_from").is_none_or(|from| date >= from.as_str())
            && value("expire_to").is_none_or(|to| date <= to.as_str())
    });
    match value("sort_by").as_deref() {
        Some("amount") => rows.sort_by(|a, b| {
            let amount = |row: &Value| row["amount"].as_f64().unwrap_or_default();
            amount(a).total_cmp(&amount(b))
        }),
        Some("expire_at") => rows.sort_by_key(|row| row["expire_at"].to_string()),
        Some("created_at" | "paid_at") | None => rows.reverse(),
        Some(_) => return Err(super::answers::bad_request("Parâmetro sort_by inválido")),
    }
    Ok(cut(request, &FILTERS, rows)?.into_array(request))
}

fn create(state: &mut State, body: Map<String, Value>) -> Response {
    let mut faults = Map::new();
    for field in [
        "amount",
        "expire_at",
        "customer_person_name",
        "customer_cnpj_cpf",
    ] {
        if is_blank(&body, field) {
            faults.insert(field.to_owned(), json!(["não pode ficar em branco"]));
        }
    }
    if is_not_positive(&body, "amount") {
        faults.insert("amount".to_owned(), json!(["deve ser maior que zero"]));
    }
    if let Some(document) = body.get("customer_cnpj_cpf").and_then(Value::as_str) {
        let digits = document.chars().filter(char::is_ascii_digit).count();
        if digits != 11 && digits != 14 {
            faults.insert(
                "customer_cnpj_cpf".to_owned(),
                json!(["não é um CNPJ nem um CPF"]),
            );
        }
    }
    if !faults.is_empty() {
        return invalid_fields(&Value::Object(faults));
    }
    let set =
        json!({"status": "opened", "paid_at": null, "created_at": "2026-12-01T10:00:00-03:00"});
    Response::json(201, &state.billets.add(writable(body), &set))
}

fn is_not_positive(body: &Map<String, Value>, field: &str) -> bool {
    body.get(field)
        .is_some_and(|value| !value.is_null() && value.as_f64().is_none_or(|number| number <= 0.0))
}

fn change(state: &mut State, id: &str, allowed: &[&str], changes: &Value) -> Response {
    let Some(row) = state.billets.find(id) else {
        return not_found();
    };
    let status = row["status"].as_str().unwrap_or_default().to_owned();
    if !allowed.contains(&status.as_str()) {
        let text = format!("O boleto {id} está na situação {status}, que não permite a operação");
        return wrong_state(&text);
    }
    if changes
        .as_object()
        .is_some_and(|body| is_not_positive(body, "amount"))
    {
        return invalid_fields(&json!({"amount": ["deve ser maior que zero"]}));
    }
    merge(row, changes);
    Response::empty(204)
}

fn duplicate(state: &mut State, id: &str, body: &Map<String, Value>) -> Response {
    let Some(original) = state.billets.find(id).map(|row| row.clone()) else {
        return not_found();
    };
    if is_blank(body, "expire_at") {
        return invalid_fields(&json!({"expire_at": ["não pode ficar em branco"]}));
    }
    if body.get("cancel") == Some(&json!(true)) {
        let refusal = change(
            state,
            id,
            &["opened", "overdue"],
            &json!({"status": "canceled"}),
        );
        if refusal.status != 204 {
            return refusal;
        }
    }
    let mut fields = original.as_object().cloned().unwrap_or_default();
    fields.extend(body.clone());
    fields.remove("cancel");
    let set = json!({"status": "opened", "paid_at": null, "paid_amount": null});
    Response::json(201, &state.billets.add(writable(fields), &set))
}

fn pay(state: &mut State, id: &str, body: &Map<String, Value>) -> Response {
    if is_blank(body, "paid_at") || is_blank(body, "paid_amount") {
        return invalid_fields(&json!({"paid_at": ["informe a data e o valor"]}));
    }
    let paid =
        json!({"status": "paid", "paid_at": body["paid_at"], "paid_amount": body["paid_amount"]});
    change(state, id, &["opened", "overdue"], &paid)
}

fn send(state: &mut State, id: &str, body: &Map<String, Value>) -> Response {
    if state.billets.find(id).is_none() {
        return not_found();
    }
    if body.get("emails") == Some(&json!([])) {
        return invalid_list(
            "O e-mail não foi enviado",
            &["A lista de endereços está vazia"],
        );
    }
    Response::json(200, &json!({"message": "E-mail na fila de envio"}))
}

fn add_to_batch(state: &mut State, id: &str, body: &Map<String, Value>) -> Response {
    let Some(Value::Array(wanted)) = body.get("bank_billet_ids").cloned() else {
        return invalid_list("O lote não mudou", &["Informe os boletos"]);
    };
    if wanted
        .iter()
        .any(|number| state.billets.find(&number.to_string()).is_none())
    {
        return invalid_list("O lote não mudou", &["Há um boleto que não existe"]);
    }
    let Some(row) = state.batches.find(id) else {
        return not_found();
    };
    if let Some(numbers) = row["bank_billet_ids"].as_array_mut() {
        numbers.extend(wanted);
    }
    Response::json(200, row)
}
