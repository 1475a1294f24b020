//! One selected operation → one tool.

use serde_json::Value;

use crate::overlay;

use super::arguments::{self, Planned};
use super::context::{Context, collapse, in_locale, pointer};
use super::example;
use super::kinds;
use super::schema::Library;
use super::select::Selected;
use super::server::{Fixed, Kind, Place, Segment, Text, Tool};
use super::upstream;

/// Longest description that comes from the document, in characters.
const MAX_DESCRIPTION: usize = 1200;
/// Longest title that comes from the document, in characters.
const MAX_TITLE: usize = 80;
/// Beginnings of names that clients approve without asking.
const READING_NAMES: [&str; 5] = ["list_", "get_", "query_", "search_", "find_"];

/// The tools, with these names, in document order.
pub(super) fn plan(cx: &Context<'_>, selected: &[Selected<'_>], names: &[String]) -> Vec<Tool> {
    let libraries: Vec<Library<'_>> = cx
        .apis
        .iter()
        .map(|api| Library::new(&api.definitions))
        .collect();
    selected
        .iter()
        .zip(names)
        .filter_map(|(tool, name)| plan_tool(cx, &libraries, tool, name))
        .collect()
}

/// None where the operation's own address cannot be used; it is reported.
fn plan_tool(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    tool: &Selected<'_>,
    name: &str,
) -> Option<Tool> {
    let operation = tool.operation;
    let base_url = upstream::own_base_url(cx, operation)?;
    let kind = kind(cx, tool, name);
    let mut planned = arguments::plan(cx, libraries, tool);
    let path = path(&operation.key.path, &mut planned.fixed);
    let is_repeatable = matches!(
        operation.key.method.as_str(),
        "GET" | "HEAD" | "PUT" | "DELETE"
    );
    let annotations = tool
        .entry
        .map(|(_, entry)| entry.annotations.clone())
        .unwrap_or_default();
    Some(Tool {
        name: name.to_owned(),
        title: title(cx, tool),
        description: description(cx, tool, &planned),
        kind,
        idempotent: annotations.idempotent.unwrap_or(is_repeatable),
        open_world: annotations.open_world.unwrap_or(true),
        example_arguments: example_arguments(&planned),
        input_schema: planned.schema,
        output_schema: None,
        operation: operation.key.join_key(),
        method: operation.key.method.clone(),
        path,
        base_url,
        body: planned.body,
        arguments: planned.arguments,
        fixed: planned.fixed,
        hints: hints(cx, tool),
    })
}

fn example_arguments(planned: &Planned) -> String {
    let schema: Value = serde_json::from_str(in_locale(&planned.schema, 0)).unwrap_or_default();
    example::arguments(&schema).map_or_else(String::new, |value| value.to_string())
}

/// Whether a call must be confirmed.
pub(super) fn is_destructive(tool: &Selected<'_>) -> bool {
    decided_kind(tool) == Kind::Destructive
}

/// The overlay's kind, else the guess.
fn decided_kind(tool: &Selected<'_>) -> Kind {
    match tool.entry.and_then(|(_, entry)| entry.kind) {
        None => kinds::guess(tool.operation),
        Some(overlay::Kind::Read) => Kind::Read,
        Some(overlay::Kind::Write) => Kind::Write,
        Some(overlay::Kind::Destructive) => Kind::Destructive,
    }
}

fn kind(cx: &Context<'_>, tool: &Selected<'_>, name: &str) -> Kind {
    let kind = decided_kind(tool);
    let Some((key, entry)) = tool.entry else {
        return kind;
    };
    if tool.operation.key.method == "DELETE" && kind != Kind::Destructive {
        cx.warning(
            "weakened-kind",
            &pointer(&["tools", key, "kind"]),
            format!(
                "`{}` deletes, but its tool is not destructive",
                tool.operation.key.join_key()
            ),
            "write `kind: destructive` unless what it deletes can be brought back",
        );
    }
    if kind != Kind::Read && READING_NAMES.iter().any(|prefix| name.starts_with(prefix)) {
        cx.error(
            "misleading-name",
            &pointer(&["tools", key, if entry.name.is_some() { "name" } else { "kind" }]),
            format!("`{name}` changes something, but its name begins like a read"),
            "clients approve `list_`, `get_`, `query_`, `search_` and `find_` without asking: choose another verb",
        );
    }
    kind
}

