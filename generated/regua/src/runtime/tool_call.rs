//! Runs `tools/call`: what is refused without asking the API, the call, its answer and its line in the log.

use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use http::StatusCode;
use serde_json::value::RawValue;
use serde_json::{Map, json};
use tokio::sync::OwnedSemaphorePermit;

use crate::runtime::answer::{self, Era, ProtocolError, success, tool_response};
use crate::runtime::call::Outcome;
use crate::runtime::catalog::{Kind, RefusalKind, Tool};
use crate::runtime::confirmation::exchange::{Asking, Exchange, Held, Round};
use crate::runtime::lists::Form;
use crate::runtime::log::{CallEnd, Level};
use crate::runtime::message::{as_string, invalid_params, is_object};
use crate::runtime::principal::Principal;
use crate::runtime::prompts::shorten;
use crate::runtime::request_meta::can_elicit_form;
use crate::runtime::service::{Fault, Reply, Request, Service, Step, internal_error};
use crate::runtime::trace_context::TraceContext;
use crate::runtime::upstream_error::Scene;

/// A call that may go to the API. It holds all that it needs, so that it can outlive its request.
pub struct PendingCall {
    id: String,
    tool: usize,
    arguments: Option<Box<RawValue>>,
    form: Form,
    locale: usize,
    started: Instant,
    principal: Arc<Principal>,
    trace: Option<TraceContext>,
    /// What it brings along for its confirmation; none: it needs none.
    round: Option<Box<Round>>,
    /// Its place among the calls that run at once, given back at its end however it ends.
    _place: OwnedSemaphorePermit,
}

impl PendingCall {
    /// JSON text of the request's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The protocol era of the request.
    #[must_use]
    pub fn era(&self) -> Era {
        match self.form {
            Form::Modern => Era::Modern,
            Form::Legacy | Form::Oldest => Era::Legacy,
        }
    }
}

/// Why a call does not go to the API.
struct Refused {
    /// What the log says.
    result: String,
    /// What the client gets.
    answer: Result<Step, Fault>,
}

impl Service {
    /// Prepares a call, or answers it where it must not go to the API.
    pub(super) fn begin_call(&self, request: &Request<'_>) -> Result<Step, Fault> {
        let name = request.params.name.and_then(as_string);
        match self.admit(request, name.as_deref()) {
            Ok(call) => Ok(Step::Call(call)),
            Err(refused) => {
                let end = CallEnd {
                    tool: name.as_deref().map(shorten),
                    result: &refused.result,
                    status: None,
                    cause: None,
                    started: request.started,
                    caller: request.principal,
                };
                self.log.call(self.catalog.log_fields, &end);
                let known = name.as_deref().and_then(|name| self.find_tool(name));
                self.metrics.refused_call(known, &refused.result);
                refused.answer
            }
        }
    }

    /// Runs a call to its end. Dropping it ends the call: nothing more is sent, and the log says `cancelled`.
    pub async fn run(&self, call: PendingCall) -> Reply {
        let Some(tool) = self.catalog.tools.get(call.tool) else {
            return internal_error(Some(&call.id));
        };
        let mut line = Line {
            service: self,
            index: call.tool,
            tool,
            started: call.started,
            caller: &call.principal,
            is_written: false,
        };
        let scene = Scene {
            tool,
            locale: call.locale,
            principal: &call.principal,
            trace: call.trace.as_ref(),
        };
        let Some(held) = catch_panic(self.execute(&call, scene)).await else {
            line.write("-32603", None, Some("a handler panicked"));
            return internal_error(Some(&call.id));
        };
        let mut outcome = match held {
            Ok(outcome) | Err(Held::Refused(outcome)) => outcome,
            Err(Held::Question(question)) => {
                line.write("input_required", None, None);
                let members = self.asking_members(call.locale);
                return Reply::ok(success(&call.id, &answer::question(members, &question)));
            }
            Err(Held::Fault(status, error, reason)) => {
                if let Some(reason) = reason {
                    self.log_refused_state(tool, reason);
                }
                line.write(&error.code.to_string(), None, None);
                return Fault::new(status, error).into_reply(Some(&call.id));
            }
        };
        if call.form == Form::Oldest {
            outcome.result.structured = None;
        }
        let members = self.members(call.form, call.locale);
        let body = tool_response(&call.id, members, &outcome.result);
        line.write(
            outcome.code.as_deref().unwrap_or("ok"),
            outcome.status,
            outcome.cause.as_deref(),
        );
        Reply::ok(body)
    }

    /// Calls the API, where the call is one that may run.
    async fn execute(&self, call: &PendingCall, scene: Scene<'_>) -> Result<Outcome, Held> {
        let given = call.arguments.as_deref();
        let Some(round) = &call.round else {
            return Ok(self.caller.call(scene, call.tool, given).await);
        };
        let ended = self.confirm_and_call(call, scene, round).await?;
        Ok(self.caller.finish(scene.tool, ended))
    }

