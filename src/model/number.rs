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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        let numbers = [0, 999, 1000, 123_456, 2_000_000].map(count);
        assert_eq!(numbers, ["0", "999", "1,000", "123,456", "2,000,000"]);
    }
}
