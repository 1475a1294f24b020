//! Sentences for failures that have no text fit to be shown: no address, no cause, no internals.

/// A failure without a readable answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The deadline passed.
    Timeout,
    /// No connection, so that nothing was sent.
    Unreachable,
    /// The API cannot be told who calls, so that nothing was sent.
    NoAccess,
    /// The connection broke.
    Network,
    /// An error answer that is not JSON.
    NotJson,
    /// 500 to 599.
    ServerError,
    /// 429, with the seconds to wait where the API named them.
    RateLimited(Option<u64>),
    /// The answer is too large.
    TooLarge,
    /// The API answered with a redirect.
    Redirect,
}

/// The sentence in a language (`pt…`, `es…`, else English). After a write that may have reached the API it says so:
/// whoever reads it must look before trying again.
#[must_use]
pub fn sentence(condition: Condition, language: &str, may_have_written: bool) -> String {
    let pick = |texts: [&'static str; 3]| pick(texts, language);
    let mut text = match condition {
        Condition::Timeout => pick([
            "The API did not answer in time.",
            "A API não respondeu a tempo.",
            "La API no respondió a tiempo.",
        ])
        .to_owned(),
        Condition::Unreachable | Condition::Network => pick([
            "The API cannot be reached right now.",
            "Não foi possível falar com a API agora.",
            "En este momento no se puede contactar con la API.",
        ])
        .to_owned(),
        Condition::NoAccess => pick([
            "This server did not get access to the API; nothing was sent to it.",
            "Este servidor não obteve acesso à API; nada foi enviado a ela.",
            "Este servidor no obtuvo acceso a la API; no se le envió nada.",
        ])
        .to_owned(),
        Condition::NotJson => pick([
            "The API refused the call without an explanation that can be read.",
            "A API recusou a chamada sem uma explicação legível.",
            "La API rechazó la llamada sin una explicación legible.",
        ])
        .to_owned(),
        Condition::ServerError => pick([
            "The API failed while it handled the call.",
            "A API falhou ao tratar a chamada.",
            "La API falló al atender la llamada.",
        ])
        .to_owned(),
        Condition::RateLimited(seconds) => rate_limited(seconds, language),
        Condition::TooLarge => pick([
            "The API's answer is too large to be shown; ask for less, for example with filters or a smaller page.",
            "A resposta da API é grande demais para ser mostrada; peça menos, por exemplo com filtros ou uma página menor.",
            "La respuesta de la API es demasiado grande para mostrarla; pida menos, por ejemplo con filtros o una página menor.",
        ])
        .to_owned(),
        Condition::Redirect => pick([
            "The API answered with a redirect, which is not followed.",
            "A API respondeu com um redirecionamento, que não é seguido.",
            "La API respondió con una redirección, que no se sigue.",
        ])
        .to_owned(),
    };
    let is_uncertain = matches!(
        condition,
        Condition::Timeout | Condition::Network | Condition::ServerError | Condition::TooLarge
    );
    if may_have_written && is_uncertain {
        text.push(' ');
        text.push_str(pick([
            "The change may have been made all the same: check the record before trying again.",
            "Mesmo assim, a alteração pode ter sido feita: confira o registro antes de tentar de novo.",
            "Aun así, el cambio puede haberse hecho: compruebe el registro antes de volver a intentarlo.",
        ]));
    }
    text
}

fn rate_limited(seconds: Option<u64>, language: &str) -> String {
    let text = pick(
        [
            "The API's request limit has been reached.",
            "O limite de requisições da API foi atingido.",
            "Se alcanzó el límite de solicitudes de la API.",
        ],
        language,
    );
    let Some(seconds) = seconds else {
        return text.to_owned();
    };
    let wait = pick(
        ["Try again in", "Tente de novo em", "Inténtelo de nuevo en"],
        language,
    );
    format!("{text} {wait} {seconds} s.")
}

/// Why a destructive tool was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// Nobody can be asked.
    Required,
    /// A person said no.
    Declined,
    /// The confirmation was used before.
    Replayed,
    /// The use of the confirmation cannot be recorded.
    Unavailable,
    /// The record does not show what the question names.
    NotShown,
}

/// The sentence for a destructive tool that was not run, where the catalog has none.
#[must_use]
pub fn unconfirmed(why: Unconfirmed, language: &str) -> &'static str {
    let texts = match why {
        Unconfirmed::Required => [
            "A person must confirm this tool, and this client cannot ask one. Nothing was executed.",
            "Uma pessoa precisa confirmar esta ferramenta, e este cliente não tem como perguntar. Nada foi executado.",
            "Una persona debe confirmar esta herramienta, y este cliente no puede preguntárselo. No se ejecutó nada.",
        ],
        Unconfirmed::Declined => [
            "The person declined. Nothing was changed.",
            "A pessoa recusou. Nada foi alterado.",
            "La persona lo rechazó. No cambió nada.",
        ],
        Unconfirmed::Replayed => [
            "This confirmation was used before. Nothing was executed; call the tool again to be asked again.",
            "Esta confirmação já foi usada. Nada foi executado; chame a ferramenta de novo para que a pergunta se repita.",
            "Esta confirmación ya se usó. No se ejecutó nada; llame de nuevo a la herramienta para que se vuelva a preguntar.",
        ],
        Unconfirmed::Unavailable => [
            "The confirmation cannot be recorded right now. Nothing was executed; try again later.",
            "Não é possível registrar a confirmação agora. Nada foi executado; tente mais tarde.",
            "En este momento no se puede registrar la confirmación. No se ejecutó nada; inténtelo más tarde.",
        ],
        Unconfirmed::NotShown => [
            "The record does not show what has to be confirmed. Nothing was executed.",
            "O registro não mostra o que precisa ser confirmado. Nada foi executado.",
            "El registro no muestra lo que hay que confirmar. No se ejecutó nada.",
        ],
    };
    pick(texts, language)
}

/// For a refusal that the API did not explain.
#[must_use]
pub fn refused(language: &str) -> &'static str {
    pick(
        [
            "The API refused the call.",
            "A API recusou a chamada.",
            "La API rechazó la llamada.",
        ],
        language,
    )
}

/// For a call that succeeded without content.
#[must_use]
pub fn no_content(language: &str) -> &'static str {
    pick(
        [
            "Done. The API returned no content.",
            "Feito. A API não retornou conteúdo.",
            "Hecho. La API no devolvió contenido.",
        ],
        language,
    )
}

/// English, Portuguese or Spanish, by the tag's first subtag.
fn pick(texts: [&'static str; 3], language: &str) -> &'static str {
    let [english, portuguese, spanish] = texts;
    match language.split('-').next() {
        Some("pt") => portuguese,
        Some("es") => spanish,
        _ => english,
    }
}
