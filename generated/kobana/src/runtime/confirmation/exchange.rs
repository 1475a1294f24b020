//! One round of a confirmation: ask, or take the answer, or refuse. Nothing but a recorded yes lets a call run.

use std::time::{SystemTime, UNIX_EPOCH};

use http::StatusCode;
use serde_json::json;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::runtime::answer::{ProtocolError, Question, ToolResult, code, error_envelope};
use crate::runtime::arguments::Arguments;
use crate::runtime::call::{Caller, Outcome};
use crate::runtime::catalog::{Catalog, Channel, Confirm, Confirmation, WithoutElicitation};
use crate::runtime::confirmation::form::{self, Answer};
use crate::runtime::confirmation::settings::Confirmations;
use crate::runtime::confirmation::state::{Expected, State, Unsealed};
use crate::runtime::confirmation::store::StoreFault;
use crate::runtime::confirmation::{digest, question};
use crate::runtime::message::invalid_params;
use crate::runtime::metrics::ConfirmationEnd;
use crate::runtime::safe_text::{self, Unconfirmed};
use crate::runtime::upstream_error::Scene;

/// What a request brings along for its confirmation.
#[derive(Debug)]
pub struct Round {
    /// Who can be asked.
    pub asking: Asking,
    /// `requestState`; the inner none: it is not a string.
    pub state: Option<Option<String>>,
    /// `inputResponses`.
    pub responses: Option<Box<RawValue>>,
}

/// Whether a person can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// By a form.
    Form,
    /// The client did not say that it can show one.
    Undeclared,
    /// The era has no questions.
    Legacy,
}

/// Why a destructive call does not run in this round.
pub enum Held {
    /// The question to put.
    Question(Question),
    /// A tool error.
    Refused(Outcome),
    /// A protocol error, with the word for the log where a state was not accepted.
    Fault(StatusCode, ProtocolError, Option<&'static str>),
}

/// A destructive call whose arguments are in order.
pub struct Exchange<'a> {
    /// What the server offers.
    pub catalog: &'static Catalog,
    /// Keys and store.
    pub confirmations: &'a Confirmations,
    /// Calls the API, for the record in question.
    pub caller: &'a Caller,
    /// Tool, caller and language.
    pub scene: Scene<'a>,
    /// The arguments as the client wrote them.
    pub given: Option<&'a RawValue>,
    /// The same, checked.
    pub arguments: &'a Arguments<'a>,
}

