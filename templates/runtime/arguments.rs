//! A call's arguments: what was given, what is missing, what is unknown. Everything is checked before anything is sent.

use std::borrow::Cow;

use jsonschema::Validator;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::runtime::answer::error_envelope;
use crate::runtime::catalog::{
    ArgumentPolicy, ArgumentStyle, Body, Kind, Place, Tool, UnknownArguments,
};
use crate::runtime::json_text::{Members, single_value};
use crate::runtime::validation::InputCheck;
use crate::runtime::wording::{self, Fault};

/// Most arguments that are looked at: none of them is free, and no tool has as many.
const MAX_ARGUMENTS: usize = 1000;

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

    /// Some of these arguments under other names: those of an operation that looks up the same record.
    #[must_use]
    pub fn renamed(&self, names: &[(&str, &str)]) -> Arguments<'_> {
        let renamed = names.iter().filter_map(|(to, from)| {
            let value = self.get(from)?;
            Some(((*to).to_owned(), Cow::Borrowed(value)))
        });
        Arguments(renamed.collect())
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
    if members.0.len() > MAX_ARGUMENTS {
        let message = format!("are more than {MAX_ARGUMENTS}");
        return Err(Report::Invalid(vec![Fault::new("", message)]));
    }
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

/// Every fault of the values and names, at most [`wording::MAX_FAULTS`] of them. A `null` that counts as absent is
/// taken out of `entries`.
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
    let leaves_to_api = policy.unknown == UnknownArguments::ReadTools
        && tool.kind != Kind::Read
        && has_object_body(tool);
    if !validator.is_valid(&instance) {
        let is_left = |field: &str| leaves_to_api && !is_declared(tool, argument_of(field));
        faults = schema_faults(tool, validator, &instance, is_left);
    }
    // An undeclared `null` is no slip of this kind: to the API it may mean "clear this field".
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
    if !absent.is_empty() {
        entries.retain(|(name, _)| !absent.contains(name));
        faults.retain(|fault| !absent.contains(&fault.field));
    }
    judge_undeclared(tool, entries, &mut faults);
    faults
}

/// The arguments as the value that the schema judges. A value that cannot be read must not pass for another one.
fn instance(entries: &Entries<'_>) -> Result<Value, Vec<Fault>> {
    let mut object = Map::with_capacity(entries.len());
    let mut faults = Vec::new();
    for (name, value) in entries {
        match single_value(value.get()) {
            Ok(value) => drop(object.insert(name.clone(), value)),
            Err(refusal) => faults.push(Fault::new(name, refusal)),
        }
    }
    if faults.is_empty() {
        Ok(Value::Object(object))
    } else {
        Err(faults)
    }
}

fn schema_faults(
    tool: &Tool,
    validator: &Validator,
    instance: &Value,
    is_left: impl Fn(&str) -> bool,
) -> Vec<Fault> {
    let declared = declared_names(tool);
    let mut faults: Vec<Fault> = Vec::new();
    for error in validator.iter_errors(instance) {
        for fault in wording::faults(&error, instance, &declared) {
            if faults.contains(&fault) || is_left(&fault.field) {
                continue;
            }
            if faults.len() == wording::MAX_FAULTS {
                faults.push(Fault::new("", "have more faults than are listed here"));
                return faults;
            }
            faults.push(fault);
        }
    }
    faults
}

/// The argument that a place is in.
fn argument_of(field: &str) -> &str {
    field.split('/').next().unwrap_or(field)
}

/// Undeclared arguments either are faults or go on in the JSON body. They never vanish, and none of them takes the
/// place of a field that is set from elsewhere.
fn judge_undeclared(tool: &Tool, entries: &Entries<'_>, faults: &mut Vec<Fault>) {
    for (name, _) in entries.iter().filter(|(name, _)| !is_declared(tool, name)) {
        let is_told = faults.iter().any(|fault| fault.field == *name);
        if !is_told && (!has_object_body(tool) || is_taken(tool, name)) {
            let message = wording::unknown_argument(name, &declared_names(tool));
            faults.push(Fault::new(name, message));
        }
    }
}

fn has_object_body(tool: &Tool) -> bool {
    matches!(tool.body, Body::Fields { .. })
}

/// Whether the body has a field of this name already, under a value that is fixed or another argument's.
fn is_taken(tool: &Tool, name: &str) -> bool {
    tool.fixed
        .iter()
        .any(|fixed| fixed.place == Place::BodyField && fixed.wire == name)
        || tool
            .arguments
            .iter()
            .any(|argument| argument.place == Place::BodyField && argument.wire == name)
}

fn declared_names(tool: &Tool) -> Vec<&'static str> {
    tool.arguments
        .iter()
        .map(|argument| argument.name)
        .collect()
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
                .for_each(|fault| add(&fault.shown_field(), &fault.message)),
        }
        Value::Object(details)
    }
}

fn fault_text(fault: &Fault) -> String {
    if fault.field.is_empty() {
        format!("the arguments {}", fault.message)
    } else {
        format!("`{}` {}", fault.shown_field(), fault.message)
    }
}
