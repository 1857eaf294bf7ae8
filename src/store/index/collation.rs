//! The order of values: numbers by size, then texts, ignoring the case of ASCII letters.

use std::cmp::Ordering;

/// Compares two values. Only identical ones are equal.
pub(super) fn compare(one: &[u8], other: &[u8]) -> Ordering {
    let by_value = match (number(one), number(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => folded(one).cmp(folded(other)),
    };
    by_value.then_with(|| one.cmp(other))
}

fn folded(text: &[u8]) -> impl Iterator<Item = u8> {
    text.iter().map(u8::to_ascii_lowercase)
}

fn number(text: &[u8]) -> Option<f64> {
    // `inf` and `nan` are texts.
    let is_number = text.first()?.is_ascii_digit() || text[0] == b'-';
    let text = is_number
        .then(|| std::str::from_utf8(text).ok())
        .flatten()?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_before_names_and_case_does_not_matter() {
        let sorted = [
            "-3", "0.5", "9", "64500", "acme", "Acme", "acme_2", "BRAVO", "nan", "\u{e9}",
        ];
        let mut values = sorted;
        values.reverse();
        values.sort_by(|one, other| compare(one.as_bytes(), other.as_bytes()));
        // If only the case differs, capitals come first.
        let mut expected = sorted;
        expected.swap(4, 5);
        assert_eq!(values, expected);
    }
}
