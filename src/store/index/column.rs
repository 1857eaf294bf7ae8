//! Columns: the tokens at one path, numbered, and the terms of each.
//!
//! The terms of a token (its words, a number of clients) are extracted once, at its first occurrence, and then looked up. A
//! column whose tokens hardly repeat stops adding to its dictionary: further tokens are written verbatim, and their terms are
//! extracted each time.

mod encoding;

use std::net::Ipv4Addr;

use self::encoding::{ColumnEncoding, EncodingChoice, Turn};
use super::{
    content,
    extract_terms::{TermDictionaries, extract_terms},
    id::{WordId, lower_word, place, upper_word},
    shape::path_of_words,
    term_fact::{TermFact, TermFacts},
    value::{self, Packed},
    words::Interner,
};
use crate::model::Keyword;

/// The record that is being written.
#[derive(Debug)]
pub(super) struct Writing<'a> {
    /// The dictionaries of all fields.
    pub(super) words: &'a mut TermDictionaries,
    /// The values of its tokens so far.
    pub(super) values: &'a mut Vec<u8>,
    /// Its terms so far.
    pub(super) said: &'a mut Vec<TermFact>,
    /// Whether the dictionaries of tokens may not grow.
    pub(super) is_full: bool,
    /// The number of bytes that dictionaries grew by.
    pub(super) grown: usize,
    /// The number of rows that its tokens add to postings when the chunk is sealed.
    pub(super) postings: usize,
    /// The IPv4 address that is its subject, if it has one.
    pub(super) address: Option<Ipv4Addr>,
}

/// Numbers stored with each list or object of a dictionary: the halves of its contribution to the hash of a record, and the
/// number of its terms.
const KNOWN: usize = 3;
pub(super) type TokenInterner = Interner<KNOWN>;

#[derive(Debug)]
pub(super) struct ColumnBuilder {
    place: u32,
    /// Its path, with `[]` for arrays.
    pub(super) path: String,
    /// Its path for content hashes.
    content: content::Path,
    tokens: TokenInterner,
    /// The terms of the tokens that were added since the last full chunk; empty unless the column feeds the search index.
    learnt: TermFacts,
    /// Memory in bytes of the terms of earlier tokens.
    known: usize,
    /// Whether this column feeds the search index.
    speaks: bool,
    /// Whether its tokens are addresses that are subjects.
    is_ip: bool,
    /// The field whose words, or lists of words, its tokens are.
    field: Option<Keyword>,
    /// How its tokens are encoded.
    choice: EncodingChoice,
}

