//! Charges: list, create, get, update, cancel, settle, reopen, reminders, settlement letters.

use serde_json::{Value, json};

use super::super::http::Request;
use super::check::{self, Field, Kind, LANGUAGES, Need};
use super::list::Query;
use super::state::{NOW, State, cents, find, letter, merge, must_be_new};
use super::{Answer, data, error, no_route, payments};

const LATE_FEE: &[Field] = &[
    ("fine_percent", Kind::Number, Need::Optional),
    ("monthly_interest_percent", Kind::Number, Need::Optional),
    ("grace_days", Kind::Integer(0), Need::Optional),
];
const ITEM: &[Field] = &[
    ("description", Kind::Text(120), Need::Required),
    ("amount", Kind::Integer(1), Need::Required),
    ("quantity", Kind::Integer(1), Need::Optional),
];
const TERMS: &[Field] = &[
    ("amount", Kind::Integer(1), Need::Required),
    ("due_date", Kind::Date, Need::Required),
    ("description", Kind::Text(200), Need::Nullable),
    ("rule_id", Kind::Text(60), Need::Nullable),
    ("late_fee", Kind::Fields(LATE_FEE), Need::Nullable),
    ("tags", Kind::Texts, Need::Optional),
];
const IDENTITY: &[Field] = &[
    ("customer_id", Kind::Text(60), Need::Required),
    ("reference", Kind::Text(60), Need::Optional),
    ("items", Kind::List(ITEM), Need::Optional),
];
const CANCEL: &[Field] = &[("notify_customer", Kind::Bool, Need::Optional)];
const SETTLE: &[Field] = &[
    ("settled_on", Kind::Date, Need::Required),
    ("discount", Kind::Integer(0), Need::Optional),
    ("note", Kind::Text(280), Need::Nullable),
];
const REOPEN: &[Field] = &[("due_date", Kind::Date, Need::Required)];
const LETTER: &[Field] = &[
    ("language", LANGUAGES, Need::Optional),
    ("send_to", Kind::Texts, Need::Optional),
];

/// Answers everything under `/v1/charges`.
pub(super) fn answer(state: &mut State, request: &Request, path: &[&str]) -> Answer {
    match (request.method.as_str(), path) {
        ("GET", [_]) => list(state, request),
        ("POST", [_]) => create(state, request),
        (_, [_, id, rest @ ..]) => {
            find(&mut state.charges, id, "Charge")?;
            one(state, request, id, rest)
        }
        _ => Err(no_route()),
    }
}

/// Refuses unless something is still owed.
pub(super) fn must_be_owed(charge: &Value) -> Result<(), super::Response> {
    match charge["status"].as_str() {
        Some("paid") => Err(error(409, "CHARGE_ALREADY_PAID", "The charge is paid")),
        Some("canceled") => Err(error(409, "CHARGE_CANCELED", "The charge is canceled")),
        _ => Ok(()),
    }
}

fn one(state: &mut State, request: &Request, id: &str, rest: &[&str]) -> Answer {
    match (request.method.as_str(), rest) {
        ("GET", []) => Ok(data(200, find(&mut state.charges, id, "Charge")?)),
        ("PATCH", []) => update(state, request, id),
        ("POST", ["cancel"]) => cancel(state, request, id),
        ("POST", ["settle"]) => settle(state, request, id),
        ("POST", ["reopen"]) => reopen(state, request, id),
        ("POST", ["payments"]) => payments::register(state, request, id),
        ("GET", ["reminders"]) => reminders(state, id),
        ("GET", ["settlement-letter"]) => find_letter(state, id)
            .map(|letter| data(200, letter))
            .ok_or_else(|| error(404, "NOT_FOUND", "Settlement letter not found")),
        ("POST", ["settlement-letter"]) => request_letter(state, request, id),
        _ => Err(no_route()),
    }
}

fn list(state: &State, request: &Request) -> Answer {
    let query = Query::read(
        request,
        &[
            ("status", |text| text.split(',').all(is_status)),
            ("customer_id", |text| text.starts_with("cus_")),
            ("filter[due_from]", check::is_date),
            ("filter[due_to]", check::is_date),
            ("filter[min_amount]", |text| text.parse::<u32>().is_ok()),
            ("filter[max_amount]", |text| text.parse::<u64>().is_ok()),
            ("sort", is_sort),
        ],
    )?;
    let mut charges: Vec<&Value> = state
        .charges
        .iter()
        .filter(|charge| is_wanted(charge, &query))
        .collect();
    sort(&mut charges, query.values("sort").first().copied());
    query.page(charges.into_iter())
}

fn is_status(text: &str) -> bool {
    ["open", "overdue", "paid", "canceled"].contains(&text)
}

fn is_sort(text: &str) -> bool {
    ["due_date", "amount", "created_at"].contains(&text.strip_prefix('-').unwrap_or(text))
}

fn is_wanted(charge: &Value, query: &Query) -> bool {
    let amount = cents(&charge["amount"]);
    let due = charge["due_date"].as_str().unwrap_or_default();
    let number = |text: &str| text.parse::<i64>().unwrap_or(0);
    query.allows("status", |status| charge["status"] == status)
        && query.allows("customer_id", |id| charge["customer_id"] == id)
        && query.allows("filter[due_from]", |from| due >= from)
        && query.allows("filter[due_to]", |to| due <= to)
        && query.allows("filter[min_amount]", |least| amount >= number(least))
        && query.allows("filter[max_amount]", |most| amount <= number(most))
}

