//! Body → checked fields, or `VALIDATION_ERROR` with every fault by field.

use serde_json::{Map, Value};

use super::super::http::{Request, Response};
use super::detailed;

/// What a field must hold.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// An integer of at least this.
    Integer(i64),
    /// A number.
    Number,
    /// `YYYY-MM-DD`.
    Date,
    /// A text of at most so many characters.
    Text(usize),
    /// Digits: a CPF or CNPJ.
    TaxId,
    /// True or false.
    Bool,
    /// One of these.
    Choice(&'static [&'static str]),
    /// A list of texts.
    Texts,
    /// Any object.
    Object,
    /// An object of these fields.
    Fields(&'static [Field]),
    /// A list of such objects.
    List(&'static [Field]),
}

/// Whether a field must be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// It must.
    Required,
    /// It may.
    Optional,
    /// It may, also as `null`.
    Nullable,
}

/// One field of a body.
pub(super) type Field = (&'static str, Kind, Need);

/// Where reminders go.
pub(super) const CHANNELS: Kind = Kind::Choice(&["email", "sms", "whatsapp", "letter"]);
/// How money arrives.
pub(super) const METHODS: &[&str] = &["boleto", "pix", "card", "transfer", "cash"];
/// Languages of reminders and letters.
pub(super) const LANGUAGES: Kind = Kind::Choice(&["pt-BR", "en", "es"]);

/// The fields of an object body; an absent body counts as an empty object.
pub(super) fn object(request: &Request, fields: &[Field]) -> Result<Map<String, Value>, Response> {
    let body = body(request)?;
    let mut faults = Map::new();
    check_object(&body, fields, "", &mut faults);
    finish(body, faults)
}

/// The same for changes: nothing is required, but something must be sent.
pub(super) fn changes(request: &Request, fields: &[Field]) -> Result<Map<String, Value>, Response> {
    let optional: Vec<Field> = fields
        .iter()
        .map(|(name, kind, need)| match need {
            Need::Required => (*name, *kind, Need::Optional),
            _ => (*name, *kind, *need),
        })
        .collect();
    let changes = object(request, &optional)?;
    if changes.is_empty() {
        return Err(invalid("body", "needs at least one field"));
    }
    Ok(changes)
}

/// The elements of a body that is a list.
pub(super) fn list(request: &Request, fields: &'static [Field]) -> Result<Value, Response> {
    let body = body(request)?;
    let mut faults = Map::new();
    check_value(&body, Kind::List(fields), "body", &mut faults);
    if faults.is_empty() {
        return Ok(body);
    }
    Err(refuse(faults))
}

/// `VALIDATION_ERROR` about one field.
pub(super) fn invalid(field: &str, fault: &str) -> Response {
    let mut faults = Map::new();
    add(&mut faults, field, fault);
    refuse(faults)
}

fn body(request: &Request) -> Result<Value, Response> {
    if request.body.is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    request
        .json()
        .ok_or_else(|| invalid("body", "is not valid JSON"))
}

fn finish(body: Value, faults: Map<String, Value>) -> Result<Map<String, Value>, Response> {
    match body {
        Value::Object(fields) if faults.is_empty() => Ok(fields),
        _ => Err(refuse(faults)),
    }
}

fn refuse(faults: Map<String, Value>) -> Response {
    let message = "The request is not valid";
    detailed(422, "VALIDATION_ERROR", message, &Value::Object(faults))
}

fn check_object(value: &Value, fields: &[Field], prefix: &str, faults: &mut Map<String, Value>) {
    let Value::Object(object) = value else {
        let name = if prefix.is_empty() { "body" } else { prefix };
        return add(faults, name, "must be an object");
    };
    for (name, kind, need) in fields {
        match object.get(*name) {
            None if *need == Need::Required => add(faults, &join(prefix, name), "is required"),
            None => {}
            Some(Value::Null) if *need == Need::Nullable => {}
            Some(value) => check_value(value, *kind, &join(prefix, name), faults),
        }
    }
    let is_known = |key: &String| fields.iter().any(|(name, ..)| name == key);
    for key in object.keys().filter(|key| !is_known(key)) {
        add(faults, &join(prefix, key), "is not known");
    }
}

fn check_value(value: &Value, kind: Kind, name: &str, faults: &mut Map<String, Value>) {
    match kind {
        Kind::Fields(fields) => check_object(value, fields, name, faults),
        Kind::List(fields) => match value.as_array() {
            Some(items) => items.iter().enumerate().for_each(|(index, item)| {
                check_object(item, fields, &join(name, &index.to_string()), faults);
            }),
            None => add(faults, name, "must be a list"),
        },
        _ => {
            if let Some(fault) = fault(value, kind) {
                add(faults, name, &fault);
            }
        }
    }
}

fn fault(value: &Value, kind: Kind) -> Option<String> {
    let (is_good, wanted) = match kind {
        Kind::Integer(least) => (
            value.as_i64().is_some_and(|number| number >= least),
            format!("must be an integer of at least {least}"),
        ),
        Kind::Number => (value.is_number(), "must be a number".to_owned()),
        Kind::Date => (
            value.as_str().is_some_and(is_date),
            "must be a date such as 2026-12-31".to_owned(),
        ),
        Kind::Text(most) => (
            value
                .as_str()
                .is_some_and(|text| !text.is_empty() && text.chars().count() <= most),
            format!("must be a text of 1 to {most} characters"),
        ),
        Kind::TaxId => (
            value.as_str().is_some_and(is_tax_id),
            "must be 11 or 14 digits".to_owned(),
        ),
        Kind::Bool => (value.is_boolean(), "must be true or false".to_owned()),
        Kind::Choice(values) => (
            value.as_str().is_some_and(|text| values.contains(&text)),
            format!("must be one of {}", values.join(", ")),
        ),
        Kind::Texts => (
            value
                .as_array()
                .is_some_and(|items| items.iter().all(Value::is_string)),
            "must be a list of texts".to_owned(),
        ),
        Kind::Object | Kind::Fields(_) | Kind::List(_) => {
            (value.is_object(), "must be an object".to_owned())
        }
    };
    (!is_good).then_some(wanted)
}

/// Whether a text has the form of a date; the calendar is not consulted beyond month and day ranges.
pub(super) fn is_date(text: &str) -> bool {
    let parts: Vec<Option<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
    let has_form = text.len() == 10
        && text
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_digit());
    has_form && matches!(parts.as_slice(), [Some(1000..), Some(1..=12), Some(1..=31)])
}

fn is_tax_id(text: &str) -> bool {
    matches!(text.len(), 11 | 14) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() {
        name.to_owned()
    } else {
        format!("{prefix}.{name}")
    }
}

fn add(faults: &mut Map<String, Value>, name: &str, fault: &str) {
    faults.insert(name.to_owned(), Value::from(vec![fault]));
}
