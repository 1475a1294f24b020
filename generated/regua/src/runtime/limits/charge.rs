//! What a request is charged to, and the answer to a caller whose budget is used up.

use std::time::Duration;

use crate::runtime::catalog::{Kind, RefusalKind};
use crate::runtime::limits::{CallerKey, Verdict};
use crate::runtime::log::CallEnd;
use crate::runtime::message::as_string;
use crate::runtime::metrics::Budget;
use crate::runtime::prompts::shorten;
use crate::runtime::service::{Arrival, Reply, Request, Service, Step};

/// Whether a message was charged already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toll {
    /// It was not.
    Due,
    /// The shared store has said so.
    Told(Verdict),
}

impl Service {
    /// Reads a message and charges it, in the shared store where there is one; then as [`Service::receive`].
    pub async fn receive_charged(&self, body: &[u8], arrival: Arrival<'_>) -> Step {
        let step = self.receive(body, &arrival);
        let Step::Charge(budget) = step else {
            return step;
        };
        let key = CallerKey::of(arrival.principal, arrival.peer);
        let verdict = self.limiter.ask(&key, budget, &self.log).await;
        // A message is read again sooner than kept: what was read of it lies in the body.
        let charged = Arrival {
            toll: Toll::Told(verdict),
            ..arrival
        };
        self.receive(body, &charged)
    }

    /// Charges a request; none: it may be answered.
    pub(in crate::runtime) fn charge(
        &self,
        request: &Request<'_>,
        arrival: &Arrival<'_>,
    ) -> Option<Step> {
        let budget = self.budget(request)?;
        let verdict = match arrival.toll {
            Toll::Told(verdict) => verdict,
            Toll::Due => {
                let key = CallerKey::of(arrival.principal, arrival.peer);
                self.limiter.check(&key, budget, &self.log)
            }
        };
        match verdict {
            Verdict::Allowed => None,
            Verdict::Ask => Some(Step::Charge(budget)),
            Verdict::Over(wait) => Some(self.refuse_over(request, budget, wait)),
        }
    }

    /// Which budget pays; none: it is free, since a client must be able to find out whom it talks to.
    fn budget(&self, request: &Request<'_>) -> Option<Budget> {
        match request.method {
            "ping" | "server/discover" | "initialize" => return None,
            "tools/call" => {}
            _ => return Some(Budget::Read),
        }
        let name = request.params.name.and_then(as_string);
        let tool = name
            .and_then(|name| self.find_tool(&name))
            .and_then(|index| self.catalog.tools.get(index));
        Some(match tool.map(|tool| tool.kind) {
            Some(Kind::Write) => Budget::Write,
            // The first round only asks; what comes back with the state of the question may run.
            Some(Kind::Destructive) if request.params.request_state.is_some() => Budget::Write,
            _ => Budget::Read,
        })
    }

    fn refuse_over(&self, request: &Request<'_>, budget: Budget, wait: Duration) -> Step {
        const RESULT: &str = "rate_limited";
        self.metrics.rate_limited(budget);
        if request.method == "tools/call" {
            let name = request.params.name.and_then(as_string);
            let end = CallEnd {
                tool: name.as_deref().map(shorten),
                result: RESULT,
                status: None,
                cause: None,
                started: request.started,
                caller: request.principal,
            };
            self.log.call(self.catalog.log_fields, &end);
            let known = name.as_deref().and_then(|name| self.find_tool(name));
            self.metrics.refused_call(known, RESULT);
        }
        Step::Done(Reply::Refused {
            kind: RefusalKind::RateLimit,
            id: Some(request.id.to_owned()),
            retry_after: Some(whole_seconds(wait)),
            challenge: None,
        })
    }
}

/// Rounded up, and never none: a client that came back at once would be refused again.
fn whole_seconds(wait: Duration) -> u64 {
    let started = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(started).max(1)
}
