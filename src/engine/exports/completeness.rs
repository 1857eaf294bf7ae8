//! Checks that a received export is complete, and counts its records, as a stream with lines of any length.
//!
//! No cell, line or record is kept in memory. JSON that is nested too deep is refused before it takes memory.

use std::{
    fs,
    io::{self, BufRead, Read, Seek, Write},
};

use serde::de::IgnoredAny;

use crate::{
    contract::{Host, Output},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        http::{is_web_page, web_page},
        mmdb::{self, Extent, NotWhole},
    },
};

/// The size of the read buffer.
const PIECE: usize = 64 << 10;
/// The deepest nesting of JSON that is accepted.
const DEEPEST: usize = 1_000;
/// The action in error messages.
const READ: &str = "read the export back";

/// Whether a file is whole in its form; returns the number of its records where they can be counted.
pub(super) fn check_whole(file: &mut fs::File, output: Output) -> Result<Option<u64>> {
    let broken = |why: &str| {
        Error::new(Kind::Integrity, format!("the export is incomplete: {why}"))
            .hint("nothing was written: run it again")
    };
    file.rewind().when(READ)?;
    let mut beginning = Vec::new();
    let read = (&mut *file).take(512).read_to_end(&mut beginning);
    read.when(READ)?;
    if is_web_page(&beginning) {
        return Err(web_page(Host::Exports));
    }
    file.rewind().when(READ)?;
    let mut reader = io::BufReader::with_capacity(PIECE, &mut *file);
    match output {
        Output::Csv => match count_rows(&mut reader).when(READ)? {
            Some(count) => Ok(Some(count)),
            None => Err(broken("its last quoted cell is not closed")),
        },
        Output::Json => {
            let reader = io::BufReader::with_capacity(PIECE, DepthLimit::of(reader));
            count_json(reader).map(Some).map_err(|why| match why {
                NotCounted::Malformed(why) => broken(&why),
                NotCounted::Unread(error) => Error::machine(READ, &error),
            })
        }
        Output::Mmdb => {
            drop(reader);
            match mmdb::check(file, Extent::Sample, &|| false) {
                Ok(()) => Ok(None),
                Err(NotWhole::Damaged(why)) => Err(broken(&why.to_string())),
                Err(NotWhole::Unread(error)) => Err(Error::machine(READ, &error)),
            }
        }
    }
}

/// Where in CSV a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CsvState {
    /// At the beginning of a cell, of a row with nothing in it so far or with cells before.
    CellBegins,
    Unquoted,
    Quoted,
    /// Behind a quote within a quoted cell: its end, or the first half of a quote that stands for itself.
    Quote,
}

impl CsvState {
    pub(super) fn behind(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::Quote,
            (Self::Quoted, _) | (Self::CellBegins | Self::Quote, b'"') => Self::Quoted,
            (_, b',' | b'\n' | b'\r') => Self::CellBegins,
            _ => Self::Unquoted,
        }
    }

    /// How many of these bytes change nothing.
    pub(super) fn idle(self, bytes: &[u8]) -> usize {
        let next = match self {
            Self::Quoted => memchr::memchr(b'"', bytes),
            Self::Unquoted => memchr::memchr3(b',', b'\n', b'\r', bytes),
            Self::CellBegins | Self::Quote => Some(0),
        };
        next.unwrap_or(bytes.len())
    }
}

/// The rows of CSV, empty lines left out; `None` where the last quoted cell has no end.
fn count_rows(reader: &mut impl BufRead) -> io::Result<Option<u64>> {
    let (mut state, mut in_row, mut count) = (CsvState::CellBegins, false, 0);
    loop {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            break;
        }
        let mut at = 0;
        while at < piece.len() {
            let idle = state.idle(&piece[at..]);
            in_row |= idle > 0;
            at += idle;
            let Some(byte) = piece.get(at) else { break };
            let ends_row = state != CsvState::Quoted && matches!(byte, b'\n' | b'\r');
            state = state.behind(*byte);
            count += u64::from(ends_row && in_row);
            in_row = !ends_row;
            at += 1;
        }
        let length = piece.len();
        reader.consume(length);
    }
    count += u64::from(in_row);
    Ok((state != CsvState::Quoted).then_some(count))
}

