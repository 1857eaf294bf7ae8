//! Finds the records of an index among the lines of its feed file, in the same order and byte for byte: one thread decodes the file, another
//! compares.

use std::{
    ops::ControlFlow,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use crate::{
    engine::releases::{
        file::FeedFile,
        indexing::{LineSink, ReadFailure, read_lines},
    },
    store::{Index, RowId, index::QueryError, threads::start_in},
};

/// How many blocks wait to be compared at most.
const WAITING: usize = 2;

/// What was found among the lines so far.
#[derive(Default)]
pub(super) struct Comparing<'a> {
    index: Option<&'a Index>,
    /// Lines that are not blank.
    pub(super) lines: u64,
    /// Records that were found: the next one is to come.
    pub(super) row: u32,
    /// The next record, once it was read.
    next: Option<Vec<u8>>,
    /// Why a record of the index could not be read, if one could not.
    pub(super) fault: Option<QueryError>,
}

impl<'a> Comparing<'a> {
    /// Reads a file to its end and looks for the records of an index, if there is one. Where the system refuses a thread, it does both in turn.
    pub(super) fn read(
        file: FeedFile,
        index: Option<&'a Index>,
    ) -> (Result<FeedFile, ReadFailure>, Self) {
        let mut comparing = Self {
            index,
            ..Self::default()
        };
        let read = thread::scope(|scope| {
            let (lines, waiting) = sync_channel(WAITING);
            let (used, spare) = sync_channel(WAITING);
            let beside = &mut comparing;
            match start_in(scope, move || beside.take_all(&waiting, &used)) {
                Ok(_) => ControlFlow::Break(read_lines(file, &mut LinesBeside { lines, spare })),
                Err(_) => ControlFlow::Continue(file),
            }
        });
        let read = match read {
            ControlFlow::Break(read) => read,
            ControlFlow::Continue(file) => read_lines(file, &mut comparing),
        };
        (read, comparing)
    }

    /// Takes lines until there are no more, or the index is at fault.
    fn take_all(&mut self, waiting: &Receiver<Lines>, used: &SyncSender<Vec<u8>>) {
        for lines in waiting {
            match lines {
                Lines::Block(block) => {
                    if self.compare(&block).is_err() {
                        return;
                    }
                    // Enough of them may wait already.
                    let _ = used.try_send(block);
                }
                Lines::TooLong => self.lines += 1,
            }
        }
    }

    fn compare(&mut self, block: &[u8]) -> Result<(), ReadFailure> {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', block).chain([block.len()]) {
            if let Err(fault) = self.line(&block[start..end]) {
                self.fault = Some(fault);
                return Err(ended());
            }
            start = end + 1;
            if start >= block.len() {
                break;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), QueryError> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let is_first = self.lines == 0;
        let unmarked = line.strip_prefix(MARK).filter(|_| is_first);
        if unmarked.unwrap_or(line).trim_ascii().is_empty() {
            return Ok(());
        }
        self.lines += 1;
        let Some(index) = self
            .index
            .filter(|index| u64::from(self.row) < index.records())
        else {
            return Ok(());
        };
        let mut next = self.next.take().unwrap_or_default();
        if next.is_empty() {
            index.line(RowId(self.row), &mut next)?;
        }
        // The mark of a file is not its first record's, and the end of a line may be two bytes long.
        let is_it = |line: &[u8]| line == next || line.strip_suffix(b"\r") == Some(&next[..]);
        if is_it(line) || unmarked.is_some_and(is_it) {
            self.row += 1;
            next.clear();
        }
        // What is not a record in the index is a line that was rejected: their number is known.
        self.next = Some(next);
        Ok(())
    }
}

/// The cause is the fault of the index.
fn ended() -> ReadFailure {
    ReadFailure::Corrupt(String::new())
}

impl LineSink for Comparing<'_> {
    fn block(&mut self, block: Vec<u8>) -> Result<(), ReadFailure> {
        self.compare(&block)
    }

    fn too_long(&mut self) -> Result<(), ReadFailure> {
        self.lines += 1;
        Ok(())
    }
}

