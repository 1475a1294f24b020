//! Parameters: those of the path and of the operation together, matched with the path's template.

use std::borrow::Cow;

use openapiv3::{
    CookieStyle, HeaderStyle, Parameter as Typed, ParameterData, PathStyle, QueryStyle,
};
use serde_json::{Map, Value, json};

use crate::model::{Parameter, ParameterLocation, ParameterStyle};

use super::Lowering;
use super::fault::Fault;
use super::reference::{Target, escape};
use super::shape::{Shape, json_of};

/// Headers that OpenAPI wants ignored when they are declared as parameters.
const RESERVED_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// A parameter of the document, references followed.
pub(super) struct ParameterSource<'d> {
    pub(super) name: String,
    location: String,
    /// Declared by the operation, not by its path.
    pub(super) is_own: bool,
    target: Target<'d>,
}

impl<'d> ParameterSource<'d> {
    pub(super) fn new(target: Target<'d>, is_own: bool) -> Result<Self, Fault> {
        let text = |key: &str| {
            target
                .value
                .get(key)
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or_else(|| {
                    Fault::new(
                        "parameter-invalid",
                        &target.pointer,
                        format!("this parameter has no `{key}`"),
                        "a parameter needs `name`, `in` and `schema`",
                    )
                })
        };
        let (name, location) = (text("name")?, text("in")?);
        Ok(Self {
            name,
            location,
            is_own,
            target,
        })
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.name == other.name && self.location == other.location
    }

    fn is_reserved(&self) -> bool {
        self.location == "header"
            && RESERVED_HEADERS.contains(&self.name.to_ascii_lowercase().as_str())
    }
}

impl<'d> Lowering<'_, 'd> {
    /// Shapes the parameters, so that those of the path are exactly those of its template.
    pub(super) fn parameters(
        &mut self,
        path: &str,
        sources: Vec<ParameterSource<'d>>,
        shape: &mut Shape<'d>,
    ) -> Result<(), Fault> {
        let path_pointer = format!("/paths/{}", escape(path));
        let mut undeclared = template(path, &path_pointer)?;
        let mut parameters = Vec::new();
        for source in sources {
            if source.is_reserved() {
                continue;
            }
            if source.location == "path" {
                match undeclared.iter().position(|name| *name == source.name) {
                    Some(i) => {
                        undeclared.remove(i);
                    }
                    None => {
                        self.warn(
                            "path-parameter-unused",
                            &source.target.pointer,
                            format!(
                                "`{path}` has no `{{{}}}`; this parameter is left out",
                                source.name
                            ),
                            "correct the name, or remove it",
                        );
                        continue;
                    }
                }
            }
            if let Some(parameter) = self.parameter_shape(&source, shape)? {
                parameters.push(parameter);
                shape.parameters.push(source.target.pointer);
            }
        }
        for name in undeclared {
            self.warn(
                "path-parameter-undeclared",
                &path_pointer,
                format!("`{{{name}}}` is not declared; it is taken for a required text"),
                "declare it under `parameters` with `in: path`",
            );
            let pointer = format!("{path_pointer}/{{{}}}", escape(&name));
            let schema = shape.hoist(Cow::Owned(json!({"type": "string"})), pointer);
            parameters
                .push(json!({"name": name, "in": "path", "required": true, "schema": schema}));
            shape.parameters.push(path_pointer.clone());
        }
        shape
            .value
            .insert("parameters".to_owned(), Value::Array(parameters));
        Ok(())
    }

    /// One parameter in one shape; none when it can be done without and cannot be sent.
    fn parameter_shape(
        &mut self,
        source: &ParameterSource<'d>,
        shape: &mut Shape<'d>,
    ) -> Result<Option<Value>, Fault> {
        let value = source.target.value;
        let pointer = &source.target.pointer;
        let mut out = Map::new();
        for key in [
            "name",
            "in",
            "description",
            "required",
            "explode",
            "allowReserved",
        ] {
            if let Some(member) = value.get(key).filter(|member| !member.is_null()) {
                out.insert(key.to_owned(), member.clone());
            }
        }
        if source.location == "path" {
            out.insert("required".to_owned(), Value::Bool(true));
        }
        self.style(source, &mut out);
        let content = value.get("content").and_then(Value::as_object);
        if let Some(content) = content.filter(|_| value.get("schema").is_none()) {
            let Some((name, media)) = json_of(content) else {
                return self.unsendable(source, content).map(|()| None);
            };
            let at = format!("{pointer}/content/{}/schema", escape(name));
            let schema = match media.get("schema") {
                Some(schema) => Cow::Borrowed(schema),
                None => Cow::Owned(json!({})),
            };
            let stand_in = shape.hoist(schema, at);
            out.insert(
                "content".to_owned(),
                json!({"application/json": {"schema": stand_in}}),
            );
        } else {
            let (schema, at) = self.parameter_schema(value, pointer);
            let stand_in = shape.hoist(schema, at);
            out.insert("schema".to_owned(), stand_in);
        }
        Ok(Some(Value::Object(out)))
    }

    fn unsendable(
        &mut self,
        source: &ParameterSource<'d>,
        content: &Map<String, Value>,
    ) -> Result<(), Fault> {
        let types: Vec<String> = content.keys().map(|name| format!("`{name}`")).collect();
        let fault = Fault::new(
            "unsupported-media-type",
            &source.target.pointer,
            format!(
                "parameter `{}` of type {} cannot be sent",
                source.name,
                types.join(", ")
            ),
            "describe it by `schema`, or by `content: {application/json: …}`",
        );
        if source.location == "path"
            || source.target.value.get("required") == Some(&Value::Bool(true))
        {
            return Err(fault);
        }
        let message = format!("{}; it is left out", fault.message);
        self.warn(fault.code, &fault.pointer, message, &fault.help);
        Ok(())
    }

    /// The style, where the location knows it.
    fn style(&mut self, source: &ParameterSource<'d>, out: &mut Map<String, Value>) {
        let Some(style) = source
            .target
            .value
            .get("style")
            .filter(|style| !style.is_null())
        else {
            return;
        };
        let known: &[&str] = match source.location.as_str() {
            "path" => &["simple", "label", "matrix"],
            "query" => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
            "header" => &["simple"],
            _ => &["form"],
        };
        if style.as_str().is_some_and(|style| known.contains(&style)) {
            out.insert("style".to_owned(), style.clone());
        } else {
            self.warn(
                "style-unknown",
                &format!("{}/style", source.target.pointer),
                format!(
                    "a {} parameter has no style `{}`; the default is used",
                    source.location,
                    super::shown(style)
                ),
                &format!("one of {}", known.join(", ")),
            );
        }
    }

    /// The schema of a parameter; keywords beside `name` are Swagger 2.0 and are read as its schema.
    fn parameter_schema(&mut self, value: &'d Value, pointer: &str) -> (Cow<'d, Value>, String) {
        if let Some(schema) = value.get("schema") {
            return (Cow::Borrowed(schema), format!("{pointer}/schema"));
        }
        let own: Map<String, Value> = value
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(key, _)| {
                matches!(
                    key.as_str(),
                    "type"
                        | "format"
                        | "enum"
                        | "items"
                        | "default"
                        | "minimum"
                        | "maximum"
                        | "minLength"
                        | "maxLength"
                        | "pattern"
                )
            })
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let schema = if own.contains_key("type") {
            Value::Object(own)
        } else {
            json!({"type": "string"})
        };
        self.warn(
            "schema-missing",
            pointer,
            format!("this parameter has no schema; `{schema}` is assumed"),
            "give it a `schema`",
        );
        (Cow::Owned(schema), pointer.to_owned())
    }
}

