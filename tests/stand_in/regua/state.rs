//! The records, as JSON objects in the order in which they were made.

use serde_json::{Map, Value, json};

use super::super::http::Response;
use super::error;

/// The moment at which everything happens: answers must not depend on the clock.
pub(super) const NOW: &str = "2026-12-01T12:00:00Z";

/// Every record of the organization.
#[derive(Debug)]
pub(super) struct State {
    /// Charges.
    pub(super) charges: Vec<Value>,
    /// Payments.
    pub(super) payments: Vec<Value>,
    /// Customers.
    pub(super) customers: Vec<Value>,
    /// Rules.
    pub(super) rules: Vec<Value>,
    /// Settlement letters.
    pub(super) letters: Vec<Value>,
    made: u32,
}

impl State {
    /// A fresh id with this prefix.
    pub(super) fn next_id(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}_new{}", self.made)
    }
}

impl Default for State {
    fn default() -> Self {
        Self {
            charges: charges(),
            payments: payments(),
            customers: vec![
                customer("cus_ana", "Ana Souza", "12345678901"),
                customer("cus_bruno", "Bruno Lima", "10987654321"),
            ],
            rules: vec![
                rule("rul_standard", "Standard", "enabled"),
                rule("rul_idle", "Idle", "enabled"),
                rule("rul_off", "Off", "disabled"),
            ],
            letters: vec![letter("let_seed", "chg_letter", "pt-BR")],
            made: 0,
        }
    }
}

/// The record with this id.
pub(super) fn find<'a>(
    records: &'a mut [Value],
    id: &str,
    what: &str,
) -> Result<&'a mut Value, Response> {
    records
        .iter_mut()
        .find(|record| record["id"] == id)
        .ok_or_else(|| error(404, "NOT_FOUND", &format!("{what} not found")))
}

/// `CONFLICT` when a record holds this value in this field already.
pub(super) fn must_be_new(
    records: &[Value],
    field: &str,
    fields: &Map<String, Value>,
) -> Result<(), Response> {
    let is_taken = |value: &Value| records.iter().any(|record| record[field] == *value);
    if fields.get(field).is_some_and(is_taken) {
        let message = format!("Another record has this {field}");
        return Err(error(409, "CONFLICT", &message));
    }
    Ok(())
}

/// Writes these fields over those of a record.
pub(super) fn merge(record: &mut Value, fields: Map<String, Value>) {
    for (key, value) in fields {
        record[key] = value;
    }
}

/// A letter that is issued.
pub(super) fn letter(id: &str, charge_id: &str, language: &str) -> Value {
    json!({
        "id": id, "charge_id": charge_id, "status": "issued", "language": language,
        "url": format!("https://files.regua.example/{id}.pdf"), "requested_at": NOW
    })
}

/// An amount in cents; absent counts as nothing.
pub(super) fn cents(value: &Value) -> i64 {
    value.as_i64().unwrap_or(0)
}

fn charges() -> Vec<Value> {
    let mut charges = vec![
        charge("chg_open", "open", 15_000, 0),
        charge("chg_overdue", "overdue", 98_000, 0),
        charge("chg_partial", "open", 5_000, 2_000),
        charge("chg_paid", "paid", 7_500, 7_500),
        charge("chg_letter", "paid", 3_000, 3_000),
        charge("chg_canceled", "canceled", 4_200, 0),
    ];
    charges[0]["reference"] = json!("INV-1");
    charges[0]["rule_id"] = json!("rul_standard");
    charges[1]["rule_id"] = json!("rul_standard");
    charges[1]["due_date"] = json!("2026-11-10");
    charges[5]["customer_id"] = json!("cus_bruno");
    charges
}

fn charge(id: &str, status: &str, amount: i64, paid: i64) -> Value {
    json!({
        "id": id, "customer_id": "cus_ana", "amount": amount, "due_date": "2026-12-20",
        "description": null, "rule_id": null, "status": status, "paid_amount": paid,
        "paid_at": if status == "paid" { json!(NOW) } else { Value::Null },
        "canceled_at": if status == "canceled" { json!(NOW) } else { Value::Null },
        "created_at": "2026-11-01T09:00:00Z"
    })
}

fn payments() -> Vec<Value> {
    let mut payments = vec![
        payment("pay_refunded", "chg_open", 15_000, "card"),
        payment("pay_part", "chg_partial", 2_000, "transfer"),
        payment("pay_pix", "chg_paid", 7_500, "pix"),
        payment("pay_cash", "chg_letter", 3_000, "cash"),
    ];
    payments[0]["refunded_amount"] = json!(15_000);
    payments[0]["refunded_at"] = json!(NOW);
    payments[2]["external_id"] = json!("E2E-1");
    payments
}

fn payment(id: &str, charge_id: &str, amount: i64, method: &str) -> Value {
    json!({
        "id": id, "charge_id": charge_id, "amount": amount, "method": method,
        "paid_on": "2026-11-20", "refunded_amount": 0, "refunded_at": null
    })
}

fn customer(id: &str, name: &str, tax_id: &str) -> Value {
    json!({
        "id": id, "name": name, "tax_id": tax_id, "email": null, "language": "pt-BR",
        "contacts": [], "created_at": "2026-10-01T09:00:00Z"
    })
}

fn rule(id: &str, name: &str, state: &str) -> Value {
    json!({
        "id": id, "name": name, "enabled": state == "enabled",
        "steps": [
            { "offset_days": -3, "channel": "email", "template": "soon" },
            { "offset_days": 5, "channel": "whatsapp", "template": "late",
              "condition": { "any": [{ "field": "amount", "operator": "gte", "value": 1000 }] } }
        ],
        "created_at": "2026-10-01T09:00:00Z"
    })
}
