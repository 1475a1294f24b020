//! The server's static description → `src/catalog.rs`.

use proc_macro2::TokenStream;
use quote::quote;

use super::EmitError;
use super::text::cell;
use super::tokens::{file, named_variant, strings, text};
use super::{policy, tools};
use crate::plan::Server;
use crate::plan::server::{LogField, Resource};

const PATH: &str = "src/catalog.rs";

/// The whole file. `pages` are the published pages by path; they become resources after the overlay's.
pub(super) fn render(server: &Server, pages: &[(String, String)]) -> Result<String, EmitError> {
    let catalog = catalog(server)?;
    let tool_items = server.tools.iter().map(tools::tool);
    let prompts = server.prompts.iter().map(tools::prompt);
    let resources = server
        .resources
        .iter()
        .map(resource)
        .chain(pages.iter().filter_map(|entry| page(server, entry)));
    let items = quote! {
        use crate::registry::{CONDITIONS, REFUSALS, REGISTRY, RULES};
        use crate::runtime::catalog::*;

        #[doc = " Everything that the runtime knows of this server."]
        pub static CATALOG: Catalog = #catalog;

        static TOOLS: &[Tool] = &[#(#tool_items),*];

        static PROMPTS: &[Prompt] = &[#(#prompts),*];

        static RESOURCES: &[Resource] = &[#(#resources),*];
    };
    file(
        PATH,
        "The tools, prompts and resources of this server, and its settings.",
        items,
    )
}

fn catalog(server: &Server) -> Result<TokenStream, EmitError> {
    let (name, version) = (&server.name, &server.version);
    let (identity, policies) = (identity(server), policies(server)?);
    Ok(quote! {
        Catalog {
            name: #name,
            version: #version,
            #identity
            #policies
            tools: TOOLS,
            prompts: PROMPTS,
            resources: RESOURCES,
        }
    })
}

fn identity(server: &Server) -> TokenStream {
    let (title, instructions) = (text(&server.title), text(&server.instructions));
    let locales = strings(&server.locales);
    let wire_locale = match server.wire_locale {
        Some(index) => quote!(WireLocale::Fixed(#index)),
        None => quote!(WireLocale::AcceptLanguage),
    };
    quote! {
        title: #title,
        instructions: #instructions,
        locales: #locales,
        wire_locale: #wire_locale,
    }
}

fn policies(server: &Server) -> Result<TokenStream, EmitError> {
    let protocol = policy::protocol(&server.protocol);
    let transport = policy::transport(&server.transport);
    let upstream = policy::upstream(&server.upstream);
    let arguments = policy::arguments(&server.arguments);
    let errors = policy::errors(&server.errors);
    let limits = policy::limits(server.limits);
    let confirmation = policy::confirmation(&server.confirmation);
    let fields = server
        .log_fields
        .iter()
        .map(log_field)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(quote! {
        protocol: #protocol,
        transport: #transport,
        upstream: #upstream,
        arguments: #arguments,
        errors: #errors,
        confirmation: #confirmation,
        auth: None,
        limits: #limits,
        log_fields: &[#(#fields),*],
    })
}

fn log_field(field: &LogField) -> Result<TokenStream, EmitError> {
    let key = &field.key;
    let value = named_variant(PATH, field.value)?;
    Ok(quote!(LogField { key: #key, value: LogValue::#value }))
}

fn resource(resource: &Resource) -> TokenStream {
    let Resource {
        uri,
        name,
        mime_type,
        text: contents,
        ..
    } = resource;
    let (title, description) = (text(&resource.title), text(&resource.description));
    quote! {
        Resource {
            uri: #uri,
            name: #name,
            title: #title,
            description: #description,
            mime_type: #mime_type,
            text: #contents,
            scopes: &[],
        }
    }
}

/// A published page as a resource; its own first heading is its title, with the product's name as plain text.
fn page(server: &Server, (path, contents): &(String, String)) -> Option<TokenStream> {
    let locale = path.strip_prefix("docs/")?.strip_suffix("/errors.md")?;
    let title = contents
        .lines()
        .find_map(|line| line.strip_prefix("# "))
        .unwrap_or("")
        .replace(&cell(&server.product_name), &server.product_name);
    let (uri, name) = (
        format!("docs://errors/{locale}"),
        format!("errors-{locale}"),
    );
    let file = format!("../{path}");
    Some(quote! {
        Resource {
            uri: #uri,
            name: #name,
            title: Text(&[#title]),
            description: Text(&[]),
            mime_type: "text/markdown",
            text: include_str!(#file),
            scopes: &[],
        }
    })
}
