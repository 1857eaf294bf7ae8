//! Splits a line into its *skeleton*, the keys and punctuation with a mark for each value, and its *tokens*, the texts of the
//! values.
//!
//! ```text
//! {"ip":"198.51.100.7","as":{"number":64500,"organization":"Example"},"risks":["TUNNEL"],"client":{"types":["MOBILE"]}}
//! skeleton  {"ip":·,"as":·,"risks":·,"client":{"types":·}}
//! tokens    "198.51.100.7"   {"number":64500,"organization":"Example"}   ["TUNNEL"]   ["MOBILE"]
//! ```
//!
//! A list of scalars is one token, and so is an object below the record that has only scalars: such parts repeat as a whole.
//! Skeleton and tokens together have every byte of the line. Whether the line is JSON is checked later, once for each skeleton
//! and once for each token; here only the ends of strings are found. Every line of a feed goes through this code, so it is one
//! pass over the bytes, eight at a time within strings.

use super::id::place;

/// The mark of a token in a skeleton. This byte never occurs in JSON text.
pub(super) const MARK: u8 = 0;
/// Lines with deeper nesting are not split.
const DEEPEST: usize = 32;
/// Lines with more tokens are not split.
const MOST_TOKENS: usize = 1 << 16;
/// Longer lines are not split: offsets within a line have 32 bits.
const LONGEST: usize = 1 << 30;

/// Splits lines into skeleton and tokens.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The skeleton of the last line.
    pub(super) skeleton: Vec<u8>,
    /// The range of each token in its line, for one line after the other.
    pub(super) tokens: Vec<(u32, u32)>,
    frames: Vec<Frame>,
}

/// An object or array that is not closed yet.
#[derive(Clone, Copy, Debug)]
struct Frame {
    is_object: bool,
    /// Whether it holds only scalars so far.
    is_flat: bool,
    /// Its start: in the line, in the skeleton, in the tokens.
    begun: (usize, usize, usize),
    /// The range in the line of the key that it is the value of.
    key: (usize, usize),
}

impl Scan {
    /// Splits a line: sets its skeleton and appends its tokens. False, and nothing is appended, if the line cannot be split.
    /// `is_apart` returns whether the objects under a key are split even if they hold only scalars.
    pub(super) fn scan(&mut self, line: &[u8], is_apart: impl Fn(&[u8]) -> bool) -> bool {
        let tokens = self.tokens.len();
        self.skeleton.clear();
        self.frames.clear();
        let is_whole = self.append(line, is_apart) && self.tokens.len() > tokens;
        if !is_whole {
            self.tokens.truncate(tokens);
        }
        is_whole
    }

    fn append(&mut self, line: &[u8], is_apart: impl Fn(&[u8]) -> bool) -> bool {
        if line.len() > LONGEST {
            return false;
        }
        let most = self.tokens.len() + MOST_TOKENS;
        let (mut at, mut copied) = (0, 0);
        let (mut key, mut expects_key) = ((0, 0), false);
        while let Some(byte) = line.get(at) {
            let end = match byte {
                b'"' => match end_of_string(line, at + 1) {
                    Some(end) if expects_key => {
                        (key, expects_key, at) = ((at, end), false, end);
                        continue;
                    }
                    Some(end) => end,
                    None => return false,
                },
                b',' => {
                    expects_key = self.frames.last().is_some_and(|frame| frame.is_object);
                    at += 1;
                    continue;
                }
                b':' | b' ' | b'\t' => {
                    at += 1;
                    continue;
                }
                b'{' => {
                    if let Some(parent) = self.frames.last_mut() {
                        parent.is_flat = false;
                    }
                    if !self.open(true, at, copied, key) {
                        return false;
                    }
                    (at, expects_key) = (at + 1, true);
                    continue;
                }
                b'[' => {
                    if let Some(parent) = self.frames.last_mut() {
                        parent.is_flat = false;
                    }
                    match end_of_list(line, at + 1) {
                        Some(end) => end,
                        None if self.open(false, at, copied, key) => {
                            at += 1;
                            continue;
                        }
                        None => return false,
                    }
                }
                b'}' | b']' => {
                    let Some(frame) = self.frames.pop() else {
                        return false;
                    };
                    at += 1;
                    expects_key = false;
                    let whole = frame.is_object && frame.is_flat && !self.frames.is_empty();
                    if whole && !is_apart(&line[frame.key.0..frame.key.1]) {
                        let (start, skeleton, tokens) = frame.begun;
                        if self.skeleton.len() < skeleton {
                            self.skeleton.extend_from_slice(&line[copied..start]);
                        }
                        self.skeleton.truncate(skeleton);
                        self.skeleton.push(MARK);
                        self.tokens.truncate(tokens);
                        self.tokens.push(span(start, at));
                        copied = at;
                    }
                    continue;
                }
                b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => end_of_literal(line, at + 1),
                _ => return false,
            };
            self.skeleton.extend_from_slice(&line[copied..at]);
            self.skeleton.push(MARK);
            if self.tokens.len() == most {
                return false;
            }
            self.tokens.push(span(at, end));
            (at, copied) = (end, end);
        }
        self.skeleton.extend_from_slice(&line[copied..]);
        self.frames.is_empty()
    }

