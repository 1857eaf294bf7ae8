//! The forms in which a time is written: what of it is there, before anything is assumed.

mod clock;
mod date;
mod digits;
mod epoch;
mod zone;

use std::ops::Range;

use jiff::{Timestamp, civil::Time};

use clock::Ahead;
use date::Back;
pub use date::DateOrder;
pub(super) use date::WrittenDate;
use digits::{digits, number, two};
use epoch::{Head, epoch, tai64n};
pub use zone::{WrittenZone, ZoneName};

/// What a text says of a time: all of it, or a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenTime {
    /// The moment itself, as a number.
    pub(super) epoch: Option<Timestamp>,
    pub(super) date: Option<WrittenDate>,
    pub(super) clock: Option<Time>,
    pub(super) zone: Option<WrittenZone>,
    /// The offset that stands before the name of its zone: `+0100 (CET)`.
    pub(super) named_as: Option<(WrittenZone, WrittenZone)>,
}

/// The most days by which the head of a line and its body may differ, to be about the same time.
const NEAR: i32 = 1;

impl WrittenTime {
    /// The time of a line that has no keys, outside of the places to leave out: a full date with a clock before one without a year, before
    /// a bare number at its head, before a day without a clock. Where the head has no year and the body says the same day, it is the body's.
    #[must_use]
    pub fn of_line(
        line: &[u8],
        order: DateOrder,
        is_left_out: &impl Fn(&Range<usize>) -> bool,
    ) -> Option<(Self, Range<usize>)> {
        let mut without_year: Option<(Self, Range<usize>)> = None;
        let mut day = None;
        let mut from = 0;
        loop {
            if without_year.is_some() && !may_have_clock(&line[from..]) {
                break;
            }
            // Behind a date with a clock a day alone is of no use.
            let of_day = without_year.is_none().then_some(&mut day);
            let next = Self::next_in(line, &mut from, order, of_day, is_left_out);
            let Some((found, at)) = next else { break };
            match &without_year {
                Some((head, _)) if !found.is_near(head) => {}
                _ if found.has_year() => return Some((found, at)),
                None => without_year = Some((found, at)),
                Some(_) => {}
            }
        }
        let bare = || {
            if let Some(at) = tai64n(line) {
                return Some((Self::of_epoch(at), 0..25));
            }
            let head = Head::of_line(line)?;
            if head.len() == 14 {
                return Some((fourteen_digits(&line[head.clone()])?, head));
            }
            let (at, place) = epoch(line, head, false)?;
            (!is_left_out(&place)).then(|| (Self::of_epoch(at), place))
        };
        without_year.or_else(bare).or(day)
    }

    /// The next date with a clock from a place on; a day alone is noted on the way.
    fn next_in(
        line: &[u8],
        from: &mut usize,
        order: DateOrder,
        mut day: Option<&mut Option<(Self, Range<usize>)>>,
        is_left_out: &impl Fn(&Range<usize>) -> bool,
    ) -> Option<(Self, Range<usize>)> {
        while let Some(start) = line.get(*from..)?.iter().position(u8::is_ascii_digit) {
            let start = *from + start;
            *from = start + digits(&line[start..]);
            let written = match (*from - start, line.get(*from)) {
                (1 | 2, Some(b':')) => {
                    let written = at_clock(line, start, order);
                    if written.is_none() {
                        // Its minutes are no hours.
                        *from = clock_end(line, *from);
                    }
                    written
                }
                (8, Some(b'T')) => in_one(line, start),
                (1..=4, Some(b'-' | b'/' | b'.' | b' ' | b',')) | (8, _) | (2, Some(_)) => {
                    if let Some(day) = day.as_deref_mut().filter(|day| day.is_none()) {
                        *day =
                            day_alone(line, start, order, false).filter(|(_, at)| !is_left_out(at));
                    }
                    None
                }
                _ => None,
            };
            if let Some((found, at)) = written.filter(|(_, at)| !is_left_out(at)) {
                *from = (*from).max(at.end);
                return Some((found, at));
            }
        }
        None
    }

