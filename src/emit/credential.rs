//! How the API is told who calls → tokens.

use proc_macro2::TokenStream;
use quote::quote;

use crate::plan::server::{Credential, FixedCredential, SettingPart, TokenRequest};

/// `Upstream::credential`.
pub(super) fn credential(credential: &Credential) -> TokenStream {
    match credential {
        Credential::None => quote!(Credential::None),
        Credential::Caller => quote!(Credential::Caller),
        Credential::Fixed(list) => {
            let list = list.iter().map(fixed);
            quote!(Credential::Fixed(&[#(#list),*]))
        }
        Credential::ClientCredentials(request) => {
            let request = token_request(request);
            quote!(Credential::ClientCredentials(#request))
        }
        Credential::TokenExchange(request) => {
            let request = token_request(request);
            quote!(Credential::TokenExchange(#request))
        }
    }
}

fn fixed(credential: &FixedCredential) -> TokenStream {
    match credential {
        FixedCredential::Header(name, value) => {
            let value = setting(value);
            quote!(FixedCredential::Header(#name, #value))
        }
        FixedCredential::Query(name, value) => {
            let value = setting(value);
            quote!(FixedCredential::Query(#name, #value))
        }
        FixedCredential::Cookie(name, value) => {
            let value = setting(value);
            quote!(FixedCredential::Cookie(#name, #value))
        }
        FixedCredential::Basic(user, password) => {
            let (user, password) = (setting(user), setting(password));
            quote!(FixedCredential::Basic(#user, #password))
        }
    }
}

fn token_request(request: &TokenRequest) -> TokenStream {
    let TokenRequest {
        client_secret,
        scope,
        audience,
        resource,
        ..
    } = request;
    let (url, client_id) = (setting(&request.url), setting(&request.client_id));
    quote! {
        TokenRequest {
            url: #url,
            client_id: #client_id,
            client_secret: #client_secret,
            scope: #scope,
            audience: #audience,
            resource: #resource,
        }
    }
}

fn setting(setting: &[SettingPart]) -> TokenStream {
    let parts = setting.iter().map(|part| match part {
        SettingPart::Literal(text) => quote!(SettingPart::Literal(#text)),
        SettingPart::Env(name) => quote!(SettingPart::Env(#name)),
    });
    quote!(Setting(&[#(#parts),*]))
}
