//! What a call does, guessed from method and words; the doubtful case is the dangerous one.

use crate::model::Operation;

use super::server::Kind;
use super::verbs::{
    AMBIGUOUS, CASH, DESTRUCTIVE, HANDING, LEADING, MONEY, READING, STEMS, WRITING,
};
use super::words::words;

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
    let last = LastSegment::of(&operation.key.path);
    let id = operation.key.id.as_deref().map(words).unwrap_or_default();
    let summary = words(&operation.summary);
    let is_leading = |word: &String| LEADING.contains(&word.as_str());
    // In a path and a name `charges` are records; at the head of a sentence it is what the call does.
    let is_alone = last.words.len() == 1 || !last.has_id;
    let is_led = (last.is_by_parameter && is_alone && last.words.first().is_some_and(is_leading))
        || id.first().is_some_and(is_leading)
        || summary.first().is_some_and(|word| is_in(LEADING, word));
    let texts = [&last.words, &id, &summary];
    let hands_over = texts.iter().any(|text| {
        text.iter().any(|word| is_in(HANDING, word)) && text.iter().any(|word| is_in(CASH, word))
    });
    let is_dangerous = texts.into_iter().any(|text| {
        text.iter().any(|word| ends(word)) || text.windows(2).any(|pair| pair == ["write", "off"])
    });
    if is_led || hands_over || is_dangerous || is_about_money(&operation.key.path) {
        Kind::Destructive
    } else {
        Kind::Write
    }
}

/// Whether any piece of the path names moved money: `/payments/{id}/complete` moves it as `/payments` does.
fn is_about_money(path: &str) -> bool {
    path.split('/')
        .filter(|segment| !segment.contains('{'))
        .flat_map(words)
        .any(|word| {
            MONEY.contains(&word.as_str()) || matches!(word.as_str(), "refund" | "transfer")
        })
}

fn ends(word: &str) -> bool {
    is_in(DESTRUCTIVE, word)
        || MONEY.contains(&word)
        || STEMS.iter().any(|stem| word.contains(stem))
}

/// Whether a list holds the word, or the verb of which it is the third person.
fn is_in(list: &[&str], word: &str) -> bool {
    list.contains(&word) || third_person(word).any(|base| list.contains(&base))
}

/// The verbs that a word may be the third person of: `cancels`, `purges`, `discusses`.
fn third_person(word: &str) -> impl Iterator<Item = &str> {
    ["s", "es"]
        .into_iter()
        .filter_map(|ending| word.strip_suffix(ending))
}

