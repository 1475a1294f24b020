//! Query parameters of listings: checked, then applied.

use serde_json::{Value, json};

use super::super::http::{Request, Response};
use super::answers::bad_request;

/// What a listing accepts.
pub(super) struct Rules {
    /// Query parameters besides `page` and `per_page`.
    pub(super) filters: &'static [&'static str],
    /// Largest `per_page`.
    pub(super) max: usize,
}

/// One page of rows.
pub(super) struct Page {
    number: usize,
    rows: Vec<Value>,
    has_next: bool,
}

/// Cuts one page out of `rows`.
pub(super) fn cut(request: &Request, rules: &Rules, rows: Vec<Value>) -> Result<Page, Response> {
    only(request, rules)?;
    let number = positive(request, "page", 1, usize::MAX)?;
    let size = positive(request, "per_page", rules.max.min(50), rules.max)?;
    let start = (number - 1).saturating_mul(size);
    let has_next = rows.len() > start.saturating_add(size);
    let rows = rows.into_iter().skip(start).take(size).collect();
    Ok(Page {
        number,
        rows,
        has_next,
    })
}

impl Page {
    /// Version 1: a bare array, the next page in `link`.
    pub(super) fn into_array(self, request: &Request) -> Response {
        let link = format!("<{}?page={}>; rel=\"next\"", request.path, self.number + 1);
        let response = Response::json(200, &Value::Array(self.rows));
        if self.has_next {
            response.with_header("link", &link)
        } else {
            response
        }
    }

    /// Version 2: an object with `pagination`.
    pub(super) fn into_object(self, request: &Request) -> Response {
        let at = |page: usize| format!("{}?page={page}", request.path);
        let previous = (self.number > 1).then(|| at(self.number - 1));
        let next = self.has_next.then(|| at(self.number + 1));
        let pagination = json!({"page": self.number, "prev_url": previous, "next_url": next});
        Response::json(
            200,
            &json!({"status": 200, "data": self.rows, "pagination": pagination}),
        )
    }
}

/// Refuses query parameters that an operation does not know.
pub(super) fn only_known(request: &Request, known: &[&str]) -> Result<(), Response> {
    for (name, _) in request.query_pairs() {
        if !known.contains(&name.as_str()) {
            let text = format!("Parâmetro não reconhecido: {name}");
            return Err(bad_request(&text));
        }
    }
    Ok(())
}

fn only(request: &Request, rules: &Rules) -> Result<(), Response> {
    let mut known = vec!["page", "per_page"];
    known.extend(rules.filters);
    only_known(request, &known)
}

fn positive(request: &Request, name: &str, default: usize, max: usize) -> Result<usize, Response> {
    let Some(text) = request.query_value(name) else {
        return Ok(default);
    };
    match text.parse() {
        Ok(number) if (1..=max).contains(&number) => Ok(number),
        _ => Err(bad_request(&format!("Parâmetro {name} inválido"))),
    }
}
