//! Columns: the tokens that stand at one path, numbered, and what each of them says to a search.
//!
//! What a token says (its words, a number of clients) is found out once, when it comes first, and looked up from then on. A
//! column whose tokens hardly repeat takes no more of them: they are then written as they are, and asked every time.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::words::Interner;
use crate::model::{Document, Keyword, terms};

/// What a token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A word of a field's dictionary.
    Word(Keyword, u32),
    /// A word that is in no dictionary, by its hash.
    Needle(Keyword, u32),
    /// The number of clients.
    Clients(u64),
    /// It is a tunnel with an operator, and a VPN.
    Attributed,
}

/// The words of each field.
#[derive(Debug, Default)]
pub(super) struct Words {
    dictionaries: [Interner; Keyword::ALL.len()],
}

impl Words {
    /// Dictionaries of words may take this much memory each; words beyond are needles.
    const MOST_BYTES: usize = 24 << 20;

    fn said(&mut self, field: Keyword, word: &str) -> Said {
        let dictionary = &mut self.dictionaries[field as usize];
        // Every address has entries of its own: they hardly repeat.
        let open = field != Keyword::Entry && dictionary.weight() + word.len() < Self::MOST_BYTES;
        let number = if open {
            Some(dictionary.number(word.as_bytes()).0)
        } else {
            dictionary.find(word.as_bytes())
        };
        number.map_or_else(
            || Said::Needle(field, needle(word)),
            |number| Said::Word(field, number),
        )
    }

    /// The words of a field.
    pub(super) fn of(&self, field: Keyword) -> &Interner {
        &self.dictionaries[field as usize]
    }
}

/// The hash by which a word is found that is in no dictionary: the same for all cases of ASCII letters.
pub(super) fn needle(word: &str) -> u32 {
    // Half of it is enough: what is found is looked at.
    xxh3_64(word.to_ascii_lowercase().as_bytes()) as u32
}

/// One column.
#[derive(Debug)]
pub(super) struct Column {
    /// Its path, with `[]` where an array is.
    pub(super) path: String,
    tokens: Interner,
    /// For each token where in `said` it begins, and one more at the end; empty where no token says anything.
    begins: Vec<u32>,
    said: Vec<Said>,
    /// Whether tokens here can say anything.
    speaks: bool,
    /// Whether it takes no more tokens.
    closed: bool,
    /// Tokens that were looked up since the last judgement, and how many of them were new.
    seen: u32,
    new: u32,
}

/// What became of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbered {
    /// It has this number.
    Text(u32),
    /// It is to be written as it is.
    AsIs,
    /// It is no JSON.
    Odd,
}