fn guess_read(operation: &Operation) -> Kind {
    let last = LastSegment::of(&operation.key.path);
    let id = operation.key.id.as_deref().map(words).unwrap_or_default();
    let summary = words(&operation.summary);
    let looks = [&id, &summary]
        .iter()
        .any(|text| text.first().is_some_and(|word| is_in(READING, word)));
    let mut kind = Kind::Read;
    if let Some(verb) = last.words.first() {
        // A noun with its id behind it is a record: `/capture/{id}`, `/post/{id}`.
        match kind_of_verb(verb, looks || last.has_id) {
            Kind::Write if last.has_id => {}
            found => kind = found,
        }
    }
    if !looks {
        for word in &id {
            kind = kind.max(kind_of_verb(word, false));
        }
        if let Some(word) = summary.first() {
            kind = kind.max(kind_of_verb(word, false));
            // `Cancels` opens a sentence; in a path and a name such words are nouns.
            let base = third_person(word).find(|base| !AMBIGUOUS.contains(base));
            kind = kind.max(base.map_or(Kind::Read, |base| kind_of_verb(base, false)));
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

/// The last literal segment of a path.
#[derive(Default)]
struct LastSegment {
    words: Vec<String>,
    /// Whether a parameter stands beside it: it then says what happens to one record.
    is_by_parameter: bool,
    /// Whether that parameter stands behind it.
    has_id: bool,
}

impl LastSegment {
    fn of(path: &str) -> Self {
        let segments: Vec<&str> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        let is_parameter = |segment: &&str| segment.contains('{');
        let Some(at) = segments.iter().rposition(|segment| !is_parameter(segment)) else {
            return Self::default();
        };
        let has_id = at + 1 < segments.len();
        Self {
            words: words(segments[at]),
            is_by_parameter: has_id
                || at
                    .checked_sub(1)
                    .is_some_and(|n| is_parameter(&segments[n])),
            has_id,
        }
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

    /// Method, path, operationId and summary, and what the call is taken for.
    const CASES: &[(&str, &str, &str, &str, Kind)] = &[
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
        // A last parameter hides no action.
        (
            "PUT",
            "/pix/{e2eid}/devolucao/{id}",
            "",
            "Solicitar devolução.",
            Kind::Destructive,
        ),
        ("PUT", "/x/{id}/protest/{type}", "", "", Kind::Destructive),
        ("GET", "/x/cancel/{id}", "", "", Kind::Destructive),
        ("GET", "/capture/{id}", "", "", Kind::Read),
        ("GET", "/post/{id}", "", "", Kind::Read),
        ("POST", "/PurchaseOrders/{id}", "", "", Kind::Write),
        ("GET", "/v1/transfers/{id}", "", "", Kind::Read),
        // Moved money anywhere in the path.
        (
            "POST",
            "/v2/payment/bank_billets",
            "",
            "",
            Kind::Destructive,
        ),
        ("POST", "/payments/{id}/complete", "", "", Kind::Destructive),
        ("POST", "/disputes/{id}/accept", "", "", Kind::Destructive),
        ("POST", "/v2/pix", "", "Enviar Pix", Kind::Destructive),
        ("POST", "/v2/pix", "", "Criar cobrança Pix", Kind::Write),
        ("POST", "/cash_out", "", "Send money", Kind::Destructive),
        ("POST", "/x/{id}/send", "", "Send an email", Kind::Write),
        // Third person, nouns and run-together words.
        (
            "PUT",
            "/x/{id}/status",
            "",
            "Cancels the order",
            Kind::Destructive,
        ),
        ("POST", "/x", "", "Pays an invoice", Kind::Destructive),
        ("GET", "/x", "", "Deletes everything", Kind::Destructive),
        ("GET", "/v1/transfers", "", "Transfers", Kind::Read),
        ("POST", "/debts/{id}/write_off", "", "", Kind::Destructive),
        ("GET", "/releases", "", "List releases", Kind::Read),
        ("GET", "/drops", "", "", Kind::Read),
        ("POST", "/x/bulkdelete", "", "", Kind::Destructive),
        ("POST", "/x/{id}/reversal", "", "", Kind::Destructive),
        ("POST", "/x", "deleteuser", "", Kind::Destructive),
        // Consent, and what falls out of use.
        ("PUT", "/batches/{id}/approve", "", "", Kind::Destructive),
        ("PUT", "/tokens/{id}/desativar", "", "", Kind::Destructive),
        ("POST", "/keys/{id}/rotate", "", "", Kind::Destructive),
        ("PUT", "/boletos/{id}/baixa", "", "", Kind::Destructive),
        // A noun is not yet a verb.
        (
            "POST",
            "/PurchaseOrders",
            "createPurchaseOrder",
            "",
            Kind::Write,
        ),
        ("POST", "/numbers", "purchaseNumber", "", Kind::Destructive),
        ("GET", "/session/logout", "", "", Kind::Write),
        (
            "PATCH",
            "/v1/x/{id}",
            "",
            "Anular factura",
            Kind::Destructive,
        ),
    ];

    #[test]
    fn the_doubtful_case_is_the_dangerous_one() {
        for (method, path, id, summary, expected) in CASES.iter().copied() {
            assert_eq!(
                kind(method, path, id, summary),
                expected,
                "{method} {path} {id} {summary}"
            );
        }
    }
}
