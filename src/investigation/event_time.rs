//! When the event of a row happened, read from what is written: logs, CSV and JSON in the usual forms of a time.
//!
//! | written as | is |
//! |---|---|
//! | `2026-11-20T10:15:30.25Z`, `2026-11-20 10:15:30,250`, `2026/11/20 10:15:30`, `20261120T101530+0200` | ISO 8601, RFC 5424, a Windows event |
//! | `1795428930`, `1795428930.25`, `1795428930250`, `1795428930250000`, and with nine more digits of a second | an epoch time in s, ms, µs, ns: at the head of a line, or under a key that means a time |
//! | `134399025302500000`, `20261120101530` | a Windows file time, digits alone: under such a key |
//! | `Nov 20 10:15:30`, `Nov 20 2026 10:15:30`, `20 Nov 2026 10:15:30`, `Fri Nov 20 10:15:30 UTC 2026`, `Nov 20, 2026 @ 10:15:30` | RFC 3164, RFC 5322, `date`, Kibana |
//! | `20/Nov/2026:10:15:30 +0200` | the common log format |
//! | `11/20/2026-10:15:30.25`, `261120 10:15:30` | packet tools, `MySQL` |
//! | `11/20/2026 10:15:30 AM`, `20.11.2026 10:15` | the order of a country, only if that is given |
//! | `2026-11-20`, `2026/11/20`, `20 Nov 2026`, `20.11.2026`, `20261120` at the head of a line | the beginning of a day, where no clock is beside it |
//!
//! A time without a zone is of the zone of the reader. The name of a zone is an offset where the text says which, or where the zone of the
//! reader has that name. A year that is not written is that of the nearest time with one before it in the text; where there is none, the last
//! in which the time is not in the future. What was assumed is told.

mod written;

use std::collections::HashMap;

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, DateTime, Time, date},
    tz::{AmbiguousOffset, Offset, TimeZone},
};

use written::WrittenDate;
pub use written::{DateOrder, WrittenTime, WrittenZone, ZoneName};

/// The day of a clock that was not set, and of a field that nobody filled in: no event is of it.
const BEGINNING: Date = date(1970, 1, 1);
/// How long that day is.
const UNSET: SignedDuration = SignedDuration::from_hours(24);

/// When an event happened, and what was assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTime {
    pub at: Timestamp,
    /// The last moment of what goes on for longer.
    pub until: Option<Timestamp>,
    pub zone: ZoneBasis,
    /// Whether neither the row nor any row before it names a year.
    pub is_year_assumed: bool,
    /// Whether the hour comes once in its zone.
    pub hour: HourOfZone,
    /// Whether it is later than now.
    pub is_in_future: bool,
}

/// Why a time is of its zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneBasis {
    /// The text says it.
    Written,
    /// The text says none.
    Assumed,
    /// The text has a name that several zones have, and none of them is the reader's.
    Unresolved(ZoneName),
}

/// How often a time on a clock comes in its zone, on the days on which clocks are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HourOfZone {
    Once,
    /// The earlier one is taken.
    Twice,
    /// The offset before the change is taken.
    Never,
}

/// Reads the times of the rows of one text, in order.
#[derive(Clone, Debug)]
pub struct TimeReader {
    order: DateOrder,
    zone: TimeZone,
    /// The latest time that is not in the future: clocks differ, and so do zones.
    latest: Timestamp,
    /// The last time whose year the text names, or follows from such a one.
    neighbour: Option<DateTime>,
    /// Names of zones whose offset the text says.
    names: HashMap<ZoneName, Offset>,
}

/// The time zone of this name in the system's database, or of this offset: `Europe/Berlin`, `+02:00`, `UTC`.
#[must_use]
pub fn zone_named(name: &str) -> Option<TimeZone> {
    if matches!(name, "UTC" | "Z") {
        return Some(TimeZone::UTC);
    }
    // What is no offset is a name.
    let offset = jiff::fmt::strtime::parse("%:z", name).ok();
    match offset.and_then(|parsed| parsed.offset()) {
        Some(offset) => Some(TimeZone::fixed(offset)),
        None => TimeZone::get(name).ok(),
    }
}

