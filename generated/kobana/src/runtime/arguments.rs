//! A call's arguments: what was given, what is missing, what is unknown. Everything is checked before anything is sent.

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::runtime::answer::error_envelope;
use crate::runtime::catalog::{
    ArgumentPolicy, ArgumentStyle, Body, Kind, Place, Tool, UnknownArguments,
};
use crate::runtime::json_text::{self, Members};
use crate::runtime::validation::InputCheck;
use crate::runtime::wording::{self, Fault};

/// Arguments that passed every check, each with the exact JSON text that the client sent.
#[derive(Debug, Default)]
pub struct Arguments<'a>(Vec<(String, Cow<'a, RawValue>)>);

impl<'a> Arguments<'a> {
    /// The JSON text of an argument.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&RawValue> {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_ref())
    }

    /// Arguments that the tool does not declare and that go on in its JSON body.
    pub fn undeclared<'b>(
        &'b self,
        tool: &'b Tool,
    ) -> impl Iterator<Item = (&'b str, &'b RawValue)> {
        self.0
            .iter()
            .filter(|(name, _)| !is_declared(tool, name))
            .map(|(name, value)| (name.as_str(), value.as_ref()))
    }
}

/// Every fault of a call's arguments; never empty.
#[derive(Debug, PartialEq, Eq)]
pub enum Report {
    /// Names of required arguments that are not there. Reported alone: other faults may come from their absence.
    Missing(Vec<String>),
    /// Everything else.
    Invalid(Vec<Fault>),
}

/// Checks a call's arguments against a tool.
///
/// `null` for an optional argument that does not accept it counts as absent: models write it for "not given".
///
/// # Errors
/// Every fault.
pub fn check<'a>(
    tool: &Tool,
    check: Option<&InputCheck>,
    policy: ArgumentPolicy,
    given: Option<&'a RawValue>,
) -> Result<Arguments<'a>, Report> {
    let mut entries = read(given)?;
    for (name, value) in &mut entries {
        if tool
            .arguments
            .iter()
            .any(|argument| argument.name == name && argument.structured)
        {
            parse_string(value);
        }
    }
    let Some(check) = check else {
        return Err(Report::Invalid(vec![Fault::new("", "cannot be checked")]));
    };
    let missing: Vec<String> = check
        .required
        .iter()
        .filter(|name| !entries.iter().any(|(key, _)| key == *name))
        .cloned()
        .collect();
    if !missing.is_empty() {
        return Err(Report::Missing(missing));
    }
    let faults = violations(tool, check, policy, &mut entries);
    if faults.is_empty() {
        Ok(Arguments(entries))
    } else {
        Err(Report::Invalid(faults))
    }
}

type Entries<'a> = Vec<(String, Cow<'a, RawValue>)>;

fn read(given: Option<&RawValue>) -> Result<Entries<'_>, Report> {
    let Some(given) = given else {
        return Ok(Vec::new());
    };
    let members: Members<'_> = serde_json::from_str(given.get())
        .map_err(|_| Report::Invalid(vec![Fault::new("", "must be a JSON object")]))?;
    let entries: Entries<'_> = members
        .0
        .into_iter()
        .map(|(name, value)| (name, Cow::Borrowed(value)))
        .collect();
    let repeated: Vec<Fault> = entries
        .iter()
        .enumerate()
        .filter(|(index, (name, _))| {
            entries
                .iter()
                .take(*index)
                .any(|(earlier, _)| earlier == name)
        })
        .map(|(_, (name, _))| Fault::new(name, "is given twice"))
        .collect();
    if repeated.is_empty() {
        Ok(entries)
    } else {
        Err(Report::Invalid(repeated))
    }
}

/// Replaces a string that holds a JSON object or array by what it holds: models often quote them.
fn parse_string(value: &mut Cow<'_, RawValue>) {
    let Ok(text) = serde_json::from_str::<String>(value.get()) else {
        return;
    };
    if !text.trim_start().starts_with(['{', '[']) {
        return;
    }
    if let Ok(parsed) = serde_json::from_str::<Box<RawValue>>(&text) {
        *value = Cow::Owned(parsed);
    }
}

