//! Query → one page of records, or `VALIDATION_ERROR` with every fault by parameter.

use serde_json::{Map, Value, json};

use super::super::http::{Request, Response};
use super::{Answer, detailed};

/// A parameter and which values it takes.
pub(super) type Parameter = (&'static str, fn(&str) -> bool);

/// The query of a list, checked.
pub(super) struct Query {
    pairs: Vec<(String, String)>,
    limit: usize,
    start: usize,
}

impl Query {
    /// Checks `limit` and `cursor`, and that every other parameter is one of these, with a value that its check takes.
    pub(super) fn read(request: &Request, known: &[Parameter]) -> Result<Self, Response> {
        let pairs = request.query_pairs();
        let mut faults = Map::new();
        for (name, value) in &pairs {
            let fault = match known.iter().find(|(key, _)| key == name) {
                Some((_, is_good)) if is_good(value) => continue,
                Some(_) => "has a value that is not accepted",
                None if name == "limit" && read_limit(value).is_some() => continue,
                None if name == "limit" => "must be an integer from 1 to 100",
                None if name == "cursor" && read_cursor(value).is_some() => continue,
                None if name == "cursor" => "is not a cursor of this list",
                None => "is not known",
            };
            faults.insert(name.clone(), json!([fault]));
        }
        if !faults.is_empty() {
            let message = "The query is not valid";
            return Err(detailed(
                400,
                "VALIDATION_ERROR",
                message,
                &Value::Object(faults),
            ));
        }
        let value = |name: &str| request.query_value(name);
        Ok(Self {
            limit: value("limit")
                .and_then(|text| read_limit(&text))
                .unwrap_or(25),
            start: value("cursor")
                .and_then(|text| read_cursor(&text))
                .unwrap_or(0),
            pairs,
        })
    }

    /// The values of a parameter, also when they come joined by commas.
    pub(super) fn values(&self, name: &str) -> Vec<&str> {
        self.pairs
            .iter()
            .filter(|(key, _)| key == name)
            .flat_map(|(_, value)| value.split(','))
            .collect()
    }

    /// Whether a parameter is absent or its one value passes.
    pub(super) fn allows(&self, name: &str, passes: impl Fn(&str) -> bool) -> bool {
        let values = self.values(name);
        values.is_empty() || values.iter().any(|value| passes(value))
    }

    /// The page of these records.
    pub(super) fn page<'a>(&self, records: impl Iterator<Item = &'a Value>) -> Answer {
        let all: Vec<&Value> = records.collect();
        let end = self.start.saturating_add(self.limit).min(all.len());
        let page = all.get(self.start.min(end)..end).unwrap_or_default();
        let next = (end < all.len()).then(|| format!("c{end}"));
        Ok(Response::json(
            200,
            &json!({ "data": page, "meta": { "limit": self.limit, "next_cursor": next } }),
        ))
    }
}

fn read_limit(text: &str) -> Option<usize> {
    text.parse().ok().filter(|limit| (1..=100).contains(limit))
}

fn read_cursor(text: &str) -> Option<usize> {
    text.strip_prefix('c')?.parse().ok()
}
