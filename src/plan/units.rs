//! Units of amounts: the sentence for the tool, the note for the argument, and contradictions in the document.

use indexmap::IndexMap;

use crate::overlay::{self, KnownUnit, Unit};

use super::arguments::Draft;
use super::context::{Context, collapse, in_locale};
use super::server::Text;
use super::wording::UnitWording;

/// Sentences about units, one per unit, with the arguments that it is about.
#[derive(Default)]
pub(super) struct Sentences {
    by_unit: IndexMap<String, (Text, Vec<String>)>,
}

impl Sentences {
    /// Adds an argument.
    pub(super) fn add(&mut self, cx: &Context<'_>, unit: &Unit, argument: &str, at: &str) {
        let sentence = || match unit {
            Unit::Known(known) => cx.own_text(&wording(cx, *known).sentence),
            Unit::Note(by_tag) => cx.text(&overlay::Text::Localized(by_tag.clone()), at),
        };
        let entry = self
            .by_unit
            .entry(format!("{unit:?}"))
            .or_insert_with(|| (sentence(), Vec::new()));
        entry.1.push(format!("`{argument}`"));
    }

    /// The sentences; `{arguments}` in them stands for the names.
    ///
    /// Where units differ, each sentence says whose it is: "amounts are in cents" must not be read of all amounts.
    pub(super) fn finish(self) -> Vec<Text> {
        let is_shared = self.by_unit.len() > 1;
        let fill = |(text, names): (Text, Vec<String>)| {
            let names = names.join(", ");
            let of_one = |text: &String| {
                let filled = text
                    .replace("{arguments}", &names)
                    .replace("{argument}", &names);
                if is_shared && filled == *text && !text.is_empty() {
                    format!("{names}: {text}")
                } else {
                    filled
                }
            };
            text.iter().map(of_one).collect()
        };
        self.by_unit.into_values().map(fill).collect()
    }
}

/// The note that opens an argument's description.
pub(super) fn argument_note(cx: &Context<'_>, unit: &Unit, at: &str) -> Text {
    match unit {
        Unit::Known(known) => cx.own_text(&wording(cx, *known).argument),
        Unit::Note(by_tag) => cx.text(&overlay::Text::Localized(by_tag.clone()), at),
    }
}

/// Whether only integers make sense.
pub(super) fn is_whole(unit: &Unit) -> bool {
    matches!(unit, Unit::Known(KnownUnit::Cents | KnownUnit::Days))
}

/// Warns where the document's own words name the other unit of money.
pub(super) fn check_words(cx: &Context<'_>, draft: &Draft, unit: &Unit, at: &str) {
    let (name, contradictions): (&str, &[&str]) = match unit {
        Unit::Known(KnownUnit::Cents) => ("cents", &["reais", "brl", "r$"]),
        Unit::Known(KnownUnit::Brl) => ("brl", &["centavos", "cents", "centimos"]),
        _ => return,
    };
    for locale in 0..cx.n_locales() {
        let text = in_locale(&draft.description, locale);
        let lower = text.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '$');
        if words.any(|word| contradictions.contains(&word)) {
            cx.warning(
                "unit-contradicts-document",
                at,
                format!(
                    "the overlay says `unit: {name}`, the document of `{}` says `{text}`",
                    draft.wire
                ),
                "find out which is right: a wrong unit is a wrong amount",
            );
            return;
        }
    }
}

fn wording(cx: &Context<'_>, unit: KnownUnit) -> UnitWording {
    let name = match unit {
        KnownUnit::Cents => "cents",
        KnownUnit::Brl => "brl",
        KnownUnit::Percent => "percent",
        KnownUnit::Days => "days",
    };
    cx.wording.units.get(name).cloned().unwrap_or_default()
}

/// `first` and `second` as one text with a blank between them, in every language.
pub(super) fn joined(cx: &Context<'_>, first: &Text, second: &Text, between: &str) -> Text {
    let join = |locale| {
        let (first, second) = (in_locale(first, locale), in_locale(second, locale));
        match (first.is_empty(), second.is_empty()) {
            (true, _) => second.to_owned(),
            (_, true) => first.to_owned(),
            _ => format!("{first}{between}{second}"),
        }
    };
    collapse((0..cx.n_locales()).map(join).collect())
}
