//! What each tool sends for its example arguments → `tests/requests.json`, which the emitted tests read.
//!
//! Written apart from the runtime on purpose: the two must agree, and the emitted tests say whether they do.

use serde_json::{Map, Value, json};

use super::text::readable_json;
use crate::model::ParameterStyle;
use crate::plan::Server;
use crate::plan::server::{Argument, Body, Kind, Place, Segment, Tool};

/// The table as JSON text.
pub(super) fn render(server: &Server) -> String {
    let tools: Vec<Value> = server.tools.iter().map(tool).collect();
    let table = json!({
        "name": server.name,
        "endpoint": server.transport.path,
        "modern": server.protocol.modern.first(),
        "legacy": server.protocol.legacy.first(),
        "tools": tools,
    });
    // A value of ours always has a text.
    let mut text = readable_json(&serde_json::to_string_pretty(&table).unwrap_or_default());
    text.push('\n');
    text
}

fn tool(tool: &Tool) -> Value {
    // No arguments could be made up: the tool is listed, and the emitted tests do not call it.
    let example: Option<Map<String, Value>> = serde_json::from_str(&tool.example_arguments).ok();
    let arguments = example.clone().unwrap_or_default();
    let kind = match tool.kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Destructive => "destructive",
    };
    json!({
        "name": tool.name,
        "kind": kind,
        "arguments": example,
        "has_own_address": tool.base_url.is_some(),
        "method": tool.method,
        "path": path(tool, &arguments),
        "query": query(tool, &arguments),
        "body": body(tool, &arguments),
    })
}

/// The arguments of one place that have a value, in schema order.
fn placed<'a>(
    tool: &'a Tool,
    arguments: &'a Map<String, Value>,
    place: Place,
) -> impl Iterator<Item = (&'a Argument, &'a Value)> {
    tool.arguments
        .iter()
        .filter(move |argument| argument.place == place)
        .filter_map(|argument| Some((argument, arguments.get(&argument.name)?)))
}

fn fixed(tool: &Tool, place: Place) -> impl Iterator<Item = (&str, Value)> {
    tool.fixed
        .iter()
        .filter(move |fixed| fixed.place == place)
        .map(|fixed| {
            let value = serde_json::from_str(&fixed.value).unwrap_or(Value::Null);
            (fixed.wire.as_str(), value)
        })
}

/// The path with its values, not percent-encoded.
fn path(tool: &Tool, arguments: &Map<String, Value>) -> String {
    tool.path
        .iter()
        .map(|segment| match segment {
            Segment::Literal(text) => decoded(text),
            Segment::Parameter(wire) => path_value(tool, arguments, wire),
        })
        .collect()
}

/// A literal piece of a path without its percent-encoding.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let pair = after
            .get(..2)
            .and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn path_value(tool: &Tool, arguments: &Map<String, Value>, wire: &str) -> String {
    let argument = placed(tool, arguments, Place::Path).find(|(argument, _)| argument.wire == wire);
    if let Some((argument, value)) = argument {
        return styled(argument, value);
    }
    fixed(tool, Place::Path)
        .find(|(name, _)| *name == wire)
        .map(|(_, value)| scalar(&value))
        .unwrap_or_default()
}

fn styled(argument: &Argument, value: &Value) -> String {
    let (first, between) = match (argument.style, argument.explode) {
        (ParameterStyle::Label, true) => (".", "."),
        (ParameterStyle::Label, false) => (".", ","),
        (ParameterStyle::Matrix, true) => (";", ";"),
        (ParameterStyle::Matrix, false) => (";", ","),
        (ParameterStyle::Json, _) => return value.to_string(),
        _ => ("", ","),
    };
    let is_matrix = argument.style == ParameterStyle::Matrix;
    let mut parts = parts(value, argument.explode);
    if is_matrix && argument.explode && !value.is_object() {
        for part in &mut parts {
            *part = format!("{}={part}", argument.wire);
        }
    }
    let joined = parts.join(between);
    if is_matrix && !argument.explode {
        return format!("{first}{}={joined}", argument.wire);
    }
    format!("{first}{joined}")
}

/// The elements of a value as texts; members as `k=v` when exploded, else as `k`, `v`.
fn parts(value: &Value, explode: bool) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().map(scalar).collect(),
        Value::Object(members) if explode => members
            .iter()
            .map(|(key, value)| format!("{key}={}", scalar(value)))
            .collect(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, value)| [key.clone(), scalar(value)])
            .collect(),
        other => vec![scalar(other)],
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The query's pairs, not percent-encoded, sorted.
fn query(tool: &Tool, arguments: &Map<String, Value>) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = fixed(tool, Place::Query)
        .map(|(wire, value)| (wire.to_owned(), scalar(&value)))
        .collect();
    for (argument, value) in placed(tool, arguments, Place::Query) {
        push_pairs(&mut pairs, argument, value);
    }
    pairs.sort();
    pairs
}

fn push_pairs(pairs: &mut Vec<(String, String)>, argument: &Argument, value: &Value) {
    let wire = &argument.wire;
    let between = match argument.style {
        ParameterStyle::SpaceDelimited => " ",
        ParameterStyle::PipeDelimited => "|",
        _ => ",",
    };
    match value {
        _ if argument.style == ParameterStyle::Json => {
            pairs.push((wire.clone(), value.to_string()));
        }
        Value::Array(list) if argument.explode => {
            pairs.extend(list.iter().map(|item| (wire.clone(), scalar(item))));
        }
        Value::Object(members) if argument.style == ParameterStyle::DeepObject => {
            let name = |key: &str| format!("{wire}[{key}]");
            pairs.extend(
                members
                    .iter()
                    .map(|(key, value)| (name(key), scalar(value))),
            );
        }
        Value::Object(members) if argument.explode => {
            pairs.extend(
                members
                    .iter()
                    .map(|(key, value)| (key.clone(), scalar(value))),
            );
        }
        Value::Array(list) if list.is_empty() => {}
        other => pairs.push((wire.clone(), parts(other, false).join(between))),
    }
}

/// The JSON body; `null` where none is sent.
fn body(tool: &Tool, arguments: &Map<String, Value>) -> Value {
    match tool.body {
        Body::None => Value::Null,
        Body::Whole => placed(tool, arguments, Place::Body)
            .map(|(_, value)| value.clone())
            .next()
            .unwrap_or_default(),
        Body::Fields { required } => {
            let mut fields: Map<String, Value> = fixed(tool, Place::BodyField)
                .map(|(wire, value)| (wire.to_owned(), value))
                .collect();
            for (argument, value) in placed(tool, arguments, Place::BodyField) {
                fields.insert(argument.wire.clone(), value.clone());
            }
            if fields.is_empty() && !required {
                return Value::Null;
            }
            Value::Object(fields)
        }
    }
}
