//! Numbered texts: a text that repeats in a feed is stored once and referred to by its number. `dictionary` describes the stored
//! form.

use std::{
    hash::{BuildHasher, RandomState},
    io,
};

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

use super::{
    dictionary::section,
    id::{WordId, offset, place, upper_word},
};
use crate::store::filter::fold;

/// Numbers texts from 0, in the order of their first occurrence. Stores `FACT` numbers with each text that is a list or an
/// object.
///
/// Building spends most of its time here, waiting for memory, hence a hash table made for it: it is small, and a caller can
/// prefetch the slots, ranges and texts of its next lookups ([`Interner::likely`], [`Interner::range`], [`Interner::ends_of`]).
/// The fact is directly after its text, which a lookup reads anyway to compare it.
///
/// Texts are found by XXH3, which is already known for most of them, mixed with a secret of the table, since the author of a feed
/// can craft texts with equal hashes. Probing is bounded as well: a text that is not found within the bound counts as absent.
#[derive(Debug)]
pub(in crate::store) struct Interner<const FACT: usize = 0> {
    /// The texts; each list or object is followed by its fact.
    text: Vec<u8>,
    /// The start of each text, and last the end of all.
    begins: Vec<u32>,
    /// Open addressing: the number of slots is a power of two, at most half of them are full.
    slots: Vec<Slot>,
    /// Mixed into each hash.
    secret: u64,
}

/// A slot of the table; an empty one has number 0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    hash: u32,
    /// The number of the text plus one.
    number: u32,
}

impl Slot {
    /// A value that depends on the slot, so that reading it is not optimised away.
    #[inline]
    pub(super) fn touched(self) -> u32 {
        self.hash ^ self.number
    }
}

