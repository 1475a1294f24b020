//! One operation of the document → the shape of OpenAPI 3.0 without references, extensions, examples and schemas.
//!
//! Schemas are put aside and stand as `{"$ref": "#/<number>"}`, so that nothing in them is lost on the way through
//! `openapiv3`.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::Lowering;
use super::fault::Fault;
use super::parameter::ParameterSource;
use super::reference::{Target, escape, resolve};

/// A schema that was put aside.
pub(super) struct Hoisted<'d> {
    pub(super) schema: Cow<'d, Value>,
    pub(super) pointer: String,
}

/// An operation in one shape.
#[derive(Default)]
pub(super) struct Shape<'d> {
    pub(super) value: Map<String, Value>,
    pub(super) schemas: Vec<Hoisted<'d>>,
    /// Where each parameter stands.
    pub(super) parameters: Vec<String>,
    /// Where the body stands.
    pub(super) body: String,
}

impl<'d> Shape<'d> {
    /// Puts a schema aside and gives what stands for it.
    pub(super) fn hoist(&mut self, schema: Cow<'d, Value>, pointer: String) -> Value {
        let stand_in = json!({"$ref": format!("#/{}", self.schemas.len())});
        self.schemas.push(Hoisted { schema, pointer });
        stand_in
    }
}

impl<'d> Lowering<'_, 'd> {
    /// Brings an operation to one shape.
    pub(super) fn shape(
        &mut self,
        path: &str,
        item: &Target<'d>,
        operation: &Target<'d>,
    ) -> Result<Shape<'d>, Fault> {
        let Some(map) = operation.value.as_object() else {
            return Err(Fault::new(
                "operation-invalid",
                &operation.pointer,
                "this operation is not a mapping",
                "",
            ));
        };
        let mut shape = Shape::default();
        for key in [
            "tags",
            "summary",
            "description",
            "operationId",
            "deprecated",
            "security",
        ] {
            let is_flag = key != "deprecated" || map.get(key).is_some_and(Value::is_boolean);
            if let Some(value) = map.get(key).filter(|value| !value.is_null() && is_flag) {
                shape.value.insert(key.to_owned(), value.clone());
            }
        }
        let sources = self.parameter_sources(item, operation)?;
        self.parameters(path, sources, &mut shape)?;
        if let Some(body) = map.get("requestBody").filter(|body| !body.is_null()) {
            self.body(body, operation, &mut shape)?;
        }
        let responses = self.responses(map.get("responses"), operation, &mut shape);
        shape.value.insert("responses".to_owned(), responses);
        Ok(shape)
    }

    fn parameter_sources(
        &mut self,
        item: &Target<'d>,
        operation: &Target<'d>,
    ) -> Result<Vec<ParameterSource<'d>>, Fault> {
        let mut sources: Vec<ParameterSource<'d>> = Vec::new();
        for (owner, is_own) in [(item, false), (operation, true)] {
            let list = owner.value.get("parameters");
            if list.is_some_and(|list| !list.is_array() && !list.is_null()) {
                let at = format!("{}/parameters", owner.pointer);
                return Err(Fault::new(
                    "operation-invalid",
                    &at,
                    "`parameters` is not a list",
                    "",
                ));
            }
            for (i, value) in list
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .enumerate()
            {
                let pointer = format!("{}/parameters/{i}", owner.pointer);
                let target = resolve(self.root, value, &pointer)?;
                let source = ParameterSource::new(target, is_own)?;
                let twin = sources.iter().position(|other| other.is_same(&source));
                match twin.and_then(|i| sources.get(i).map(|other| (i, other.is_own))) {
                    Some((i, false)) if is_own => {
                        sources.remove(i);
                        sources.push(source);
                    }
                    Some(_) => self.warn(
                        "parameter-twice",
                        &pointer,
                        format!(
                            "parameter `{}` is declared twice; the first counts",
                            source.name
                        ),
                        "",
                    ),
                    None => sources.push(source),
                }
            }
        }
        Ok(sources)
    }

    fn body(
        &mut self,
        body: &'d Value,
        operation: &Target<'d>,
        shape: &mut Shape<'d>,
    ) -> Result<(), Fault> {
        let body = resolve(
            self.root,
            body,
            &format!("{}/requestBody", operation.pointer),
        )?;
        let content = body.value.get("content").and_then(Value::as_object);
        let Some(content) = content.filter(|content| !content.is_empty()) else {
            self.warn(
                "body-without-content",
                &body.pointer,
                "this request body has no `content`, so nothing is sent",
                "give it `content: {application/json: {schema: …}}`",
            );
            return Ok(());
        };
        let Some((name, media)) = json_of(content) else {
            if is_empty_body(body.value, content) {
                return Ok(());
            }
            let types: Vec<String> = content.keys().map(|name| format!("`{name}`")).collect();
            return Err(Fault::new(
                "unsupported-media-type",
                &body.pointer,
                format!("a body of type {} cannot be sent yet", types.join(", ")),
                "give it an `application/json` body as well, or leave the operation out of the overlay",
            ));
        };
        let (schema, pointer) =
            self.media_schema(media, &format!("{}/content/{}", body.pointer, escape(name)));
        let stand_in = shape.hoist(schema, pointer);
        let mut out = Map::new();
        for key in ["description", "required"] {
            if let Some(value) = body.value.get(key).filter(|value| !value.is_null()) {
                out.insert(key.to_owned(), value.clone());
            }
        }
        let name = if name.contains('*') {
            "application/json"
        } else {
            name
        };
        out.insert("content".to_owned(), json!({name: {"schema": stand_in}}));
        shape
            .value
            .insert("requestBody".to_owned(), Value::Object(out));
        shape.body = body.pointer;
        Ok(())
    }

    /// The schema of a media type; without one anything is accepted.
    fn media_schema(&mut self, media: &'d Value, pointer: &str) -> (Cow<'d, Value>, String) {
        let at = format!("{pointer}/schema");
        match media.get("schema") {
            Some(schema) => (Cow::Borrowed(schema), at),
            None => {
                self.warn(
                    "schema-missing",
                    pointer,
                    "this body has no schema, so anything is accepted",
                    "give it a `schema`",
                );
                (Cow::Owned(json!({})), at)
            }
        }
    }

    /// Answers never cost the operation: one that cannot be read is reported and left out.
    fn responses(
        &mut self,
        responses: Option<&'d Value>,
        operation: &Target<'d>,
        shape: &mut Shape<'d>,
    ) -> Value {
        let mut out = Map::new();
        let responses = responses.and_then(Value::as_object);
        for (status, value) in responses.into_iter().flatten() {
            if status.starts_with("x-") {
                continue;
            }
            let pointer = format!("{}/responses/{}", operation.pointer, escape(status));
            let known = status_of(status);
            let target = resolve(self.root, value, &pointer);
            match (known, target) {
                (Some(status), Ok(target)) if target.value.is_object() => {
                    let response = response(&target, shape);
                    out.insert(status, response);
                }
                (None, _) => self.warn(
                    "response-invalid",
                    &pointer,
                    format!("`{status}` is not a status; this answer is left out"),
                    "write a status such as `200`, `4XX` or `default`",
                ),
                (_, Ok(_)) => self.warn(
                    "response-invalid",
                    &pointer,
                    "this answer is not a mapping and is left out",
                    "",
                ),
                (_, Err(fault)) => {
                    let message = format!("{}; this answer is left out", fault.message);
                    self.warn(fault.code, &fault.pointer, message, &fault.help);
                }
            }
        }
        Value::Object(out)
    }
}

