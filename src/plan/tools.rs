//! Tools: one per selected operation.

use serde_json::{Map, Value};

use crate::model::Operation;
use crate::overlay;

use super::argument_entry;
use super::arguments::{self, Draft};
use super::confirm;
use super::context::{Context, collapse, in_locale, pointer};
use super::example;
use super::kinds;
use super::names;
use super::schema::Library;
use super::select::Selected;
use super::server::{Argument, Fixed, Kind, Place, Segment, Text, Tool};
use super::units::joined;
use super::upstream;

/// Characters of a description that are kept.
const MAX_DESCRIPTION: usize = 1200;
/// Beginnings by which clients take a tool for harmless.
const HARMLESS_PREFIXES: &[&str] = &["list_", "get_", "query_", "search_", "find_"];

/// Every tool, in document order. One that cannot be made is left out and reported.
pub(super) fn plan(cx: &Context<'_>, selected: &[Selected<'_>]) -> Vec<Tool> {
    let libraries: Vec<Library<'_>> = cx
        .apis
        .iter()
        .map(|api| Library::new(&api.definitions))
        .collect();
    names::assign(cx, selected)
        .into_iter()
        .zip(selected)
        .filter_map(|(name, selected)| tool(cx, &libraries, selected, name))
        .collect()
}

fn tool(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    selected: &Selected<'_>,
    name: String,
) -> Option<Tool> {
    let operation = selected.operation;
    let kind = kind(cx, selected, &name);
    let (mut drafts, body) = arguments::collect(cx, libraries, selected.index);
    let units = selected
        .entry
        .map(|entry| argument_entry::apply(cx, entry, &mut drafts))
        .unwrap_or_default();
    if !hidden_ones_are_sent(cx, selected, &drafts) {
        return None;
    }
    let (input_schema, example_arguments) = input_schema(cx, libraries, selected, &drafts)?;
    let base_url = upstream::own_base_url(cx, operation)?;
    let title = title(cx, selected);
    let confirm = confirm::question(
        cx,
        libraries,
        &confirm::Asker {
            selected,
            kind,
            name: &name,
            title: &title,
            drafts: &drafts,
        },
    );
    let (idempotent, open_world) = annotations(selected, kind);
    Some(Tool {
        title,
        description: description(cx, selected, &units),
        kind,
        idempotent,
        open_world,
        input_schema,
        output_schema: None,
        operation: operation.key.join_key(),
        method: operation.key.method.clone(),
        path: segments(&operation.key.path),
        base_url,
        body,
        arguments: visible(&drafts).map(argument).collect(),
        fixed: drafts.iter().filter_map(fixed).collect(),
        hints: hints(cx, selected),
        confirm,
        example_arguments,
        name,
    })
}

fn kind(cx: &Context<'_>, selected: &Selected<'_>, name: &str) -> Kind {
    let guessed = kinds::guess(selected.operation);
    let Some((key, entry)) = selected.entry else {
        return check_name(cx, selected, name, guessed);
    };
    let Some(said) = entry.kind else {
        return check_name(cx, selected, name, guessed);
    };
    let kind = match said {
        overlay::Kind::Read => Kind::Read,
        overlay::Kind::Write => Kind::Write,
        overlay::Kind::Destructive => Kind::Destructive,
    };
    if selected.operation.key.method == "DELETE" && kind < Kind::Destructive {
        cx.warning(
            "weakened-kind",
            &pointer(&["tools", key, "kind"]),
            "a DELETE runs unasked with this kind".to_owned(),
            "write `kind: destructive`, unless the API can bring the record back",
        );
    }
    check_name(cx, selected, name, kind)
}

/// Clients approve by name: a write must not sound like a read.
fn check_name(cx: &Context<'_>, selected: &Selected<'_>, name: &str, kind: Kind) -> Kind {
    let prefix = cx.overlay.naming.prefix.as_deref().unwrap_or("");
    let own = name.strip_prefix(prefix).unwrap_or(name);
    let sounds = |text: &str| {
        HARMLESS_PREFIXES
            .iter()
            .any(|start| text.starts_with(start))
    };
    if kind == Kind::Read || !(sounds(name) || sounds(own)) {
        return kind;
    }
    let message = format!("`{name}` changes something, but its name sounds like a read");
    let help = "clients approve such names unasked; name it after what it does";
    match selected.entry {
        Some((key, entry)) if entry.name.is_some() => {
            cx.error(
                "harmless-name",
                &pointer(&["tools", key, "name"]),
                message,
                help,
            );
        }
        _ => {
            let help = format!("{help}, or write `kind: read` if nothing changes");
            cx.document_warning("harmless-name", &selected.operation.pointer, message, &help);
        }
    }
    kind
}

