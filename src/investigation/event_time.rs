//! When the event of a line happened, read from the line: logs, CSV and JSON in the usual forms of a time.
//!
//! | written as | is |
//! |---|---|
//! | `2026-11-20T10:15:30.25Z`, `2026-11-20 10:15:30,250`, `2026/11/20 10:15:30`, `20261120T101530+0200` | ISO 8601, RFC 5424, a Windows event |
//! | `1795428930`, `1795428930.25`, `1795428930250`, `1795428930250000`, and with nine more digits of a second | an epoch time in s, ms, µs, ns |
//! | `134399025302500000` | a Windows file time |
//! | `Nov 20 10:15:30`, `Nov 20 2026 10:15:30`, `20 Nov 2026 10:15:30`, `Fri Nov 20 10:15:30 UTC 2026` | RFC 3164, RFC 5322, `date` |
//! | `20/Nov/2026:10:15:30 +0200` | the common log format |
//! | `11/20/2026 10:15:30 AM`, `20.11.2026 10:15` | the order of a country, only if that is said |
//! | `2026-11-20` | the beginning of a day, where the line has no time |
//!
//! A time without a zone is of the zone of the reader. A year that is not written is that of the nearest time with one before it
//! in the text; where there is none, the last in which the time is not in the future. What was assumed is told.

use std::ops::Range;

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, DateTime, Time},
    tz::{Offset, TimeZone},
};

/// The order of numbers in a date whose year is not first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DateOrder {
    /// No such date is read: its day and its month cannot be told apart.
    #[default]
    Iso,
    /// The month first.
    Us,
    /// The day first.
    Eu,
}

/// When an event happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTime {
    pub at: Timestamp,
    /// Where in the line that is said.
    pub place: Range<usize>,
    /// Whether the text names no zone.
    pub is_zone_assumed: bool,
    /// Whether neither the line nor any line before it names a year.
    pub is_year_assumed: bool,
}

/// Reads the times of the lines of one text, in order.
#[derive(Clone, Debug)]
pub struct TimeReader {
    order: DateOrder,
    zone: TimeZone,
    now: Timestamp,
    /// The last time whose year the text names, or follows from such a one.
    neighbour: Option<DateTime>,
}

/// A time as it is written.
struct WrittenTime {
    date: WrittenDate,
    time: Time,
    offset: Option<Offset>,
    at: Range<usize>,
}

#[derive(Clone, Copy)]
struct WrittenDate {
    year: Option<i16>,
    month: i8,
    day: i8,
}

/// Seconds of the beginning of 2000 and of 2100: other numbers are no epoch times.
const EPOCH: std::ops::Range<i64> = 946_684_800..4_102_444_800;

/// Seconds between the epochs of Windows and Unix.
const WINDOWS: i64 = 11_644_473_600;

const MONTHS: [&[u8]; 12] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];

impl TimeReader {
    /// A reader for a text; a time without a zone is of `zone`, and no year is assumed that is later than `now`.
    #[must_use]
    pub fn new(order: DateOrder, zone: TimeZone, now: Timestamp) -> Self {
        Self {
            order,
            zone,
            now,
            neighbour: None,
        }
    }

    /// The first time that a line says.
    pub fn read(&mut self, line: &[u8]) -> Option<EventTime> {
        let mut day = None;
        let mut from = 0;
        while let Some(start) = line[from..].iter().position(u8::is_ascii_digit) {
            let start = from + start;
            from = start + digits(&line[start..]);
            if let Some((at, end)) = epoch(line, start, from) {
                return Some(EventTime {
                    at,
                    place: start..end,
                    is_zone_assumed: false,
                    is_year_assumed: false,
                });
            }
            let written = match (from - start, line.get(from)) {
                (1 | 2, Some(b':')) => at_clock(line, start, self.order),
                (8, Some(b'T')) => in_one(line, start),
                (4, Some(b'-')) => {
                    day = day.or_else(|| alone(line, start));
                    None
                }
                _ => None,
            };
            if let Some(found) = written.and_then(|written| self.event(written)) {
                return Some(found);
            }
        }
        self.event(day?)
    }

