//! A server whose one destructive tool asks with a record in its question, and the API with that record.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use http::HeaderMap;
use serde_json::{Value, json};

use crate::call_sample::{TOOL, argument, leak};
use crate::runtime::call::{Caller, CallerSettings};
use crate::runtime::catalog::*;
use crate::runtime::confirmation::Confirmations;
use crate::runtime::hooks::NoHooks;
use crate::runtime::limits::Toll;
use crate::runtime::log::{Level, Log};
use crate::runtime::principal::Principal;
use crate::runtime::service::{Arrival, Reply, Service, Step};
use crate::sample::{self, Lines, meta};
use crate::stand_in::{Api, Fault, Request, Response, StandIn};

/// Shows a charge.
static SHOW: Tool = Tool {
    name: "show_charge",
    path: &[
        Segment::Literal("/charges/"),
        Segment::Parameter("charge_id"),
    ],
    arguments: &[argument("charge_id", Place::Path)],
    ..TOOL
};

/// Cancels a charge, once a person has seen what it is.
pub(crate) const CANCEL: Tool = Tool {
    name: "cancel",
    kind: Kind::Destructive,
    idempotent: false,
    operation: "POST /charges/{charge_id}/cancel",
    method: "POST",
    path: &[
        Segment::Literal("/charges/"),
        Segment::Parameter("charge_id"),
        Segment::Literal("/cancel"),
    ],
    input_schema: Text(&[
        r#"{"type":"object","required":["id"],"additionalProperties":false,"properties":{"id":{"type":"string"},"reason":{"type":"string"},"fee":{"type":"number"}}}"#,
    ]),
    body: Body::Fields { required: false },
    arguments: &[
        Argument {
            name: "id",
            ..argument("charge_id", Place::Path)
        },
        argument("reason", Place::BodyField),
        argument("fee", Place::BodyField),
    ],
    confirm: Some(Confirm {
        message: Text(&[
            "Cancel {id} of {payer} ({amount})? {reason}",
            "Cancelar {id} de {payer} ({amount})? {reason}",
        ]),
        accept: Text(&["Yes, cancel it", "Sim, cancelar"]),
        values: &[
            value("id", ValueSource::Argument("id"), ValueFormat::Plain),
            value(
                "reason",
                ValueSource::Argument("reason"),
                ValueFormat::Plain,
            ),
            value(
                "payer",
                ValueSource::Record("/payer/name"),
                ValueFormat::Plain,
            ),
            value("amount", ValueSource::Record("/amount"), ValueFormat::Cents),
        ],
        lookup: Some(Lookup {
            tool: &SHOW,
            arguments: &[("charge_id", "id")],
        }),
    }),
    ..TOOL
};

pub(crate) const fn value(
    name: &'static str,
    source: ValueSource,
    format: ValueFormat,
) -> QuestionValue {
    QuestionValue {
        name,
        source,
        format,
    }
}

/// A catalog with that tool, and changes.
pub(crate) fn catalog(change: impl FnOnce(&mut Catalog)) -> &'static Catalog {
    sample::catalog(|catalog| {
        catalog.tools = leak(vec![CANCEL]);
        catalog.errors.registry = &[];
        catalog.upstream.idempotency_key = Some(IdempotencyKey {
            header: "idempotency-key",
            methods: &["POST"],
        });
        change(catalog);
    })
}

/// The record, and how often it was cancelled.
#[derive(Clone)]
pub(crate) struct Charges {
    pub(crate) record: Arc<Mutex<Value>>,
    cancelled: Arc<AtomicUsize>,
}

impl Api for Charges {
    fn answer(&self, request: &Request) -> Response {
        if request.method == "GET" {
            return Response::json(200, &self.record.lock().expect("the record"));
        }
        self.cancelled.fetch_add(1, Ordering::SeqCst);
        Response::json(200, &json!({"status": "cancelled"}))
    }
}

/// The API and the replicas of a server before it.
pub(crate) struct Scene {
    pub(crate) api: StandIn,
    pub(crate) charges: Charges,
    pub(crate) replicas: Vec<(Arc<Service>, Lines)>,
}

impl Scene {
    /// Replicas with these confirmations each.
    pub(crate) async fn start(
        catalog: &'static Catalog,
        confirmations: impl IntoIterator<Item = Confirmations>,
    ) -> Self {
        let charges = Charges {
            record: Arc::new(Mutex::new(
                json!({"amount": 98000, "payer": {"name": "Ana"}}),
            )),
            cancelled: Arc::default(),
        };
        let api = StandIn::start(charges.clone(), 0).await.expect("a port");
        let replicas = confirmations.into_iter().map(|confirmations| {
            let lines = Lines::default();
            let written = lines.clone();
            let log = Log::to_sink(
                Level::Debug,
                Box::new(move |line| {
                    let line = String::from_utf8_lossy(line).into_owned();
                    written.lock().expect("the lines").push(line);
                }),
            );
            let settings = CallerSettings {
                base_url: api.base_url(),
                timeout_ms: 5_000,
            };
            let caller = Caller::new(catalog, settings, Box::new(NoHooks)).expect("a caller");
            let service = Service::new(catalog, caller, log, 256);
            (Arc::new(service.with_confirmations(confirmations)), lines)
        });
        let replicas = replicas.collect();
        Self {
            api,
            charges,
            replicas,
        }
    }

