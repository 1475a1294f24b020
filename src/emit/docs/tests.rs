//! Pages of two servers, compared across languages and with what their reference pages hold.

mod servers;

use super::*;
use crate::plan::server::Docs;

use servers::{LOCALES, built_in, kobana, regua, same, server};

fn pages(server: &Server) -> Vec<String> {
    let pages = render_pages(server).expect("renders");
    let names: Vec<&str> = pages.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        names,
        [
            "docs/pt-BR/errors.md",
            "docs/en/errors.md",
            "docs/es/errors.md"
        ]
    );
    pages.into_iter().map(|(_, page)| page).collect()
}

/// The first cells of every table row, head and rule included where they are the same in every language.
fn first_cells(page: &str) -> Vec<String> {
    page.lines()
        .filter(|line| {
            line.starts_with("| `") || line.starts_with("| 4") || line.starts_with("| 5")
        })
        .filter_map(|line| line.split(" | ").next())
        .map(|cell| cell.trim_start_matches("| ").trim().to_owned())
        .collect()
}

fn shape(page: &str) -> Vec<String> {
    page.lines()
        .filter(|line| line.starts_with(['#', '<', '-', '|', '`', '{', '}']))
        .map(|line| match line.split(' ').next() {
            Some("|") => format!("| {}", line.matches(" | ").count()),
            Some(first) => first.to_owned(),
            None => String::new(),
        })
        .collect()
}

#[test]
fn languages_share_codes_order_and_structure() {
    for server in [kobana(), regua()] {
        let pages = pages(&server);
        let expected = first_cells(&pages[0]);
        assert!(expected.len() > 20, "{expected:?}");
        for page in &pages[1..] {
            assert_eq!(shape(page), shape(&pages[0]));
            let codes = first_cells(page);
            let plain = |cells: &[String]| {
                let cells = cells.iter().filter(|cell| !cell.starts_with("409"));
                cells.cloned().collect::<Vec<_>>()
            };
            assert_eq!(plain(&codes), plain(&expected));
        }
    }
}

#[test]
fn every_fact_of_the_reference_pages_is_in_every_language() {
    let kobana_facts = "`unprocessable` `validation_failed` `not_found` `user_declined` `tool_error` \
        `insufficient_scope` `insufficient_permission` `membership_inactive` `product_not_enabled` `unauthorized` \
        `inputSchema` `limit` 100 Invalid_arguments: Missing_required_arguments: input_required `-32700` `-32600` \
        `-32601` `-32602` `-32002` `-32020` `-32022` `-32603` 401 403 405 413 429 4_MiB Host GET isError \
        structuredContent 2026-07-28 `tool` `account` `user` `token` `token_kind` `result` `duration` supported";
    let regua_facts = "`VALIDATION_ERROR` `NOT_FOUND` `CONFLICT` 409 `CHARGE_NOT_SETTLED` `INSUFFICIENT_SCOPE` \
        `FORBIDDEN` `insufficient_scope` `insufficient_permission` `membership_inactive` `key_owner_not_member` \
        `USER_DECLINED` `confirmation_required` `confirmation_replayed` `confirmation_unavailable` `details` \
        input_required `-32700` `-32600` `-32601` `-32602` `-32002` `-32603` 400 401 403 404 413 429 503 2_MB \
        tools/describe isError `jti` `status` `api-token:<jti>` Origin 2026-07-28";
    for (server, facts) in [(kobana(), kobana_facts), (regua(), regua_facts)] {
        for (page, locale) in pages(&server).iter().zip(LOCALES) {
            for fact in facts.split_whitespace() {
                // `_` joins words here, but codes have underscores of their own.
                let spaced = fact.replace('_', " ");
                assert!(
                    page.contains(fact) || page.contains(&spaced),
                    "{locale}: {fact}"
                );
            }
        }
    }
}

