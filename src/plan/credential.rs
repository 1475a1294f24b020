//! How the API is told who calls.

use indexmap::IndexMap;

use crate::overlay::{self, EnvName};

use super::context::{Context, pointer};
use super::server::{Credential, FixedCredential, HeaderPart, Setting, SettingPart, TokenRequest};
use super::upstream::{is_header_name, is_variable, parts};

const AT: &str = "/upstream/credential";

/// Decides the credential; `server` is the server's name and version.
pub(super) fn plan(cx: &Context<'_>, server: (&str, &str)) -> Credential {
    let Some(said) = &cx.overlay.upstream.credential else {
        return Credential::None;
    };
    check_twice(cx, said);
    let fixed = |kind: &str, pairs: &IndexMap<String, String>| {
        let pairs = pairs.iter().map(|(name, value)| {
            let at = format!("{AT}{}", pointer(&[kind, name]));
            (name.clone(), secret(cx, value, server, &at), at)
        });
        pairs.collect::<Vec<_>>()
    };
    match said {
        overlay::Credential::Caller => {
            report_unasked(cx, "caller");
            Credential::Caller
        }
        overlay::Credential::Header(pairs) => {
            let headers = fixed("header", pairs).into_iter().map(|(name, value, at)| {
                check_name(cx, &name, &at);
                FixedCredential::Header(name.to_lowercase(), value)
            });
            Credential::Fixed(headers.collect())
        }
        overlay::Credential::Query(pairs) => {
            let pairs = fixed("query", pairs).into_iter();
            Credential::Fixed(
                pairs
                    .map(|(name, value, _)| FixedCredential::Query(name, value))
                    .collect(),
            )
        }
        overlay::Credential::Cookie(pairs) => {
            let cookies = fixed("cookie", pairs).into_iter().map(|(name, value, at)| {
                check_name(cx, &name, &at);
                FixedCredential::Cookie(name, value)
            });
            Credential::Fixed(cookies.collect())
        }
        overlay::Credential::Basic(basic) => {
            let at = format!("{AT}/basic/user");
            let user = setting(cx, &basic.user, server, &at);
            let password = variable(cx, &basic.password, &format!("{AT}/basic/password"));
            Credential::Fixed(vec![FixedCredential::Basic(
                user,
                vec![SettingPart::Env(password)],
            )])
        }
        overlay::Credential::ClientCredentials(said) => {
            Credential::ClientCredentials(token_request(cx, said, server, "client_credentials"))
        }
        overlay::Credential::TokenExchange(said) => {
            report_unasked(cx, "token_exchange");
            Credential::TokenExchange(token_request(cx, said, server, "token_exchange"))
        }
    }
}

/// The paths of certificate and key, as environment variables.
pub(super) fn certificate(cx: &Context<'_>) -> Option<(String, String)> {
    let said = cx.overlay.upstream.client_certificate.as_ref()?;
    let at = "/upstream/client_certificate";
    Some((
        variable(
            cx,
            &said.certificate_file,
            &format!("{at}/certificate_file"),
        ),
        variable(cx, &said.key_file, &format!("{at}/key_file")),
    ))
}

fn check_twice(cx: &Context<'_>, said: &overlay::Credential) {
    let sets = |name: &str| {
        let mut headers = cx.overlay.upstream.headers.set.keys();
        headers.find(|header| header.eq_ignore_ascii_case(name))
    };
    let taken = match said {
        overlay::Credential::Header(pairs) => pairs.keys().find_map(|name| sets(name)),
        overlay::Credential::Cookie(_) => sets("cookie"),
        overlay::Credential::Query(_) => None,
        _ => sets("authorization"),
    };
    if let Some(header) = taken {
        cx.error(
            "credential-twice",
            &pointer(&["upstream", "headers", "set", header]),
            format!("`upstream.credential` sends `{header}` as well"),
            "remove one of the two",
        );
    }
}

/// Nobody is asked for a token yet, so there is none to pass on.
fn report_unasked(cx: &Context<'_>, kind: &str) {
    cx.warning(
        "not-built-yet",
        AT,
        format!(
            "`{kind}`: callers are not asked for a token, so this has no effect in this version"
        ),
        "send a credential of the server's own: `header`, `basic` or `client_credentials`",
    );
}

fn check_name(cx: &Context<'_>, name: &str, at: &str) {
    if !is_header_name(name) {
        cx.error(
            "invalid-header",
            at,
            format!("`{}` cannot be a name here", name.escape_debug()),
            "write letters, digits and `-`",
        );
    }
}

fn token_request(
    cx: &Context<'_>,
    said: &overlay::TokenRequest,
    server: (&str, &str),
    kind: &str,
) -> TokenRequest {
    let at = |key: &str| format!("{AT}/{kind}/{key}");
    check_address(cx, &said.url, &at("url"));
    TokenRequest {
        url: setting(cx, &said.url, server, &at("url")),
        client_id: setting(cx, &said.client_id, server, &at("client_id")),
        client_secret: variable(cx, &said.client_secret, &at("client_secret")),
        scope: said.scope.clone(),
        audience: said.audience.clone(),
        resource: said.resource.clone(),
    }
}

/// A secret goes to this address, so it must not go in the clear. One from the environment is checked at start.
fn check_address(cx: &Context<'_>, url: &str, at: &str) {
    let host = url.strip_prefix("http://").map(|rest| {
        let authority = rest.split('/').next().unwrap_or(rest);
        authority
            .rsplit_once(':')
            .map_or(authority, |(host, _)| host)
    });
    let is_safe = match host {
        Some(host) => matches!(host, "127.0.0.1" | "localhost" | "[::1]"),
        None => url.starts_with("https://") || url.starts_with("{env:"),
    };
    if !is_safe {
        cx.error(
            "invalid-base-url",
            at,
            format!("`{}` would carry a secret in the clear", url.escape_debug()),
            "write an `https://` address",
        );
    }
}

/// A value that must come from the environment.
fn secret(cx: &Context<'_>, value: &str, server: (&str, &str), at: &str) -> Setting {
    let setting = setting(cx, value, server, at);
    let is_env = |part: &SettingPart| matches!(part, SettingPart::Env(_));
    if !setting.iter().any(is_env) {
        cx.error(
            "literal-secret",
            at,
            "a secret never stands in a file".to_owned(),
            "write `{env:NAME}` for it",
        );
    }
    setting
}

fn setting(cx: &Context<'_>, value: &str, server: (&str, &str), at: &str) -> Setting {
    let parts = parts(cx, value, server, at).into_iter();
    let parts = parts.filter_map(|part| match part {
        HeaderPart::Literal(text) => Some(SettingPart::Literal(text)),
        HeaderPart::Env(name) => Some(SettingPart::Env(name)),
        HeaderPart::Uuid => {
            cx.error(
                "unknown-placeholder",
                at,
                "`{uuid}` is different each time".to_owned(),
                "write `{env:NAME}`",
            );
            None
        }
    });
    parts.collect()
}

fn variable(cx: &Context<'_>, name: &EnvName, at: &str) -> String {
    if !is_variable(&name.env) {
        cx.error(
            "invalid-value",
            &format!("{at}/env"),
            format!("`{}` is no name of a variable", name.env.escape_debug()),
            "write letters, digits and `_`",
        );
    }
    name.env.clone()
}
