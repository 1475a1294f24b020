//! Many callers at once: each one's credential, and nobody else's, reaches the API.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use crate::call_sample::{TOOL, api, argument};
use crate::credential_sample::{bearer, call_as, caller, token_request, with};
use crate::runtime::catalog::*;
use crate::runtime::principal::Principal;
use crate::runtime::secret::Secret;
use crate::token_endpoint::TokenEndpoint;

const N_CALLERS: usize = 64;
const N_ROUNDS: usize = 10;

/// The tool that says in its query who called it.
const WHO: Tool = Tool {
    arguments: &[argument("who", Place::Query)],
    ..TOOL
};

/// Calls of all callers at once, several times, in an order of no meaning; what the API saw by caller.
async fn interleaved(
    credential: Credential,
    principals: Vec<Arc<Principal>>,
) -> BTreeMap<String, Vec<String>> {
    let api = api().await;
    let catalog = with(WHO, credential);
    let caller = Arc::new(caller(catalog, &api.base_url()));
    let calls: Vec<_> = (0..N_CALLERS * N_ROUNDS)
        .map(|n| {
            let who = (n * 37) % N_CALLERS;
            let (caller, principal) = (caller.clone(), principals[who].clone());
            tokio::spawn(async move {
                let arguments = json!({"who": who.to_string()}).to_string();
                call_as(&caller, catalog, &principal, &arguments).await.code
            })
        })
        .collect();
    for call in calls {
        let code = tokio::time::timeout(std::time::Duration::from_secs(20), call).await;
        assert_eq!(code.expect("in time").expect("no panic"), None);
    }
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for request in api.requests() {
        let who = request.query_value("who").expect("who");
        let token = request.header("authorization").expect("a token").to_owned();
        seen.entry(who).or_default().push(token);
    }
    seen
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn each_caller_acts_with_its_own_token() {
    let principals = (0..N_CALLERS).map(|n| bearer(Some(&format!("t{n}"))));
    let seen = interleaved(Credential::Caller, principals.collect()).await;
    assert_eq!(seen.len(), N_CALLERS);
    for (who, tokens) in seen {
        assert_eq!(tokens, vec![format!("Bearer t{who}"); N_ROUNDS]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn each_caller_acts_with_the_token_exchanged_for_it() {
    let endpoint = TokenEndpoint::start(json!(3600)).await.expect("a port");
    let exchange = Credential::TokenExchange(token_request(&endpoint.url()));
    let principals = (0..N_CALLERS).map(|n| bearer(Some(&format!("t{n}"))));
    let seen = interleaved(exchange, principals.collect()).await;
    assert_eq!(seen.len(), N_CALLERS);
    for (who, tokens) in seen {
        assert_eq!(tokens.len(), N_ROUNDS);
        for token in &tokens {
            assert_eq!(token, &tokens[0]);
            assert!(token.ends_with(&format!(".for.t{who}")), "{who}: {token}");
        }
    }
    // Each caller's token was exchanged once, however many of its calls waited for it.
    assert_eq!(endpoint.n_given(), N_CALLERS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tokens_of_one_principal_and_principals_of_one_token_are_kept_apart() {
    let endpoint = TokenEndpoint::start(json!(3600)).await.expect("a port");
    let exchange = Credential::TokenExchange(token_request(&endpoint.url()));
    let principal = |n: usize| {
        let mut principal = Principal::anonymous();
        principal.key = [u8::try_from(n / 2).expect("small"); 32];
        principal.token = Some(Secret::new(format!("t{}", n.div_ceil(2))));
        Arc::new(principal)
    };
    let seen = interleaved(exchange, (0..N_CALLERS).map(principal).collect()).await;
    assert_eq!(endpoint.n_given(), N_CALLERS);
    for (who, tokens) in seen {
        let n: usize = who.parse().expect("a number");
        let expected = format!(".for.t{}", n.div_ceil(2));
        assert!(
            tokens.iter().all(|token| token.ends_with(&expected)),
            "{who}: {tokens:?}"
        );
    }
}