    /// The time that a value is, or has: of a key that means a time also a bare number, a clock, a day in any form.
    #[must_use]
    pub fn of_value(value: &[u8], order: DateOrder, is_of_time: bool) -> Option<Self> {
        let value = value.trim_ascii();
        if !value
            .first()
            .is_some_and(|first| first.is_ascii_alphanumeric() || b"[(\"'<-+@".contains(first))
        {
            return None;
        }
        if is_of_time {
            if let Some((at, place)) = epoch(value, 0..digits(value), true)
                && place.end == value.len()
            {
                return Some(Self::of_epoch(at));
            }
            if let Some(written) = fourteen_digits(value) {
                return Some(written);
            }
        }
        let (mut from, mut day) = (0, None);
        let none = |_: &Range<usize>| false;
        if let Some((found, at)) = Self::next_in(value, &mut from, order, Some(&mut day), &none)
            && (is_of_time || at.start <= 8)
        {
            return Some(found);
        }
        if let Some((day, at)) = day
            && at.start == 0
            && (is_of_time || at.end == value.len())
        {
            return Some(day);
        }
        if !is_of_time {
            return None;
        }
        if let Some((day, _)) = day_alone(value, 0, order, true) {
            return Some(day);
        }
        clock_alone(value)
    }

    /// The zone that a value names, as in `tz="-0500"`.
    #[must_use]
    pub fn of_zone(value: &[u8]) -> Option<Self> {
        Some(Self {
            zone: Some(WrittenZone::of_value(value)?),
            ..Self::default()
        })
    }

    fn of_epoch(at: Timestamp) -> Self {
        Self {
            epoch: Some(at),
            ..Self::default()
        }
    }

    /// Whether it is a moment, but for a year or a zone.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.epoch.is_some() || self.date.is_some() && self.clock.is_some()
    }

    /// Whether its zone is a name, which may have more than one offset.
    #[must_use]
    pub fn names_zone(&self) -> bool {
        matches!(self.zone, Some(WrittenZone::Name(_)))
    }

    /// Whether it says a day at least.
    #[must_use]
    pub fn has_day(&self) -> bool {
        self.epoch.is_some() || self.date.is_some()
    }

    fn has_year(&self) -> bool {
        self.epoch.is_some() || self.date.is_some_and(|date| date.year.is_some())
    }

    /// The day of it alone.
    #[must_use]
    pub fn day(&self) -> Self {
        Self {
            date: self.date,
            ..Self::default()
        }
    }

    /// The same with what another one adds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.epoch.is_some() {
            return self;
        }
        Self {
            epoch: if self.date.is_none() && self.clock.is_none() {
                other.epoch
            } else {
                None
            },
            date: self.date.or(other.date),
            clock: self.clock.or(other.clock),
            zone: self.zone.or(other.zone),
            named_as: self.named_as.or(other.named_as),
        }
    }

    /// Whether it is about the day of another one, whatever year that has.
    fn is_near(&self, other: &Self) -> bool {
        match (self.date, other.date) {
            (Some(written_date), Some(other)) => {
                let day = |date: WrittenDate| i32::from(date.month) * 31 + i32::from(date.day);
                let apart = (day(written_date) - day(other)).rem_euclid(12 * 31);
                apart <= NEAR || apart >= 12 * 31 - NEAR
            }
            _ => false,
        }
    }
}

/// Whether a date with a clock may be in a text.
fn may_have_clock(text: &[u8]) -> bool {
    let mut signs = memchr::memchr2_iter(b':', b'T', text);
    signs.any(|at| at > 0 && text[at - 1].is_ascii_digit())
}

/// Where a clock ends of which this is the first colon.
fn clock_end(line: &[u8], colon: usize) -> usize {
    let own = line[colon..].iter();
    colon
        + own
            .take_while(|byte| byte.is_ascii_digit() || **byte == b':')
            .count()
}

fn is_joined(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-_./:%+".contains(byte))
}

/// The day that begins here, where no clock is beside it; eight digits in a row only at the head of a line, or where a key means a time.
fn day_alone(
    line: &[u8],
    start: usize,
    order: DateOrder,
    is_of_time: bool,
) -> Option<(WrittenTime, Range<usize>)> {
    let len = digits(&line[start..]);
    let (begin, end) = match len {
        8 => {
            let is_at_head =
                is_of_time || line[..start].iter().all(|byte| b" \"'[(".contains(byte));
            is_at_head.then_some((start, start + 8))?
        }
        1..=4 => {
            let text = &line[start..line.len().min(start + 24)];
            let end = start + date_len(text)?;
            (start, end)
        }
        _ => return None,
    };
    let back = Back::until(line, end);
    let (date, first) = back.date(order)?;
    let begin = begin.min(first);
    // A month may be before the day: `Nov 25, 2026`.
    date.year?;
    let before = begin.checked_sub(1).and_then(|at| line.get(at));
    let behind = &line[end..];
    let is_end = match behind {
        // `25.11.2026.`, `2026-11-25:`
        [b'.' | b':', next, ..] => !next.is_ascii_alphanumeric(),
        [next, ..] => !is_joined(Some(next)),
        [] => true,
    };
    if is_joined(before) && before != Some(&b':') || !is_end {
        return None;
    }
    let written = WrittenTime {
        date: Some(date),
        ..WrittenTime::default()
    };
    Some((written, begin..end))
}

