//! Tools, prompts and their parts → tokens.

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::{option, text, variant};
use crate::plan::server::{
    Argument, Body, Confirm, Fixed, Lookup, Prompt, PromptArgument, QuestionValue, Segment, Text,
    Tool, ValueSource,
};

/// One tool.
pub(super) fn tool(tool: &Tool) -> TokenStream {
    let Tool {
        name,
        operation,
        method,
        idempotent,
        open_world,
        ..
    } = tool;
    let (texts, route) = (texts(tool), route(tool));
    let kind = variant(tool.kind);
    quote! {
        Tool {
            name: #name,
            kind: Kind::#kind,
            operation: #operation,
            method: #method,
            #route
            idempotent: #idempotent,
            open_world: #open_world,
            #texts
        }
    }
}

fn texts(tool: &Tool) -> TokenStream {
    let (title, description) = (text(&tool.title), text(&tool.description));
    let input_schema = text(&tool.input_schema);
    let output_schema = option(tool.output_schema.as_ref());
    let hints = tool.hints.iter().map(hint);
    let confirm = option(tool.confirm.as_ref().map(confirm));
    quote! {
        title: #title,
        description: #description,
        input_schema: #input_schema,
        output_schema: #output_schema,
        hints: &[#(#hints),*],
        access: Access::OPEN,
        confirm: #confirm,
    }
}

fn route(tool: &Tool) -> TokenStream {
    let path = tool.path.iter().map(segment);
    let base_url = option(tool.base_url.as_ref());
    let body = body(tool.body);
    let arguments = tool.arguments.iter().map(argument);
    let fixed = tool.fixed.iter().map(fixed);
    quote! {
        path: &[#(#path),*],
        base_url: #base_url,
        body: #body,
        arguments: &[#(#arguments),*],
        fixed: &[#(#fixed),*],
    }
}

fn confirm(confirm: &Confirm) -> TokenStream {
    let (message, accept) = (text(&confirm.message), text(&confirm.accept));
    let values = confirm.values.iter().map(question_value);
    let lookup = option(confirm.lookup.as_ref().map(lookup));
    quote! {
        Confirm {
            message: #message,
            accept: #accept,
            values: &[#(#values),*],
            lookup: #lookup,
        }
    }
}

fn question_value(value: &QuestionValue) -> TokenStream {
    let QuestionValue { name, source, .. } = value;
    let source = match source {
        ValueSource::Argument(name) => quote!(ValueSource::Argument(#name)),
        ValueSource::Record(pointer) => quote!(ValueSource::Record(#pointer)),
    };
    let format = variant(value.format);
    quote!(QuestionValue { name: #name, source: #source, format: ValueFormat::#format })
}

fn lookup(lookup: &Lookup) -> TokenStream {
    let reads = tool(&lookup.tool);
    let arguments = lookup
        .arguments
        .iter()
        .map(|(there, here)| quote!((#there, #here)));
    quote!(Lookup { tool: &#reads, arguments: &[#(#arguments),*] })
}

fn hint((code, sentence): &(String, Text)) -> TokenStream {
    let sentence = text(sentence);
    quote!(Hint { code: #code, text: #sentence })
}

fn segment(segment: &Segment) -> TokenStream {
    match segment {
        Segment::Literal(text) => quote!(Segment::Literal(#text)),
        Segment::Parameter(name) => quote!(Segment::Parameter(#name)),
    }
}

fn body(body: Body) -> TokenStream {
    match body {
        Body::None => quote!(Body::None),
        Body::Fields { required } => quote!(Body::Fields { required: #required }),
        Body::Whole => quote!(Body::Whole),
    }
}

fn argument(argument: &Argument) -> TokenStream {
    let Argument {
        name,
        wire,
        explode,
        allow_reserved,
        structured,
        ..
    } = argument;
    let (place, style) = (variant(argument.place), variant(argument.style));
    quote! {
        Argument {
            name: #name,
            wire: #wire,
            place: Place::#place,
            style: Style::#style,
            explode: #explode,
            allow_reserved: #allow_reserved,
            structured: #structured,
        }
    }
}

fn fixed(fixed: &Fixed) -> TokenStream {
    let Fixed { wire, value, .. } = fixed;
    let place = variant(fixed.place);
    quote!(Fixed { place: Place::#place, wire: #wire, value: #value })
}

/// One prompt.
pub(super) fn prompt(prompt: &Prompt) -> TokenStream {
    let name = &prompt.name;
    let (title, description) = (text(&prompt.title), text(&prompt.description));
    let arguments = prompt.arguments.iter().map(prompt_argument);
    let messages = prompt.messages.iter().map(|(role, message)| {
        let message = text(message);
        quote!(PromptMessage { role: #role, text: #message })
    });
    quote! {
        Prompt {
            name: #name,
            title: #title,
            description: #description,
            arguments: &[#(#arguments),*],
            messages: &[#(#messages),*],
            scopes: &[],
        }
    }
}

fn prompt_argument(argument: &PromptArgument) -> TokenStream {
    let PromptArgument { name, required, .. } = argument;
    let description = text(&argument.description);
    quote!(PromptArgument { name: #name, description: #description, required: #required })
}