    fn event(&mut self, written: WrittenTime) -> Option<EventTime> {
        let WrittenDate { year, month, day } = written.date;
        let of = |year| Some(Date::new(year, month, day).ok()?.to_datetime(written.time));
        let local = match (year, self.neighbour) {
            (Some(year), _) => of(year)?,
            (None, Some(near)) => {
                let years = (near.year() - 4..=near.year() + 4).filter_map(of);
                years.min_by_key(|time| time.duration_since(near).abs())?
            }
            (None, None) => {
                // Clocks differ, and so do zones.
                let latest = self
                    .now
                    .saturating_add(SignedDuration::from_hours(24))
                    .ok()?;
                let latest = self.zone.to_datetime(latest);
                let years = (0..=8).filter_map(|back| of(latest.year() - back));
                years.filter(|time| *time <= latest).max()?
            }
        };
        let is_year_assumed = year.is_none() && self.neighbour.is_none();
        if !is_year_assumed {
            self.neighbour = Some(local);
        }
        let at = match written.offset {
            Some(offset) => offset.to_timestamp(local).ok()?,
            None => self.zone.to_timestamp(local).ok()?,
        };
        Some(EventTime {
            at,
            place: written.at,
            is_zone_assumed: written.offset.is_none(),
            is_year_assumed,
        })
    }
}

/// The number of digits at the beginning of a text.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The number that these digits are; of more than 18 nothing.
fn number(digits: &[u8]) -> Option<i64> {
    let digits = std::str::from_utf8(digits).ok()?;
    digits.parse().ok().filter(|_| digits.len() <= 19)
}

/// The epoch time at these digits, which must be a word of their own, and where it ends.
fn epoch(line: &[u8], start: usize, end: usize) -> Option<(Timestamp, usize)> {
    let scale = match end - start {
        10 => 1,
        13 => 1_000,
        16 => 1_000_000,
        18 => 10_000_000,
        19 => 1_000_000_000,
        _ => return None,
    };
    let is_apart = |byte: &u8| byte.is_ascii_whitespace() || b"\"'=:,;()[]{}|<>@&".contains(byte);
    let fraction = match line.get(end..) {
        Some([b'.', rest @ ..]) if scale == 1 => digits(rest),
        _ => 0,
    };
    let behind = line.get(if fraction > 0 {
        end + 1 + fraction
    } else {
        end
    });
    let before = start.checked_sub(1).map(|at| line[at]);
    if before.is_some_and(|byte| !is_apart(&byte)) || behind.is_some_and(|byte| !is_apart(byte)) {
        return None;
    }
    let whole = number(&line[start..end])?;
    let mut seconds = whole / scale;
    let mut nanos = whole % scale * (1_000_000_000 / scale);
    if end - start == 18 {
        seconds -= WINDOWS;
    }
    if fraction > 0 {
        nanos = i64::from(nanoseconds(&line[end + 1..end + 1 + fraction]));
    }
    let at = Timestamp::new(seconds, i32::try_from(nanos).ok()?).ok()?;
    EPOCH
        .contains(&seconds)
        .then_some((at, end + if fraction > 0 { fraction + 1 } else { 0 }))
}

/// The digits behind the point of a second.
fn nanoseconds(digits: &[u8]) -> i32 {
    let nine = digits
        .iter()
        .copied()
        .chain(std::iter::repeat(b'0'))
        .take(9);
    nine.fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'))
}