    /// Opens a frame. Records the length that the skeleton has before it, to return to if the frame becomes one token.
    fn open(&mut self, is_object: bool, at: usize, copied: usize, key: (usize, usize)) -> bool {
        if self.frames.len() == DEEPEST {
            return false;
        }
        let length = self.skeleton.len() + at - copied;
        // An object in a list has the key of the list.
        let key = match self.frames.last() {
            Some(parent) if !parent.is_object => parent.key,
            _ => key,
        };
        self.frames.push(Frame {
            is_object,
            is_flat: true,
            begun: (at, length, self.tokens.len()),
            key,
        });
        true
    }
}

/// The range of a token in its line, which is no longer than [`LONGEST`].
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "both are at most LONGEST, which is below 2^32"
)]
fn span(start: usize, end: usize) -> (u32, u32) {
    const { assert!(LONGEST <= u32::MAX as usize) };
    (start as u32, end as u32)
}

/// The end of the token at `at`: a scalar, a list of scalars, or an object of scalars; `None` for anything else.
#[inline]
pub(super) fn end_of_token(line: &[u8], at: usize) -> Option<usize> {
    match line.get(at)? {
        b'"' => end_of_string(line, at + 1),
        b'{' => end_of_flat(line, at + 1),
        b'[' => end_of_list(line, at + 1),
        b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => Some(end_of_literal(line, at + 1)),
        _ => None,
    }
}

/// The end of an object of scalars; `at` is the byte after the brace.
#[inline]
fn end_of_flat(line: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match line.get(at)? {
            b'"' => at = end_of_string(line, at + 1)?,
            b'}' => return Some(at + 1),
            b'[' | b'{' | b']' => return None,
            _ => at += 1,
        }
    }
}

/// The end of a string, after its quote; `at` is its first character. `None` if it has a control character.
#[inline]
pub(super) fn end_of_string(line: &[u8], mut at: usize) -> Option<usize> {
    loop {
        while let Some(eight) = line.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let found = special(u64::from_le_bytes(*eight));
            if found != 0 {
                at += place(found.trailing_zeros()) / 8;
                break;
            }
            at += 8;
        }
        match line.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            0..0x20 => return None,
            _ => at += 1,
        }
    }
}

/// Marks the first of eight bytes that is a quote, a backslash or a control character, with its high bit; zero if there is none.
/// Bits above the first may be set in error.
#[inline]
fn special(eight: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let zero = |word: u64| word.wrapping_sub(EACH) & !word;
    let control = eight.wrapping_sub(EACH * 0x20) & !eight;
    let quote = zero(eight ^ (EACH * 0x22));
    let backslash = zero(eight ^ (EACH * 0x5c));
    (control | quote | backslash) & (EACH * 0x80)
}

/// The end of a list of scalars; `at` is the byte after the bracket. `None` if it holds anything else.
#[inline]
fn end_of_list(line: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match line.get(at)? {
            b'"' => at = end_of_string(line, at + 1)?,
            b']' => return Some(at + 1),
            b'[' | b'{' | b'}' => return None,
            _ => at += 1,
        }
    }
}