/// Whether two texts are equal. Most are short; calling `memcmp` for those takes longer.
#[inline]
pub(super) fn is_same(a: &[u8], b: &[u8]) -> bool {
    const LONG: usize = 64;
    if a.len() != b.len() || a.len() > LONG {
        return a == b;
    }
    // Eight or four bytes at a time; the last chunk overlaps the one before.
    if let (Some(last_a), Some(last_b)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        let (eights_a, eights_b) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
        let differ = |a: &[u8; 8], b: &[u8; 8]| u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b);
        let each = eights_a.iter().zip(eights_b);
        return each.fold(differ(last_a, last_b), |all, (a, b)| all | differ(a, b)) == 0;
    }
    if let (Some(last_a), Some(last_b)) = (a.last_chunk::<4>(), b.last_chunk::<4>()) {
        return last_a == last_b && a.first_chunk::<4>() == b.first_chunk::<4>();
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

impl<const FACT: usize> Default for Interner<FACT> {
    fn default() -> Self {
        Self {
            text: Vec::new(),
            begins: vec![0],
            slots: Vec::new(),
            secret: RandomState::new().hash_one(0),
        }
    }
}

impl Interner {
    /// The number of a text, and whether it is new; `None` if there is no room for it.
    pub(in crate::store) fn number(&mut self, text: &[u8]) -> Option<(WordId, bool)> {
        self.number_with(xxh3_64(text), text, || [])
    }
}

impl<const FACT: usize> Interner<FACT> {
    /// The number of slots of the first table.
    const FIRST: usize = 64;
    /// The limit of bytes of all texts, and of texts: offsets and numbers have 32 bits.
    const MOST: usize = 1 << 30;
    /// The limit of probed slots: ten times the longest run of full slots among millions of texts.
    const MOST_STEPS: usize = 1024;

    /// The number of bytes after a text with this first byte.
    #[inline]
    fn behind(first: Option<&u8>) -> usize {
        match first {
            Some(b'[' | b'{') => FACT * size_of::<U32>(),
            _ => 0,
        }
    }

    /// The number of texts.
    pub(super) fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Approximate memory in bytes.
    pub(super) fn weight(&self) -> usize {
        self.text.capacity()
            + self.begins.capacity() * size_of::<u32>()
            + self.slots.capacity() * size_of::<Slot>()
    }

    /// Whether its slots exceed the processor's nearest cache.
    #[inline]
    pub(super) fn is_large(&self) -> bool {
        self.slots.len() > 2048
    }

    /// The most likely slot of a text with this hash.
    #[inline]
    pub(super) fn likely(&self, hash: u64) -> Option<Slot> {
        self.slots.get(self.place(self.mixed(hash))).copied()
    }

    /// The range of the text that most likely has this hash.
    #[inline]
    pub(super) fn range(&self, hash: u64) -> Option<&[u32; 2]> {
        /// Nearly all texts are this close to their first slot.
        const NEAR: usize = 8;
        let mixed = self.mixed(hash);
        let first = self.place(mixed);
        let places = (first..first + NEAR).map(|place| place & (self.slots.len() - 1));
        let mut slots = places.filter_map(|place| self.slots.get(place));
        let slot = slots.find(|slot| slot.hash == mixed || slot.number == 0)?;
        let number = place(slot.number.checked_sub(1)?);
        self.begins.get(number..)?.first_chunk()
    }

    /// The first and the last byte of a text in this range, including its fact.
    #[inline]
    pub(super) fn ends_of(&self, [begin, end]: [u32; 2]) -> Option<[&u8; 2]> {
        let own = self.text.get(place(begin)..place(end))?;
        Some([own.first()?, own.last()?])
    }

    /// The 32 bits of a hash that the table uses, mixed with the secret.
    #[inline]
    fn mixed(&self, hash: u64) -> u32 {
        upper_word((hash ^ self.secret).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[inline]
    fn place(&self, mixed: u32) -> usize {
        place(mixed) & self.slots.len().wrapping_sub(1)
    }

    /// The slot of a text, or the empty slot for it; `None` if neither is within the limit.
    #[inline]
    fn slot(&self, mixed: u32, text: &[u8]) -> Option<usize> {
        let mut place = self.place(mixed);
        for _ in 0..Self::MOST_STEPS {
            let slot = self.slots.get(place)?;
            let is_end = slot.number == 0;
            if is_end || slot.hash == mixed && is_same(self.text(WordId(slot.number - 1)), text) {
                return Some(place);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
        None
    }

    /// The number of a known text.
    #[inline]
    pub(super) fn find(&self, text: &[u8]) -> Option<WordId> {
        self.find_by(xxh3_64(text), text)
    }

    /// The number of a known text, by its XXH3.
    #[inline]
    pub(super) fn find_by(&self, hash: u64, text: &[u8]) -> Option<WordId> {
        let slot = self.slots.get(self.slot(self.mixed(hash), text)?)?;
        slot.number.checked_sub(1).map(WordId)
    }

    /// The number of a text with this XXH3, and whether it is new. The `fact` of a new text is stored if it is a list or an
    /// object. `None` if there is no room for it.
    pub(super) fn number_with(
        &mut self,
        hash: u64,
        text: &[u8],
        fact: impl FnOnce() -> [u32; FACT],
    ) -> Option<(WordId, bool)> {
        let mixed = self.mixed(hash);
        if self.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let place = self.slot(mixed, text)?;
        if let Some(number) = self.slots[place].number.checked_sub(1) {
            return Some((WordId(number), false));
        }
        let behind = Self::behind(text.first());
        let end = self.text.len() + text.len() + behind;
        if end > Self::MOST || self.len() == Self::MOST {
            return None;
        }
        let (number, end) = (u32::try_from(self.len()).ok()?, u32::try_from(end).ok()?);
        self.slots[place] = Slot {
            hash: mixed,
            number: number + 1,
        };
        self.text.extend_from_slice(text);
        let fact = fact().map(U32::from);
        self.text.extend_from_slice(&fact.as_bytes()[..behind]);
        self.begins.push(end);
        Some((WordId(number), true))
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

    /// Frees the slots; no text can be found or added afterwards.
    pub(super) fn close(&mut self) {
        self.slots = Vec::new();
    }

    /// The text of an assigned number.
    #[inline]
    pub(super) fn text(&self, number: WordId) -> &[u8] {
        self.text_in(self.begins[number.place()], self.begins[number.place() + 1])
    }

    #[inline]
    fn text_in(&self, begin: u32, end: u32) -> &[u8] {
        let own = &self.text[place(begin)..place(end)];
        &own[..own.len() - Self::behind(own.first())]
    }

    /// The fact of a list or an object, by its number.
    #[inline]
    pub(super) fn fact(&self, number: WordId) -> [u32; FACT] {
        let fact = &self.text[..place(self.begins[number.place() + 1])];
        let fact = <[U32; FACT]>::ref_from_suffix(fact);
        fact.map_or([0; FACT], |(_, fact)| fact.map(U32::get))
    }

    /// All texts, by number.
    pub(in crate::store) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.texts_from(0)
    }

    /// The texts from this number on.
    pub(super) fn texts_from(&self, first: usize) -> impl Iterator<Item = &[u8]> {
        let pairs = self.begins[first.min(self.len())..].array_windows();
        pairs.map(|[begin, end]| self.text_in(*begin, *end))
    }

    /// Writes the bytes of the dictionary, piece by piece.
    pub(super) fn write(&self, put: &mut Put<'_>) -> io::Result<()> {
        put(offset(self.len())?.as_bytes())?;
        let mut end = 0;
        for text in self.texts() {
            end += text.len();
            put(offset(end)?.as_bytes())?;
        }
        self.texts().try_for_each(put)
    }

    /// The bytes of a dictionary with the same numbers and each text in lower case.
    pub(super) fn folded(&self) -> io::Result<Vec<u8>> {
        let (mut text, mut ends) = (Vec::with_capacity(self.text.len()), Vec::new());
        for bytes in self.texts() {
            if bytes.is_ascii() {
                text.extend(bytes.iter().map(u8::to_ascii_lowercase));
            } else {
                let own = String::from_utf8_lossy(bytes);
                text.extend_from_slice(fold::folded(&own).as_bytes());
            }
            ends.push(offset(text.len())?);
        }
        section(&ends, &text)
    }
}

/// Receives the bytes of a section.
pub(super) type Put<'p> = dyn FnMut(&[u8]) -> io::Result<()> + 'p;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::index::{QueryError, dictionary::Dictionary};

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
                let text = format!("{number:0width$}", width = place(number) % 40);
                let hash = xxh3_64(text.as_bytes());
                let range = interner.likely(hash).and_then(|_| interner.range(hash));
                let ends = range.and_then(|range| interner.ends_of(*range));
                assert!(ends.is_none_or(|ends| ends.into_iter().all(u8::is_ascii_digit)));
                let numbered = interner.number(text.as_bytes());
                assert_eq!(numbered, Some((WordId(number), round)), "{text}");
            }
        }
    }

    #[test]
    fn lists_and_objects_have_facts() {
        let mut interner = Interner::<2>::default();
        let texts: [&[u8]; 4] = [b"[1]", b"\"x\"", b"{}", b"["];
        for (number, text) in (0..).zip(texts) {
            let fact = [number, number + 7];
            assert_eq!(
                interner.number_with(xxh3_64(text), text, || fact),
                Some((WordId(number), true))
            );
        }
        for (number, text) in (0..).zip(texts) {
            assert_eq!(interner.find(text), Some(WordId(number)));
            assert_eq!(interner.text(WordId(number)), text);
            if text[0] != b'"' {
                assert_eq!(interner.fact(WordId(number)), [number, number + 7]);
            }
        }
        assert_eq!(interner.texts().collect::<Vec<_>>(), texts);
    }

    #[test]
    fn texts_of_one_hash_end_somewhere() {
        let mut interner = Interner::<0>::default();
        let texts = (0..5000_u32).map(u32::to_le_bytes);
        let numbered = texts.filter(|text| interner.number_with(7, text, || []).is_some());
        assert_eq!(numbered.count(), Interner::<0>::MOST_STEPS);
        assert_eq!(interner.find_by(7, &[1, 0, 0, 0]), Some(WordId(1)));
        assert_eq!(interner.find_by(7, &[1, 0, 0, 1]), None);
    }

    #[test]
    fn a_text_keeps_its_number() {
        let mut interner = Interner::default();
        let texts = ["NL", "", "Zürich", "NLX"];
        for (number, text) in (0..).map(WordId).zip(texts) {
            assert_eq!(interner.number(text.as_bytes()), Some((number, true)));
        }
        assert_eq!(interner.number(b"NLX"), Some((WordId(3), false)));
        assert_eq!(
            (interner.find(b""), interner.find(b"DE"), interner.len()),
            (Some(WordId(1)), None, 4)
        );
        let mut bytes = Vec::new();
        let mut put = |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        interner.write(&mut put).expect("small");
        let dictionary = Dictionary::read(&bytes).expect("dictionary");
        let read: Result<Vec<&[u8]>, QueryError> =
            dictionary.texts().map(|(_, text)| text).collect();
        assert_eq!(read, Ok(texts.map(str::as_bytes).to_vec()));
        assert_eq!(dictionary.len(), 4);
        assert!(dictionary.text(WordId(4)).is_err());
        assert_eq!(dictionary.joined(), "NLZürichNLX".as_bytes());
        assert_eq!(dictionary.holding(2), Some((WordId(2), 9)));
        assert_eq!(dictionary.holding(12), None);
        let folded = interner.folded().expect("small");
        assert_eq!(
            Dictionary::read(&folded).and_then(|folded| folded.text(WordId(2))),
            Ok("zürich".as_bytes())
        );
        interner.close();
        assert_eq!(
            (interner.find(b"NL"), interner.text(WordId(0))),
            (None, &b"NL"[..])
        );
    }
}
