//! Settings of the operator: texts of the catalog and environment variables → values, read once at start.

use std::net::IpAddr;

use http::Uri;

use crate::runtime::catalog::{Setting, SettingPart};
use crate::runtime::secret::Secret;

/// Where the values of environment variables come from. A server passes [`environment`].
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The environment of this process.
#[must_use]
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Reads a setting.
///
/// # Errors
/// A sentence for the operator that names the variable which is unset or empty.
pub fn read(setting: Setting, variables: Variables<'_>) -> Result<String, String> {
    let mut text = String::new();
    for part in setting.0 {
        match part {
            SettingPart::Literal(literal) => text.push_str(literal),
            SettingPart::Env(name) => text.push_str(&variable(name, variables)?),
        }
    }
    Ok(text)
}

/// Reads the address of a server that is trusted with tokens; `what` names it for the operator. It is called over
/// HTTPS; plain HTTP does not leave this machine.
///
/// # Errors
/// A sentence for the operator; the address itself is never in it.
pub fn endpoint(setting: Setting, what: &str, variables: Variables<'_>) -> Result<Uri, String> {
    let text = read(setting, variables)?;
    let uri: Option<Uri> = text.parse().ok();
    let uri = uri.filter(|uri| uri.host().is_some_and(|host| !host.is_empty()));
    let uri = uri.filter(|uri| {
        !uri.authority()
            .is_some_and(|all| all.as_str().contains('@'))
    });
    let uri = uri.filter(|_| !text.contains('#'));
    let uri = uri.ok_or_else(|| format!("the address of the {what} is not a valid URL"))?;
    match uri.scheme_str() {
        Some("https") => Ok(uri),
        Some("http") if uri.host().is_some_and(is_loopback) => Ok(uri),
        _ => Err(format!(
            "the address of the {what} must begin with https://, or with http:// and name this machine"
        )),
    }
}

fn is_loopback(host: &str) -> bool {
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let is_address = name
        .parse()
        .is_ok_and(|address: IpAddr| address.is_loopback());
    is_address || name.eq_ignore_ascii_case("localhost")
}

/// Reads a setting that must not be seen.
///
/// # Errors
/// As [`read`].
pub fn secret(setting: Setting, variables: Variables<'_>) -> Result<Secret, String> {
    read(setting, variables).map(Secret::new)
}

/// Reads a variable that must not be seen.
///
/// # Errors
/// A sentence for the operator that names the variable when it is unset or empty.
pub fn secret_variable(name: &str, variables: Variables<'_>) -> Result<Secret, String> {
    variable(name, variables).map(Secret::new)
}

/// Reads a variable.
///
/// # Errors
/// A sentence for the operator that names the variable when it is unset or empty: an empty secret is a mistake that
/// must not become a server without one.
pub fn variable(name: &str, variables: Variables<'_>) -> Result<String, String> {
    match variables(name) {
        Some(value) if !value.is_empty() => Ok(value),
        Some(_) => Err(format!("the environment variable {name} is empty")),
        None => Err(format!("the environment variable {name} is not set")),
    }
}
