//! What a text says of each of its addresses: how often, where, when and in which role it occurs, and what stands beside it. Those that
//! cannot be looked up are counted by reason.

mod counted;
mod doubt;
mod dump;
mod event_clock;
mod event_times;
mod found;
mod named_times;
mod numbers;
mod occurrences;
mod room;
mod row;
mod stream;
#[cfg(test)]
mod tests;
mod text;
mod values;

use std::{
    collections::{BTreeMap, HashSet},
    net::IpAddr,
};

use foldhash::fast::RandomState;
use ipnet::IpNet;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    event_time::{EventTime, HourOfZone, TimeReader, ZoneBasis, ZoneName},
    text::{LONGEST_ROW, TextShape, apart},
};
use crate::model::{
    Admission, Day,
    scan::{Found, Hit, scan},
};
pub use counted::CountedAddresses;
use doubt::Doubts;
use event_clock::EventClock;
pub use event_times::{EventTimes, Minute};
pub use found::FoundAddress;
use numbers::AddressNumbers;
pub use occurrences::Occurrences;
pub use room::{GatherFailure, Room};
use row::{NoAddress, RowReader};
pub use text::GatheredText;
pub use values::{Beside, ColumnValues, MOST_COLUMNS, Values};

/// The number of an address that is set aside.
const SET_ASIDE: u32 = u32::MAX;

/// What is to be gathered of each address.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is gathered or not")]
pub struct Gathering {
    /// Where, how often and in which role each address occurs.
    pub counts: bool,
    /// Reads the times of the rows.
    pub times: Option<TimeReader>,
    /// Whether the events of each address are counted by time.
    pub events: bool,
    /// Whether an address comes once for each UTC day of its events.
    pub by_day: bool,
    /// Whether what stands beside an address is kept.
    pub cells: bool,
    /// Columns that are kept however many there are.
    pub wanted: Vec<String>,
    /// Whether what is set aside is kept, to be listed.
    pub lists_aside: bool,
    /// How much memory all of it may take.
    pub room: Room,
}

impl Gathering {
    /// Whether the rows of a text are told apart, for what stands in them.
    #[must_use]
    pub fn reads_rows(&self) -> bool {
        self.counts || self.cells || self.times.is_some()
    }
}

/// What looks like an address and cannot be looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// As it is written.
    pub text: Box<str>,
    pub reason: &'static str,
    /// The line of the first occurrence, from 1, and the number of its text, from 0.
    pub line: u64,
    pub file: usize,
}

/// Counts of the finds. All except the first count distinct ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTotals {
    /// Every occurrence.
    pub found: u64,
    /// Addresses that can be asked about.
    pub public: u64,
    /// What was set aside, by its reason.
    pub set_aside: BTreeMap<&'static str, u64>,
    /// The same one by one, where they are listed.
    pub listed_aside: Vec<SetAside>,
    /// Rows with an address, and those of them that have a time, where rows are told apart.
    pub rows: u64,
    pub timed: u64,
    /// What was assumed of the times.
    pub assumed: AssumedTimes,
    /// Whether some of what stands beside addresses was left out for want of room.
    pub is_cut: bool,
    /// Whether the text has more columns than are kept.
    pub has_more_columns: bool,
    /// Whether an address has more values of a column than are kept.
    pub has_others: bool,
}

/// How many rows have a time of which something was assumed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssumedTimes {
    /// Their time names no zone.
    pub without_zone: u64,
    /// Their time has no year.
    pub without_year: u64,
    /// Their hour comes twice in the zone, on the day on which clocks go back.
    pub twice: u64,
    /// Their hour does not exist in the zone, on the day on which clocks go forward.
    pub never: u64,
    /// Their time is later than now.
    pub in_future: u64,
    /// The names of zones whose offset is not known, each with its rows.
    pub names: BTreeMap<ZoneName, u64>,
}