fn title(cx: &Context<'_>, tool: &Selected<'_>) -> Text {
    if let Some((key, title)) = tool
        .entry
        .and_then(|(key, entry)| Some((key, entry.title.as_ref()?)))
    {
        return cx.text(title, &pointer(&["tools", key, "title"]));
    }
    let titles = (0..cx.n_locales()).map(|locale| {
        let summary = &cx.api_in(locale).operations[tool.index].summary;
        cut(summary.trim(), MAX_TITLE)
    });
    collapse(titles.collect())
}

/// Units first, since a model that reads one sentence must read that one.
fn description(cx: &Context<'_>, tool: &Selected<'_>, planned: &Planned) -> Text {
    let entry = tool.entry;
    let text = |name: &str, text: Option<&overlay::Text>| {
        let key = entry.map_or("", |(key, _)| key);
        text.map(|text| cx.text(text, &pointer(&["tools", key, name])))
    };
    let first = text(
        "first_sentence",
        entry.and_then(|(_, entry)| entry.first_sentence.as_ref()),
    );
    let given = text(
        "description",
        entry.and_then(|(_, entry)| entry.description.as_ref()),
    );
    let describe = |locale: usize| {
        let mut parts: Vec<String> = Vec::new();
        let notes = planned
            .notes
            .iter()
            .map(|note| in_locale(&note.sentence, locale).to_owned());
        for sentence in first
            .iter()
            .map(|text| in_locale(text, locale).to_owned())
            .chain(notes)
        {
            if !sentence.is_empty() && !parts.contains(&sentence) {
                parts.push(sentence);
            }
        }
        parts.push(match &given {
            Some(text) => in_locale(text, locale).to_owned(),
            None => documented(cx, tool, locale),
        });
        parts.join(" ").trim().to_owned()
    };
    collapse((0..cx.n_locales()).map(describe).collect())
}

fn documented(cx: &Context<'_>, tool: &Selected<'_>, locale: usize) -> String {
    let operation = &cx.api_in(locale).operations[tool.index];
    let (summary, description) = (operation.summary.trim(), operation.description.trim());
    let text = if description.is_empty() || description == summary {
        summary.to_owned()
    } else if summary.is_empty() || description.starts_with(summary) {
        description.to_owned()
    } else {
        let stop = if summary.ends_with(['.', '!', '?', ':']) {
            ""
        } else {
            "."
        };
        format!("{summary}{stop} {description}")
    };
    if text.is_empty() {
        return operation.key.join_key();
    }
    cut(&text, MAX_DESCRIPTION)
}

/// The text up to a length, at the end of a sentence where one is near.
fn cut(text: &str, n_chars: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(n_chars) else {
        return text.to_owned();
    };
    let head = &text[..end];
    match head.rfind(". ").filter(|stop| *stop > end / 2) {
        Some(stop) => head[..=stop].to_owned(),
        None => format!("{}…", head.trim_end()),
    }
}

/// Pieces of the path. A query written into the template becomes fixed parameters; a fragment is never sent.
fn path(template: &str, fixed: &mut Vec<Fixed>) -> Vec<Segment> {
    let template = template.split('#').next().unwrap_or_default();
    let (template, query) = template.split_once('?').unwrap_or((template, ""));
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        fixed.push(Fixed {
            place: Place::Query,
            wire: name.to_owned(),
            value: Value::from(value).to_string(),
        });
    }
    let mut segments = Vec::new();
    let mut rest = template;
    while let Some((literal, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        push_literal(&mut segments, literal);
        segments.push(Segment::Parameter(name.to_owned()));
        rest = after;
    }
    push_literal(&mut segments, rest);
    segments
}

fn push_literal(segments: &mut Vec<Segment>, text: &str) {
    if text.is_empty() {
        return;
    }
    segments.push(Segment::Literal(upstream::encode(text)));
}

fn hints(cx: &Context<'_>, tool: &Selected<'_>) -> Vec<(String, Text)> {
    let Some((key, entry)) = tool.entry else {
        return Vec::new();
    };
    let hint = |(code, text): (&String, &overlay::Text)| {
        (
            code.clone(),
            cx.text(text, &pointer(&["tools", key, "hints", code])),
        )
    };
    entry.hints.iter().map(hint).collect()
}