/// The names in a path's template, without repetitions.
fn template(path: &str, pointer: &str) -> Result<Vec<String>, Fault> {
    let fault = |message: String| Err(Fault::new("path-invalid", pointer, message, ""));
    if path.contains(['?', '#']) {
        return fault(format!(
            "path `{path}` holds a query or fragment, which belongs in parameters"
        ));
    }
    let mut names: Vec<String> = Vec::new();
    let mut rest = path;
    while let Some(i) = rest.find(['{', '}']) {
        let inner = rest.get(i + 1..).unwrap_or_default();
        let Some(end) = inner.find(['{', '}']).filter(|end| {
            *end > 0
                && rest.as_bytes().get(i) == Some(&b'{')
                && inner.as_bytes().get(*end) == Some(&b'}')
        }) else {
            return fault(format!("the braces of path `{path}` do not match"));
        };
        let name = inner.get(..end).unwrap_or_default();
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    Ok(names)
}

/// A typed parameter in the words of the model; its schema follows.
pub(super) fn to_model(typed: &Typed, pointer: &str) -> Parameter {
    use ParameterLocation::{Cookie, Header, Path, Query};
    let (data, location, style, allow_reserved) = match typed {
        Typed::Query {
            parameter_data,
            allow_reserved,
            style,
            ..
        } => {
            let style = match style {
                QueryStyle::Form => ParameterStyle::Form,
                QueryStyle::SpaceDelimited => ParameterStyle::SpaceDelimited,
                QueryStyle::PipeDelimited => ParameterStyle::PipeDelimited,
                QueryStyle::DeepObject => ParameterStyle::DeepObject,
            };
            (parameter_data, Query, style, *allow_reserved)
        }
        Typed::Header {
            parameter_data,
            style: HeaderStyle::Simple,
        } => (parameter_data, Header, ParameterStyle::Simple, false),
        Typed::Path {
            parameter_data,
            style,
        } => {
            let style = match style {
                PathStyle::Matrix => ParameterStyle::Matrix,
                PathStyle::Label => ParameterStyle::Label,
                PathStyle::Simple => ParameterStyle::Simple,
            };
            (parameter_data, Path, style, false)
        }
        Typed::Cookie {
            parameter_data,
            style: CookieStyle::Form,
        } => (parameter_data, Cookie, ParameterStyle::Form, false),
    };
    let is_json = matches!(data.format, openapiv3::ParameterSchemaOrContent::Content(_));
    let style = if is_json { ParameterStyle::Json } else { style };
    let explode = data.explode.unwrap_or(matches!(
        style,
        ParameterStyle::Form | ParameterStyle::DeepObject
    ));
    Parameter {
        name: data.name.clone(),
        location,
        required: data.required,
        description: data.description.clone().unwrap_or_default(),
        schema: Value::Bool(true),
        style,
        explode,
        allow_reserved,
        pointer: pointer.to_owned(),
    }
}

/// The data of a parameter, whatever its location.
pub(super) fn data(typed: &Typed) -> &ParameterData {
    typed.parameter_data_ref()
}

#[cfg(test)]
mod tests {
    use super::template;

    #[test]
    fn template_names() {
        for (path, want) in [
            ("/a", Some(vec![])),
            ("/a/{id}/b/{id}/{x.y}.json", Some(vec!["id", "x.y"])),
            ("/a/{id", None),
            ("/a/}{", None),
            ("/a/{}", None),
            ("/a/{b{c}}", None),
            ("/a?b={c}", None),
        ] {
            assert_eq!(
                template(path, "").ok(),
                want.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>()),
                "{path}"
            );
        }
    }
}
