//! Arguments → the HTTP request to the API.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, COOKIE, HeaderName, HeaderValue};
use http::{HeaderMap, Uri};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::runtime::answer::push_json_string;
use crate::runtime::arguments::Arguments;
use crate::runtime::catalog::{Argument, Body, HeaderPart, Place, Segment, Style, Tool, Upstream};
use crate::runtime::hooks::ApiRequest;
use crate::runtime::serialization::{self, Form};
use crate::runtime::wording::Fault;

/// Headers that are the same on every call, or made fresh for each; environment variables are already read.
#[derive(Debug)]
pub struct StandingHeaders {
    fixed: HeaderMap,
    fresh: Vec<(HeaderName, Vec<Piece>)>,
    idempotency: Option<(HeaderName, &'static [&'static str])>,
}

/// A piece of a header that is made fresh for each call.
#[derive(Debug)]
enum Piece {
    Text(String),
    Uuid,
}

impl StandingHeaders {
    /// Reads the catalog and the environment. A header whose variable is unset is not sent.
    ///
    /// # Errors
    /// A sentence for the operator when a value cannot be a header; the value itself is never in it.
    pub fn read(upstream: &Upstream) -> Result<Self, String> {
        let mut headers = Self {
            fixed: HeaderMap::new(),
            fresh: Vec::new(),
            idempotency: None,
        };
        for header in upstream.headers {
            let name = header_name(header.name)?;
            let Some(pieces) = header.value.iter().map(piece).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let value = header_value(&pieces).ok_or_else(|| {
                format!(
                    "the value of the header `{name}` holds characters that a header cannot carry"
                )
            })?;
            if pieces.iter().any(|piece| matches!(piece, Piece::Uuid)) {
                headers.fresh.push((name, pieces));
            } else {
                headers.fixed.insert(name, value);
            }
        }
        if let Some(key) = upstream.idempotency_key {
            headers.idempotency = Some((header_name(key.header)?, key.methods));
        }
        Ok(headers)
    }

    fn apply(&self, method: &str, key: Option<Uuid>, target: &mut HeaderMap) {
        for (name, value) in &self.fixed {
            target.insert(name.clone(), value.clone());
        }
        for (name, parts) in &self.fresh {
            if let Some(value) = header_value(parts) {
                target.insert(name.clone(), value);
            }
        }
        let Some((name, methods)) = &self.idempotency else {
            return;
        };
        // A key that came as an argument stays: whoever gave it relies on it to tell a repetition from a new order.
        if methods.contains(&method)
            && !target.contains_key(name)
            && let Some(key) = header_value(&[match key {
                Some(key) => Piece::Text(key.to_string()),
                None => Piece::Uuid,
            }])
        {
            target.insert(name.clone(), key);
        }
    }
}

fn header_name(name: &str) -> Result<HeaderName, String> {
    name.parse()
        .map_err(|_| format!("`{name}` is not a header name"))
}

/// The piece as it is at start; none when its environment variable is unset.
fn piece(part: &HeaderPart) -> Option<Piece> {
    match part {
        HeaderPart::Literal(text) => Some(Piece::Text((*text).to_owned())),
        HeaderPart::Env(name) => std::env::var(name).ok().map(Piece::Text),
        HeaderPart::Uuid => Some(Piece::Uuid),
    }
}

fn header_value(pieces: &[Piece]) -> Option<HeaderValue> {
    let text: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Uuid => Uuid::new_v4().to_string(),
        })
        .collect();
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Makes the request for a call, with the standing headers and, where they want an idempotency key, this one.
///
/// # Errors
/// Every argument whose value cannot be written where it goes.
pub fn build(
    tool: &'static Tool,
    arguments: &Arguments<'_>,
    base_url: &str,
    (standing, key): (&StandingHeaders, Option<Uuid>),
) -> Result<ApiRequest, Vec<Fault>> {
    let mut faults = Vec::new();
    let path = path(tool, arguments, &mut faults);
    let query = query(tool, arguments, &mut faults);
    let mut headers = headers(tool, arguments, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let address = if query.is_empty() {
        format!("{base_url}{path}")
    } else {
        format!("{base_url}{path}?{query}")
    };
    let uri: Uri = address.parse().map_err(|_| {
        vec![Fault::new(
            "",
            "make an address that is too long or not valid",
        )]
    })?;
    let body = body(tool, arguments);
    if body.is_some() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("application/json, */*;q=0.5"),
    );
    standing.apply(tool.method, key, &mut headers);
    Ok(ApiRequest {
        method: tool.method,
        uri,
        headers,
        body,
    })
}

fn path(tool: &Tool, arguments: &Arguments<'_>, faults: &mut Vec<Fault>) -> String {
    let mut path = String::new();
    for segment in tool.path {
        match segment {
            Segment::Literal(text) => path.push_str(text),
            Segment::Parameter(wire) => match path_value(tool, arguments, wire) {
                Ok(text) => path.push_str(&text),
                Err(fault) => faults.push(fault),
            },
        }
    }
    path
}

fn path_value(tool: &Tool, arguments: &Arguments<'_>, wire: &str) -> Result<String, Fault> {
    let argument = placed(tool, Place::Path).find(|argument| argument.wire == wire);
    if let Some((argument, value)) =
        argument.and_then(|argument| arguments.get(argument.name).map(|value| (argument, value)))
    {
        return serialization::path(form(argument), value)
            .map_err(|refusal| Fault::new(argument.name, refusal));
    }
    let fixed = tool
        .fixed
        .iter()
        .find(|fixed| fixed.place == Place::Path && fixed.wire == wire);
    let value = fixed.and_then(|fixed| serde_json::from_str::<&RawValue>(fixed.value).ok());
    let name = argument.map_or(wire, |argument| argument.name);
    let value = value.ok_or_else(|| Fault::new(name, "is missing"))?;
    serialization::path(plain_form(wire, Style::Simple), value)
        .map_err(|refusal| Fault::new(name, refusal))
}

