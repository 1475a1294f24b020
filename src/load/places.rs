//! JSON pointer → line and column, built from parser events only when a diagnostic asks.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use granit_parser::{Event, Parser, Span};
use indexmap::IndexMap;

type Place = (usize, usize);
type Index = HashMap<String, Place>;

/// The indexes of the files that were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    by_file: Arc<Mutex<BTreeMap<String, Arc<Index>>>>,
}

impl Places {
    /// The place of the node, or of the nearest parent that the text has.
    pub(super) fn find(
        &self,
        sources: &IndexMap<String, String>,
        file: &str,
        pointer: &str,
    ) -> Option<Place> {
        let text = sources.get(file)?;
        let index = Arc::clone(
            self.by_file
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(file.to_owned())
                .or_insert_with(|| Arc::new(index(text))),
        );
        nearest(&index, pointer)
    }
}

/// The places of some pointers in one text; much cheaper than an index of everything.
pub(super) struct Selected(Index);

impl Selected {
    /// Looks the pointers and their parents up.
    pub(super) fn find<'p>(text: &str, pointers: impl Iterator<Item = &'p str>) -> Self {
        let mut wanted: HashSet<&str> = HashSet::new();
        for pointer in pointers {
            let mut pointer = pointer;
            while wanted.insert(pointer) {
                let Some(end) = pointer.rfind('/') else { break };
                pointer = pointer.get(..end).unwrap_or_default();
            }
        }
        let mut index = Index::new();
        walk(text, |pointer, place| {
            if wanted.contains(pointer) {
                index.entry(pointer.to_owned()).or_insert(place);
            }
            index.len() < wanted.len()
        });
        Self(index)
    }

    /// The place of one of them.
    pub(super) fn of(&self, pointer: &str) -> Option<Place> {
        nearest(&self.0, pointer)
    }
}

fn nearest(index: &Index, mut pointer: &str) -> Option<Place> {
    loop {
        if let Some(place) = index.get(pointer) {
            return Some(*place);
        }
        let Some(end) = pointer.rfind('/') else {
            // An empty text has no node, but a place.
            return Some((1, 1));
        };
        pointer = pointer.get(..end)?;
    }
}

/// A key that a mapping has twice.
#[derive(Debug)]
pub(super) struct Duplicate {
    pub(super) key: String,
    pub(super) first: Place,
    pub(super) second: Place,
}

/// The first duplicate key of the text.
pub(super) fn first_duplicate(text: &str) -> Option<Duplicate> {
    let mut seen = Index::new();
    let mut duplicate = None;
    walk(text, |pointer, place| {
        let Some(first) = seen.insert(pointer.to_owned(), place) else {
            return true;
        };
        let key = pointer.rsplit('/').next().unwrap_or_default();
        duplicate = Some(Duplicate {
            key: key.replace("~1", "/").replace("~0", "~"),
            first,
            second: place,
        });
        false
    });
    duplicate
}

fn index(text: &str) -> Index {
    let mut index = Index::new();
    walk(text, |pointer, place| {
        index.entry(pointer.to_owned()).or_insert(place);
        true
    });
    index
}

/// Escapes one segment of a JSON pointer.
pub(crate) fn escape(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

/// A collection that is open while events pass.
struct Open {
    /// Length of the pointer before its entries.
    base: usize,
    /// It is the key of a mapping, so its end is not the end of a value.
    is_key: bool,
    entries: Entries,
}

enum Entries {
    /// Whether the key has passed and the value is next.
    Mapping { has_key: bool },
    /// Number of the next item.
    Sequence { next: usize },
}

/// Hands the pointer and place of every node to `visit`, until that says no or the text stops parsing.
///
/// Values of a mapping have no place of their own: the key stands for the entry.
fn walk(text: &str, visit: impl FnMut(&str, Place) -> bool) {
    let mut walker = Walker {
        pointer: String::new(),
        open: Vec::new(),
        visit,
    };
    let options = granit_parser::options! { emit_comments: false };
    for event in Parser::new_from_str_with_options(text, options) {
        let Ok((event, span)) = event else { return };
        let is_continued = match event {
            Event::Scalar(ref text, ..) => walker.node(Some(text), &span, None),
            Event::Alias(_) => walker.node(None, &span, None),
            Event::MappingStart(..) => {
                walker.node(None, &span, Some(Entries::Mapping { has_key: false }))
            }
            Event::SequenceStart(..) => {
                walker.node(None, &span, Some(Entries::Sequence { next: 0 }))
            }
            Event::MappingEnd | Event::SequenceEnd => walker.close(),
            _ => true,
        };
        if !is_continued {
            return;
        }
    }
}

struct Walker<F> {
    pointer: String,
    open: Vec<Open>,
    visit: F,
}

impl<F: FnMut(&str, Place) -> bool> Walker<F> {
    /// A node begins; `entries` are given when it is a collection.
    fn node(&mut self, text: Option<&str>, span: &Span, entries: Option<Entries>) -> bool {
        let mut is_key = false;
        let mut is_shown = true;
        match self.open.last_mut() {
            None => self.pointer.clear(),
            Some(Open { base, entries, .. }) => match entries {
                Entries::Mapping { has_key: true } => is_shown = false,
                Entries::Mapping { has_key } => {
                    *has_key = true;
                    is_key = true;
                    is_shown = text.is_some();
                    self.pointer.truncate(*base);
                    self.pointer.push('/');
                    self.pointer.push_str(&escape(text.unwrap_or("\u{0}")));
                }
                Entries::Sequence { next } => {
                    self.pointer.truncate(*base);
                    self.pointer.push('/');
                    self.pointer.push_str(&next.to_string());
                    *next += 1;
                }
            },
        }
        let place = (span.start.line(), span.start.col() + 1);
        let is_continued = !is_shown || (self.visit)(&self.pointer, place);
        match entries {
            Some(entries) => self.open.push(Open {
                base: self.pointer.len(),
                is_key,
                entries,
            }),
            None if !is_key => self.end_value(),
            None => {}
        }
        is_continued
    }

    fn close(&mut self) -> bool {
        if let Some(closed) = self.open.pop() {
            self.pointer.truncate(closed.base);
            if !closed.is_key {
                self.end_value();
            }
        }
        true
    }

    fn end_value(&mut self) {
        if let Some(Open {
            entries: Entries::Mapping { has_key },
            ..
        }) = self.open.last_mut()
        {
            *has_key = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, pointer: &str) -> Option<Place> {
        let sources = IndexMap::from([("f".to_owned(), text.to_owned())]);
        Places::default().find(&sources, "f", pointer)
    }

    #[test]
    fn keys_items_and_parents() {
        let yaml = "a:\n  b/c:\n    - x\n    - y: 1\n      z: é\nd: &d\n  p: 1\ne:\n  <<: *d\n";
        for (pointer, want) in [
            ("", (1, 1)),
            ("/a", (1, 1)),
            ("/a/b~1c", (2, 3)),
            ("/a/b~1c/0", (3, 7)),
            ("/a/b~1c/1/z", (5, 7)),
            ("/a/b~1c/1/absent/deeper", (4, 7)),
            ("/d/p", (7, 3)),
            ("/e/p", (8, 1)),
        ] {
            assert_eq!(find(yaml, pointer), Some(want), "{pointer}");
        }
        let json = "{\n\t\"a\": {\"200\": [1, {\"b\": null}]}\n}";
        for (pointer, want) in [
            ("/a/200", (2, 8)),
            ("/a/200/1", (2, 19)),
            ("/a/200/1/b", (2, 20)),
        ] {
            assert_eq!(find(json, pointer), Some(want), "{pointer}");
        }
    }
}
