//! Names of tools: from the overlay, else from the operationId, else from method and path.
//!
//! A valid operationId is kept letter by letter, so that people find it again in the document; anything else is made
//! of `[A-Za-z0-9_-]` and at most 64 characters. Where two names collide, or one is too long, the hash of
//! `METHOD /path` joins it: all colliding tools get one, so that a name never depends on its neighbours' order.

use heck::ToSnakeCase;
use indexmap::IndexMap;

use crate::model::OperationKey;

use super::context::{Context, pointer};
use super::hash::short_hash;
use super::kinds::is_action;
use super::select::Selected;
use super::words::ascii_name;

const MAX_LENGTH: usize = 64;
const HASH_LENGTH: usize = 9; // with its underscore

/// The names of the selected operations, in their order.
pub(super) fn assign(cx: &Context<'_>, selected: &[Selected<'_>]) -> Vec<String> {
    let prefix = check_prefix(cx);
    let given: Vec<Option<String>> = selected
        .iter()
        .map(|tool| given_name(cx, tool, &prefix))
        .collect();
    report_duplicates(cx, selected, &given);
    let derived: Vec<String> = selected
        .iter()
        .map(|tool| format!("{prefix}{}", base_name(cx, &tool.operation.key)))
        .collect();
    let mut uses: IndexMap<&str, usize> = IndexMap::new();
    for (given, derived) in given.iter().zip(&derived) {
        *uses.entry(given.as_ref().unwrap_or(derived)).or_default() += 1;
    }
    (0..selected.len())
        .map(|index| match &given[index] {
            Some(name) => name.clone(),
            None => {
                let n_uses = uses.get(derived[index].as_str()).copied().unwrap_or(1);
                finish(cx, &selected[index].operation.key, &derived[index], n_uses)
            }
        })
        .collect()
}

/// The name of an operation without prefix, hash or limit: its operationId, else method and path.
pub(super) fn base_name(cx: &Context<'_>, key: &OperationKey) -> String {
    if !cx.overlay.naming.ignore_operation_ids
        && let Some(id) = &key.id
    {
        let name = ascii_name(id, "_-");
        if !name.is_empty() {
            return name;
        }
    }
    from_path(&key.method, &key.path)
}

/// Whether a name may be sent to a model.
pub(super) fn is_valid(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_LENGTH
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

fn check_prefix(cx: &Context<'_>) -> String {
    let prefix = cx.overlay.naming.prefix.clone().unwrap_or_default();
    if !prefix.is_empty() && (!is_valid(&prefix) || prefix.len() > 32) {
        cx.error(
            "invalid-name",
            "/naming/prefix",
            format!("the prefix `{prefix}` cannot begin a tool's name"),
            "write 1 to 32 characters of `A-Z a-z 0-9 _ -`",
        );
        return ascii_name(&prefix, "_-").chars().take(32).collect();
    }
    prefix
}

fn given_name(cx: &Context<'_>, tool: &Selected<'_>, prefix: &str) -> Option<String> {
    let (key, entry) = tool.entry?;
    let name = entry.name.as_ref()?;
    let full = format!("{prefix}{name}");
    if !is_valid(&full) {
        cx.error(
            "invalid-name",
            &pointer(&["tools", key, "name"]),
            format!("`{full}` cannot be a tool's name"),
            "write 1 to 64 characters of `A-Z a-z 0-9 _ -`, the prefix included",
        );
    }
    Some(full)
}

fn report_duplicates(cx: &Context<'_>, selected: &[Selected<'_>], given: &[Option<String>]) {
    let mut seen: IndexMap<&str, String> = IndexMap::new();
    for (tool, name) in selected.iter().zip(given) {
        let (Some(name), Some((key, _))) = (name, tool.entry) else {
            continue;
        };
        if let Some(other) = seen.insert(name, tool.operation.key.join_key()) {
            cx.error(
                "duplicate-name",
                &pointer(&["tools", key, "name"]),
                format!("`{name}` is also the name of `{other}`"),
                "give each tool a name of its own",
            );
        }
    }
}

fn finish(cx: &Context<'_>, key: &OperationKey, name: &str, n_uses: usize) -> String {
    if n_uses <= 1 && name.len() <= MAX_LENGTH {
        return name.to_owned();
    }
    let join_key = key.join_key();
    let end = name.len().min(MAX_LENGTH - HASH_LENGTH);
    let stem = name[..end].trim_end_matches(['_', '-']);
    let hashed = format!("{stem}_{}", short_hash(&join_key));
    let reason = if n_uses > 1 {
        "is the name of more than one operation"
    } else {
        "has more than 64 characters"
    };
    cx.document_note(
        "name-changed",
        &pointer(&["paths", &key.path, &key.method.to_lowercase()]),
        format!("`{name}` {reason}: `{join_key}` is called `{hashed}`"),
        &format!("give it a name:\ntools:\n  {join_key}:\n    name: …"),
    );
    hashed
}

