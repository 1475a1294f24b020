//! An error answer of the API, or its absence → a tool error.

use std::sync::OnceLock;

use regex::Regex;
use serde_json::Value;

use crate::runtime::answer::error_envelope;
use crate::runtime::catalog::{
    Catalog, ErrorPolicy, ErrorRule, Kind, StatusMatch, Tool, UpstreamErrors,
};
use crate::runtime::client::{Failure, retry_after};
use crate::runtime::credential::CredentialFault;
use crate::runtime::hooks::ApiAnswer;
use crate::runtime::principal::Principal;
use crate::runtime::safe_text::{self, Condition};
use crate::runtime::trace_context::TraceContext;

/// Longest message that goes on from the API, in characters.
const MAX_MESSAGE: usize = 2000;

/// Longest code that goes on from the API, in characters.
const MAX_CODE: usize = 100;

/// A failure in words: for the model, and for the log.
#[derive(Debug, PartialEq, Eq)]
pub struct Explained {
    /// The text of the result.
    pub text: String,
    /// The code that it carries.
    pub code: String,
    /// The cause, for the operator.
    pub cause: Option<String>,
}

/// The rules of one server, with their expressions compiled on the first error.
pub struct Explainer {
    catalog: &'static Catalog,
    rules: OnceLock<Vec<CompiledRule>>,
}

struct CompiledRule {
    rule: &'static ErrorRule,
    code: Option<Regex>,
    message: Option<Regex>,
}

/// One call: the tool, who calls it, and the language of its texts as an index into the catalog's.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The tool.
    pub tool: &'static Tool,
    /// The language.
    pub locale: usize,
    /// Who calls.
    pub principal: &'a Principal,
    /// The trace that it belongs to.
    pub trace: Option<&'a TraceContext>,
}

/// What can be read from an error body.
#[derive(Default)]
struct Reading {
    code: Option<String>,
    messages: Vec<String>,
    fields: Vec<String>,
}

impl Explainer {
    /// The rules of a catalog. Nothing is compiled.
    #[must_use]
    pub fn new(catalog: &'static Catalog) -> Self {
        Self {
            catalog,
            rules: OnceLock::new(),
        }
    }

    /// Explains the absence of an answer.
    #[must_use]
    pub fn failure(&self, scene: Scene<'_>, failure: &Failure) -> Explained {
        let (condition, cause) = match failure {
            Failure::Timeout => (Condition::Timeout, "the deadline passed".to_owned()),
            Failure::Unreachable(cause) => (Condition::Unreachable, cause.clone()),
            Failure::Network(cause) => (Condition::Network, cause.clone()),
            Failure::TooLarge => (
                Condition::TooLarge,
                "the answer is over the limit".to_owned(),
            ),
        };
        self.condition(scene, (condition, None), Some(cause))
    }

    /// Explains why the API could not be told who calls. Nothing was sent.
    #[must_use]
    pub fn no_access(&self, scene: Scene<'_>, fault: CredentialFault) -> Explained {
        let cause = Some(fault.into_cause());
        self.condition(scene, (Condition::NoAccess, None), cause)
    }

    /// Explains an answer with a status of 300 or more.
    #[must_use]
    pub fn answer(&self, scene: Scene<'_>, answer: &ApiAnswer) -> Explained {
        let status = answer.status.as_u16();
        let cause = Some(format!("the API answered {status}"));
        let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let body = body.filter(|body| body.is_object() || body.is_array());
        let reading = body.as_ref().map(|body| self.read(body));
        let rule = self.rule(scene, status, reading.as_ref());
        let condition = match (status, reading) {
            (300..=399, _) => Condition::Redirect,
            (429, reading) => return self.rate_limited(scene, answer, (rule, reading)),
            (500.., _) => Condition::ServerError,
            (_, Some(reading)) => return self.readable(scene, answer, (rule, reading)),
            (_, None) => Condition::NotJson,
        };
        match rule {
            // What a rule knows by its status alone, such as an empty 404, has a sentence of its own.
            Some(code) if condition == Condition::NotJson => {
                self.envelope(scene, code, String::new(), cause)
            }
            rule => self.condition(scene, (condition, rule), cause),
        }
    }

