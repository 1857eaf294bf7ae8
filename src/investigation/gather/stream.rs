//! Reads a text of any length, block by block; a long one in steps side by side.

use std::{
    io::{self, Read},
    mem,
    num::NonZero,
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use super::{
    FoundAddress, Gatherer,
    address_counter::AddressCounter,
    read::{HitReader, ReadHits},
    room::GatherFailure,
    scanned::{RowScanner, ScannedRows},
};
use crate::store::threads::start_in;

/// Bytes that are read at once.
const BLOCK: usize = 256 << 10;
/// Bytes of the beginning of a text that tell its shape.
const BEGINNING: usize = 64 << 10;
/// How many parts wait for a step at most.
const WAITING: usize = 1;
/// How many used ones wait to be filled again at most.
const USED: usize = 4;

/// A part of a text with its rows.
#[derive(Debug, Default)]
struct ScannedPart {
    /// The text, and behind it whatever its room held before.
    buffer: Vec<u8>,
    length: usize,
    rows: ScannedRows,
}

impl ScannedPart {
    fn text(&self) -> &[u8] {
        &self.buffer[..self.length]
    }
}

/// Parts and finds that are no longer needed: they go back to whoever fills them, since memory that one thread takes and another frees
/// is more than both need.
struct Used {
    parts: SyncSender<ScannedPart>,
    reads: SyncSender<ReadHits>,
}

/// Whoever takes addresses; false once nobody does.
type HandOver<'h> = &'h mut dyn FnMut(Vec<FoundAddress>) -> bool;

impl Gatherer {
    /// Reads the text of this number to its end, or until nobody takes its addresses; returns whether somebody does. New ones are handed
    /// over soon, at most so many at a time.
    ///
    /// # Errors
    /// A failure to read; what was read before it has been handed over. [`GatherFailure::NoRoom`].
    pub fn read_to_end(
        &mut self,
        text: impl Read + Send,
        number: usize,
        most: usize,
        hand_over: &mut impl FnMut(Vec<FoundAddress>) -> bool,
    ) -> Result<bool, GatherFailure> {
        let mut blocks = BlockReader::of(text);
        if self.reads_rows() {
            while !blocks.is_at_end && blocks.text().len() < BEGINNING {
                blocks.read();
            }
        } else {
            blocks.read();
        }
        self.begin(number, blocks.text());
        // Where addresses are wanted before the end, nothing is read ahead of them.
        let is_long = !blocks.is_at_end && self.counter.gathering.counts;
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let read = if is_long && cores > 1 {
            self.read_side_by_side(&mut blocks, most, hand_over)
        } else {
            None
        };
        let wanted = match read {
            Some(read) => read?,
            None => self.read_in_turn(&mut blocks, most, hand_over)?,
        };
        blocks.failure.map_or(Ok(wanted), |error| Err(error.into()))
    }

    /// Reads a text in one thread.
    fn read_in_turn(
        &mut self,
        blocks: &mut BlockReader<impl Read>,
        most: usize,
        hand_over: HandOver<'_>,
    ) -> Result<bool, GatherFailure> {
        loop {
            let mut batches = Batches::of(most, hand_over);
            let taken = self.take(blocks.text(), blocks.is_at_end, &mut |address| {
                batches.push(address);
            });
            let wanted = batches.end();
            if blocks.is_at_end || !wanted {
                return Ok(wanted);
            }
            self.counter.check_room(self.reader.values.size())?;
            blocks.skip(taken);
            blocks.read();
        }
    }

    /// Reads a text with a thread for each step; the last step is in this one. `None` if the system refuses a thread: then nothing of the text
    /// is taken, and it can be read in turn.
    fn read_side_by_side(
        &mut self,
        blocks: &mut BlockReader<impl Read + Send>,
        most: usize,
        hand_over: HandOver<'_>,
    ) -> Option<Result<bool, GatherFailure>> {
        let Self {
            scanner,
            reader,
            counter,
            ..
        } = self;
        thread::scope(|scope| {
            let (scanned, parts) = sync_channel(WAITING);
            let (read, hits) = sync_channel(WAITING);
            let (used_parts, spare_parts) = sync_channel(USED);
            let (used_reads, spare_reads) = sync_channel(USED);
            let used = Used {
                parts: used_parts,
                reads: used_reads,
            };
            start_in(scope, move || {
                read_all(reader, &parts, &read, &spare_reads);
            })
            .ok()?;
            start_in(scope, move || {
                scan_all(scanner, blocks, &scanned, &spare_parts);
            })
            .ok()?;
            Some(count_all(counter, hits, &used, (most, hand_over)))
        })
    }
}

/// The first step: until nobody takes what is found.
fn scan_all(
    scanner: &mut RowScanner,
    blocks: &mut BlockReader<impl Read>,
    tell: &SyncSender<Arc<ScannedPart>>,
    spare: &Receiver<ScannedPart>,
) {
    let mut part = ScannedPart::default();
    loop {
        part.rows.clear();
        let taken = scanner.scan(blocks.text(), blocks.is_at_end, &mut part.rows);
        // Of a row that is longer than what is read so far there is nothing to tell.
        if taken > 0 || blocks.is_at_end {
            blocks.take(taken, &mut part.buffer);
            part.length = taken;
            let next = spare.try_recv().unwrap_or_default();
            if tell.send(Arc::new(mem::replace(&mut part, next))).is_err() {
                return;
            }
        }
        if blocks.is_at_end {
            return;
        }
        blocks.read();
    }
}

/// The second step.
fn read_all(
    reader: &mut HitReader,
    parts: &Receiver<Arc<ScannedPart>>,
    tell: &SyncSender<(Arc<ScannedPart>, ReadHits)>,
    spare: &Receiver<ReadHits>,
) {
    for part in parts {
        let mut hand_over = |read| {
            tell.send((part.clone(), read)).ok()?;
            Some(spare.try_recv().unwrap_or_default())
        };
        if !reader.read(part.text(), &part.rows, &mut hand_over) {
            return;
        }
    }
}

/// The last step. What it does not receive any more ends the others.
fn count_all(
    counter: &mut AddressCounter,
    hits: Receiver<(Arc<ScannedPart>, ReadHits)>,
    used: &Used,
    (most, hand_over): (usize, HandOver<'_>),
) -> Result<bool, GatherFailure> {
    for (part, read) in hits {
        let mut batches = Batches::of(most, hand_over);
        counter.count(part.text(), &part.rows, &read, &mut |address| {
            batches.push(address);
        });
        if !batches.end() {
            return Ok(false);
        }
        if read.is_last {
            counter.check_room(read.values_size)?;
        }
        // What finds no room there is freed here; the step before may still have the last part.
        let _ = used.reads.try_send(read);
        if let Some(part) = Arc::into_inner(part) {
            let _ = used.parts.try_send(part);
        }
    }
    Ok(true)
}

/// Addresses on their way to whoever takes them.
struct Batches<'h> {
    batch: Vec<FoundAddress>,
    most: usize,
    wanted: bool,
    hand_over: HandOver<'h>,
}

impl<'h> Batches<'h> {
    fn of(most: usize, hand_over: &'h mut dyn FnMut(Vec<FoundAddress>) -> bool) -> Self {
        Self {
            batch: Vec::new(),
            most,
            wanted: true,
            hand_over,
        }
    }

    fn push(&mut self, address: FoundAddress) {
        self.batch.push(address);
        if self.batch.len() == self.most {
            self.send();
        }
    }

    fn send(&mut self) {
        let batch = mem::take(&mut self.batch);
        self.wanted = self.wanted && (self.hand_over)(batch);
    }

    /// Hands over the rest, at once: the writer of the text may pause. Returns whether somebody takes it.
    fn end(mut self) -> bool {
        if !self.batch.is_empty() {
            self.send();
        }
        self.wanted
    }
}

/// A text that is read block by block; what was not taken comes again with the next block.
struct BlockReader<R> {
    from: R,
    buffer: Vec<u8>,
    /// How much of it is there.
    length: usize,
    is_at_end: bool,
    /// Why it ends before its end.
    failure: Option<io::Error>,
}

impl<R: Read> BlockReader<R> {
    fn of(from: R) -> Self {
        Self {
            from,
            buffer: Vec::new(),
            length: 0,
            is_at_end: false,
            failure: None,
        }
    }

    fn text(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// Reads once more.
    fn read(&mut self) {
        if self.buffer.len() == self.length {
            self.buffer.resize(self.length + BLOCK, 0);
        }
        let count = loop {
            match self.from.read(&mut self.buffer[self.length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    break 0;
                }
                Ok(count) => break count,
            }
        };
        self.length += count;
        self.is_at_end = count == 0;
    }

    /// Passes over so much of it.
    fn skip(&mut self, count: usize) {
        self.buffer.copy_within(count..self.length, 0);
        self.length -= count;
    }

    /// Takes so much of it away, into the beginning of a buffer whose room serves what comes next. That is as much as with
    /// [`BlockReader::skip`]: where a row is too long, what is read of it at a time decides how it is divided.
    fn take(&mut self, count: usize, into: &mut Vec<u8>) {
        let rest = &self.buffer[count..self.length];
        into.resize(self.buffer.len(), 0);
        into[..rest.len()].copy_from_slice(rest);
        self.length = rest.len();
        mem::swap(&mut self.buffer, into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        investigation::gather::{Gathering, Occurrences, TextTotals},
        model::Admission,
        store::threads::tests::with_grants,
    };

    /// A text of several blocks, with what decides late whether an address ends in a port.
    fn text() -> String {
        let line = |number: u32| {
            let host = number * 7 % 3001;
            format!(
                "x=1 src=198.18.{}.{} spt={} user=u{} peer 2001:db8::{}:44{}\n# [2001:db8::5]:443\n",
                host >> 8,
                host & 255,
                number % 60_000 + 1,
                number % 900,
                number % 50,
                number % 3
            )
        };
        (0..20_000).map(line).collect()
    }

    fn gatherer() -> Gatherer {
        let block = "198.18.0.0/15".parse().expect("a network");
        let v6 = "2001:db8::/32".parse().expect("a network");
        let gathering = Gathering {
            counts: true,
            cells: true,
            ..Gathering::default()
        };
        Gatherer::new(Admission::with(vec![block, v6]), gathering)
    }

    type Gathered = (TextTotals, Vec<(std::net::IpAddr, Occurrences)>);

    fn gathered(gatherer: Gatherer, found: Vec<FoundAddress>) -> Gathered {
        let (totals, counted) = gatherer.end(found);
        let addresses = counted.map(|found| {
            let (seen, _) = *found.seen.expect("counted");
            (found.address, seen)
        });
        (totals, addresses.collect())
    }

    fn read(from: impl Read + Send) -> Gathered {
        let (mut gatherer, mut found) = (gatherer(), Vec::new());
        let mut take = |batch| {
            found.extend(batch);
            true
        };
        let wanted = gatherer.read_to_end(from, 0, 64, &mut take);
        assert!(wanted.expect("read"));
        gathered(gatherer, found)
    }

    /// Rows that are longer than is read at once are divided in the same places.
    #[test]
    fn rows_that_are_too_long_are_divided_alike_side_by_side_and_in_turn() {
        let line = |number: usize| {
            let filler = "nothing ".repeat(997);
            let pair = |at| format!("user=u{at} [2001:db8::{number:x}]:443 {filler}198.18.7.{at} ");
            (0..120 + 30 * number).map(pair).collect::<String>() + "\n198.18.8.1\n"
        };
        let text: String = (0..4).map(line).collect();
        let [in_turn, side_by_side] =
            [0, usize::MAX].map(|threads| with_grants(threads, || read(text.as_bytes())));
        assert_eq!(side_by_side, in_turn);
    }

    /// However many threads the system gives, the text says the same, to the last count.
    #[test]
    fn steps_side_by_side_find_what_they_find_in_turn() {
        let text = text();
        let (mut whole, mut found) = (gatherer(), Vec::new());
        whole.begin(0, text.as_bytes());
        whole.take(text.as_bytes(), true, &mut |address| found.push(address));
        let expected = gathered(whole, found);
        assert!(expected.1.len() > 3000);
        for threads in [usize::MAX, 1, 0] {
            let read = with_grants(threads, || read(text.as_bytes()));
            assert_eq!(read, expected, "{threads}");
        }
    }

    #[test]
    fn nothing_more_is_read_once_nobody_takes_it() {
        /// Never ends.
        struct Endless(String);
        impl Read for Endless {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                let count = into.len().min(self.0.len());
                into[..count].copy_from_slice(&self.0.as_bytes()[..count]);
                Ok(count)
            }
        }
        let read = gatherer().read_to_end(Endless(text()), 0, 64, &mut |_| false);
        assert!(!read.expect("read"));
    }

    #[test]
    fn a_failure_to_read_is_told_behind_what_came_before_it() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let text = text();
        let mut found = 0;
        let mut take = |batch: Vec<FoundAddress>| {
            found += batch.len();
            true
        };
        let read = gatherer().read_to_end(text.as_bytes().chain(Failing), 0, 64, &mut take);
        assert!(matches!(read, Err(GatherFailure::Text(_))));
        assert!(found > 3000);
    }
}
