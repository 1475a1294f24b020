//! What the stand-in itself answers.

use bytes::Bytes;
use serde_json::{Value, json};

use super::super::http::{Api, Request, Response};
use super::Kobana;

fn request(method: &str, target: &str, body: Option<Value>) -> Request {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut headers = vec![("user-agent".to_owned(), "test/1".to_owned())];
    if body.is_some() {
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
    }
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        body: body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string())),
    }
}

fn ask(api: &Kobana, method: &str, target: &str, body: Option<Value>) -> (u16, Value) {
    let answer = api.answer(&request(method, target, body));
    (answer.status, parsed(&answer))
}

fn parsed(answer: &Response) -> Value {
    serde_json::from_slice(&answer.body).unwrap_or(Value::Null)
}

#[test]
fn lists_come_in_pages() {
    let api = Kobana::default();
    let first = api.answer(&request("GET", "/v1/bank_billets?page=1&per_page=4", None));
    assert_eq!(parsed(&first).as_array().map(Vec::len), Some(4));
    assert_eq!(first.headers[0].0, "link");
    let (_, last) = ask(&api, "GET", "/v1/bank_billets?page=2&per_page=4", None);
    assert_eq!(last.as_array().map(Vec::len), Some(2));
    let (_, pix) = ask(&api, "GET", "/v2/charge/pix?per_page=3", None);
    assert_eq!(pix["pagination"]["next_url"], "/v2/charge/pix?page=2");
    for bad in ["per_page=101", "page=0", "page=x", "sort=1"] {
        let (status, body) = ask(&api, "GET", &format!("/v1/bank_billets?{bad}"), None);
        assert_eq!((status, body["error"].is_string()), (400, true), "{bad}");
    }
    let (status, _) = ask(&api, "GET", "/v1/bank_billet_batches?per_page=51", None);
    assert_eq!(status, 400);
}

#[test]
fn billets_change_only_in_the_right_state() {
    let api = Kobana::default();
    for (id, status) in [
        (1001, 204),
        (1001, 422),
        (1002, 204),
        (1003, 422),
        (1999, 404),
    ] {
        let target = format!("/v1/bank_billets/{id}/cancel");
        assert_eq!(ask(&api, "PUT", &target, None).0, status, "{id}");
    }
    let (_, billet) = ask(&api, "GET", "/v1/bank_billets/1001", None);
    assert_eq!(billet["status"], "canceled");
    let paid = json!({"paid_at": "2026-12-01", "paid_amount": 75.25});
    assert_eq!(
        ask(&api, "PUT", "/v1/bank_billets/1006/pay", Some(paid)).0,
        204
    );
    let (_, billet) = ask(&api, "GET", "/v1/bank_billets/1006", None);
    assert_eq!(billet["paid_amount"], 75.25);
}

#[test]
fn creation_validates_in_the_form_of_each_version() {
    let api = Kobana::default();
    let (status, body) = ask(&api, "POST", "/v1/bank_billets", Some(json!({"amount": 0})));
    assert_eq!(
        (status, &body["errors"]["amount"]),
        (422, &json!(["deve ser maior que zero"]))
    );
    let good = json!({
        "id": 5, "amount": 10.5, "expire_at": "2027-01-01", "customer_person_name": "Ana",
        "customer_cnpj_cpf": "12345678909"
    });
    let (status, body) = ask(&api, "POST", "/v1/bank_billets", Some(good));
    assert_eq!((status, &body["id"]), (201, &json!(1010)));
    let wrong = json!({"amount": 10.5, "pix_account_uid": "pix-account-1"});
    let (status, body) = ask(&api, "POST", "/v2/charge/pix", Some(wrong));
    assert_eq!(
        (status, &body["errors"][0]["param"]),
        (422, &json!("amount"))
    );
    let good = json!({"amount": 1050, "pix_account_uid": "pix-account-1"});
    let (status, body) = ask(&api, "POST", "/v2/charge/pix", Some(good));
    assert_eq!((status, &body["data"]["uid"]), (201, &json!("pix-10")));
    assert_eq!(
        ask(&api, "PUT", "/v2/charge/pix/pix-10/cancel", None).0,
        200
    );
    let (status, body) = ask(&api, "PUT", "/v2/charge/pix/pix-10/cancel", None);
    assert_eq!(
        (status, &body["errors"][0]["code"]),
        (422, &json!("change_pix_already_canceled"))
    );
}

