//! Dates, read backwards from the clock behind them.

use super::digits::{digits, number, two};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::investigation::event_time) struct WrittenDate {
    pub(in crate::investigation::event_time) year: Option<i16>,
    pub(in crate::investigation::event_time) month: i8,
    pub(in crate::investigation::event_time) day: i8,
}

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

/// What precedes in a line, read backwards.
#[derive(Clone, Copy)]
pub(super) struct Back<'l>(&'l [u8]);

impl<'l> Back<'l> {
    pub(super) fn until(line: &'l [u8], end: usize) -> Self {
        Self(&line[..end])
    }

    pub(super) fn last(&self) -> Option<u8> {
        self.0.last().copied()
    }

    pub(super) fn without_last(self) -> Self {
        Self(&self.0[..self.0.len() - 1])
    }

    /// Up to three signs between a date and its time, and the key of the time.
    pub(super) fn across_gap(self) -> Option<Self> {
        let gap = |text: &'l [u8]| {
            let signs = text.iter().rev().take(3);
            let len = signs.take_while(|byte| b" ,;\t\"@".contains(byte)).count();
            (len > 0).then(|| &text[..text.len() - len])
        };
        let key = self
            .0
            .strip_suffix(b"time=")
            .or(self.0.strip_suffix(b"time=\""));
        gap(key.unwrap_or(self.0)).map(Self)
    }

    /// `261127`, at the beginning of a line.
    pub(super) fn six_digits(self) -> Option<(WrittenDate, usize)> {
        let begin = self.0.len().checked_sub(6)?;
        let is_at_head = self.0[..begin].is_empty() || self.0.starts_with(b"# Time: ");
        let own = &self.0[begin..];
        let is_plain = is_at_head && digits(own) == 6;
        let (month, day) = (two(own, 2)?, two(own, 4)?);
        let year = 2000 + i16::from(two(own, 0)?);
        let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
        let year = Some(year);
        (is_plain && is_day).then_some((WrittenDate { year, month, day }, begin))
    }

    /// `26/11/28@`, at the beginning of a line, as xinetd has it: the year first.
    pub(super) fn year_first(self) -> Option<(WrittenDate, usize)> {
        let own = self.0.strip_suffix(b"@")?;
        let own: &[u8; 8] = own.try_into().ok()?;
        let [.., b'/', _, _, b'/', _, _] = own else {
            return None;
        };
        let (month, day) = (two(own, 3)?, two(own, 6)?);
        let year = Some(2000 + i16::from(two(own, 0)?));
        let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
        is_day.then_some((WrittenDate { year, month, day }, 0))
    }

    /// One of these signs.
    fn sign(&mut self, signs: &[u8]) -> Option<u8> {
        let sign = self.last().filter(|byte| signs.contains(byte))?;
        *self = self.without_last();
        Some(sign)
    }

    /// A number with its digits.
    fn number(&mut self) -> Option<(i64, usize)> {
        let own = self.0.iter().rev();
        let digits = own.take_while(|byte| byte.is_ascii_digit()).count();
        let (rest, own) = self.0.split_at(self.0.len() - digits);
        self.0 = rest;
        Some((number(own)?, digits))
    }

    /// The name of a month, whole or its first three letters.
    fn month(&mut self) -> Option<i8> {
        let letters = self.0.iter().rev();
        let letters = letters.take_while(|byte| byte.is_ascii_alphabetic());
        let (rest, own) = self.0.split_at(self.0.len() - letters.take(10).count());
        let mut begin: [u8; 3] = own.get(..3)?.try_into().ok()?;
        begin.make_ascii_lowercase();
        let at = MONTHS.iter().position(|name| name[..3] == begin)?;
        if own.len() > 3 && !own.eq_ignore_ascii_case(MONTHS[at]) {
            return None;
        }
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
    pub(super) fn date(mut self, order: DateOrder) -> Option<(WrittenDate, usize)> {
        let date = self.read_date(order)?;
        let is_day = (1..=12).contains(&date.month) && (1..=31).contains(&date.day);
        is_day.then_some((date, self.0.len()))
    }

    /// The year before the name of a month at the head of a line: `2026 Nov 20`.
    fn year_at_head(&mut self) -> Option<i64> {
        let mut before = *self;
        before.sign(b" ")?;
        let (year, len) = before.number()?;
        let is_at_head = before.0.iter().all(|byte| b" \t[(\"'<>#".contains(byte));
        let is_year = len == 4 && (1970..2200).contains(&year) && is_at_head;
        if is_year {
            *self = before;
        }
        is_year.then_some(year)
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
            of(year, i8::try_from(month).ok()?, day)
        };
        if let Some(month) = self.month() {
            self.gap()?;
            let (day, len) = self.number()?;
            return of(None, month, day).filter(|_| len <= 2);
        }
        let (last, len) = self.number()?;
        if len == 8 {
            let is_joined = self.last().is_some_and(|byte| byte.is_ascii_alphanumeric());
            let month = i8::try_from(last / 100 % 100).ok()?;
            return of(Some(last / 10_000), month, last % 100).filter(|_| !is_joined);
        }
        self.gap()?;
        if let Some(month) = self.month() {
            if len <= 2 {
                return of(self.year_at_head(), month, last);
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
        // `11/27-09:48:32.5`, the month first.
        let is_first = self.last().is_none_or(|byte| byte.is_ascii_whitespace());
        if own <= 2 && len <= 2 && is_first && order == DateOrder::Us {
            return of_numbers(None, [second, last]);
        }
        self.gap()?;
        let (first, more) = self.number()?;
        let is_joined = self.last().is_some_and(|byte| byte.is_ascii_alphanumeric());
        match [more, own, len] {
            _ if is_joined => None,
            [4, 1..=2, 1..=2] => of(Some(first), i8::try_from(second).ok()?, last),
            [1..=2, 1..=2, 4] => of_numbers(Some(last), [first, second]),
            [1..=2, 1..=2, 2] => of_numbers(Some(2000 + last), [first, second]),
            _ => None,
        }
    }
}
