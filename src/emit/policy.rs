//! Versions, endpoint, API and failure policy of a server → tokens.

use proc_macro2::TokenStream;
use quote::quote;

use super::credential;
use super::tokens::{option, strings};
use crate::plan::server::{
    ArgumentPolicy, Confirmation, ErrorPolicy, HeaderPart, Limits, Protocol, Transport, Upstream,
};

/// `Catalog::protocol`.
pub(super) fn protocol(protocol: &Protocol) -> TokenStream {
    let (modern, legacy) = (strings(&protocol.modern), strings(&protocol.legacy));
    let (page_size, list_ttl_ms) = (protocol.page_size, protocol.list_ttl_ms);
    let method_not_found = if protocol.method_not_found_named {
        quote!(MethodNotFound::Named)
    } else {
        quote!(MethodNotFound::Plain)
    };
    quote! {
        Protocol {
            modern: #modern,
            legacy: #legacy,
            method_not_found: #method_not_found,
            page_size: #page_size,
            list_ttl_ms: #list_ttl_ms,
        }
    }
}

/// `Catalog::transport`.
pub(super) fn transport(transport: &Transport) -> TokenStream {
    let Transport {
        path,
        max_body_bytes,
        max_body_label,
        ..
    } = transport;
    let hosts = strings(&transport.allowed_hosts);
    let origins = strings(&transport.allowed_origins);
    quote! {
        Transport {
            path: #path,
            max_body_bytes: #max_body_bytes,
            max_body_label: #max_body_label,
            allowed_hosts: #hosts,
            allowed_origins: #origins,
            refusals: REFUSALS,
        }
    }
}

/// `Catalog::upstream`.
pub(super) fn upstream(upstream: &Upstream) -> TokenStream {
    let Upstream {
        timeout_ms,
        max_answer_bytes,
        retries,
        ..
    } = upstream;
    let environments = upstream
        .environments
        .iter()
        .map(|(name, base_url)| quote!(Environment { name: #name, base_url: #base_url }));
    let headers = upstream.headers.iter().map(|(name, value)| {
        let parts = value.iter().map(header_part);
        quote!(SetHeader { name: #name, value: &[#(#parts),*] })
    });
    let key = option(upstream.idempotency_key.as_ref().map(|(header, methods)| {
        let methods = strings(methods);
        quote!(IdempotencyKey { header: #header, methods: #methods })
    }));
    let credential = credential::credential(&upstream.credential);
    let certificate = upstream.client_certificate.as_ref();
    let certificate = option(certificate.map(|(certificate, key)| {
        quote!(ClientCertificate { certificate_file: #certificate, key_file: #key })
    }));
    quote! {
        Upstream {
            environments: &[#(#environments),*],
            timeout_ms: #timeout_ms,
            max_answer_bytes: #max_answer_bytes,
            retries: #retries,
            headers: &[#(#headers),*],
            idempotency_key: #key,
            credential: #credential,
            client_certificate: #certificate,
        }
    }
}

fn header_part(part: &HeaderPart) -> TokenStream {
    match part {
        HeaderPart::Literal(text) => quote!(HeaderPart::Literal(#text)),
        HeaderPart::Env(name) => quote!(HeaderPart::Env(#name)),
        HeaderPart::Uuid => quote!(HeaderPart::Uuid),
    }
}

/// `Catalog::limits`.
pub(super) fn limits(limits: Limits) -> TokenStream {
    let Limits {
        reads_per_hour,
        writes_per_hour,
        concurrent_calls,
    } = limits;
    quote! {
        Limits {
            reads_per_hour: #reads_per_hour,
            writes_per_hour: #writes_per_hour,
            concurrent_calls: #concurrent_calls,
        }
    }
}

/// `Catalog::arguments`.
pub(super) fn arguments(policy: &ArgumentPolicy) -> TokenStream {
    let style = match &policy.envelope_code {
        Some(code) => quote!(ArgumentStyle::Envelope { code: #code }),
        None => quote!(ArgumentStyle::Text),
    };
    let unknown = if policy.unknown_on_read_tools_only {
        quote!(UnknownArguments::ReadTools)
    } else {
        quote!(UnknownArguments::All)
    };
    quote!(ArgumentPolicy { style: #style, unknown: #unknown })
}

/// `Catalog::errors`.
pub(super) fn errors(policy: &ErrorPolicy) -> TokenStream {
    let mode = if policy.is_mapped {
        quote!(UpstreamErrors::Map)
    } else {
        quote!(UpstreamErrors::Passthrough)
    };
    let code_pointers = strings(&policy.code_pointers);
    let message_pointers = strings(&policy.message_pointers);
    let field_pointers = strings(&policy.field_pointers);
    let fallback = &policy.fallback;
    quote! {
        ErrorPolicy {
            mode: #mode,
            code_pointers: #code_pointers,
            message_pointers: #message_pointers,
            field_pointers: #field_pointers,
            rules: RULES,
            fallback: #fallback,
            conditions: CONDITIONS,
            registry: REGISTRY,
        }
    }
}

/// `Catalog::confirmation`.
pub(super) fn confirmation(policy: &Confirmation) -> TokenStream {
    let Confirmation {
        required,
        declined,
        replayed,
        unavailable,
        single_use,
        lifetime_s,
        ..
    } = policy;
    let without = if policy.is_missing_elicitation_protocol_error {
        quote!(WithoutElicitation::ProtocolError)
    } else {
        quote!(WithoutElicitation::ToolError)
    };
    quote! {
        Confirmation {
            required: #required,
            declined: #declined,
            replayed: #replayed,
            unavailable: #unavailable,
            without_elicitation: #without,
            single_use: #single_use,
            lifetime_s: #lifetime_s,
        }
    }
}
