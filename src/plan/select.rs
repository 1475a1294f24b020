//! Which operations become tools.

use std::collections::BTreeSet;

use crate::model::{Operation, OperationKey};
use crate::overlay::{Selector, SelectorFields, ToolEntry};

use super::context::{Context, pointer};

/// An operation that becomes a tool, with what the overlay says of it.
#[derive(Clone, Copy)]
pub(super) struct Selected<'a> {
    /// Its index among the API's operations, the same in every language.
    pub(super) index: usize,
    /// The operation.
    pub(super) operation: &'a Operation,
    /// Key and entry in `tools`.
    pub(super) entry: Option<(&'a str, &'a ToolEntry)>,
}

/// The selected operations, in document order.
pub(super) fn select<'a>(cx: &Context<'a>) -> Vec<Selected<'a>> {
    let entries = entries(cx);
    let include = matched(cx, "include", &cx.overlay.select.include);
    let exclude = matched(cx, "exclude", &cx.overlay.select.exclude);
    let mut selected = Vec::new();
    for (index, operation) in cx.api.operations.iter().enumerate() {
        let entry = entries
            .iter()
            .find(|(found, _, _)| *found == index)
            .map(|(_, key, entry)| (*key, *entry));
        let is_in = !cx.has_overlay || include.contains(&index) || entry.is_some();
        if !is_in {
            continue;
        }
        if exclude.contains(&index) {
            report_excluded_entry(cx, entry);
            continue;
        }
        selected.push(Selected {
            index,
            operation,
            entry,
        });
    }
    selected
}

/// The operation with this `METHOD /path` or operationId; none is reported at `at`.
pub(super) fn find_operation(cx: &Context<'_>, key: &str, at: &str) -> Option<usize> {
    let matches: Vec<usize> = cx
        .api
        .operations
        .iter()
        .enumerate()
        .filter(|(_, operation)| is_named(&operation.key, key))
        .map(|(index, _)| index)
        .collect();
    match matches.as_slice() {
        [index] => return Some(*index),
        [] => report_unknown(cx, key, at),
        _ => cx.error(
            "ambiguous-operation",
            at,
            format!("more than one operation has the operationId `{key}`"),
            "write `METHOD /path` instead",
        ),
    }
    None
}

fn entries<'a>(cx: &Context<'a>) -> Vec<(usize, &'a str, &'a ToolEntry)> {
    let mut entries: Vec<(usize, &str, &ToolEntry)> = Vec::new();
    for (key, entry) in &cx.overlay.tools {
        let at = pointer(&["tools", key]);
        let Some(index) = find_operation(cx, key, &at) else {
            continue;
        };
        if let Some((_, other, _)) = entries.iter().find(|(found, _, _)| *found == index) {
            cx.error(
                "duplicate-operation",
                &at,
                format!("`{key}` is the same operation as `{other}`"),
                "write both as one entry",
            );
            continue;
        }
        entries.push((index, key, entry));
    }
    entries
}

fn report_excluded_entry(cx: &Context<'_>, entry: Option<(&str, &ToolEntry)>) {
    if let Some((key, _)) = entry {
        cx.warning(
            "excluded-tool",
            &pointer(&["tools", key]),
            format!("`{key}` has an entry here, but `select.exclude` leaves it out"),
            "remove the entry, or narrow the selector",
        );
    }
}

fn is_named(key: &OperationKey, name: &str) -> bool {
    key.id.as_deref() == Some(name) || normal_key(name).is_some_and(|n| n == key.join_key())
}

/// `METHOD /path` with the method in upper case and one space.
fn normal_key(name: &str) -> Option<String> {
    let (method, path) = name.trim().split_once(char::is_whitespace)?;
    Some(format!("{} {}", method.to_uppercase(), path.trim_start()))
}

fn report_unknown(cx: &Context<'_>, key: &str, at: &str) {
    if let Some(left_out) = cx.api.all_operations.iter().find(|op| is_named(op, key)) {
        cx.error(
            "operation-left-out",
            at,
            format!(
                "`{}` was left out of the API because it cannot become a tool",
                left_out.join_key()
            ),
            "the document's own diagnostics say why; repair it there, or remove this entry",
        );
        return;
    }
    let wanted = normal_key(key).unwrap_or_else(|| key.to_owned());
    let candidates = cx
        .api
        .all_operations
        .iter()
        .chain(cx.api.operations.iter().map(|operation| &operation.key))
        .flat_map(|key| std::iter::once(key.join_key()).chain(key.id.clone()));
    let help = nearest(&wanted, candidates).map_or_else(
        || "write `METHOD /path` as the document does, or an operationId".to_owned(),
        |name| format!("did you mean `{name}`?"),
    );
    cx.error(
        "unknown-operation",
        at,
        format!("the document has no operation `{key}`"),
        &help,
    );
}