    /// One server that keeps confirmations to itself.
    pub(crate) async fn one(catalog: &'static Catalog) -> Self {
        Self::start(catalog, [Confirmations::local()]).await
    }

    /// A server of its own before the same API.
    pub(crate) fn unlimited(&self) -> Service {
        let catalog = catalog(|_| {});
        let settings = CallerSettings {
            base_url: self.api.base_url(),
            timeout_ms: 5_000,
        };
        let caller = Caller::new(catalog, settings, Box::new(NoHooks)).expect("a caller");
        let log = Log::to_sink(Level::Error, Box::new(|_| {}));
        Service::new(catalog, caller, log, 8)
    }

    /// How often the charge was cancelled.
    pub(crate) fn n_cancelled(&self) -> usize {
        self.charges.cancelled.load(Ordering::SeqCst)
    }

    /// Lets the next request of the API fail.
    pub(crate) fn fail_next(&self, fault: Fault) {
        self.api.fail_next(fault);
    }

    /// What the first server answers to a call.
    pub(crate) async fn call(&self, params: Value) -> Value {
        call(&self.replicas[0].0, &sample::ANONYMOUS, params).await
    }

    /// The question of a call: its text and its state.
    pub(crate) async fn ask(&self, arguments: Value) -> (String, String) {
        let answer = self.call(round(&arguments, json!({}))).await;
        question(&answer)
    }

    /// Events of the first server's log by name.
    pub(crate) fn events(&self, name: &str) -> Vec<Value> {
        let lines = self.replicas[0].1.lock().expect("the lines");
        let lines = lines
            .iter()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        lines.filter(|line| line["event"] == name).collect()
    }
}

/// Text and state of a question.
#[track_caller]
pub(crate) fn question(answer: &Value) -> (String, String) {
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    let text = &result["inputRequests"]["confirm"]["params"]["message"];
    let text = text.as_str().expect("a text").to_owned();
    let state = result["requestState"].as_str().expect("a state").to_owned();
    (text, state)
}

/// Parameters of a call of a client that can show a form, with more of them.
pub(crate) fn round(arguments: &Value, more: Value) -> Value {
    let mut params = json!({
        "name": "cancel",
        "arguments": arguments,
        "_meta": meta(json!({"elicitation": {"form": {}}})),
    });
    for (key, value) in more.as_object().expect("an object") {
        params[key] = value.clone();
    }
    params
}

/// The second round, with this answer.
pub(crate) fn answered(arguments: &Value, state: &str, answer: Value) -> Value {
    round(
        arguments,
        json!({"inputResponses": {"confirm": answer}, "requestState": state}),
    )
}

/// The second round of a person who agrees.
pub(crate) fn agreed(arguments: &Value, state: &str) -> Value {
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    answered(arguments, state, yes)
}

/// What a server answers to a modern call of a caller.
pub(crate) async fn call(service: &Service, principal: &Arc<Principal>, params: Value) -> Value {
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    receive(service, principal, None, &body).await
}

/// What a server answers to a message.
pub(crate) async fn receive(
    service: &Service,
    principal: &Arc<Principal>,
    headers: Option<&HeaderMap>,
    message: &Value,
) -> Value {
    body(reply(service, principal, headers, message).await)
}

/// The reply to a message, whatever it is.
pub(crate) async fn reply(
    service: &Service,
    principal: &Arc<Principal>,
    headers: Option<&HeaderMap>,
    message: &Value,
) -> Reply {
    let arrival = Arrival {
        headers,
        started: Instant::now(),
        principal,
        peer: None,
        toll: Toll::Due,
    };
    let message = message.to_string();
    match service.receive_charged(message.as_bytes(), arrival).await {
        Step::Done(reply) => reply,
        Step::Call(call) => tokio::time::timeout(Duration::from_secs(20), service.run(call))
            .await
            .expect("in time"),
        Step::Cancel(_) | Step::Charge(_) => panic!("no reply"),
    }
}

/// The message in a reply.
#[track_caller]
pub(crate) fn body(reply: Reply) -> Value {
    match reply {
        Reply::Message { body, .. } => serde_json::from_slice(&body).expect("JSON"),
        other => panic!("{other:?}"),
    }
}

/// The code of a tool error.
#[track_caller]
pub(crate) fn code(answer: &Value) -> String {
    let text = answer["result"]["content"][0]["text"].as_str();
    let envelope: Value = serde_json::from_str(text.expect("a text")).expect("JSON");
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    envelope["error"]["code"]
        .as_str()
        .expect("a code")
        .to_owned()
}

/// Whether the call ran.
#[track_caller]
pub(crate) fn is_done(answer: &Value) -> bool {
    answer["result"]["content"][0]["text"] == json!(r#"{"status":"cancelled"}"#)
}