    /// A destructive call: nothing that could not be sent is asked about, and nothing is sent unasked.
    async fn confirm_and_call(
        &self,
        call: &PendingCall,
        scene: Scene<'_>,
        round: &Round,
    ) -> Result<Outcome, Held> {
        let given = call.arguments.as_deref();
        let checked = self.caller.check(scene.tool, call.tool, given);
        let checked = checked.and_then(|arguments| {
            self.caller.build(scene.tool, &arguments, None)?;
            Ok(arguments)
        });
        let arguments = match checked {
            Ok(arguments) => arguments,
            Err(report) => return Ok(report),
        };
        let exchange = Exchange {
            catalog: self.catalog,
            confirmations: &self.confirmations,
            caller: &self.caller,
            scene,
            given,
            arguments: &arguments,
        };
        let (end, confirmed) = exchange.go(round).await;
        self.metrics.confirmation(end);
        match self.caller.build(scene.tool, &arguments, Some(confirmed?)) {
            Ok(request) => Ok(self.caller.send(scene, request).await),
            Err(report) => Ok(report),
        }
    }

    /// A state that was not accepted may be an attack: it has a line of its own.
    fn log_refused_state(&self, tool: &Tool, reason: &'static str) {
        let mut fields = Map::new();
        fields.insert("tool".to_owned(), json!(tool.name));
        fields.insert("reason".to_owned(), json!(reason));
        self.log.event(Level::Warn, "confirmation-refused", &fields);
    }

    fn admit(
        &self,
        request: &Request<'_>,
        name: Option<&str>,
    ) -> Result<PendingCall, Box<Refused>> {
        let name = name.ok_or_else(|| protocol(invalid_params("params.name must be a string")))?;
        let index = self
            .find_tool(name)
            .ok_or_else(|| protocol(invalid_params(format!("Unknown tool: {}", shorten(name)))))?;
        let tool = &self.catalog.tools[index];
        let arguments = request.params.arguments;
        if arguments.is_some_and(|raw| !is_object(raw)) {
            return Err(protocol(invalid_params("arguments must be an object")));
        }
        let round = match tool.kind {
            Kind::Destructive => Some(Box::new(round(request))),
            Kind::Read | Kind::Write => {
                request.refuse_state().map_err(protocol)?;
                None
            }
        };
        let Ok(place) = self.places.clone().try_acquire_owned() else {
            return Err(Box::new(Refused {
                result: "overloaded".to_owned(),
                answer: Ok(Step::Done(Reply::Refused {
                    kind: RefusalKind::Overloaded,
                    id: Some(request.id.to_owned()),
                    retry_after: Some(1),
                    challenge: None,
                })),
            }));
        };
        Ok(PendingCall {
            id: request.id.to_owned(),
            tool: index,
            arguments: arguments.map(RawValue::to_owned),
            form: request.form,
            locale: request.locale,
            started: request.started,
            principal: request.principal.clone(),
            trace: request.trace.clone(),
            round,
            _place: place,
        })
    }
}

/// What a request for a destructive tool brings along.
fn round(request: &Request<'_>) -> Round {
    let params = &request.params;
    Round {
        asking: match request.form {
            Form::Legacy | Form::Oldest => Asking::Legacy,
            Form::Modern if can_elicit_form(&request.meta) => Asking::Form,
            Form::Modern => Asking::Undeclared,
        },
        state: params
            .request_state
            .map(|raw| as_string(raw).map(Cow::into_owned)),
        responses: params.input_responses.map(RawValue::to_owned),
    }
}

fn protocol(error: ProtocolError) -> Box<Refused> {
    Box::new(Refused {
        result: error.code.to_string(),
        answer: Err(Fault::new(StatusCode::OK, error)),
    })
}

/// The line of a call; written when dropped, so that a cancelled call is in the log too: it may have had its effect.
struct Line<'a> {
    service: &'a Service,
    /// The tool's place in the catalog.
    index: usize,
    tool: &'a Tool,
    started: Instant,
    caller: &'a Principal,
    is_written: bool,
}

impl Line<'_> {
    fn write(&mut self, result: &str, status: Option<u16>, cause: Option<&str>) {
        self.is_written = true;
        let end = CallEnd {
            tool: Some(self.tool.name),
            result,
            status,
            cause,
            started: self.started,
            caller: self.caller,
        };
        let service = self.service;
        service.log.call(service.catalog.log_fields, &end);
        let took = self.started.elapsed();
        service.metrics.call(self.index, result, took);
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        if !self.is_written {
            self.write("cancelled", None, None);
        }
    }
}

/// Runs a future; none where it panicked. The panic hook has already told the log where.
async fn catch_panic<F: Future>(future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    poll_fn(
        move |context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Some(output)),
            Err(_) => Poll::Ready(None),
        },
    )
    .await
}
