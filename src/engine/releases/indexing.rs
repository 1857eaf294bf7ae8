//! A feed file on its way into an index: decoded, cut into blocks of whole lines, handed on.
//!
//! This runs on one thread, beside those that read the lines, and is the slowest part of a download on a fast network: it
//! must never look at a line. It looks for the last line end of each block, and counts bytes.

use std::{
    io::{self, BufRead, Read},
    mem,
    sync::Arc,
};

use flate2::bufread::MultiGzDecoder;

use crate::{
    engine::progress::{ProgressReporter, Report, Stage},
    store::index::build::{Building, Built},
};

/// Bytes that are handed on together.
const BLOCK: usize = 1 << 20;
/// Longer lines are rejected.
const LONGEST_LINE: usize = 16 << 20;
/// A line as long as this ends the feed.
const ENDLESS_LINE: u64 = 256 << 20;
/// A feed may expand by this much, once it is past [`FREE_EXPANSION`].
const MOST_EXPANSION: u64 = 100;
const FREE_EXPANSION: u64 = 1 << 30;

/// Why a file cannot be used.
#[derive(Debug)]
pub(super) enum ReadFailure {
    /// This machine failed.
    Io(io::Error),
    /// The bytes are not what they should be.
    Corrupt(String),
}

/// Where the bytes of a feed file come from.
pub(super) trait FileSource: BufRead {
    /// Bytes that were taken.
    fn taken(&self) -> u64;

    /// Why there are no more, if that is not the end of the file: it must not pass for corrupt data.
    fn failure(&mut self) -> Option<io::Error>;
}

/// What the lines of a feed are handed to.
pub(super) trait LineSink {
    /// Takes whole lines, each with its line end except for the last of the feed.
    ///
    /// # Errors
    /// A failure of this machine, or what the lines are not.
    fn block(&mut self, block: Vec<u8>) -> Result<(), ReadFailure>;

    /// Counts a line that is too long to be handed over, in its place.
    ///
    /// # Errors
    /// As [`LineSink::block`].
    fn too_long(&mut self) -> Result<(), ReadFailure>;

