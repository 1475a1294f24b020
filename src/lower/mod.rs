//! Document → Api: what a server could offer, in MCP's own schema dialect.
//!
//! The document is brought to one shape as JSON, operation by operation; `openapiv3` types that shape, and schemas
//! never pass through it: they stay raw JSON and become JSON Schema 2020-12.

mod fault;
mod keyword;
mod node;
mod operation;
mod parameter;
mod reference;
mod schema;
mod security;
mod server;
mod shape;

use serde_json::Value;

use crate::diagnostics::{Diagnostics, Location};
use crate::load::Document;
use crate::model::{Api, OperationKey};

use fault::{Fault, LeftOut};
use operation::Pending;
use reference::{Target, escape};
use schema::Schemas;

/// Methods of a path item, in the order in which diagnostics of one path are sorted anyway.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// What one run of `lower` reads and reports to.
struct Lowering<'a, 'd> {
    diagnostics: &'a mut Diagnostics,
    file: &'d str,
    root: &'d Value,
    schemas: Schemas<'d>,
    left_out: LeftOut,
    /// Security names that were reported as undefined.
    undefined_security: Vec<String>,
}

impl Lowering<'_, '_> {
    fn warn(&mut self, code: &'static str, pointer: &str, message: impl Into<String>, help: &str) {
        let at = Location::at(self.file, pointer);
        self.diagnostics.warning(code, at, message, help);
    }
}

/// Turns a document into the API that a server may offer.
///
/// An operation that cannot become a tool is left out and reported; it never stops the others.
pub fn lower(diagnostics: &mut Diagnostics, document: &Document) -> Api {
    let mut lowering = Lowering {
        diagnostics,
        file: &document.file,
        root: &document.value,
        schemas: Schemas::new(&document.value),
        left_out: LeftOut::default(),
        undefined_security: Vec::new(),
    };
    let mut api = lowering.info();
    api.servers = lowering.servers(document.value.get("servers"), "/servers");
    let pending = lowering.paths(&mut api);
    let Lowering {
        diagnostics,
        file,
        schemas,
        mut left_out,
        ..
    } = lowering;
    let (definitions, causes) = schemas.finish(diagnostics, file);
    api.definitions = definitions;
    api.operations = pending
        .into_iter()
        .filter_map(|pending| pending.settle(&causes, &mut left_out))
        .collect();
    left_out.report(diagnostics, file);
    api
}

impl<'d> Lowering<'_, 'd> {
    fn info(&mut self) -> Api {
        let info = self.root.get("info");
        if info.and_then(Value::as_object).is_none() {
            self.warn(
                "info-missing",
                "/info",
                "the document has no `info`",
                "give it `info: {title: …, version: …}`",
            );
        }
        let text = |name: &str| {
            info.and_then(|info| info.get(name))
                .map(shown)
                .unwrap_or_default()
        };
        Api {
            title: text("title"),
            version: text("version"),
            description: text("description"),
            ..Api::default()
        }
    }

    fn paths(&mut self, api: &mut Api) -> Vec<Pending> {
        let root = self.root;
        let paths = root.get("paths").and_then(Value::as_object);
        let Some(paths) = paths.filter(|paths| !paths.is_empty()) else {
            self.warn(
                "no-operations",
                "/paths",
                "the document has no path in `paths`, so there is nothing to offer",
                "",
            );
            return Vec::new();
        };
        let mut pending = Vec::new();
        for (path, item) in paths {
            if path.starts_with("x-") {
                continue;
            }
            let pointer = format!("/paths/{}", escape(path));
            if !path.starts_with('/') {
                self.warn(
                    "path-invalid",
                    &pointer,
                    format!("path `{path}` does not start with `/` and is left out"),
                    "",
                );
                continue;
            }
            match reference::resolve(root, item, &pointer) {
                Ok(item) => self.path(path, &item, api, &mut pending),
                Err(fault) => self.left_out.push(fault, path.clone()),
            }
        }
        pending
    }

    fn path(&mut self, path: &str, item: &Target<'d>, api: &mut Api, pending: &mut Vec<Pending>) {
        let Some(map) = item.value.as_object() else {
            self.warn(
                "path-invalid",
                &item.pointer,
                format!("path `{path}` is not a mapping of methods and is left out"),
                "",
            );
            return;
        };
        for (name, value) in map {
            if !METHODS.contains(&name.as_str()) {
                self.path_key(name, &item.pointer);
                continue;
            }
            let key = OperationKey {
                method: name.to_uppercase(),
                path: path.to_owned(),
                id: value
                    .get("operationId")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            };
            api.all_operations.push(key.clone());
            let target = Target {
                value,
                pointer: format!("{}/{name}", item.pointer),
            };
            let join_key = key.join_key();
            let lowered = if name == "trace" {
                Err(Fault::new(
                    "unsupported-method",
                    &target.pointer,
                    "TRACE echoes credentials and is never offered",
                    "",
                ))
            } else {
                self.operation(key, item, &target)
            };
            match lowered {
                Ok(operation) => pending.push(operation),
                Err(fault) => self.left_out.push(fault, join_key),
            }
        }
    }
}

impl Lowering<'_, '_> {
    /// A key that is no method must be one that belongs to paths: `GET` would be lost in silence.
    fn path_key(&mut self, name: &str, pointer: &str) {
        let is_known = matches!(
            name,
            "summary" | "description" | "servers" | "parameters" | "$ref"
        );
        if !is_known && !name.starts_with("x-") {
            let lower = name.to_lowercase();
            let help = if METHODS.contains(&lower.as_str()) {
                format!("did you mean `{lower}`?")
            } else {
                String::new()
            };
            self.warn(
                "path-key-unknown",
                &format!("{pointer}/{}", escape(name)),
                format!("`{name}` is no method that can be offered and is left out"),
                &help,
            );
        }
    }
}

/// A scalar as text: `version: 1.0` is written without quotes often enough.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
#[allow(clippy::too_many_lines)] // tables
mod tests;