/// The day that begins with this year, where no time is beside it.
fn alone(line: &[u8], start: usize) -> Option<WrittenTime> {
    let text = line.get(start..start + 10)?;
    let [_, _, _, _, b'-', _, _, b'-', _, _] = text else {
        return None;
    };
    let is_joined = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./".contains(byte);
    let before = start.checked_sub(1).and_then(|at| line.get(at));
    if before.is_some_and(is_joined) || line.get(start + 10).is_some_and(is_joined) {
        return None;
    }
    let (date, _) = Back::until(line, start + 10).date(DateOrder::Iso)?;
    Some(WrittenTime {
        date,
        time: Time::midnight(),
        offset: None,
        at: start..start + 10,
    })
}

/// `20261120T101530`, with what may follow.
fn in_one(line: &[u8], start: usize) -> Option<WrittenTime> {
    let (date, time) = (&line[start..start + 8], line.get(start + 9..start + 15)?);
    if digits(&line[start + 9..]) != 6 {
        return None;
    }
    let two = |text: &[u8], at: usize| i8::try_from(number(&text[at..at + 2])?).ok();
    let mut ahead = Ahead {
        line,
        at: start + 15,
    };
    let nanos = ahead.fraction();
    Some(WrittenTime {
        date: WrittenDate {
            year: i16::try_from(number(&date[..4])?).ok(),
            month: two(date, 4)?,
            day: two(date, 6)?,
        },
        time: Time::new(two(time, 0)?, two(time, 2)?, two(time, 4)?, nanos).ok()?,
        offset: ahead.offset(),
        at: start..ahead.at,
    })
}

/// The time whose hour is here, with the date before it.
fn at_clock(line: &[u8], start: usize, order: DateOrder) -> Option<WrittenTime> {
    let mut ahead = Ahead { line, at: start };
    let mut hour = ahead.two()?;
    ahead.sign(b':')?;
    let minute = ahead.two()?;
    let (mut second, mut nanos) = (0, 0);
    if ahead.sign(b':').is_some() {
        // A leap second is the one before it.
        second = ahead.two()?.min(59);
        nanos = ahead.fraction();
    }
    if ahead.line.get(ahead.at).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    if let Some(is_later) = ahead.half_of_day() {
        hour = hour % 12 + if is_later { 12 } else { 0 };
    }
    let time = Time::new(hour, minute, second, nanos).ok()?;
    let offset = ahead.offset();
    let back = Back::until(line, start);
    let (mut date, begin) = match back.last()? {
        b'T' | b't' | b'_' | b':' => back.without_last().date(order)?,
        _ => back.across_gap()?.date(order)?,
    };
    if date.year.is_none() {
        date.year = ahead.year();
    }
    Some(WrittenTime {
        date,
        time,
        offset,
        at: begin..ahead.at,
    })
}

/// What follows in a line.
struct Ahead<'l> {
    line: &'l [u8],
    at: usize,
}

