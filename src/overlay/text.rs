//! A text that may differ by language.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

/// A text: one string, or one string per locale.
///
/// One string stands for the default locale; the other locales take it only where `locales.fallback` says so.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(untagged)]
pub enum Text {
    /// The text of the default locale.
    Plain(String),
    /// Texts by BCP 47 tag.
    Localized(IndexMap<String, String>),
}
