//! What records say to a search: their words, their clients.
//!
//! Tokens repeat, and what a token says is computed once, when it comes first. A draft then only notes which tokens are in
//! which rows; what they say is looked up when its chunk is sealed, on another thread than the encoder's.

use super::id::WordId;
use crate::model::Keyword;

/// What a token or a record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermFact {
    /// A word of a field's dictionary.
    Word(Keyword, WordId),
    /// A word that is in no dictionary, by its hash.
    Unindexed(Keyword, u32),
    /// An entry that is an IPv4 address, which needs no dictionary.
    Entry(u32),
    Clients(u64),
    /// It is a tunnel with an operator, and a VPN.
    Attributed,
    /// All that is known of a token, by its column and its number.
    Token(u32, WordId),
}

/// What the tokens of a column say, by number.
#[derive(Debug, Default)]
pub(super) struct TermFacts {
    said: Vec<TermFact>,
    /// Where what a token says ends.
    ends: Vec<usize>,
}

impl TermFacts {
    /// Adds the next token.
    ///
    /// Returns how much it says.
    pub(super) fn push(&mut self, ask: impl FnOnce(&mut Vec<TermFact>)) -> usize {
        let before = self.said.len();
        ask(&mut self.said);
        self.ends.push(self.said.len());
        self.said.len() - before
    }

    /// Adds the tokens that came after these.
    pub(super) fn append(&mut self, later: Self) {
        let before = self.said.len();
        self.ends.extend(later.ends.iter().map(|end| before + end));
        self.said.extend(later.said);
    }

    /// How many tokens there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// What a token says.
    #[inline]
    pub(super) fn of(&self, token: WordId) -> &[TermFact] {
        let number = token.place();
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.said[start..self.ends[number]]
    }

    /// About how many bytes of memory it takes.
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