    /// A block that is no longer needed, whatever it holds: its memory serves the next one.
    fn spare(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

impl LineSink for Building {
    fn block(&mut self, block: Vec<u8>) -> Result<(), ReadFailure> {
        self.lines(block).map_err(ReadFailure::Io)
    }

    fn too_long(&mut self) -> Result<(), ReadFailure> {
        self.rejected("longer than 16 MiB").map_err(ReadFailure::Io)
    }

    fn spare(&mut self) -> Vec<u8> {
        self.spare_block()
    }
}

/// Writes the end of an index of a file of so many bytes, and refuses it where the file is no feed.
pub(super) fn finish(
    building: Building,
    bytes: u64,
    report: &Report,
) -> Result<Built, ReadFailure> {
    let mut reporter = ProgressReporter::new(Arc::clone(report));
    let mut tell = |done, of| reporter.tell_parts(Stage::Indexing, bytes, done, of);
    let built = building.finish(&mut tell).map_err(ReadFailure::Io)?;
    check_lines(&built)?;
    Ok(built)
}

/// Refuses what has fewer records than lines that are none: it is no feed.
fn check_lines(built: &Built) -> Result<(), ReadFailure> {
    let rejected = &built.rejected;
    if built.records >= rejected.count {
        return Ok(());
    }
    let (line, why) = rejected.first.first().cloned().unwrap_or_default();
    Err(ReadFailure::Corrupt(format!(
        "it is not newline-separated JSON ({} lines are not records, {} are; the first is line {line}: {why})",
        rejected.count, built.records
    )))
}

/// Reads a gzip file, all members of it, to its end; returns the source.
pub(super) fn read_lines<S: FileSource>(
    source: S,
    lines: &mut impl LineSink,
) -> Result<S, ReadFailure> {
    let mut text = FeedText {
        decoder: MultiGzDecoder::new(source),
        length: 0,
    };
    let cut = cut(&mut text, lines);
    let mut source = text.decoder.into_inner();
    match source.failure() {
        Some(error) => Err(ReadFailure::Io(error)),
        None => cut.map(|()| source),
    }
}

/// Hands the lines on in blocks.
fn cut<S: FileSource>(
    text: &mut FeedText<S>,
    lines: &mut impl LineSink,
) -> Result<(), ReadFailure> {
    // It begins with a line, what was read ends at `here`, and there is no line end before `known`.
    let (mut block, mut here, mut known) = (Vec::new(), 0, 0);
    loop {
        let ended = text.fill(&mut block, here)?;
        here = block.len();
        let last = block[known..].iter().rposition(|byte| *byte == b'\n');
        if let Some(last) = last {
            let end = known + last + 1;
            let (mut next, rest) = (lines.spare(), block.len() - end);
            // What else the spare block holds is overwritten: clearing it would take as long as copying.
            next.resize(next.len().max(rest), 0);
            next[..rest].copy_from_slice(&block[end..]);
            block.truncate(end);
            hand_on(mem::replace(&mut block, next), known, lines)?;
            (here, known) = (rest, rest);
        } else if block.len() > LONGEST_LINE {
            lines.too_long()?;
            block = text.skip_line(here as u64)?;
            (here, known) = (block.len(), 0);
        } else if ended {
            if !block.is_empty() {
                lines.block(block)?;
            }
            return Ok(());
        } else {
            known = here;
        }
    }
}

/// Hands on a block that ends with a line end and has none before `known`: only its first line can be too long.
fn hand_on(mut block: Vec<u8>, known: usize, lines: &mut impl LineSink) -> Result<(), ReadFailure> {
    if block.len() > LONGEST_LINE {
        let first = block[known..].iter().position(|byte| *byte == b'\n');
        let first = known + first.unwrap_or_default();
        if first > LONGEST_LINE {
            lines.too_long()?;
            block.drain(..=first);
        }
    }
    if block.is_empty() {
        return Ok(());
    }
    lines.block(block)
}

/// The text of a feed file.
struct FeedText<S> {
    decoder: MultiGzDecoder<S>,
    length: u64,
}

impl<S: FileSource> FeedText<S> {
    /// Puts what comes behind the first `here` bytes of a block, until it is a block, or behind a beginning without an end, until it
    /// has grown by one; returns whether that was all.
    fn fill(&mut self, block: &mut Vec<u8>, mut here: usize) -> Result<bool, ReadFailure> {
        let full = if here < BLOCK / 2 {
            BLOCK
        } else {
            here + BLOCK
        };
        block.resize(full, 0);
        while here < full {
            match self.read(&mut block[here..])? {
                0 => break,
                count => here += count,
            }
        }
        block.truncate(here);
        Ok(here < full)
    }

    /// Passes over the rest of a line of which so many bytes are known, without keeping it; returns what follows.
    fn skip_line(&mut self, mut known: u64) -> Result<Vec<u8>, ReadFailure> {
        let mut piece = vec![0; 64 << 10];
        loop {
            let count = self.read(&mut piece)?;
            if let Some(end) = piece[..count].iter().position(|byte| *byte == b'\n') {
                return Ok(piece[end + 1..count].to_vec());
            }
            if count == 0 {
                return Ok(Vec::new());
            }
            known += count as u64;
            if known > ENDLESS_LINE {
                return Err(ReadFailure::Corrupt(
                    "a line does not end within 256 MiB".to_owned(),
                ));
            }
        }
    }

    fn read(&mut self, into: &mut [u8]) -> Result<usize, ReadFailure> {
        let read = self.decoder.read(into);
        let count = read.map_err(|error| ReadFailure::Corrupt(format!("gzip: {error}")))?;
        self.length += count as u64;
        let most = self
            .decoder
            .get_ref()
            .taken()
            .saturating_mul(MOST_EXPANSION);
        if self.length > FREE_EXPANSION.max(most) {
            return Err(ReadFailure::Corrupt(
                "it expands more than a hundredfold".to_owned(),
            ));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    /// A whole file in memory.
    struct Memory(Cursor<Vec<u8>>);

    impl Read for Memory {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.0.read(into)
        }
    }

    impl BufRead for Memory {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.0.fill_buf()
        }

        fn consume(&mut self, count: usize) {
            self.0.consume(count);
        }
    }

    impl FileSource for Memory {
        fn taken(&self) -> u64 {
            self.0.position()
        }

        fn failure(&mut self) -> Option<io::Error> {
            None
        }
    }

    #[derive(Default)]
    struct RecordedLines {
        blocks: Vec<Vec<u8>>,
        /// Bytes that had come when a line was passed over.
        passed: Vec<usize>,
    }

    impl LineSink for RecordedLines {
        fn block(&mut self, block: Vec<u8>) -> Result<(), ReadFailure> {
            self.blocks.push(block);
            Ok(())
        }

        fn spare(&mut self) -> Vec<u8> {
            // What it held must never be read.
            vec![b'\n'; BLOCK + self.blocks.len()]
        }

        fn too_long(&mut self) -> Result<(), ReadFailure> {
            self.passed.push(self.blocks.iter().map(Vec::len).sum());
            Ok(())
        }
    }

    fn read(text: &[u8]) -> Result<RecordedLines, ReadFailure> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).expect("memory");
        let file = encoder.finish().expect("memory");
        let mut kept = RecordedLines::default();
        read_lines(Memory(Cursor::new(file)), &mut kept).map(|_| kept)
    }

