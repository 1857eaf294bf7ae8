//! Zones as they are written: an offset, or a name that several zones may have.

use jiff::tz::{Offset, TimeZone};

use super::digits::{digits, number};

/// A zone beside a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenZone {
    Offset(Offset),
    /// A name, which is an offset only together with a place: `CET`, `IST`.
    Name(ZoneName),
}

/// The abbreviation of a zone, in capitals, filled up with blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ZoneName([u8; ZoneName::LONGEST]);

/// Abbreviations that are found in logs; other words behind a time are none.
const NAMES: [&str; 52] = [
    "CET", "CEST", "MET", "MEST", "WET", "WEST", "EET", "EEST", "BST", "IST", "MSK", "MSD", "SAST",
    "CAT", "EAT", "WAT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "AKST", "AKDT",
    "HST", "AST", "ADT", "NST", "NDT", "BRT", "ART", "CLT", "COT", "PKT", "NPT", "WIB", "SGT",
    "HKT", "PHT", "JST", "KST", "AWST", "ACST", "ACDT", "AEST", "AEDT", "NZST", "NZDT", "TRT",
    "GST",
];

impl ZoneName {
    const LONGEST: usize = 4;

    /// The name as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("?").trim_end()
    }

    fn of(word: &[u8]) -> Option<Self> {
        let name = NAMES.iter().find(|name| name.as_bytes() == word)?;
        let mut own = [b' '; Self::LONGEST];
        own[..name.len()].copy_from_slice(name.as_bytes());
        Some(Self(own))
    }
}

impl WrittenZone {
    /// The zone with which a text begins, and its length: `Z`, `UTC`, `+02:00`, `GMT-0500`, `CET`. One digit alone is an offset only where
    /// it is joined to the time.
    pub(super) fn at(text: &[u8], is_joined: bool) -> Option<(Self, usize)> {
        let ends = |len: usize| {
            let next = text.get(len);
            !next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        for name in [&b"Z"[..], b"UTC", b"GMT"] {
            if !text.starts_with(name) {
                continue;
            }
            let offset = Self::offset(&text[name.len()..], true);
            if let Some((offset, len)) = offset.filter(|_| name.len() > 1) {
                return Some((offset, name.len() + len));
            }
            return ends(name.len()).then_some((Self::Offset(Offset::UTC), name.len()));
        }
        if let Some(found) = Self::offset(text, is_joined) {
            return Some(found);
        }
        let letters = text.iter().take(6);
        let len = letters.take_while(|byte| byte.is_ascii_uppercase()).count();
        let name = ZoneName::of(&text[..len])?;
        ends(len).then_some((Self::Name(name), len))
    }

    /// `+02:00`, `+0200`, `+02`, and behind a name `+2`.
    fn offset(text: &[u8], takes_short: bool) -> Option<(Self, usize)> {
        let (sign, rest) = match text {
            [b'+', rest @ ..] => (1, rest),
            [b'-', rest @ ..] => (-1, rest),
            _ => return None,
        };
        let (hours, minutes, len) = match (digits(rest), rest) {
            (4, _) => (number(&rest[..2])?, number(&rest[2..4])?, 4),
            (1 | 2, [..]) if rest.get(digits(rest)) == Some(&b':') => {
                let own = digits(rest);
                let more = &rest[own + 1..];
                if digits(more) != 2 {
                    return None;
                }
                (number(&rest[..own])?, number(&more[..2])?, own + 3)
            }
            (count @ 2, _) => (number(&rest[..2])?, 0, count),
            (count @ 1, _) if takes_short => (number(&rest[..1])?, 0, count),
            _ => return None,
        };
        let is_end = !rest.get(len).is_some_and(u8::is_ascii_alphanumeric);
        let seconds = sign * (hours * 3600 + minutes * 60);
        let is_offset = hours <= 14 && minutes < 60 && is_end;
        let offset = Offset::from_seconds(i32::try_from(seconds).ok()?).ok()?;
        is_offset.then_some((Self::Offset(offset), len + 1))
    }

    /// The zone that a value is.
    pub(super) fn of_value(value: &[u8]) -> Option<Self> {
        let value = value.trim_ascii();
        // `(GMT-5:00)Eastern Time`
        let value = value.strip_prefix(b"(").unwrap_or(value);
        if let Some((zone, len)) = Self::at(value, true)
            && (len == value.len() || matches!(value[len], b' ' | b')'))
        {
            return Some(zone);
        }
        None
    }

    /// The offset that a name means in a place at a time, if it means one there.
    pub(in super::super) fn offset_in(
        name: ZoneName,
        zone: &TimeZone,
        local: jiff::civil::DateTime,
    ) -> Option<Offset> {
        use jiff::tz::AmbiguousOffset;
        let possible = match zone.to_ambiguous_timestamp(local).offset() {
            AmbiguousOffset::Unambiguous { offset } => [offset, offset],
            AmbiguousOffset::Gap { before, after } | AmbiguousOffset::Fold { before, after } => {
                [before, after]
            }
        };
        possible.into_iter().find(|offset| {
            let at = offset.to_timestamp(local);
            at.is_ok_and(|at| zone.to_offset_info(at).abbreviation() == name.as_str())
        })
    }
}