impl TimeReader {
    /// A reader for a text; a time without a zone is of `zone`, and no year is assumed that is later than `now`.
    #[must_use]
    pub fn new(order: DateOrder, zone: TimeZone, now: Timestamp) -> Self {
        Self {
            order,
            zone,
            latest: now
                .saturating_add(SignedDuration::from_hours(24))
                .unwrap_or(Timestamp::MAX),
            neighbour: None,
            names: HashMap::new(),
        }
    }

    /// The order of numbers in dates.
    #[must_use]
    pub fn order(&self) -> DateOrder {
        self.order
    }

    /// The moment that is written, if it is one: a day at least.
    pub fn resolve(&mut self, written: &WrittenTime) -> Option<EventTime> {
        if let Some((WrittenZone::Name(name), WrittenZone::Offset(offset))) = written.named_as {
            self.names.insert(name, offset);
        }
        let latest = self.latest;
        let told = |at: Timestamp, zone, is_year_assumed, hour| EventTime {
            at,
            until: None,
            zone,
            is_year_assumed,
            hour,
            is_in_future: at > latest,
        };
        if let Some(at) = written.epoch {
            let is_set = at.duration_since(Timestamp::UNIX_EPOCH) >= UNSET;
            return is_set.then(|| told(at, ZoneBasis::Written, false, HourOfZone::Once));
        }
        let clock = written.clock.unwrap_or(Time::midnight());
        let (local, is_year_assumed) = self.local(written.date?, clock)?;
        if !is_year_assumed && local.date() == BEGINNING {
            return None;
        }
        if !is_year_assumed {
            self.neighbour = Some(local);
        }
        let (offset, basis) = match written.zone {
            Some(WrittenZone::Offset(offset)) => (Some(offset), ZoneBasis::Written),
            Some(WrittenZone::Name(name)) => {
                let in_text = self.names.get(&name).copied();
                match in_text.or_else(|| WrittenZone::offset_in(name, &self.zone, local)) {
                    Some(offset) => (Some(offset), ZoneBasis::Written),
                    None => (None, ZoneBasis::Unresolved(name)),
                }
            }
            None => (None, ZoneBasis::Assumed),
        };
        let (at, hour) = if let Some(offset) = offset {
            (offset.to_timestamp(local).ok()?, HourOfZone::Once)
        } else {
            let ambiguous = self.zone.to_ambiguous_timestamp(local);
            let hour = match ambiguous.offset() {
                AmbiguousOffset::Unambiguous { .. } => HourOfZone::Once,
                // A day begins, whatever its first hour is.
                _ if written.clock.is_none() => HourOfZone::Once,
                AmbiguousOffset::Fold { .. } => HourOfZone::Twice,
                AmbiguousOffset::Gap { .. } => HourOfZone::Never,
            };
            (ambiguous.compatible().ok()?, hour)
        };
        Some(told(at, basis, is_year_assumed, hour))
    }

