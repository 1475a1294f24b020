//! Shared definitions: which schemas are referred to, under which names, and which of them cannot be used.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use crate::diagnostics::Diagnostics;
use crate::model::Definitions;

use super::fault::Fault;
use super::node::Walk;
use super::reference::{self, Target};

/// Number of a definition.
pub(super) type Id = usize;

/// A converted schema and the definitions that it refers to.
#[derive(Clone, Debug)]
pub(super) struct Converted {
    pub(super) value: Value,
    pub(super) refs: Vec<Id>,
}

/// Every schema that was referred to so far.
pub(super) struct Schemas<'d> {
    pub(super) root: &'d Value,
    ids: HashMap<String, Id>,
    names: BTreeSet<String>,
    definitions: Vec<Definition<'d>>,
    /// Inline schemas of shared components, since many operations name the same.
    inline: HashMap<String, Result<Converted, Fault>>,
}

struct Definition<'d> {
    name: String,
    target: Target<'d>,
    value: Option<Value>,
    refs: Vec<Id>,
    /// Those met without going down a level of the instance: a cycle of these never ends.
    in_place: Vec<Id>,
    fault: Option<Fault>,
}

/// Why definitions cannot be used, by number; none where they can.
pub(super) struct Causes(Vec<Option<Fault>>);

impl Causes {
    /// The reason why one of these cannot be used.
    pub(super) fn of(&self, refs: &[Id]) -> Option<&Fault> {
        refs.iter().find_map(|id| self.0.get(*id)?.as_ref())
    }
}

impl<'d> Schemas<'d> {
    pub(super) fn new(root: &'d Value) -> Self {
        Self {
            root,
            ids: HashMap::new(),
            names: BTreeSet::new(),
            definitions: Vec::new(),
            inline: HashMap::new(),
        }
    }

    /// Converts a schema that stands in a parameter, body or answer.
    pub(super) fn convert(
        &mut self,
        diagnostics: &mut Diagnostics,
        file: &str,
        schema: &Value,
        pointer: &str,
    ) -> Result<Converted, Fault> {
        if let Some(known) = self.inline.get(pointer) {
            return known.clone();
        }
        let mut walk = Walk::new(self, diagnostics, file, pointer);
        let converted = walk.node(schema).map(|value| Converted {
            value,
            refs: walk.refs,
        });
        if pointer.starts_with("/components/") {
            self.inline.insert(pointer.to_owned(), converted.clone());
        }
        converted
    }

    /// The number and name of the definition at a pointer.
    pub(super) fn id(&mut self, target: Target<'d>) -> (Id, &str) {
        let id = match self.ids.get(&target.pointer) {
            Some(id) => *id,
            None => {
                let id = self.definitions.len();
                let name = self.free_name(&target.pointer);
                self.ids.insert(target.pointer.clone(), id);
                self.definitions.push(Definition {
                    name,
                    target,
                    value: None,
                    refs: Vec::new(),
                    in_place: Vec::new(),
                    fault: None,
                });
                id
            }
        };
        let name = self
            .definitions
            .get(id)
            .map_or("", |definition| definition.name.as_str());
        (id, name)
    }

    fn free_name(&mut self, pointer: &str) -> String {
        let base = safe_name(pointer);
        let mut name = base.clone();
        let mut n = 1;
        while !self.names.insert(name.clone()) {
            n += 1;
            name = format!("{base}_{n}");
        }
        name
    }

    /// Converts everything that was referred to, and finds out what cannot be used.
    pub(super) fn finish(
        mut self,
        diagnostics: &mut Diagnostics,
        file: &str,
    ) -> (Definitions, Causes) {
        let mut id = 0;
        while let Some(definition) = self.definitions.get(id) {
            let target = definition.target.clone();
            let mut walk = Walk::new(&mut self, diagnostics, file, &target.pointer);
            let converted = walk.node(target.value);
            let (refs, in_place) = (walk.refs, walk.in_place);
            if let Some(definition) = self.definitions.get_mut(id) {
                definition.refs = refs;
                definition.in_place = in_place;
                match converted {
                    Ok(value) => definition.value = Some(value),
                    Err(fault) => definition.fault = Some(fault),
                }
            }
            id += 1;
        }
        self.refuse_endless();
        let causes = self.causes();
        (self.sound(&causes), causes)
    }

    /// A schema that leads back to itself without going down a level would be checked without end.
    fn refuse_endless(&mut self) {
        let edges: Vec<Vec<Id>> = self
            .definitions
            .iter()
            .map(|definition| definition.in_place.clone())
            .collect();
        let endless = endless(&edges);
        for (id, definition) in self.definitions.iter_mut().enumerate() {
            if definition.fault.is_none() && endless.contains(&id) {
                definition.fault = Some(Fault::new(
                    "schema-endless",
                    &definition.target.pointer,
                    format!("schema `{}` is defined by itself alone", definition.name),
                    "break the cycle of `$ref`, `allOf`, `anyOf` or `oneOf`",
                ));
            }
        }
    }

