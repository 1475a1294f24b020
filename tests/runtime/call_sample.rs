//! Tools of any shape, the API behind them as a real HTTP server, and one call at a time.

use serde_json::value::RawValue;

use crate::runtime::answer::{Content, ToolResult};
use crate::runtime::call::{Caller, CallerSettings, Outcome};
use crate::runtime::catalog::*;
use crate::runtime::hooks::{Hooks, NoHooks};
use crate::stand_in::{Api, Request, Response, StandIn};

/// Lives as long as the test, as the catalog of a server does.
pub(crate) fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// An argument with the default style of its place.
pub(crate) const fn argument(name: &'static str, place: Place) -> Argument {
    let is_form = matches!(place, Place::Query | Place::Cookie);
    Argument {
        name,
        wire: name,
        place,
        style: if is_form { Style::Form } else { Style::Simple },
        explode: is_form,
        allow_reserved: false,
        structured: false,
    }
}

/// A tool with these arguments; everything is accepted in each until `change` says otherwise.
pub(crate) fn tool(
    method: &'static str,
    arguments: &[Argument],
    change: impl FnOnce(&mut Tool),
) -> Tool {
    let properties: Vec<String> = arguments
        .iter()
        .map(|argument| format!("{:?}:{{}}", argument.name))
        .collect();
    let mut tool = Tool {
        name: "sample",
        title: Text(&[]),
        description: Text(&["A tool"]),
        kind: if method == "GET" {
            Kind::Read
        } else {
            Kind::Write
        },
        idempotent: matches!(method, "GET" | "PUT" | "DELETE"),
        open_world: true,
        input_schema: schema(&format!("{{{}}}", properties.join(",")), ""),
        output_schema: None,
        operation: "GET /things",
        method,
        path: &[Segment::Literal("/things")],
        base_url: None,
        body: if arguments
            .iter()
            .any(|argument| argument.place == Place::BodyField)
        {
            Body::Fields { required: false }
        } else {
            Body::None
        },
        arguments: leak(arguments.to_vec()),
        fixed: &[],
        hints: &[],
    };
    change(&mut tool);
    tool
}

/// A closed input schema; `rest` are more members, such as `"required":["a"]`.
pub(crate) fn schema(properties: &str, rest: &str) -> Text {
    let comma = if rest.is_empty() { "" } else { "," };
    let text = format!(
        r#"{{"type":"object","additionalProperties":false,"properties":{properties}{comma}{rest}}}"#
    );
    Text(leak([leak(text).as_str()]))
}

/// A catalog of one tool that maps errors.
pub(crate) fn catalog(tool: Tool, change: impl FnOnce(&mut Catalog)) -> &'static Catalog {
    let mut catalog = Catalog {
        name: "sample",
        title: Text(&[]),
        version: "1.0.0",
        instructions: Text(&[]),
        locales: &["en", "pt-BR", "es"],
        wire_locale: WireLocale::Fixed(0),
        protocol: Protocol {
            modern: &["2026-07-28"],
            legacy: &["2025-11-25"],
            method_not_found: MethodNotFound::Plain,
            page_size: 50,
            list_ttl_ms: 0,
        },
        transport: Transport {
            path: "/mcp",
            max_body_bytes: 1 << 20,
            max_body_label: "1 MiB",
            allowed_hosts: &[],
            allowed_origins: &[],
            refusals: &[],
        },
        upstream: Upstream {
            environments: &[],
            timeout_ms: 5000,
            max_answer_bytes: 10_000,
            retries: 2,
            headers: &[],
            idempotency_key: None,
        },
        arguments: ArgumentPolicy {
            style: ArgumentStyle::Text,
            unknown: UnknownArguments::All,
        },
        errors: errors(),
        log_fields: &[],
        tools: leak([tool]),
        prompts: &[],
        resources: &[],
    };
    change(&mut catalog);
    leak(catalog)
}

fn errors() -> ErrorPolicy {
    ErrorPolicy {
        mode: UpstreamErrors::Map,
        code_pointers: &["/error/code", "/errors/0/code"],
        message_pointers: &[
            "/error/message",
            "/errors/0/title",
            "/message",
            "/error",
            "/detail",
        ],
        field_pointers: &["/errors"],
        rules: &[],
        fallback: "tool_error",
        conditions: Conditions {
            timeout: "timed_out",
            network: "unreachable",
            not_json: "not_json",
            server_error: "api_failed",
            rate_limited: "slow_down",
            too_large: "too_large",
            redirect: "redirected",
        },
        confirmation: Confirmation {
            required: "confirmation_required",
            without_elicitation: WithoutElicitation::ToolError,
        },
        registry: &[],
    }
}

/// An API that gives every request the same answer.
pub(crate) struct Always(pub(crate) Response);

impl Api for Always {
    fn answer(&self, _request: &Request) -> Response {
        self.0.clone()
    }
}

/// A caller and the API behind it.
pub(crate) struct Bench {
    pub(crate) caller: Caller,
    pub(crate) api: StandIn,
    pub(crate) catalog: &'static Catalog,
}

impl Bench {
    /// An API that answers `{"ok":true}`.
    pub(crate) async fn start(catalog: &'static Catalog) -> Self {
        let answer = Response::text(200, "application/json", r#"{"ok":true}"#);
        Self::answering(catalog, answer).await
    }

    pub(crate) async fn answering(catalog: &'static Catalog, answer: Response) -> Self {
        Self::hooked(catalog, answer, NoHooks).await
    }

    pub(crate) async fn hooked(
        catalog: &'static Catalog,
        answer: Response,
        hooks: impl Hooks,
    ) -> Self {
        let api = StandIn::start(Always(answer), 0).await.unwrap();
        let settings = CallerSettings {
            base_url: api.base_url(),
            timeout_ms: catalog.upstream.timeout_ms,
        };
        let caller = Caller::new(catalog, settings, Box::new(hooks)).unwrap();
        Self {
            caller,
            api,
            catalog,
        }
    }

    /// Calls the tool in English.
    pub(crate) async fn call(&self, arguments: &str) -> Outcome {
        self.call_in(arguments, 0).await
    }

    pub(crate) async fn call_in(&self, arguments: &str, locale: usize) -> Outcome {
        let arguments: Box<RawValue> = serde_json::from_str(arguments).unwrap();
        self.caller
            .call(&self.catalog.tools[0], 0, Some(&arguments), locale)
            .await
    }

    /// The one request of a call that must succeed.
    pub(crate) async fn request(&self, arguments: &str) -> Request {
        self.api.forget_requests();
        let outcome = self.call(arguments).await;
        assert_eq!(outcome.code, None, "{}", text(&outcome.result));
        let requests = self.api.requests();
        assert_eq!(requests.len(), 1);
        requests.into_iter().next().unwrap()
    }

    /// The text of a call that must be refused before it reaches the API.
    pub(crate) async fn refusal(&self, arguments: &str) -> String {
        let before = self.api.requests().len();
        let outcome = self.call(arguments).await;
        assert!(outcome.result.is_error, "{}", text(&outcome.result));
        assert_eq!(outcome.status, None);
        assert_eq!(self.api.requests().len(), before, "it reached the API");
        text(&outcome.result)
    }
}

/// The text of a result that has one.
pub(crate) fn text(result: &ToolResult) -> String {
    match result.content.as_slice() {
        [Content::Text(text)] => text.clone(),
        other => panic!("not one text: {other:?}"),
    }
}
