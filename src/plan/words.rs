//! Words of names and summaries, without accents and in lower case.

/// A letter without its accent; other characters as they are.
pub(super) fn without_accent(c: char) -> char {
    match c {
        'à'..='å' => 'a',
        'À'..='Å' => 'A',
        'ç' => 'c',
        'Ç' => 'C',
        'è'..='ë' => 'e',
        'È'..='Ë' => 'E',
        'ì'..='ï' => 'i',
        'Ì'..='Ï' => 'I',
        'ñ' => 'n',
        'Ñ' => 'N',
        'ò'..='ö' => 'o',
        'Ò'..='Ö' => 'O',
        'ù'..='ü' => 'u',
        'Ù'..='Ü' => 'U',
        'ý' | 'ÿ' => 'y',
        'Ý' => 'Y',
        other => other,
    }
}

/// The words of a text: split at anything but letters and digits, and where camelCase turns.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in text.chars().map(without_accent) {
        let is_end = !c.is_alphanumeric() || (was_lower && c.is_uppercase());
        if is_end && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        was_lower = c.is_lowercase() || c.is_ascii_digit();
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The text with every run of other characters than `[A-Za-z0-9]` and those in `kept` made one `_`.
pub(super) fn ascii_name(text: &str, kept: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for c in text.chars().map(without_accent) {
        if c.is_ascii_alphanumeric() || kept.contains(c) {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    name.trim_end_matches('_').to_owned()
}