impl ColumnBuilder {
    pub(super) fn new(path: &str, place: u32) -> Self {
        let flat = path_of_words(path);
        let leads = |to: &str| {
            to == flat
                || to
                    .strip_prefix(&flat)
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        let words = Keyword::ALL
            .iter()
            .flat_map(|field| field.paths())
            .any(leads);
        let speaks = words || leads("client.count");
        let field = Keyword::at(&flat);
        Self {
            place,
            speaks,
            is_ip: path == "ip",
            choice: EncodingChoice::of(path, field, speaks),
            field,
            path: path.to_owned(),
            content: content::Path::of_column(path),
            tokens: Interner::default(),
            learnt: TermFacts::default(),
            known: 0,
        }
    }

    /// Approximate memory in bytes.
    pub(super) fn weight(&self) -> usize {
        self.tokens.weight() + self.known + self.learnt.weight()
    }

    /// Takes the terms of the tokens that were added since the last call.
    pub(super) fn learnt(&mut self) -> TermFacts {
        self.known += self.learnt.weight();
        std::mem::take(&mut self.learnt)
    }

    pub(super) fn tokens(&self) -> &TokenInterner {
        &self.tokens
    }

    /// The dictionary of its tokens, if tokens are looked up there and it is too large for the processor's caches.
    #[inline]
    pub(super) fn far_tokens(&self) -> Option<&TokenInterner> {
        (self.choice.encoding() == ColumnEncoding::Texts && self.tokens.is_large())
            .then_some(&self.tokens)
    }

    /// The field in whose dictionary its tokens are looked up one by one, since they are not in a dictionary of the column.
    #[inline]
    pub(super) fn far_words(&self) -> Option<Keyword> {
        self.field.filter(|field| {
            self.choice.encoding() == ColumnEncoding::AsIs && *field != Keyword::Entry
        })
    }

    /// Whether its tokens are numbers.
    pub(super) fn is_of_numbers(&self) -> bool {
        self.choice.encoding() == ColumnEncoding::Numbers
    }

    /// Writes a token whose XXH3 is known and adds its terms. Returns its contribution to the hash of the record; `None` if it is
    /// not JSON.
    #[inline]
    pub(super) fn put(&mut self, token: &[u8], hash: u64, record: &mut Writing<'_>) -> Option<u64> {
        match self.choice.encoding() {
            ColumnEncoding::Texts => {
                self.choice.note_seen();
                self.put_text(token, hash, record)
            }
            ColumnEncoding::Numbers => match value::whole(token) {
                Some(number) => {
                    value::put(number + value::FIRST_TEXT, record.values);
                    if self.speaks {
                        record.said.push(TermFact::Clients(number));
                    }
                    Some(self.content.scalar(hash))
                }
                None => self.put_as_is(token, hash, record),
            },
            ColumnEncoding::Lists(field) => {
                let before = record.said.len();
                let number = |word: &[u8]| {
                    let number = record.words.of_text(field, word)?;
                    record.said.push(TermFact::Word(field, number));
                    Some(number.0)
                };
                if value::put_words(token, number, record.values) {
                    return Some(self.content.hashed_token(token, hash));
                }
                record.said.truncate(before);
                self.put_as_is(token, hash, record)
            }
            ColumnEncoding::AsIs => self.put_as_is(token, hash, record),
            ColumnEncoding::Undecided => {
                self.choice.note_first(value::whole(token).is_some());
                self.put_as_is(token, hash, record)
            }
        }
    }

    /// Writes a token by its number in the dictionary.
    #[inline]
    fn put_text(&mut self, token: &[u8], hash: u64, record: &mut Writing<'_>) -> Option<u64> {
        let known = self.tokens.find_by(hash, token);
        let Some(number) = known.or_else(|| self.learn(token, hash, record)) else {
            return self.put_as_is(token, hash, record);
        };
        value::put(u64::from(number.0) + value::FIRST_TEXT, record.values);
        let (content, said) = match token.first() {
            Some(b'[' | b'{') => {
                let [low, high, said] = self.tokens.fact(number);
                (u64::from(high) << 32 | u64::from(low), place(said))
            }
            _ => (self.content.scalar(hash), 1),
        };
        if self.speaks {
            record.said.push(TermFact::Token(self.place, number));
            record.postings += said;
        }
        Some(content)
    }

    /// Adds a new token to the dictionary if it is JSON and there is room for it.
    fn learn(&mut self, token: &[u8], hash: u64, record: &mut Writing<'_>) -> Option<WordId> {
        if record.is_full || token.len() > LONGEST || !is_json(token) {
            return None;
        }
        let before = self.weight();
        let (number, _) = self.tokens.number_with(hash, token, || {
            let content = self.content.hashed_token(token, hash);
            let mut known = [lower_word(content), upper_word(content), 0];
            if self.speaks {
                let (path, field) = (&self.path, self.field);
                let said = self.learnt.push(|said| {
                    extract_terms(path, field, token, record.words, |fact| said.push(fact))
                });
                // A token has fewer terms than bytes.
                known[2] = u32::try_from(said).unwrap_or(u32::MAX);
            }
            known
        })?;
        self.choice.note_new();
        record.grown += self.weight() - before;
        Some(number)
    }

    fn put_as_is(&mut self, token: &[u8], hash: u64, record: &mut Writing<'_>) -> Option<u64> {
        let said = &mut *record.said;
        match value::put_token(token, is_json, record.values)? {
            Packed::Address(address) if self.is_ip => record.address = Some(address),
            Packed::Addresses(start) if self.field == Some(Keyword::Entry) => {
                let (entries, _) = record.values[start..].as_chunks();
                said.extend(
                    entries
                        .iter()
                        .map(|entry| TermFact::Entry(u32::from_be_bytes(*entry))),
                );
            }
            _ if self.speaks => {
                extract_terms(&self.path, self.field, token, record.words, |fact| {
                    said.push(fact)
                })
            }
            _ => {}
        }
        Some(self.content.hashed_token(token, hash))
    }

    /// Whether hardly any token of this chunk occurred before.
    #[inline]
    pub(super) fn is_all_new(&self) -> bool {
        self.choice.is_all_new()
    }

    /// Chooses the encoding for the next chunk. True if the tokens are objects that should be split from now on.
    pub(super) fn choose_encoding(&mut self) -> bool {
        let first = self.tokens.texts().next().and_then(|text| text.first());
        let tokens = match first {
            Some(b'{') => encoding::TokenShape::Objects,
            Some(b'[') => encoding::TokenShape::Lists,
            _ => encoding::TokenShape::Others,
        };
        let turn = self.choice.turn(tokens);
        if turn == Turn::CloseDictionary {
            self.tokens.close();
        }
        turn == Turn::TakeApart
    }

    /// Its key with quotes: the last one of its path.
    pub(super) fn key(&self) -> Vec<u8> {
        let key = self.path.trim_end_matches("[]").rsplit('.').next();
        format!("\"{}\"", key.unwrap_or_default()).into_bytes()
    }
}

/// Longer tokens are written verbatim: they hardly repeat, and take the room of many others.
const LONGEST: usize = 16 << 10;
/// Whether a token is JSON. The end of a string is already known, so without a backslash it is valid.
#[inline]
fn is_json(token: &[u8]) -> bool {
    let plain = token.len() > 1 && token[0] == b'"' && !token.contains(&b'\\');
    plain
        || value::whole(token).is_some()
        || serde_json::from_slice::<serde::de::IgnoredAny>(token).is_ok()
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::{encoding::TELLING, *};

    fn put_into(
        column: &mut ColumnBuilder,
        token: &[u8],
        words: &mut TermDictionaries,
        is_full: bool,
    ) -> Option<(Vec<u8>, Vec<TermFact>)> {
        let (mut values, mut said) = (Vec::new(), Vec::new());
        let mut record = Writing {
            words,
            values: &mut values,
            said: &mut said,
            is_full,
            grown: 0,
            postings: 0,
            address: None,
        };
        column
            .put(token, xxh3_64(token), &mut record)
            .map(|_| (values, said))
    }

    fn put(
        column: &mut ColumnBuilder,
        token: &[u8],
        words: &mut TermDictionaries,
    ) -> Option<(Vec<u8>, Vec<TermFact>)> {
        put_into(column, token, words, false)
    }

    #[test]
    fn a_token_is_asked_once_and_remembered() {
        let mut words = TermDictionaries::default();
        let mut column = ColumnBuilder::new("tunnels[]", 7);
        let token = br#"{"type":"VPN","operator":"ACME\u005fVPN"}"#;
        let first = put(&mut column, token, &mut words).expect("json");
        assert_eq!(first, (vec![5], vec![TermFact::Token(7, WordId(0))]));
        assert_eq!(put(&mut column, token, &mut words), Some(first));
        assert_eq!(words.of(Keyword::Tag).text(WordId(0)), b"ACME_VPN");
        assert_eq!(
            column.learnt().of(WordId(0)),
            [
                TermFact::Word(Keyword::Type, WordId(0)),
                TermFact::Word(Keyword::Tag, WordId(0)),
                TermFact::Attributed
            ]
        );
        assert_eq!(column.learnt().len(), 0);
        assert_eq!(put(&mut column, b"{\"type\":}", &mut words), None);
        let full = put_into(&mut column, b"{}", &mut words, true).expect("json");
        assert_eq!(full.0, [0, 2, b'{', b'}']);
    }

    #[test]
    fn numbers_take_no_dictionary() {
        let mut words = TermDictionaries::default();
        let mut column = ColumnBuilder::new("client.count", 0);
        for _ in 0..TELLING {
            assert_eq!(
                put(&mut column, b"14", &mut words),
                Some((vec![2, 14], vec![TermFact::Clients(14)]))
            );
        }
        assert_eq!(
            put(&mut column, b"14", &mut words),
            Some((vec![19], vec![TermFact::Clients(14)]))
        );
        let other_form = put(&mut column, b"14.0", &mut words);
        assert_eq!(
            other_form,
            Some((b"\0\x0414.0".to_vec(), vec![TermFact::Clients(14)]))
        );
        assert!(column.is_of_numbers());
        assert!(!ColumnBuilder::new("as.number", 0).is_of_numbers());
    }

    #[test]
    fn many_tokens_tell_what_a_column_is_of() {
        let mut words = TermDictionaries::default();
        for (texts, of_numbers) in [(2, true), (3, true), (200, false)] {
            let mut column = ColumnBuilder::new("client.concentration.density", 0);
            for number in 0..TELLING {
                let token: &[u8] = if number < texts { b"0.25" } else { b"1" };
                let (values, _) = put(&mut column, token, &mut words).expect("json");
                assert!(values[0] < 5, "{values:?}");
            }
            assert_eq!(column.is_of_numbers(), of_numbers, "{texts}");
            let (one, other) = if of_numbers {
                (vec![6], b"\0\x040.25".to_vec())
            } else {
                (vec![5], vec![6])
            };
            assert_eq!(put(&mut column, b"1", &mut words), Some((one, Vec::new())));
            let last = put(&mut column, b"0.25", &mut words);
            assert_eq!(last, Some((other, Vec::new())));
        }
    }

    #[test]
    fn lists_that_hardly_repeat_are_written_by_their_words() {
        let mut words = TermDictionaries::default();
        let mut column = ColumnBuilder::new("client.proxies", 0);
        let lists: Vec<String> = (0..5000)
            .map(|number| format!("[\"{}\",\"{}\"]", number % 70, number % 71))
            .collect();
        for list in &lists {
            assert!(put(&mut column, list.as_bytes(), &mut words).is_some());
        }
        assert!(!column.choose_encoding());
        let word = |number| TermFact::Word(Keyword::Proxy, WordId(number));
        assert_eq!(
            put(&mut column, br#"["1","0","new"]"#, &mut words),
            Some((vec![4, 3, 1, 0, 71], vec![word(1), word(0), word(71)]))
        );
        for odd in [
            r#"["1", "0"]"#,
            "[]",
            r#"["1"," "]"#,
            r#"["1","\u0030"]"#,
            "5",
        ] {
            let (values, _) = put(&mut column, odd.as_bytes(), &mut words).expect("json");
            assert!(values[0] < 4, "{odd}");
        }
    }

    #[test]
    fn only_some_paths_say_something() {
        for (path, speaks) in [
            ("as", true),
            ("as.number", true),
            ("location", true),
            ("location.city", false),
            ("client.count", true),
            ("client", true),
            ("client.countries", false),
            ("tunnels[].entries", true),
            ("tunnels[]", true),
            ("a", false),
        ] {
            assert_eq!(ColumnBuilder::new(path, 0).speaks, speaks, "{path}");
        }
    }

    #[test]
    fn a_column_that_hardly_repeats_takes_no_more() {
        let mut words = TermDictionaries::default();
        for (path, of_ten, closes) in [
            ("client.city", 10, true),
            ("client.city", 6, true),
            ("organization", 10, true),
            ("organization", 6, false),
            ("tunnels[].entries", 10, true),
        ] {
            let mut column = ColumnBuilder::new(path, 0);
            for number in 0..5000 {
                let number = if number % 10 < of_ten { number } else { 0 };
                put(&mut column, format!("\"{number}\"").as_bytes(), &mut words);
            }
            assert_eq!(column.is_all_new(), of_ten == 10);
            assert!(!column.choose_encoding());
            let after = put(&mut column, b"\"new\"", &mut words).expect("json").0;
            assert_eq!(after[0] == 0, closes, "{path} {of_ten}");
        }
    }
}
