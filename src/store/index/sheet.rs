//! A block of lines taken apart: what the first of the two threads that read lines does.
//!
//! Which objects are taken apart is learnt by the encoder, some blocks later. So that an index does not depend on how
//! fast threads run, a block is taken apart by what was learnt up to a fixed number of blocks before it.

use memchr::memchr_iter;
use xxhash_rust::xxh3::xxh3_64;

use super::scan::Scanned;

/// Keys, with their quotes, of which the objects are taken apart because they hardly repeat.
pub(super) type Apart = Vec<Vec<u8>>;

/// A block taken apart.
#[derive(Debug)]
pub(super) struct Sheet {
    block: Vec<u8>,
    lines: Vec<Place>,
    scanned: Scanned,
}

/// Where a line is in its block, and what it became.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    end: usize,
    /// Where its skeleton and its tokens end among those of the block; they begin where those of the line before end.
    skeleton: usize,
    tokens: usize,
    /// Whether it could be taken apart.
    is_scanned: bool,
    hash: u64,
}

/// A skeleton, and where in the line the tokens are.
pub(super) type Parts<'a> = (&'a [u8], &'a [(u32, u32)]);

/// A line, and what it was taken apart into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) text: &'a [u8],
    /// The hash of the text.
    pub(super) hash: u64,
    /// Skeleton and tokens, where it could be taken apart.
    pub(super) parts: Option<Parts<'a>>,
}

impl Sheet {
    /// Takes the lines of a block apart. A byte order mark before the first line of a feed is no part of it, nor is the carriage
    /// return before a line feed.
    pub(super) fn of(block: Vec<u8>, is_first: bool, apart: &Apart) -> Self {
        let is_text = std::str::from_utf8(&block).is_ok();
        let whole = block.strip_suffix(b"\n").unwrap_or(&block);
        let mut scanned = Scanned::sized_for(block.len());
        let mut lines = Vec::with_capacity(block.len() / 256);
        let mut start = 0;
        if is_first && whole.starts_with(b"\xef\xbb\xbf") {
            start = 3;
        }
        for end in memchr_iter(b'\n', whole).chain([whole.len()]) {
            let line = &whole[start..end];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let is_text = is_text || std::str::from_utf8(line).is_ok();
            let is_scanned =
                is_text && scanned.scan(line, |key| apart.iter().any(|own| own == key));
            lines.push(Place {
                start,
                end: start + line.len(),
                skeleton: scanned.skeleton.len(),
                tokens: scanned.tokens.len(),
                is_scanned,
                hash: xxh3_64(line),
            });
            start = end + 1;
        }
        Self {
            block,
            lines,
            scanned,
        }
    }

    /// The lines in order.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut begins = (0, 0);
        self.lines.iter().map(move |place| {
            let skeleton = &self.scanned.skeleton[begins.0..place.skeleton];
            let tokens = &self.scanned.tokens[begins.1..place.tokens];
            begins = (place.skeleton, place.tokens);
            Line {
                text: &self.block[place.start..place.end],
                hash: place.hash,
                parts: place.is_scanned.then_some((skeleton, tokens)),
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
        let sheet = Sheet::of(block, true, &Apart::new());
        let lines: Vec<Line<'_>> = sheet.lines().collect();
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
        let parts: Vec<bool> = lines.iter().map(|line| line.parts.is_some()).collect();
        assert_eq!(parts, [true, false, true, false, true]);
        assert_eq!(lines[2].parts, Some((&b" {\"b\":\0} "[..], &[(6, 9)][..])));
        assert_eq!(lines[4].hash, xxh3_64(b"{\"c\":{}}"));
        let sheet = Sheet::of(b"\xef\xbb\xbf{}\n".to_vec(), false, &Apart::new());
        assert_eq!(
            sheet
                .lines()
                .map(|line| line.text.len())
                .collect::<Vec<_>>(),
            [5]
        );
    }
}
