//! What every part of `plan` shares: the inputs, the languages, and where problems go.

use std::borrow::Cow;
use std::cell::RefCell;

use indexmap::IndexMap;

use crate::diagnostics::{Diagnostics, Location};
use crate::model::Api;
use crate::overlay::{self, Overlay};

use super::locales::Locales;
use super::server::Text;
use super::wording::Wording;

/// The inputs and the languages of one run.
pub(super) struct Context<'a> {
    /// The API in the document's own words.
    pub(super) api: &'a Api,
    /// Name of the document in diagnostics.
    pub(super) document_file: &'a str,
    /// The overlay, or the defaults of an empty one.
    pub(super) overlay: &'a Overlay,
    /// Name of the overlay in diagnostics; without one, the document's.
    pub(super) overlay_file: &'a str,
    /// Whether there is an overlay.
    pub(super) has_overlay: bool,
    /// The languages.
    pub(super) locales: Locales,
    /// The generator's own texts.
    pub(super) wording: Wording,
    /// The API by language: equal in structure, different in prose. One entry where no language has its own.
    pub(super) apis: Vec<Cow<'a, Api>>,
    /// Where problems go; a cell, since every part only reads the rest.
    pub(super) diagnostics: RefCell<&'a mut Diagnostics>,
}

impl<'a> Context<'a> {
    /// Reports an error at a place in the overlay.
    pub(super) fn error(&self, code: &'static str, at: &str, message: String, help: &str) {
        self.diagnostics.borrow_mut().error(
            code,
            Location::at(self.overlay_file, at),
            message,
            help,
        );
    }

    /// Reports a warning at a place in the overlay.
    pub(super) fn warning(&self, code: &'static str, at: &str, message: String, help: &str) {
        self.diagnostics.borrow_mut().warning(
            code,
            Location::at(self.overlay_file, at),
            message,
            help,
        );
    }

    /// Reports a note at a place in the overlay.
    pub(super) fn note(&self, code: &'static str, at: &str, message: String, help: &str) {
        self.diagnostics.borrow_mut().note(
            code,
            Location::at(self.overlay_file, at),
            message,
            help,
        );
    }

    /// Reports a warning at a place in the document.
    pub(super) fn document_warning(
        &self,
        code: &'static str,
        at: &str,
        message: String,
        help: &str,
    ) {
        self.diagnostics.borrow_mut().warning(
            code,
            Location::at(self.document_file, at),
            message,
            help,
        );
    }

    /// Reports a note at a place in the document.
    pub(super) fn document_note(&self, code: &'static str, at: &str, message: String, help: &str) {
        self.diagnostics.borrow_mut().note(
            code,
            Location::at(self.document_file, at),
            message,
            help,
        );
    }

    /// How many languages there are, never zero.
    pub(super) fn n_locales(&self) -> usize {
        self.locales.tags.len().max(1)
    }

    /// The API in one language.
    pub(super) fn api_in(&self, locale: usize) -> &Api {
        self.apis
            .get(locale)
            .or_else(|| self.apis.first())
            .map_or(self.api, |api| api)
    }

    /// A text of the overlay in every language; a missing one is reported at its place.
    pub(super) fn text(&self, text: &overlay::Text, at: &str) -> Text {
        self.check_tags(text, at);
        let found: Vec<Option<&str>> = (0..self.n_locales())
            .map(|index| self.written(text, index))
            .collect();
        let fallback = self
            .locales
            .fallback
            .and_then(|index| found.get(index).copied().flatten());
        let mut texts = Vec::with_capacity(found.len());
        for (index, text) in found.iter().enumerate() {
            match text.or(fallback) {
                Some(text) => texts.push(text.trim_end().to_owned()),
                None => {
                    self.report_missing(index, at);
                    texts.push(String::new());
                }
            }
        }
        collapse(texts)
    }

    /// The same for a text that may be absent: then it is empty.
    pub(super) fn optional_text(&self, text: Option<&overlay::Text>, at: &str) -> Text {
        text.map_or_else(|| vec![String::new()], |text| self.text(text, at))
    }

    /// One of the generator's own texts in every language.
    pub(super) fn own_text(&self, by_tag: &IndexMap<String, String>) -> Text {
        let english = by_tag.get("en").or_else(|| by_tag.values().next());
        let in_tag = |tag: &String| by_tag.get(tag).or(english).cloned().unwrap_or_default();
        collapse(self.locales.tags.iter().map(in_tag).collect())
    }

    fn written<'t>(&self, text: &'t overlay::Text, index: usize) -> Option<&'t str> {
        match text {
            overlay::Text::Plain(text) if index == 0 => Some(text),
            overlay::Text::Plain(_) => None,
            overlay::Text::Localized(by_tag) => self
                .locales
                .tags
                .get(index)
                .and_then(|tag| by_tag.get(tag))
                .map(String::as_str),
        }
    }

    fn check_tags(&self, text: &overlay::Text, at: &str) {
        let overlay::Text::Localized(by_tag) = text else {
            return;
        };
        for tag in by_tag.keys() {
            if !self.locales.tags.contains(tag) {
                self.error(
                    "unknown-locale",
                    &format!("{at}/{}", escape(tag)),
                    format!("`{tag}` is not a language of this server"),
                    &format!("the languages are {}", quote_list(&self.locales.tags)),
                );
            }
        }
    }

    fn report_missing(&self, index: usize, at: &str) {
        let tag = self.locales.tags.get(index).map_or("", String::as_str);
        self.error(
            "missing-locale",
            at,
            format!("this text has no `{tag}`"),
            &format!(
                "write it as a map with `{tag}`, or name a language that stands in under `locales.fallback`"
            ),
        );
    }
}

/// One entry where every language has the same text.
pub(super) fn collapse(mut texts: Text) -> Text {
    if texts.windows(2).all(|pair| pair[0] == pair[1]) {
        texts.truncate(1);
    }
    texts
}

/// The text in one language.
pub(super) fn in_locale(text: &Text, index: usize) -> &str {
    text.get(index)
        .or_else(|| text.first())
        .map_or("", String::as_str)
}

/// A JSON pointer of these keys.
pub(super) fn pointer(keys: &[&str]) -> String {
    keys.iter().fold(String::new(), |mut path, key| {
        path.push('/');
        path.push_str(&escape(key));
        path
    })
}

/// A key as a JSON pointer writes it (RFC 6901, section 3).
pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Names in backticks, with commas.
pub(super) fn quote_list<S: AsRef<str>>(names: &[S]) -> String {
    names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect::<Vec<_>>()
        .join(", ")
}
