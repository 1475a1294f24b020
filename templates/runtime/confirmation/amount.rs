//! Numbers in a question as people write them: decimal text → an amount, a rate, a period. No digit is lost or rounded.

/// A decimal number as text.
struct Decimal<'a> {
    is_negative: bool,
    whole: &'a str,
    /// Without the point; may be empty.
    fraction: &'a str,
}

/// The marks of a language.
struct Marks {
    decimal: char,
    thousands: char,
}

/// Hundredths of a real as an amount in reais; none: not a whole number.
#[must_use]
pub fn cents(text: &str, language: &str) -> Option<String> {
    let number = decimal(text).filter(|number| number.fraction.is_empty())?;
    let padded = format!("{:0>3}", number.whole);
    let (whole, fraction) = padded.split_at(padded.len() - 2);
    Some(reais(number.is_negative, whole, fraction, language))
}

/// Reais as an amount; none: not a decimal number.
#[must_use]
pub fn brl(text: &str, language: &str) -> Option<String> {
    let number = decimal(text)?;
    let fraction = format!("{:0<2}", number.fraction);
    Some(reais(number.is_negative, number.whole, &fraction, language))
}

/// A rate; none: not a decimal number.
#[must_use]
pub fn percent(text: &str, language: &str) -> Option<String> {
    let number = decimal(text)?;
    let written = write(&number, &marks(language));
    Some(match primary(language) {
        "es" => format!("{written}\u{a0}%"),
        _ => format!("{written}%"),
    })
}

/// A period in days; none: not a decimal number.
#[must_use]
pub fn days(text: &str, language: &str) -> Option<String> {
    let number = decimal(text)?;
    let is_one = number.whole == "1" && number.fraction.is_empty() && !number.is_negative;
    let word = match (primary(language), is_one) {
        ("pt", true) => "dia",
        ("pt", false) => "dias",
        ("es", true) => "día",
        ("es", false) => "días",
        (_, true) => "day",
        (_, false) => "days",
    };
    Some(format!("{}\u{a0}{word}", write(&number, &marks(language))))
}

fn reais(is_negative: bool, whole: &str, fraction: &str, language: &str) -> String {
    let sign = if is_negative { "-" } else { "" };
    let marks = marks(language);
    let whole = grouped(whole, marks.thousands);
    format!("{sign}R$\u{a0}{whole}{}{fraction}", marks.decimal)
}

fn write(number: &Decimal<'_>, marks: &Marks) -> String {
    let sign = if number.is_negative { "-" } else { "" };
    let whole = grouped(number.whole, marks.thousands);
    if number.fraction.is_empty() {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}{}{}", marks.decimal, number.fraction)
}

fn grouped(whole: &str, mark: char) -> String {
    let trimmed = whole.trim_start_matches('0');
    let digits = if trimmed.is_empty() { "0" } else { trimmed };
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(mark);
        }
        out.push(digit);
    }
    out
}

/// A plain decimal number: no exponent, no marks, not absurdly long.
fn decimal(text: &str) -> Option<Decimal<'_>> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = match digits.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (digits, ""),
    };
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = !whole.is_empty() && whole.len() <= 30 && fraction.len() <= 30;
    (fits && is_digits(whole) && is_digits(fraction)).then_some(Decimal {
        is_negative,
        whole,
        fraction,
    })
}

fn marks(language: &str) -> Marks {
    match primary(language) {
        "pt" | "es" => Marks {
            decimal: ',',
            thousands: '.',
        },
        _ => Marks {
            decimal: '.',
            thousands: ',',
        },
    }
}

fn primary(language: &str) -> &str {
    language.split('-').next().unwrap_or(language)
}