    fn policy(&self) -> &'static ErrorPolicy {
        &self.catalog.errors
    }

    /// A safe sentence for a condition, under the code of a rule or else of the condition.
    fn condition(
        &self,
        scene: Scene<'_>,
        (condition, rule): (Condition, Option<&'static str>),
        cause: Option<String>,
    ) -> Explained {
        let codes = &self.policy().conditions;
        let code = match condition {
            Condition::Timeout => codes.timeout,
            Condition::Unreachable | Condition::NoAccess | Condition::Network => codes.network,
            Condition::NotJson => codes.not_json,
            Condition::ServerError => codes.server_error,
            Condition::RateLimited(_) => codes.rate_limited,
            Condition::TooLarge => codes.too_large,
            Condition::Redirect => codes.redirect,
        };
        let message = safe_text::sentence(
            condition,
            self.language(scene),
            scene.tool.kind != Kind::Read,
        );
        self.envelope(scene, rule.unwrap_or(code), message, cause)
    }

    /// The API's own code where it gives one and nothing maps it, since its vocabulary is documented; the wait always.
    fn rate_limited(
        &self,
        scene: Scene<'_>,
        answer: &ApiAnswer,
        (rule, reading): (Option<&'static str>, Option<Reading>),
    ) -> Explained {
        let condition = Condition::RateLimited(retry_after(answer).map(|time| time.as_secs()));
        let cause = Some("the API answered 429".to_owned());
        let own = reading.and_then(|reading| reading.code);
        match (self.policy().mode, own) {
            (UpstreamErrors::Passthrough, Some(code)) => {
                let message = safe_text::sentence(
                    condition,
                    self.language(scene),
                    scene.tool.kind != Kind::Read,
                );
                self.envelope(scene, &clean(&code, MAX_CODE), message, cause)
            }
            _ => self.condition(scene, (condition, rule), cause),
        }
    }

    fn readable(
        &self,
        scene: Scene<'_>,
        answer: &ApiAnswer,
        (rule, reading): (Option<&'static str>, Reading),
    ) -> Explained {
        let fallback = self.policy().fallback;
        if self.policy().mode == UpstreamErrors::Passthrough {
            let own = reading.code.map(|code| clean(&code, MAX_CODE));
            return Explained {
                text: String::from_utf8_lossy(&answer.body).into_owned(),
                code: own.unwrap_or_else(|| fallback.to_owned()),
                cause: None,
            };
        }
        self.envelope(scene, rule.unwrap_or(fallback), reading.message(), None)
    }

    fn read(&self, body: &Value) -> Reading {
        let policy = self.policy();
        let code = policy
            .code_pointers
            .iter()
            .find_map(|pointer| scalar(body.pointer(pointer)?));
        let messages: Vec<String> = policy
            .message_pointers
            .iter()
            .filter_map(|pointer| body.pointer(pointer)?.as_str())
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned)
            .collect();
        let fields = policy
            .field_pointers
            .iter()
            .filter_map(|pointer| body.pointer(pointer))
            .map(field_messages)
            .find(|fields| !fields.is_empty())
            .unwrap_or_default();
        Reading {
            code,
            messages,
            fields,
        }
    }

    /// The code of the first rule that holds; an answer that cannot be read is judged by status and operation alone.
    fn rule(
        &self,
        scene: Scene<'_>,
        status: u16,
        reading: Option<&Reading>,
    ) -> Option<&'static str> {
        if self.policy().mode == UpstreamErrors::Passthrough {
            return None;
        }
        let nothing = Reading::default();
        let reading = reading.unwrap_or(&nothing);
        let rules = self
            .rules
            .get_or_init(|| self.policy().rules.iter().map(CompiledRule::new).collect());
        rules
            .iter()
            .find(|rule| rule.matches(scene.tool, status, reading))
            .map(|rule| rule.rule.to)
    }

    fn envelope(
        &self,
        scene: Scene<'_>,
        code: &str,
        message: String,
        cause: Option<String>,
    ) -> Explained {
        let mut message = if message.is_empty() {
            self.registry_message(scene, code)
        } else {
            clean(&message, MAX_MESSAGE)
        };
        for hint in scene.tool.hints.iter().filter(|hint| hint.code == code) {
            message.push(' ');
            message.push_str(hint.text.in_locale(scene.locale));
        }
        Explained {
            text: error_envelope(code, &message, None),
            code: code.to_owned(),
            cause,
        }
    }

    fn registry_message(&self, scene: Scene<'_>, code: &str) -> String {
        let known = self
            .policy()
            .registry
            .iter()
            .find(|entry| entry.code == code);
        match known.map(|entry| entry.message.in_locale(scene.locale)) {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => safe_text::refused(self.language(scene)).to_owned(),
        }
    }

    fn language(&self, scene: Scene) -> &'static str {
        self.catalog
            .locales
            .get(scene.locale)
            .copied()
            .unwrap_or("en")
    }
}

