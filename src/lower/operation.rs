//! One operation: shape, typed by `openapiv3`, with its schemas converted.

use openapiv3::{MediaType, ParameterSchemaOrContent, ReferenceOr, Schema, StatusCode};
use serde_json::{Value, json};

use crate::load::pointer_of;
use crate::model::{Body, Operation, OperationKey, Response};

use super::Lowering;
use super::fault::{Fault, LeftOut};
use super::parameter::{self, to_model};
use super::reference::Target;
use super::schema::{Causes, Id};
use super::shape::Shape;

/// An operation whose references are not all known to be sound yet.
pub(super) struct Pending {
    operation: Operation,
    /// Definitions that its arguments need.
    refs: Vec<Id>,
    /// Definitions that each answer needs.
    answers: Vec<Vec<Id>>,
    /// Answers whose own schema is faulty.
    faults: Vec<Fault>,
}

impl Pending {
    /// The operation, unless its arguments need what cannot be used.
    pub(super) fn settle(mut self, causes: &Causes, left_out: &mut LeftOut) -> Option<Operation> {
        let join_key = self.operation.key.join_key();
        if let Some(fault) = causes.of(&self.refs) {
            left_out.push(fault.clone(), join_key);
            return None;
        }
        for fault in self.faults {
            left_out.push_answer(fault, join_key.clone());
        }
        for (response, refs) in self.operation.responses.iter_mut().zip(&self.answers) {
            if let Some(fault) = causes.of(refs) {
                response.schema = None;
                left_out.push_answer(fault.clone(), join_key.clone());
            }
        }
        Some(self.operation)
    }
}

