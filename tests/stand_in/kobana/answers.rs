//! The five shapes in which the API says no.

use serde_json::{Value, json};

use super::super::http::Response;

/// `{status, errors: [{title, code}]}`.
pub(super) fn problem(status: u16, code: &str, title: &str) -> Response {
    let body = json!({"status": status, "errors": [{"title": title, "code": code}]});
    Response::json(status, &body)
}

/// The version 2 form: an error names its parameter.
pub(super) fn invalid_parameter(param: &str, detail: &str) -> Response {
    let error = json!({
        "title": "O registro não é válido", "code": "validation_error", "param": param, "detail": detail
    });
    Response::json(422, &json!({"status": 422, "errors": [error]}))
}

/// The version 1 form: messages by field.
pub(super) fn invalid_fields(fields: &Value) -> Response {
    Response::json(422, &json!({"errors": fields}))
}

/// `{message, errors: [text]}`.
pub(super) fn invalid_list(message: &str, errors: &[&str]) -> Response {
    Response::json(422, &json!({"message": message, "errors": errors}))
}

/// `{error: text}`.
pub(super) fn bad_request(text: &str) -> Response {
    Response::json(400, &json!({"error": text}))
}

/// No such record in this account.
pub(super) fn not_found() -> Response {
    let error = json!({
        "title": "Registro não encontrado", "code": "not_found",
        "detail": "Não há nesta conta um registro com este identificador"
    });
    Response::json(404, &json!({"status": 404, "errors": [error]}))
}

/// The token is not valid.
pub(super) fn unauthorized() -> Response {
    problem(401, "unauthorized", "O token não é válido")
}

/// The state of the record forbids it.
pub(super) fn wrong_state(text: &str) -> Response {
    problem(422, "unprocessable_content", text)
}

/// No such path or method: a fault of the caller's program, told apart from a missing record by its form.
pub(super) fn no_route() -> Response {
    Response::text(404, "text/html", "<h1>404</h1>")
}
