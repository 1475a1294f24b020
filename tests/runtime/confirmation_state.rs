//! Sealed states: any change of any part refuses.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::runtime::confirmation::digest;
use crate::runtime::confirmation::state::{Expected, Seals, State, Unsealed};

const KEYS: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
const OTHER: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

static SEALS: LazyLock<Seals> = LazyLock::new(|| Seals::read(KEYS).expect("a key"));

fn state() -> State {
    State {
        expires_ms: 1_000_000,
        nonce: [1; 16],
        run: [2; 16],
        locale: 1,
        call: [3; 32],
        principal: [4; 32],
        question: [5; 32],
    }
}

fn expected() -> Expected {
    Expected {
        now_ms: 999_999,
        locale: 1,
        call: [3; 32],
        principal: [4; 32],
    }
}

#[test]
fn a_state_comes_back_as_it_was() {
    let text = SEALS.seal(&state());
    assert_eq!(SEALS.open(&text, &expected()), Ok(state()));
    assert!(
        text.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    );
}

#[test]
fn each_part_must_be_as_expected() {
    let text = SEALS.seal(&state());
    let open = |expected: Expected| SEALS.open(&text, &expected).expect_err("refused");
    let base = expected();
    assert_eq!(
        open(Expected {
            now_ms: 1_000_000,
            ..base
        }),
        Unsealed::Expired
    );
    assert_eq!(open(Expected { locale: 0, ..base }), Unsealed::OtherLocale);
    assert_eq!(
        open(Expected {
            call: [9; 32],
            ..base
        }),
        Unsealed::OtherCall
    );
    assert_eq!(
        open(Expected {
            principal: [9; 32],
            ..base
        }),
        Unsealed::OtherCaller
    );
}

#[test]
fn keys_rotate() {
    let old = Seals::read(KEYS).expect("a key");
    let both = Seals::read(&format!("{OTHER},{KEYS}")).expect("keys");
    let new = Seals::read(OTHER).expect("a key");
    let text = old.seal(&state());
    assert!(both.open(&text, &expected()).is_ok());
    assert_eq!(new.open(&text, &expected()), Err(Unsealed::UnknownKey));
    let text = both.seal(&state());
    assert!(new.open(&text, &expected()).is_ok());
    let stranger = Seals::random();
    assert_eq!(stranger.open(&text, &expected()), Err(Unsealed::UnknownKey));
}

#[test]
fn a_wrong_key_is_told_without_being_shown() {
    for keys in ["", "short", "c2hvcnQ=", &format!("{KEYS},not base64!")] {
        let fault = Seals::read(keys).err().expect("refused");
        assert!(fault.contains("openssl rand"), "{fault}");
        assert!(
            !fault.contains("short") && !fault.contains("not base64!"),
            "{fault}"
        );
    }
}

fn raw(value: &str) -> Box<RawValue> {
    RawValue::from_string(value.to_owned()).expect("JSON")
}

fn call(arguments: &str) -> [u8; 32] {
    digest::call("cancel", Some(&raw(arguments))).expect("a digest")
}

#[test]
fn the_layout_of_arguments_does_not_matter_and_their_digits_do() {
    let base = call(r#"{"a":1,"b":[1,"x"],"c":{"d":null,"e":true}}"#);
    let same = r#"{ "c" : { "e" : true , "d" : null }, "b" : [ 1, "\u0078" ], "\u0061" : 1 }"#;
    assert_eq!(call(same), base);
    for other in [
        r#"{"a":1.0,"b":[1,"x"],"c":{"d":null,"e":true}}"#,
        r#"{"a":1,"b":["x",1],"c":{"d":null,"e":true}}"#,
        r#"{"a":1,"b":[1,"x"],"c":{"e":true}}"#,
        r#"{"a":"1","b":[1,"x"],"c":{"d":null,"e":true}}"#,
        r#"{"a":1,"b":[1,"x"],"c":{"d":null,"e":true},"f":0}"#,
    ] {
        assert_ne!(call(other), base, "{other}");
    }
    let long = "9".repeat(40);
    assert_ne!(
        call(&format!("{{\"a\":{long}}}")),
        call(&format!("{{\"a\":{long}0}}"))
    );
    assert_ne!(digest::call("cancel", None), digest::call("pay", None));
    assert_eq!(digest::call("cancel", None), Some(call("{}")));
}

fn arguments() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(Value::Null),
    ];
    let value = leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-d]{1,2}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    });
    prop::collection::btree_map("[a-d]{1,2}", value, 0..4).prop_map(|map| json!(map))
}

proptest! {
    #[test]
    fn one_changed_character_refuses(index in 0_usize..234, byte in 0_u8..64) {
        let text = SEALS.seal(&state());
        prop_assert_eq!(text.len(), 234);
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut altered = text.clone().into_bytes();
        let with = alphabet[usize::from(byte)];
        prop_assume!(altered[index] != with);
        altered[index] = with;
        let altered = String::from_utf8(altered).expect("text");
        prop_assert!(SEALS.open(&altered, &expected()).is_err());
    }

    #[test]
    fn a_cut_or_longer_text_refuses(n in 0_usize..234, more in "[A-Za-z0-9_=-]{1,8}") {
        let text = SEALS.seal(&state());
        prop_assert!(SEALS.open(&text[..n], &expected()).is_err());
        let longer = format!("{text}{more}");
        prop_assert!(SEALS.open(&longer, &expected()).is_err());
    }

    #[test]
    fn no_text_opens_by_chance(text in "\\PC{0,300}") {
        prop_assert!(SEALS.open(&text, &expected()).is_err());
    }

    #[test]
    fn time_past_the_end_refuses(after in 0_u64..u64::MAX / 2) {
        let text = SEALS.seal(&state());
        let late = Expected { now_ms: 1_000_000 + after, ..expected() };
        prop_assert_eq!(SEALS.open(&text, &late), Err(Unsealed::Expired));
    }

    #[test]
    fn any_other_caller_or_call_refuses(byte in 0_usize..32, with in 1_u8..=255) {
        let text = SEALS.seal(&state());
        let mut other = expected();
        other.principal[byte] ^= with;
        prop_assert_eq!(SEALS.open(&text, &other), Err(Unsealed::OtherCaller));
        let mut other = expected();
        other.call[byte] ^= with;
        prop_assert_eq!(SEALS.open(&text, &other), Err(Unsealed::OtherCall));
    }

    #[test]
    fn different_arguments_have_different_digests(left in arguments(), right in arguments()) {
        let is_same = call(&left.to_string()) == call(&right.to_string());
        prop_assert_eq!(is_same, left == right);
    }
}
