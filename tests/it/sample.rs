//! A server made by hand, with texts that would break every format that they reach unescaped.

use oas2mcp::model::ParameterStyle;
use oas2mcp::plan::Server;
use oas2mcp::plan::server::{
    Argument, Body, Channel, ErrorCode, ErrorRule, Fixed, HeaderPart, Kind, LogField, Place,
    Prompt, PromptArgument, Refusal, RefusalBody, Resource, Segment, Source, StatusMatch, Text,
    Tool,
};

/// Quotes, braces, comment ends, bars, backticks, right-to-left marks and line ends.
pub(crate) const ODD: &str = "a\"b\\c */ {x} {{ y }} | `z` \u{202e}\u{0}\u{7f} 🙂\r\nline #\"# é";

fn text(text: &str) -> Text {
    vec![text.to_owned()]
}

fn argument(name: &str, place: Place, style: ParameterStyle) -> Argument {
    Argument {
        name: name.to_owned(),
        wire: name.to_owned(),
        place,
        style,
        explode: true,
        allow_reserved: false,
        structured: false,
    }
}

/// A tool without arguments.
pub(crate) fn tool(name: &str, kind: Kind) -> Tool {
    Tool {
        name: name.to_owned(),
        title: text(ODD),
        description: vec![ODD.to_owned(), "other".to_owned()],
        kind,
        idempotent: true,
        open_world: true,
        input_schema: text(r#"{"type":"object"}"#),
        output_schema: None,
        operation: format!("GET /{name}|"),
        method: "GET".to_owned(),
        path: vec![Segment::Literal(format!("/{name}"))],
        base_url: None,
        body: Body::None,
        arguments: Vec::new(),
        fixed: Vec::new(),
        hints: vec![("not_found".to_owned(), text(ODD))],
        confirm: None,
        example_arguments: "{}".to_owned(),
    }
}

/// A write tool with an argument in every place that the table of requests shows.
pub(crate) fn full_tool() -> Tool {
    let mut tool = tool("create_it", Kind::Write);
    tool.method = "POST".to_owned();
    tool.operation = "POST /things/{id}".to_owned();
    tool.path = vec![
        Segment::Literal("/things/".to_owned()),
        Segment::Parameter("id".to_owned()),
    ];
    tool.body = Body::Fields { required: true };
    tool.arguments = vec![
        argument("id", Place::Path, ParameterStyle::Simple),
        argument("tags", Place::Query, ParameterStyle::Form),
        argument("filter", Place::Query, ParameterStyle::DeepObject),
        argument("x-odd", Place::Header, ParameterStyle::Simple),
        argument("amount", Place::BodyField, ParameterStyle::Simple),
    ];
    tool.fixed = vec![Fixed {
        place: Place::Query,
        wire: "version".to_owned(),
        value: "2".to_owned(),
    }];
    tool.example_arguments =
        r#"{"id":"a/b","tags":["x","y z"],"filter":{"k":1},"amount":980.0}"#.to_owned();
    tool
}

/// The whole server.
pub(crate) fn server() -> Server {
    let mut server = Server {
        name: "odd \"server\"".to_owned(),
        crate_name: "odd-server".to_owned(),
        title: text(ODD),
        product_name: ODD.to_owned(),
        version: "1.0\"".to_owned(),
        instructions: text(ODD),
        locales: vec!["en".to_owned(), "pt-BR".to_owned()],
        wire_locale: Some(0),
        ..Server::default()
    };
    server.protocol.modern = text("2026-07-28");
    server.protocol.legacy = text("2025-11-25");
    server.protocol.page_size = 50;
    server.transport.path = "/mcp".to_owned();
    server.transport.max_body_bytes = 4_194_304;
    server.transport.max_body_label = "4 MiB".to_owned();
    server.log_fields = vec![LogField {
        key: ODD.to_owned(),
        value: "DurationMs",
    }];
    server.tools = vec![
        tool("list_it", Kind::Read),
        full_tool(),
        tool("destroy_it", Kind::Destructive),
    ];
    fill_policies(&mut server);
    fill_texts(&mut server);
    server
}

fn fill_policies(server: &mut Server) {
    let environments = &mut server.upstream.environments;
    environments.insert(
        "sandbox".to_owned(),
        "https://sandbox.example.com".to_owned(),
    );
    server.upstream.timeout_ms = 30_000;
    server.upstream.headers = vec![(
        "authorization".to_owned(),
        vec![
            HeaderPart::Literal("Bearer ".to_owned()),
            HeaderPart::Env("TOKEN".to_owned()),
            HeaderPart::Uuid,
        ],
    )];
    server.upstream.idempotency_key = Some(("idempotency-key".to_owned(), text("POST")));
    server.errors.fallback = "tool_error".to_owned();
    server.errors.rules = vec![ErrorRule {
        status: Some(StatusMatch::Exact(404)),
        code: Some(ODD.to_owned()),
        message: None,
        operation: None,
        to: "not_found".to_owned(),
    }];
    server.errors.registry = vec![ErrorCode {
        code: "not_found".to_owned(),
        channel: Channel::Tool,
        source: Source::Api,
        message: text(ODD),
    }];
    server.transport.refusals = vec![Refusal {
        kind: "BodyTooLarge",
        status: 413,
        body: RefusalBody::Api {
            template: r#"{"message":"$message"}"#.to_owned(),
            code: "too_large".to_owned(),
        },
        message: text(ODD),
    }];
}

fn fill_texts(server: &mut Server) {
    server.prompts = vec![Prompt {
        name: "p".to_owned(),
        title: text(ODD),
        description: Vec::new(),
        arguments: vec![PromptArgument {
            name: "a".to_owned(),
            description: text(ODD),
            required: true,
        }],
        messages: vec![("user", text("{a}"))],
    }];
    server.resources = vec![Resource {
        uri: "docs://guide".to_owned(),
        name: "guide".to_owned(),
        title: text(ODD),
        description: text(ODD),
        mime_type: "text/plain".to_owned(),
        text: ODD.to_owned(),
    }];
}
