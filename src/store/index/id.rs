//! Newtypes for the numbers in an index, and all conversions between them.
//!
//! No conversion wraps: each is lossless, checked, or named after the part that it takes.

use std::{io, ops::Range};

use zerocopy::little_endian::U32;

pub(super) const CHUNK: usize = 1 << 16;

/// The number of a record within its release: the chunk in the upper half, the row within it in the lower half. Numbers ascend in
/// the order of the feed; they have gaps where long lines fill a chunk early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub u32);

impl RowId {
    #[inline]
    pub(super) fn new(chunk: ChunkId, row: u16) -> Self {
        Self(u32::from(chunk.0) << 16 | u32::from(row))
    }

    #[inline]
    pub(super) fn chunk(self) -> ChunkId {
        ChunkId(upper_half(self.0))
    }

    #[inline]
    pub(super) fn within(self) -> u16 {
        lower_half(self.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChunkId(u16);

impl ChunkId {
    /// The maximum number of chunks of an index.
    pub(super) const MOST: usize = 1 << 16;

    /// `None` from [`ChunkId::MOST`] on.
    pub(super) fn new(ordinal: usize) -> Option<Self> {
        u16::try_from(ordinal).ok().map(Self)
    }

    #[inline]
    pub(super) fn ordinal(self) -> usize {
        usize::from(self.0)
    }
}

/// The chunks with these ordinals, up to [`ChunkId::MOST`].
pub(super) fn chunks(ordinals: Range<usize>) -> impl Iterator<Item = ChunkId> + Clone {
    ordinals.map_while(ChunkId::new)
}

/// The number of a text in a dictionary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::store) struct WordId(pub(in crate::store) u32);

impl WordId {
    /// As an array index.
    #[inline]
    pub(in crate::store) fn place(self) -> usize {
        place(self.0)
    }

    /// The number in a value of a record; `None` if it is too large for any dictionary.
    #[inline]
    pub(super) fn from_value(value: u64) -> Option<Self> {
        u32::try_from(value).ok().map(Self)
    }
}

/// A 32-bit number as an array index. This program requires pointers of at least 32 bits.
#[inline]
pub(super) fn place(number: u32) -> usize {
    const { assert!(usize::BITS >= u32::BITS, "addresses have 32 bits or more") };
    number as usize
}

/// An offset or a count in its stored form.
///
/// # Errors
/// If it exceeds 32 bits. The limits of a build prevent this.
#[inline]
pub(super) fn offset(number: usize) -> io::Result<U32> {
    let too_large = |_| io::Error::other("a section of the index would pass 4 GiB");
    u32::try_from(number).map(U32::from).map_err(too_large)
}

/// The lower 16 bits.
#[inline]
pub(super) fn lower_half(number: u32) -> u16 {
    let [a, b, ..] = number.to_le_bytes();
    u16::from_le_bytes([a, b])
}

/// The upper 16 bits.
#[inline]
pub(super) fn upper_half(number: u32) -> u16 {
    let [.., c, d] = number.to_le_bytes();
    u16::from_le_bytes([c, d])
}

/// The lower 32 bits.
#[inline]
pub(super) fn lower_word(number: u64) -> u32 {
    let [a, b, c, d, ..] = number.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// The upper 32 bits.
#[inline]
pub(super) fn upper_word(number: u64) -> u32 {
    lower_word(number >> 32)
}

const _: () = assert!(CHUNK == 1 << 16, "rows of a chunk are numbers of 16 bits");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_knows_its_chunk() {
        let row = RowId(0x1_fffe);
        assert_eq!((row.chunk().ordinal(), row.within()), (1, 0xfffe));
        assert_eq!(RowId::new(row.chunk(), row.within()), row);
        assert_eq!(ChunkId::new(1 << 16), None);
        let last = chunks(0..1 << 20).last().map(ChunkId::ordinal);
        assert_eq!(last, Some(ChunkId::MOST - 1));
    }

    #[test]
    fn parts_are_the_parts() {
        assert_eq!(
            (lower_half(0x1234_5678), upper_half(0x1234_5678)),
            (0x5678, 0x1234)
        );
        assert_eq!(
            (lower_word(0x1_0000_0002), upper_word(0x1_0000_0002)),
            (2, 1)
        );
    }
}