#[test]
fn what_differs_between_servers_follows_from_the_server() {
    let (kobana, regua) = (pages(&kobana())[1].clone(), pages(&regua())[1].clone());
    for (text, in_kobana, in_regua) in [
        ("## Arguments outside the `inputSchema`", true, true),
        ("\n### Arguments outside", false, true),
        ("Missing required arguments: …", true, false),
        ("Only read tools refuse", false, true),
        ("Every tool refuses", true, false),
        ("becomes `tool_error`", true, false),
        ("unchanged", false, true),
        ("audit trail", false, true),
        ("\"Method not found\"", true, false),
        ("\"Method not found: tools/describe\"", false, true),
        ("the API's error body", true, false),
        ("plain text |", false, true),
        ("2 MB", false, true),
        (
            "instead of the question, and nothing is executed",
            true,
            true,
        ),
        ("no destructive tools", false, false),
        ("Give the tool and the time.", true, false),
    ] {
        assert_eq!(kobana.contains(text), in_kobana, "kobana: {text}");
        assert_eq!(regua.contains(text), in_regua, "regua: {text}");
    }
}

#[test]
fn a_bare_server_has_a_whole_page_too() {
    let mut bare = server("Bare", "4 MiB", Docs::default());
    bare.tools.clear();
    bare.protocol.legacy.clear();
    for page in pages(&bare) {
        assert!(!page.contains("\n|"), "{page}");
        assert!(!page.contains("2025-11-25"));
        assert_eq!(page.matches("```json").count(), 2);
    }
    bare.locales = vec!["es".to_owned(), "fr".to_owned()];
    let paths: Vec<String> = render_pages(&bare)
        .expect("renders")
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    assert_eq!(paths, ["docs/es/errors.md"]);
}

#[test]
fn reserved_rows_are_marked_and_explained_once_per_table() {
    let page = &pages(&kobana())[1];
    assert!(page.contains("| `user_declined`\u{a0}†"));
    assert!(page.contains("| `not_found`       "));
    assert!(page.contains("| 401\u{a0}†"));
    assert_eq!(page.matches("† Reserved code").count(), 2);
    assert_eq!(page.matches("† Reserved refusal").count(), 1);
}

fn hostile_server() -> Server {
    let hostile =
        "a | b\n\n| c |\n# T\n<script>x</script> `odd ![i](u) *e* {{ x }} {% raw %} --- \\";
    let mut server = kobana();
    for table in &mut server.docs.tables {
        table.intro = same(hostile);
        table.outro = same(hostile);
        for row in &mut table.rows {
            row.text = same(hostile);
        }
        table.rows[0].label = same(hostile);
        table.rows[1].codes = vec![hostile.to_owned()];
    }
    for row in &mut server.docs.transport {
        row.cause = same(hostile);
    }
    server.docs.protocol[0].1 = same(hostile);
    server.docs.why_example = same(hostile);
    server.docs.support = same(hostile);
    server.docs.example = (hostile.to_owned(), hostile.to_owned());
    server.docs.audit_actor = hostile.to_owned();
    server.product_name = hostile.to_owned();
    server.transport.max_body_label = hostile.to_owned();
    server.log_fields[0].key = hostile.to_owned();
    server
}

#[test]
fn hostile_texts_stay_text() {
    let server = hostile_server();
    let calm = pages(&kobana());
    for (page, calm) in pages(&server).iter().zip(&calm) {
        let outside = outside_fences(page);
        assert!(!outside.contains("<script>") || only_in_code(&outside, "<script>"));
        let unescaped = outside.replace("\\]", "");
        assert!(!unescaped.contains("](u)") || only_in_code(&unescaped, "](u)"));
        let rows = |page: &str| page.lines().filter(|line| line.starts_with('|')).count();
        assert_eq!(rows(page), rows(calm));
        for line in outside.lines().filter(|line| line.starts_with('|')) {
            let bars = line
                .replace("\\\\", "")
                .replace("\\|", "")
                .matches('|')
                .count();
            assert!(bars == 3 || bars == 4, "{line}");
        }
        let headings = |page: &str| page.lines().filter(|line| line.starts_with('#')).count();
        assert_eq!(headings(&outside), headings(&outside_fences(calm)));
    }
}

