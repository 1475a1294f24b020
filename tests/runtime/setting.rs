//! What settings become, and what the operator is told about a variable that is missing.

use crate::runtime::catalog::{Setting, SettingPart};
use crate::runtime::setting;

fn variables(name: &str) -> Option<String> {
    match name {
        "HOST" => Some("api.example.com".to_owned()),
        "EMPTY" => Some(String::new()),
        _ => None,
    }
}

#[test]
fn pieces_are_joined_and_missing_variables_are_named() {
    use SettingPart::{Env, Literal};
    let unset = "the environment variable UNSET is not set";
    let empty = "the environment variable EMPTY is empty";
    for (parts, expected) in [
        (&[] as &[SettingPart], Ok("")),
        (&[Literal("a"), Literal("b")], Ok("ab")),
        (
            &[Literal("https://"), Env("HOST"), Literal("/token")],
            Ok("https://api.example.com/token"),
        ),
        (&[Literal("a"), Env("UNSET")], Err(unset)),
        (&[Env("EMPTY"), Literal("a")], Err(empty)),
    ] {
        let parts: &'static [SettingPart] = Box::leak(parts.to_vec().into_boxed_slice());
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(setting::read(Setting(parts), &variables), expected);
        let secret = setting::secret(Setting(parts), &variables);
        assert_eq!(secret.map(|secret| secret.expose().to_owned()), expected);
    }
    let secret = setting::secret_variable("HOST", &variables).expect("a value");
    assert_eq!(format!("{secret:?}"), "Secret(..)");
    assert_eq!(
        setting::secret_variable("EMPTY", &variables).err(),
        Some(empty.to_owned())
    );
}

#[test]
fn the_environment_is_that_of_the_process() {
    let expected = std::env::var("PATH").ok();
    assert_eq!(setting::environment("PATH"), expected);
    assert_eq!(setting::environment("OAS2MCP_NEVER_SET"), None);
}
