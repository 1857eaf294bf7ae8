//! Numbers for people.

/// A number in groups of three digits.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, the noun in the plural unless there is one: `1 query`, `1,234 queries`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let (stem, ending) = match noun.strip_suffix('y') {
        _ if number == 1 => (noun, ""),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => (stem, "ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => (noun, "es"),
        _ => (noun, "s"),
    };
    format!("{} {stem}{ending}", count(number))
}

/// A number with a fraction, its whole part in groups of three; one too large to be read digit by digit with an exponent.
#[must_use]
pub fn decimal(value: f64) -> String {
    if value.abs() >= 1e15 {
        return format!("{value:e}");
    }
    let text = value.to_string();
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, format!(".{fraction}")),
        None => (text.as_str(), String::new()),
    };
    match whole.parse() {
        Ok(whole) => format!("{}{fraction}", count(whole)),
        // Below zero, or no number at all.
        Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        let numbers = [0, 999, 1000, 123_456, 2_000_000].map(count);
        assert_eq!(numbers, ["0", "999", "1,000", "123,456", "2,000,000"]);
    }

    #[test]
    fn things_are_counted_in_singular_and_plural() {
        for (number, noun, expected) in [
            (1, "record", "1 record"),
            (0, "record", "0 records"),
            (1000, "query", "1,000 queries"),
            (2, "day", "2 days"),
            (2, "address", "2 addresses"),
            (2, "watch", "2 watches"),
        ] {
            assert_eq!(counted(number, noun), expected);
        }
    }

    #[test]
    fn fractions_keep_their_digits() {
        for (value, expected) in [
            (0.03, "0.03"),
            (18_204.5, "18,204.5"),
            (912_331.0, "912,331"),
            (-0.5, "-0.5"),
            (1e300, "1e300"),
        ] {
            assert_eq!(decimal(value), expected);
        }
    }
}
