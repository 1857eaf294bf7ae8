//! Byte strings, each kept once, one behind the other.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Where a byte string is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Kept {
    /// Where it begins.
    pub(super) at: u32,
    length: u32,
}

/// Byte strings, each kept once, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Distinct {
    bytes: Vec<u8>,
    known: HashTable<Kept>,
    /// Seeded anew in every process: whoever makes a feed cannot choose strings that meet.
    hasher: RandomState,
}

impl Distinct {
    /// Keeps a byte string, unless it is kept already; `None` when 32 bits cannot say where.
    pub(super) fn keep(&mut self, string: &[u8]) -> Option<Kept> {
        let Self {
            bytes,
            known,
            hasher,
        } = self;
        let hash = hasher.hash_one(string);
        if let Some(kept) = known.find(hash, |kept| slice(bytes, *kept) == string) {
            return Some(*kept);
        }
        let kept = Kept {
            at: u32::try_from(bytes.len()).ok()?,
            length: u32::try_from(string.len()).ok()?,
        };
        known.insert_unique(hash, kept, |kept| hasher.hash_one(slice(bytes, *kept)));
        bytes.extend_from_slice(string);
        Some(kept)
    }

    /// A string that was kept here.
    pub(super) fn string(&self, kept: Kept) -> &[u8] {
        slice(&self.bytes, kept)
    }

    /// All of them.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

fn slice(bytes: &[u8], kept: Kept) -> &[u8] {
    &bytes[kept.at as usize..][..kept.length as usize]
}
