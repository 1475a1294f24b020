//! Runs `tools/call`: what is refused without asking the API, the call, its answer and its line in the log.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use http::StatusCode;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::OwnedSemaphorePermit;

use crate::runtime::answer::{Era, ProtocolError, ToolResult, code, error_envelope, tool_response};
use crate::runtime::catalog::{Catalog, Channel, Kind, Tool, WithoutElicitation};
use crate::runtime::lists::Form;
use crate::runtime::log::CallEnd;
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
        let arguments = call.arguments.as_deref();
        let scene = Scene {
            tool,
            locale: call.locale,
            principal: &call.principal,
            trace: call.trace.as_ref(),
        };
        let running = self.caller.call(scene, call.tool, arguments);
        let Some(mut outcome) = catch_panic(running).await else {
            line.write("-32603", None, Some("a handler panicked"));
            return internal_error(Some(&call.id));
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
        request.refuse_state().map_err(protocol)?;
        if tool.kind == Kind::Destructive {
            return Err(self.refuse_destructive(request, tool));
        }
        let Ok(place) = self.places.clone().try_acquire_owned() else {
            return Err(Box::new(Refused {
                result: "overloaded".to_owned(),
                answer: Ok(Step::Done(Reply::Overloaded {
                    id: request.id.to_owned(),
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
            _place: place,
        })
    }

    /// Nobody can be asked yet, so a destructive tool never runs: a client that could ask is told by the tool error
    /// that a confirmation is needed, another one as the catalog says.
    fn refuse_destructive(&self, request: &Request<'_>, tool: &Tool) -> Box<Refused> {
        let confirmation = &self.catalog.confirmation;
        let is_told_by_protocol = request.form == Form::Modern
            && confirmation.without_elicitation == WithoutElicitation::ProtocolError
            && !can_elicit_form(&request.meta);
        if is_told_by_protocol {
            let error = ProtocolError::new(
                code::MISSING_CLIENT_CAPABILITY,
                format!("{} needs form elicitation to be confirmed", tool.name),
            )
            .with_data(json!({ "requiredCapabilities": { "elicitation": { "form": {} } } }));
            return Box::new(Refused {
                result: error.code.to_string(),
                answer: Err(Fault::new(StatusCode::BAD_REQUEST, error)),
            });
        }
        let message = confirmation_message(self.catalog, request.locale);
        let result = ToolResult::error(error_envelope(confirmation.required, message, None));
        let members = self.members(request.form, request.locale);
        Box::new(Refused {
            result: confirmation.required.to_owned(),
            answer: Ok(Step::Done(Reply::ok(tool_response(
                request.id, members, &result,
            )))),
        })
    }
}

fn protocol(error: ProtocolError) -> Box<Refused> {
    Box::new(Refused {
        result: error.code.to_string(),
        answer: Err(Fault::new(StatusCode::OK, error)),
    })
}

fn confirmation_message(catalog: &Catalog, locale: usize) -> &'static str {
    let required = catalog.confirmation.required;
    let known = catalog.errors.registry.iter().find(|entry| {
        entry.channel == Channel::Tool && entry.code == required && !entry.message.is_empty()
    });
    known.map_or(
        "A person must confirm this tool, and this server cannot ask one. Nothing was executed.",
        |entry| entry.message.in_locale(locale),
    )
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
