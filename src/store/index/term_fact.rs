//! The search terms of records: their words and numbers of clients.
//!
//! Tokens repeat, so the terms of a token are extracted once, at its first occurrence. A chunk builder only notes which tokens
//! are in which rows. Their terms are looked up when the chunk is sealed, on the sealer's thread.

use super::id::WordId;
use crate::model::Keyword;

/// One term of a token or a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermFact {
    /// A word of a field's dictionary.
    Word(Keyword, WordId),
    /// The hash of a word that is in no dictionary.
    Unindexed(Keyword, u32),
    /// An entry that is an IPv4 address, which needs no dictionary.
    Entry(u32),
    Clients(u64),
    /// The record has a VPN tunnel with an operator.
    Attributed,
    /// All terms of a token, by its column and its number.
    Token(u32, WordId),
}

/// The terms of the tokens of a column, by number.
#[derive(Debug, Default)]
pub(super) struct TermFacts {
    said: Vec<TermFact>,
    /// For each token, the end of its terms.
    ends: Vec<usize>,
}

impl TermFacts {
    /// Adds the next token.
    ///
    /// Returns the number of its terms.
    pub(super) fn push(&mut self, ask: impl FnOnce(&mut Vec<TermFact>)) -> usize {
        let before = self.said.len();
        ask(&mut self.said);
        self.ends.push(self.said.len());
        self.said.len() - before
    }

    /// Adds the tokens that follow these.
    pub(super) fn append(&mut self, later: Self) {
        let before = self.said.len();
        self.ends.extend(later.ends.iter().map(|end| before + end));
        self.said.extend(later.said);
    }

    /// The number of tokens.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The terms of a token.
    #[inline]
    pub(super) fn of(&self, token: WordId) -> &[TermFact] {
        let number = token.place();
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.said[start..self.ends[number]]
    }

    /// Approximate memory in bytes.
    pub(super) fn weight(&self) -> usize {
        self.said.capacity() * size_of::<TermFact>() + self.ends.capacity() * size_of::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tokens_say_is_kept_by_their_numbers() {
        let word = |number| TermFact::Word(Keyword::Tag, WordId(number));
        let (mut facts, mut later) = (TermFacts::default(), TermFacts::default());
        facts.push(|said| said.extend([word(1), word(2)]));
        facts.push(|_| {});
        later.push(|said| said.push(TermFact::Attributed));
        facts.append(later);
        facts.append(TermFacts::default());
        assert_eq!(
            [0, 1, 2].map(|number| facts.of(WordId(number))),
            [&[word(1), word(2)][..], &[], &[TermFact::Attributed]]
        );
    }
}
