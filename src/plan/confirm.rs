//! Confirmation of destructive tools: the policy, and the question of each tool.

use crate::overlay::{KnownUnit, NoConfirmation, RecordField, ToolConfirm, Unit};

use super::arguments::{self, Draft};
use super::context::{Context, in_locale, pointer, quote_list};
use super::kinds;
use super::prompts::placeholders;
use super::schema::Library;
use super::select::{Selected, find_operation, nearest};
use super::server::{
    Body, Confirm, Confirmation, Kind, Lookup, Place, QuestionValue, Server, Text, Tool,
    ValueFormat, ValueSource,
};
use super::tools;
use super::upstream::bounded;

/// Most arguments that a question of the generator's own names.
const MAX_NAMED: usize = 8;

/// Decides how destructive tools are confirmed.
pub(super) fn policy(cx: &Context<'_>) -> Confirmation {
    let confirm = &cx.overlay.confirm;
    if confirm.legacy == Some(NoConfirmation::ProtocolError) {
        cx.error(
            "invalid-value",
            "/confirm/legacy",
            "-32021 does not exist in the legacy era".to_owned(),
            "write `tool_error`",
        );
    }
    let codes = &confirm.codes;
    let code = |said: &Option<String>, own: &str| said.clone().unwrap_or_else(|| own.to_owned());
    let lifetime_s = u64::from(confirm.lifetime_seconds.unwrap_or(300));
    Confirmation {
        required: code(&codes.required, "confirmation_required"),
        declined: code(&codes.declined, "user_declined"),
        replayed: code(&codes.replayed, "confirmation_replayed"),
        unavailable: code(&codes.unavailable, "confirmation_unavailable"),
        is_missing_elicitation_protocol_error: confirm.modern_without_elicitation
            != Some(NoConfirmation::ToolError),
        single_use: confirm.single_use.unwrap_or(true),
        lifetime_s: bounded(cx, "/confirm/lifetime_seconds", lifetime_s, (10, 3600)),
    }
}

/// The codes that confirmation gives on this server.
pub(super) fn codes(server: &Server) -> Vec<&String> {
    let is_destructive = |tool: &Tool| tool.kind == Kind::Destructive;
    if !server.tools.iter().any(is_destructive) {
        return Vec::new();
    }
    let policy = &server.confirmation;
    let mut codes = vec![&policy.required];
    if !server.protocol.modern.is_empty() {
        codes.push(&policy.declined);
        if policy.single_use {
            codes.extend([&policy.replayed, &policy.unavailable]);
        }
    }
    codes
}

/// The tool that asks.
pub(super) struct Asker<'a> {
    /// The operation, with its entry.
    pub(super) selected: &'a Selected<'a>,
    /// Effect.
    pub(super) kind: Kind,
    /// Name.
    pub(super) name: &'a str,
    /// Name for people.
    pub(super) title: &'a Text,
    /// Its arguments.
    pub(super) drafts: &'a [Draft],
}

/// The question of a tool; none for one that is not destructive.
pub(super) fn question(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    asker: &Asker<'_>,
) -> Option<Confirm> {
    let entry = asker.selected.entry;
    let said = entry.and_then(|(key, entry)| Some((key, entry.confirm.as_ref()?)));
    if asker.kind != Kind::Destructive {
        if let Some((key, _)) = said {
            cx.error(
                "question-without-effect",
                &pointer(&["tools", key, "confirm"]),
                format!("`{}` is not destructive: it asks nobody", asker.name),
                "write `kind: destructive`, or remove the question",
            );
        }
        return None;
    }
    let (key, said) = match said {
        Some(said) if said.1.message.is_some() => said,
        said => {
            warn_of_missing(cx, asker);
            return Some(own_question(cx, asker, said));
        }
    };
    let at = pointer(&["tools", key, "confirm"]);
    let message = cx.optional_text(said.message.as_ref(), &format!("{at}/message"));
    check_fields(cx, asker, said, &at);
    Some(Confirm {
        values: values(cx, asker, said, (&message, &format!("{at}/message"))),
        message,
        accept: accept(cx, Some((key, said))),
        lookup: lookup(cx, libraries, asker, said, &format!("{at}/lookup")),
    })
}