/// Verb and resources: `PUT /v1/bank_billets/{id}/cancel` is `cancel_bank_billet`.
fn from_path(method: &str, path: &str) -> String {
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty() && !is_version(segment))
        .collect();
    let mut nouns: Vec<String> = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        if segment.contains('{') {
            continue;
        }
        let noun = ascii_name(segment, "").to_snake_case();
        let is_followed = segments.get(index + 1).is_some_and(|s| s.contains('{'));
        nouns.push(if is_followed { singular(&noun) } else { noun });
    }
    nouns.retain(|noun| !noun.is_empty());
    let ends_in_parameter = segments.last().is_some_and(|s| s.contains('{'));
    if nouns.is_empty() {
        return method.to_lowercase() + "_root";
    }
    if !ends_in_parameter && nouns.len() > 1 && method != "GET" {
        let last = nouns.last().map_or("", String::as_str);
        if last.split('_').next().is_some_and(is_action) {
            let action = nouns.pop().unwrap_or_default();
            return format!("{action}_{}", nouns.join("_"));
        }
    }
    let verb = verb(method, ends_in_parameter, &mut nouns);
    format!("{verb}_{}", nouns.join("_"))
}

fn verb<'v>(method: &'v str, ends_in_parameter: bool, nouns: &mut [String]) -> &'v str {
    let last = nouns.last_mut();
    match method {
        "GET" if ends_in_parameter => "get",
        "GET" if last.as_ref().is_some_and(|noun| singular(noun) != **noun) => "list",
        "GET" => "get",
        "POST" => {
            if let Some(noun) = last {
                *noun = singular(noun);
            }
            "create"
        }
        "PUT" | "PATCH" => "update",
        "DELETE" => "delete",
        "HEAD" => "check",
        _ => "call",
    }
}

fn is_version(segment: &str) -> bool {
    segment == "api"
        || segment.strip_prefix('v').is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                && rest
                    .chars()
                    .all(|c| c.is_ascii_digit() || c == '.' || c == '_')
        })
}

/// One of several, by the endings of English, Portuguese and Spanish.
fn singular(noun: &str) -> String {
    const ENDINGS: &[(&str, &str)] = &[
        ("ies", "y"),
        ("oes", "ao"),
        ("sses", "ss"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("xes", "x"),
        ("tuses", "tus"),
        ("ciones", "cion"),
        ("ores", "or"),
    ];
    if noun.len() < 4 || ["ss", "us", "is"].iter().any(|end| noun.ends_with(end)) {
        return noun.to_owned();
    }
    for (plural, one) in ENDINGS {
        if let Some(stem) = noun.strip_suffix(plural) {
            return format!("{stem}{one}");
        }
    }
    noun.strip_suffix('s').unwrap_or(noun).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::{api, operation, plan_with};

    #[test]
    fn names_come_from_method_and_path() {
        let cases = [
            ("PUT", "/v1/bank_billets/{id}/cancel", "cancel_bank_billet"),
            ("GET", "/v1/bank_billets", "list_bank_billets"),
            ("GET", "/v1/bank_billets/{id}", "get_bank_billet"),
            ("POST", "/v1/bank_billets", "create_bank_billet"),
            ("PATCH", "/v1/bank_billets/{id}", "update_bank_billet"),
            ("DELETE", "/v1/customers/{id}", "delete_customer"),
            (
                "POST",
                "/v1/bank_billet_batches/{id}/bank_billets",
                "create_bank_billet_batch_bank_billet",
            ),
            ("GET", "/v1/userinfo", "get_userinfo"),
            (
                "GET",
                "/v2.1/cobranças/{id}/transações",
                "list_cobranca_transacoes",
            ),
            ("GET", "/", "get_root"),
            ("POST", "/v1/companies", "create_company"),
        ];
        for (method, path, name) in cases {
            assert_eq!(from_path(method, path), name, "{method} {path}");
        }
    }

    #[test]
    fn every_colliding_name_gets_a_hash_that_no_neighbour_changes() {
        let mut operations = vec![
            operation("GET", "/v1/things"),
            operation("GET", "/v2/things"),
            operation("GET", "/v1/others"),
        ];
        let (server, diagnostics) = plan_with(&api(operations.clone()), None);
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        let before: Vec<_> = server.tools.iter().map(|tool| tool.name.clone()).collect();
        assert!(before[0].starts_with("list_things_") && before[1].starts_with("list_things_"));
        assert_ne!(before[0], before[1]);
        assert_eq!(before[2], "list_others");
        operations.reverse();
        let (server, _) = plan_with(&api(operations), None);
        let mut after: Vec<_> = server.tools.iter().map(|tool| tool.name.clone()).collect();
        after.reverse();
        assert_eq!(before, after);
    }

    #[test]
    fn long_names_are_cut_and_stay_valid() {
        let path = format!("/v1/{}", "very_long_resource_name/".repeat(6));
        let (server, _) = plan_with(&api(vec![operation("GET", &path)]), None);
        assert!(is_valid(&server.tools[0].name), "{}", server.tools[0].name);
        let mut named = operation("GET", "/x");
        named.key.id = Some("users/list-for org#1".to_owned());
        let (server, _) = plan_with(&api(vec![named]), None);
        assert_eq!(server.tools[0].name, "users_list-for_org_1");
    }
}
