//! The generator's own texts: error codes, refusals and units in every language.

use indexmap::IndexMap;
use serde::Deserialize;

/// The embedded file; `templates/docs/codes.yaml` says what each part is for.
const FILE: &str = include_str!("../../templates/docs/codes.yaml");

/// Texts by BCP 47 tag.
pub(super) type ByTag = IndexMap<String, String>;

/// The generator's own texts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wording {
    /// Tool codes.
    pub(super) tool: IndexMap<String, CodeWording>,
    /// Protocol codes, in table order.
    pub(super) protocol: IndexMap<String, ProtocolWording>,
    /// Refusals by name, in table order.
    pub(super) refusals: IndexMap<String, RefusalWording>,
    /// The question of a destructive tool that has none of its own.
    pub(super) question: QuestionWording,
    /// Units by name.
    pub(super) units: IndexMap<String, UnitWording>,
}

/// One tool code.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodeWording {
    /// When it appears.
    pub(super) when: Option<ByTag>,
    /// Who resolves it.
    pub(super) who: Option<ByTag>,
    /// The sentence for the model.
    pub(super) message: Option<ByTag>,
    /// `api` where only the API makes it.
    pub(super) source: Option<String>,
}

/// One protocol code.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ProtocolWording {
    /// What it means.
    pub(super) meaning: ByTag,
}

/// One refusal.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RefusalWording {
    /// HTTP status.
    pub(super) status: u16,
    /// The sentence in its body.
    pub(super) message: ByTag,
    /// The cause, for the page.
    pub(super) cause: ByTag,
    /// Whether no version of the runtime gives it yet.
    pub(super) reserved: bool,
}

/// The question of a destructive tool that has none of its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct QuestionWording {
    /// `{title}` stands for the tool, `{arguments}` for its arguments.
    pub(super) message: ByTag,
    /// The label of the box that says yes.
    pub(super) accept: ByTag,
}

/// One unit.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct UnitWording {
    /// For the tool; `{arguments}` stands for the names.
    pub(super) sentence: ByTag,
    /// For the argument.
    pub(super) argument: ByTag,
}

/// Reads the embedded file.
///
/// # Errors
/// When it does not have this shape: a fault of the generator, which its tests find.
pub(super) fn read() -> Result<Wording, String> {
    serde_yaml::from_str(FILE).map_err(|error| error.to_string())
}
