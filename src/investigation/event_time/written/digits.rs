//! Numbers as they are written.

/// The number of digits at the beginning of a text.
pub(super) fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The number that these digits are; of more than 19 nothing.
pub(super) fn number(digits: &[u8]) -> Option<i64> {
    let digits = std::str::from_utf8(digits).ok()?;
    digits.parse().ok().filter(|_| digits.len() <= 19)
}

pub(super) fn two(text: &[u8], at: usize) -> Option<i8> {
    i8::try_from(number(text.get(at..at + 2)?)?).ok()
}

/// The digits behind the point of a second.
pub(super) fn nanoseconds(digits: &[u8]) -> i32 {
    let nine = digits.iter().copied().chain(std::iter::repeat(b'0'));
    nine.take(9)
        .fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'))
}
