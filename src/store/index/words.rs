//! Texts with numbers: what repeats in a feed is written once and named by its number from then on.
//!
//! ```text
//! dictionary  texts u32, end u32 each (bytes of text so far), text
//! ```

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::{HashTable, hash_table::Entry};
use zerocopy::{FromBytes, little_endian::U32};

use super::NoAnswer;
use crate::store::filter::fold;

/// Gives texts their numbers, from 0 in the order in which they come first.
#[derive(Debug, Default)]
pub(super) struct Interner {
    text: Vec<u8>,
    ends: Vec<u32>,
    numbers: HashTable<Slot>,
    hasher: RandomState,
}

/// A text in the table. Where it stands is kept beside its number, so that finding it takes two places in memory, not
/// four: most of the time that building takes is spent waiting for them.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u64,
    start: u32,
    length: u32,
    number: u32,
}

impl Slot {
    #[inline]
    fn is(&self, hash: u64, wanted: &[u8], all: &[u8]) -> bool {
        let start = self.start as usize;
        self.hash == hash
            && self.length as usize == wanted.len()
            && all
                .get(start..start + wanted.len())
                .is_some_and(|text| is_same(text, wanted))
    }
}

/// Whether two texts of one length are the same. Most are short, and calling the C library for them takes longer.
#[inline]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let length = a.len();
    if !(8..=32).contains(&length) || length != b.len() {
        return a == b;
    }
    let eight = |text: &[u8], at: usize| -> u64 {
        let eight = text.get(at..at + 8).and_then(|text| text.first_chunk());
        eight.map_or(0, |eight| u64::from_le_bytes(*eight))
    };
    let same = |at: usize| eight(a, at) == eight(b, at);
    // Places overlap where the length is not a multiple of eight.
    let (half, last) = ((length - 8) / 2, length - 8);
    same(0) && same(last) && (length <= 16 || (same(half.min(8)) && same(last.saturating_sub(8))))
}

impl Interner {
    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// About how many bytes of memory it takes.
    pub(super) fn weight(&self) -> usize {
        self.text.len() + self.ends.len() * 4 + self.numbers.capacity() * (size_of::<Slot>() + 2)
    }

    #[inline]
    fn hash(&self, text: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(text);
        hasher.finish()
    }

    /// The number of a text that came before.
    #[inline]
    pub(super) fn find(&self, text: &[u8]) -> Option<u32> {
        let hash = self.hash(text);
        let slot = self
            .numbers
            .find(hash, |slot| slot.is(hash, text, &self.text));
        slot.map(|slot| slot.number)
    }

    /// The number of a text, and whether it came for the first time. It must not make [`Interner::weight`] pass 4 GiB.
    #[inline]
    pub(super) fn number(&mut self, text: &[u8]) -> (u32, bool) {
        let hash = self.hash(text);
        let all = &self.text;
        let entry = self
            .numbers
            .entry(hash, |slot| slot.is(hash, text, all), |slot| slot.hash);
        match entry {
            Entry::Occupied(entry) => (entry.get().number, false),
            Entry::Vacant(entry) => {
                let number = self.ends.len() as u32;
                entry.insert(Slot {
                    hash,
                    start: self.text.len() as u32,
                    length: text.len() as u32,
                    number,
                });
                self.text.extend_from_slice(text);
                self.ends.push(self.text.len() as u32);
                (number, true)
            }
        }
    }

    /// Takes no more texts: what finding them needs is freed.
    pub(super) fn close(&mut self) {
        self.numbers = HashTable::new();
    }

    /// The text of a number that was given.
    pub(super) fn text(&self, number: u32) -> &[u8] {
        slice(&self.text, &self.ends, number)
    }

    /// The bytes of the dictionary.
    pub(super) fn section(&self) -> Vec<u8> {
        section(&self.ends, &self.text)
    }

    /// The bytes of a dictionary of the same numbers, each text in lower case.
    pub(super) fn folded(&self) -> Vec<u8> {
        let (mut text, mut ends) = (Vec::with_capacity(self.text.len()), Vec::new());
        for number in 0..self.ends.len() as u32 {
            let folded = String::from_utf8_lossy(self.text(number));
            text.extend_from_slice(fold::folded(&folded).as_bytes());
            ends.push(text.len() as u32);
        }
        section(&ends, &text)
    }
}

