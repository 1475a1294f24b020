//! Error codes, rules, conditions and refusals → `src/registry.rs`.

use proc_macro2::TokenStream;
use quote::quote;

use super::EmitError;
use super::tokens::{file, named_variant, option, text, variant};
use crate::plan::Server;
use crate::plan::server::{ErrorCode, ErrorPolicy, ErrorRule, Refusal, RefusalBody, StatusMatch};

const PATH: &str = "src/registry.rs";

/// The whole file.
pub(super) fn render(server: &Server) -> Result<String, EmitError> {
    let codes = server.errors.registry.iter().map(code);
    let rules = server.errors.rules.iter().map(rule);
    let conditions = conditions(&server.errors);
    let refusals = server
        .transport
        .refusals
        .iter()
        .map(refusal)
        .collect::<Result<Vec<_>, _>>()?;
    let items = quote! {
        use crate::runtime::catalog::*;

        #[doc = " Every code that a page names, in the order of the tables."]
        pub const REGISTRY: &[ErrorCode] = &[#(#codes),*];

        #[doc = " From an error answer of the API to a code, first match wins."]
        pub const RULES: &[ErrorRule] = &[#(#rules),*];

        #[doc = " Codes of failures without a readable answer."]
        pub const CONDITIONS: Conditions = #conditions;

        #[doc = " How requests are refused before their message is read."]
        pub const REFUSALS: &[Refusal] = &[#(#refusals),*];
    };
    file(
        PATH,
        "The one table of error codes, and what leads to them.",
        items,
    )
}

fn code(code: &ErrorCode) -> TokenStream {
    let ErrorCode { code: name, .. } = code;
    let (channel, source) = (variant(code.channel), variant(code.source));
    let message = text(&code.message);
    quote! {
        ErrorCode {
            code: #name,
            channel: Channel::#channel,
            source: Source::#source,
            message: #message,
        }
    }
}

fn rule(rule: &ErrorRule) -> TokenStream {
    let status = option(rule.status.map(|status| match status {
        StatusMatch::Exact(status) => quote!(StatusMatch::Exact(#status)),
        StatusMatch::Class(class) => quote!(StatusMatch::Class(#class)),
    }));
    let code = option(rule.code.as_ref());
    let message = option(rule.message.as_ref());
    let operation = option(rule.operation.as_ref());
    let to = &rule.to;
    quote! {
        ErrorRule {
            status: #status,
            code: #code,
            message: #message,
            operation: #operation,
            to: #to,
        }
    }
}

fn conditions(policy: &ErrorPolicy) -> TokenStream {
    // A condition without a code of its own takes the fallback's.
    let code = |name: &str| policy.conditions.get(name).unwrap_or(&policy.fallback);
    let (timeout, network) = (code("timeout"), code("network"));
    let (not_json, server_error) = (code("not_json"), code("server_error"));
    let (rate_limited, too_large) = (code("rate_limited"), code("too_large"));
    let redirect = code("redirect");
    quote! {
        Conditions {
            timeout: #timeout,
            network: #network,
            not_json: #not_json,
            server_error: #server_error,
            rate_limited: #rate_limited,
            too_large: #too_large,
            redirect: #redirect,
        }
    }
}

fn refusal(refusal: &Refusal) -> Result<TokenStream, EmitError> {
    let kind = named_variant(PATH, refusal.kind)?;
    let (status, message) = (refusal.status, text(&refusal.message));
    let body = match &refusal.body {
        RefusalBody::JsonRpc => quote!(RefusalBody::JsonRpc),
        RefusalBody::Plain => quote!(RefusalBody::Plain),
        RefusalBody::Api { template, code } => {
            quote!(RefusalBody::Api { template: #template, code: #code })
        }
    };
    Ok(quote! {
        Refusal { kind: RefusalKind::#kind, status: #status, body: #body, message: #message }
    })
}
