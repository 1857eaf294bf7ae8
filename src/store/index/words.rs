//! Texts with numbers: what repeats in a feed is written once and named by its number from then on.
//!
//! ```text
//! dictionary  texts u32, end u32 each (bytes of text so far), text
//! ```

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use zerocopy::{FromBytes, little_endian::U32};

use super::NoAnswer;
use crate::store::filter::fold;

/// Gives texts their numbers, from 0 in the order in which they come first.
///
/// Most of the time that building takes is spent waiting for memory here, so the table is our own: what finding a text needs
/// stands in one place of it, and a caller that is about to look for many texts can have all those places fetched at once
/// ([`Interner::fetch`]). That is twice as fast as a general table.
#[derive(Debug, Default)]
pub(super) struct Interner {
    text: Vec<u8>,
    ends: Vec<u32>,
    /// Open addressing: as many slots as a power of two, at most half of them full.
    slots: Vec<Slot>,
    hasher: RandomState,
}

/// A text in the table; an empty slot has no number.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u32,
    /// One more than the number.
    number: u32,
    start: u32,
    length: u32,
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
    /// Slots of the first table.
    const FIRST: usize = 64;

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// About how many bytes of memory it takes.
    pub(super) fn weight(&self) -> usize {
        self.text.len() + self.ends.len() * 4 + self.slots.len() * size_of::<Slot>()
    }

    /// The hash of a text, by which it is found.
    #[inline]
    pub(super) fn hash(&self, text: &[u8]) -> u32 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(text);
        (hasher.finish() >> 32) as u32
    }

    /// Begins to fetch what finding a text of this hash will need. The number it gives means nothing; to use it is to wait.
    #[inline]
    pub(super) fn fetch(&self, hash: u32) -> u32 {
        let slot = self.slots.get(self.place(hash));
        slot.map_or(0, |slot| {
            u32::from(
                self.text
                    .get(slot.start as usize)
                    .copied()
                    .unwrap_or_default(),
            )
        })
    }

    #[inline]
    fn place(&self, hash: u32) -> usize {
        hash as usize & self.slots.len().wrapping_sub(1)
    }

    /// The slot of a text, or the empty one where it belongs.
    #[inline]
    fn slot(&self, hash: u32, text: &[u8]) -> usize {
        let mut place = self.place(hash);
        loop {
            let slot = &self.slots[place];
            let found = slot.hash == hash && slot.length as usize == text.len() && {
                let start = slot.start as usize;
                is_same(&self.text[start..start + text.len()], text)
            };
            if slot.number == 0 || found {
                return place;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    /// The number of a text that came before.
    #[inline]
    pub(super) fn find(&self, text: &[u8]) -> Option<u32> {
        self.find_by(self.hash(text), text)
    }

    /// The same of a text whose hash is known.
    #[inline]
    pub(super) fn find_by(&self, hash: u32, text: &[u8]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(hash, text)].number.checked_sub(1)
    }

    /// The number of a text, and whether it came for the first time. It must not make [`Interner::weight`] pass 4 GiB.
    pub(super) fn number(&mut self, text: &[u8]) -> (u32, bool) {
        let hash = self.hash(text);
        if self.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let place = self.slot(hash, text);
        if let Some(number) = self.slots[place].number.checked_sub(1) {
            return (number, false);
        }
        let number = self.ends.len() as u32;
        self.slots[place] = Slot {
            hash,
            number: number + 1,
            start: self.text.len() as u32,
            length: text.len() as u32,
        };
        self.text.extend_from_slice(text);
        self.ends.push(self.text.len() as u32);
        (number, true)
    }

    fn grow(&mut self) {
        let slots = vec![Slot::default(); (self.slots.len() * 2).max(Self::FIRST)];
        let before = std::mem::replace(&mut self.slots, slots);
        for slot in before.into_iter().filter(|slot| slot.number > 0) {
            let mut place = self.place(slot.hash);
            while self.slots[place].number > 0 {
                place = (place + 1) & (self.slots.len() - 1);
            }
            self.slots[place] = slot;
        }
    }

    /// Takes no more texts: what finding them needs is freed.
    pub(super) fn close(&mut self) {
        self.slots = Vec::new();
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
    fn many_texts_are_told_apart() {
        let mut interner = Interner::default();
        for round in [true, false] {
            for number in 0..5000 {
                let text = format!("{number:0width$}", width = number as usize % 40);
                assert_eq!(interner.fetch(interner.hash(text.as_bytes())) & !0xff, 0);
                assert_eq!(interner.number(text.as_bytes()), (number, round), "{text}");
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