impl Ahead<'_> {
    fn sign(&mut self, sign: u8) -> Option<()> {
        let is_next = self.line.get(self.at) == Some(&sign);
        self.at += usize::from(is_next);
        is_next.then_some(())
    }

    /// A number of one or two digits.
    fn two(&mut self) -> Option<i8> {
        let len = digits(&self.line[self.at..]);
        let value = number(self.line.get(self.at..self.at + len.min(2))?)?;
        self.at += len;
        i8::try_from(value).ok().filter(|_| len <= 2)
    }

    /// The fraction of a second, in nanoseconds. Behind a comma it may be the next cell, such as an address.
    fn fraction(&mut self) -> i32 {
        let (is_comma, rest) = match self.line.get(self.at..) {
            Some([sign @ (b'.' | b','), rest @ ..]) => (*sign == b',', rest),
            _ => return 0,
        };
        let len = digits(rest);
        let is_cell =
            is_comma && (!len.is_multiple_of(3) || matches!(rest.get(len), Some(b'.' | b':')));
        if len == 0 || is_cell {
            return 0;
        }
        self.at += 1 + len;
        nanoseconds(&rest[..len])
    }

    /// Whether `PM` follows, or `AM`.
    fn half_of_day(&mut self) -> Option<bool> {
        let rest = self.line.get(self.at..)?;
        let gap = usize::from(rest.first() == Some(&b' '));
        let word = rest.get(gap..gap + 2)?;
        let is_later = match word.to_ascii_uppercase().as_slice() {
            b"AM" => false,
            b"PM" => true,
            _ => return None,
        };
        if rest.get(gap + 2).is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        self.at += gap + 2;
        Some(is_later)
    }

    /// The zone that follows: `Z`, `UTC`, `GMT`, `+02:00`, `+0200`, `+02`. Of other names several zones have one.
    fn offset(&mut self) -> Option<Offset> {
        let rest = self.line.get(self.at..)?;
        let gap = usize::from(rest.first() == Some(&b' '));
        let rest = &rest[gap..];
        let ends = |len: usize| !rest.get(len).is_some_and(u8::is_ascii_alphanumeric);
        for name in [&b"Z"[..], b"UTC", b"GMT"] {
            if rest.starts_with(name) && ends(name.len()) {
                self.at += gap + name.len();
                return Some(Offset::UTC);
            }
        }
        let (sign, rest) = match rest {
            [b'+', rest @ ..] => (1, rest),
            [b'-', rest @ ..] => (-1, rest),
            _ => return None,
        };
        let (hours, minutes, len) = match (digits(rest), rest) {
            (4, _) => (number(&rest[..2])?, number(&rest[2..4])?, 4),
            (2, [_, _, b':', more @ ..]) if digits(more) == 2 => {
                (number(&rest[..2])?, number(&more[..2])?, 5)
            }
            (2, _) => (number(&rest[..2])?, 0, 2),
            _ => return None,
        };
        let seconds = sign * (hours * 3600 + minutes * 60);
        let offset = Offset::from_seconds(i32::try_from(seconds).ok()?).ok()?;
        self.at += gap + 1 + len;
        Some(offset)
    }

    /// The year behind the time, as `date` writes it.
    fn year(&self) -> Option<i16> {
        let rest = self.line.get(self.at..)?.strip_prefix(b" ")?;
        let year = i16::try_from(number(rest.get(..4)?)?).ok()?;
        (digits(rest) == 4 && (1970..2200).contains(&year)).then_some(year)
    }
}

/// What precedes in a line, read backwards.
#[derive(Clone, Copy)]
struct Back<'l>(&'l [u8]);

impl<'l> Back<'l> {
    fn until(line: &'l [u8], end: usize) -> Self {
        Self(&line[..end])
    }

    fn last(&self) -> Option<u8> {
        self.0.last().copied()
    }

    fn without_last(self) -> Self {
        Self(&self.0[..self.0.len() - 1])
    }

