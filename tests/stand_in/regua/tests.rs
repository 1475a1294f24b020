//! The stand-in against tables of request → status and code.

use bytes::Bytes;
use serde_json::{Value, json};

use super::super::http::{Api, Request, Response};
use super::Regua;

fn request(line: &str, body: &Value) -> Request {
    let (method, target) = line.split_once(' ').unwrap_or((line, "/"));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: Vec::new(),
        body: match body {
            Value::Null => Bytes::new(),
            body => Bytes::from(body.to_string()),
        },
    }
}

fn call(api: &Regua, line: &str, body: &Value) -> (u16, Value) {
    let Response { status, body, .. } = api.answer(&request(line, body));
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

#[track_caller]
fn check(line: &str, body: &Value, status: u16, code: &str) {
    let (got, answer) = call(&Regua::default(), line, body);
    assert_eq!(
        (got, answer["error"]["code"].as_str().unwrap_or_default()),
        (status, code),
        "{line}: {answer}"
    );
}

#[test]
fn refusals_by_magic_id() {
    let none = Value::Null;
    check("GET /v1/charges/chg_foreign", &none, 404, "NOT_FOUND");
    check("GET /v1/charges/chg_forbidden", &none, 403, "FORBIDDEN");
    check(
        "GET /v1/payments/pay_noscope",
        &none,
        403,
        "INSUFFICIENT_SCOPE",
    );
    check(
        "GET /v1/payments/pay_tokenscope",
        &none,
        403,
        "insufficient_scope",
    );
    check(
        "GET /v1/rules/rul_permission",
        &none,
        403,
        "insufficient_permission",
    );
    check(
        "GET /v1/rules/rul_inactive",
        &none,
        403,
        "membership_inactive",
    );
    check(
        "GET /v1/customers/cus_keyowner",
        &none,
        403,
        "key_owner_not_member",
    );
    check(
        "GET /v1/charges?customer_id=cus_limited",
        &none,
        429,
        "RATE_LIMITED",
    );
    check(
        "POST /v1/charges/chg_broken/cancel",
        &none,
        500,
        "INTERNAL_ERROR",
    );
    check("GET /v1/charges/chg_html", &none, 502, "");
    check(
        "GET /v1/charges/chg_unauthorized",
        &none,
        401,
        "UNAUTHORIZED",
    );
}

#[test]
fn refusals_by_state() {
    let none = Value::Null;
    let day = json!({ "settled_on": "2026-12-01" });
    let due = json!({ "due_date": "2027-01-10" });
    let pay = json!({ "amount": 1, "method": "pix", "paid_on": "2026-12-01" });
    check("GET /v1/charges/chg_nothing", &none, 404, "NOT_FOUND");
    check(
        "POST /v1/charges/chg_open/settlement-letter",
        &none,
        409,
        "CHARGE_NOT_SETTLED",
    );
    check(
        "GET /v1/charges/chg_paid/settlement-letter",
        &none,
        404,
        "NOT_FOUND",
    );
    check(
        "POST /v1/charges/chg_paid/cancel",
        &none,
        409,
        "CHARGE_ALREADY_PAID",
    );
    check(
        "POST /v1/charges/chg_canceled/settle",
        &day,
        409,
        "CHARGE_CANCELED",
    );
    check(
        "POST /v1/charges/chg_paid/payments",
        &pay,
        409,
        "CHARGE_ALREADY_PAID",
    );
    check(
        "PATCH /v1/charges/chg_canceled",
        &due,
        409,
        "CHARGE_CANCELED",
    );
    check(
        "POST /v1/charges/chg_open/reopen",
        &due,
        409,
        "CHARGE_NOT_CANCELED",
    );
}

#[test]
fn refusals_by_state_of_payments_and_rules() {
    let none = Value::Null;
    check(
        "POST /v1/payments/pay_refunded/refund",
        &none,
        409,
        "PAYMENT_ALREADY_REFUNDED",
    );
    check("DELETE /v1/rules/rul_standard", &none, 409, "RULE_IN_USE");
    check(
        "POST /v1/rules/rul_idle/enable",
        &none,
        409,
        "RULE_ALREADY_ENABLED",
    );
    check(
        "POST /v1/rules/rul_off/disable",
        &none,
        409,
        "RULE_ALREADY_DISABLED",
    );
}

#[test]
fn refusals_of_duplicates() {
    let mut charge = json!({ "customer_id": "cus_ana", "amount": 1, "due_date": "2027-01-10" });
    charge["reference"] = json!("INV-1");
    let customer = json!({ "name": "Ana", "tax_id": "12345678901" });
    let payment =
        json!({ "amount": 1, "method": "pix", "paid_on": "2026-12-01", "external_id": "E2E-1" });
    let rule = json!({ "name": "Standard", "steps": [] });
    check("POST /v1/charges", &charge, 409, "CONFLICT");
    check("POST /v1/customers", &customer, 409, "CONFLICT");
    check(
        "POST /v1/charges/chg_open/payments",
        &payment,
        409,
        "CONFLICT",
    );
    check("POST /v1/rules", &rule, 409, "CONFLICT");
    check(
        "PATCH /v1/rules/rul_idle",
        &json!({ "name": "Standard" }),
        409,
        "CONFLICT",
    );
    check(
        "PATCH /v1/rules/rul_idle",
        &json!({ "name": "Idle" }),
        200,
        "",
    );
}

#[test]
fn every_fault_is_named() {
    let body = json!({
        "customer_id": "cus_ana", "amount": 9.8, "due_date": "soon", "colour": 1,
        "items": [{ "description": "Bread", "amount": 0 }]
    });
    let (status, answer) = call(&Regua::default(), "POST /v1/charges", &body);
    assert_eq!(
        (status, &answer["error"]["code"]),
        (422, &json!("VALIDATION_ERROR"))
    );
    let details = answer["error"]["details"].as_object();
    let mut names: Vec<&str> = details
        .into_iter()
        .flat_map(|map| map.keys())
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["amount", "colour", "due_date", "items.0.amount"]);
}