/// The end of a number, `true`, `false` or `null`.
#[inline]
pub(super) fn end_of_literal(line: &[u8], mut at: usize) -> usize {
    while let Some(byte) = line.get(at) {
        if matches!(byte, b',' | b'}' | b']' | b' ' | b'\t') {
            break;
        }
        at += 1;
    }
    at
}

/// Restores a line from its skeleton and the texts of its tokens.
#[cfg(test)]
fn together<'a>(skeleton: &[u8], mut tokens: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut line = Vec::new();
    for byte in skeleton {
        match *byte {
            MARK => line.extend_from_slice(tokens.next().expect("a token for each mark")),
            byte => line.push(byte),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(line: &str, apart: &str) -> Option<(String, Vec<String>)> {
        let mut scanned = Scan::default();
        if !scanned.scan(line.as_bytes(), |key| key == apart.as_bytes()) {
            return None;
        }
        let text = |(start, end): &(u32, u32)| &line[place(*start)..place(*end)];
        let tokens: Vec<&str> = scanned.tokens.iter().map(text).collect();
        let again = together(
            &scanned.skeleton,
            tokens.iter().map(|token| token.as_bytes()),
        );
        assert_eq!(String::from_utf8(again).as_deref(), Ok(line));
        let skeleton = String::from_utf8(scanned.skeleton)
            .expect("text")
            .replace('\0', "·");
        Some((skeleton, tokens.into_iter().map(str::to_owned).collect()))
    }

    #[test]
    fn flat_pieces_are_one_token() {
        let line = r#"{"ip":"198.51.100.7","as":{"number":64500,"organization":"A\"}"},"risks":["]",2],"client":{"types":[],"count":3},"tunnels":[{"type":"VPN"},{"entries":["x"]}]}"#;
        let (skeleton, tokens) = scanned(line, "").expect("a record");
        assert_eq!(
            skeleton,
            r#"{"ip":·,"as":·,"risks":·,"client":{"types":·,"count":·},"tunnels":[·,{"entries":·}]}"#
        );
        assert_eq!(tokens[1], r#"{"number":64500,"organization":"A\"}"}"#);
        assert_eq!(
            tokens[2..],
            [r#"["]",2]"#, "[]", "3", r#"{"type":"VPN"}"#, r#"["x"]"#]
        );
        let (skeleton, tokens) = scanned(r#"{"client":{},"a":1}"#, "").expect("a record");
        assert_eq!(
            (skeleton.as_str(), tokens[0].as_str()),
            (r#"{"client":·,"a":·}"#, "{}")
        );
        let (skeleton, _) = scanned(line, "\"tunnels\"").expect("a record");
        assert!(
            skeleton.ends_with(r#""tunnels":[{"type":·},{"entries":·}]}"#),
            "{skeleton}"
        );
    }

    #[test]
    fn blanks_stay_where_they_are() {
        let (skeleton, tokens) =
            scanned(r#" { "a" : {"b": 1} , "c":[ 1, null ], "d":true } "#, "").expect("a record");
        assert_eq!(skeleton, r#" { "a" : · , "c":·, "d":· } "#);
        assert_eq!(tokens, [r#"{"b": 1}"#, "[ 1, null ]", "true"]);
    }

    #[test]
    fn what_is_too_odd_is_left_alone() {
        let deep = "[".repeat(100) + "{\"a\":1}";
        for line in [
            "",
            "{}",
            "{\"a\":\"b\u{1}\"}",
            "{\"a\":\"b",
            "{\"a\":1",
            "{\"a\":1}}",
            "{\"a\":x}",
            &deep,
            "\u{feff}{}",
        ] {
            assert_eq!(scanned(line, ""), None, "{line:?}");
        }
    }

    #[test]
    fn strings_end_where_they_end() {
        for length in 0..40 {
            for escape in ["", "\\\"", "\\\\", "ü"] {
                let text = format!("{}{escape}{}", "x".repeat(length), "y".repeat(length % 7));
                let line = format!("{text}\"rest\"");
                assert_eq!(
                    end_of_string(line.as_bytes(), 0),
                    Some(text.len() + 1),
                    "{line}"
                );
            }
        }
        assert_eq!(end_of_string(b"12345678\x1f\"", 0), None);
        assert_eq!(end_of_string(b"1234567890", 0), None);
        assert_eq!(end_of_string(b"123\\", 0), None);
    }
}