fn hidden_ones_are_sent(cx: &Context<'_>, selected: &Selected<'_>, drafts: &[Draft]) -> bool {
    let mut all_sent = true;
    for draft in drafts.iter().filter(|draft| draft.hidden && draft.required) {
        let was_reported = selected
            .entry
            .and_then(|(_, entry)| entry.arguments.get(&draft.wire))
            .is_some_and(|entry| entry.hide);
        if arguments::is_sent_anyway(cx, draft) || was_reported {
            continue;
        }
        let join_key = selected.operation.key.join_key();
        let message = format!(
            "`{join_key}` requires `{}`, which no tool shows",
            draft.wire
        );
        let help = format!(
            "send a value:\nupstream:\n  headers:\n    set:\n      {0}: '{{env:NAME}}'\nor for this tool alone:\ntools:\n  {join_key}:\n    arguments:\n      {0}: {{fixed: …}}",
            draft.wire
        );
        // What the overlay names or hides itself must hold; what a wildcard met costs one tool.
        if selected.entry.is_some() || arguments::is_listed(cx, &draft.wire) {
            let key = selected.entry.map_or("", |(key, _)| key);
            let at = if key.is_empty() {
                String::new()
            } else {
                pointer(&["tools", key])
            };
            cx.error("hidden-required-argument", &at, message, &help);
        } else {
            let message = format!("{message}: the operation is left out");
            let message = format!("{message}; left out: `{join_key}`");
            cx.document_warning("hidden-required-argument", &draft.pointer, message, &help);
            all_sent = false;
        }
    }
    all_sent
}

/// The schema by language, and arguments that it accepts. None when it cannot be compiled: reported.
fn input_schema(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    selected: &Selected<'_>,
    drafts: &[Draft],
) -> Option<(Text, String)> {
    let has_variants = cx.apis.len() > 1 || drafts.iter().any(|d| d.description.len() > 1);
    let n_variants = if has_variants { cx.n_locales() } else { 1 };
    let required: Vec<String> = visible(drafts)
        .filter(|draft| draft.required)
        .map(|draft| draft.name.clone())
        .collect();
    let mut texts = Vec::with_capacity(n_variants);
    let mut example = None;
    for locale in 0..n_variants {
        let mut properties = Map::new();
        for draft in visible(drafts) {
            properties.insert(draft.name.clone(), property(draft, locale));
        }
        let library = libraries.get(locale).or_else(|| libraries.first())?;
        let schema = library.assemble(properties, &required);
        if example.is_none() {
            example = Some(compile(cx, selected, &schema)?);
        }
        texts.push(schema.to_string());
    }
    Some((collapse(texts), example.unwrap_or_default()))
}

/// Compiles a schema once, so that no server starts with one that fails, and makes example arguments.
fn compile(cx: &Context<'_>, selected: &Selected<'_>, schema: &Value) -> Option<String> {
    let join_key = selected.operation.key.join_key();
    match jsonschema::validator_for(schema) {
        Ok(validator) => {
            let example = example::arguments(schema, &validator);
            if example.is_empty() {
                cx.document_note(
                    "no-example",
                    &selected.operation.pointer,
                    format!("no example arguments could be made for `{join_key}`"),
                    "the emitted tests leave this tool out; an `example` in the document helps",
                );
            }
            Some(example)
        }
        Err(error) => {
            cx.document_warning(
                "invalid-schema",
                &selected.operation.pointer,
                format!("the arguments of `{join_key}` make no valid schema: {error}"),
                "the operation is left out; repair its schemas, or replace one with `arguments.<name>.schema`",
            );
            None
        }
    }
}

fn property(draft: &Draft, locale: usize) -> Value {
    let schema = draft.schemas.get(locale).or_else(|| draft.schemas.first());
    let mut object = match schema {
        Some(Value::Object(object)) => object.clone(),
        Some(Value::Bool(false)) => return Value::Bool(false),
        _ => Map::new(),
    };
    let description = in_locale(&draft.description, locale);
    if description.is_empty() {
        object.shift_remove("description");
    } else {
        object.insert("description".to_owned(), description.into());
    }
    Value::Object(object)
}

pub(super) fn visible(drafts: &[Draft]) -> impl Iterator<Item = &Draft> {
    drafts.iter().filter(|draft| !draft.hidden)
}

pub(super) fn argument(draft: &Draft) -> Argument {
    Argument {
        name: draft.name.clone(),
        wire: draft.wire.clone(),
        place: draft.place,
        style: draft.style,
        explode: draft.explode,
        allow_reserved: draft.allow_reserved,
        structured: draft.schemas.first().is_some_and(is_structured),
    }
}

fn is_structured(schema: &Value) -> bool {
    let holds = |kind: &Value| kind == "object" || kind == "array";
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().all(|kind| holds(kind) || kind == "null"),
        Some(kind) => holds(kind),
        None => schema.get("properties").is_some() || schema.get("items").is_some(),
    }
}

fn fixed(draft: &Draft) -> Option<Fixed> {
    draft
        .fixed
        .as_ref()
        .filter(|_| draft.place != Place::Body)
        .map(|value| Fixed {
            place: draft.place,
            wire: draft.wire.clone(),
            value: value.to_string(),
        })
}

