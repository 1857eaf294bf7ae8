//! Dictionaries: texts by number, as written and as read back.
//!
//! ```text
//! dictionary  texts u32, end u32 each (bytes of text so far), text
//! ```
//!
//! Numbers count from 0; texts are in no particular order. `tokens` have JSON texts with their quotes, `dictionaries` have words
//! without quotes and escapes, in UTF-8. `folded` has the words of the field org under the same numbers, in Unicode lower case,
//! with a final sigma (ς) as σ.

use std::io;

use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

use super::{
    QueryError,
    id::{WordId, offset, place},
};

/// The bytes of a dictionary of some texts.
pub(super) fn section_of(texts: &[Vec<u8>]) -> io::Result<Vec<u8>> {
    let mut end = 0;
    let ends = texts.iter().map(|text| {
        end += text.len();
        offset(end)
    });
    section(&ends.collect::<io::Result<Vec<U32>>>()?, &texts.concat())
}

pub(super) fn section(ends: &[U32], text: &[u8]) -> io::Result<Vec<u8>> {
    Ok([offset(ends.len())?.as_bytes(), ends.as_bytes(), text].concat())
}

/// A dictionary of an index file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dictionary<'a> {
    ends: &'a [U32],
    text: &'a [u8],
}

impl<'a> Dictionary<'a> {
    #[inline]
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, QueryError> {
        Self::split(bytes).ok_or_else(damaged)
    }

    fn split(bytes: &'a [u8]) -> Option<Self> {
        let (count, rest) = U32::ref_from_prefix(bytes).ok()?;
        let (ends, text) = <[U32]>::ref_from_prefix_with_elems(rest, place(count.get())).ok()?;
        Some(Self { ends, text })
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(super) fn text(&self, number: WordId) -> Result<&'a [u8], QueryError> {
        let number = number.place();
        let start = match number.checked_sub(1) {
            None => Some(0),
            Some(before) => self.ends.get(before).map(|end| place(end.get())),
        };
        let end = self.ends.get(number).map(|end| place(end.get()));
        let range = start.zip(end);
        range
            .and_then(|(start, end)| self.text.get(start..end))
            .ok_or_else(damaged)
    }

    /// All texts with their numbers.
    pub(super) fn texts(&self) -> impl Iterator<Item = (WordId, Result<&'a [u8], QueryError>)> {
        let dictionary = *self;
        let numbers = (0..).map(WordId).take(self.ends.len());
        numbers.map(move |number| (number, dictionary.text(number)))
    }

    /// All texts, concatenated.
    pub(super) fn joined(&self) -> &'a [u8] {
        self.text
    }

    /// The number of the text at an offset of [`Dictionary::joined`], and the end of that text.
    pub(super) fn holding(&self, at: usize) -> Option<(WordId, usize)> {
        let number = self.ends.partition_point(|end| place(end.get()) <= at);
        let end = self.ends.get(number)?.get();
        Some((WordId(u32::try_from(number).ok()?), place(end)))
    }
}

fn damaged() -> QueryError {
    QueryError::Damaged("a dictionary does not add up".to_owned())
}