    /// Up to three signs between a date and its time, and the key of the time.
    fn across_gap(self) -> Option<Self> {
        let gap = |text: &'l [u8]| {
            let signs = text.iter().rev().take(3);
            let len = signs.take_while(|byte| b" ,;\t\"".contains(byte)).count();
            (len > 0).then(|| &text[..text.len() - len])
        };
        let key = self
            .0
            .strip_suffix(b"time=")
            .or(self.0.strip_suffix(b"time=\""));
        gap(key.unwrap_or(self.0)).map(Self)
    }

    /// One of these signs.
    fn sign(&mut self, signs: &[u8]) -> Option<u8> {
        let sign = self.last().filter(|byte| signs.contains(byte))?;
        *self = self.without_last();
        Some(sign)
    }

    /// A number with its digits.
    fn number(&mut self) -> Option<(i64, usize)> {
        let digits = self
            .0
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (rest, own) = self.0.split_at(self.0.len() - digits);
        self.0 = rest;
        Some((number(own)?, digits))
    }

    /// The name of a month, whole or its first three letters.
    fn month(&mut self) -> Option<i8> {
        let letters = self
            .0
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphabetic());
        let (rest, own) = self.0.split_at(self.0.len() - letters.take(10).count());
        let own = own.to_ascii_lowercase();
        let is_own = |name: &&[u8]| own == **name || own == name[..3];
        let at = MONTHS.iter().position(is_own)?;
        self.0 = rest;
        i8::try_from(at + 1).ok()
    }

    /// The gap between the parts of a date.
    fn gap(&mut self) -> Option<()> {
        self.sign(b"/-. ")?;
        // `Nov  1`, `Nov 20, 2026`
        let _ = self.sign(b" ,");
        Some(())
    }

    /// The date that ends here, and where it begins.
    fn date(mut self, order: DateOrder) -> Option<(WrittenDate, usize)> {
        let date = self.read_date(order)?;
        Some((date, self.0.len()))
    }

    fn read_date(&mut self, order: DateOrder) -> Option<WrittenDate> {
        let of = |year: Option<i64>, month: i8, day: i64| {
            let year = match year {
                Some(year) => Some(i16::try_from(year).ok()?),
                None => None,
            };
            let day = i8::try_from(day).ok()?;
            Some(WrittenDate { year, month, day })
        };
        let of_numbers = |year, [first, second]: [i64; 2]| {
            let (month, day) = match order {
                DateOrder::Iso => return None,
                DateOrder::Us => (first, second),
                DateOrder::Eu => (second, first),
            };
            of(Some(year), i8::try_from(month).ok()?, day)
        };
        if let Some(month) = self.month() {
            self.gap()?;
            let (day, len) = self.number()?;
            return of(None, month, day).filter(|_| len <= 2);
        }
        let (last, len) = self.number()?;
        if len == 8 {
            let month = i8::try_from(last / 100 % 100).ok()?;
            return of(Some(last / 10_000), month, last % 100);
        }
        self.gap()?;
        if let Some(month) = self.month() {
            if len <= 2 {
                return of(None, month, last);
            }
            self.gap()?;
            let (day, own) = self.number()?;
            return of(Some(last), month, day).filter(|_| len == 4 && own <= 2);
        }
        let (second, own) = self.number()?;
        // `Nov 20 2026`
        if len == 4 && own <= 2 {
            let mut before = *self;
            if before.gap().is_some()
                && let Some(month) = before.month()
            {
                *self = before;
                return of(Some(last), month, second);
            }
        }
        self.gap()?;
        let (first, more) = self.number()?;
        let is_joined = self.last().is_some_and(|byte| byte.is_ascii_alphanumeric());
        match [more, own, len] {
            _ if is_joined => None,
            [4, 1..=2, 1..=2] => of(Some(first), i8::try_from(second).ok()?, last),
            [1..=2, 1..=2, 4] => of_numbers(last, [first, second]),
            [1..=2, 1..=2, 2] => of_numbers(2000 + last, [first, second]),
            _ => None,
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
        words(reader(order).read(line.as_bytes()))
    }

    fn words(time: Option<EventTime>) -> String {
        time.map_or_else(String::new, |time| {
            let zone = if time.is_zone_assumed { " z" } else { "" };
            let year = if time.is_year_assumed { " y" } else { "" };
            format!("{}{zone}{year}", time.at)
        })
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
            ("20261120 10:15:30 UTC", "2026-11-20T10:15:30Z"),
            ("1795428930 198.51.100.7", "2026-11-23T10:15:30Z"),
            (
                "1795428930.250    120 198.51.100.7 TCP_MISS",
                "2026-11-23T10:15:30.25Z",
            ),
            ("audit(1795428930.250:77): pid=1", "2026-11-23T10:15:30.25Z"),
            ("{\"timestamp\":1795428930250}", "2026-11-23T10:15:30.25Z"),
            ("1795428930250000", "2026-11-23T10:15:30.25Z"),
            ("1795428930250000000", "2026-11-23T10:15:30.25Z"),
            ("134399025302500000", "2026-11-23T10:15:30.25Z"),
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
        let mut next = |line: &str| words(reader.read(line.as_bytes()));
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
                let _ = reader(order).read(&line);
            }
        }
    }
}