#[test]
fn invalid_queries_are_refused() {
    let none = Value::Null;
    check("GET /v1/charges?limit=101", &none, 400, "VALIDATION_ERROR");
    check("GET /v1/charges?cursor=zz", &none, 400, "VALIDATION_ERROR");
    check(
        "GET /v1/charges?status=late",
        &none,
        400,
        "VALIDATION_ERROR",
    );
    check("GET /v1/payments?colour=1", &none, 400, "VALIDATION_ERROR");
    check(
        "PATCH /v1/charges/chg_open",
        &json!({}),
        422,
        "VALIDATION_ERROR",
    );
}

#[test]
fn pages_follow_each_other() {
    let api = Regua::default();
    let (mut target, mut ids) = ("GET /v1/charges?limit=4&sort=amount".to_owned(), Vec::new());
    loop {
        let (_, page) = call(&api, &target, &Value::Null);
        let records = page["data"].as_array().cloned().unwrap_or_default();
        ids.extend(records.iter().map(|record| record["id"].clone()));
        let Some(cursor) = page["meta"]["next_cursor"].as_str() else {
            break;
        };
        target = format!("GET /v1/charges?limit=4&sort=amount&cursor={cursor}");
    }
    assert_eq!(
        ids,
        [
            "chg_letter",
            "chg_canceled",
            "chg_partial",
            "chg_paid",
            "chg_open",
            "chg_overdue"
        ]
    );
}

#[test]
fn filters_narrow_a_list() {
    let api = Regua::default();
    let ids = |line: &str| {
        let (_, page) = call(&api, line, &Value::Null);
        let records = page["data"].as_array().cloned().unwrap_or_default();
        records
            .iter()
            .map(|record| record["id"].to_string().replace('"', ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        ids("GET /v1/charges?status=overdue,canceled&sort=amount"),
        ["chg_canceled", "chg_overdue"]
    );
    assert_eq!(
        ids("GET /v1/charges?filter%5Bmin_amount%5D=15001"),
        ["chg_overdue"]
    );
    assert_eq!(ids("GET /v1/payments?filter%5Bmethod%5D=pix"), ["pay_pix"]);
    assert_eq!(
        ids("GET /v1/payments?filter[refunded]=true"),
        ["pay_refunded"]
    );
    assert_eq!(ids("GET /v1/customers?search=BRUNO"), ["cus_bruno"]);
    assert_eq!(ids("GET /v1/rules?enabled=false"), ["rul_off"]);
}

#[test]
fn a_charge_is_paid_then_refunded() {
    let api = Regua::default();
    let pay = json!({ "amount": 3000, "method": "pix", "paid_on": "2026-12-01" });
    let (status, payment) = call(&api, "POST /v1/charges/chg_partial/payments", &pay);
    assert_eq!((status, &payment["data"]["amount"]), (201, &json!(3000)));
    let charge =
        |api: &Regua| call(api, "GET /v1/charges/chg_partial", &Value::Null).1["data"].clone();
    assert_eq!(
        (&charge(&api)["status"], &charge(&api)["paid_amount"]),
        (&json!("paid"), &json!(5000))
    );
    let (status, _) = call(
        &api,
        "POST /v1/payments/pay_part/refund",
        &json!({ "amount": 500 }),
    );
    assert_eq!(status, 200);
    assert_eq!(
        (&charge(&api)["status"], &charge(&api)["paid_amount"]),
        (&json!("open"), &json!(4500))
    );
}

#[test]
fn a_repeated_key_runs_once() {
    let api = Regua::default();
    let body = json!({ "customer_id": "cus_ana", "amount": 980, "due_date": "2027-01-10" });
    let mut create = request("POST /v1/charges", &body);
    create
        .headers
        .push(("idempotency-key".to_owned(), "k1".to_owned()));
    let (first, second) = (api.answer(&create), api.answer(&create));
    assert_eq!((first.status, &first.body), (201, &second.body));
    let (_, page) = call(&api, "GET /v1/charges", &Value::Null);
    assert_eq!(page["data"].as_array().map(Vec::len), Some(7));
}

#[test]
fn another_token_is_refused() {
    let api = Regua::requiring_token("t1");
    assert_eq!(call(&api, "GET /v1/organization", &Value::Null).0, 401);
    let mut known = request("GET /v1/organization", &Value::Null);
    known
        .headers
        .push(("authorization".to_owned(), "Bearer t1".to_owned()));
    assert_eq!(api.answer(&known).status, 200);
}

#[test]
fn every_operation_of_the_document_is_answered() {
    let text = include_str!("../../../specs/regua/openapi.yaml");
    let document: Value = serde_yaml::from_str(text).unwrap_or(Value::Null);
    let paths = document["paths"].as_object().cloned().unwrap_or_default();
    let mut n_operations = 0;
    for (path, item) in paths {
        let path = path
            .replace("{charge_id}", "chg_letter")
            .replace("{payment_id}", "pay_pix")
            .replace("{customer_id}", "cus_ana")
            .replace("{rule_id}", "rul_idle");
        for method in item.as_object().into_iter().flat_map(|item| item.keys()) {
            if method == "parameters" {
                continue;
            }
            let line = format!("{} {path}", method.to_uppercase());
            let (status, answer) = call(&Regua::default(), &line, &Value::Null);
            assert!(
                [200, 201, 204, 409, 422].contains(&status),
                "{line}: {answer}"
            );
            n_operations += 1;
        }
    }
    assert_eq!(n_operations, 27);
}