fn slice<'a>(text: &'a [u8], ends: &[u32], number: u32) -> &'a [u8] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &text[start as usize..ends[number] as usize]
}

fn section(ends: &[u32], text: &[u8]) -> Vec<u8> {
    let mut bytes = (ends.len() as u32).to_le_bytes().to_vec();
    for end in ends {
        bytes.extend_from_slice(&end.to_le_bytes());
    }
    bytes.extend_from_slice(text);
    bytes
}

/// A dictionary that was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dictionary<'a> {
    ends: &'a [U32],
    text: &'a [u8],
}

impl<'a> Dictionary<'a> {
    #[inline]
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, NoAnswer> {
        Self::split(bytes).ok_or_else(odd)
    }

    fn split(bytes: &'a [u8]) -> Option<Self> {
        let (count, rest) = U32::ref_from_prefix(bytes).ok()?;
        let (ends, text) = <[U32]>::ref_from_prefix_with_elems(rest, count.get() as usize).ok()?;
        Some(Self { ends, text })
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text of a number.
    #[inline]
    pub(super) fn text(&self, number: u32) -> Result<&'a [u8], NoAnswer> {
        let number = number as usize;
        let start = if number == 0 {
            Some(0)
        } else {
            self.ends.get(number - 1).map(|end| end.get() as usize)
        };
        let end = self.ends.get(number).map(|end| end.get() as usize);
        let range = start
            .zip(end)
            .and_then(|(start, end)| self.text.get(start..end));
        range.ok_or_else(odd)
    }

    /// All texts, by number.
    pub(super) fn texts(&self) -> impl Iterator<Item = Result<&'a [u8], NoAnswer>> {
        let own = *self;
        (0..self.ends.len() as u32).map(move |number| own.text(number))
    }

    /// All texts on end, and of a place in them the number of the text and where that text ends.
    pub(super) fn joined(&self) -> &'a [u8] {
        self.text
    }

    /// The number of the text that holds a place of [`Dictionary::joined`], and where that text ends.
    pub(super) fn holding(&self, place: usize) -> Option<(u32, usize)> {
        let number = self.ends.partition_point(|end| end.get() as usize <= place);
        Some((number as u32, self.ends.get(number)?.get() as usize))
    }
}

fn odd() -> NoAnswer {
    NoAnswer::Damaged("a dictionary does not add up".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_in_any_place_is_seen() {
        for length in 0..50 {
            let text = vec![b'x'; length];
            assert!(is_same(&text, &text.clone()));
            for place in 0..length {
                let mut other = text.clone();
                other[place] = b'y';
                assert!(!is_same(&text, &other), "{length} {place}");
            }
        }
    }

    #[test]
    fn a_text_keeps_its_number() {
        let mut interner = Interner::default();
        let texts = ["NL", "", "Zürich", "NLX"];
        for (number, text) in (0..).zip(texts) {
            assert_eq!(interner.number(text.as_bytes()), (number, true));
        }
        assert_eq!(interner.number(b"NLX"), (3, false));
        assert_eq!(
            (interner.find(b""), interner.find(b"DE"), interner.len()),
            (Some(1), None, 4)
        );
        let bytes = interner.section();
        let dictionary = Dictionary::read(&bytes).expect("dictionary");
        let read: Result<Vec<&[u8]>, NoAnswer> = dictionary.texts().collect();
        assert_eq!(read, Ok(texts.map(str::as_bytes).to_vec()));
        assert_eq!(dictionary.len(), 4);
        assert!(dictionary.text(4).is_err());
        assert_eq!(dictionary.joined(), "NLZürichNLX".as_bytes());
        assert_eq!(dictionary.holding(2), Some((2, 9)));
        assert_eq!(dictionary.holding(12), None);
        let folded = interner.folded();
        assert_eq!(
            Dictionary::read(&folded).and_then(|folded| folded.text(2)),
            Ok("zürich".as_bytes())
        );
        interner.close();
        assert_eq!((interner.find(b"NL"), interner.text(0)), (None, &b"NL"[..]));
    }
}