impl Column {
    pub(super) fn new(path: &str) -> Self {
        let flat = path.replace("[]", "");
        let leads = |to: &str| {
            to == flat
                || to
                    .strip_prefix(&flat)
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        let words = Keyword::ALL
            .iter()
            .flat_map(|field| field.paths())
            .any(|path| leads(path));
        let subject = terms::SUBJECT_KEYS.contains(&path);
        Self {
            speaks: words || leads("client.count"),
            closed: subject,
            path: path.to_owned(),
            tokens: Interner::default(),
            begins: vec![0],
            said: Vec::new(),
            seen: 0,
            new: 0,
        }
    }

    /// About how many bytes of memory it takes.
    pub(super) fn weight(&self) -> usize {
        self.tokens.weight() + self.said.len() * size_of::<Said>() + self.begins.len() * 4
    }

    pub(super) fn tokens(&self) -> &Interner {
        &self.tokens
    }

    pub(super) fn speaks(&self) -> bool {
        self.speaks
    }

    /// Numbers a token, and finds out what it says if it is new.
    #[inline]
    pub(super) fn number(&mut self, token: &[u8], words: &mut Words, is_full: bool) -> Numbered {
        if self.closed {
            return if is_json(token) {
                Numbered::AsIs
            } else {
                Numbered::Odd
            };
        }
        self.seen += 1;
        if let Some(number) = self.tokens.find(token) {
            return Numbered::Text(number);
        }
        self.new += 1;
        if !is_json(token) {
            return Numbered::Odd;
        }
        if is_full {
            return Numbered::AsIs;
        }
        let (number, _) = self.tokens.number(token);
        if self.speaks {
            let Self { path, said, .. } = self;
            ask(path, token, words, |fact| said.push(fact));
            self.begins.push(self.said.len() as u32);
        }
        Numbered::Text(number)
    }

    /// What a token with a number says.
    #[inline]
    pub(super) fn said(&self, number: u32) -> &[Said] {
        if !self.speaks {
            return &[];
        }
        let range: Range<usize> =
            self.begins[number as usize] as usize..self.begins[number as usize + 1] as usize;
        &self.said[range]
    }

    /// Whether tokens here hardly repeat. Judged over many, since at first all are new.
    pub(super) fn is_diverse(&self, at_least: u32) -> bool {
        self.seen >= at_least && self.new > self.seen / 2
    }

    /// Judges anew from now on, and closes a column whose tokens hardly repeat; but not one of words, of which a search wants to
    /// know each.
    pub(super) fn judge(&mut self) {
        let of_words =
            self.speaks && !self.path.ends_with("entries") && !self.path.ends_with("count");
        if !of_words && self.is_diverse(4096) {
            self.closed = true;
            self.tokens.close();
        }
        (self.seen, self.new) = (0, 0);
    }
}

/// Whether a token is JSON. Strings have been bounded before: without a backslash there is nothing to be wrong.
#[inline]
fn is_json(token: &[u8]) -> bool {
    let plain = token.len() > 1 && token[0] == b'"' && !token.contains(&b'\\');
    plain
        || super::value::whole(token).is_some()
        || serde_json::from_slice::<serde::de::IgnoredAny>(token).is_ok()
}

/// Finds out what a token says that stands at a path.
pub(super) fn ask(path: &str, token: &[u8], words: &mut Words, mut say: impl FnMut(Said)) {
    let Ok(document) = Document::read(token) else {
        return;
    };
    let value = document.value();
    let flat = path.replace("[]", "");
    terms::words_below(&flat, value, &mut |field, word| {
        say(words.said(field, &word))
    });
    let clients = match path {
        "client.count" => terms::clients(value),
        "client" => value.get("count").and_then(terms::clients),
        _ => None,
    };
    clients
        .into_iter()
        .for_each(|clients| say(Said::Clients(clients)));
    if matches!(path, "tunnels" | "tunnels[]") && value.is_object() && terms::is_attributed(value) {
        say(Said::Attributed);
    }
}

/// What a whole line says that is kept as it is.
pub(super) fn ask_line(record: &terms::Terms, words: &mut Words, mut say: impl FnMut(Said)) {
    for (field, word) in &record.words {
        say(words.said(*field, word));
    }
    record
        .clients
        .into_iter()
        .for_each(|clients| say(Said::Clients(clients)));
    if record.attributed {
        say(Said::Attributed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_asked_once_and_remembered() {
        let mut words = Words::default();
        let mut column = Column::new("tunnels[]");
        let token = br#"{"type":"VPN","operator":"ACME\u005fVPN"}"#;
        assert_eq!(column.number(token, &mut words, false), Numbered::Text(0));
        assert_eq!(column.number(token, &mut words, true), Numbered::Text(0));
        assert_eq!(
            column.said(0),
            [
                Said::Word(Keyword::Type, 0),
                Said::Word(Keyword::Tag, 0),
                Said::Attributed
            ]
        );
        assert_eq!(words.of(Keyword::Tag).text(0), b"ACME_VPN");
        assert_eq!(
            column.number(b"{\"type\":}", &mut words, false),
            Numbered::Odd
        );
        assert_eq!(column.number(b"{}", &mut words, true), Numbered::AsIs);
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
            assert_eq!(Column::new(path).speaks(), speaks, "{path}");
        }
    }

    #[test]
    fn a_column_that_hardly_repeats_is_closed_unless_its_words_are_searched() {
        let mut words = Words::default();
        for (path, closes) in [
            ("client.spread", true),
            ("organization", false),
            ("tunnels[].entries", true),
        ] {
            let mut column = Column::new(path);
            for number in 0..5000 {
                column.number(format!("\"{number}\"").as_bytes(), &mut words, false);
            }
            column.judge();
            let after = column.number(b"\"new\"", &mut words, false);
            assert_eq!(after == Numbered::AsIs, closes, "{path}");
        }
    }

    #[test]
    fn addresses_are_needles_in_any_case() {
        let mut words = Words::default();
        let mut said = Vec::new();
        ask(
            "tunnels[].entries",
            br#"["2001:DB8::1","x"]"#,
            &mut words,
            |fact| said.push(fact),
        );
        assert_eq!(
            said,
            [
                Said::Needle(Keyword::Entry, needle("2001:db8::1")),
                Said::Needle(Keyword::Entry, needle("X"))
            ]
        );
    }
}