impl Exchange<'_> {
    /// Goes one round. A value is the idempotency key of the call, which may then run.
    ///
    /// # Errors
    /// Why the call does not run.
    pub async fn go(&self, round: &Round) -> (ConfirmationEnd, Result<Uuid, Held>) {
        if round.asking != Asking::Form {
            return (ConfirmationEnd::Refused, Err(self.cannot_ask(round.asking)));
        }
        let Some(confirm) = self.scene.tool.confirm.as_ref() else {
            return match round.state {
                Some(_) => refused(Unsealed::Malformed),
                None => (ConfirmationEnd::Refused, Err(self.cannot_ask(Asking::Form))),
            };
        };
        let Some(call) = digest::call(self.scene.tool.name, self.given) else {
            return refused(Unsealed::OtherCall);
        };
        let Some(text) = &round.state else {
            return self.ask(confirm, call).await;
        };
        let expected = Expected {
            now_ms: now_ms(),
            locale: self.locale_number(),
            call,
            principal: self.scene.principal.key,
        };
        let opened = match text {
            Some(text) => self.confirmations.seals.open(text, &expected),
            None => Err(Unsealed::Malformed),
        };
        let state = match opened {
            Ok(state) => state,
            Err(unsealed) => return refused(unsealed),
        };
        match form::read(round.responses.as_deref()) {
            Answer::None => self.ask(confirm, call).await,
            Answer::No => self.decline(&state).await,
            Answer::Yes => self.accept(confirm, &state, call).await,
        }
    }

    /// Puts the question.
    async fn ask(
        &self,
        confirm: &Confirm,
        call: [u8; 32],
    ) -> (ConfirmationEnd, Result<Uuid, Held>) {
        match self.question(confirm, call).await {
            Ok(question) => (ConfirmationEnd::Asked, Err(Held::Question(question))),
            Err((end, outcome)) => (end, Err(Held::Refused(outcome))),
        }
    }

    async fn question(
        &self,
        confirm: &Confirm,
        call: [u8; 32],
    ) -> Result<Question, (ConfirmationEnd, Outcome)> {
        let message = self.worded(confirm).await?;
        let run = match self.policy().single_use {
            true => self.confirmations.store.run().await,
            false => Ok([0; 16]),
        };
        let nonce = self.confirmations.seals.nonce();
        let (run, nonce) = match (run, nonce) {
            (Ok(run), Some(nonce)) => (run, nonce),
            (Err(fault), _) => return Err(self.unavailable(&fault)),
            (Ok(_), None) => return Err(self.unavailable(&StoreFault::Full)),
        };
        let state = State {
            expires_ms: now_ms().saturating_add(self.policy().lifetime_s.saturating_mul(1000)),
            nonce,
            run,
            locale: self.locale_number(),
            call,
            principal: self.scene.principal.key,
            question: digest::question(&message),
        };
        Ok(Question {
            message,
            accept: confirm.accept.in_locale(self.scene.locale),
            state: self.confirmations.seals.seal(&state),
        })
    }

    /// The question in words, with the record as it is now.
    async fn worded(&self, confirm: &Confirm) -> Result<String, (ConfirmationEnd, Outcome)> {
        let record = match &confirm.lookup {
            Some(lookup) => {
                let found = self
                    .caller
                    .look_up(self.scene, lookup, self.arguments)
                    .await;
                found.map_err(|outcome| (ConfirmationEnd::Refused, outcome))?
            }
            None => None,
        };
        let locale = (self.scene.locale, self.language());
        question::word(confirm, self.arguments, record.as_deref(), locale).map_err(|_| {
            let cause = "the record lacks a value of the question".to_owned();
            let fallback = self.catalog.errors.fallback;
            let outcome = self.outcome(fallback, Unconfirmed::NotShown, Some(cause));
            (ConfirmationEnd::Refused, outcome)
        })
    }

    /// Nothing changes, and the same state cannot say yes later.
    async fn decline(&self, state: &State) -> (ConfirmationEnd, Result<Uuid, Held>) {
        if self.policy().single_use {
            // Where it cannot be recorded nothing is executed either way.
            let _ = self.record(state).await;
        }
        let outcome = self.outcome(self.policy().declined, Unconfirmed::Declined, None);
        (ConfirmationEnd::Declined, Err(Held::Refused(outcome)))
    }

    /// Records the use first: a call that cannot be recorded must not run, and one that was recorded must not run again.
    async fn accept(
        &self,
        confirm: &Confirm,
        state: &State,
        call: [u8; 32],
    ) -> (ConfirmationEnd, Result<Uuid, Held>) {
        if self.policy().single_use {
            match self.record(state).await {
                Ok(true) => {}
                Ok(false) => {
                    let outcome = self.outcome(self.policy().replayed, Unconfirmed::Replayed, None);
                    return (ConfirmationEnd::Replayed, Err(Held::Refused(outcome)));
                }
                Err(StoreFault::OtherRun) => return refused(Unsealed::OtherRun),
                Err(fault) => {
                    let (end, outcome) = self.unavailable(&fault);
                    return (end, Err(Held::Refused(outcome)));
                }
            }
        }
        if confirm.lookup.is_some() {
            match self.worded(confirm).await {
                // What was agreed to is no longer so.
                Ok(message) if digest::question(&message) != state.question => {
                    return self.ask(confirm, call).await;
                }
                Ok(_) => {}
                Err((end, outcome)) => return (end, Err(Held::Refused(outcome))),
            }
        }
        let key = uuid::Builder::from_random_bytes(digest::idempotency(&state.nonce)).into_uuid();
        (ConfirmationEnd::Confirmed, Ok(key))
    }

    async fn record(&self, state: &State) -> Result<bool, StoreFault> {
        let times = (now_ms(), state.expires_ms);
        let store = &self.confirmations.store;
        store.use_once(&state.nonce, &state.run, times).await
    }

    fn cannot_ask(&self, asking: Asking) -> Held {
        let policy = self.policy();
        let is_told_by_protocol = asking == Asking::Undeclared
            && policy.without_elicitation == WithoutElicitation::ProtocolError;
        if is_told_by_protocol {
            let name = self.scene.tool.name;
            let error = ProtocolError::new(
                code::MISSING_CLIENT_CAPABILITY,
                format!("{name} needs form elicitation to be confirmed"),
            )
            .with_data(json!({ "requiredCapabilities": { "elicitation": { "form": {} } } }));
            return Held::Fault(StatusCode::BAD_REQUEST, error, None);
        }
        Held::Refused(self.outcome(policy.required, Unconfirmed::Required, None))
    }

    fn unavailable(&self, fault: &StoreFault) -> (ConfirmationEnd, Outcome) {
        let cause = match fault {
            StoreFault::Unavailable(cause) => format!("the confirmation store failed: {cause}"),
            StoreFault::Full => "the confirmation store is full".to_owned(),
            StoreFault::OtherRun => "the confirmation store has restarted".to_owned(),
        };
        let code = self.policy().unavailable;
        let outcome = self.outcome(code, Unconfirmed::Unavailable, Some(cause));
        (ConfirmationEnd::Unavailable, outcome)
    }

    /// A tool error with the registry's sentence, or else one of the runtime's own.
    fn outcome(&self, code: &str, why: Unconfirmed, cause: Option<String>) -> Outcome {
        let registry = self.catalog.errors.registry;
        let known = registry
            .iter()
            .filter(|_| why != Unconfirmed::NotShown)
            .find(|known| {
                known.channel == Channel::Tool && known.code == code && !known.message.is_empty()
            });
        let message = known.map_or_else(
            || safe_text::unconfirmed(why, self.language()),
            |known| known.message.in_locale(self.scene.locale),
        );
        Outcome {
            result: ToolResult::error(error_envelope(code, message, None)),
            code: Some(code.to_owned()),
            status: None,
            cause,
        }
    }

    fn policy(&self) -> &'static Confirmation {
        &self.catalog.confirmation
    }

    fn language(&self) -> &'static str {
        let locales = self.catalog.locales;
        locales.get(self.scene.locale).copied().unwrap_or("en")
    }

    fn locale_number(&self) -> u16 {
        u16::try_from(self.scene.locale).unwrap_or(u16::MAX)
    }
}

fn refused(unsealed: Unsealed) -> (ConfirmationEnd, Result<Uuid, Held>) {
    let error = invalid_params(unsealed.sentence());
    let held = Held::Fault(StatusCode::OK, error, Some(unsealed.reason()));
    (ConfirmationEnd::Refused, Err(held))
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
