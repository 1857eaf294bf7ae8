//! Where in the order of addresses those are that have the same upper half.
//!
//! ```text
//! halves      upper half of an IPv4 address u16, addresses up to its last u32; for each half that there is, ascending; or
//!             for each half that there can be, and one more: how many addresses come before, u32 each
//! ```
//!
//! Of the two forms the shorter one is written; they never have the same length.

use std::ops::Range;

use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U16, U32},
};

use super::NoAnswer;

/// Where the addresses of each upper half are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Halves<'a> {
    /// How many addresses come before each half that there can be.
    All(&'a [U32]),
    /// Of each half that there is how many addresses come up to its last.
    Some(&'a [Half]),
}

/// An upper half that there is.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Half {
    upper: U16,
    end: U32,
}

/// Upper halves that there can be.
const HALVES: usize = 1 << 16;

/// The bytes of the section, of how many addresses have each upper half: the shorter of the two forms.
pub(super) fn section(counts: &[u32]) -> Vec<u8> {
    let mut end = 0;
    let ends = counts.iter().zip(0_u16..=u16::MAX).map(|(count, upper)| {
        end += count;
        let end = end.into();
        let upper = upper.into();
        (*count > 0, Half { upper, end })
    });
    let ends: Vec<(bool, Half)> = ends.collect();
    let some: Vec<Half> = ends.iter().filter(|own| own.0).map(|own| own.1).collect();
    if size_of_val(&*some) < (HALVES + 1) * 4 {
        return some.as_bytes().to_vec();
    }
    let mut all = vec![U32::ZERO];
    all.extend(ends.iter().map(|own| own.1.end));
    all.as_bytes().to_vec()
}

impl<'a> Halves<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, NoAnswer> {
        if bytes.len() == (HALVES + 1) * 4 {
            return <[U32]>::ref_from_bytes(bytes)
                .map_err(|_| odd())
                .map(Self::All);
        }
        <[Half]>::ref_from_bytes(bytes)
            .map_err(|_| odd())
            .map(Self::Some)
    }

    /// The places of the addresses that have an upper half.
    #[inline]
    pub(super) fn of(self, upper: usize) -> Option<Range<usize>> {
        match self {
            Self::All(befores) => {
                let at = |upper: usize| befores.get(upper).map(|before| before.get() as usize);
                Some(at(upper)?..at(upper + 1)?)
            }
            Self::Some(halves) => {
                let place = halves.partition_point(|half| usize::from(half.upper.get()) < upper);
                let before = place.checked_sub(1).map(|place| halves[place]);
                let start = before.map_or(0, |half| half.end.get() as usize);
                let own = halves.get(place);
                let own = own.filter(|half| usize::from(half.upper.get()) == upper);
                Some(start..own.map_or(start, |half| half.end.get() as usize))
            }
        }
    }

    /// The first half from one on that some addresses have, and their places.
    pub(super) fn next(self, upper: usize) -> Option<(usize, Range<usize>)> {
        match self {
            Self::All(_) => (upper..HALVES)
                .filter_map(|upper| Some((upper, self.of(upper)?)))
                .find(|(_, places)| !places.is_empty()),
            Self::Some(halves) => {
                let place = halves.partition_point(|half| usize::from(half.upper.get()) < upper);
                let upper = usize::from(halves.get(place)?.upper.get());
                Some((upper, self.of(upper)?))
            }
        }
    }
}

fn odd() -> NoAnswer {
    NoAnswer::Damaged("the halves of addresses do not add up".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_found_in_both_forms() {
        for step in [1, 2, 7, 1000, 70_000] {
            let count = |upper: usize| u32::from(upper.is_multiple_of(step));
            let counts: Vec<u32> = (0..HALVES).map(count).collect();
            let bytes = section(&counts);
            let read = Halves::read(&bytes).expect("halves");
            assert_eq!(matches!(read, Halves::All(_)), step == 1);
            let mut before = 0;
            for upper in 0..HALVES {
                let own = before..before + count(upper) as usize;
                assert_eq!(read.of(upper), Some(own.clone()), "{step} {upper}");
                before = own.end;
            }
            let from = HALVES - 1500;
            let next = (from..HALVES).find(|upper| count(*upper) > 0);
            assert_eq!(read.next(from).map(|(upper, _)| upper), next);
            assert_eq!(read.next(HALVES), None);
        }
        assert!(Halves::read(&[0; 7]).is_err());
    }
}