/// Rewrites CSV so that no spreadsheet takes a cell for a formula: an apostrophe goes before its first character.
pub(super) fn guard_cells(from: &mut fs::File, to: &mut fs::File) -> io::Result<()> {
    from.rewind()?;
    let mut reader = io::BufReader::with_capacity(PIECE, from);
    let mut output = io::BufWriter::with_capacity(PIECE, to);
    guard(&mut reader, &mut output)?;
    output.flush()
}

fn guard(reader: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if reader.fill_buf()?.starts_with(MARK) {
        reader.consume(MARK.len());
        output.write_all(MARK)?;
    }
    let (mut state, mut first) = (CsvState::CellBegins, true);
    loop {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            return Ok(());
        }
        let mut at = 0;
        while at < piece.len() {
            let byte = piece[at];
            let next = state.behind(byte);
            // The opening quote of a cell is not yet its first character, and neither is what ends an empty one.
            let opens = state == CsvState::CellBegins && byte == b'"';
            let is_content = !opens && matches!(next, CsvState::Unquoted | CsvState::Quoted);
            if first && is_content && matches!(byte, b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') {
                output.write_all(b"'")?;
            }
            // A cell may go on behind quotes with nothing between them.
            first = opens || next == CsvState::CellBegins || (first && next == CsvState::Quote);
            state = next;
            let idle = if first {
                0
            } else {
                state.idle(&piece[at + 1..])
            };
            output.write_all(&piece[at..=at + idle])?;
            at += 1 + idle;
        }
        let length = piece.len();
        reader.consume(length);
    }
}

/// A reader that refuses JSON nested deeper than [`DEEPEST`]: the parser keeps a byte for each level.
struct DepthLimit<R> {
    inner: R,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl<R> DepthLimit<R> {
    fn of(inner: R) -> Self {
        Self {
            inner,
            depth: 0,
            in_string: false,
            escaped: false,
        }
    }
}

impl<R: Read> Read for DepthLimit<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        for byte in &buffer[..count] {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'[' | b'{' => self.depth += 1,
                b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if self.depth > DEEPEST {
                let why = format!("it is nested deeper than {DEEPEST} levels");
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
        }
        Ok(count)
    }
}

/// Why the records of JSON were not counted.
#[derive(Debug)]
enum NotCounted {
    /// It is not JSON, or nested too deep.
    Malformed(String),
    /// The file, which is our own, cannot be read.
    Unread(io::Error),
}

impl NotCounted {
    fn of(error: serde_json::Error) -> Self {
        match error.io_error_kind() {
            Some(_) => Self::of_io(error.into()),
            None => Self::Malformed(error.to_string()),
        }
    }

    fn of_io(error: io::Error) -> Self {
        match error.kind() {
            // What is nested too deep, and what ends too early, are faults of the text.
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                Self::Malformed(error.to_string())
            }
            _ => Self::Unread(error),
        }
    }
}

