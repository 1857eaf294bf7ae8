//! What a text says of each of its addresses: how often, where and when it occurs, and what stands beside it. Those that cannot be
//! looked up are counted by reason.

mod stream;
mod text;
mod values;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    net::IpAddr,
    sync::Arc,
};

use foldhash::fast::RandomState;
use ipnet::IpNet;
use jiff::Timestamp;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    event_time::{EventTime, TimeReader},
    shape::{CellReader, LONGEST_ROW, Parts, TextShape, address_of, apart},
};
use crate::model::{
    Admission, Day,
    scan::{Found, Hit, scan},
};
pub use text::GatheredText;
pub use values::{Beside, ColumnValues, Values};

/// The number of an address that is set aside.
const SET_ASIDE: u32 = u32::MAX;

/// What is to be gathered of each address.
#[derive(Clone, Debug, Default)]
pub struct Gathering {
    /// Where and how often each address occurs.
    pub counts: bool,
    /// Reads the times of the lines.
    pub times: Option<TimeReader>,
    /// Whether an address comes once for each UTC day of its events.
    pub by_day: bool,
    /// Whether what stands beside an address is kept.
    pub cells: bool,
}

impl Gathering {
    /// Whether the rows of a text are told apart, for what stands in them.
    #[must_use]
    pub fn reads_rows(&self) -> bool {
        self.cells || self.times.is_some()
    }
}

/// A public address, reported at its first occurrence.
#[derive(Clone, Debug)]
pub struct FoundAddress {
    pub address: IpAddr,
    /// The UTC day of its events, if it comes once for each.
    pub day: Option<Day>,
    /// Its spelling in the text, if not canonical.
    pub typed: Option<Box<str>>,
    /// Where, when and how often it occurs, and the texts beside it, once all is read.
    pub seen: Option<(Occurrences, Arc<Values>)>,
}

/// Where, when and how often an address occurs in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrences {
    pub count: u64,
    /// The line of the first occurrence, from 1.
    pub first_line: u64,
    /// The number of the text in which that is, from 0.
    pub text: usize,
    /// The earliest and the latest time beside it.
    pub times: Option<(Timestamp, Timestamp)>,
    /// What stands beside it.
    pub beside: Beside,
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
    /// Rows with an address, and those of them that say a time, where rows are told apart.
    pub rows: u64,
    pub timed: u64,
    /// Rows whose time names no zone, and rows whose year was assumed.
    pub without_zone: u64,
    pub without_year: u64,
    /// Whether some of what stands beside addresses was left out for want of room.
    pub is_cut: bool,
    /// Whether an address has more values of a column than are kept.
    pub has_others: bool,
}

/// The addresses found so far.
#[derive(Debug)]
pub struct Gatherer {
    admission: Admission,
    gathering: Gathering,
    /// The times of the text that is read; each text begins anew.
    times: Option<TimeReader>,
    parts: Parts,
    cells: CellReader,
    /// Each address with its number among the public ones, or [`SET_ASIDE`].
    numbers: HashMap<(IpAddr, Option<Day>), u32, RandomState>,
    /// The occurrences of each public address, if they are counted.
    seen: Vec<Occurrences>,
    values: Values,
    /// The number of the text that is read.
    text: usize,
    /// Line ends before the next part.
    lines: u64,
    networks: HashSet<IpNet, RandomState>,
    /// Hashes of zero-padded spellings, to count each once.
    padded: HashSet<u64, RandomState>,
    totals: TextTotals,
    /// The finds of a row, and its cells.
    hits: Vec<Hit>,
    beside: Vec<(u16, u32, Option<IpAddr>)>,
}

