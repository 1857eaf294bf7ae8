//! Dumps of packets: what their text has at the end of a line may go on in the next one.

use std::ops::Range;

/// The fewest pairs of digits of a line.
const FEWEST: usize = 8;

/// The place of the text of a line such as `0x0010: 31 39 32 2e 30 2e 32 2e 31 … 192.0.2.1`, behind its digits.
pub(super) fn text_of(row: &[u8]) -> Option<Range<usize>> {
    let begin = row.len() - row.trim_ascii_start().len();
    let end = row.trim_ascii_end().len();
    let place = row.get(begin..end)?;
    let place = place.strip_prefix(b"0x").unwrap_or(place);
    let digits = place.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let digits = digits.count();
    if !(4..=8).contains(&digits) || !matches!(place.get(digits), Some(b':' | b' ')) {
        return None;
    }
    let mut at = end - place.len() + digits + 1;
    let mut pairs = 0;
    while let Some(token) = token_at(row, at, end) {
        let own = &row[token.clone()];
        if !matches!(own.len(), 2 | 4) || !own.iter().all(u8::is_ascii_hexdigit) || pairs >= 16 {
            return (pairs >= FEWEST).then_some(token.start..end);
        }
        pairs += own.len() / 2;
        at = token.end;
    }
    None
}

/// The next token between blanks.
fn token_at(row: &[u8], from: usize, end: usize) -> Option<Range<usize>> {
    let rest = row.get(from..end)?;
    let start = from + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let len = row[start..end].iter().position(u8::is_ascii_whitespace);
    Some(start..len.map_or(end, |len| start + len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_has_its_text_behind_its_digits() {
        let line = b"0x000010: 0a 48 6f 73 74 3a 20 31 39 32 2e 30 2e 32 2e 31 .Host: 192.0.2.1\n";
        let text = text_of(line).expect("a dump");
        assert_eq!(&line[text], b".Host: 192.0.2.1");
        let line = b"\t0x0010:  c000 0201 c633 6407 0050 d431 0000 0000  .....3d..P.1....";
        assert_eq!(&line[text_of(line).expect("a dump")], b".....3d..P.1....");
        for line in [
            &b"198.51.100.7 ab cd ef 12 34 56 78 9a bc x"[..],
            b"0x000010: 0a 48 text",
            b"20261120 10 15 30 x",
        ] {
            assert_eq!(text_of(line), None);
        }
    }
}
