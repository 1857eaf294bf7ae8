//! The encoding of a column's tokens: a state machine that observes the tokens.
//!
//! ```text
//!              most of the first tokens are numbers
//!  Undecided ───────────────────────────────────────▶ Numbers
//!      │
//!      │ they are not
//!      ▼       a chunk is full, and its lists of words hardly repeated
//!    Texts ─────────────────────────────────────────▶ Lists
//!      │       a chunk is full, and its other tokens hardly repeated
//!      └────────────────────────────────────────────▶ AsIs
//! ```
//!
//! A column begins as `AsIs` if it holds subjects, since no two records share one; as `Texts` if it feeds the search index with
//! words; else as `Undecided`. Objects that hardly repeat do not change the state of their column: from then on they are split,
//! and their members get their own columns.
//!
//! No state is entered twice, because a number that was written once keeps its meaning: it names a text, or is itself a number.

use crate::model::{Keyword, terms};

/// The number of tokens after which a column counts as numeric or not.
pub(super) const TELLING: u32 = 256;
/// With fewer tokens, repetition is not judged: at first all are new.
const ENOUGH: u32 = 4096;

/// How the tokens of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnEncoding {
    /// Verbatim or packed, until enough tokens are seen. The number of a text could later be read as a numeric token.
    Undecided,
    /// By their numbers in the dictionary.
    Texts,
    /// As the numbers that they are, without a dictionary.
    Numbers,
    /// As the numbers of the words that they list.
    Lists(Keyword),
    /// Verbatim or packed: they hardly repeat.
    AsIs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenShape {
    Objects,
    Lists,
    Others,
}

/// The decision at the end of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The encoding stays.
    Stay,
    /// Split its objects from now on.
    TakeApart,
    /// The encoding changes, and the dictionary is closed.
    CloseDictionary,
}

/// The state of a column and its statistics.
#[derive(Debug)]
pub(super) struct EncodingChoice {
    encoding: ColumnEncoding,
    /// Whether the column feeds the search index, and the field of its words.
    speaks: bool,
    field: Option<Keyword>,
    /// The number of tokens seen while undecided, and the number of numeric ones.
    first: u32,
    numbers: u32,
    /// The number of tokens looked up in this chunk, and the number of new ones.
    seen: u32,
    new: u32,
    /// Whether an earlier chunk was filled.
    is_settled: bool,
}

impl EncodingChoice {
    pub(super) fn of(path: &str, field: Option<Keyword>, speaks: bool) -> Self {
        let encoding = if terms::SUBJECT_KEYS.contains(&path) {
            ColumnEncoding::AsIs
        } else if speaks && path != "client.count" {
            // A number of clients needs no dictionary; an AS number is a word.
            ColumnEncoding::Texts
        } else {
            ColumnEncoding::Undecided
        };
        Self {
            encoding,
            speaks,
            field,
            first: 0,
            numbers: 0,
            seen: 0,
            new: 0,
            is_settled: false,
        }
    }

    #[inline]
    pub(super) fn encoding(&self) -> ColumnEncoding {
        self.encoding
    }

    /// Counts a token while undecided.
    pub(super) fn note_first(&mut self, is_number: bool) {
        self.first += 1;
        self.numbers += u32::from(is_number);
        if self.first == TELLING {
            let are_numbers = self.numbers > TELLING / 2;
            self.encoding = if are_numbers {
                ColumnEncoding::Numbers
            } else {
                ColumnEncoding::Texts
            };
        }
    }

    /// Counts a lookup of a token.
    #[inline]
    pub(super) fn note_seen(&mut self) {
        self.seen += 1;
    }

    /// Counts the last looked-up token as new.
    pub(super) fn note_new(&mut self) {
        self.new += 1;
    }

    /// Whether hardly any token of this chunk occurred before.
    #[inline]
    pub(super) fn is_all_new(&self) -> bool {
        self.seen >= ENOUGH && self.new > self.seen / 10 * 9
    }

