//! Catalogs with credentials, callers with tokens, and calls of theirs.

use std::sync::Arc;

use crate::call_sample::{catalog, leak};
use crate::runtime::call::{Caller, CallerSettings, Outcome};
use crate::runtime::catalog::*;
use crate::runtime::hooks::{Hooks, NoHooks};
use crate::runtime::principal::Principal;
use crate::runtime::secret::Secret;
use crate::runtime::upstream_error::Scene;
use crate::token_endpoint::CLIENT;

/// A setting without variables.
pub(crate) fn literal(text: &str) -> Setting {
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    Setting(leak([SettingPart::Literal(text)]))
}

/// The environment of the tests.
pub(crate) fn variables(name: &str) -> Option<String> {
    match name {
        "CLIENT_SECRET" => Some(CLIENT.1.to_owned()),
        "API_KEY" => Some("k3y".to_owned()),
        "STRANGE_KEY" => Some("a b&c=d#é%".to_owned()),
        "BROKEN" => Some("a\r\nx-forged: 1".to_owned()),
        _ => None,
    }
}

/// A request for tokens of this endpoint.
pub(crate) fn token_request(url: &str) -> TokenRequest {
    TokenRequest {
        url: literal(url),
        client_id: literal(CLIENT.0),
        client_secret: "CLIENT_SECRET",
        scope: "",
        audience: "",
        resource: "",
    }
}

/// A catalog of one tool with a credential.
pub(crate) fn with(tool: Tool, credential: Credential) -> &'static Catalog {
    catalog(vec![tool], |catalog| {
        catalog.upstream.credential = credential
    })
}

/// A caller of it.
pub(crate) fn caller(catalog: &'static Catalog, base_url: &str) -> Caller {
    hooked(catalog, base_url, 5000, Box::new(NoHooks))
}

/// The same with a deadline and hooks.
pub(crate) fn hooked(
    catalog: &'static Catalog,
    base_url: &str,
    timeout_ms: u64,
    hooks: Box<dyn Hooks>,
) -> Caller {
    let settings = CallerSettings {
        base_url: base_url.to_owned(),
        timeout_ms,
    };
    Caller::with_variables(catalog, settings, hooks, &variables).expect("a caller")
}

/// Why a server with this upstream does not start.
#[track_caller]
pub(crate) fn fault(change: impl FnOnce(&mut Upstream)) -> String {
    let catalog = catalog(vec![crate::call_sample::TOOL], |catalog| {
        change(&mut catalog.upstream)
    });
    let settings = CallerSettings {
        base_url: "http://127.0.0.1:9".to_owned(),
        timeout_ms: 1000,
    };
    match Caller::with_variables(catalog, settings, Box::new(NoHooks), &variables) {
        Ok(_) => panic!("it starts"),
        Err(sentence) => sentence,
    }
}

/// Whoever has this token; nobody's without one.
pub(crate) fn bearer(token: Option<&str>) -> Arc<Principal> {
    let mut principal = Principal::anonymous();
    principal.token = token.map(Secret::new);
    Arc::new(principal)
}

/// Calls the first tool as somebody.
pub(crate) async fn call_as(
    caller: &Caller,
    catalog: &'static Catalog,
    principal: &Principal,
    arguments: &str,
) -> Outcome {
    let arguments = crate::call_sample::raw(arguments);
    let scene = Scene {
        tool: &catalog.tools[0],
        locale: 0,
        principal,
        trace: None,
    };
    caller.call(scene, 0, Some(&arguments)).await
}
