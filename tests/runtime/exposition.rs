//! A strict reader of the text of metrics: whatever the two formats do not allow fails the test.

use std::collections::BTreeMap;

use crate::runtime::metrics::Format;

/// Labels in order.
type Labels = Vec<(String, String)>;

/// The samples of one text.
#[derive(Debug, Default)]
pub(crate) struct Exposition {
    samples: BTreeMap<(String, Labels), f64>,
}

#[derive(Default)]
struct Family {
    name: String,
    kind: String,
    has_samples: bool,
}

impl Exposition {
    /// The value of a sample; labels in alphabetical order.
    pub(crate) fn get(&self, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let labels = labels
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        self.samples
            .get(&(name.to_owned(), labels.collect()))
            .copied()
    }

    /// Every sample with this name.
    pub(crate) fn all(&self, name: &str) -> Vec<(&Labels, f64)> {
        let named = self.samples.iter().filter(|((known, _), _)| known == name);
        named.map(|((_, labels), value)| (labels, *value)).collect()
    }
}

/// Reads a text.
#[track_caller]
pub(crate) fn read(text: &str, format: Format) -> Exposition {
    assert!(text.ends_with('\n'), "the last line ends");
    let (body, has_end) = match text.strip_suffix("# EOF\n") {
        Some(body) => (body, true),
        None => (text, false),
    };
    assert_eq!(has_end, format == Format::OpenMetrics);
    let mut read = Exposition::default();
    let mut family = Family::default();
    let mut known: Vec<String> = Vec::new();
    for line in body.lines() {
        match line.strip_prefix("# ") {
            Some(comment) => describe(comment, &mut family, &mut known),
            None => sample(line, &mut family, format, &mut read),
        }
    }
    check_histograms(&read);
    read
}

#[track_caller]
fn describe(comment: &str, family: &mut Family, known: &mut Vec<String>) {
    let mut words = comment.splitn(3, ' ');
    let mut word = || words.next().expect("keyword, name and text").to_owned();
    let (keyword, name, text) = (word(), word(), word());
    if keyword == "HELP" {
        assert!(!known.contains(&name), "{name} comes twice");
        known.push(name.clone());
        *family = Family {
            name,
            ..Family::default()
        };
        return;
    }
    assert_eq!(family.name, name, "the comments of a family are together");
    assert!(!family.has_samples, "comments come first");
    match keyword.as_str() {
        "TYPE" => {
            let kinds = ["counter", "gauge", "histogram", "info"];
            assert!(kinds.contains(&text.as_str()), "{text}");
            family.kind = text;
        }
        "UNIT" => assert!(
            name.ends_with(&format!("_{text}")),
            "{name} has unit {text}"
        ),
        _ => panic!("unknown comment: {comment}"),
    }
}

#[track_caller]
fn sample(line: &str, family: &mut Family, format: Format, into: &mut Exposition) {
    let name_end = line.find(['{', ' ']).expect("a value");
    let (name, rest) = line.split_at(name_end);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':';
    assert!(name.bytes().all(is_name), "{line}");
    let (mut labels, rest) = match rest.strip_prefix('{') {
        Some(rest) => read_labels(rest),
        None => (Vec::new(), rest),
    };
    let number = rest.strip_prefix(' ').expect("one blank before the value");
    let value: f64 = number
        .parse()
        .unwrap_or_else(|_| panic!("not a number: {line}"));
    let is_open = format == Format::OpenMetrics;
    let allowed: &[&str] = match family.kind.as_str() {
        "counter" if is_open => &["_total"],
        "info" if is_open => &["_info"],
        "histogram" => &["_sum", "_count", "_bucket"],
        _ => &[""],
    };
    let suffix = name.strip_prefix(family.name.as_str());
    let is_allowed = suffix.is_some_and(|suffix| allowed.contains(&suffix));
    assert!(
        is_allowed,
        "{name} is not of {} {}",
        family.kind, family.name
    );
    family.has_samples = true;
    labels.sort();
    let n_labels = labels.len();
    labels.dedup_by(|left, right| left.0 == right.0);
    assert_eq!(labels.len(), n_labels, "a label comes twice: {line}");
    let before = into.samples.insert((name.to_owned(), labels), value);
    assert!(before.is_none(), "comes twice: {line}");
}

/// Reads `key="value",…}` and gives what follows.
#[track_caller]
fn read_labels(mut rest: &str) -> (Labels, &str) {
    let mut labels = Vec::new();
    loop {
        let (key, after) = rest.split_once("=\"").expect("a label");
        assert!(
            key.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            "{key}"
        );
        let mut value = String::new();
        let mut characters = after.char_indices();
        let end = loop {
            let (at, character) = characters.next().expect("a closing quote");
            match character {
                '"' => break at,
                '\\' => match characters.next().expect("an escaped character").1 {
                    'n' => value.push('\n'),
                    escaped @ ('"' | '\\') => value.push(escaped),
                    other => panic!("unknown escape: {other}"),
                },
                other => value.push(other),
            }
        };
        labels.push((key.to_owned(), value));
        rest = &after[end + 1..];
        if let Some(after) = rest.strip_prefix('}') {
            return (labels, after);
        }
        rest = rest.strip_prefix(',').expect("a comma or the end");
    }
}

/// Buckets grow with their bounds, and the last one holds everything.
#[track_caller]
fn check_histograms(read: &Exposition) {
    let mut series: BTreeMap<(String, Labels), Vec<(f64, f64)>> = BTreeMap::new();
    for ((name, labels), value) in &read.samples {
        let Some(name) = name.strip_suffix("_bucket") else {
            continue;
        };
        let (bounds, others): (Labels, Labels) =
            labels.iter().cloned().partition(|(key, _)| key == "le");
        let bound = bounds[0].1.parse().expect("a bound");
        let buckets = series.entry((name.to_owned(), others)).or_default();
        buckets.push((bound, *value));
    }
    for ((name, labels), mut buckets) in series {
        buckets.sort_by(|left, right| left.0.total_cmp(&right.0));
        assert!(buckets.is_sorted_by(|left, right| left.1 <= right.1));
        let last = buckets.last().expect("a bucket");
        let count = read.samples[&(format!("{name}_count"), labels.clone())];
        assert_eq!(*last, (f64::INFINITY, count));
        assert!(read.samples.contains_key(&(format!("{name}_sum"), labels)));
    }
}