fn sort(charges: &mut [&Value], order: Option<&str>) {
    let order = order.unwrap_or("-created_at");
    match order.trim_start_matches('-') {
        "amount" => charges.sort_by_key(|charge| cents(&charge["amount"])),
        field => {
            charges.sort_by_key(|charge| charge[field].as_str().unwrap_or_default().to_owned())
        }
    }
    if order.starts_with('-') {
        charges.reverse();
    }
}

fn create(state: &mut State, request: &Request) -> Answer {
    let fields = check::object(request, &[TERMS, IDENTITY].concat())?;
    let total = fields.get("items").and_then(Value::as_array).map(|items| {
        items
            .iter()
            .map(|item| cents(&item["amount"]) * item["quantity"].as_i64().unwrap_or(1))
            .sum::<i64>()
    });
    if total.is_some_and(|total| total != cents(&fields["amount"])) {
        return Err(check::invalid("items", "do not add up to the amount"));
    }
    must_exist(&state.customers, &fields["customer_id"], "customer_id")?;
    must_exist(
        &state.rules,
        fields.get("rule_id").unwrap_or(&Value::Null),
        "rule_id",
    )?;
    must_be_new(&state.charges, "reference", &fields)?;
    let mut charge = json!({
        "id": state.next_id("chg"), "status": "open", "paid_amount": 0, "paid_at": null,
        "canceled_at": null, "created_at": NOW
    });
    merge(&mut charge, fields);
    state.charges.push(charge.clone());
    Ok(data(201, &charge))
}

fn must_exist(records: &[Value], id: &Value, field: &str) -> Result<(), super::Response> {
    if id.is_null() || records.iter().any(|record| record["id"] == *id) {
        return Ok(());
    }
    Err(check::invalid(field, "names no record"))
}

fn update(state: &mut State, request: &Request, id: &str) -> Answer {
    let fields = check::changes(request, TERMS)?;
    must_exist(
        &state.rules,
        fields.get("rule_id").unwrap_or(&Value::Null),
        "rule_id",
    )?;
    let charge = find(&mut state.charges, id, "Charge")?;
    must_be_owed(charge)?;
    merge(charge, fields);
    Ok(data(200, charge))
}

fn cancel(state: &mut State, request: &Request, id: &str) -> Answer {
    check::object(request, CANCEL)?;
    let charge = find(&mut state.charges, id, "Charge")?;
    must_be_owed(charge)?;
    charge["status"] = json!("canceled");
    charge["canceled_at"] = json!(NOW);
    Ok(data(200, charge))
}

fn settle(state: &mut State, request: &Request, id: &str) -> Answer {
    let fields = check::object(request, SETTLE)?;
    let charge = find(&mut state.charges, id, "Charge")?;
    must_be_owed(charge)?;
    let open = cents(&charge["amount"]) - cents(&charge["paid_amount"]);
    let discount = fields.get("discount").map_or(0, cents);
    if discount > open {
        return Err(check::invalid("discount", "is larger than what is open"));
    }
    charge["paid_amount"] = json!(cents(&charge["amount"]) - discount);
    charge["status"] = json!("paid");
    charge["paid_at"] = json!(NOW);
    Ok(data(200, charge))
}

fn reopen(state: &mut State, request: &Request, id: &str) -> Answer {
    let fields = check::object(request, REOPEN)?;
    let charge = find(&mut state.charges, id, "Charge")?;
    if charge["status"] != "canceled" {
        return Err(error(
            409,
            "CHARGE_NOT_CANCELED",
            "The charge is not canceled",
        ));
    }
    merge(charge, fields);
    charge["status"] = json!("open");
    charge["canceled_at"] = Value::Null;
    Ok(data(200, charge))
}

fn reminders(state: &mut State, id: &str) -> Answer {
    let charge = find(&mut state.charges, id, "Charge")?;
    let status = if charge["status"] == "overdue" {
        "sent"
    } else {
        "scheduled"
    };
    let has_rule = !charge["rule_id"].is_null();
    let reminder = json!({
        "date": charge["due_date"], "channel": "email", "status": status, "template": "soon"
    });
    let reminders: Vec<Value> = has_rule.then_some(reminder).into_iter().collect();
    Ok(data(200, &Value::Array(reminders)))
}

fn find_letter<'a>(state: &'a State, charge_id: &str) -> Option<&'a Value> {
    state
        .letters
        .iter()
        .find(|letter| letter["charge_id"] == charge_id)
}

fn request_letter(state: &mut State, request: &Request, id: &str) -> Answer {
    let fields = check::object(request, LETTER)?;
    if find(&mut state.charges, id, "Charge")?["status"] != "paid" {
        let message = "The charge is not paid in full";
        return Err(error(409, "CHARGE_NOT_SETTLED", message));
    }
    if let Some(letter) = find_letter(state, id) {
        return Ok(data(201, letter));
    }
    let language = fields.get("language").and_then(Value::as_str);
    let letter = letter(&state.next_id("let"), id, language.unwrap_or("pt-BR"));
    state.letters.push(letter.clone());
    Ok(data(201, &letter))
}
