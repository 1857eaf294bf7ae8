//! The last step of reading a text: counts its addresses, and what stands beside them.

use std::{collections::HashSet, net::IpAddr};

use foldhash::fast::RandomState;
use ipnet::IpNet;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    CountedAddresses, FoundAddress, GatherFailure, Gathering, Occurrences, SetAside, TextTotals,
    Values,
    doubt::Doubts,
    event_clock::EventClock,
    numbers::AddressNumbers,
    read::{ReadHit, ReadHits},
    room::{of_list, of_table},
    row::NoAddress,
    scanned::ScannedRows,
    values::BesideTotal,
};
use crate::model::{
    Admission, Day,
    scan::{Found, Hit},
};

/// The number of an address that is set aside.
const SET_ASIDE: u32 = u32::MAX;

/// The finds whose addresses are looked up together.
const TOGETHER: usize = 32;
/// So many addresses are hardly in the processor's caches.
const MANY: usize = 4096;

/// Counts addresses.
#[derive(Debug)]
pub(super) struct AddressCounter {
    admission: Admission,
    pub(super) gathering: Gathering,
    /// Whether the rows of texts are told apart.
    pub(super) reads_rows: bool,
    /// Each address with its number among the public ones, or [`SET_ASIDE`].
    numbers: AddressNumbers,
    /// The occurrences of each public address, if they are counted.
    seen: Vec<Occurrences>,
    beside: BesideTotal,
    /// Counts the events of addresses by time.
    clock: EventClock,
    /// IPv6 addresses that may end in a port.
    doubts: Doubts,
    /// The number of the text that is read.
    text: usize,
    /// Line ends before the place in the part that is read.
    lines: u64,
    /// That place.
    place: usize,
    /// The number of the row of the last find.
    row: u64,
    networks: HashSet<IpNet, RandomState>,
    /// Hashes of spellings that are no addresses, to count each once.
    spellings: HashSet<u64, RandomState>,
    totals: TextTotals,
    /// Scratch of [`AddressCounter::fetch`].
    fetched: Vec<u32>,
}

impl AddressCounter {
    pub(super) fn new(admission: Admission, gathering: Gathering, reads_rows: bool) -> Self {
        Self {
            admission,
            gathering,
            reads_rows,
            numbers: AddressNumbers::default(),
            seen: Vec::new(),
            beside: BesideTotal::default(),
            clock: EventClock::default(),
            doubts: Doubts::default(),
            text: 0,
            lines: 0,
            place: 0,
            row: 0,
            networks: HashSet::default(),
            spellings: HashSet::default(),
            totals: TextTotals::default(),
            fetched: Vec::new(),
        }
    }

    /// Starts the text of this number.
    pub(super) fn begin(&mut self, text: usize) {
        (self.text, self.lines) = (text, 0);
    }

    /// Counts finds of a part of a text. Reports each public address at its first occurrence.
    pub(super) fn count(
        &mut self,
        text: &[u8],
        scanned: &ScannedRows,
        read: &ReadHits,
        hear: &mut impl FnMut(FoundAddress),
    ) {
        for together in read.hits.chunks(TOGETHER) {
            self.fetch(together, scanned);
            for read_hit in together {
                let row = &scanned.rows[read_hit.row];
                let hits = scanned.hits_of(row);
                if self.row != read_hit.event.0 {
                    self.row = read_hit.event.0;
                    if hits.len() > 1 {
                        self.doubts.note_row(hits);
                    }
                }
                let hit = &hits[read_hit.hit];
                let place = row.at.start + hit.at.start..row.at.start + hit.at.end;
                self.pass(text, place.start);
                self.find(&text[place], hit, (read_hit, read), hear);
            }
        }
        if read.is_last {
            self.pass(text, text.len());
            self.place = 0;
        }
    }

    /// Reads what is known of the addresses of the next finds. It is in three places, each of which tells the next one and is probably in no
    /// cache: each round reads one place of all addresses, so that they are waited for together.
    fn fetch(&mut self, next: &[ReadHit], scanned: &ScannedRows) {
        if self.gathering.by_day || self.seen.len() < MANY {
            return;
        }
        let Self {
            numbers,
            seen,
            fetched,
            ..
        } = self;
        fetched.clear();
        fetched.extend(next.iter().filter_map(|read| {
            let hit = &scanned.hits_of(&scanned.rows[read.row])[read.hit];
            numbers.get(hit.found.address()?)
        }));
        let known = || {
            fetched
                .iter()
                .filter_map(|number| seen.get(*number as usize))
        };
        let mut all = known().fold(0, |all, seen| all ^ seen.count ^ seen.last.line);
        all ^= known().fold(0, |all, seen| all ^ seen.beside.touched());
        std::hint::black_box(all);
    }

    /// Counts the lines up to a place in a part.
    fn pass(&mut self, text: &[u8], to: usize) {
        self.lines += memchr::memchr_iter(b'\n', &text[self.place..to]).count() as u64;
        self.place = to;
    }

