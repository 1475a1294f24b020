//! `servers` → base addresses.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::Lowering;

impl Lowering<'_, '_> {
    /// Base addresses in order, with variables filled; a faulty entry is reported and left out.
    pub(super) fn servers(&mut self, servers: Option<&Value>, pointer: &str) -> Vec<String> {
        let mut urls = Vec::new();
        for (i, server) in servers
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .enumerate()
        {
            let at = format!("{pointer}/{i}");
            match serde_path_to_error::deserialize::<_, openapiv3::Server>(shape(server)) {
                Ok(server) => {
                    if let Some(url) = self.filled(&server, &at)
                        && !urls.contains(&url)
                    {
                        urls.push(url);
                    }
                }
                Err(error) => self.warn(
                    "server-invalid",
                    &at,
                    format!("this server is left out: {}", error.inner()),
                    "write `url: https://…`",
                ),
            }
        }
        urls
    }

    fn filled(&mut self, server: &openapiv3::Server, at: &str) -> Option<String> {
        let empty = IndexMap::new();
        let variables = server.variables.as_ref().unwrap_or(&empty);
        let mut url = server.url.clone();
        for (name, variable) in variables {
            url = url.replace(&format!("{{{name}}}"), &variable.default);
        }
        if url.contains(['{', '}']) {
            self.warn(
                "server-invalid",
                at,
                format!("`{url}` has a variable without default and is left out"),
                "give the variable a `default`",
            );
            return None;
        }
        let url = url.trim_end_matches('/').to_owned();
        let is_absolute = url.starts_with("https://") || url.starts_with("http://");
        if !is_absolute {
            self.warn(
                "server-relative",
                at,
                format!("`{}` is not an absolute address", server.url),
                "set `upstream.base_url` in the overlay",
            );
        }
        Some(url)
    }
}

/// A server in the shape of 3.0, with the members that matter here.
fn shape(server: &Value) -> Value {
    let variables: Map<String, Value> = server
        .get("variables")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(name, variable)| {
            let default = variable
                .get("default")
                .or_else(|| variable.get("enum")?.get(0))?;
            let default = match default {
                Value::Number(number) => Value::String(number.to_string()),
                other => other.clone(),
            };
            Some((name.clone(), json!({"default": default})))
        })
        .collect();
    json!({"url": server.get("url"), "variables": variables})
}
