//! What a text says of each of its addresses: how often, where, when and in which role it occurs, and what stands beside it. Those that
//! cannot be looked up are counted by reason.

mod address_counter;
mod counted;
mod doubt;
mod dump;
mod event_clock;
mod event_times;
mod found;
mod gathering;
mod named_times;
mod numbers;
mod occurrences;
mod read;
mod room;
mod row;
mod scanned;
mod stream;
#[cfg(test)]
mod tests;
mod text;
mod totals;
mod values;

use address_counter::AddressCounter;
pub use counted::CountedAddresses;
pub use event_times::{EventTimes, Minute};
pub use found::FoundAddress;
pub use gathering::Gathering;
pub use occurrences::Occurrences;
use read::{HitReader, ReadHits};
pub use room::{GatherFailure, Room};
use row::RowReader;
use scanned::{RowScanner, ScannedRows};
pub use text::GatheredText;
pub use totals::{AssumedTimes, SetAside, TextTotals};
pub use values::{Beside, ColumnValues, MOST_COLUMNS, Values};

use super::event_time::TimeReader;
use crate::model::Admission;

/// The addresses found so far.
///
/// A text is read in three steps, side by side where there is more than one core: its rows are scanned for addresses, what they say of
/// each is read, and the addresses are counted.
#[derive(Debug)]
pub struct Gatherer {
    scanner: RowScanner,
    reader: HitReader,
    counter: AddressCounter,
    /// The times of each text begin anew.
    times: Option<TimeReader>,
}

impl Gatherer {
    #[must_use]
    pub fn new(admission: Admission, mut gathering: Gathering) -> Self {
        let reads_rows = gathering.reads_rows();
        let wanted = std::mem::take(&mut gathering.wanted);
        Self {
            scanner: RowScanner::new(reads_rows),
            reader: HitReader {
                rows: RowReader::new(reads_rows, gathering.cells, wanted),
                values: Values::default(),
                admission: admission.clone(),
                keeps_cells: gathering.cells,
                spare: ReadHits::default(),
            },
            times: gathering.times.take(),
            counter: AddressCounter::new(admission, gathering, reads_rows),
        }
    }

    /// Whether the rows of a text are told apart; the beginning of one must be known then.
    #[must_use]
    pub fn reads_rows(&self) -> bool {
        self.counter.reads_rows
    }

    /// Starts the text of this number, which has this beginning.
    pub fn begin(&mut self, text: usize, beginning: &[u8]) {
        self.scanner.begin(beginning);
        self.reader.begin(self.times.clone());
        self.counter.begin(text);
    }

    /// Reads as much of a text as is there to the end of a row; returns how much. Reports each public address at its first occurrence.
    pub fn take(
        &mut self,
        text: &[u8],
        is_at_end: bool,
        hear: &mut impl FnMut(FoundAddress),
    ) -> usize {
        let mut scanned = ScannedRows::default();
        let taken = self.scanner.scan(text, is_at_end, &mut scanned);
        let text = &text[..taken];
        let Self {
            reader, counter, ..
        } = self;
        reader.read(text, &scanned, &mut |read| {
            counter.count(text, &scanned, &read, hear);
            Some(read)
        });
        taken
    }

    /// What is known at the end: the counts, and each of the addresses that were reported, with its occurrences if they are counted.
    #[must_use]
    pub fn end(self, found: Vec<FoundAddress>) -> (TextTotals, CountedAddresses) {
        self.counter.end(self.reader.values, found)
    }
}
