//! Answers on demand: see the table in the parent module.

use serde_json::{Value, json};

use super::super::http::{Request, Response};
use super::answers::{bad_request, invalid_fields, invalid_list, not_found, problem, unauthorized};

/// The answer that a magic value in this request asks for.
pub(super) fn answer(request: &Request) -> Option<Response> {
    let mut values = request.segments();
    let query = request.query_pairs().into_iter();
    values.extend(
        query
            .filter(|(name, _)| name != "page" && name != "per_page")
            .map(|(_, value)| value),
    );
    if let Some(Value::Object(body)) = request.json() {
        values.extend(body.values().filter_map(Value::as_str).map(str::to_owned));
    }
    values.iter().find_map(|value| answer_to(value))
}

fn answer_to(value: &str) -> Option<Response> {
    Some(match value {
        "302" => {
            Response::empty(302).with_header("location", "https://arquivos.example.com/lote.zip")
        }
        "400" => bad_request("O pedido não pôde ser lido"),
        "4001" => bad_request("Parâmetro cursor inválido"),
        "401" => unauthorized(),
        "4031" | "4032" | "4033" | "4034" | "4035" => forbidden(value),
        "404" => not_found(),
        "409" => problem(409, "channel_is_active", "O canal está ativo"),
        "418" => problem(418, "teapot", "O serviço não faz café"),
        "4220" => invalid_list("O pedido não é válido", &["A lista está vazia"]),
        "4221" => invalid_fields(&json!({"amount": ["deve ser maior que zero"]})),
        "4222" => problem(
            422,
            "unprocessable_content",
            "A situação não permite a operação",
        ),
        "429" => rate_limited(),
        "500" => Response::json(500, &json!({"error": "PG::ConnectionBad on db-7.internal"})),
        "502" => Response::text(
            502,
            "text/html",
            "<html><h1>Bad Gateway: node-3.internal</h1></html>",
        ),
        _ => return None,
    })
}

fn forbidden(value: &str) -> Response {
    let title = match value {
        "4031" => "O token precisa de um destes escopos: \"read write\"",
        "4032" => "O usuário não tem a permissão de cancelar cobranças",
        "4033" => "O usuário que autorizou o acesso está inativo",
        "4034" => "O produto Pix não faz parte do plano",
        _ => "O acesso foi negado",
    };
    problem(403, "forbidden", title)
}

fn rate_limited() -> Response {
    Response::json(429, &json!({"error": "Muitas requisições GET nesta hora"}))
        .with_header("retry-after", "30")
        .with_header("ratelimit-limit", "60")
        .with_header("ratelimit-remaining", "0")
}
