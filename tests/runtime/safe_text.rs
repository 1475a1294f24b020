//! Sentences of our own, in each language.

use crate::runtime::safe_text::{Condition, no_content, refused, sentence};

const CONDITIONS: [Condition; 9] = [
    Condition::Unreachable,
    Condition::Timeout,
    Condition::Network,
    Condition::NotJson,
    Condition::ServerError,
    Condition::RateLimited(None),
    Condition::RateLimited(Some(5)),
    Condition::TooLarge,
    Condition::Redirect,
];

#[test]
fn each_language_has_a_sentence_of_its_own() {
    let mut seen = std::collections::BTreeSet::new();
    for language in ["en", "pt-BR", "es-MX"] {
        let connected = CONDITIONS
            .into_iter()
            .filter(|condition| *condition != Condition::Unreachable);
        for condition in connected {
            let text = sentence(condition, language, false);
            assert!(text.ends_with('.'), "{text}");
            assert!(seen.insert(text.clone()), "twice: {text}");
        }
        assert!(seen.insert(refused(language).to_owned()));
        assert!(seen.insert(no_content(language).to_owned()));
    }
    for (language, like) in [("pt", "pt-PT"), ("es", "es-419"), ("de", "en"), ("", "en")] {
        for condition in CONDITIONS {
            let text = sentence(condition, language, true);
            assert_eq!(text, sentence(condition, like, true), "{language}");
        }
    }
}

#[test]
fn doubt_is_told_exactly_where_a_write_may_have_happened() {
    for condition in CONDITIONS {
        let is_doubtful = matches!(
            condition,
            Condition::Timeout | Condition::Network | Condition::ServerError | Condition::TooLarge
        );
        for (language, doubt) in [
            ("en", "check the record"),
            ("pt-BR", "confira o registro"),
            ("es", "compruebe el registro"),
        ] {
            assert!(!sentence(condition, language, false).contains(doubt));
            let text = sentence(condition, language, true);
            assert_eq!(text.contains(doubt), is_doubtful, "{text}");
        }
    }
    assert!(sentence(Condition::RateLimited(Some(5)), "es", true).ends_with(" 5 s."));
}