    fn find(
        &mut self,
        spelled: &[u8],
        hit: &Hit,
        (read, all): (&ReadHit, &ReadHits),
        hear: &mut impl FnMut(FoundAddress),
    ) {
        if read.is_new_event {
            self.totals.count(read.time.as_ref());
        }
        self.totals.found += 1;
        let spelling = || xxh3_64(spelled);
        let found = match read.aside {
            Some(NoAddress::Version) => Found::Version,
            Some(NoAddress::UserName) | None => hit.found,
        };
        let aside = match found {
            Found::Address(_) | Found::MayEndInPort(..) if read.aside.is_some() => {
                if !self.spellings.insert(spelling()) {
                    return;
                }
                "user name"
            }
            Found::Address(_) | Found::MayEndInPort(..) => {
                let Some(address) = hit.found.address() else {
                    return;
                };
                let address = self.doubts.meant(hit.found).map_or(address, IpAddr::from);
                let day = read.time.filter(|_| self.gathering.by_day);
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
                    return self.occurs((number, address), hit, (read, all));
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
                    self.occurs((number, address), hit, (read, all));
                    return hear(FoundAddress {
                        address,
                        day,
                        typed: typed(spelled, address),
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
                text: String::from_utf8_lossy(spelled).into(),
                reason: aside,
                line: self.lines + 1,
                file: self.text,
            });
        }
    }

    /// Notes an occurrence of a public address.
    fn occurs(
        &mut self,
        (number, address): (u32, IpAddr),
        hit: &Hit,
        (read, all): (&ReadHit, &ReadHits),
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
        let is_new_event = seen.count == 1 || seen.last.event != read.event;
        seen.last.event = read.event;
        seen.role = seen.role.min(read.role);
        if let Some(time) = &read.time {
            let (first, last) = seen.times.unwrap_or((time.at, time.at));
            let until = time.until.unwrap_or(time.at);
            seen.times = Some((first.min(time.at), last.max(until)));
        }
        let is_counted = self.gathering.events && is_new_event;
        let event = read.time.filter(|_| is_counted);
        let are_too_many = event.is_some_and(|time| self.clock.count(seen, time.at, time.until));
        if let Some(surroundings) = read.surroundings {
            self.doubts
                .note(number, hit, read.port, (surroundings, read.has_ports));
        }
        if self.gathering.cells {
            let beside = is_new_event.then(|| all.beside(read, address));
            let mut from = 0;
            for cell in beside.into_iter().flatten().chain(read.port_cell) {
                self.beside.add(&mut seen.beside, cell, &mut from);
            }
        }
        if are_too_many {
            self.clock.coarsen(&mut self.seen);
        }
    }

    /// What is known at the end: the counts, and each of the addresses that were reported, with its occurrences if they are counted.
    pub(super) fn end(
        mut self,
        values: Values,
        found: Vec<FoundAddress>,
    ) -> (TextTotals, CountedAddresses) {
        EventClock::settle(&mut self.seen);
        let settled = self.doubts.settle(&self.numbers, &mut self.seen);
        let mut totals = TextTotals {
            is_cut: values.is_cut() || self.beside.is_cut(),
            has_more_columns: values.has_more_columns(),
            has_others: self
                .seen
                .iter()
                .any(|occurrences| occurrences.beside.has_others()),
            ..self.totals
        };
        totals.public -= settled.gone.len() as u64;
        let counted = CountedAddresses::of(found, self.seen, values, settled);
        (totals, counted)
    }

    /// How many bytes the addresses take that were found so far, those that were reported included, and what is gathered of them.
    fn size(&self) -> usize {
        let reported = if self.gathering.counts {
            self.seen.len()
        } else {
            0
        };
        let aside = &self.totals.listed_aside;
        self.numbers.size()
            + of_list::<Occurrences>(self.seen.len(), self.seen.capacity())
            + of_list::<FoundAddress>(reported, reported.next_power_of_two())
            + of_table::<IpNet>(self.networks.len(), self.networks.capacity())
            + of_list::<SetAside>(aside.len(), aside.capacity())
            + of_table::<u64>(self.spellings.len(), self.spellings.capacity())
            + self.beside.size()
            + self.clock.size()
    }

    /// Whether what was found so far has room, with values of so many bytes.
    pub(super) fn check_room(&self, values: usize) -> Result<(), GatherFailure> {
        if self.gathering.room.has(self.size() + values) {
            return Ok(());
        }
        Err(GatherFailure::NoRoom {
            addresses: self.numbers.len() as u64,
            line: self.lines,
            room: self.gathering.room,
        })
    }
}

/// The spelling of an address, if not canonical.
fn typed(spelling: &[u8], address: IpAddr) -> Option<Box<str>> {
    let spelling = String::from_utf8_lossy(spelling);
    (spelling != address.to_string()).then(|| spelling.into())
}