    /// A date on a clock, and whether its year was assumed.
    fn local(&self, date: WrittenDate, clock: Time) -> Option<(DateTime, bool)> {
        let WrittenDate { year, month, day } = date;
        let of = |year| Some(Date::new(year, month, day).ok()?.to_datetime(clock));
        match (year, self.neighbour) {
            (Some(year), _) => Some((of(year)?, false)),
            (None, Some(near)) => {
                // A leap day is not in every year.
                let around = if (month, day) == (2, 29) { 4 } else { 1 };
                let years = (near.year() - around..=near.year() + around).filter_map(of);
                let nearest = years.min_by_key(|time| time.duration_since(near).abs())?;
                Some((nearest, false))
            }
            (None, None) => {
                let latest = self.zone.to_datetime(self.latest);
                let mut years = (0..=8).filter_map(|back| of(latest.year() - back));
                let last = years.find(|time| *time <= latest)?;
                Some((last, true))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-24T10:00:00Z".parse().expect("a time")
    }

    fn reader(order: DateOrder) -> TimeReader {
        TimeReader::new(order, TimeZone::fixed(Offset::constant(1)), now())
    }

    /// The time of a line; with `z` where the zone is assumed, `y` where the year is.
    fn read(order: DateOrder, line: &str) -> String {
        words(of_line(&mut reader(order), line))
    }

    fn of_line(reader: &mut TimeReader, line: &str) -> Option<EventTime> {
        let none = |_: &std::ops::Range<usize>| false;
        let (written, _) = WrittenTime::of_line(line.as_bytes(), reader.order(), &none)?;
        reader.resolve(&written)
    }

    fn words(time: Option<EventTime>) -> String {
        time.map_or_else(String::new, |time| {
            let zone = match time.zone {
                ZoneBasis::Written => String::new(),
                ZoneBasis::Assumed => " z".to_owned(),
                ZoneBasis::Unresolved(name) => format!(" {}?", name.as_str()),
            };
            let year = if time.is_year_assumed { " y" } else { "" };
            format!("{}{zone}{year}", time.at)
        })
    }

    /// nfdump 1.7.1 of Debian prints it for all flows unless it is told another form, and devices write it until their clock is set.
    #[test]
    fn the_beginning_of_the_epoch_is_no_time() {
        for line in [
            "1970-01-01 00:00:00.000 INVALID  Ignore UDP 198.51.100.7:5000",
            "1970-01-01T01:00:00+01:00 198.51.100.7",
            "Jan  1 1970 00:00:35 router 198.51.100.7",
        ] {
            assert_eq!(read(DateOrder::Iso, line), "", "{line}");
        }
        assert_ne!(read(DateOrder::Iso, "1970-01-02 00:00:00 x"), "");
    }

    #[test]
    fn every_usual_form_is_read() {
        for (line, expected) in [
            ("2026-11-20T10:15:30Z 198.51.100.7", "2026-11-20T10:15:30Z"),
            (
                "x 2026-11-20T10:15:30.25+02:00 y",
                "2026-11-20T08:15:30.25Z",
            ),
            ("2026-11-20 10:15:30,250 -0500", "2026-11-20T15:15:30.25Z"),
            ("2026-11-20 10:15:30,198.51.100.7", "2026-11-20T09:15:30Z z"),
            (
                "<34>1 2026-11-20T10:15:30.003Z host su - ID47",
                "2026-11-20T10:15:30.003Z",
            ),
            (
                "TimeCreated SystemTime='2026-11-20T10:15:30.1234567Z'",
                "2026-11-20T10:15:30.1234567Z",
            ),
            ("2026/11/20 10:15:30 [error] 77#0", "2026-11-20T09:15:30Z z"),
            (
                "date=2026-11-20 time=10:15:30 srcip=198.51.100.7",
                "2026-11-20T09:15:30Z z",
            ),
            ("\"2026-11-20\",\"10:15\",x", "2026-11-20T09:15:00Z z"),
            ("20261120T101530Z", "2026-11-20T10:15:30Z"),
            ("2024 Nov 26 10:00:00 web1", "2024-11-26T09:00:00Z z"),
            ("20261120 10:15:30 UTC", "2026-11-20T10:15:30Z"),
            ("1795428930 198.51.100.7", "2026-11-23T10:15:30Z"),
            (
                "1795428930.250    120 198.51.100.7 TCP_MISS",
                "2026-11-23T10:15:30.25Z",
            ),
            ("audit(1795428930.250:77): pid=1", "2026-11-23T10:15:30.25Z"),
            ("1795428930250000", "2026-11-23T10:15:30.25Z"),
            ("1795428930250000000", "2026-11-23T10:15:30.25Z"),
            (
                "<13>Nov  1 10:15:30 host sshd[7]: Failed",
                "2026-11-01T09:15:30Z z y",
            ),
            (
                "Nov 20 2026 10:15:30: %ASA-6-302013",
                "2026-11-20T09:15:30Z z",
            ),
            ("November 20, 2026 10:15:30 PM GMT", "2026-11-20T22:15:30Z"),
            ("Fri, 20 Nov 2026 10:15:30 +0000", "2026-11-20T10:15:30Z"),
            ("Fri Nov 20 10:15:30 2026", "2026-11-20T09:15:30Z z"),
            ("Fri Nov 20 10:15:30 UTC 2026", "2026-11-20T10:15:30Z"),
            (
                "198.51.100.7 - - [20/Nov/2026:10:15:30 +0200] \"GET / HTTP/1.1\" 200 12",
                "2026-11-20T08:15:30Z",
            ),
            (
                "20-Nov-2026 10:15:30.250 client 198.51.100.7#53",
                "2026-11-20T09:15:30.25Z z",
            ),
            ("2026-11-20,198.51.100.7,alice", "2026-11-19T23:00:00Z z"),
            ("Dec 31 23:59:60 host", "2025-12-31T22:59:59Z z y"),
        ] {
            assert_eq!(read(DateOrder::Iso, line), expected, "{line}");
        }
    }

    #[test]
    fn the_order_of_a_country_is_read_only_if_it_is_said() {
        for (order, line, expected) in [
            (DateOrder::Iso, "11/20/2026 10:15:30 AM", ""),
            (
                DateOrder::Us,
                "11/20/2026 10:15:30 AM",
                "2026-11-20T09:15:30Z z",
            ),
            (
                DateOrder::Us,
                "11/20/26 1:15 PM UTC",
                "2026-11-20T13:15:00Z",
            ),
            (DateOrder::Us, "20/11/2026 10:15:30", ""),
            (DateOrder::Eu, "20.11.2026 10:15", "2026-11-20T09:15:00Z z"),
            (
                DateOrder::Eu,
                "20/11/2026, 12:15 AM",
                "2026-11-19T23:15:00Z z",
            ),
            (
                DateOrder::Eu,
                "2026-11-20 10:15:30Z",
                "2026-11-20T10:15:30Z",
            ),
        ] {
            assert_eq!(read(order, line), expected, "{line}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for line in [
            "198.51.100.7:8080 10:15:30",
            "2001:db8::12:30:45",
            "00:11:22:33:44:55",
            "id-1795428930 v1795428930",
            "+491795428930",
            "2026-13-20 10:15:30",
            "2026-02-30T10:15:30Z",
            "release-2026-11-20.tar",
            "build 2026-11-20-17",
            "Nov 20 25:15:30",
            "9999999999",
            "",
            ":",
        ] {
            assert_eq!(read(DateOrder::Iso, line), "", "{line}");
        }
    }

    #[test]
    fn a_year_that_is_not_written_is_that_of_the_text() {
        let mut reader = reader(DateOrder::Iso);
        let mut next = |line: &str| words(of_line(&mut reader, line));
        assert_eq!(next("Dec 30 10:00:00"), "2025-12-30T09:00:00Z z y");
        assert_eq!(next("2024-12-31T10:00:00Z"), "2024-12-31T10:00:00Z");
        assert_eq!(next("Dec 31 23:00:00"), "2024-12-31T22:00:00Z z");
        assert_eq!(next("Jan  1 01:00:00"), "2025-01-01T00:00:00Z z");
        assert_eq!(next("Feb 29 01:00:00"), "2024-02-29T00:00:00Z z");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_harm(line in proptest::collection::vec(proptest::sample::select(b"0123456789 :-/T.,+ZNovJan\"=".to_vec()), 0..60)) {
            for order in [DateOrder::Iso, DateOrder::Us, DateOrder::Eu] {
                let none = |_: &std::ops::Range<usize>| false;
                let _ = WrittenTime::of_line(&line, order, &none);
                let _ = WrittenTime::of_value(&line, order, true);
                let _ = WrittenTime::of_value(&line, order, false);
                let _ = WrittenTime::of_zone(&line);
            }
        }
    }
}