fn annotations(selected: &Selected<'_>, kind: Kind) -> (bool, bool) {
    let said = selected.entry.map(|(_, entry)| &entry.annotations);
    // What is idempotent may be sent twice. A PUT to a record replaces it; a PUT to `/resend` or `/pay` does something.
    let by_method = match selected.operation.key.method.as_str() {
        "DELETE" => true,
        "PUT" => selected.operation.key.path.ends_with('}'),
        _ => false,
    };
    let idempotent = said
        .and_then(|said| said.idempotent)
        .unwrap_or(by_method || kind == Kind::Read);
    let open_world = said.and_then(|said| said.open_world).unwrap_or(true);
    (idempotent, open_world)
}

fn title(cx: &Context<'_>, selected: &Selected<'_>) -> Text {
    if let Some((key, entry)) = selected.entry
        && let Some(title) = &entry.title
    {
        return cx.text(title, &pointer(&["tools", key, "title"]));
    }
    from_document(cx, selected, |operation| {
        operation.summary.trim().to_owned()
    })
}

fn description(cx: &Context<'_>, selected: &Selected<'_>, units: &[Text]) -> Text {
    let mut first = vec![String::new()];
    let mut own = None;
    if let Some((key, entry)) = selected.entry {
        let at = pointer(&["tools", key, "first_sentence"]);
        first = cx.optional_text(entry.first_sentence.as_ref(), &at);
        own = entry
            .description
            .as_ref()
            .map(|text| cx.text(text, &pointer(&["tools", key, "description"])));
    }
    for unit in units {
        first = joined(cx, &first, unit, " ");
    }
    let own = own.unwrap_or_else(|| from_document(cx, selected, document_description));
    let own = if own.iter().all(String::is_empty) && first.iter().all(String::is_empty) {
        vec![selected.operation.key.join_key()]
    } else {
        own
    };
    let whole = joined(cx, &first, &own, " ");
    if whole
        .iter()
        .any(|text| text.chars().count() > MAX_DESCRIPTION)
    {
        cx.document_note(
            "text-shortened",
            &selected.operation.pointer,
            format!(
                "the description of `{}` is longer than {MAX_DESCRIPTION} characters and was cut at a sentence",
                selected.operation.key.join_key()
            ),
            "write a shorter one under `tools.<operation>.description`",
        );
    }
    collapse(whole.iter().map(|text| shortened(text)).collect())
}

fn document_description(operation: &Operation) -> String {
    let (summary, long) = (operation.summary.trim(), operation.description.trim());
    if summary.is_empty() || long.starts_with(summary) {
        return long.to_owned();
    }
    if long.is_empty() {
        return summary.to_owned();
    }
    let stop = if summary.ends_with(['.', '!', '?', ':']) {
        ""
    } else {
        "."
    };
    format!("{summary}{stop} {long}")
}

fn from_document(
    cx: &Context<'_>,
    selected: &Selected<'_>,
    read: impl Fn(&Operation) -> String,
) -> Text {
    let texts = (0..cx.apis.len().max(1)).map(|locale| {
        let operation = cx.api_in(locale).operations.get(selected.index);
        read(operation.unwrap_or(selected.operation))
    });
    collapse(texts.collect())
}

/// The text up to the last sentence that fits.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_DESCRIPTION) else {
        return text.to_owned();
    };
    let head = &text[..end];
    let stops = [". ", ".\n", "! ", "? ", "\n\n"];
    let sentence = stops
        .iter()
        .filter_map(|stop| head.rfind(stop))
        .max()
        .filter(|end| *end > MAX_DESCRIPTION / 3);
    match sentence.or_else(|| head.rfind(' ')) {
        Some(end) => format!("{}…", head[..end].trim_end_matches(['.', ' ', '\n'])),
        None => format!("{head}…"),
    }
}

fn hints(cx: &Context<'_>, selected: &Selected<'_>) -> Vec<(String, Text)> {
    let Some((key, entry)) = selected.entry else {
        return Vec::new();
    };
    let hints = entry.hints.iter();
    hints
        .map(|(code, text)| {
            (
                code.clone(),
                cx.text(text, &pointer(&["tools", key, "hints", code])),
            )
        })
        .collect()
}

/// A path template as literal text, percent-encoded, and parameters.
pub(super) fn segments(path: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut rest = path;
    while let Some(start) = rest.find('{') {
        let Some(length) = rest[start..].find('}') else {
            break;
        };
        if start > 0 {
            segments.push(Segment::Literal(upstream::encode(&rest[..start])));
        }
        segments.push(Segment::Parameter(
            rest[start + 1..start + length].to_owned(),
        ));
        rest = &rest[start + length + 1..];
    }
    if !rest.is_empty() {
        segments.push(Segment::Literal(upstream::encode(rest)));
    }
    segments
}
