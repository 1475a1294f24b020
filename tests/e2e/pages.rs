//! The published pages against the running servers, in both directions: every code and status of a page is seen on the
//! wire, and nothing is seen on the wire that no page names. Reserved rows must not be seen.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use oas2mcp::plan::Server;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{Era, Wire, headers, message, post};
use crate::server::{HttpServer, binary};
use crate::stand_in::http::{Fault, StandIn};
use crate::stand_in::kobana::Kobana;
use crate::{confirmation, kobana, protocol, regua, transport};

type Set = BTreeSet<String>;

/// What one page names: given now, and reserved for later.
#[derive(Default)]
struct Page {
    tool: Set,
    /// The codes of each row that is not reserved; a row such as "409 transition codes" stands for several.
    rows: Vec<Set>,
    protocol: Set,
    statuses: Set,
    reserved: Set,
}

/// The committed page in one language. Rows that stand for several codes are looked up in the plan of the page.
fn page(server: &Server, folder: &str, locale: &str) -> Page {
    let path = format!("generated/{folder}/docs/{locale}/errors.md");
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .expect("the committed page");
    let mut page = Page::default();
    let mut rows = server.docs.tables.iter().flat_map(|table| &table.rows);
    for cells in table_rows(&text) {
        let [first, rest @ ..] = cells.as_slice() else {
            continue;
        };
        let is_reserved = first.contains('†');
        let name = first.trim_matches(['†', ' ', '\u{a0}', '`']).to_owned();
        let set = if name.starts_with("-32") {
            page.protocol.extend([name]);
            continue;
        } else if name.len() == 3 && name.parse::<u16>().is_ok() {
            page.protocol.extend(codes_in(&rest.concat()));
            if !is_reserved {
                page.statuses.insert(name);
            }
            continue;
        } else if is_reserved {
            &mut page.reserved
        } else {
            &mut page.tool
        };
        let row = rows
            .next()
            .expect("a row of the plan for each row of the page");
        assert!(
            row.codes.contains(&name) || !row.label.is_empty(),
            "{locale}: {first}"
        );
        set.extend(row.codes.iter().cloned());
        if !is_reserved {
            page.rows.push(row.codes.iter().cloned().collect());
        }
    }
    assert!(rows.next().is_none(), "{locale}: the page lacks a row");
    page
}

/// Cells of every table row, without headings and rules.
fn table_rows(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().collect();
    let is_body = |index: usize| {
        let next_is_rule = lines
            .get(index + 1)
            .is_some_and(|next| next.starts_with("| ---"));
        lines[index].starts_with("| ") && !lines[index].starts_with("| ---") && !next_is_rule
    };
    (0..lines.len())
        .filter(|index| is_body(*index))
        .map(|index| {
            lines[index]
                .trim_matches('|')
                .split(" | ")
                .map(|cell| cell.trim().to_owned())
                .collect()
        })
        .collect()
}

/// Protocol codes in a cell of the transport table, other than the general -32600.
fn codes_in(cell: &str) -> Set {
    let words = cell.split(|c: char| !(c.is_ascii_digit() || c == '-'));
    words
        .filter(|word| word.starts_with("-32") && *word != "-32600")
        .map(str::to_owned)
        .collect()
}

fn plan(folder: &str) -> Server {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("specs")
        .join(folder)
        .join("overlay.yaml");
    oas2mcp::plan_server(&path)
        .server
        .expect("the overlay holds")
}

/// Codes that the plan can give by itself or by its rules, whatever the tests try.
fn codes_of_the_plan(server: &Server) -> Set {
    let errors = &server.errors;
    let rules = errors.rules.iter().map(|rule| rule.to.clone());
    let own = errors.conditions.values().chain([
        &errors.fallback,
        &server.confirmation.required,
        &server.confirmation.declined,
    ]);
    rules
        .chain(own.cloned())
        .chain(server.arguments.envelope_code.clone())
        .collect()
}

