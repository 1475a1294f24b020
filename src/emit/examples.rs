//! Server → JSON examples for the pages, printed by the serializer that every emitted server uses.

use serde_json::Value;

use super::EmitError;
use super::text::readable_json;
use crate::plan::Server;

use answer::{Era, ProtocolError, ToolResult, code};

// Mounted, not copied: an example cannot differ from what a server sends.
#[path = "../../templates/runtime/answer.rs"]
#[allow(dead_code, unreachable_pub, reason = "the runtime uses all of it")]
mod answer;

/// The examples of one page, as indented JSON.
pub(super) struct Examples {
    /// A failed tool call in the modern era.
    pub(super) modern: String,
    /// The same in the legacy era.
    pub(super) legacy: String,
    /// A protocol error: an unknown method.
    pub(super) protocol: String,
}

/// Prints the examples. `locale` is an index into the server's languages.
///
/// # Errors
/// When the serializer wrote something that is not JSON: a fault of the generator.
pub(super) fn render(server: &Server, locale: usize) -> Result<Examples, EmitError> {
    Ok(Examples {
        modern: indented(&tool_error(server, locale, Era::Modern))?,
        legacy: indented(&tool_error(server, locale, Era::Legacy))?,
        protocol: indented(&method_not_found(server))?,
    })
}

fn tool_error(server: &Server, locale: usize, era: Era) -> Vec<u8> {
    let (code, message) = &server.docs.example;
    let result = ToolResult::error(answer::error_envelope(code, message, None));
    let members = match era {
        Era::Modern => answer::modern_members(&server_info(server, locale)),
        Era::Legacy => String::new(),
    };
    answer::success("2", &answer::tool_result(&members, &result))
}

fn method_not_found(server: &Server) -> Vec<u8> {
    let message = if server.protocol.method_not_found_named {
        "Method not found: tools/describe"
    } else {
        "Method not found"
    };
    answer::failure(
        Some("3"),
        &ProtocolError::new(code::METHOD_NOT_FOUND, message),
    )
}

fn server_info(server: &Server, locale: usize) -> String {
    let mut info = serde_json::Map::new();
    info.insert("name".to_owned(), server.name.as_str().into());
    let title = server.title.get(locale).or_else(|| server.title.first());
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        info.insert("title".to_owned(), title.as_str().into());
    }
    info.insert("version".to_owned(), server.version.as_str().into());
    Value::Object(info).to_string()
}

fn indented(bytes: &[u8]) -> Result<String, EmitError> {
    serde_json::from_slice::<Value>(bytes)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .map(|text| readable_json(&text))
        .map_err(|error| EmitError {
            file: "docs".to_owned(),
            reason: format!("an example is not JSON: {error}"),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server {
            name: "bank".to_owned(),
            title: vec!["Banco \"A\"".to_owned(), "Bank".to_owned()],
            version: "1.2.3".to_owned(),
            docs: crate::plan::server::Docs {
                example: ("not_found".to_owned(), "No such \"billet\"\n```".to_owned()),
                ..Default::default()
            },
            ..Server::default()
        }
    }

    fn parse(text: &[u8]) -> Value {
        serde_json::from_slice(text).expect("JSON")
    }

    #[test]
    fn indented_examples_equal_what_the_serializer_wrote() {
        let server = server();
        let examples = render(&server, 0).expect("renders");
        for (shown, sent) in [
            (&examples.modern, tool_error(&server, 0, Era::Modern)),
            (&examples.legacy, tool_error(&server, 0, Era::Legacy)),
            (&examples.protocol, method_not_found(&server)),
        ] {
            assert_eq!(parse(shown.as_bytes()), parse(&sent));
        }
    }

    #[test]
    fn eras_differ_by_the_modern_members_alone() {
        let examples = render(&server(), 1).expect("renders");
        let mut modern = parse(examples.modern.as_bytes());
        let legacy = parse(examples.legacy.as_bytes());
        let result = modern["result"].as_object_mut().expect("object");
        assert_eq!(result.remove("resultType"), Some("complete".into()));
        let meta = result.remove("_meta").expect("_meta");
        let info = &meta["io.modelcontextprotocol/serverInfo"];
        assert_eq!(
            info,
            &serde_json::json!({"name": "bank", "title": "Bank", "version": "1.2.3"})
        );
        assert_eq!(modern, legacy);
        assert_eq!(legacy["result"]["isError"], Value::Bool(true));
    }

    #[test]
    fn the_unknown_method_is_named_where_the_server_names_it() {
        let mut server = server();
        for (named, message) in [
            (false, "Method not found"),
            (true, "Method not found: tools/describe"),
        ] {
            server.protocol.method_not_found_named = named;
            let examples = render(&server, 0).expect("renders");
            let error = &parse(examples.protocol.as_bytes())["error"];
            assert_eq!(error["code"], -32601);
            assert_eq!(error["message"], message);
        }
    }
}
