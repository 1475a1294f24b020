//! Payments: list, get, register, refund.

use serde_json::{Value, json};

use super::super::http::Request;
use super::charges::must_be_owed;
use super::check::{self, Field, Kind, METHODS, Need};
use super::list::Query;
use super::state::{NOW, State, cents, find, merge, must_be_new};
use super::{Answer, data, error, no_route};

const PAYER: &[Field] = &[
    ("name", Kind::Text(120), Need::Required),
    ("tax_id", Kind::TaxId, Need::Optional),
];
const PAYMENT: &[Field] = &[
    ("amount", Kind::Integer(1), Need::Required),
    ("method", Kind::Choice(METHODS), Need::Required),
    ("paid_on", Kind::Date, Need::Required),
    ("external_id", Kind::Text(80), Need::Optional),
    ("payer", Kind::Fields(PAYER), Need::Optional),
];
const REFUND: &[Field] = &[("amount", Kind::Integer(1), Need::Optional)];

/// Answers everything under `/v1/payments`.
pub(super) fn answer(state: &mut State, request: &Request, path: &[&str]) -> Answer {
    match (request.method.as_str(), path) {
        ("GET", [_]) => list(state, request),
        ("GET", [_, id]) => Ok(data(200, find(&mut state.payments, id, "Payment")?)),
        ("POST", [_, id, "refund"]) => refund(state, request, id),
        _ => Err(no_route()),
    }
}

/// Records money received for a charge.
pub(super) fn register(state: &mut State, request: &Request, charge_id: &str) -> Answer {
    let fields = check::object(request, PAYMENT)?;
    must_be_new(&state.payments, "external_id", &fields)?;
    let id = state.next_id("pay");
    let charge = find(&mut state.charges, charge_id, "Charge")?;
    must_be_owed(charge)?;
    let paid = cents(&charge["paid_amount"]).saturating_add(cents(&fields["amount"]));
    if paid > cents(&charge["amount"]) {
        return Err(check::invalid("amount", "is larger than what is open"));
    }
    charge["paid_amount"] = json!(paid);
    if paid == cents(&charge["amount"]) {
        charge["status"] = json!("paid");
        charge["paid_at"] = json!(NOW);
    }
    let mut payment =
        json!({ "id": id, "charge_id": charge_id, "refunded_amount": 0, "refunded_at": null });
    merge(&mut payment, fields);
    state.payments.push(payment.clone());
    Ok(data(201, &payment))
}

fn list(state: &State, request: &Request) -> Answer {
    let query = Query::read(
        request,
        &[
            ("charge_id", |text| text.starts_with("chg_")),
            ("filter[method]", |text| METHODS.contains(&text)),
            ("filter[refunded]", |text| ["true", "false"].contains(&text)),
        ],
    )?;
    let is_wanted = |payment: &&Value| {
        let is_refunded = cents(&payment["refunded_amount"]) > 0;
        query.allows("charge_id", |id| payment["charge_id"] == id)
            && query.allows("filter[method]", |method| payment["method"] == method)
            && query.allows("filter[refunded]", |text| (text == "true") == is_refunded)
    };
    query.page(state.payments.iter().rev().filter(is_wanted))
}

fn refund(state: &mut State, request: &Request, id: &str) -> Answer {
    let fields = check::object(request, REFUND)?;
    let payment = find(&mut state.payments, id, "Payment")?;
    if cents(&payment["refunded_amount"]) > 0 {
        let message = "The payment was refunded before";
        return Err(error(409, "PAYMENT_ALREADY_REFUNDED", message));
    }
    let whole = cents(&payment["amount"]);
    let amount = fields.get("amount").map_or(whole, cents);
    if amount > whole {
        return Err(check::invalid("amount", "is larger than the payment"));
    }
    payment["refunded_amount"] = json!(amount);
    payment["refunded_at"] = json!(NOW);
    let answer = data(200, payment);
    let charge_id = payment["charge_id"].as_str().unwrap_or_default().to_owned();
    let charge = find(&mut state.charges, &charge_id, "Charge")?;
    charge["paid_amount"] = json!(cents(&charge["paid_amount"]) - amount);
    // A canceled charge stays canceled: nothing is owed again by giving money back.
    if charge["status"] == "paid" {
        charge["status"] = json!("open");
        charge["paid_at"] = Value::Null;
    }
    Ok(answer)
}
