//! Distinct byte strings, stored one after the other.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The location of a stored byte string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StringRef {
    /// Where it begins.
    pub(super) at: u32,
    length: u32,
}

/// Distinct byte strings, in the order of their first occurrence.
#[derive(Debug, Default)]
pub(super) struct Distinct {
    bytes: Vec<u8>,
    /// Each string with its hash, so that the table grows without reading the strings again.
    known: HashTable<(u32, StringRef)>,
    /// Seeded per process, so that a hostile feed cannot choose colliding strings.
    hasher: RandomState,
}

impl Distinct {
    /// Stores a byte string unless it is stored already; `None` if its location exceeds 32 bits.
    pub(super) fn keep(&mut self, string: &[u8]) -> Option<StringRef> {
        let Self {
            bytes,
            known,
            hasher,
        } = self;
        let [.., a, b, c, d] = hasher.hash_one(string).to_be_bytes();
        let hash = u32::from_be_bytes([a, b, c, d]);
        let same =
            |(number, kept): &(u32, StringRef)| *number == hash && slice(bytes, *kept) == string;
        if let Some((_, kept)) = known.find(spread(hash), same) {
            return Some(*kept);
        }
        let kept = StringRef {
            at: u32::try_from(bytes.len()).ok()?,
            length: u32::try_from(string.len()).ok()?,
        };
        known.insert_unique(spread(hash), (hash, kept), |(hash, _)| spread(*hash));
        bytes.extend_from_slice(string);
        Some(kept)
    }

    /// A stored string.
    pub(super) fn string(&self, kept: StringRef) -> &[u8] {
        slice(&self.bytes, kept)
    }

    /// All strings, concatenated.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The table uses bits from both ends of a hash.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

fn slice(bytes: &[u8], kept: StringRef) -> &[u8] {
    &bytes[kept.at as usize..][..kept.length as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_kept_once_and_found_again() {
        let mut distinct = Distinct::default();
        let spelt = |number: u32| (number % 1000).to_string().into_bytes();
        let kept: Vec<StringRef> = (0..5000)
            .map(|number| distinct.keep(&spelt(number)).expect("room"))
            .collect();
        for (number, kept) in (0..).zip(&kept) {
            assert_eq!(distinct.string(*kept), spelt(number));
        }
        assert_eq!(distinct.bytes().len(), 10 + 90 * 2 + 900 * 3);
        assert_eq!(kept[..1000], kept[4000..]);
    }
}