impl<'d> Lowering<'_, 'd> {
    /// Lowers one operation.
    pub(super) fn operation(
        &mut self,
        key: OperationKey,
        item: &Target<'d>,
        source: &Target<'d>,
    ) -> Result<Pending, Fault> {
        let mut shape = self.shape(&key.path, item, source)?;
        let value = Value::Object(std::mem::take(&mut shape.value));
        let typed: openapiv3::Operation = serde_path_to_error::deserialize(value)
            .map_err(|error| invalid(&error, &shape, source))?;
        let mut pending = Pending {
            operation: Operation {
                key,
                summary: typed.summary.clone().unwrap_or_default(),
                description: typed.description.clone().unwrap_or_default(),
                tags: typed.tags.clone(),
                deprecated: typed.deprecated,
                server: self.own_server(item, source),
                scopes: self.scopes(typed.security.as_ref(), &source.pointer),
                pointer: source.pointer.clone(),
                ..Operation::default()
            },
            refs: Vec::new(),
            answers: Vec::new(),
            faults: Vec::new(),
        };
        self.typed_parameters(&typed, &shape, &mut pending)?;
        self.typed_body(&typed, &shape, &mut pending)?;
        self.typed_responses(&typed, &shape, &mut pending);
        Ok(pending)
    }

    /// Base address of the operation, or of its path.
    fn own_server(&mut self, item: &Target<'d>, source: &Target<'d>) -> Option<String> {
        [source, item].into_iter().find_map(|owner| {
            let servers = owner.value.get("servers")?;
            let at = format!("{}/servers", owner.pointer);
            self.servers(Some(servers), &at).into_iter().next()
        })
    }

    fn typed_parameters(
        &mut self,
        typed: &openapiv3::Operation,
        shape: &Shape<'d>,
        pending: &mut Pending,
    ) -> Result<(), Fault> {
        let items = typed.parameters.iter().filter_map(ReferenceOr::as_item);
        for (item, pointer) in items.zip(&shape.parameters) {
            let mut model = to_model(item, pointer);
            let number = match &parameter::data(item).format {
                ParameterSchemaOrContent::Schema(schema) => number_of(Some(schema)),
                ParameterSchemaOrContent::Content(content) => first_schema(content),
            };
            let (schema, refs) = self.hoisted(number, shape)?;
            model.schema = schema;
            pending.refs.extend(refs);
            pending.operation.parameters.push(model);
        }
        Ok(())
    }

    fn typed_body(
        &mut self,
        typed: &openapiv3::Operation,
        shape: &Shape<'d>,
        pending: &mut Pending,
    ) -> Result<(), Fault> {
        let Some(body) = typed.request_body.as_ref().and_then(ReferenceOr::as_item) else {
            return Ok(());
        };
        let (schema, refs) = self.hoisted(first_schema(&body.content), shape)?;
        pending.refs.extend(refs);
        pending.operation.body = Some(Body {
            required: body.required,
            media_type: body.content.keys().next().cloned().unwrap_or_default(),
            description: body.description.clone().unwrap_or_default(),
            schema,
            pointer: shape.body.clone(),
        });
        Ok(())
    }

    fn typed_responses(
        &mut self,
        typed: &openapiv3::Operation,
        shape: &Shape<'d>,
        pending: &mut Pending,
    ) {
        let coded = typed.responses.responses.iter().map(|(status, response)| {
            let status = match status {
                StatusCode::Code(code) => code.to_string(),
                StatusCode::Range(class) => format!("{class}XX"),
            };
            (status, response)
        });
        let default = typed
            .responses
            .default
            .iter()
            .map(|response| ("default".to_owned(), response));
        for (status, response) in coded.chain(default) {
            let Some(response) = response.as_item() else {
                continue;
            };
            let number = response
                .content
                .values()
                .find_map(|media| number_of(media.schema.as_ref()));
            let (schema, refs) = match number.map(|number| self.hoisted(Some(number), shape)) {
                Some(Ok((schema, refs))) => (Some(schema), refs),
                Some(Err(fault)) => {
                    pending.faults.push(fault);
                    (None, Vec::new())
                }
                None => (None, Vec::new()),
            };
            pending.answers.push(refs);
            pending.operation.responses.push(Response {
                status,
                description: response.description.clone(),
                media_types: response.content.keys().cloned().collect(),
                schema,
            });
        }
    }

    /// Converts a schema that was put aside.
    fn hoisted(
        &mut self,
        number: Option<usize>,
        shape: &Shape<'d>,
    ) -> Result<(Value, Vec<Id>), Fault> {
        let Some(hoisted) = number.and_then(|number| shape.schemas.get(number)) else {
            return Ok((json!({}), Vec::new()));
        };
        let converted = self.schemas.convert(
            self.diagnostics,
            self.file,
            &hoisted.schema,
            &hoisted.pointer,
        )?;
        Ok((converted.value, converted.refs))
    }
}

/// The number behind a stand-in.
fn number_of(schema: Option<&ReferenceOr<Schema>>) -> Option<usize> {
    match schema? {
        ReferenceOr::Reference { reference } => reference.strip_prefix("#/")?.parse().ok(),
        ReferenceOr::Item(_) => None,
    }
}

fn first_schema(content: &indexmap::IndexMap<String, MediaType>) -> Option<usize> {
    number_of(content.values().next()?.schema.as_ref())
}

/// What `openapiv3` said, at the node of the document.
fn invalid(
    error: &serde_path_to_error::Error<serde_json::Error>,
    shape: &Shape<'_>,
    source: &Target<'_>,
) -> Fault {
    let pointer = pointer_of(error.path());
    let mut segments = pointer.split('/').skip(1);
    let at = match (segments.next(), segments.next()) {
        (Some("parameters"), Some(i)) => i
            .parse()
            .ok()
            .and_then(|i: usize| shape.parameters.get(i))
            .cloned(),
        (Some("requestBody"), _) => Some(shape.body.clone()),
        _ => None,
    };
    let at = at.unwrap_or_else(|| format!("{}{pointer}", source.pointer));
    Fault::new("operation-invalid", &at, error.inner().to_string(), "")
}