    fn line(length: usize) -> Vec<u8> {
        let mut line = vec![b'x'; length];
        line.push(b'\n');
        line
    }

    #[test]
    fn blocks_hold_whole_lines_and_all_of_them() {
        let many: Vec<u8> = (0..30_000).flat_map(|number| line(number % 200)).collect();
        let long = [line(3), line(LONGEST_LINE), line(BLOCK), line(5)].concat();
        for (what, text) in [
            ("nothing", Vec::new()),
            ("no line end", b"one".to_vec()),
            ("line ends only", b"\n\r\n\n".to_vec()),
            ("many", many.clone()),
            ("a last line without an end", [&many[..], b"end"].concat()),
            ("a block and not a byte more", line(BLOCK - 1)),
            ("long ones", long),
        ] {
            let kept = read(&text).expect(what);
            assert_eq!(kept.blocks.concat(), text, "{what}");
            assert!(kept.blocks.iter().all(|block| !block.is_empty()), "{what}");
            let mut ended = kept.blocks.iter().rev().skip(1);
            assert!(ended.all(|block| block.ends_with(b"\n")), "{what}");
            assert!(kept.passed.is_empty(), "{what}");
        }
        let sizes = read(&many).expect("many").blocks;
        assert!(sizes.iter().all(|block| block.len() <= BLOCK) && sizes.len() == 3);
    }

    #[test]
    fn lines_that_are_too_long_are_passed_over_in_their_place() {
        for excess in [1, 100, BLOCK, 5 * BLOCK + 7] {
            let (before, after) = (line(9), [line(70), line(80)].concat());
            let text = [&before[..], &line(LONGEST_LINE + excess), &after].concat();
            let kept = read(&text).expect("read");
            assert_eq!(kept.blocks.concat(), [before, after].concat(), "{excess}");
            assert_eq!(kept.passed, [10], "{excess}");
        }
        let kept = read(&[line(9), vec![b'x'; LONGEST_LINE + 1]].concat()).expect("read");
        assert_eq!((kept.blocks.concat(), kept.passed), (line(9), vec![10]));
    }

    #[test]
    fn a_line_without_an_end_ends_the_feed() {
        let text = vec![b'x'; usize::try_from(ENDLESS_LINE).expect("size") + BLOCK];
        match read(&text) {
            Err(ReadFailure::Corrupt(why)) => assert!(why.contains("256 MiB"), "{why}"),
            _ => panic!("it was read"),
        }
    }
}