/// The most similar name, if any is near enough.
pub(super) fn nearest(wanted: &str, candidates: impl Iterator<Item = String>) -> Option<String> {
    let limit = (wanted.chars().count() / 3).clamp(1, 8);
    candidates
        .map(|name| (strsim::damerau_levenshtein(wanted, &name), name))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, name)| name)
}

fn matched(cx: &Context<'_>, list: &str, selectors: &[Selector]) -> BTreeSet<usize> {
    let mut matched = BTreeSet::new();
    for (position, selector) in selectors.iter().enumerate() {
        let at = pointer(&["select", list, &position.to_string()]);
        if !is_well_formed(cx, selector, &at) {
            continue;
        }
        let before = |op: &&Operation| selects(selector, &op.key, &op.tags);
        let found = cx.api.operations.iter().enumerate();
        let found: Vec<usize> = found
            .filter(|(_, op)| before(op))
            .map(|(index, _)| index)
            .collect();
        if found.is_empty() {
            report_no_match(cx, selector, &at);
        }
        matched.extend(found);
    }
    matched
}

fn is_well_formed(cx: &Context<'_>, selector: &Selector, at: &str) -> bool {
    let help = "write `METHOD /path` (such as `GET /v1/**` or `* /v1/customers`), or fields: tag, path, method, operation_id";
    let problem = match selector {
        Selector::Operation(text) if text.trim() == "*" || text.trim() == "**" => None,
        Selector::Operation(text) if normal_key(text).is_none() => {
            Some(format!("`{text}` selects nothing: it has no path"))
        }
        Selector::Fields(fields) if is_empty(fields) => {
            Some("a selector without fields would select everything".to_owned())
        }
        _ => None,
    };
    if let Some(problem) = &problem {
        cx.error("invalid-selector", at, problem.clone(), help);
    }
    problem.is_none()
}

fn is_empty(fields: &SelectorFields) -> bool {
    let SelectorFields {
        tag,
        path,
        method,
        operation_id,
    } = fields;
    [tag, path, method, operation_id]
        .iter()
        .all(|field| field.is_none())
}

fn report_no_match(cx: &Context<'_>, selector: &Selector, at: &str) {
    let left_out: Vec<String> = cx
        .api
        .all_operations
        .iter()
        .filter(|key| selects(selector, key, &[]))
        .map(OperationKey::join_key)
        .collect();
    if let Some(first) = left_out.first() {
        cx.error(
            "operation-left-out",
            at,
            format!("every operation that this selects was left out, such as `{first}`"),
            "the document's own diagnostics say why",
        );
        return;
    }
    let help = match selector {
        Selector::Operation(text) => {
            let wanted = normal_key(text).unwrap_or_default();
            nearest(
                &wanted,
                cx.api.all_operations.iter().map(OperationKey::join_key),
            )
        }
        Selector::Fields(fields) => fields.tag.as_ref().and_then(|tag| {
            let tags = cx.api.operations.iter().flat_map(|op| op.tags.clone());
            nearest(tag, tags)
        }),
    };
    let help = help.map_or_else(
        || "remove it, or write what the document has".to_owned(),
        |name| format!("did you mean `{name}`?"),
    );
    cx.error(
        "selector-without-match",
        at,
        "this selects no operation of the document".to_owned(),
        &help,
    );
}

fn selects(selector: &Selector, key: &OperationKey, tags: &[String]) -> bool {
    match selector {
        Selector::Operation(text) => match normal_key(text) {
            Some(normal) => {
                let (method, path) = normal.split_once(' ').unwrap_or(("*", "**"));
                (method == "*" || method == key.method) && glob(path, &key.path)
            }
            None => true,
        },
        Selector::Fields(fields) => {
            let SelectorFields {
                tag,
                path,
                method,
                operation_id,
            } = fields;
            tag.as_ref().is_none_or(|tag| tags.contains(tag))
                && path.as_ref().is_none_or(|path| glob(path, &key.path))
                && method
                    .as_ref()
                    .is_none_or(|m| m == "*" || m.eq_ignore_ascii_case(&key.method))
                && operation_id
                    .as_ref()
                    .is_none_or(|id| glob(id, key.id.as_deref().unwrap_or("\u{0}")))
        }
    }
}