fn query(tool: &Tool, arguments: &Arguments<'_>, faults: &mut Vec<Fault>) -> String {
    let mut pairs = Pairs::new(faults);
    for (wire, value) in fixed(tool, Place::Query) {
        pairs.add(
            wire,
            serialization::query(plain_form(wire, Style::Form), value),
        );
    }
    for (argument, value) in given(tool, arguments, Place::Query) {
        pairs.add(argument.name, serialization::query(form(argument), value));
    }
    pairs.written.join("&")
}

/// `name=value` pairs, and the faults of those that could not be written.
struct Pairs<'a> {
    written: Vec<String>,
    faults: &'a mut Vec<Fault>,
}

impl<'a> Pairs<'a> {
    fn new(faults: &'a mut Vec<Fault>) -> Self {
        Self {
            written: Vec::new(),
            faults,
        }
    }

    fn add(&mut self, shown: &str, pairs: Result<Vec<String>, serialization::Refusal>) {
        match pairs {
            Ok(pairs) => self.written.extend(pairs),
            Err(refusal) => self.faults.push(Fault::new(shown, refusal)),
        }
    }
}

fn headers(tool: &Tool, arguments: &Arguments<'_>, faults: &mut Vec<Fault>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut insert =
        |name: &str, shown: &str, text: Result<Option<String>, serialization::Refusal>| {
            let text = match text {
                Ok(Some(text)) => text,
                Ok(None) => return,
                Err(refusal) => return faults.push(Fault::new(shown, refusal)),
            };
            match (name.parse::<HeaderName>(), HeaderValue::from_str(&text)) {
                (Ok(name), Ok(value)) => drop(headers.insert(name, value)),
                _ => faults.push(Fault::new(shown, "cannot travel in a header")),
            }
        };
    for (wire, value) in fixed(tool, Place::Header) {
        insert(
            wire,
            wire,
            serialization::header(plain_form(wire, Style::Simple), value),
        );
    }
    for (argument, value) in given(tool, arguments, Place::Header) {
        insert(
            argument.wire,
            argument.name,
            serialization::header(form(argument), value),
        );
    }
    let cookies = cookies(tool, arguments, faults);
    // Every byte of it is encoded by now.
    if let (false, Ok(value)) = (cookies.is_empty(), HeaderValue::from_str(&cookies)) {
        headers.insert(COOKIE, value);
    }
    headers
}

fn cookies(tool: &Tool, arguments: &Arguments<'_>, faults: &mut Vec<Fault>) -> String {
    let mut pairs = Pairs::new(faults);
    for (wire, value) in fixed(tool, Place::Cookie) {
        pairs.add(
            wire,
            serialization::cookie(plain_form(wire, Style::Form), value),
        );
    }
    for (argument, value) in given(tool, arguments, Place::Cookie) {
        pairs.add(argument.name, serialization::cookie(form(argument), value));
    }
    pairs.written.join("; ")
}

/// The JSON body, put together from the texts that the client sent.
fn body(tool: &Tool, arguments: &Arguments<'_>) -> Option<Bytes> {
    match tool.body {
        Body::None => None,
        Body::Whole => given(tool, arguments, Place::Body)
            .next()
            .map(|(_, value)| Bytes::copy_from_slice(value.get().as_bytes())),
        Body::Fields { required } => {
            let mut object = ObjectText(vec![b'{']);
            for (wire, value) in fixed(tool, Place::BodyField) {
                object.push(wire, value);
            }
            for (argument, value) in given(tool, arguments, Place::BodyField) {
                object.push(argument.wire, value);
            }
            for (name, value) in arguments.undeclared(tool) {
                object.push(name, value);
            }
            (required || !object.is_empty()).then(|| object.close())
        }
    }
}

/// The text of a JSON object that is still open.
struct ObjectText(Vec<u8>);

impl ObjectText {
    fn push(&mut self, name: &str, value: &RawValue) {
        if !self.is_empty() {
            self.0.push(b',');
        }
        push_json_string(&mut self.0, name);
        self.0.push(b':');
        self.0.extend_from_slice(value.get().as_bytes());
    }

    fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    fn close(mut self) -> Bytes {
        self.0.push(b'}');
        self.0.into()
    }
}

fn placed(tool: &Tool, place: Place) -> impl Iterator<Item = &'static Argument> {
    tool.arguments
        .iter()
        .filter(move |argument| argument.place == place)
}

fn given<'a>(
    tool: &'a Tool,
    arguments: &'a Arguments<'_>,
    place: Place,
) -> impl Iterator<Item = (&'static Argument, &'a RawValue)> {
    placed(tool, place)
        .filter_map(|argument| arguments.get(argument.name).map(|value| (argument, value)))
}

fn fixed(tool: &Tool, place: Place) -> impl Iterator<Item = (&'static str, &'static RawValue)> {
    tool.fixed
        .iter()
        .filter(move |fixed| fixed.place == place)
        .filter_map(|fixed| {
            serde_json::from_str(fixed.value)
                .ok()
                .map(|value| (fixed.wire, value))
        })
}

fn form(argument: &Argument) -> Form<'static> {
    Form {
        name: argument.wire,
        style: argument.style,
        explode: argument.explode,
        allow_reserved: argument.allow_reserved,
    }
}

fn plain_form(wire: &str, style: Style) -> Form<'_> {
    Form {
        name: wire,
        style,
        explode: style == Style::Form,
        allow_reserved: false,
    }
}
