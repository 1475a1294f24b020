//! What a call does, guessed from method and words; the doubtful case is the dangerous one.

use crate::model::Operation;

use super::server::Kind;
use super::words::words;

/// Verbs after which nothing brings the record, or the money, back.
pub(super) const DESTRUCTIVE: &[&str] = &[
    "abort",
    "anular",
    "anula",
    "apagar",
    "apaga",
    "archive",
    "arquivar",
    "baixar",
    "block",
    "bloquear",
    "borrar",
    "cancel",
    "cancela",
    "cancelar",
    "cancelamento",
    "cancelation",
    "cancellation",
    "capture",
    "capturar",
    "clear",
    "close",
    "debit",
    "debitar",
    "delete",
    "deletar",
    "destroy",
    "devolver",
    "disable",
    "discard",
    "drop",
    "eliminar",
    "elimina",
    "encerrar",
    "erase",
    "estornar",
    "estorna",
    "estorno",
    "excluir",
    "exclui",
    "expire",
    "pagar",
    "paga",
    "pay",
    "protest",
    "protestar",
    "purge",
    "reembolsar",
    "refund",
    "reject",
    "rejeitar",
    "remove",
    "remover",
    "reprovar",
    "reprove",
    "rescindir",
    "reset",
    "revert",
    "reverse",
    "revogar",
    "revocar",
    "revoke",
    "sacar",
    "settle",
    "suspend",
    "suspender",
    "terminate",
    "transfer",
    "transferir",
    "unlink",
    "unregister",
    "void",
    "wipe",
    "withdraw",
    "write_off",
    "retirar",
];

/// Nouns of moved money: a write about them is taken for the dangerous one.
const MONEY: &[&str] = &[
    "payment",
    "payments",
    "pagamento",
    "pagamentos",
    "pago",
    "pagos",
    "payout",
    "payouts",
    "refunds",
    "reembolso",
    "reembolsos",
    "saque",
    "saques",
    "transferencia",
    "transferencias",
    "transfers",
    "withdrawal",
    "withdrawals",
];

/// Words that are verbs in one API and nouns in the next.
const AMBIGUOUS: &[&str] = &[
    "charge",
    "transfer",
    "refund",
    "void",
    "close",
    "debit",
    "capture",
    "reset",
    "block",
    "protest",
    "estorno",
    "cancelamento",
    "cancellation",
    "cancelation",
    "archive",
];

/// Verbs that change something.
pub(super) const WRITING: &[&str] = &[
    "accept",
    "activate",
    "add",
    "approve",
    "aprovar",
    "assign",
    "ativar",
    "atualizar",
    "atualiza",
    "actualizar",
    "confirm",
    "confirmar",
    "create",
    "crear",
    "criar",
    "cria",
    "deactivate",
    "duplicate",
    "edit",
    "enable",
    "enqueue",
    "enviar",
    "envia",
    "execute",
    "gerar",
    "generate",
    "import",
    "issue",
    "mark",
    "merge",
    "notify",
    "patch",
    "post",
    "publish",
    "put",
    "reactivate",
    "reenviar",
    "reenvia",
    "register",
    "registrar",
    "release",
    "renew",
    "reopen",
    "replace",
    "reprocess",
    "resend",
    "restart",
    "restore",
    "resume",
    "retry",
    "rotate",
    "run",
    "save",
    "send",
    "set",
    "sign",
    "start",
    "stop",
    "submit",
    "sync",
    "sincronizar",
    "trigger",
    "unarchive",
    "unblock",
    "update",
    "upload",
];

/// Verbs that only look.
const READING: &[&str] = &[
    "buscar",
    "busca",
    "check",
    "consultar",
    "consulta",
    "count",
    "describe",
    "detalhar",
    "download",
    "exibir",
    "export",
    "fetch",
    "find",
    "get",
    "index",
    "listar",
    "lista",
    "list",
    "lookup",
    "mostrar",
    "obtem",
    "obter",
    "obtener",
    "obtiene",
    "pesquisar",
    "query",
    "read",
    "recuperar",
    "retorna",
    "retrieve",
    "return",
    "returns",
    "search",
    "show",
    "ver",
    "view",
    "visualizar",
];

/// Guesses what a call does.
pub(super) fn guess(operation: &Operation) -> Kind {
    match operation.key.method.as_str() {
        "DELETE" => Kind::Destructive,
        "GET" | "HEAD" | "OPTIONS" | "TRACE" => guess_read(operation),
        _ => guess_write(operation),
    }
}

/// Whether the word is a verb that ends something or changes something.
pub(super) fn is_action(word: &str) -> bool {
    DESTRUCTIVE.contains(&word) || WRITING.contains(&word) || word == "charge"
}