/// The addresses found so far.
#[derive(Debug)]
pub struct Gatherer {
    admission: Admission,
    gathering: Gathering,
    rows: RowReader,
    /// Each address with its number among the public ones, or [`SET_ASIDE`].
    numbers: AddressNumbers,
    /// The occurrences of each public address, if they are counted.
    seen: Vec<Occurrences>,
    values: Values,
    /// Counts the events of addresses by time.
    clock: EventClock,
    /// IPv6 addresses that may end in a port.
    doubts: Doubts,
    /// The number of the text that is read.
    text: usize,
    /// Line ends before the next part.
    lines: u64,
    networks: HashSet<IpNet, RandomState>,
    /// Hashes of spellings that are no addresses, to count each once.
    spellings: HashSet<u64, RandomState>,
    totals: TextTotals,
    /// The finds of a row.
    hits: Vec<Hit>,
}

impl Gatherer {
    #[must_use]
    pub fn new(admission: Admission, gathering: Gathering) -> Self {
        Self {
            admission,
            rows: RowReader::new(
                gathering.reads_rows(),
                gathering.cells,
                gathering.wanted.clone(),
            ),
            gathering,
            numbers: AddressNumbers::default(),
            seen: Vec::new(),
            values: Values::default(),
            clock: EventClock::default(),
            doubts: Doubts::default(),
            text: 0,
            lines: 0,
            networks: HashSet::default(),
            spellings: HashSet::default(),
            totals: TextTotals::default(),
            hits: Vec::new(),
        }
    }

    /// Whether the rows of a text are told apart; the beginning of one must be known then.
    #[must_use]
    pub fn reads_rows(&self) -> bool {
        self.gathering.reads_rows()
    }

    /// Starts the text of this number, which has this beginning.
    pub fn begin(&mut self, text: usize, beginning: &[u8]) {
        (self.text, self.lines) = (text, 0);
        let shape = if self.gathering.reads_rows() {
            TextShape::of(beginning)
        } else {
            TextShape::Lines
        };
        self.rows.begin(shape, self.gathering.times.clone());
    }

    /// Reads as much of a text as is there to the end of a row; returns how much. Reports each public address at its first occurrence.
    pub fn take(
        &mut self,
        text: &[u8],
        is_at_end: bool,
        hear: &mut impl FnMut(FoundAddress),
    ) -> usize {
        if !self.reads_rows() {
            // Rows need not be told apart: all of them are read at once.
            let line = memchr::memrchr(b'\n', text).map(|end| end + 1);
            let is_lost = text.len() > LONGEST_ROW;
            let end = match line {
                _ if is_at_end => text.len(),
                Some(end) => end,
                None if is_lost => apart(text),
                None => 0,
            };
            self.read(&text[..end], false, hear);
            return end;
        }
        let mut at = 0;
        while let Some(part) = self.rows.next(&text[at..], is_at_end) {
            self.read(&text[at..at + part.end], part.is_row, hear);
            at += part.end;
        }
        at
    }

    /// Reads a row, or what is between rows.
    fn read(&mut self, row: &[u8], is_row: bool, hear: &mut impl FnMut(FoundAddress)) {
        let mut hits = std::mem::take(&mut self.hits);
        scan(row, &mut |hit| hits.push(hit));
        let mut counted = 0;
        if let Some(text) = dump::text_of(row) {
            hits.retain(|hit| text.start < hit.at.start && hit.at.end < text.end);
        }
        if hits.is_empty() {
            self.rows.pass(row, is_row);
        } else {
            if hits.len() > 1 {
                self.doubts.note_row(&hits);
            }
            self.rows.read(row, is_row, &hits, &mut self.values);
            for hit in hits.drain(..) {
                self.lines += line_ends(&row[counted..hit.at.start]);
                counted = hit.at.start;
                self.find(row, &hit, hear);
            }
        }
        self.lines += line_ends(&row[counted..]);
        self.hits = hits;
    }

