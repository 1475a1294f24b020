//! Server → the errors page in each language: one structure for all, prose by language.

mod facts;
mod tables;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use super::{EmitError, examples, text};
use crate::plan::Server;

const STRUCTURE: &str = include_str!("../../templates/docs/errors.md.j2");

const PROSE: &[(&str, &str)] = &[
    (
        "pt-BR",
        include_str!("../../templates/docs/pt-BR/errors.yaml"),
    ),
    ("en", include_str!("../../templates/docs/en/errors.yaml")),
    ("es", include_str!("../../templates/docs/es/errors.yaml")),
];

/// The sentences of one language, by name, with the server's facts filled in.
type Prose = IndexMap<String, String>;

/// What the structure prints: decided already, and safe as Markdown.
#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    conditions: facts::Conditions,
    #[serde(flatten)]
    tables: tables::Tables,
    examples: PageExamples,
    why_example: String,
    support: String,
    log_fields: Vec<String>,
    t: &'a Prose,
}

#[derive(Serialize)]
struct PageExamples {
    modern: String,
    legacy: String,
    protocol: String,
}

/// Renders `docs/<locale>/errors.md` for each language of the server that has prose: path and text.
///
/// # Errors
/// When a template is wrong: a fault of the generator, never of the input.
pub fn render_pages(server: &Server) -> Result<Vec<(String, String)>, EmitError> {
    let mut pages = Vec::new();
    for (index, locale) in server.locales.iter().enumerate() {
        if let Some((_, prose)) = PROSE.iter().find(|(name, _)| name == locale) {
            let file = format!("docs/{locale}/errors.md");
            let page = render_page(server, index, &file, prose)?;
            pages.push((file, page));
        }
    }
    Ok(pages)
}

fn render_page(
    server: &Server,
    locale: usize,
    file: &str,
    prose: &str,
) -> Result<String, EmitError> {
    let prose = fill(file, prose, &facts::facts(server))?;
    let examples = examples::render(server, locale)?;
    let page = Page {
        conditions: facts::conditions(server),
        tables: tables::tables(server, locale, &prose),
        examples: PageExamples {
            modern: examples.modern,
            legacy: examples.legacy,
            protocol: examples.protocol,
        },
        why_example: text::prose(pick(&server.docs.why_example, locale)),
        support: text::prose(pick(&server.docs.support, locale)),
        log_fields: facts::log_fields(server, &prose),
        t: &prose,
    };
    text::render(file, STRUCTURE, page)
}

fn fill(file: &str, prose: &str, facts: &Value) -> Result<Prose, EmitError> {
    let sentences: Prose = serde_yaml::from_str(prose).map_err(|error| EmitError {
        file: file.to_owned(),
        reason: format!("the prose is not a map of texts: {error}"),
    })?;
    sentences
        .into_iter()
        .map(|(name, sentence)| Ok((name, text::render(file, &sentence, facts)?)))
        .collect()
}

/// The text of one language; the first one where all languages share it.
fn pick(texts: &[String], locale: usize) -> &str {
    texts
        .get(locale)
        .or_else(|| texts.first())
        .map_or("", String::as_str)
}

#[cfg(test)]
mod tests;