fn guess_write(operation: &Operation) -> Kind {
    let (segment, follows_parameter) = last_segment(&operation.key.path);
    let id = operation.key.id.as_deref().map(words).unwrap_or_default();
    let summary = words(&operation.summary);
    let is_dangerous =
        |word: &String| DESTRUCTIVE.contains(&word.as_str()) || MONEY.contains(&word.as_str());
    let charges = (follows_parameter && segment == ["charge"])
        || id.first().is_some_and(|word| word == "charge")
        || summary.first().is_some_and(|word| word == "charge");
    if charges || segment.iter().chain(&id).chain(&summary).any(is_dangerous) {
        Kind::Destructive
    } else {
        Kind::Write
    }
}

fn guess_read(operation: &Operation) -> Kind {
    let (segment, _) = last_segment(&operation.key.path);
    let id = operation.key.id.as_deref().map(words).unwrap_or_default();
    let summary = words(&operation.summary);
    let looks = [&id, &summary]
        .iter()
        .any(|text| text.first().is_some_and(|w| READING.contains(&w.as_str())));
    let mut kind = Kind::Read;
    if let Some(verb) = segment.first() {
        kind = kind.max(kind_of_verb(verb, looks));
    }
    if !looks {
        for word in &id {
            kind = kind.max(kind_of_verb(word, false));
        }
        if let Some(word) = summary.first() {
            kind = kind.max(kind_of_verb(word, false));
        }
    }
    kind
}

fn kind_of_verb(word: &str, looks: bool) -> Kind {
    if looks && AMBIGUOUS.contains(&word) {
        Kind::Read
    } else if DESTRUCTIVE.contains(&word) {
        Kind::Destructive
    } else if WRITING.contains(&word) {
        Kind::Write
    } else {
        Kind::Read
    }
}

/// Words of the last literal segment, and whether a parameter stands before it. None when the path ends in one.
fn last_segment(path: &str) -> (Vec<String>, bool) {
    let mut segments = path.rsplit('/').filter(|segment| !segment.is_empty());
    match segments.next() {
        Some(last) if !last.contains('{') => {
            let follows = segments.next().is_some_and(|s| s.starts_with('{'));
            (words(last), follows)
        }
        _ => (Vec::new(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::OperationKey;

    fn kind(method: &str, path: &str, id: &str, summary: &str) -> Kind {
        guess(&Operation {
            key: OperationKey {
                method: method.to_owned(),
                path: path.to_owned(),
                id: (!id.is_empty()).then(|| id.to_owned()),
            },
            summary: summary.to_owned(),
            ..Operation::default()
        })
    }

    #[test]
    fn the_doubtful_case_is_the_dangerous_one() {
        let cases = [
            ("GET", "/v1/bank_billets", "", "Listar boletos", Kind::Read),
            ("GET", "/v1/payments", "listPayments", "", Kind::Read),
            ("GET", "/v1/x/cancel", "", "", Kind::Destructive),
            ("GET", "/v1/x/{id}/resend", "", "", Kind::Write),
            ("GET", "/v1/x/{id}/refund", "getRefund", "", Kind::Read),
            ("GET", "/v1/x/{id}/refund", "", "", Kind::Destructive),
            ("GET", "/v1/x", "", "Excluir tudo", Kind::Destructive),
            ("GET", "/v1/x", "getCancelledOrders", "", Kind::Read),
            ("GET", "/v1/x/{id}/delete", "getX", "", Kind::Destructive),
            ("DELETE", "/v1/x/{id}", "", "", Kind::Destructive),
            ("POST", "/v1/bank_billets", "", "Criar boleto", Kind::Write),
            ("POST", "/v1/charges", "createCharge", "", Kind::Write),
            (
                "POST",
                "/v1/customers/{id}/charge",
                "",
                "",
                Kind::Destructive,
            ),
            ("PUT", "/v1/x/{id}/cancel", "", "", Kind::Destructive),
            ("POST", "/v1/pix/{id}/estornar", "", "", Kind::Destructive),
            ("POST", "/v2/payments", "", "", Kind::Destructive),
            (
                "POST",
                "/v2/transfer/pix",
                "",
                "Transferência Pix",
                Kind::Destructive,
            ),
            ("POST", "/v1/charges/search", "", "", Kind::Write),
            (
                "PATCH",
                "/v1/x/{id}",
                "",
                "Anular factura",
                Kind::Destructive,
            ),
        ];
        for (method, path, id, summary, expected) in cases {
            assert_eq!(
                kind(method, path, id, summary),
                expected,
                "{method} {path} {id} {summary}"
            );
        }
    }
}