fn warn_of_missing(cx: &Context<'_>, asker: &Asker<'_>) {
    if !cx.has_overlay {
        return;
    }
    let at = asker
        .selected
        .entry
        .map_or_else(|| "/tools".to_owned(), |(key, _)| pointer(&["tools", key]));
    cx.warning(
        "missing-question",
        &at,
        format!(
            "`{}` is destructive and has no question for the person who confirms it",
            asker.name
        ),
        &format!(
            "write it:\ntools:\n  {}:\n    confirm:\n      message: …",
            asker.selected.operation.key.join_key()
        ),
    );
}

fn accept(cx: &Context<'_>, said: Option<(&str, &ToolConfirm)>) -> Text {
    match said.and_then(|(key, said)| Some((key, said.accept.as_ref()?))) {
        Some((key, text)) => cx.text(text, &pointer(&["tools", key, "confirm", "accept"])),
        None => cx.own_text(&cx.wording.question.accept),
    }
}

/// A question of the generator's own: the tool's title, and what it is called with.
fn own_question(
    cx: &Context<'_>,
    asker: &Asker<'_>,
    said: Option<(&str, &ToolConfirm)>,
) -> Confirm {
    let named: Vec<&Draft> = tools::visible(asker.drafts).take(MAX_NAMED).collect();
    let listed: Vec<String> = named
        .iter()
        .map(|draft| format!("{0}: {{{0}}}", draft.name))
        .collect();
    let listed = listed.join(", ");
    let template = cx.own_text(&cx.wording.question.message);
    let message = (0..cx.n_locales()).map(|locale| {
        let title = in_locale(asker.title, locale);
        let title = if title.is_empty() { asker.name } else { title };
        let title = title.replace('{', "{{").replace('}', "}}");
        let text = in_locale(&template, locale).replace("{title}", &title);
        text.replace("{arguments}", &listed).trim_end().to_owned()
    });
    Confirm {
        message: super::context::collapse(message.collect()),
        accept: accept(cx, said),
        values: named
            .into_iter()
            .map(|draft| argument_value(asker, draft))
            .collect(),
        lookup: None,
    }
}

fn check_fields(cx: &Context<'_>, asker: &Asker<'_>, said: &ToolConfirm, at: &str) {
    if said.lookup.is_none() && !said.fields.is_empty() {
        cx.error(
            "invalid-lookup",
            &format!("{at}/fields"),
            "no operation shows the record that these fields are of".to_owned(),
            "write `lookup: GET /…` beside them",
        );
    }
    for (name, field) in &said.fields {
        let at = format!("{at}/fields/{}", super::context::escape(name));
        if !field.at.is_empty() && !field.at.starts_with('/') {
            cx.error(
                "invalid-pointer",
                &format!("{at}/at"),
                format!("`{}` is not a JSON pointer", field.at),
                &format!("write `/{}`", field.at.replace('.', "/")),
            );
        }
        if tools::visible(asker.drafts).any(|draft| draft.name == *name) {
            cx.error(
                "duplicate-name",
                &at,
                format!("`{name}` is also an argument of this tool"),
                "give the field a name of its own",
            );
        }
    }
}

/// What the placeholders stand for.
fn values(
    cx: &Context<'_>,
    asker: &Asker<'_>,
    said: &ToolConfirm,
    (message, at): (&Text, &str),
) -> Vec<QuestionValue> {
    let mut values: Vec<QuestionValue> = Vec::new();
    for name in message.iter().flat_map(|text| placeholders(text)) {
        let Some(name) = name else {
            let message = "a brace stands alone".to_owned();
            cx.error(
                "unknown-placeholder",
                at,
                message,
                "write `{{` or `}}` for a brace",
            );
            continue;
        };
        if values.iter().any(|known| known.name == name) {
            continue;
        }
        match value(asker, said, &name) {
            Some(value) => values.push(value),
            None => report_unknown(cx, asker, said, (&name, at)),
        }
    }
    values
}

fn value(asker: &Asker<'_>, said: &ToolConfirm, name: &str) -> Option<QuestionValue> {
    if let Some(field) = said.fields.get(name) {
        return Some(record_value(name, field));
    }
    let draft = tools::visible(asker.drafts).find(|draft| draft.name == name)?;
    Some(argument_value(asker, draft))
}

fn record_value(name: &str, field: &RecordField) -> QuestionValue {
    QuestionValue {
        name: name.to_owned(),
        source: ValueSource::Record(field.at.clone()),
        format: field.unit.map_or(ValueFormat::Plain, format),
    }
}