/// How long the date is with which a text begins that has a sign or a month between its numbers.
fn date_len(text: &[u8]) -> Option<usize> {
    let first = digits(text);
    let sign = *text.get(first)?;
    let rest = &text[first + 1..];
    if sign == b',' {
        // `Nov 25, 2026`
        let gap = rest.iter().take_while(|byte| **byte == b' ').count();
        return (first <= 2 && digits(&rest[gap..]) == 4).then_some(first + 1 + gap + 4);
    }
    let second = match digits(rest) {
        0 => rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count(),
        len => len,
    };
    let third = &rest[second..];
    let is_same = third.first() == Some(&sign);
    if second == 0 {
        return None;
    }
    if sign == b' ' && digits(rest) == 4 {
        // `Nov 25 2026`
        return (first <= 2).then_some(first + 5);
    }
    let last = digits(third.get(1..)?);
    let is_date = is_same
        && match first {
            4 => last == 1 || last == 2,
            _ => last == 4 || last == 2 && sign != b' ',
        };
    is_date.then_some(first + 1 + second + 1 + last)
}

/// A clock by itself: `10:15:30`.
fn clock_alone(value: &[u8]) -> Option<WrittenTime> {
    let mut ahead = Ahead { line: value, at: 0 };
    let (clock, zone) = ahead.clock()?;
    (ahead.at == value.len()).then(|| WrittenTime {
        clock: Some(clock),
        zone,
        ..WrittenTime::default()
    })
}

/// `20261120T101530`, with what may follow.
fn in_one(line: &[u8], start: usize) -> Option<(WrittenTime, Range<usize>)> {
    let (date, time) = (&line[start..start + 8], line.get(start + 9..)?);
    let len = digits(time);
    if len != 6 && len != 4 {
        return None;
    }
    let mut ahead = Ahead {
        line,
        at: start + 9 + len,
    };
    let second = if len == 6 { two(time, 4)? } else { 0 };
    let nanos = ahead.fraction();
    let zone = ahead.zone();
    let written = WrittenTime {
        date: Some(eight_digits(date)?),
        clock: Some(Time::new(two(time, 0)?, two(time, 2)?, second.min(59), nanos).ok()?),
        zone,
        ..WrittenTime::default()
    };
    Some((written, start..ahead.at))
}

/// `20261120101530`, with what may follow.
fn fourteen_digits(value: &[u8]) -> Option<WrittenTime> {
    if digits(value) != 14 {
        return None;
    }
    let mut ahead = Ahead {
        line: value,
        at: 14,
    };
    let nanos = ahead.fraction();
    let (hour, minute, second) = (two(value, 8)?, two(value, 10)?, two(value, 12)?);
    let written = WrittenTime {
        date: Some(eight_digits(&value[..8])?),
        clock: Some(Time::new(hour, minute, second.min(59), nanos).ok()?),
        zone: ahead.zone(),
        ..WrittenTime::default()
    };
    (ahead.at == value.len()).then_some(written)
}

/// `20261120`
fn eight_digits(digits: &[u8]) -> Option<WrittenDate> {
    let (month, day) = (two(digits, 4)?, two(digits, 6)?);
    let year = i16::try_from(number(&digits[..4])?).ok()?;
    let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
    (is_day && (1970..2200).contains(&year)).then_some(WrittenDate {
        year: Some(year),
        month,
        day,
    })
}

/// The time whose hour is here, with the date before it.
fn at_clock(line: &[u8], start: usize, order: DateOrder) -> Option<(WrittenTime, Range<usize>)> {
    let mut ahead = Ahead { line, at: start };
    let (clock, zone) = ahead.clock()?;
    let back = Back::until(line, start);
    let (mut date, begin) = match back.last()? {
        // `11/27/2026-09:48:32.5`, as packet tools write it, the month first.
        b'-' if order == DateOrder::Iso => back.without_last().date(DateOrder::Us)?,
        b'T' | b't' | b'_' | b':' | b'-' => back.without_last().date(order)?,
        b'@' if let Some(found) = back.year_first() => found,
        _ => {
            let back = back.across_gap()?;
            back.date(order).or_else(|| back.six_digits())?
        }
    };
    if date.year.is_none() {
        date.year = ahead.year();
    }
    let named_as = ahead.name_of(zone);
    let written = WrittenTime {
        date: Some(date),
        clock: Some(clock),
        zone,
        named_as,
        epoch: None,
    };
    Some((written, begin..ahead.at))
}
