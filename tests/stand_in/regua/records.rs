//! Customers and rules: list, create, get, update; contacts; enable, disable and delete a rule.

use serde_json::{Value, json};

use super::super::http::{Request, Response};
use super::check::{self, CHANNELS, Field, Kind, LANGUAGES, Need};
use super::list::Query;
use super::state::{NOW, State, find, merge, must_be_new};
use super::{Answer, data, error, no_route};

const CONTACT: &[Field] = &[
    ("channel", CHANNELS, Need::Required),
    ("address", Kind::Text(160), Need::Required),
    ("preferred", Kind::Bool, Need::Optional),
];
const ADDRESS: &[Field] = &[
    ("street", Kind::Text(160), Need::Required),
    ("number", Kind::Text(20), Need::Nullable),
    ("city", Kind::Text(80), Need::Required),
    ("state", Kind::Text(2), Need::Required),
    ("postal_code", Kind::Text(8), Need::Required),
];
const CUSTOMER: &[Field] = &[
    ("name", Kind::Text(120), Need::Required),
    ("email", Kind::Text(160), Need::Nullable),
    ("address", Kind::Fields(ADDRESS), Need::Optional),
    ("language", LANGUAGES, Need::Optional),
    ("do_not_contact", Kind::Bool, Need::Optional),
];
const IDENTITY: &[Field] = &[
    ("tax_id", Kind::TaxId, Need::Required),
    ("contacts", Kind::List(CONTACT), Need::Optional),
];
const STEP: &[Field] = &[
    ("offset_days", Kind::Integer(-60), Need::Required),
    ("channel", CHANNELS, Need::Required),
    ("template", Kind::Text(60), Need::Required),
    ("condition", Kind::Object, Need::Optional),
];
const RULE: &[Field] = &[
    ("name", Kind::Text(80), Need::Required),
    ("steps", Kind::List(STEP), Need::Required),
    ("applies_to", Kind::Object, Need::Optional),
    ("weekdays", Kind::Texts, Need::Optional),
];

/// Answers everything under `/v1/customers` and `/v1/rules`.
pub(super) fn answer(state: &mut State, request: &Request, path: &[&str]) -> Answer {
    match (request.method.as_str(), path) {
        ("GET", ["customers"]) => list_customers(state, request),
        ("POST", ["customers"]) => create_customer(state, request),
        ("GET", ["customers", id]) => Ok(data(200, find(&mut state.customers, id, "Customer")?)),
        ("PATCH", ["customers", id]) => update_customer(state, request, id),
        ("PUT", ["customers", id, "contacts"]) => replace_contacts(state, request, id),
        ("GET", ["rules"]) => list_rules(state, request),
        ("POST", ["rules"]) => create_rule(state, request),
        ("GET", ["rules", id]) => Ok(data(200, find(&mut state.rules, id, "Rule")?)),
        ("PATCH", ["rules", id]) => update_rule(state, request, id),
        ("DELETE", ["rules", id]) => delete_rule(state, id),
        ("POST", ["rules", id, "enable"]) => switch(state, id, &Value::Bool(true)),
        ("POST", ["rules", id, "disable"]) => switch(state, id, &Value::Bool(false)),
        _ => Err(no_route()),
    }
}

fn list_customers(state: &State, request: &Request) -> Answer {
    let query = Query::read(request, &[("search", |text| text.chars().count() >= 2)])?;
    let is_wanted = |customer: &&Value| {
        let name = customer["name"].as_str().unwrap_or_default().to_lowercase();
        query.allows("search", |text| {
            name.contains(&text.to_lowercase()) || customer["tax_id"] == text
        })
    };
    query.page(state.customers.iter().rev().filter(is_wanted))
}

fn create_customer(state: &mut State, request: &Request) -> Answer {
    let fields = check::object(request, &[CUSTOMER, IDENTITY].concat())?;
    must_be_new(&state.customers, "tax_id", &fields)?;
    let id = state.next_id("cus");
    let mut customer = json!({ "id": id, "language": "pt-BR", "contacts": [], "created_at": NOW });
    merge(&mut customer, fields);
    state.customers.push(customer.clone());
    Ok(data(201, &customer))
}

fn update_customer(state: &mut State, request: &Request, id: &str) -> Answer {
    let fields = check::changes(request, CUSTOMER)?;
    let customer = find(&mut state.customers, id, "Customer")?;
    merge(customer, fields);
    Ok(data(200, customer))
}

fn replace_contacts(state: &mut State, request: &Request, id: &str) -> Answer {
    let contacts = check::list(request, CONTACT)?;
    let customer = find(&mut state.customers, id, "Customer")?;
    customer["contacts"] = contacts;
    Ok(data(200, customer))
}

fn list_rules(state: &State, request: &Request) -> Answer {
    let query = Query::read(
        request,
        &[("enabled", |text| ["true", "false"].contains(&text))],
    )?;
    let is_wanted =
        |rule: &&Value| query.allows("enabled", |text| rule["enabled"] == (text == "true"));
    query.page(state.rules.iter().rev().filter(is_wanted))
}

fn create_rule(state: &mut State, request: &Request) -> Answer {
    let fields = check::object(request, RULE)?;
    must_be_new(&state.rules, "name", &fields)?;
    let mut rule = json!({ "id": state.next_id("rul"), "enabled": false, "created_at": NOW });
    merge(&mut rule, fields);
    state.rules.push(rule.clone());
    Ok(data(201, &rule))
}

fn update_rule(state: &mut State, request: &Request, id: &str) -> Answer {
    let fields = check::changes(request, RULE)?;
    find(&mut state.rules, id, "Rule")?;
    let others: Vec<Value> = state
        .rules
        .iter()
        .filter(|rule| rule["id"] != id)
        .cloned()
        .collect();
    must_be_new(&others, "name", &fields)?;
    let rule = find(&mut state.rules, id, "Rule")?;
    merge(rule, fields);
    Ok(data(200, rule))
}

fn delete_rule(state: &mut State, id: &str) -> Answer {
    find(&mut state.rules, id, "Rule")?;
    let is_followed = state.charges.iter().any(|charge| {
        charge["rule_id"] == id && (charge["status"] == "open" || charge["status"] == "overdue")
    });
    if is_followed {
        return Err(error(409, "RULE_IN_USE", "An open charge follows the rule"));
    }
    state.rules.retain(|rule| rule["id"] != id);
    Ok(Response::empty(204))
}

fn switch(state: &mut State, id: &str, enabled: &Value) -> Answer {
    let rule = find(&mut state.rules, id, "Rule")?;
    if rule["enabled"] == *enabled {
        let (code, message) = if *enabled == Value::Bool(true) {
            ("RULE_ALREADY_ENABLED", "The rule is in force already")
        } else {
            ("RULE_ALREADY_DISABLED", "The rule is not in force")
        };
        return Err(error(409, code, message));
    }
    rule["enabled"] = enabled.clone();
    Ok(data(200, rule))
}