fn outside_fences(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

/// Whether every occurrence stands between backticks on its line.
fn only_in_code(page: &str, text: &str) -> bool {
    page.lines().all(|line| {
        let plain = line.replace("\\`", "");
        plain
            .split('`')
            .step_by(2)
            .all(|piece| !piece.contains(text))
    })
}

#[test]
fn pages_have_one_title_no_leftovers_and_tidy_lines() {
    for server in [kobana(), regua()] {
        for page in pages(&server) {
            assert!(!page.contains("\n\n\n"), "{page}");
            let outside = outside_fences(&page);
            assert_eq!(outside.lines().filter(|l| l.starts_with("# ")).count(), 1);
            for leftover in ["{{", "}}", "{%", "%}", " \n", "  - ", "undefined"] {
                assert!(!outside.contains(leftover), "{leftover:?}");
            }
            assert!(page.ends_with('\n') && !page.ends_with("\n\n"));
        }
    }
}

#[test]
fn accents_are_there() {
    let wrong: [(&str, &str); 2] = [
        (
            "pt-BR",
            "nao codigo codigos operacao requisicao versao validacao confirmacao acao ja tambem so ate sera usuario \
             permissao organizacao conexao cabecalho duracao horario unico proprio propria alteracao",
        ),
        (
            "es",
            "codigo codigos operacion validacion confirmacion version organizacion autorizacion tambien asi aqui \
             metodo conexion duracion numero direccion ningun razon",
        ),
    ];
    let sources = [
        PROSE[0].1,
        PROSE[2].1,
        &built_in_in("pt-BR"),
        &built_in_in("es"),
    ];
    for (index, source) in sources.iter().enumerate() {
        let (locale, words) = wrong[index % 2];
        let lower = source.to_lowercase();
        let found: Vec<&str> = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| words.split_whitespace().any(|wrong| wrong == *word))
            .collect();
        assert!(found.is_empty(), "{locale}: {found:?}");
    }
}

fn built_in_in(locale: &str) -> String {
    let built_in = built_in();
    let codes = built_in
        .tool
        .values()
        .flat_map(|code| [&code.when, &code.who, &code.message]);
    let meanings = built_in.protocol.values().map(|code| &code.meaning);
    let refusals = built_in
        .refusals
        .values()
        .flat_map(|refusal| [&refusal.message, &refusal.cause]);
    let units = built_in.units.values().flat_map(|unit| unit.values());
    let question = built_in.question.values();
    let texts = codes
        .chain(meanings)
        .chain(refusals)
        .chain(question)
        .chain(units);
    texts
        .filter_map(|text| text.get(locale))
        .cloned()
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn built_in_texts_are_complete() {
    let built_in = built_in();
    let texts = built_in
        .tool
        .values()
        .flat_map(|code| [&code.when, &code.who, &code.message])
        .filter(|text| !text.is_empty())
        .chain(built_in.protocol.values().map(|code| &code.meaning))
        .chain(
            built_in
                .refusals
                .values()
                .flat_map(|r| [&r.message, &r.cause]),
        )
        .chain(built_in.question.values())
        .chain(built_in.units.values().flat_map(|unit| unit.values()));
    for text in texts {
        assert_eq!(text.keys().collect::<Vec<_>>(), LOCALES);
    }
    for (name, code) in &built_in.tool {
        assert!(!code.when.is_empty() && !code.message.is_empty(), "{name}");
    }
    for (name, refusal) in &built_in.refusals {
        let parsed: Result<crate::overlay::RefusalName, _> =
            serde_json::from_value(name.as_str().into());
        assert!(parsed.is_ok(), "{name}");
        assert!((400..600).contains(&refusal.status));
    }
    assert_eq!(built_in.refusals.len(), 15);
    for unit in ["cents", "brl", "percent", "days"] {
        let keys: Vec<&String> = built_in.units[unit].keys().collect();
        assert_eq!(keys, ["sentence", "argument"]);
    }
    for (locale, amount) in [
        ("pt-BR", "R$ 10,00"),
        ("en", "R$ 10.00"),
        ("es", "R$ 10,00"),
    ] {
        for text in built_in.units["cents"].values() {
            assert!(text[locale].contains("1000") && text[locale].contains(amount));
        }
    }
}

#[test]
fn prose_has_the_same_names_in_every_language() {
    let names = |index: usize| {
        let prose: Prose = serde_yaml::from_str(PROSE[index].1).expect("YAML");
        prose.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(names(0), names(1));
    assert_eq!(names(0), names(2));
    for name in names(0) {
        let used = STRUCTURE.contains(&format!("t.{name} "));
        let by_code = ["column_", "body_", "log_", "table_"]
            .iter()
            .any(|p| name.starts_with(p));
        assert!(used || by_code, "{name}");
    }
}