    fn find(&mut self, row: &[u8], hit: &Hit, hear: &mut impl FnMut(FoundAddress)) {
        let place = self.rows.place_of(row, hit);
        if self.gathering.reads_rows() && self.rows.is_new_event(place.event) {
            self.totals
                .count(self.rows.time_of(row, place.event).as_ref());
        }
        self.totals.found += 1;
        let spelling = || xxh3_64(&row[hit.at.clone()]);
        let found = match place.aside {
            Some(NoAddress::Version) => Found::Version,
            Some(NoAddress::UserName) | None => hit.found,
        };
        let aside = match found {
            Found::Address(_) | Found::MayEndInPort(..) if place.aside.is_some() => {
                if !self.spellings.insert(spelling()) {
                    return;
                }
                "user name"
            }
            Found::Address(_) | Found::MayEndInPort(..) => {
                let time = self.rows.time_of(row, place.event);
                let Some(address) = hit.found.address() else {
                    return;
                };
                let address = self.doubts.meant(hit.found).map_or(address, IpAddr::from);
                let day = time.filter(|_| self.gathering.by_day);
                let day = day.map(|time| Day::of(time.at));
                let (admission, public) = (&self.admission, self.totals.public);
                let mut reserved = None;
                let (number, is_new) = self.numbers.of(address, day, || {
                    reserved = admission.refuses(address);
                    match reserved {
                        None => u32::try_from(public).unwrap_or(SET_ASIDE),
                        Some(_) => SET_ASIDE,
                    }
                });
                if !is_new {
                    return self.occurs(number, address, row, hit, &place, time.as_ref());
                }
                let Some(reserved) = reserved else {
                    self.totals.public += 1;
                    if self.gathering.counts {
                        self.seen.push(Occurrences {
                            first_line: self.lines + 1,
                            text: self.text,
                            ..Occurrences::default()
                        });
                    }
                    self.occurs(number, address, row, hit, &place, time.as_ref());
                    return hear(FoundAddress {
                        address,
                        day,
                        typed: typed(&row[hit.at.clone()], address),
                        seen: None,
                    });
                };
                // It is one address on however many days.
                if day.is_some() && !self.numbers.of(address, None, || SET_ASIDE).1 {
                    return;
                }
                reserved.word()
            }
            Found::Network(network) if self.networks.insert(network) => "network",
            Found::Padded if self.spellings.insert(spelling()) => "zero-padded",
            Found::Version if self.spellings.insert(spelling()) => "version",
            Found::Network(_) | Found::Padded | Found::Version => return,
        };
        *self.totals.set_aside.entry(aside).or_default() += 1;
        if self.gathering.lists_aside {
            self.totals.listed_aside.push(SetAside {
                text: String::from_utf8_lossy(&row[hit.at.clone()]).into(),
                reason: aside,
                line: self.lines + 1,
                file: self.text,
            });
        }
    }

    /// Notes an occurrence of a public address.
    fn occurs(
        &mut self,
        number: u32,
        address: IpAddr,
        row: &[u8],
        hit: &Hit,
        place: &row::HitPlace,
        time: Option<&EventTime>,
    ) {
        let Some(seen) = self.seen.get_mut(number as usize) else {
            return;
        };
        seen.count += 1;
        let line = self.lines + 1;
        if seen.last.line != line || seen.count == 1 {
            seen.lines += 1;
            seen.last.line = line;
        }
        let event = (self.rows.number(), place.event);
        let is_new_event = seen.count == 1 || seen.last.event != event;
        seen.last.event = event;
        seen.role = seen.role.min(place.role);
        if let Some(time) = time {
            let (first, last) = seen.times.unwrap_or((time.at, time.at));
            let until = time.until.unwrap_or(time.at);
            seen.times = Some((first.min(time.at), last.max(until)));
        }
        let is_counted = self.gathering.events && is_new_event;
        let event = time.filter(|_| is_counted);
        let are_too_many = event.is_some_and(|time| self.clock.count(seen, time.at, time.until));
        if address.is_ipv6() || place.port.is_some() {
            let port = place.port.clone();
            let port = port.and_then(|at| std::str::from_utf8(&row[at]).ok()?.parse().ok());
            self.doubts.note(
                number,
                hit,
                port,
                (
                    self.rows.surroundings(row, hit, place),
                    self.rows.has_ports(),
                ),
            );
        }
        if self.gathering.cells {
            if is_new_event {
                for (column, value) in self.rows.beside(place.event, address) {
                    self.values.add(&mut seen.beside, column, value);
                }
            }
            if let Some((column, value)) = self.rows.port(row, place, &mut self.values) {
                self.values.add(&mut seen.beside, column, value);
            }
        }
        if are_too_many {
            self.clock.coarsen(&mut self.seen);
        }
    }

