//! A block of lines split into tokens: the output of the scanner's thread.
//!
//! The encoder finds out which objects to split some blocks later. The index must not depend on the speed of threads, so a block
//! is split with the keys that the encoder had found a fixed number of blocks before.

use memchr::memchr_iter;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    id::{WordId, place},
    scan::Scan,
    shape::{LONGEST_SKELETON, MOST_BYTES, MOST_SHAPES, RAW},
    skeleton_trie::SkeletonTrie,
    words::Interner,
};

/// The keys, with their quotes, of objects that are split because they hardly repeat.
pub(super) type SplitKeys = Vec<Vec<u8>>;

/// Splits blocks, one after the other.
#[derive(Debug)]
pub(super) struct Scanner {
    apart: SplitKeys,
    /// All skeletons so far, numbered.
    skeletons: Interner,
    /// The skeletons since the last change of the split keys.
    pieces: SkeletonTrie,
    scan: Scan,
    is_first: bool,
}

/// The lines of a block, split into tokens.
#[derive(Debug)]
pub(super) struct ParsedBlock {
    block: Vec<u8>,
    lines: Vec<LineSpan>,
    /// The range of each token in its line.
    tokens: Vec<(u32, u32)>,
    /// The XXH3 of each token.
    hashes: Vec<u64>,
    /// The skeletons that occurred for the first time, in the order of their numbers.
    pub(super) skeletons: Vec<Vec<u8>>,
}

/// The range of a line in its block, its skeleton, and its tokens.
#[derive(Clone, Copy, Debug)]
struct LineSpan {
    start: usize,
    end: usize,
    /// The end of its tokens among those of the block; they begin at the end of the previous line's.
    tokens: usize,
    skeleton: u32,
}

/// A line and its tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParsedLine<'a> {
    pub(super) text: &'a [u8],
    /// The number of its skeleton, which is also that of its shape; [`RAW`] if the line could not be split.
    pub(super) skeleton: u32,
    /// The range of each token in the text.
    pub(super) tokens: &'a [(u32, u32)],
    /// The XXH3 of each token.
    pub(super) hashes: &'a [u64],
}

impl<'a> ParsedLine<'a> {
    #[inline]
    pub(super) fn token(&self, (start, end): (u32, u32)) -> &'a [u8] {
        &self.text[place(start)..place(end)]
    }
}

impl Default for Scanner {
    fn default() -> Self {
        let mut skeletons = Interner::default();
        // Reserves number 0, which means a line that could not be split.
        skeletons.number(b"");
        Self {
            apart: SplitKeys::new(),
            skeletons,
            pieces: SkeletonTrie::default(),
            scan: Scan::default(),
            is_first: true,
        }
    }
}

impl Scanner {
    /// Splits the objects under these keys from now on.
    pub(super) fn learn(&mut self, apart: SplitKeys) {
        self.apart = apart;
        self.pieces = SkeletonTrie::default();
    }

    /// Splits the lines of a block. Ignores a byte order mark before the first line of a feed, and a carriage return before a
    /// line feed.
    pub(super) fn sheet(&mut self, block: Vec<u8>) -> ParsedBlock {
        let is_text = std::str::from_utf8(&block).is_ok();
        let whole = block.strip_suffix(b"\n").unwrap_or(&block);
        let known = self.skeletons.len();
        let mut lines = Vec::with_capacity(block.len() / 256);
        let mut hashes = Vec::with_capacity(block.len() / 16);
        self.scan.tokens = Vec::with_capacity(block.len() / 16);
        let is_marked = std::mem::take(&mut self.is_first) && whole.starts_with(b"\xef\xbb\xbf");
        let mut start = if is_marked { 3 } else { 0 };
        for end in memchr_iter(b'\n', whole).chain([whole.len()]) {
            let line = &whole[start..end];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let is_text = is_text || std::str::from_utf8(line).is_ok();
            let skeleton = if is_text { self.skeleton(line) } else { RAW };
            let tokens = self.scan.tokens[hashes.len()..].iter();
            hashes.extend(tokens.map(|(from, to)| xxh3_64(&line[place(*from)..place(*to)])));
            lines.push(LineSpan {
                start,
                end: start + line.len(),
                tokens: hashes.len(),
                skeleton,
            });
            start = end + 1;
        }
        ParsedBlock {
            block,
            lines,
            tokens: std::mem::take(&mut self.scan.tokens),
            hashes,
            skeletons: self
                .skeletons
                .texts_from(known)
                .map(<[u8]>::to_vec)
                .collect(),
        }
    }

