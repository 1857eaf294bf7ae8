//! The prefix table: for each upper half of IPv4, its range in the order of addresses.
//!
//! ```text
//! prefixes    upper half of an IPv4 address u16, addresses up to its last u32; for each occupied upper half, ascending
//! ```
//!
//! A large feed has nearly all upper halves, a small one few. In both cases only few entries can be an upper half, and the search
//! is limited to those.

use std::{io, ops::Range};

use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U16, U32},
};

use super::{
    QueryError,
    id::{lower_half, offset, place},
};

/// The number of possible upper halves.
const MOST: usize = 1 << 16;

/// The range of addresses of each upper half.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefixes<'a>(&'a [Prefix]);

/// An upper half that has addresses.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Prefix {
    upper: U16,
    end: U32,
}

/// Builds the section from addresses in order.
#[derive(Debug, Default)]
pub(super) struct PrefixWriter {
    prefixes: Vec<Prefix>,
    count: usize,
}

impl PrefixWriter {
    /// Takes the next address.
    pub(super) fn push(&mut self, upper: u16) -> io::Result<()> {
        self.count += 1;
        let end = offset(self.count)?;
        match self.prefixes.last_mut() {
            Some(last) if last.upper == upper => last.end = end,
            _ => self.prefixes.push(Prefix {
                upper: upper.into(),
                end,
            }),
        }
        Ok(())
    }

    /// The bytes of the section.
    pub(super) fn section(&self) -> &[u8] {
        self.prefixes.as_bytes()
    }
}

impl<'a> Prefixes<'a> {
    #[inline]
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, QueryError> {
        let read = <[Prefix]>::ref_from_bytes(bytes).ok().map(Self);
        let read = read.filter(|read| read.0.len() <= MOST);
        read.ok_or_else(damaged)
    }

    /// The number of addresses.
    pub(super) fn addresses(self) -> usize {
        self.0.last().map_or(0, |last| place(last.end.get()))
    }

    /// The index of the first entry whose upper half is not below `upper`.
    #[inline]
    fn find(self, upper: u16) -> usize {
        // An upper half is at most as far before its own number as upper halves are missing.
        let last = usize::from(upper).min(self.0.len());
        let first = usize::from(upper).saturating_sub(MOST - self.0.len());
        let within = &self.0[first.min(last)..last];
        first.min(last) + within.partition_point(|prefix| prefix.upper.get() < upper)
    }

    /// The range of addresses of the entry at an index.
    #[inline]
    fn places(self, at: usize) -> Range<usize> {
        let end = |at: usize| place(self.0[at].end.get());
        let start = at.checked_sub(1).map_or(0, end);
        start
            ..self
                .0
                .get(at)
                .map_or(start, |prefix| place(prefix.end.get()))
    }

    /// The range of addresses of an upper half.
    #[inline]
    pub(super) fn of(self, upper: u16) -> Range<usize> {
        let at = self.find(upper);
        let places = self.places(at);
        let is_there = self.0.get(at).is_some_and(|prefix| prefix.upper == upper);
        places.start..if is_there { places.end } else { places.start }
    }

    /// The upper half of the address at a position, and the range of all addresses with it.
    pub(super) fn at(self, address: usize) -> Option<(u16, Range<usize>)> {
        let at = self
            .0
            .partition_point(|prefix| place(prefix.end.get()) <= address);
        Some((self.0.get(at)?.upper.get(), self.places(at)))
    }

    /// The first upper half from `upper` on that has addresses, and their range.
    pub(super) fn next(self, upper: u32) -> Result<Option<(u16, Range<usize>)>, QueryError> {
        let Ok(upper) = u16::try_from(upper) else {
            return Ok(None);
        };
        let at = self.find(upper);
        match self.0.get(at) {
            None => Ok(None),
            Some(prefix) if prefix.upper < upper => Err(damaged()),
            Some(prefix) => Ok(Some((prefix.upper.get(), self.places(at)))),
        }
    }
}

fn damaged() -> QueryError {
    QueryError::Damaged("the prefixes of addresses do not add up".to_owned())
}

/// The upper half and the lower half of an address.
#[inline]
pub(super) fn halves(bits: u32) -> (u16, u16) {
    (super::id::upper_half(bits), lower_half(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upper_halves_are_found_however_many_there_are() {
        for step in [1, 2, 7, 1000, 65_535] {
            let has = |upper: u16| upper.is_multiple_of(step) && upper != 7;
            let mut writer = PrefixWriter::default();
            for upper in (0..=u16::MAX).filter(|upper| has(*upper)) {
                for _ in 0..=upper % 3 {
                    writer.push(upper).expect("few");
                }
            }
            let bytes = writer.section().to_vec();
            let read = Prefixes::read(&bytes).expect("prefixes");
            let mut before = 0;
            for upper in 0..=u16::MAX {
                let count = if has(upper) {
                    1 + usize::from(upper % 3)
                } else {
                    0
                };
                let own = before..before + count;
                assert_eq!(read.of(upper), own, "{step} {upper}");
                for address in own.clone() {
                    assert_eq!(read.at(address), Some((upper, own.clone())));
                }
                before = own.end;
            }
            assert_eq!(read.addresses(), before);
            assert_eq!(read.at(before), None);
            let from = 64_000;
            let next = (from..=u16::MAX).find(|upper| has(*upper));
            let found = read
                .next(from.into())
                .map(|found| found.map(|(upper, _)| upper));
            assert_eq!(found, Ok(next));
            assert_eq!(read.next(1 << 16), Ok(None));
        }
        assert!(Prefixes::read(&[0; 7]).is_err());
    }

    #[test]
    fn numbers_in_any_order_do_no_harm() {
        let mut random = fastrand::Rng::with_seed(5);
        for count in [0, 1, 9, 200] {
            let bytes: Vec<u8> = (0..count * 6).map(|_| random.u8(..)).collect();
            let read = Prefixes::read(&bytes).expect("prefixes");
            for upper in (0..=u16::MAX).step_by(97) {
                let _ = (read.of(upper), read.next(upper.into()), read.addresses());
                let _ = read.at(usize::from(upper) * 70_000);
            }
            // Visits the ranges as a walk over all addresses does: each step advances or returns an error.
            let (mut next, mut steps) = (0, 0);
            while let Ok(Some((upper, _))) = read.next(next) {
                next = u32::from(upper) + 1;
                steps += 1;
                assert!(steps <= 1 << 16);
            }
        }
    }
}