/// One array, or one object a line: the contract states neither.
fn count_json(reader: impl io::BufRead) -> Result<u64, NotCounted> {
    let mut reader = reader;
    let first = loop {
        let buffer = reader.fill_buf().map_err(NotCounted::of_io)?;
        // A byte order mark says nothing.
        let passed = |byte: &u8| byte.is_ascii_whitespace() || b"\xef\xbb\xbf".contains(byte);
        match buffer.iter().position(|byte| !passed(byte)) {
            Some(at) => {
                let first = buffer[at];
                reader.consume(at);
                break Some(first);
            }
            None if buffer.is_empty() => break None,
            None => {
                let length = buffer.len();
                reader.consume(length);
            }
        }
    };
    match first {
        None => Ok(0),
        Some(b'[') => {
            // Values of no size take no memory, however many there are.
            let items: Vec<IgnoredAny> = serde_json::from_reader(reader).map_err(NotCounted::of)?;
            Ok(items.len() as u64)
        }
        Some(b'{') => {
            let mut count = 0;
            for record in serde_json::Deserializer::from_reader(reader).into_iter::<IgnoredAny>() {
                record.map_err(NotCounted::of)?;
                count += 1;
            }
            Ok(count)
        }
        Some(_) => Err(NotCounted::Malformed(
            "neither an array nor objects".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str) -> Option<u64> {
        count_rows(&mut text.as_bytes()).expect("read")
    }

    fn guarded(text: &[u8]) -> Vec<u8> {
        let mut output = Vec::new();
        // A small buffer: cells go over its end.
        let mut reader = io::BufReader::with_capacity(3, text);
        guard(&mut reader, &mut output).expect("guard");
        output
    }

    /// The cells as the crate for CSV reads them.
    fn cells(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let rows = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text)
            .into_byte_records();
        rows.map(|row| row.expect("row").iter().map(<[u8]>::to_vec).collect())
            .collect()
    }

    #[test]
    fn rows_are_counted_whatever_is_quoted() {
        for (text, count) in [
            ("", Some(0)),
            ("\n\r\n", Some(0)),
            ("a,b\r\n\r\nc\n", Some(2)),
            ("a\nb", Some(2)),
            ("\"a\nb\",\"c\"\"\n\"\nd", Some(2)),
            ("\"\"\n\"\"", Some(2)),
            ("a\"b\nc", Some(2)),
            ("a,\"b\nc", None),
            ("\"a\"\"", None),
        ] {
            assert_eq!(rows(text), count, "{text:?}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_called_malformed() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StaleNetworkFileHandle.into())
            }
        }
        for begun in ["[", "{\"ip\":1}\n{", ""] {
            let reader = io::BufReader::new(DepthLimit::of(begun.as_bytes().chain(Failing)));
            let why = count_json(reader).expect_err(begun);
            assert!(matches!(why, NotCounted::Unread(_)), "{begun}: {why:?}");
        }
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let long = io::repeat(b'x').take(32 << 20);
        let quoted = b"\n\""
            .chain(io::repeat(b'y').take(32 << 20))
            .chain(&b"\"\n"[..]);
        let mut reader = io::BufReader::with_capacity(PIECE, long.chain(quoted));
        assert_eq!(count_rows(&mut reader).expect("read"), Some(2));
    }

    #[test]
    fn formulas_are_guarded_and_nothing_else_changes() {
        for (text, expected) in [
            ("=1,a=1\n-2,\"+3\"\n", "'=1,a=1\n'-2,\"'+3\"\n"),
            ("\"\",@x\r\n\"\t\"\n", "\"\",'@x\r\n\"'\t\"\n"),
            ("\"\"\"=1\"\n", "\"\"\"=1\"\n"),
            ("\u{feff}=1,+\"", "\u{feff}'=1,'+\""),
            ("\"\r=\"", "\"'\r=\""),
            ("\"\"=1", "\"\"'=1"),
        ] {
            let text = guarded(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&text), expected);
        }
    }

    #[test]
    fn json_is_counted_and_endless_nesting_refused() {
        let count =
            |text: &str| count_json(io::BufReader::new(DepthLimit::of(text.as_bytes()))).ok();
        assert_eq!(count("[{\"a\":\"[[[\\\"[\"},2]"), Some(2));
        assert_eq!(count("{}\n{\"a\":[1]}\n"), Some(2));
        assert_eq!(count("[1"), None);
        let endless = io::repeat(b'[').take(1 << 40);
        let refused = count_json(io::BufReader::new(DepthLimit::of(endless)));
        let why = refused.expect_err("too deep");
        assert!(
            matches!(&why, NotCounted::Malformed(why) if why.contains("nested deeper")),
            "{why:?}"
        );
    }

    proptest! {
        #[test]
        fn rows_are_counted_as_the_crate_for_csv_does(text in "[ab,\"\n\r=+]{0,40}") {
            if let Some(count) = rows(&text) {
                prop_assert_eq!(count, cells(text.as_bytes()).len() as u64);
            }
        }

        #[test]
        fn guarding_changes_formulas_alone(text in "[ab,\"\n\r=+\t]{0,40}") {
            prop_assume!(rows(&text).is_some());
            let expected: Vec<Vec<Vec<u8>>> = cells(text.as_bytes())
                .into_iter()
                .map(|row| row.into_iter().map(|cell| match cell.first() {
                    Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => [&b"'"[..], &cell].concat(),
                    _ => cell,
                }).collect())
                .collect();
            prop_assert_eq!(cells(&guarded(text.as_bytes())), expected);
        }
    }
}
