//! A small catalog, a server of it over loopback, an API behind it, and a client that speaks raw HTTP.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::runtime::admin::Health;
use crate::runtime::call::{Caller, CallerSettings};
use crate::runtime::catalog::*;
use crate::runtime::connections::ConnectionLimits;
use crate::runtime::hooks::{Hooks, NoHooks};
use crate::runtime::http_endpoint::Endpoint;
use crate::runtime::log::{Level, Log};
use crate::runtime::principal::Principal;
use crate::runtime::rebinding::Allowed;
use crate::runtime::serve::serve_endpoint;
use crate::runtime::service::Service;
use crate::runtime::upstream_error::Scene;

/// Three tools on pages of two: a read, a slow read, and one that must be confirmed.
static TOOLS: [Tool; 3] = [
    tool("now", "/now", Kind::Read),
    tool("slow", "/slow", Kind::Read),
    tool("cancel", "/cancel", Kind::Destructive),
];

const fn tool(name: &'static str, path: &'static str, kind: Kind) -> Tool {
    Tool {
        name,
        title: Text(&[]),
        description: Text(&["Says \"hello\"", "Diz \"olá\""]),
        kind,
        idempotent: matches!(kind, Kind::Read),
        open_world: true,
        input_schema: Text(&[r#"{"type":"object","additionalProperties":false}"#]),
        output_schema: Some(r#"{"type":"object"}"#),
        operation: "GET /now",
        method: "GET",
        path: match path.as_bytes()[1] {
            b'n' => &[Segment::Literal("/now")],
            _ => &[Segment::Literal("/slow")],
        },
        base_url: None,
        body: Body::None,
        arguments: &[],
        fixed: &[],
        hints: &[],
        access: Access::OPEN,
        confirm: None,
    }
}

static PROMPTS: [Prompt; 1] = [Prompt {
    name: "greet",
    title: Text(&["Greeting"]),
    description: Text(&["Greets a person", "Cumprimenta"]),
    arguments: &[
        PromptArgument {
            name: "who",
            description: Text(&["Whom"]),
            required: true,
        },
        PromptArgument {
            name: "how",
            description: Text(&[]),
            required: false,
        },
    ],
    messages: &[PromptMessage {
        role: "user",
        text: Text(&["Hello {who}{how} {{who}} {nobody}", "Olá {who}"]),
    }],
    scopes: &[],
}];

static RESOURCES: [Resource; 1] = [Resource {
    uri: "docs://errors/en",
    name: "errors-en",
    title: Text(&["Errors"]),
    description: Text(&[]),
    mime_type: "text/markdown",
    text: "# Errors\n\"quoted\"",
    scopes: &[],
}];

/// Whoever calls a server that asks nobody for credentials.
pub(crate) static ANONYMOUS: LazyLock<Arc<Principal>> =
    LazyLock::new(|| Arc::new(Principal::anonymous()));

/// A call of a tool by [`ANONYMOUS`].
pub(crate) fn scene(tool: &'static Tool, locale: usize) -> Scene<'static> {
    Scene {
        tool,
        locale,
        principal: &ANONYMOUS,
        trace: None,
    }
}

const REFUSALS: &[Refusal] = &[
    refusal(RefusalKind::Host, 404, RefusalBody::Plain),
    refusal(RefusalKind::Method, 405, RefusalBody::JsonRpc),
    refusal(
        RefusalKind::BodyTooLarge,
        413,
        RefusalBody::Api {
            template: r#"{"errors":[{"status":"$status","code":"$code","title":"$message","note":"$status!"}]}"#,
            code: "too\"large",
        },
    ),
];

const fn refusal(kind: RefusalKind, status: u16, body: RefusalBody) -> Refusal {
    Refusal {
        kind,
        status,
        body,
        message: Text(&["Refused \"here\"", "Recusado"]),
    }
}

const LOG_FIELDS: &[LogField] = &[
    field("tool", LogValue::Tool),
    field("user", LogValue::User),
    field("result", LogValue::Result),
    field("status", LogValue::Status),
    field("duration_ms", LogValue::DurationMs),
];

const fn field(key: &'static str, value: LogValue) -> LogField {
    LogField { key, value }
}

/// The catalog, with changes.
pub(crate) fn catalog(change: impl FnOnce(&mut Catalog)) -> &'static Catalog {
    let mut catalog = Catalog {
        name: "sample",
        title: Text(&["Sample"]),
        version: "1.2.3",
        instructions: Text(&["Use it", "Use"]),
        locales: &["en", "pt-BR"],
        wire_locale: WireLocale::Fixed(0),
        protocol: Protocol {
            modern: &["2026-07-28"],
            legacy: &["2025-11-25", "2025-06-18"],
            method_not_found: MethodNotFound::Named,
            page_size: 2,
            list_ttl_ms: 60_000,
        },
        transport: Transport {
            path: "/mcp",
            max_body_bytes: 4096,
            max_body_label: "4 KiB",
            allowed_hosts: &["mcp.example.com"],
            allowed_origins: &["https://app.example.com"],
            refusals: REFUSALS,
        },
        upstream: upstream(),
        arguments: ArgumentPolicy {
            style: ArgumentStyle::Text,
            unknown: UnknownArguments::All,
        },
        errors: errors(),
        confirmation: Confirmation {
            required: "confirmation_required",
            declined: "user_declined",
            replayed: "confirmation_replayed",
            unavailable: "confirmation_unavailable",
            without_elicitation: WithoutElicitation::ProtocolError,
            single_use: true,
            lifetime_s: 300,
        },
        auth: None,
        limits: Limits::NONE,
        log_fields: LOG_FIELDS,
        tools: &TOOLS,
        prompts: &PROMPTS,
        resources: &RESOURCES,
    };
    change(&mut catalog);
    Box::leak(Box::new(catalog))
}

fn upstream() -> Upstream {
    Upstream {
        environments: &[
            Environment {
                name: "sandbox",
                base_url: "http://127.0.0.1:9",
            },
            Environment {
                name: "live",
                base_url: "https://api.example.com/v1",
            },
        ],
        timeout_ms: 5000,
        max_answer_bytes: 1 << 20,
        retries: 0,
        headers: &[],
        idempotency_key: None,
        credential: Credential::None,
        client_certificate: None,
    }
}

fn errors() -> ErrorPolicy {
    let code = "tool_error";
    ErrorPolicy {
        mode: UpstreamErrors::Map,
        code_pointers: &[],
        message_pointers: &[],
        field_pointers: &[],
        rules: &[],
        fallback: code,
        conditions: Conditions {
            timeout: code,
            network: code,
            not_json: code,
            server_error: code,
            rate_limited: code,
            too_large: code,
            redirect: code,
        },
        registry: &[ErrorCode {
            code: "confirmation_required",
            channel: Channel::Tool,
            source: Source::Server,
            message: Text(&["Confirm it first", "Confirme antes"]),
        }],
    }
}

/// An API that answers `/now` at once and anything else after a second, and counts requests.
pub(crate) struct Api {
    /// Its address without a trailing slash.
    pub(crate) base_url: String,
    n_requests: Arc<AtomicUsize>,
}

impl Api {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let n_requests = Arc::new(AtomicUsize::new(0));
        let counter = n_requests.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer_one(stream, counter.clone()));
            }
        });
        Self {
            base_url,
            n_requests,
        }
    }

    pub(crate) fn n_requests(&self) -> usize {
        self.n_requests.load(Ordering::SeqCst)
    }
}