fn argument_value(asker: &Asker<'_>, draft: &Draft) -> QuestionValue {
    let entry = asker.selected.entry.map(|(_, entry)| &entry.arguments);
    let changes = entry.into_iter().flatten();
    let unit = changes
        .filter(|(key, change)| {
            **key == draft.wire || change.name.as_ref() == Some(&draft.name) || **key == draft.name
        })
        .find_map(|(_, change)| match change.unit {
            Some(Unit::Known(unit)) => Some(unit),
            _ => None,
        });
    QuestionValue {
        name: draft.name.clone(),
        source: ValueSource::Argument(draft.name.clone()),
        format: unit.map_or(ValueFormat::Plain, format),
    }
}

fn format(unit: KnownUnit) -> ValueFormat {
    match unit {
        KnownUnit::Cents => ValueFormat::Cents,
        KnownUnit::Brl => ValueFormat::Brl,
        KnownUnit::Percent => ValueFormat::Percent,
        KnownUnit::Days => ValueFormat::Days,
    }
}

fn report_unknown(
    cx: &Context<'_>,
    asker: &Asker<'_>,
    said: &ToolConfirm,
    (name, at): (&str, &str),
) {
    let arguments = tools::visible(asker.drafts).map(|draft| draft.name.clone());
    let known: Vec<String> = arguments.chain(said.fields.keys().cloned()).collect();
    let help = nearest(name, known.iter().cloned()).map_or_else(
        || format!("write one of {}; `{{{{` for a brace", quote_list(&known)),
        |name| format!("did you mean `{{{name}}}`?"),
    );
    cx.error(
        "unknown-placeholder",
        at,
        format!("`{{{name}}}` is neither an argument of this tool nor one of `fields`"),
        &help,
    );
}

/// The one path parameter of the tool, where the lookup needs one value alone: `{id}` and `{uid}` then name the same.
fn only_key<'a>(asker: &Asker<'a>, needed: &[&Draft]) -> Option<&'a Draft> {
    let mut keys = tools::visible(asker.drafts).filter(|own| own.place == Place::Path);
    let key = keys.next()?;
    (keys.next().is_none() && needed.len() == 1).then_some(key)
}

/// The read that shows the record, filled by the tool's arguments of the same name in the API.
fn lookup(
    cx: &Context<'_>,
    libraries: &[Library<'_>],
    asker: &Asker<'_>,
    said: &ToolConfirm,
    at: &str,
) -> Option<Lookup> {
    let index = find_operation(cx, said.lookup.as_ref()?, at)?;
    let operation = &cx.api.operations[index];
    let join_key = operation.key.join_key();
    let fault = |message: String, help: &str| cx.error("invalid-lookup", at, message, help);
    if operation.key.method != "GET" || kinds::guess(operation) != Kind::Read {
        fault(
            format!("`{join_key}` is not a plain read"),
            "name a GET that changes nothing: it is called before anybody has agreed",
        );
        return None;
    }
    let (drafts, _) = arguments::collect(cx, libraries, index);
    let needed = drafts
        .iter()
        .filter(|draft| draft.place == Place::Path || draft.required && !draft.hidden);
    let needed: Vec<&Draft> = needed.collect();
    let mut pairs = Vec::new();
    let mut taken = Vec::new();
    for draft in &needed {
        let here = tools::visible(asker.drafts)
            .find(|own| own.wire == draft.wire && (own.required || own.place == Place::Path));
        match here.or_else(|| only_key(asker, &needed)) {
            Some(own) => pairs.push((draft.name.clone(), own.name.clone())),
            None => fault(
                format!(
                    "`{join_key}` needs `{}`, which `{}` is not called with",
                    draft.wire, asker.name
                ),
                "name an operation whose parameters are required arguments of this tool",
            ),
        }
        taken.push(tools::argument(draft));
    }
    let base_url = super::upstream::own_base_url(cx, operation)?;
    let tool = Tool {
        name: format!("{}_lookup", asker.name),
        title: vec![String::new()],
        description: vec![String::new()],
        kind: Kind::Read,
        idempotent: true,
        open_world: true,
        input_schema: vec!["{}".to_owned()],
        output_schema: None,
        method: operation.key.method.clone(),
        path: tools::segments(&operation.key.path),
        operation: join_key,
        base_url,
        body: Body::None,
        arguments: taken,
        fixed: Vec::new(),
        hints: Vec::new(),
        confirm: None,
        example_arguments: String::new(),
    };
    Some(Lookup {
        tool: Box::new(tool),
        arguments: pairs,
    })
}