fn violations(
    tool: &Tool,
    check: &InputCheck,
    policy: ArgumentPolicy,
    entries: &mut Entries<'_>,
) -> Vec<Fault> {
    let Some(validator) = &check.validator else {
        return vec![Fault::new("", "cannot be checked")];
    };
    let instance = match instance(entries) {
        Ok(instance) => instance,
        Err(faults) => return faults,
    };
    let mut faults = Vec::new();
    if !validator.is_valid(&instance) {
        let declared: Vec<&str> = tool
            .arguments
            .iter()
            .map(|argument| argument.name)
            .collect();
        for error in validator.iter_errors(&instance) {
            for fault in wording::faults(&error, &declared) {
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
        }
    }
    let is_absent = |name: &str| {
        instance.get(name).is_some_and(Value::is_null)
            && is_declared(tool, name)
            && !check.required.iter().any(|known| known == name)
    };
    let absent: Vec<String> = faults
        .iter()
        .filter(|fault| is_absent(&fault.field))
        .map(|fault| fault.field.clone())
        .collect();
    entries.retain(|(name, _)| !absent.contains(name));
    faults.retain(|fault| !absent.contains(&fault.field));
    judge_undeclared(tool, policy, entries, &mut faults);
    faults
}

/// The values to check. A value that cannot be read is a fault: what is checked must be what is sent.
fn instance(entries: &Entries<'_>) -> Result<Value, Vec<Fault>> {
    let mut object = Map::with_capacity(entries.len());
    let mut faults = Vec::new();
    for (name, value) in entries {
        match json_text::parse(value.get()) {
            Ok(value) => drop(object.insert(name.clone(), value)),
            Err(unreadable) => faults.push(Fault::new(name, unreadable.sentence())),
        }
    }
    if faults.is_empty() {
        Ok(Value::Object(object))
    } else {
        Err(faults)
    }
}

/// Undeclared arguments either are faults or go on in the JSON body. They never vanish.
fn judge_undeclared(
    tool: &Tool,
    policy: ArgumentPolicy,
    entries: &Entries<'_>,
    faults: &mut Vec<Fault>,
) {
    let has_object_body = matches!(tool.body, Body::Fields { .. });
    let leaves_to_api =
        policy.unknown == UnknownArguments::ReadTools && tool.kind != Kind::Read && has_object_body;
    let declared: Vec<&str> = tool
        .arguments
        .iter()
        .map(|argument| argument.name)
        .collect();
    for (name, _) in entries.iter().filter(|(name, _)| !is_declared(tool, name)) {
        let fault = Fault::new(name, wording::unknown_argument(name, &declared));
        let position = faults.iter().position(|known| known.field == fault.field);
        match position {
            // A second field of that name would leave it to the API's parser which of the two counts.
            None if !has_object_body || is_taken(tool, name) => faults.push(fault),
            Some(index) if leaves_to_api && !is_taken(tool, name) => drop(faults.remove(index)),
            _ => {}
        }
    }
}

/// Whether the body has a field of this name already, from another argument or as a value that the model does not see.
fn is_taken(tool: &Tool, name: &str) -> bool {
    let is_argument = tool
        .arguments
        .iter()
        .any(|argument| argument.place == Place::BodyField && argument.wire == name);
    is_argument
        || tool
            .fixed
            .iter()
            .any(|fixed| fixed.place == Place::BodyField && fixed.wire == name)
}

fn is_declared(tool: &Tool, name: &str) -> bool {
    tool.arguments.iter().any(|argument| argument.name == name)
}

impl Report {
    /// The text that the model reads, in the form of the policy.
    #[must_use]
    pub fn text(&self, style: ArgumentStyle) -> String {
        match style {
            ArgumentStyle::Text => self.sentence(),
            ArgumentStyle::Envelope { code } => {
                error_envelope(code, &self.sentence(), Some(&self.details()))
            }
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::Missing(names) => format!("Missing required arguments: {}", names.join(", ")),
            Self::Invalid(faults) => {
                let parts: Vec<String> = faults.iter().map(fault_text).collect();
                format!("Invalid arguments: {}", parts.join("; "))
            }
        }
    }

    fn details(&self) -> Value {
        let mut details = Map::new();
        let mut add = |field: &str, message: &str| {
            let list = details
                .entry(if field.is_empty() { "arguments" } else { field })
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                list.push(Value::String(message.to_owned()));
            }
        };
        match self {
            Self::Missing(names) => names.iter().for_each(|name| add(name, "is missing")),
            Self::Invalid(faults) => faults
                .iter()
                .for_each(|fault| add(&fault.field, &fault.message)),
        }
        Value::Object(details)
    }
}

fn fault_text(fault: &Fault) -> String {
    if fault.field.is_empty() {
        format!("the arguments {}", fault.message)
    } else {
        format!("`{}` {}", fault.field, fault.message)
    }
}