    /// Decides at the end of a chunk. Tokens that are single words have numbers for search anyway, so they stay in the dictionary
    /// unless most are new.
    pub(super) fn turn(&mut self, tokens: TokenShape) -> Turn {
        let is_above = |most: u32| self.seen >= ENOUGH && self.new > most;
        // In the first chunk many tokens are new that repeat later.
        let share = if self.is_settled { 4 } else { 2 };
        let hardly_repeat = is_above(self.seen / share);
        let are_mostly_new = is_above(self.seen / 4 * 3);
        let lists_vary = is_above(self.seen / 20);
        (self.seen, self.new, self.is_settled) = (0, 0, true);
        let is_searched_by_number = self.speaks && self.field != Some(Keyword::Entry);
        self.encoding = match (tokens, self.field) {
            (TokenShape::Objects, _) if hardly_repeat => return Turn::TakeApart,
            (TokenShape::Objects, _) => return Turn::Stay,
            (TokenShape::Lists, Some(field)) if field.is_of_texts() && lists_vary => {
                ColumnEncoding::Lists(field)
            }
            _ if hardly_repeat && !is_searched_by_number => ColumnEncoding::AsIs,
            (_, Some(_)) if are_mostly_new => ColumnEncoding::AsIs,
            _ => return Turn::Stay,
        };
        Turn::CloseDictionary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column after a chunk in which this many of ten tokens were new.
    fn turned(path: &str, tokens: TokenShape, new_of_ten: u32) -> (Turn, ColumnEncoding) {
        let field = Keyword::at(&path.replace("[]", ""));
        let mut choice = EncodingChoice::of(path, field, field.is_some());
        if choice.encoding() == ColumnEncoding::Undecided {
            (0..TELLING).for_each(|_| choice.note_first(false));
        }
        for number in 0..ENOUGH {
            choice.note_seen();
            if number % 10 < new_of_ten {
                choice.note_new();
            }
        }
        (choice.turn(tokens), choice.encoding())
    }

    #[test]
    fn each_state_leads_where_the_picture_says() {
        use ColumnEncoding::{AsIs, Lists, Texts};
        use TokenShape::{Objects, Others};
        use Turn::{CloseDictionary, Stay, TakeApart};
        for (path, tokens, new_of_ten, expected) in [
            ("ip", Others, 10, AsIs),
            ("client.city", Others, 4, Texts),
            ("client.city", Others, 6, AsIs),
            ("organization", Others, 6, Texts),
            ("organization", Others, 9, AsIs),
            ("tunnels[].entries", TokenShape::Lists, 6, AsIs),
            ("client.proxies", TokenShape::Lists, 0, Texts),
            (
                "client.proxies",
                TokenShape::Lists,
                1,
                Lists(Keyword::Proxy),
            ),
            ("location", Objects, 9, Texts),
        ] {
            let (turn, encoding) = turned(path, tokens, new_of_ten);
            assert_eq!(encoding, expected, "{path} {new_of_ten}");
            match (tokens, expected) {
                (Objects, _) => assert_eq!(turn, TakeApart, "{path}"),
                (_, Texts) => assert_eq!(turn, Stay, "{path} {new_of_ten}"),
                _ if path == "ip" => {}
                _ => assert_eq!(turn, CloseDictionary, "{path} {new_of_ten}"),
            }
        }
    }

    #[test]
    fn the_first_tokens_tell_numbers() {
        for (numbers, expected) in [
            (TELLING / 2, ColumnEncoding::Texts),
            (TELLING / 2 + 1, ColumnEncoding::Numbers),
        ] {
            let mut choice = EncodingChoice::of("client.spread", None, false);
            for number in 0..TELLING {
                assert_eq!(choice.encoding(), ColumnEncoding::Undecided);
                choice.note_first(number < numbers);
            }
            assert_eq!(choice.encoding(), expected);
        }
    }

    #[test]
    fn few_tokens_tell_nothing() {
        let mut choice = EncodingChoice::of("organization", Some(Keyword::Org), true);
        for _ in 1..ENOUGH {
            choice.note_seen();
            choice.note_new();
        }
        assert!(!choice.is_all_new());
        assert_eq!(choice.turn(TokenShape::Others), Turn::Stay);
    }
}
