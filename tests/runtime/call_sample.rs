//! A hand-made catalog for calls, a stand-in of an API that a test can script, and one call through all of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::runtime::answer::{Content, ToolResult};
use crate::runtime::arguments::{self, Arguments, Report};
use crate::runtime::call::{Caller, CallerSettings, Outcome};
use crate::runtime::catalog::*;
use crate::runtime::hooks::{Hooks, NoHooks};
use crate::runtime::validation::InputChecks;
use crate::sample::{self, scene};
use crate::stand_in::{self, StandIn};

/// An argument with the default style of its place.
pub(crate) const fn argument(name: &'static str, place: Place) -> Argument {
    Argument {
        name,
        wire: name,
        place,
        style: match place {
            Place::Query | Place::Cookie => Style::Form,
            _ => Style::Simple,
        },
        explode: matches!(place, Place::Query | Place::Cookie),
        allow_reserved: false,
        structured: false,
    }
}

/// A parameter with a fixed value.
pub(crate) const fn fixed(place: Place, wire: &'static str, value: &'static str) -> Fixed {
    Fixed { place, wire, value }
}

/// A tool that takes anything and needs nothing; its base is `GET /things`.
pub(crate) const TOOL: Tool = Tool {
    name: "things",
    title: Text(&[]),
    description: Text(&["Lists things"]),
    kind: Kind::Read,
    idempotent: true,
    open_world: true,
    input_schema: Text(&[r#"{"type":"object"}"#]),
    output_schema: None,
    operation: "GET /things",
    method: "GET",
    path: &[Segment::Literal("/things")],
    base_url: None,
    body: Body::None,
    arguments: &[],
    fixed: &[],
    hints: &[],
    access: Access::OPEN,
    confirm: None,
};

/// A tool that creates, with an object as its body.
pub(crate) const WRITE: Tool = Tool {
    name: "create_thing",
    kind: Kind::Write,
    idempotent: false,
    operation: "POST /things",
    method: "POST",
    body: Body::Fields { required: true },
    ..TOOL
};

/// Lends a value to the whole program, as an emitted catalog does.
pub(crate) fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// The policy that refuses undeclared arguments everywhere, in bare text.
pub(crate) const STRICT: ArgumentPolicy = ArgumentPolicy {
    style: ArgumentStyle::Text,
    unknown: UnknownArguments::All,
};

/// JSON text as a client sends it.
pub(crate) fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).expect("JSON")
}

/// Checks arguments, and hands what passed to `then`.
pub(crate) fn checked<T>(
    tool: &'static Tool,
    policy: ArgumentPolicy,
    given: &str,
    then: impl FnOnce(&Arguments<'_>) -> T,
) -> Result<T, Report> {
    let checks = InputChecks::new(1);
    let given = raw(given);
    arguments::check(tool, checks.get(0, tool), policy, Some(&given)).map(|passed| then(&passed))
}

/// A catalog of these tools.
pub(crate) fn catalog(tools: Vec<Tool>, change: impl FnOnce(&mut Catalog)) -> &'static Catalog {
    sample::catalog(|catalog| {
        catalog.tools = leak(tools);
        catalog.errors.conditions = Conditions {
            timeout: "api_timeout",
            network: "api_unreachable",
            not_json: "api_unreadable",
            server_error: "api_failed",
            rate_limited: "api_busy",
            too_large: "answer_too_large",
            redirect: "api_moved",
        };
        change(catalog);
    })
}

/// An API that gives the same answer to every request.
pub(crate) struct Always(pub(crate) stand_in::Response);

impl stand_in::Api for Always {
    fn answer(&self, _: &stand_in::Request) -> stand_in::Response {
        self.0.clone()
    }
}

/// A stand-in that answers `{"ok":true}`.
pub(crate) async fn api() -> StandIn {
    let answer = stand_in::Response::text(200, "application/json", r#"{"ok":true}"#);
    StandIn::start(Always(answer), 0).await.expect("a port")
}

/// A caller of a catalog with a deadline.
pub(crate) fn caller(catalog: &'static Catalog, base_url: &str, timeout_ms: u64) -> Caller {
    hooked(catalog, base_url, timeout_ms, Box::new(NoHooks))
}

/// The same with hooks.
pub(crate) fn hooked(
    catalog: &'static Catalog,
    base_url: &str,
    timeout_ms: u64,
    hooks: Box<dyn Hooks>,
) -> Caller {
    let settings = CallerSettings {
        base_url: base_url.to_owned(),
        timeout_ms,
    };
    Caller::new(catalog, settings, hooks).expect("a caller")
}

/// Calls the first tool of a catalog with JSON text.
pub(crate) async fn call(caller: &Caller, catalog: &'static Catalog, given: &str) -> Outcome {
    let given = raw(given);
    caller
        .call(scene(&catalog.tools[0], 0), 0, Some(&given))
        .await
}

/// The text of a result of one text.
#[track_caller]
pub(crate) fn text(result: &ToolResult) -> &str {
    match result.content.as_slice() {
        [Content::Text(text)] => text,
        other => panic!("not one text: {other:?}"),
    }
}

/// A server that reads a request and then writes these pieces, with a pause before each. It keeps the connection open
/// for a while after the last one, and counts connections.
pub(crate) struct Scripted {
    pub(crate) base_url: String,
    pub(crate) heads: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    pub(crate) async fn start(pieces: &'static [(u64, &'static str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base_url = format!("http://{}", listener.local_addr().expect("an address"));
        let heads = Arc::new(Mutex::new(Vec::new()));
        let seen = heads.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let seen = seen.clone();
                tokio::spawn(async move {
                    let mut head = vec![0; 65_536];
                    let n_read = stream.read(&mut head).await.unwrap_or(0);
                    let head = String::from_utf8_lossy(&head[..n_read]).into_owned();
                    seen.lock().expect("the heads").push(head);
                    for (pause, piece) in pieces {
                        tokio::time::sleep(Duration::from_millis(*pause)).await;
                        if stream.write_all(piece.as_bytes()).await.is_err() {
                            return;
                        }
                    }
                    tokio::time::sleep(Duration::from_secs(3)).await;
                });
            }
        });
        Self { base_url, heads }
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("the heads").clone()
    }
}
