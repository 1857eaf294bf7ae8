//! Clocks and the zones behind them, read onwards.

use jiff::civil::Time;

use super::{
    digits::{digits, nanoseconds, number},
    zone::WrittenZone,
};

/// What follows in a line.
pub(super) struct Ahead<'l> {
    pub(super) line: &'l [u8],
    pub(super) at: usize,
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

    /// Hours and minutes, perhaps seconds, and the zone behind them.
    pub(super) fn clock(&mut self) -> Option<(Time, Option<WrittenZone>)> {
        let mut hour = self.two()?;
        self.sign(b':')?;
        let minute = self.two()?;
        let (mut second, mut nanos) = (0, 0);
        if self.sign(b':').is_some() {
            // A leap second is the one before it.
            second = self.two()?.min(59);
            nanos = self.fraction();
        }
        if let Some([b'0'..=b'9', ..] | [b':', b'0'..=b'9', ..]) = self.line.get(self.at..) {
            return None;
        }
        if let Some(is_later) = self.half_of_day() {
            hour = hour % 12 + if is_later { 12 } else { 0 };
        }
        let clock = Time::new(hour, minute, second, nanos).ok()?;
        Some((clock, self.zone()))
    }

    /// The fraction of a second, in nanoseconds. Behind a comma it may be the next cell, such as an address.
    pub(super) fn fraction(&mut self) -> i32 {
        let (is_comma, rest) = match self.line.get(self.at..) {
            Some([sign @ (b'.' | b','), rest @ ..]) => (*sign == b',', rest),
            _ => return 0,
        };
        let len = digits(rest);
        let next = rest.get(len);
        let is_cell = is_comma
            && (len != 3 && len != 6
                || matches!(next, Some(b'.' | b':'))
                || len == 6 && next == Some(&b','));
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

    /// The zone that follows.
    pub(super) fn zone(&mut self) -> Option<WrittenZone> {
        let rest = self.line.get(self.at..)?;
        let gap = usize::from(rest.first() == Some(&b' '));
        let (zone, len) = WrittenZone::at(&rest[gap..], gap == 0)?;
        self.at += gap + len;
        Some(zone)
    }

    /// The name of the zone of an offset, where it follows that: ` (CET)`, ` CET`.
    pub(super) fn name_of(&self, zone: Option<WrittenZone>) -> Option<(WrittenZone, WrittenZone)> {
        let offset = zone.filter(|zone| matches!(zone, WrittenZone::Offset(_)))?;
        let rest = self.line.get(self.at..)?.strip_prefix(b" ")?;
        let rest = rest.strip_prefix(b"(").unwrap_or(rest);
        let (name, _) = WrittenZone::at(rest, false)?;
        matches!(name, WrittenZone::Name(_)).then_some((name, offset))
    }

    /// The year behind the time, as `date` writes it.
    pub(super) fn year(&self) -> Option<i16> {
        let rest = self.line.get(self.at..)?.strip_prefix(b" ")?;
        let year = i16::try_from(number(rest.get(..4)?)?).ok()?;
        (digits(rest) == 4 && (1970..2200).contains(&year)).then_some(year)
    }
}