fn response<'d>(target: &Target<'d>, shape: &mut Shape<'d>) -> Value {
    let description = target.value.get("description").and_then(Value::as_str);
    let content = target.value.get("content").and_then(Value::as_object);
    let schema = content.and_then(json_of).and_then(|(name, media)| {
        let pointer = format!("{}/content/{}/schema", target.pointer, escape(name));
        Some((
            name,
            shape.hoist(Cow::Borrowed(media.get("schema")?), pointer),
        ))
    });
    let mut media_types = Map::new();
    for name in content.into_iter().flatten().map(|(name, _)| name) {
        let media = match &schema {
            Some((json, schema)) if *json == name => json!({"schema": schema}),
            _ => json!({}),
        };
        media_types.insert(name.clone(), media);
    }
    json!({"description": description.unwrap_or_default(), "content": media_types})
}

/// Whether an optional body declares that it holds nothing, as some generators write beside every GET.
fn is_empty_body(body: &Value, content: &Map<String, Value>) -> bool {
    body.get("required") != Some(&Value::Bool(true))
        && content.values().all(|media| {
            let schema = media.get("schema").and_then(Value::as_object);
            schema.is_some_and(|schema| {
                let properties = schema.get("properties").and_then(Value::as_object);
                schema.get("type").and_then(Value::as_str) == Some("object")
                    && properties.is_some_and(Map::is_empty)
                    && schema.keys().all(|key| {
                        matches!(
                            key.as_str(),
                            "type"
                                | "properties"
                                | "title"
                                | "description"
                                | "additionalProperties"
                        )
                    })
            })
        })
}

/// The JSON entry of a `content`: `application/json` before its relatives.
pub(super) fn json_of(content: &Map<String, Value>) -> Option<(&str, &Value)> {
    let rank = |name: &str| {
        let essence = name
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        match essence.as_str() {
            "application/json" => Some(0),
            "text/json" => Some(1),
            "*/*" | "application/*" => Some(2),
            other if other.ends_with("+json") => Some(1),
            _ => None,
        }
    };
    content
        .iter()
        .filter_map(|(name, media)| Some((rank(name)?, name.as_str(), media)))
        .min_by_key(|(rank, ..)| *rank)
        .map(|(_, name, media)| (name, media))
}

/// A status in one spelling.
fn status_of(status: &str) -> Option<String> {
    let is_code = |digits: &str| digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit());
    match status {
        "default" => Some(status.to_owned()),
        code if is_code(code) => Some(code.to_owned()),
        class if is_code(&class.to_ascii_uppercase().replace("XX", "00")) => {
            Some(class.to_ascii_uppercase())
        }
        _ => None,
    }
}