    /// What is known at the end: the counts, and each of the addresses that were reported, with its occurrences if they are counted.
    #[must_use]
    pub fn end(mut self, found: Vec<FoundAddress>) -> (TextTotals, CountedAddresses) {
        EventClock::settle(&mut self.seen);
        let settled = self.doubts.settle(&self.numbers, &mut self.seen);
        let mut totals = TextTotals {
            is_cut: self.values.is_cut(),
            has_more_columns: self.values.has_more_columns(),
            has_others: self
                .seen
                .iter()
                .any(|occurrences| occurrences.beside.has_others()),
            ..self.totals
        };
        totals.public -= settled.gone.len() as u64;
        (
            totals,
            CountedAddresses::of(found, self.seen, self.values, settled),
        )
    }

    /// How many bytes the addresses take that were found so far, those that were reported included, and what is gathered of them.
    fn size(&self) -> usize {
        let reported = if self.gathering.counts {
            self.seen.len()
        } else {
            0
        };
        self.numbers.size()
            + room::of_list::<Occurrences>(self.seen.len(), self.seen.capacity())
            + room::of_list::<FoundAddress>(reported, reported.next_power_of_two())
            + room::of_table::<IpNet>(self.networks.len(), self.networks.capacity())
            + room::of_list::<SetAside>(
                self.totals.listed_aside.len(),
                self.totals.listed_aside.capacity(),
            )
            + room::of_table::<u64>(self.spellings.len(), self.spellings.capacity())
            + self.values.size()
            + self.clock.size()
    }

    /// Whether what was found so far has room.
    fn check_room(&self) -> Result<(), GatherFailure> {
        if self.gathering.room.has(self.size()) {
            return Ok(());
        }
        Err(GatherFailure::NoRoom {
            addresses: self.numbers.len() as u64,
            line: self.lines,
            room: self.gathering.room,
        })
    }
}

impl TextTotals {
    /// Distinct finds.
    #[must_use]
    pub fn unique(&self) -> u64 {
        self.public + self.set_aside.values().sum::<u64>()
    }

    /// Counts an event, and what was assumed of its time.
    fn count(&mut self, time: Option<&EventTime>) {
        self.rows += 1;
        let Some(time) = time else { return };
        self.timed += 1;
        let assumed = &mut self.assumed;
        match time.zone {
            ZoneBasis::Written => {}
            ZoneBasis::Assumed => assumed.without_zone += 1,
            ZoneBasis::Unresolved(name) => *assumed.names.entry(name).or_default() += 1,
        }
        assumed.without_year += u64::from(time.is_year_assumed);
        assumed.twice += u64::from(time.hour == HourOfZone::Twice);
        assumed.never += u64::from(time.hour == HourOfZone::Never);
        assumed.in_future += u64::from(time.is_in_future);
    }
}

fn line_ends(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// The spelling of an address, if not canonical.
fn typed(spelling: &[u8], address: IpAddr) -> Option<Box<str>> {
    let spelling = String::from_utf8_lossy(spelling);
    (spelling != address.to_string()).then(|| spelling.into())
}
