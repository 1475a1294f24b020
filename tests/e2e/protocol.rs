//! Protocol rows of both pages on the wire: code, HTTP status and body, in both eras; stdio where it applies.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client::{Answer, ERAS, Era, Wire, headers, message, post};
use crate::server::{HttpServer, StdioServer, binary};
use crate::{kobana, regua};

/// What is sent (body, and whether the era's own headers go with it) and what must come back.
struct Row {
    name: &'static str,
    era: Era,
    body: String,
    headers: Vec<(&'static str, String)>,
    status: u16,
    code: i64,
}

fn row(name: &'static str, era: Era, message: &Value, status: u16, code: i64) -> Row {
    Row {
        name,
        era,
        body: message.to_string(),
        headers: headers(era, message),
        status,
        code,
    }
}

fn raw(name: &'static str, body: &str, status: u16, code: i64) -> Row {
    let headers = headers(Era::Legacy, &Value::Null);
    Row {
        name,
        era: Era::Legacy,
        body: body.to_owned(),
        headers,
        status,
        code,
    }
}

fn replace(mut row: Row, header: &'static str, value: Option<&str>) -> Row {
    row.headers.retain(|(name, _)| *name != header);
    if let Some(value) = value {
        row.headers.push((header, value.to_owned()));
    }
    row
}

/// Every row of the protocol tables, for a server with this read tool.
fn rows(tool: &str, prompt: &str) -> Vec<Row> {
    let mut rows = shape_rows();
    rows.extend(name_rows(prompt));
    rows.extend(header_rows(tool));
    rows
}

fn modern(name: &'static str, message: &Value, status: u16, code: i64) -> Row {
    row(name, Era::Modern, message, status, code)
}

fn legacy(name: &'static str, message: &Value, status: u16, code: i64) -> Row {
    row(name, Era::Legacy, message, status, code)
}

fn call(era: Era, name: &str) -> Value {
    message(era, "tools/call", json!({"name": name, "arguments": {}}))
}

fn list(era: Era) -> Value {
    message(era, "tools/list", json!({}))
}

/// Not a request, or one for a method that is not there.
fn shape_rows() -> Vec<Row> {
    vec![
        raw("not JSON", "{", 400, -32700),
        raw("not an object", "7", 400, -32600),
        raw("an array", "[]", 400, -32600),
        raw(
            "an id that is null",
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            400,
            -32600,
        ),
        modern(
            "unknown method, modern",
            &message(Era::Modern, "tools/describe", json!({})),
            404,
            -32601,
        ),
        legacy(
            "unknown method, legacy",
            &message(Era::Legacy, "tools/describe", json!({})),
            200,
            -32601,
        ),
        modern(
            "ping is legacy only",
            &message(Era::Modern, "ping", json!({})),
            404,
            -32601,
        ),
    ]
}

/// Names of things that are not there.
fn name_rows(prompt: &str) -> Vec<Row> {
    let get_prompt = |era, name: &str| message(era, "prompts/get", json!({"name": name}));
    let read = |era| message(era, "resources/read", json!({"uri": "docs://nowhere"}));
    vec![
        modern(
            "unknown tool, modern",
            &call(Era::Modern, "no_such_tool"),
            200,
            -32602,
        ),
        legacy(
            "unknown tool, legacy",
            &call(Era::Legacy, "no_such_tool"),
            200,
            -32602,
        ),
        modern(
            "unknown prompt",
            &get_prompt(Era::Modern, "no_such_prompt"),
            200,
            -32602,
        ),
        legacy(
            "missing prompt argument",
            &get_prompt(Era::Legacy, prompt),
            200,
            -32602,
        ),
        modern(
            "resource not found, modern",
            &read(Era::Modern),
            200,
            -32602,
        ),
        legacy(
            "resource not found, legacy",
            &read(Era::Legacy),
            200,
            -32002,
        ),
    ]
}

/// Headers and versions that contradict the body.
fn header_rows(tool: &str) -> Vec<Row> {
    let mut future = list(Era::Modern);
    future["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let mut bare = list(Era::Modern);
    bare["params"] = json!({});
    vec![
        modern("no _meta", &bare, 400, -32602),
        replace(
            modern("header against body", &call(Era::Modern, tool), 400, -32020),
            "mcp-name",
            Some("another_tool"),
        ),
        replace(
            modern("no Mcp-Method", &list(Era::Modern), 400, -32020),
            "mcp-method",
            None,
        ),
        replace(
            modern("version against body", &list(Era::Modern), 400, -32020),
            "mcp-protocol-version",
            Some("2031-01-01"),
        ),
        replace(
            modern("unsupported version", &future, 400, -32022),
            "mcp-protocol-version",
            Some("2031-01-01"),
        ),
        replace(
            legacy(
                "unsupported version, legacy",
                &list(Era::Legacy),
                400,
                -32022,
            ),
            "mcp-protocol-version",
            Some("1999-01-01"),
        ),
    ]
}

async fn check(server: &HttpServer, path: &str, row: &Row) {
    let answer: Answer = post(server.address, path, &row.headers, row.body.clone()).await;
    let body = answer.json();
    assert_eq!(
        (answer.status, body["error"]["code"].as_i64()),
        (row.status, Some(row.code)),
        "{}: {}",
        row.name,
        answer.text
    );
    assert!(
        body.get("id").is_none_or(|id| !id.is_null()),
        "{}: no null id",
        row.name
    );
    let data = &body["error"]["data"];
    match row.code {
        -32022 => assert!(
            data["supported"].is_array() && data["requested"].is_string(),
            "{}: {body}",
            row.name
        ),
        -32002 => assert_eq!(data["uri"], "docs://nowhere"),
        _ => {}
    }
    assert!(body["result"].is_null(), "{}: {:?}", row.name, row.era);
}

#[tokio::test(flavor = "multi_thread")]
async fn kobana_gives_every_row() {
    let (server, stand_in) = kobana::start().await;
    for row in rows(
        "get_bank_billet",
        &first_prompt(&server, kobana::PATH).await,
    ) {
        check(&server, kobana::PATH, &row).await;
    }
    assert!(stand_in.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn regua_gives_every_row() {
    let (server, stand_in) = regua::start().await;
    for row in rows("get_charge", &first_prompt(&server, regua::PATH).await) {
        check(&server, regua::PATH, &row).await;
    }
    assert!(stand_in.requests().is_empty());
}

/// Every protocol code that the rows bring out of a server, and -32603 from nowhere: no input may cause it, so
/// `tests/runtime` makes it with a hook that panics.
pub(crate) async fn codes_on_the_wire(
    server: &HttpServer,
    path: &str,
    tool: &str,
) -> BTreeSet<String> {
    let mut seen = BTreeSet::from(["-32603".to_owned()]);
    for row in rows(tool, &first_prompt(server, path).await) {
        let answer = post(server.address, path, &row.headers, row.body.clone()).await;
        seen.insert(answer.json()["error"]["code"].to_string());
    }
    seen
}

/// A prompt with a required argument.
async fn first_prompt(server: &HttpServer, path: &str) -> String {
    let answer = Wire::Http(server, path)
        .ask(Era::Modern, "prompts/list", json!({}))
        .await;
    let prompts = answer["result"]["prompts"]
        .as_array()
        .expect("prompts")
        .clone();
    let needs_argument = |prompt: &&Value| {
        prompt["arguments"].as_array().is_some_and(|arguments| {
            arguments
                .iter()
                .any(|argument| argument["required"] == true)
        })
    };
    let prompt = prompts
        .iter()
        .find(needs_argument)
        .expect("a prompt with a required argument");
    prompt["name"].as_str().expect("a name").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_message_for_an_unknown_method_is_the_pages() {
    let (kobana, _a) = kobana::start().await;
    let (regua, _b) = regua::start().await;
    for era in ERAS {
        let plain = Wire::Http(&kobana, kobana::PATH)
            .ask(era, "tools/describe", json!({}))
            .await;
        assert_eq!(plain["error"]["message"], "Method not found");
        let named = Wire::Http(&regua, regua::PATH)
            .ask(era, "tools/describe", json!({}))
            .await;
        assert_eq!(
            named["error"]["message"],
            "Method not found: tools/describe"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_roads_and_both_eras_list_and_read() {
    let (server, stand_in) = kobana::start().await;
    let mut stdio = StdioServer::start(&binary("kobana-mcp", "kobana"), &stand_in.base_url());
    for era in ERAS {
        for mut wire in [Wire::Http(&server, kobana::PATH), Wire::Stdio(&mut stdio)] {
            let tools = wire.ask(era, "tools/list", json!({})).await["result"]["tools"].clone();
            assert!(
                tools.as_array().is_some_and(|tools| tools.len() >= 20),
                "{tools}"
            );
            let billets = wire
                .call(era, "list_bank_billets", json!({"limit": 2}))
                .await;
            assert_eq!(
                billets["resultType"].as_str(),
                (era == Era::Modern).then_some("complete")
            );
            let page = wire
                .ask(era, "resources/read", json!({"uri": "docs://errors/es"}))
                .await;
            assert!(
                page["result"]["contents"][0]["text"]
                    .as_str()
                    .is_some_and(|text| text.contains("Errores")),
                "{page}"
            );
        }
    }
    assert_eq!(stdio.close(), Some(0), "the server ends with its input");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_handshake_and_discovery_name_the_server() {
    let (server, _stand_in) = kobana::start().await;
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let hello = Wire::Http(&server, kobana::PATH)
        .ask(Era::Legacy, "initialize", client)
        .await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(hello["result"]["serverInfo"]["name"], "kobana-mcp");
    let found = Wire::Http(&server, kobana::PATH)
        .ask(Era::Modern, "server/discover", json!({}))
        .await;
    let result = &found["result"];
    assert_eq!(
        result["supportedVersions"],
        json!(["2026-07-28", "2025-11-25", "2025-06-18"])
    );
    assert!(
        result["ttlMs"].is_u64() && result["cacheScope"].is_string(),
        "{result}"
    );
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "kobana-mcp"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_gets_202_and_nothing() {
    let (server, _stand_in) = kobana::start().await;
    for era in ERAS {
        let mut note = message(era, "notifications/initialized", json!({}));
        note.as_object_mut().expect("an object").remove("id");
        let answer = post(
            server.address,
            kobana::PATH,
            &headers(era, &note),
            note.to_string(),
        )
        .await;
        assert_eq!((answer.status, answer.text.as_str()), (202, ""), "{era:?}");
    }
}

/// What a line on stdio brings back: the rows that need no header.
const LINES: &[(&str, i64)] = &[
    ("{", -32700),
    ("7", -32600),
    ("[]", -32600),
    (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/describe"}"#,
        -32601,
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such_tool"}}"#,
        -32602,
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://nowhere"}}"#,
        -32002,
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01"}}}"#,
        -32022,
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
        -32602,
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn stdio_gives_every_row_that_needs_no_header() {
    for (name, folder) in [("kobana-mcp", "kobana"), ("regua-mcp", "regua")] {
        let mut server = StdioServer::start(&binary(name, folder), "http://127.0.0.1:9");
        for (line, code) in LINES {
            let answer = server.ask(line);
            assert_eq!(answer["error"]["code"], *code, "{name}: {line}");
            assert!(
                answer.get("id").is_none_or(|id| !id.is_null()),
                "{name}: {line}"
            );
        }
        assert_eq!(server.close(), Some(0));
    }
}
