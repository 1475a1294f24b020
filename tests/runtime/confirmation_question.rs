//! Questions in words: amounts by language, and values that belong to somebody else.

use serde_json::value::RawValue;

use crate::call_sample::{STRICT, TOOL, argument, checked, leak};
use crate::confirmation_sample::value;
use crate::runtime::catalog::*;
use crate::runtime::confirmation::amount::{brl, cents, days, percent};
use crate::runtime::confirmation::question::{NotShown, word};

fn said(text: Option<String>) -> String {
    text.unwrap_or_default().replace('\u{a0}', " ")
}

#[test]
fn amounts_are_written_as_each_language_does() {
    for (text, english, portuguese) in [
        ("98000", "R$ 980.00", "R$ 980,00"),
        ("980", "R$ 9.80", "R$ 9,80"),
        ("5", "R$ 0.05", "R$ 0,05"),
        ("0", "R$ 0.00", "R$ 0,00"),
        ("-123456789", "-R$ 1,234,567.89", "-R$ 1.234.567,89"),
        ("98000.5", "", ""),
        ("1e3", "", ""),
        ("", "", ""),
    ] {
        assert_eq!(said(cents(text, "en")), english, "{text}");
        assert_eq!(said(cents(text, "pt-BR")), portuguese, "{text}");
        assert_eq!(said(cents(text, "es")), portuguese, "{text}");
    }
    for (text, english) in [
        ("980", "R$ 980.00"),
        ("10.5", "R$ 10.50"),
        ("10.505", "R$ 10.505"),
        ("1234567.8", "R$ 1,234,567.80"),
        ("0.1", "R$ 0.10"),
        ("1.", ""),
        (".5", ""),
        ("1e2", ""),
    ] {
        assert_eq!(said(brl(text, "en")), english, "{text}");
    }
    let long = "123456789012345678901234567890";
    assert!(said(cents(long, "en")).ends_with("678.90"));
    assert_eq!(cents(&format!("{long}1"), "en"), None);
}

#[test]
fn rates_and_periods_have_their_marks() {
    let rates = ["en", "pt-BR", "es"].map(|language| said(percent("2.5", language)));
    assert_eq!(rates, ["2.5%", "2,5%", "2,5 %"]);
    let periods = ["en", "pt-BR", "es"].map(|language| said(days("30", language)));
    assert_eq!(periods, ["30 days", "30 dias", "30 días"]);
    let single = ["en", "pt-BR", "es"].map(|language| said(days("1", language)));
    assert_eq!(single, ["1 day", "1 dia", "1 día"]);
}

fn tool() -> &'static Tool {
    leak(Tool {
        input_schema: Text(&[r#"{"type":"object"}"#]),
        arguments: leak([argument("x", Place::Query)]),
        ..TOOL
    })
}

fn confirm(format: ValueFormat) -> Confirm {
    Confirm {
        message: Text(&["<{x}> {{x}} {unknown} {y}"]),
        accept: Text(&["Yes"]),
        values: leak([
            value("x", ValueSource::Argument("x"), format),
            value("y", ValueSource::Record("/a~1b/0"), ValueFormat::Plain),
        ]),
        lookup: None,
    }
}

fn asked(given: &str, format: ValueFormat, record: Option<&str>) -> Result<String, NotShown> {
    let record = record.map(|record| RawValue::from_string(record.to_owned()).expect("JSON"));
    checked(tool(), STRICT, given, |arguments| {
        word(&confirm(format), arguments, record.as_deref(), (0, "en"))
    })
    .expect("good arguments")
}

#[test]
fn values_are_one_line_of_plain_characters() {
    let record = Some(r#"{"a/b":[1.50]}"#);
    let plain = |given: &str| asked(given, ValueFormat::Plain, record).expect("a question");
    for (given, shown) in [
        (r#"{"x":"a\n\n b\u0000\tc"}"#, "<a b c>"),
        (r#"{"x":"a\u202eb\u200bc\ufeff"}"#, "<abc>"),
        (r#"{"x":" \n "}"#, "<—>"),
        (r#"{}"#, "<—>"),
        (r#"{"x":"{y} {{x}}"}"#, "<{y} {{x}}>"),
        (r#"{"x":[1,{"k":"v"}]}"#, r#"<[1,{"k":"v"}]>"#),
        (r#"{"x":10.50}"#, "<10.50>"),
    ] {
        assert_eq!(
            plain(given),
            format!("{shown} {{x}} {{unknown}} 1.50"),
            "{given}"
        );
    }
    let long = plain(&format!(r#"{{"x":"{}"}}"#, "é".repeat(500)));
    assert!(
        long.starts_with(&format!("<{}…>", "é".repeat(200))),
        "{long}"
    );
}

#[test]
fn a_number_that_is_no_amount_is_shown_as_it_came() {
    let record = Some(r#"{"a/b":["z"]}"#);
    let asked = |given: &str| asked(given, ValueFormat::Cents, record).expect("a question");
    assert!(asked(r#"{"x":98000}"#).starts_with("<R$\u{a0}980.00>"));
    assert!(asked(r#"{"x":"98000"}"#).starts_with("<R$\u{a0}980.00>"));
    assert!(asked(r#"{"x":1e5}"#).starts_with("<1e5>"));
    assert!(asked(r#"{"x":980.5}"#).starts_with("<980.5>"));
}

#[test]
fn what_the_record_lacks_is_no_question() {
    for record in [
        None,
        Some("{}"),
        Some(r#"{"a/b":[]}"#),
        Some(r#"{"a/b":[null]}"#),
        Some("7"),
    ] {
        assert_eq!(
            asked("{}", ValueFormat::Plain, record),
            Err(NotShown),
            "{record:?}"
        );
    }
    let twice = Some(r#"{"a/b":["x"],"a/b":["y"]}"#);
    assert_eq!(asked("{}", ValueFormat::Plain, twice), Err(NotShown));
}
