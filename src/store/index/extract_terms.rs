//! Extracts the search terms of a token or a line, and numbers its words.

use std::net::Ipv4Addr;

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    id::{WordId, lower_word},
    section_kind::{FIELDS, field_place},
    shape::path_of_words,
    term_fact::TermFact,
    value,
    words::Interner,
};
use crate::model::{Document, Keyword, terms};

/// The dictionary of each field.
#[derive(Debug, Default)]
pub(super) struct TermDictionaries {
    dictionaries: [Interner; FIELDS],
    /// Approximate memory of all dictionaries, in bytes.
    weight: usize,
}

impl TermDictionaries {
    /// The memory limit of one dictionary, in bytes; further words are unindexed.
    const MOST_BYTES: usize = 24 << 20;
    /// The memory limit of all dictionaries, in bytes; further words are unindexed.
    const MOST_OF_ALL: usize = 96 << 20;
    /// Longer words are unindexed.
    const LONGEST: usize = 4 << 10;

    /// The number of a word, if there is room for it.
    #[inline]
    fn number(&mut self, field: Keyword, word: &str) -> Option<WordId> {
        let dictionary = &mut self.dictionaries[field_place(field)];
        if let Some(known) = dictionary.find(word.as_bytes()) {
            return Some(known);
        }
        let before = dictionary.weight();
        // Entries hardly repeat: most addresses have different ones.
        let is_closed = field == Keyword::Entry
            || word.len() > Self::LONGEST
            || before + word.len() >= Self::MOST_BYTES
            || self.weight + word.len() >= Self::MOST_OF_ALL;
        if is_closed {
            return None;
        }
        let (number, _) = dictionary.number(word.as_bytes())?;
        self.weight += dictionary.weight() - before;
        Some(number)
    }

    /// The number of a word given as text without escapes; `None` also if it is blank.
    #[inline]
    pub(super) fn of_text(&mut self, field: Keyword, word: &[u8]) -> Option<WordId> {
        let known = self.dictionaries[field_place(field)].find(word);
        known.or_else(|| {
            let word = std::str::from_utf8(word).ok().filter(|word| says(word))?;
            self.number(field, word)
        })
    }

    fn said(&mut self, field: Keyword, word: &str) -> TermFact {
        if field == Keyword::Entry
            && let Some(address) = entry(word)
        {
            return TermFact::Entry(address);
        }
        self.number(field, word).map_or_else(
            || TermFact::Unindexed(field, term_hash(word)),
            |number| TermFact::Word(field, number),
        )
    }

    pub(super) fn of(&self, field: Keyword) -> &Interner {
        &self.dictionaries[field_place(field)]
    }
}

/// The hash to find a word in a dictionary, for a token that is one word.
#[inline]
pub(super) fn word_hash(token: &[u8]) -> Option<u64> {
    let word = token.get(1..token.len().checked_sub(1)?)?;
    Some(xxh3_64(word))
}

/// A word of [`Keyword::Entry`] as an IPv4 address.
pub(super) fn entry(word: &str) -> Option<u32> {
    word.parse().ok().map(Ipv4Addr::to_bits)
}

/// The hash of a word that is in no dictionary. It ignores the case of ASCII letters.
pub(super) fn term_hash(word: &str) -> u32 {
    /// Nearly all words are shorter.
    const USUAL: usize = 64;
    let mut lower = [0; USUAL];
    let hash = match lower.get_mut(..word.len()) {
        Some(lower) => {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            xxh3_64(lower)
        }
        None => xxh3_64(word.to_ascii_lowercase().as_bytes()),
    };
    // Half of the hash is enough: matches are verified against the record.
    lower_word(hash)
}

/// Whether a word is not blank.
fn says(word: &str) -> bool {
    !word.trim().is_empty()
}

/// Extracts the terms of a token at a path whose words belong to `field`.
pub(super) fn extract_terms(
    path: &str,
    field: Option<Keyword>,
    token: &[u8],
    words: &mut TermDictionaries,
    mut say: impl FnMut(TermFact),
) {
    if let Some(field) = field
        && extract_plain(field, token, words, &mut say)
    {
        return;
    }
    let Some(value) = read(token) else {
        return;
    };
    let flat = path_of_words(path);
    terms::words_below(&flat, &value, &mut |field, word| {
        say(words.said(field, &word))
    });
    let clients = match path {
        "client.count" => terms::clients(&value),
        "client" => value.get("count").and_then(terms::clients),
        _ => None,
    };
    if let Some(clients) = clients {
        say(TermFact::Clients(clients));
    }
    if matches!(path, "tunnels" | "tunnels[]") && value.is_object() && terms::is_attributed(&value)
    {
        say(TermFact::Attributed);
    }
}

/// A fast path for the most frequent tokens: a word, a list of words, a list of addresses, without escapes. False for others.
fn extract_plain(
    field: Keyword,
    token: &[u8],
    words: &mut TermDictionaries,
    say: &mut impl FnMut(TermFact),
) -> bool {
    if field == Keyword::Entry {
        let Some(addresses) = value::v4_list(token) else {
            return false;
        };
        for address in addresses {
            say(TermFact::Entry(address.to_bits()));
        }
        return true;
    }
    if !field.is_of_texts() {
        return false;
    }
    let list = value::plain_list(token);
    let mut say = |word: &str| {
        if says(word) {
            say(words.said(field, word));
        }
    };
    match (value::plain(token), list) {
        (Some(word), _) => say(word),
        (None, Some(list)) => list.for_each(say),
        (None, None) => return false,
    }
    true
}

/// The value of a token. Plain tokens use the faster of two parsers; both give the same result for them.
fn read(token: &[u8]) -> Option<Value> {
    if token.contains(&b'\\') || token.contains(&b'$') {
        let document = Document::read(token).ok()?;
        return Some(document.value().clone());
    }
    serde_json::from_slice(token).ok()
}

/// The terms of a line stored verbatim.
pub(super) fn extract_line_terms(
    record: &terms::Terms,
    words: &mut TermDictionaries,
    mut say: impl FnMut(TermFact),
) {
    for (field, word) in &record.words {
        say(words.said(*field, word));
    }
    if let Some(clients) = record.clients {
        say(TermFact::Clients(clients));
    }
    if record.attributed {
        say(TermFact::Attributed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_addresses_in_any_case() {
        let mut words = TermDictionaries::default();
        let mut said = Vec::new();
        extract_terms(
            "tunnels[].entries",
            Some(Keyword::Entry),
            br#"["2001:DB8::1","x","198.51.100.7"]"#,
            &mut words,
            |fact| said.push(fact),
        );
        assert_eq!(
            said,
            [
                TermFact::Unindexed(Keyword::Entry, term_hash("2001:db8::1")),
                TermFact::Unindexed(Keyword::Entry, term_hash("X")),
                TermFact::Entry(0xc633_6407)
            ]
        );
    }
}