impl Reading {
    fn message(&self) -> String {
        let mut parts: Vec<&str> = self
            .messages
            .first()
            .map(String::as_str)
            .into_iter()
            .collect();
        let extra = self
            .fields
            .iter()
            .map(String::as_str)
            .filter(|field| !self.messages.iter().any(|message| message == field));
        parts.extend(extra);
        parts.join("; ")
    }
}

impl CompiledRule {
    fn new(rule: &'static ErrorRule) -> Self {
        // The generator has compiled every expression once; one that fails here matches nothing.
        let compile = |text: &str| Regex::new(text).ok();
        Self {
            rule,
            code: rule.code.and_then(compile),
            message: rule.message.and_then(compile),
        }
    }

    fn matches(&self, tool: &Tool, status: u16, reading: &Reading) -> bool {
        let is_status = match self.rule.status {
            None => true,
            Some(StatusMatch::Exact(exact)) => status == exact,
            Some(StatusMatch::Class(class)) => status / 100 == class,
        };
        let is_operation = self
            .rule
            .operation
            .is_none_or(|operation| operation == tool.operation);
        let is_code = match (self.rule.code, &self.code) {
            (None, _) => true,
            (Some(_), Some(regex)) => reading
                .code
                .as_deref()
                .is_some_and(|code| regex.is_match(code)),
            (Some(_), None) => false,
        };
        let is_message = match (self.rule.message, &self.message) {
            (None, _) => true,
            (Some(_), Some(regex)) => reading
                .messages
                .iter()
                .chain(&reading.fields)
                .any(|text| regex.is_match(text)),
            (Some(_), None) => false,
        };
        is_status && is_operation && is_code && is_message
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// `field: message` for a map of fields, and for a list of error objects that name a field.
fn field_messages(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(field, messages)| format!("{field}: {}", message_list(messages)))
            .collect(),
        Value::Array(errors) => errors.iter().filter_map(error_object).collect(),
        _ => Vec::new(),
    }
}

fn message_list(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(message_list)
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_string(),
    }
}

fn error_object(error: &Value) -> Option<String> {
    let text = |keys: &[&str]| {
        keys.iter()
            .find_map(|key| error.get(key)?.as_str().map(str::to_owned))
    };
    if let Some(text) = error.as_str() {
        return Some(text.to_owned());
    }
    let message = text(&["detail", "message", "title"])?;
    Some(match text(&["param", "field", "path"]) {
        Some(field) if !message.contains(&field) => format!("{field}: {message}"),
        _ => message,
    })
}

/// Text from the API: no control characters, and not without end.
fn clean(text: &str, max_chars: usize) -> String {
    let mut out: String = text
        .chars()
        .take(max_chars)
        .map(|c| if c.is_control() && c != '\n' { ' ' } else { c })
        .collect();
    if text.chars().nth(max_chars).is_some() {
        out.push('…');
    }
    out
}