    /// Splits a line: appends its tokens, and returns the number of its skeleton.
    #[inline]
    fn skeleton(&mut self, line: &[u8]) -> u32 {
        if let Some(number) = self.pieces.matched(line, &mut self.scan.tokens) {
            return number;
        }
        // Only objects are records. The trie would take any other value as the token of a skeleton without keys.
        if !line.trim_ascii_start().starts_with(b"{") {
            return RAW;
        }
        let before = self.scan.tokens.len();
        let Self { apart, scan, .. } = self;
        if !scan.scan(line, |key| apart.iter().any(|bytes| bytes == key)) {
            return RAW;
        }
        let skeleton = &self.scan.skeleton;
        let number = self.skeletons.find(skeleton).or_else(|| {
            let is_full = self.skeletons.len() == MOST_SHAPES
                || self.skeletons.weight() + skeleton.len() > MOST_BYTES;
            let is_full = is_full || skeleton.len() > LONGEST_SKELETON;
            let (number, _) = (!is_full).then(|| self.skeletons.number(skeleton))??;
            Some(number)
        });
        let Some(WordId(number)) = number else {
            self.scan.tokens.truncate(before);
            return RAW;
        };
        self.pieces.add(skeleton, number);
        number
    }
}

impl ParsedBlock {
    /// The memory of the block for reuse, unless a long line made it large.
    pub(super) fn into_block(self) -> Option<Vec<u8>> {
        const USUAL: usize = 2 << 20;
        Some(self.block).filter(|block| block.capacity() <= USUAL)
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = ParsedLine<'_>> {
        let mut begin = 0;
        self.lines.iter().map(move |place| {
            let tokens = begin..place.tokens;
            begin = place.tokens;
            ParsedLine {
                text: &self.block[place.start..place.end],
                skeleton: place.skeleton,
                tokens: &self.tokens[tokens.clone()],
                hashes: &self.hashes[tokens],
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends_and_nothing_else() {
        let block = b"\xef\xbb\xbf{\"a\":1}\r\n\n {\"b\":[2]} \n\"\xff\"\n{\"c\":{}}".to_vec();
        let sheet = Scanner::default().sheet(block);
        let lines: Vec<ParsedLine<'_>> = sheet.lines().collect();
        let texts: Vec<&[u8]> = lines.iter().map(|line| line.text).collect();
        assert_eq!(
            texts,
            [
                &b"{\"a\":1}"[..],
                b"",
                b" {\"b\":[2]} ",
                b"\"\xff\"",
                b"{\"c\":{}}"
            ]
        );
        let skeletons: Vec<u32> = lines.iter().map(|line| line.skeleton).collect();
        assert_eq!(skeletons, [1, RAW, 2, RAW, 3]);
        assert_eq!(sheet.skeletons[1], b" {\"b\":\0} ");
        assert_eq!(
            (lines[2].tokens, lines[2].token(lines[2].tokens[0])),
            (&[(6, 9)][..], &b"[2]"[..])
        );
        assert_eq!(lines[2].hashes, [xxh3_64(b"[2]")]);
    }

    #[test]
    fn a_mark_of_byte_order_is_one_only_at_the_beginning_of_a_feed() {
        let mut scanner = Scanner::default();
        for length in [2, 5] {
            let sheet = scanner.sheet(b"\xef\xbb\xbf{}\n".to_vec());
            let lengths: Vec<usize> = sheet.lines().map(|line| line.text.len()).collect();
            assert_eq!(lengths, [length]);
        }
    }

    #[test]
    fn a_skeleton_has_one_number_and_is_handed_on_once() {
        let mut scanner = Scanner::default();
        let numbers = |scanner: &mut Scanner, text: &str| -> (Vec<u32>, usize) {
            let sheet = scanner.sheet(text.as_bytes().to_vec());
            let numbers = sheet.lines().map(|line| line.skeleton).collect();
            (numbers, sheet.skeletons.len())
        };
        let (one, other) = (r#"{"a":{"b":1},"c":"x"}"#, r#"{"c":"x"}"#);
        let both = format!("{one}\n{other}\n{one}");
        assert_eq!(numbers(&mut scanner, &both), (vec![1, 2, 1], 2));
        assert_eq!(numbers(&mut scanner, &both), (vec![1, 2, 1], 0));
        scanner.learn(vec![b"\"a\"".to_vec()]);
        assert_eq!(numbers(&mut scanner, &both), (vec![3, 2, 3], 1));
    }
}