impl Gatherer {
    #[must_use]
    pub fn new(admission: Admission, gathering: Gathering) -> Self {
        Self {
            admission,
            times: gathering.times.clone(),
            gathering,
            parts: Parts::of(TextShape::Lines),
            cells: CellReader::default(),
            numbers: HashMap::default(),
            seen: Vec::new(),
            values: Values::default(),
            text: 0,
            lines: 0,
            networks: HashSet::default(),
            padded: HashSet::default(),
            totals: TextTotals::default(),
            hits: Vec::new(),
            beside: Vec::new(),
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
        self.times.clone_from(&self.gathering.times);
        let shape = if self.gathering.reads_rows() {
            TextShape::of(beginning)
        } else {
            TextShape::Lines
        };
        self.parts = Parts::of(shape);
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
        while let Some(part) = self.parts.next(&text[at..], is_at_end) {
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
        if !hits.is_empty() {
            let time = self.time(row, is_row);
            self.read_cells(row, hits.len() == 1, is_row, time.as_ref());
            for hit in hits.drain(..) {
                self.lines += line_ends(&row[counted..hit.at.start]);
                counted = hit.at.start;
                self.find(row, &hit, time.as_ref(), hear);
            }
        }
        self.lines += line_ends(&row[counted..]);
        self.hits = hits;
    }

    fn time(&mut self, row: &[u8], is_row: bool) -> Option<EventTime> {
        self.totals.rows += u64::from(is_row);
        let time = self.times.as_mut().filter(|_| is_row)?.read(row)?;
        self.totals.timed += 1;
        self.totals.without_zone += u64::from(time.is_zone_assumed);
        self.totals.without_year += u64::from(time.is_year_assumed);
        Some(time)
    }

    /// Reads what stands beside the addresses of a row; of a single one that is not its own cell.
    fn read_cells(&mut self, row: &[u8], is_of_one: bool, is_row: bool, time: Option<&EventTime>) {
        self.beside.clear();
        if !(self.gathering.cells && is_row) {
            return;
        }
        let time = time.map_or(&[][..], |time| &row[time.place.clone()]);
        let is_of_time =
            |cell: &str| cell.len() >= 5 && memchr::memmem::find(time, cell.as_bytes()).is_some();
        let (values, beside) = (&mut self.values, &mut self.beside);
        self.parts
            .shape()
            .cells(row, &mut self.cells, &mut |column, cell| {
                let own = address_of(cell);
                if is_of_time(cell) || is_of_one && own.is_some() {
                    return;
                }
                if let Some((column, value)) = values.number(column, cell) {
                    beside.push((column, value, own));
                }
            });
    }

    fn find(
        &mut self,
        row: &[u8],
        hit: &Hit,
        time: Option<&EventTime>,
        hear: &mut impl FnMut(FoundAddress),
    ) {
        self.totals.found += 1;
        let aside = match hit.found {
            Found::Address(address) => {
                let day = time.filter(|_| self.gathering.by_day);
                let day = day.map(|time| Day::of(time.at));
                if let Some(number) = self.numbers.get(&(address, day)).copied() {
                    return self.occurs(number, address, time);
                }
                let reserved = self.admission.refuses(address);
                let number = match reserved {
                    None => u32::try_from(self.totals.public).unwrap_or(SET_ASIDE),
                    Some(_) => SET_ASIDE,
                };
                self.numbers.insert((address, day), number);
                let Some(reserved) = reserved else {
                    self.totals.public += 1;
                    if self.gathering.counts {
                        self.seen.push(Occurrences {
                            count: 0,
                            first_line: self.lines + 1,
                            text: self.text,
                            times: None,
                            beside: Beside::default(),
                        });
                    }
                    self.occurs(number, address, time);
                    return hear(FoundAddress {
                        address,
                        day,
                        typed: typed(&row[hit.at.clone()], address),
                        seen: None,
                    });
                };
                // It is one address on however many days.
                if day.is_some() && self.numbers.insert((address, None), SET_ASIDE).is_some() {
                    return;
                }
                reserved.word()
            }
            Found::Network(network) if self.networks.insert(network) => "network",
            Found::Padded if self.padded.insert(xxh3_64(&row[hit.at.clone()])) => "zero-padded",
            Found::Network(_) | Found::Padded => return,
        };
        *self.totals.set_aside.entry(aside).or_default() += 1;
    }

    /// Notes an occurrence of a public address.
    fn occurs(&mut self, number: u32, address: IpAddr, time: Option<&EventTime>) {
        let Some(seen) = self.seen.get_mut(number as usize) else {
            return;
        };
        seen.count += 1;
        if let Some(at) = time.map(|time| time.at) {
            let (first, last) = seen.times.unwrap_or((at, at));
            seen.times = Some((first.min(at), last.max(at)));
        }
        for (column, value, own) in &self.beside {
            if *own != Some(address) {
                self.values.add(&mut seen.beside, *column, *value);
            }
        }
    }

    /// What is known at the end: the counts, the occurrences of each address by its number, and the values beside them.
    #[must_use]
    pub fn end(self) -> (TextTotals, Vec<Occurrences>, Values) {
        let totals = TextTotals {
            is_cut: self.values.is_cut(),
            has_others: self.seen.iter().any(|own| own.beside.has_others()),
            ..self.totals
        };
        (totals, self.seen, self.values)
    }
}

impl TextTotals {
    /// Distinct finds.
    #[must_use]
    pub fn unique(&self) -> u64 {
        self.public + self.set_aside.values().sum::<u64>()
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

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::investigation::event_time::DateOrder;

    fn gatherer(is_by_day: bool) -> Gatherer {
        let now = "2026-11-24T10:00:00Z".parse().expect("a time");
        let blocks = ["198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"];
        let admission = Admission::with(blocks.map(|block| block.parse().expect(block)).to_vec());
        let gathering = Gathering {
            counts: true,
            times: Some(TimeReader::new(DateOrder::Iso, TimeZone::UTC, now)),
            by_day: is_by_day,
            cells: true,
        };
        Gatherer::new(admission, gathering)
    }

    /// Each address, with what the text says of it.
    fn gathered(text: &str, is_by_day: bool) -> (Vec<String>, TextTotals) {
        let mut gatherer = gatherer(is_by_day);
        gatherer.begin(0, text.as_bytes());
        let mut found = Vec::new();
        let taken = gatherer.take(text.as_bytes(), true, &mut |own| found.push(own));
        assert_eq!(taken, text.len());
        let (totals, seen, values) = gatherer.end();
        let lines = found.iter().zip(&seen).map(|(own, seen)| {
            let times = seen.times.map(|(first, last)| format!(" {first}..{last}"));
            let mut line = format!("{} {}@{}", own.address, seen.count, seen.first_line);
            line.push_str(&times.unwrap_or_default());
            values.each(&seen.beside, |column, own| {
                let values = own
                    .values
                    .iter()
                    .map(|(value, count)| format!("{value} {count}"));
                let values: Vec<String> = values.collect();
                line.push_str(&format!(" {column}: {}", values.join(", ")));
                if own.others > 0 {
                    line.push_str(&format!(" +{}", own.others));
                }
            });
            line
        });
        (lines.collect(), totals)
    }

    #[test]
    fn each_address_comes_once_and_the_rest_is_set_aside_with_the_reason() {
        let text = "198.51.100.7 10.0.0.1\n198[.]51[.]100[.]8 10.0.0.1\n\n::ffff:198.51.100.7 198.51.100.0/24 2001:DB8::7 198.051.100.7 \
            198.51.100.0/24 127.0.0.1 10.0.0.2 198.051.100.7";
        let mut gatherer = gatherer(false);
        gatherer.begin(0, text.as_bytes());
        let mut told = Vec::new();
        gatherer.take(text.as_bytes(), true, &mut |found| {
            told.push(format!(
                "{} {}",
                found.address,
                found.typed.unwrap_or_default()
            ));
        });
        assert_eq!(
            told,
            [
                "198.51.100.7 ",
                "198.51.100.8 198[.]51[.]100[.]8",
                "2001:db8::7 2001:DB8::7"
            ]
        );
        let (totals, seen, _) = gatherer.end();
        let seen: Vec<_> = seen
            .iter()
            .map(|seen| (seen.count, seen.first_line))
            .collect();
        assert_eq!(seen, [(2, 1), (1, 2), (1, 4)]);
        assert_eq!((totals.found, totals.unique(), totals.public), (12, 8, 3));
        let aside: Vec<_> = totals.set_aside.into_iter().collect();
        assert_eq!(
            aside,
            [
                ("loopback", 1),
                ("network", 1),
                ("private", 2),
                ("zero-padded", 1)
            ]
        );
    }

    #[test]
    fn an_address_keeps_what_stands_beside_it() {
        let text = "when,ip,user,to\n\
            2026-11-20T10:00:00Z,198.51.100.7,alice,203.0.113.1\n\
            2026-11-21T09:00:00Z,198.51.100.7,bob,203.0.113.1\n\
            2026-11-19 08:00:00,198.51.100.7,alice,10.0.0.1\n\
            x,198.51.100.8,-,\n";
        let (found, totals) = gathered(text, false);
        assert_eq!(
            found,
            [
                "198.51.100.7 3@2 2026-11-19T08:00:00Z..2026-11-21T09:00:00Z user: alice 2, bob 1 to: 203.0.113.1 2, 10.0.0.1 1",
                "203.0.113.1 2@2 2026-11-20T10:00:00Z..2026-11-21T09:00:00Z ip: 198.51.100.7 2 user: alice 1, bob 1",
                "198.51.100.8 1@5 when: x 1",
            ]
        );
        assert_eq!(totals.set_aside["private"], 1);
        assert_eq!((totals.rows, totals.timed, totals.without_zone), (4, 3, 1));
    }

    #[test]
    fn an_address_comes_once_for_each_day_of_its_events() {
        let text = "2026-11-20T23:30:00-01:00 198.51.100.7 10.0.0.1\n2026-11-21 198.51.100.7\n\
            2026-11-22 198.51.100.7 10.0.0.1\n198.51.100.7\n";
        let (found, totals) = gathered(text, true);
        let days = found
            .iter()
            .map(|line| line.split("..").next().unwrap_or(line));
        assert_eq!(
            days.collect::<Vec<_>>(),
            [
                "198.51.100.7 2@1 2026-11-21T00:00:00Z",
                "198.51.100.7 1@3 2026-11-22T00:00:00Z",
                "198.51.100.7 1@4",
            ]
        );
        assert_eq!(totals.set_aside["private"], 1);
    }

    #[test]
    fn more_values_than_are_kept_are_counted() {
        let line = |number: u32| format!("198.51.100.7 user=u{number}\n");
        let text: String = (0..20).map(line).collect();
        let (found, _) = gathered(&text, false);
        assert!(found[0].ends_with("u7 1 +12"), "{found:?}");
    }

    #[test]
    fn pieces_make_no_difference() {
        let json =
            "{\"a\":\"2026-11-20T10:00:00Z\",\"ip\":\"198.51.100.7\",\n\"user\":\"x\"}\n".repeat(3);
        for text in [
            json.as_str(),
            "ip,a\n198.51.100.7,\"1\n2\"\n",
            "x 198.51.100.7\ny=1 198.51.100.7",
        ] {
            let whole = gathered(text, false).0;
            for size in 1..text.len() {
                let mut gatherer = gatherer(false);
                gatherer.begin(0, text.as_bytes());
                let (mut kept, mut found) = (Vec::new(), 0);
                for piece in text.as_bytes().chunks(size) {
                    kept.extend_from_slice(piece);
                    let taken = gatherer.take(&kept, false, &mut |_| found += 1);
                    kept.drain(..taken);
                }
                gatherer.take(&kept, true, &mut |_| found += 1);
                let (_, seen, _) = gatherer.end();
                assert_eq!(found, whole.len(), "{size}");
                let line = whole[0].split(' ').nth(1);
                let own = format!("{}@{}", seen[0].count, seen[0].first_line);
                assert_eq!(line, Some(own.as_str()), "{size} {text}");
            }
        }
    }
}
