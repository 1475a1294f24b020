//! The records of one account.

use serde_json::{Map, Value, json};

/// Everything that the account holds.
pub(super) struct State {
    /// Billets.
    pub(super) billets: Table,
    /// Batches of billets.
    pub(super) batches: Table,
    /// Customers.
    pub(super) customers: Table,
    /// Roots of the tree of groups.
    pub(super) groups: Table,
    /// Webhooks.
    pub(super) webhooks: Table,
    /// Pix charges.
    pub(super) pix: Table,
    /// Financial accounts.
    pub(super) accounts: Table,
}

/// Records of one kind, in order of creation.
pub(super) struct Table {
    key: &'static str,
    prefix: &'static str,
    next: u64,
    /// The records.
    pub(super) rows: Vec<Value>,
}

impl Table {
    /// The record with this identifier.
    pub(super) fn find(&mut self, id: &str) -> Option<&mut Value> {
        let key = self.key;
        self.rows.iter_mut().find(|row| identifier(&row[key]) == id)
    }

    /// Removes a record; tells whether it was there.
    pub(super) fn remove(&mut self, id: &str) -> bool {
        let (key, before) = (self.key, self.rows.len());
        self.rows.retain(|row| identifier(&row[key]) != id);
        self.rows.len() < before
    }

    /// Adds a record made of the caller's fields (an object); `set` are the API's own and win over them.
    pub(super) fn add(&mut self, mut row: Value, set: &Value) -> Value {
        let id = if self.prefix.is_empty() {
            json!(self.next)
        } else {
            json!(format!("{}{}", self.prefix, self.next))
        };
        self.next += 1;
        row[self.key] = id;
        merge(&mut row, set);
        self.rows.push(row.clone());
        row
    }
}

/// Fields that the API sets itself and ignores in what callers send.
const READ_ONLY: &[&str] = &[
    "active",
    "created_at",
    "id",
    "line",
    "paid_amount",
    "paid_at",
    "qrcode",
    "status",
    "txid",
    "uid",
    "url",
];

/// The fields that a caller may set in a record of billets, customers, charges or accounts.
pub(super) fn writable(mut fields: Map<String, Value>) -> Value {
    fields.retain(|name, _| !READ_ONLY.contains(&name.as_str()));
    Value::Object(fields)
}

/// Copies the fields of `changes` into `row`.
pub(super) fn merge(row: &mut Value, changes: &Value) {
    for (name, value) in changes.as_object().into_iter().flatten() {
        row[name.as_str()] = value.clone();
    }
}

fn identifier(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn table(key: &'static str, prefix: &'static str, next: u64, rows: Vec<Value>) -> Table {
    Table {
        key,
        prefix,
        next,
        rows,
    }
}

impl Default for State {
    fn default() -> Self {
        Self {
            billets: table("id", "", 1010, billets()),
            batches: table(
                "id",
                "",
                72,
                vec![
                    json!({"id": 71, "name": "Dezembro", "status": "created", "bank_billet_ids": [1001, 1002]}),
                ],
            ),
            customers: table("id", "", 53, customers()),
            groups: table(
                "id",
                "",
                83,
                vec![
                    json!({"id": 81, "name": "Escolas", "children": [{"id": 82, "name": "Norte", "children": []}]}),
                ],
            ),
            webhooks: table(
                "id",
                "",
                62,
                vec![
                    json!({"id": 61, "active": true, "url": "https://loja.example.com/avisos", "events": ["bank_billet.paid"]}),
                ],
            ),
            pix: table("uid", "pix-", 10, pix()),
            accounts: table(
                "uid",
                "account-",
                3,
                vec![
                    json!({"uid": "account-1", "status": "active", "financial_provider_slug": "itau", "nickname": "Principal"}),
                    json!({"uid": "account-2", "status": "pending", "financial_provider_slug": "bradesco", "nickname": null}),
                ],
            ),
        }
    }
}

fn billets() -> Vec<Value> {
    let rows = [
        (1001, "opened", 120.99, "2026-12-20"),
        (1002, "overdue", 980.0, "2026-11-10"),
        (1003, "paid", 45.5, "2026-11-01"),
        (1004, "canceled", 300.0, "2026-10-15"),
        (1005, "generating", 10.0, "2026-12-30"),
        (1006, "opened", 75.25, "2027-01-05"),
    ];
    rows.into_iter()
        .map(|(id, status, amount, expire_at)| {
            let paid = status == "paid";
            json!({
                "id": id, "status": status, "amount": amount, "expire_at": expire_at,
                "customer_person_name": if id == 1006 { "Bruno Lima" } else { "Ana Souza" },
                "customer_cnpj_cpf": if id == 1006 { "98765432100" } else { "12345678909" },
                "paid_at": paid.then_some(expire_at), "paid_amount": paid.then_some(amount),
                "created_at": format!("2026-10-01T10:00:{:02}-03:00", id - 1000)
            })
        })
        .collect()
}

fn customers() -> Vec<Value> {
    vec![
        json!({"id": 51, "person_name": "Ana Souza", "cnpj_cpf": "12345678909", "email": "ana@example.com"}),
        json!({"id": 52, "person_name": "Bruno Lima", "cnpj_cpf": "98765432100", "email": null}),
    ]
}

fn pix() -> Vec<Value> {
    ["opened", "paid", "canceled", "expired"]
        .into_iter()
        .map(|status| {
            json!({
                "uid": format!("pix-{status}"), "status": status, "amount": 98000,
                "pix_account_uid": "pix-account-1", "created_at": "2026-11-15T12:00:00-03:00"
            })
        })
        .collect()
}
