//! Numbers and texts, as the file holds them.

use std::iter;

/// Bytes that are read from the front.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl Bytes<'_> {
    pub(super) fn take(&mut self, length: u32) -> Option<Self> {
        let (taken, rest) = self.0.split_at_checked(length as usize)?;
        self.0 = rest;
        Some(Self(taken))
    }

    pub(super) fn range(self, start: u64, end: u64) -> Option<Self> {
        let [start, end] = [start, end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        self.0.get(start..end).map(Self)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number of so many bytes.
    pub(super) fn number(&mut self, width: u32) -> Option<u64> {
        let bytes = self.take(width)?.0.iter().rev();
        Some(bytes.fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// A variable-length number.
    pub(super) fn variable(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn variable_u32(&mut self) -> Option<u32> {
        self.variable()?.try_into().ok()
    }

    /// So many items.
    pub(super) fn many<T>(
        &mut self,
        count: u32,
        read: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        (0..count).map(|_| read(self)).collect()
    }

    /// Items up to the end.
    pub(super) fn all<T>(mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        iter::from_fn(|| (!self.0.is_empty()).then(|| read(&mut self))).collect()
    }
}

/// Texts by number.
pub(super) struct Dictionary<'a> {
    ends: Vec<u32>,
    text: Bytes<'a>,
}

impl<'a> Dictionary<'a> {
    pub(super) fn read(mut section: Bytes<'a>) -> Option<Self> {
        let texts = section.u32()?;
        let ends = section.many(texts, Bytes::u32)?;
        Some(Self {
            ends,
            text: section,
        })
    }

    pub(super) fn text(&self, number: u64) -> Option<&'a [u8]> {
        let number = usize::try_from(number).ok()?;
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text.range(start.into(), end.into()).map(|text| text.0)
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &'a [u8]> {
        (0..).map_while(|number| self.text(number))
    }
}

/// The numbers of the bits that are set, from the low bit of the first word on.
pub(super) fn set_bits(words: &[u64]) -> Vec<u16> {
    let bits = words
        .iter()
        .flat_map(|word| (0..64).map(move |bit| word >> bit & 1));
    let numbered = (0..=u16::MAX).zip(bits);
    numbered
        .filter(|(_, bit)| *bit == 1)
        .map(|(row, _)| row)
        .collect()
}