#[test]
fn read_only_fields_and_stray_query_parameters_have_no_effect() {
    let api = Kobana::default();
    let body = json!({"status": "paid", "paid_amount": 1, "description": "nova"});
    assert_eq!(ask(&api, "PUT", "/v1/bank_billets/1001", Some(body)).0, 204);
    let (_, billet) = ask(&api, "GET", "/v1/bank_billets/1001", None);
    assert_eq!(
        (&billet["status"], &billet["description"]),
        (&json!("opened"), &json!("nova"))
    );
    for target in [
        "/v1/customers/51?page=1",
        "/v1/customers/cnpj_cpf?cpf=1",
        "/v1/customer_groups?page=1",
    ] {
        assert_eq!(ask(&api, "GET", target, None).0, 400, "{target}");
    }
    assert_eq!(
        ask(&api, "PUT", "/v1/bank_billets/1001/cancel?x=1", None).0,
        400
    );
    let (status, found) = ask(&api, "GET", "/v1/customers/cnpj_cpf?q=12345678909", None);
    assert_eq!((status, &found["id"]), (200, &json!(51)));
}

#[test]
fn magic_values_answer_on_demand() {
    let api = Kobana::default();
    let table = [
        ("302", 302),
        ("400", 400),
        ("4001", 400),
        ("401", 401),
        ("4031", 403),
        ("4032", 403),
        ("4033", 403),
        ("4034", 403),
        ("4035", 403),
        ("404", 404),
        ("409", 409),
        ("418", 418),
        ("4220", 422),
        ("4221", 422),
        ("4222", 422),
        ("429", 429),
        ("500", 500),
        ("502", 502),
    ];
    for (value, status) in table {
        for target in [
            format!("/v1/customers/{value}"),
            format!("/v2/charge/pix/{value}"),
            format!("/v1/bank_billets?cnpj_cpf={value}"),
        ] {
            assert_eq!(ask(&api, "GET", &target, None).0, status, "{target}");
        }
        let body = json!({"person_name": value});
        assert_eq!(
            ask(&api, "POST", "/v1/customers", Some(body)).0,
            status,
            "{value}"
        );
    }
}

#[test]
fn malformed_requests_are_refused() {
    let api = Kobana::default();
    let mut nameless = request("GET", "/v1/customers", None);
    nameless.headers.clear();
    let mut form = request("POST", "/v1/customers", Some(json!({})));
    form.headers[1].1 = "application/x-www-form-urlencoded".to_owned();
    let mut broken = request("POST", "/v1/customers", Some(json!({})));
    broken.body = Bytes::from_static(b"{");
    for (bad, status) in [(nameless, 400), (form, 400), (broken, 400)] {
        assert_eq!(api.answer(&bad).status, status);
    }
    for (token, status) in [
        ("Bearer invalid", 401),
        ("Bearer blocked", 403),
        ("Bearer other", 200),
    ] {
        let mut call = request("GET", "/v1/customers", None);
        call.headers
            .push(("authorization".to_owned(), token.to_owned()));
        assert_eq!(api.answer(&call).status, status, "{token}");
    }
}

#[test]
fn paths_are_exact() {
    let api = Kobana::default();
    for (target, status) in [
        ("/v1/bank_billet_batches/71/", 200),
        ("/v1/bank_billet_batches/71", 404),
        ("//v1/customers", 404),
        ("/v1/customers/", 404),
        ("/v1/remittances/91/raw", 200),
        ("/v1/bank_billet_batches/71/zip", 302),
    ] {
        assert_eq!(ask(&api, "GET", target, None).0, status, "{target}");
    }
    assert_eq!(ask(&api, "DELETE", "/v1/webhooks/61", None).0, 204);
    assert_eq!(ask(&api, "DELETE", "/v1/webhooks/61", None).0, 404);
}

#[test]
fn digits_and_idempotency_keys_are_kept() {
    let api = Kobana::default();
    let answer = api.answer(&request("GET", "/v1/bank_billets/1007", None));
    assert!(
        String::from_utf8_lossy(&answer.body)
            .contains("120.50,\"our_number\":12345678901234567890123")
    );
    let body = json!({"name": "Turma"});
    let mut call = request("POST", "/v1/customer_groups", Some(body));
    call.headers
        .push(("x-idempotency-key".to_owned(), "k1".to_owned()));
    let first = parsed(&api.answer(&call));
    assert_eq!(first["id"], 83);
    assert_eq!(parsed(&api.answer(&call)), first);
    let (_, groups) = ask(&api, "GET", "/v1/customer_groups", None);
    assert_eq!(groups.as_array().map(Vec::len), Some(2));
}
