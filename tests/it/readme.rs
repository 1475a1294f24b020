//! `README.md` says what is so: its diagnostics, flags, commands and overlays, compared with the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;

use super::layout::files;

const README: &str = include_str!("../../README.md");

/// The API that the overlays of the README are about.
const SHOP: &str = "
openapi: 3.0.3
info: {title: Shop, version: 1.0.0}
servers: [{url: https://api.example.com/v1}]
paths:
  /charges:
    get:
      operationId: listCharges
      tags: [charges]
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses: {'200': {description: Charges}}
    post:
      operationId: createCharge
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [amount, customer]
              properties:
                amount: {type: integer}
                currency: {type: string}
                customer: {type: string}
                internal_ref: {type: string}
                notify: {type: boolean}
      responses: {'201': {description: The charge}}
  /charges/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: The charge}}
  /charges/{id}/cancel:
    post:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Cancelled}}
  /reports/daily:
    get:
      parameters: [{name: X-Trace, in: header, schema: {type: string}}]
      responses: {'200': {description: The report}}
";

/// The text between a heading and the next one.
fn section(heading: &str) -> &str {
    let start = README.find(&format!("\n{heading}\n"));
    let rest = &README[start.unwrap_or_else(|| panic!("no {heading}")) + heading.len() + 1..];
    rest.split("\n## ").next().unwrap_or(rest)
}

/// Cells of the body of a table.
fn rows(section: &str) -> Vec<Vec<&str>> {
    let lines = section.lines().filter(|line| line.starts_with('|')).skip(2);
    lines
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// What stands in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// A source file without the tests at its end.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(text)
}

/// Severities by code, as the calls in the source say them.
fn codes_in_source() -> BTreeMap<String, BTreeSet<&'static str>> {
    let call = Regex::new(
        r#"\b(error|warning|note|warn|Fault::new)\(\s*"([a-z]+(?:-[a-z]+)*)",|\bcode: "([a-z]+(?:-[a-z]+)+)""#,
    )
    .expect("a pattern");
    let mut found: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
    for (name, text) in files(&["src"], &[".rs"]) {
        if name.contains("tests") {
            continue;
        }
        for captures in call.captures_iter(code(&text)) {
            let severity = match captures.get(1).map(|word| word.as_str()) {
                Some("warning" | "warn" | "Fault::new") => "warning",
                Some("note") => "note",
                _ => "error",
            };
            let code = captures.get(2).or_else(|| captures.get(3));
            let code = code.map_or("", |code| code.as_str()).to_owned();
            found.entry(code).or_default().insert(severity);
        }
    }
    found
}

#[test]
fn every_diagnostic_is_in_the_table_with_its_severities() {
    let mut table: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for row in rows(section("## Diagnostics")) {
        let severities: BTreeSet<&str> = row[1].split(", ").collect();
        for code in quoted(row[0]) {
            let before = table.insert(code.to_owned(), severities.clone());
            assert!(before.is_none(), "`{code}` stands there twice");
        }
        assert!(!row[2].is_empty(), "{row:?}");
    }
    let source = codes_in_source();
    assert!(source.len() > 80, "{source:?}");
    for (code, severities) in &source {
        let told = table
            .get(code)
            .unwrap_or_else(|| panic!("`{code}` is not in the README"));
        let untold: Vec<_> = severities.difference(told).collect();
        assert!(untold.is_empty(), "`{code}` can be {untold:?}");
    }
    let text: String = files(&["src"], &[".rs"])
        .iter()
        .map(|(_, text)| code(text).to_owned())
        .collect();
    for code in table.keys() {
        let literal = format!("\"{code}\"");
        assert!(text.contains(&literal), "nothing gives `{code}`");
    }
}

#[test]
fn every_setting_of_a_server_is_in_the_table() {
    let config: String = files(&["templates/runtime"], &["config.rs", "settings.rs"])
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    let field = Regex::new(
        r#"(?s)#\[arg\((?P<attributes>[^\]]*?env = "(?P<env>\w+)"[^\]]*)\]\s*pub (?P<field>\w+):"#,
    )
    .expect("a pattern");
    let long = Regex::new(r#"long = "([a-z-]+)""#).expect("a pattern");
    let settings: BTreeSet<(String, String)> = field
        .captures_iter(&config)
        .map(|captures| {
            let flag = long.captures(&captures["attributes"]).map_or_else(
                || captures["field"].replace('_', "-"),
                |long| long[1].to_owned(),
            );
            (format!("--{flag}"), captures["env"].to_owned())
        })
        .collect();
    let table: BTreeSet<(String, String)> = rows(section("## Settings of a server"))
        .iter()
        .map(|row| {
            let cell = |index: usize| quoted(row[index]).next().unwrap_or_default().to_owned();
            (cell(0), cell(1))
        })
        .collect();
    assert_eq!(settings.len(), config.matches("#[arg(").count());
    assert_eq!(table, settings);
}

fn help(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_oas2mcp"))
        .args(arguments)
        .arg("--help")
        .output()
        .expect("it runs");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_command_and_flag_is_mentioned() {
    let section = section("## Commands");
    let flag = Regex::new(r"--[a-z][a-z-]+").expect("a pattern");
    let flags = |text: &str| -> BTreeSet<String> {
        let found = flag.find_iter(text);
        found.map(|found| found.as_str().to_owned()).collect()
    };
    let main = help(&[]);
    let list = main.split("Commands:\n").nth(1).expect("commands");
    let names = list.lines().take_while(|line| !line.is_empty());
    let commands: Vec<&str> = names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 5, "{main}");
    let mut known = flags(&main);
    for command in &commands {
        let start = format!("| `oas2mcp {command}");
        assert!(section.contains(&start), "{command} is not mentioned");
        known.extend(flags(&help(&[command])));
    }
    assert_eq!(flags(section), known);
    let table: Vec<&str> = rows(section)
        .iter()
        .filter_map(|row| row[0].split_whitespace().nth(1))
        .map(|name| name.trim_matches('`'))
        .collect();
    assert_eq!(table, commands);
}

#[test]
fn every_overlay_generates() {
    let blocks: Vec<&str> = README
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(blocks.len() > 7);
    let folder = tempfile::tempdir().expect("temp");
    fs::write(folder.path().join("openapi.yaml"), SHOP).expect("written");
    let path = folder.path().join("overlay.yaml");
    for block in blocks {
        let is_whole = block.starts_with("overlay: 1\n");
        let mut text = block.to_owned();
        if !is_whole {
            text.insert_str(0, "overlay: 1\nspec: openapi.yaml\n");
            // A part leaves out what another part says.
            for (key, line) in [
                ("locales:", "locales: {all: [en]}\n"),
                ("select:", "select: {include: ['* /**']}\n"),
            ] {
                if !block.contains(key) {
                    text.push_str(line);
                }
            }
        }
        fs::write(&path, &text).expect("written");
        let outcome = oas2mcp::generate(&path);
        let problems = outcome.diagnostics.items();
        assert!(outcome.files.is_some(), "{text}\n{problems:#?}");
        assert!(!is_whole || problems.is_empty(), "{text}\n{problems:#?}");
    }
}

#[test]
fn it_is_short_and_its_links_lead_somewhere() {
    assert!(README.lines().count() <= 300, "{}", README.lines().count());
    let link = Regex::new(r"\]\(([^)#]+)\)").expect("a pattern");
    for captures in link.captures_iter(README) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&captures[1]);
        assert!(path.exists(), "{}", &captures[1]);
    }
}