/// Lines on their way to the thread that compares them.
enum Lines {
    Block(Vec<u8>),
    /// One that is too long to be handed over.
    TooLong,
}

/// Hands lines to that thread.
struct LinesBeside {
    lines: SyncSender<Lines>,
    spare: Receiver<Vec<u8>>,
}

impl LinesBeside {
    fn send(&self, lines: Lines) -> Result<(), ReadFailure> {
        self.lines.send(lines).map_err(|_| ended())
    }
}

impl LineSink for LinesBeside {
    fn block(&mut self, block: Vec<u8>) -> Result<(), ReadFailure> {
        self.send(Lines::Block(block))
    }

    fn too_long(&mut self) -> Result<(), ReadFailure> {
        self.send(Lines::TooLong)
    }

    fn spare(&mut self) -> Vec<u8> {
        self.spare.try_recv().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::{fs::File, io::Write, path::Path};

    use flate2::{Compression, write::GzEncoder};

    use super::*;
    use crate::{
        engine::progress::{Stage, unheard},
        store::{StopFlag, index::build::Building, threads::tests::with_grants},
    };

    const LONG: usize = 16 << 20;

    /// Lines of several blocks: a mark before the first, ends of both kinds, blank ones, what is no record, one that is too long.
    fn text() -> Vec<u8> {
        let mut text = b"\xef\xbb\xbf".to_vec();
        for number in 0..60_000 {
            let end = if number % 7 == 0 { "\r\n" } else { "\n" };
            let ip = format!("198.18.{}.{}", number >> 8, number & 255);
            text.extend(
                format!("{{\"ip\":\"{ip}\",\"risks\":[\"R{}\"]}}{end}", number % 9).bytes(),
            );
            match number {
                100 => text.extend(b"\n \nnothing\n"),
                30_000 => text.extend([&vec![b'x'; LONG + 9][..], b"\n"].concat()),
                _ => {}
            }
        }
        text
    }

    fn index(dir: &Path, text: &[u8]) -> Index {
        let path = dir.join("index");
        let mut building = Building::begin(&path).expect("begun");
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if line.len() <= LONG {
                building.lines(line.to_vec()).expect("taken");
            }
        }
        building.finish(&mut |_, _| ()).expect("whole");
        Index::open(&path).expect("opened")
    }

    fn compared<'i>(dir: &Path, text: &[u8], index: &'i Index) -> (bool, Comparing<'i>) {
        let path = dir.join("feed.json.gz");
        let file = File::create(&path).expect("created");
        let mut encoder = GzEncoder::new(file, Compression::fast());
        encoder.write_all(text).expect("written");
        encoder.finish().expect("written");
        let file = File::open(&path).expect("opened");
        let file = FeedFile::of(file, Stage::Verifying, &StopFlag::default(), unheard());
        let (read, comparing) = Comparing::read(file.expect("opened"), Some(index));
        (read.is_ok(), comparing)
    }

    #[test]
    fn a_file_is_compared_alike_with_a_thread_and_without() {
        let (dir, text) = (tempfile::tempdir().expect("folder"), text());
        let index = index(dir.path(), &text);
        let place = text
            .iter()
            .rposition(|byte| *byte == b'8')
            .expect("an address");
        let mut other = text.clone();
        other[place] = b'9';
        for grants in [0, usize::MAX] {
            let (is_read, same) = with_grants(grants, || compared(dir.path(), &text, &index));
            assert_eq!((is_read, same.lines, same.row), (true, 60_002, 60_000));
            // What is not there is missed, and the rest is looked for in vain.
            let (is_read, less) = with_grants(grants, || compared(dir.path(), &other, &index));
            assert_eq!((is_read, less.lines), (true, 60_002));
            assert!((59_000..60_000).contains(&less.row), "{}", less.row);
            let cut = &text[..text.len() / 2];
            let (is_read, half) = with_grants(grants, || compared(dir.path(), cut, &index));
            assert!(is_read && half.row < 60_000 && u64::from(half.row) < half.lines);
        }
    }
}