fn check(folder: &str, seen: &Page) {
    let server = plan(folder);
    for locale in ["pt-BR", "en", "es"] {
        let page = page(&server, folder, locale);
        let untold: Vec<_> = seen.tool.difference(&page.tool).collect();
        assert!(
            untold.is_empty(),
            "{folder} {locale}: sent, but on no page: {untold:?}"
        );
        for row in &page.rows {
            assert!(
                !row.is_disjoint(&seen.tool),
                "{folder} {locale}: on the page, but never sent: {row:?}"
            );
        }
        assert_eq!(
            page.protocol, seen.protocol,
            "{folder} {locale}: protocol codes"
        );
        assert_eq!(page.statuses, seen.statuses, "{folder} {locale}: statuses");
        assert!(
            page.reserved.is_disjoint(&seen.tool),
            "{folder} {locale}: a reserved code was sent"
        );
        assert!(
            codes_of_the_plan(&server).is_subset(&page.tool),
            "{folder} {locale}: a code without a row"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn kobanas_pages_and_server_agree() {
    let (server, _stand_in) = kobana::start().await;
    let mut tool = Set::from(["confirmation_required".to_owned()]);
    let refused = Wire::Http(&server, kobana::PATH)
        .call(Era::Modern, "cancel_bank_billet", json!({"id": 1001}))
        .await;
    assert_eq!(kobana::envelope(&refused)["code"], "confirmation_required");
    tool.extend(confirmation::kobanas_codes(&server).await);
    for (id, _, _) in kobana::API_ERRORS {
        let arguments = json!({"id": id.parse::<u64>().expect("a number")});
        let result = Wire::Http(&server, kobana::PATH)
            .call(Era::Modern, "get_bank_billet", arguments)
            .await;
        tool.insert(code(&result));
    }
    let seen = Page {
        tool,
        rows: Vec::new(),
        protocol: protocol::codes_on_the_wire(&server, kobana::PATH, "get_bank_billet").await,
        statuses: statuses(
            &server,
            kobana::PATH,
            ("kobana-mcp", "kobana"),
            "list_bank_billets",
        )
        .await,
        reserved: Set::new(),
    };
    check("kobana", &seen);
}

#[tokio::test(flavor = "multi_thread")]
async fn reguas_pages_and_server_agree() {
    let (server, _stand_in) = regua::start().await;
    let mut tool = Set::new();
    for (name, arguments) in regua::calls_for_every_row() {
        let result = Wire::Http(&server, regua::PATH)
            .call(Era::Modern, name, arguments)
            .await;
        tool.insert(code(&result));
    }
    tool.extend(confirmation::reguas_codes(&server).await);
    let mut seen = Page {
        tool,
        rows: Vec::new(),
        protocol: protocol::codes_on_the_wire(&server, regua::PATH, "get_charge").await,
        statuses: statuses(&server, regua::PATH, ("regua-mcp", "regua"), "list_charges").await,
        reserved: Set::new(),
    };
    // The page shows the two protocol codes that travel with 400 in its transport table.
    seen.statuses.insert("400".to_owned());
    check("regua", &seen);
}

fn code(result: &Value) -> String {
    kobana::envelope(result)["code"]
        .as_str()
        .expect("a code")
        .to_owned()
}

/// Every refusal before the message is read that the server can give.
async fn statuses(
    server: &HttpServer,
    path: &str,
    (name, folder): (&str, &str),
    tool: &str,
) -> Set {
    let mut seen = Set::new();
    for (_, answer) in transport::refusals(server, path).await {
        seen.insert(answer.status.to_string());
    }
    let list = message(Era::Legacy, "tools/list", json!({}));
    let plain = headers(Era::Legacy, &list);
    let with = |header: &'static str, value: &str| {
        let mut all = plain.clone();
        all.retain(|(name, _)| *name != header);
        all.push((header, value.to_owned()));
        all
    };
    for (path, headers) in [
        ("/no/such/path", plain.clone()),
        (path, with("accept", "text/html")),
        (path, with("content-type", "text/plain")),
    ] {
        seen.insert(
            post(server.address, path, &headers, list.to_string())
                .await
                .status
                .to_string(),
        );
    }
    seen.insert(slow_body(server, path).await);
    seen.insert(overloaded(name, folder, path, tool).await);
    seen.insert(over_the_limit(name, folder, path).await);
    seen
}

/// The status for a body that never comes.
async fn slow_body(server: &HttpServer, path: &str) -> String {
    let mut stream = TcpStream::connect(server.address)
        .await
        .expect("a connection");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).await.expect("written");
    let mut answer = [0; 12];
    let read = stream.read_exact(&mut answer);
    tokio::time::timeout(Duration::from_secs(60), read)
        .await
        .expect("in time")
        .expect("an answer");
    String::from_utf8_lossy(&answer[9..]).into_owned()
}

/// The status for one request more than a caller may send in an hour.
async fn over_the_limit(name: &str, folder: &str, path: &str) -> String {
    let limit = ["--reads-per-hour", "1"];
    let server = HttpServer::start(&binary(name, folder), "http://127.0.0.1:9", &limit);
    let list = message(Era::Legacy, "tools/list", json!({}));
    let head = headers(Era::Legacy, &list);
    let first = post(server.address, path, &head, list.to_string()).await;
    assert_eq!(first.status, 200);
    let second = post(server.address, path, &head, list.to_string()).await;
    assert!(second.headers.contains_key("retry-after"));
    second.status.to_string()
}

/// The status for one call more than the server takes.
async fn overloaded(name: &str, folder: &str, path: &str, tool: &str) -> String {
    let stand_in = StandIn::start(Kobana::default(), 0)
        .await
        .expect("a free port");
    let server = HttpServer::start(
        &binary(name, folder),
        &stand_in.base_url(),
        &["--max-concurrent-calls", "1"],
    );
    stand_in.fail_next(Fault::Delay(Duration::from_secs(3)));
    let call = message(
        Era::Legacy,
        "tools/call",
        json!({"name": tool, "arguments": {}}),
    );
    let head = headers(Era::Legacy, &call);
    let address = server.address;
    let (first_path, first_head, first_body) = (path.to_owned(), head.clone(), call.to_string());
    let first =
        tokio::spawn(async move { post(address, &first_path, &first_head, first_body).await });
    while stand_in.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let second = post(address, path, &head, call.to_string()).await;
    assert_eq!(first.await.expect("an answer").status, 200);
    second.status.to_string()
}

/// What the published page of each reference server names, and ours must name in every language.
const FACTS: [(&str, &[&str]); 2] = [
    (
        "kobana",
        &[
            "unprocessable",
            "validation_failed",
            "not_found",
            "user_declined",
            "tool_error",
            "insufficient_scope",
            "insufficient_permission",
            "membership_inactive",
            "product_not_enabled",
            "unauthorized",
            "isError",
            "structuredContent",
            "input_required",
            "Invalid arguments: …",
            "Missing required arguments: …",
            "100",
            "-32700",
            "-32600",
            "-32601",
            "-32602",
            "-32002",
            "-32020",
            "-32022",
            "-32603",
            "| 401",
            "| 403",
            "| 405",
            "| 413",
            "| 429",
            "4 MiB",
            "2026-07-28",
            "\"Method not found\"",
        ],
    ),
    (
        "regua",
        &[
            "VALIDATION_ERROR",
            "NOT_FOUND",
            "CONFLICT",
            "409",
            "CHARGE_NOT_SETTLED",
            "INSUFFICIENT_SCOPE",
            "FORBIDDEN",
            "insufficient_scope",
            "insufficient_permission",
            "membership_inactive",
            "key_owner_not_member",
            "USER_DECLINED",
            "confirmation_required",
            "confirmation_replayed",
            "confirmation_unavailable",
            "details",
            "isError",
            "input_required",
            "-32700",
            "-32600",
            "-32601",
            "-32602",
            "-32002",
            "-32603",
            "| 400",
            "| 401",
            "| 403",
            "| 404",
            "| 413",
            "| 429",
            "| 503",
            "2 MB",
            "2026-07-28",
            "Method not found: tools/describe",
            "jti",
            "api-token:",
        ],
    ),
];

#[test]
fn every_fact_of_the_published_pages_stands_in_every_language() {
    for (folder, facts) in FACTS {
        for locale in ["pt-BR", "en", "es"] {
            let path = format!("generated/{folder}/docs/{locale}/errors.md");
            let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
            let text = text.expect("the committed page");
            let lacking: Vec<_> = facts.iter().filter(|fact| !text.contains(**fact)).collect();
            assert!(lacking.is_empty(), "{folder} {locale}: {lacking:?}");
        }
    }
}