    /// Carries each fault to everything that refers to it.
    fn causes(&self) -> Causes {
        let mut referrers: Vec<Vec<Id>> = vec![Vec::new(); self.definitions.len()];
        for (id, definition) in self.definitions.iter().enumerate() {
            for target in &definition.refs {
                if let Some(list) = referrers.get_mut(*target) {
                    list.push(id);
                }
            }
        }
        let mut causes: Vec<Option<Fault>> = vec![None; self.definitions.len()];
        for (id, definition) in self.definitions.iter().enumerate() {
            let Some(fault) = &definition.fault else {
                continue;
            };
            let mut open = vec![id];
            while let Some(id) = open.pop() {
                match causes.get_mut(id) {
                    Some(cause @ None) => *cause = Some(fault.clone()),
                    _ => continue,
                }
                open.extend(referrers.get(id).into_iter().flatten());
            }
        }
        Causes(causes)
    }

    /// The usable definitions: components in document order, then the others as they were met.
    fn sound(self, causes: &Causes) -> Definitions {
        let order: HashMap<&str, usize> = self
            .root
            .pointer("/components/schemas")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(i, (name, _))| (name.as_str(), i))
            .collect();
        let mut sound: Vec<(usize, String, Value)> = Vec::new();
        for (id, definition) in self.definitions.into_iter().enumerate() {
            if causes.of(&[id]).is_some() {
                continue;
            }
            let rank = definition
                .target
                .pointer
                .strip_prefix("/components/schemas/")
                .and_then(|name| order.get(name.replace("~1", "/").replace("~0", "~").as_str()))
                .copied();
            if let Some(value) = definition.value {
                sound.push((rank.unwrap_or(usize::MAX), definition.name, value));
            }
        }
        sound.sort_by_key(|(rank, ..)| *rank);
        sound
            .into_iter()
            .map(|(_, name, value)| (name, value))
            .collect()
    }
}

/// More candidates are refused together, without asking which of them are on the cycle itself.
const MAX_CANDIDATES: usize = 500;

/// The nodes on cycles: first those that lead to one, in linear time, then those that come back to themselves.
fn endless(edges: &[Vec<Id>]) -> BTreeSet<Id> {
    let mut n_open: Vec<usize> = edges.iter().map(Vec::len).collect();
    let mut referrers: Vec<Vec<Id>> = vec![Vec::new(); edges.len()];
    for (id, targets) in edges.iter().enumerate() {
        for target in targets {
            if let Some(list) = referrers.get_mut(*target) {
                list.push(id);
            }
        }
    }
    let mut ended: Vec<Id> = (0..edges.len())
        .filter(|id| n_open.get(*id) == Some(&0))
        .collect();
    let mut left: BTreeSet<Id> = (0..edges.len()).collect();
    while let Some(id) = ended.pop() {
        left.remove(&id);
        for referrer in referrers.get(id).into_iter().flatten() {
            if let Some(n) = n_open.get_mut(*referrer) {
                *n = n.saturating_sub(1);
                if *n == 0 {
                    ended.push(*referrer);
                }
            }
        }
    }
    if left.len() <= MAX_CANDIDATES {
        left.retain(|id| reaches(edges, *id));
    }
    left
}

/// Whether the edges lead from a node back to it.
fn reaches(edges: &[Vec<Id>], start: Id) -> bool {
    let mut seen = BTreeSet::new();
    let mut open: Vec<Id> = edges.get(start).cloned().unwrap_or_default();
    while let Some(id) = open.pop() {
        if id == start {
            return true;
        }
        if seen.insert(id) {
            open.extend(edges.get(id).into_iter().flatten());
        }
    }
    false
}

/// A name of `[A-Za-z0-9_.-]` for the schema at a pointer.
fn safe_name(pointer: &str) -> String {
    let segments: Vec<&str> = pointer.split('/').skip(1).collect();
    let parts: &[&str] = match segments.as_slice() {
        ["components", "schemas", name] => &[name],
        [.., "$defs" | "definitions", name] => &[name],
        ["components", _, rest @ ..] => rest,
        ["paths", rest @ ..] => rest,
        all => all,
    };
    let words: Vec<String> = parts
        .iter()
        .filter(|part| !matches!(**part, "content" | "schema" | "properties" | "schemas"))
        .map(|part| {
            part.replace("~1", "/")
                .replace("~0", "~")
                .chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() || "_.-".contains(c) {
                        c
                    } else {
                        '_'
                    }
                })
                .collect::<String>()
                .trim_matches('_')
                .to_owned()
        })
        .filter(|word| !word.is_empty())
        .collect();
    let name: String = words.join("_").chars().take(120).collect();
    if name.is_empty() {
        "schema".to_owned()
    } else {
        name
    }
}

/// The schema that a `$ref` names, by document, or by the schema that holds it.
pub(super) fn target<'d>(
    root: &'d Value,
    base: &str,
    reference: &Value,
    at: &str,
) -> Result<Target<'d>, Fault> {
    const N_HOPS: usize = 32;
    match reference.as_str() {
        Some("#") => {
            if let Some(target) = reference::find(root, base, N_HOPS) {
                return Ok(target);
            }
        }
        // `#/$defs/X` inside a component means the component in many documents, though it says the document.
        Some(text) if text.starts_with("#/$defs/") || text.starts_with("#/definitions/") => {
            let pointer = text.trim_start_matches('#');
            for base in ["", base] {
                if let Some(target) = reference::find(root, &format!("{base}{pointer}"), N_HOPS) {
                    return Ok(target);
                }
            }
        }
        _ => {}
    }
    reference::follow(root, reference, at, N_HOPS)
}