async fn answer_one(mut stream: TcpStream, counter: Arc<AtomicUsize>) {
    let mut head = vec![0; 8192];
    let n_read = stream.read(&mut head).await.unwrap_or(0);
    if n_read == 0 {
        return; // a connection opened ahead of need
    }
    counter.fetch_add(1, Ordering::SeqCst);
    if !head.starts_with(b"GET /now") {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\
                  connection: close\r\n\r\n{\"ok\":true}";
    // A client that gave up is not waiting for it.
    let _ = stream.write_all(answer.as_bytes()).await;
}

/// Log lines.
pub(crate) type Lines = Arc<Mutex<Vec<String>>>;

/// A service that logs into memory.
pub(crate) fn service(
    catalog: &'static Catalog,
    base_url: &str,
    n_places: u32,
) -> (Arc<Service>, Lines) {
    hooked_service(catalog, base_url, n_places, Box::new(NoHooks))
}

/// The same with hooks.
pub(crate) fn hooked_service(
    catalog: &'static Catalog,
    base_url: &str,
    n_places: u32,
    hooks: Box<dyn Hooks>,
) -> (Arc<Service>, Lines) {
    let lines = Lines::default();
    let sink = lines.clone();
    let log = Log::to_sink(
        Level::Debug,
        Box::new(move |line| {
            let line = String::from_utf8(line.to_vec()).unwrap();
            sink.lock().unwrap().push(line);
        }),
    );
    let settings = CallerSettings {
        base_url: base_url.to_owned(),
        timeout_ms: 5000,
    };
    let caller = Caller::new(catalog, settings, hooks).unwrap();
    (
        Arc::new(Service::new(catalog, caller, log, n_places)),
        lines,
    )
}

/// A running server.
pub(crate) struct Server {
    pub(crate) address: String,
    pub(crate) api: Api,
    pub(crate) health: Arc<Health>,
    pub(crate) service: Arc<Service>,
    pub(crate) lines: Lines,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) serving: tokio::task::JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(catalog: &'static Catalog) -> Self {
        Self::start_with(catalog, 8, Duration::from_millis(300)).await
    }

    pub(crate) async fn start_with(
        catalog: &'static Catalog,
        n_places: u32,
        body_deadline: Duration,
    ) -> Self {
        let api = Api::start().await;
        let (service, lines) = service(catalog, &api.base_url, n_places);
        let transport = &catalog.transport;
        let allowed = Allowed::new(
            transport.allowed_hosts.iter().copied(),
            transport.allowed_origins.iter().copied(),
        );
        let endpoint = Arc::new(Endpoint::new(service.clone(), allowed, body_deadline));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let health = Arc::new(Health::default());
        let (stop, stopped) = oneshot::channel();
        let shared = health.clone();
        let serving = tokio::spawn(async move {
            let stop = async {
                // A test that is over drops its sender, which stops the server too.
                let _ = stopped.await;
            };
            let grace = Duration::from_secs(20);
            let ends = (ConnectionLimits::new(4096), grace);
            serve_endpoint(listener, endpoint, &shared, stop, ends).await;
        });
        Self {
            address,
            api,
            health,
            service,
            lines,
            stop,
            serving,
        }
    }

    /// Posts a body with these headers besides the usual ones; a header given here replaces the usual one, and one
    /// with an empty name removes the usual header named by its value.
    pub(crate) async fn post(&self, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = String::from("POST /mcp HTTP/1.1\r\nConnection: close\r\n");
        let usual = [
            ("Host", self.address.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        for (name, value) in usual {
            let is_replaced = headers.iter().any(|(given, removed)| {
                given.eq_ignore_ascii_case(name) || (given.is_empty() && *removed == name)
            });
            if !is_replaced {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        for (name, value) in headers.iter().filter(|(name, _)| !name.is_empty()) {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.raw(text.as_bytes()).await
    }

    /// A modern request with all that belongs to it.
    pub(crate) async fn modern(&self, method: &str, params: Value) -> Answer {
        let body = modern_body(method, params.clone());
        let mut headers = vec![
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        let name = params["name"].as_str().or(params["uri"].as_str());
        if let Some(name) = name {
            headers.push(("Mcp-Name", name));
        }
        self.post(&headers, &body).await
    }

    /// A request of 2025-11-25.
    pub(crate) async fn legacy(&self, method: &str, params: Value) -> Answer {
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let headers = [("MCP-Protocol-Version", "2025-11-25")];
        self.post(&headers, &body.to_string()).await
    }

    /// Sends bytes and reads to the end of the connection.
    pub(crate) async fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        // The server may answer and close before it has taken everything.
        let _ = stream.write_all(request).await;
        Answer::read(&mut stream).await
    }

    /// The lines that calls have logged.
    pub(crate) fn calls(&self) -> Vec<Value> {
        calls(&self.lines)
    }
}

/// The lines that calls have logged.
pub(crate) fn calls(lines: &Lines) -> Vec<Value> {
    let lines = lines.lock().unwrap();
    let values = lines
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    values
        .filter(|line| line["event"] == "tools/call")
        .collect()
}

/// The body of a modern request with id 7; `params` may bring its own `_meta`.
pub(crate) fn modern_body(method: &str, mut params: Value) -> String {
    if params.get("_meta").is_none() {
        params["_meta"] = meta(json!({}));
    }
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).to_string()
}

/// `_meta` of a modern request of a client with these capabilities.
pub(crate) fn meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// An HTTP answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        // What came before a broken connection is the answer all the same.
        let _ = stream.read_to_end(&mut bytes).await;
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        Self {
            status: head
                .get(9..12)
                .and_then(|code| code.parse().ok())
                .unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// Status and JSON-RPC error code; 0: no error.
    #[track_caller]
    pub(crate) fn fault(&self) -> (u16, i64) {
        (
            self.status,
            self.json()["error"]["code"].as_i64().unwrap_or(0),
        )
    }
}