/// Whether `text` matches: `*` within a segment, `**` across segments, `/**` also nothing. Linear in both lengths
/// times each other, whatever the pattern.
fn glob(pattern: &str, text: &str) -> bool {
    if let Some(stem) = pattern.strip_suffix("/**")
        && glob(stem, text)
    {
        return true;
    }
    let text: Vec<char> = text.chars().collect();
    // reached[i]: the pattern so far matches the first i characters.
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    let mut pattern = pattern.chars().peekable();
    while let Some(c) = pattern.next() {
        let mut next = vec![false; text.len() + 1];
        if c == '*' {
            let crosses = pattern.next_if_eq(&'*').is_some();
            let mut open = false;
            for i in 0..=text.len() {
                if i > 0 && text[i - 1] == '/' && !crosses {
                    open = false;
                }
                open |= reached[i];
                next[i] = open;
            }
        } else {
            for i in 0..text.len() {
                next[i + 1] = reached[i] && text[i] == c;
            }
        }
        reached = next;
    }
    reached[text.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::{api, codes, operation, overlay, plan_with};

    #[test]
    fn globs_stop_at_segments_unless_doubled() {
        let cases = [
            ("/v1/*", "/v1/x", true),
            ("/v1/*", "/v1/x/y", false),
            ("/v1/**", "/v1/x/y", true),
            ("/v1/**", "/v1", true),
            ("/v1/*_billets", "/v1/bank_billets", true),
            ("/v1/*/z", "/v1/{id}/z", true),
            ("**", "/anything/at/all", true),
            ("/v1/x", "/v1/xy", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(glob(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn nothing_is_exposed_unless_selected() {
        let api = api(vec![
            operation("GET", "/v1/a"),
            operation("POST", "/v1/a"),
            operation("GET", "/v2/b"),
        ]);
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            (
                "select: {include: ['GET /**']}",
                &["GET /v1/a", "GET /v2/b"],
            ),
            (
                "select: {include: ['* /v1/*'], exclude: ['post /v1/a']}",
                &["GET /v1/a"],
            ),
            (
                "select: {include: [{method: get, path: /v2/*}]}",
                &["GET /v2/b"],
            ),
            ("tools: {GET /v2/b: {}}", &["GET /v2/b"]),
            (
                "select: {include: ['*']}",
                &["GET /v1/a", "POST /v1/a", "GET /v2/b"],
            ),
        ];
        for (yaml, expected) in cases {
            let (server, _) = plan_with(&api, Some(&overlay(yaml)));
            let found: Vec<_> = server.tools.iter().map(|t| t.operation.as_str()).collect();
            assert_eq!(&found, expected, "{yaml}");
        }
    }

    #[test]
    fn what_matches_nothing_is_an_error_with_a_suggestion() {
        let mut api = api(vec![operation("GET", "/v1/customers")]);
        api.all_operations.push(OperationKey {
            method: "POST".to_owned(),
            path: "/v1/broken".to_owned(),
            id: None,
        });
        let cases = [
            (
                "tools: {GET /v1/custmers: {}}",
                "unknown-operation",
                "`GET /v1/customers`",
            ),
            (
                "tools: {POST /v1/broken: {}}",
                "operation-left-out",
                "diagnostics",
            ),
            (
                "select: {include: ['GET /v9/**']}",
                "selector-without-match",
                "",
            ),
            (
                "select: {exclude: [{tag: nope}]}",
                "selector-without-match",
                "",
            ),
            ("select: {include: [{}]}", "invalid-selector", ""),
        ];
        for (yaml, code, help) in cases {
            let (_, diagnostics) = plan_with(&api, Some(&overlay(yaml)));
            let found = diagnostics.items().iter().find(|item| item.code == code);
            let found = found.unwrap_or_else(|| panic!("{yaml}: {:?}", codes(&diagnostics)));
            assert!(
                found.help.as_deref().unwrap_or("").contains(help),
                "{found:?}"
            );
            let place = found.location.as_ref().unwrap();
            assert_eq!(place.file, "overlay.yaml");
            assert!(place.pointer.starts_with('/'), "{place:?}");
        }
    }
}
