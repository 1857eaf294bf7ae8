//! Columns: the tokens that stand at one path, numbered, and what each of them says to a search.
//!
//! What a token says (its words, a number of clients) is found out once, when it comes first, and looked up from then on. A
//! column whose tokens hardly repeat takes no more of them: they are then written as they are, and asked every time.

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::{value, words::Interner};
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
    /// The field whose words its tokens are, or lists of them.
    field: Option<Keyword>,
    /// How tokens are written.
    form: Form,
    /// Tokens that were looked up since the last judgement, and how many of them were new.
    seen: u32,
    new: u32,
}

/// How the tokens of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// No token has come.
    New,
    /// By their numbers in the dictionary.
    Texts,
    /// They are numbers themselves, which take no dictionary.
    Numbers,
    /// As they are: they hardly repeat.
    AsIs,
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
            form: if subject { Form::AsIs } else { Form::New },
            field: Keyword::at(&flat),
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

    /// Whether its tokens are numbers.
    pub(super) fn is_of_numbers(&self) -> bool {
        self.form == Form::Numbers
    }

    /// The hash of a token, and begins to fetch what writing it will need: `waited` grows by a number that means nothing.
    #[inline]
    pub(super) fn hash(&self, token: &[u8], waited: &mut u32) -> u32 {
        if self.form != Form::Texts {
            return 0;
        }
        let hash = self.tokens.hash(token);
        *waited ^= self.tokens.fetch(hash);
        hash
    }

    /// Writes a token of that hash, and adds what it says; false for what is no JSON. `is_full` says that no dictionary may grow.
    #[inline]
    pub(super) fn put(
        &mut self,
        token: &[u8],
        hash: u32,
        is_full: bool,
        words: &mut Words,
        values: &mut Vec<u8>,
        said: &mut Vec<Said>,
    ) -> bool {
        match self.form {
            Form::Texts => {
                self.seen += 1;
                if let Some(number) = self.tokens.find_by(hash, token) {
                    value::put(u64::from(number) + value::FIRST_TEXT, values);
                    self.say(number, said);
                    return true;
                }
                self.new += 1;
                self.put_new(token, is_full, words, values, said)
            }
            Form::Numbers => match value::whole(token) {
                Some(number) => {
                    value::put(number + value::FIRST_TEXT, values);
                    if self.speaks {
                        said.push(Said::Clients(number));
                    }
                    true
                }
                None => self.put_as_is(token, words, values, said),
            },
            Form::AsIs => self.put_as_is(token, words, values, said),
            Form::New => {
                // A number of clients says itself; that of a system is a word.
                let is_number = !self.speaks || self.path == "client.count";
                let of_numbers = is_number && value::whole(token).is_some();
                self.form = if of_numbers {
                    Form::Numbers
                } else {
                    Form::Texts
                };
                let hash = self.hash(token, &mut 0);
                self.put(token, hash, is_full, words, values, said)
            }
        }
    }

    fn put_new(
        &mut self,
        token: &[u8],
        is_full: bool,
        words: &mut Words,
        values: &mut Vec<u8>,
        said: &mut Vec<Said>,
    ) -> bool {
        if is_full {
            return self.put_as_is(token, words, values, said);
        }
        if !is_json(token) {
            return false;
        }
        // The first tokens of a column may come twice in one record, before there is a dictionary to find them in.
        let (number, is_new) = self.tokens.number(token);
        if is_new && self.speaks {
            let own = &mut self.said;
            ask(&self.path, self.field, token, words, |fact| own.push(fact));
            self.begins.push(own.len() as u32);
        }
        value::put(u64::from(number) + value::FIRST_TEXT, values);
        self.say(number, said);
        true
    }

    fn put_as_is(
        &mut self,
        token: &[u8],
        words: &mut Words,
        values: &mut Vec<u8>,
        said: &mut Vec<Said>,
    ) -> bool {
        if !value::put_token(token, is_json, values) {
            return false;
        }
        if self.speaks {
            ask(&self.path, self.field, token, words, |fact| said.push(fact));
        }
        true
    }

    /// Adds what a token with a number says.
    #[inline]
    fn say(&self, number: u32, said: &mut Vec<Said>) {
        if self.speaks {
            let number = number as usize;
            let own = self.begins[number] as usize..self.begins[number + 1] as usize;
            // Mostly one: pushing it is faster than copying memory.
            self.said[own].iter().for_each(|fact| said.push(*fact));
        }
    }

    /// Whether tokens are objects that hardly repeat: all but all of many were new.
    #[inline]
    pub(super) fn is_motley(&self) -> bool {
        self.seen >= ENOUGH && self.new > self.seen / 10 * 9
    }

    /// A chunk is full. A column whose tokens hardly repeated in it is written as it is from now on; but not one of words, of which
    /// a search wants to know each. True when its tokens were objects: those are rather taken apart.
    pub(super) fn judge(&mut self) -> bool {
        let is_diverse = self.seen >= ENOUGH && self.new > self.seen / 2;
        let is_of_objects = self.tokens.len() > 0 && self.tokens.text(0).first() == Some(&b'{');
        let is_of_words = self.speaks && !self.path.ends_with("entries");
        if is_diverse && !is_of_words && !is_of_objects {
            self.form = Form::AsIs;
            self.tokens.close();
        }
        (self.seen, self.new) = (0, 0);
        is_diverse && is_of_objects
    }

    /// Its key with quotes: the last one of its path.
    pub(super) fn key(&self) -> Vec<u8> {
        let key = self.path.trim_end_matches("[]").rsplit('.').next();
        format!("\"{}\"", key.unwrap_or_default()).into_bytes()
    }
}

/// Of fewer tokens it is not judged whether they repeat: at first all are new.
const ENOUGH: u32 = 4096;

/// Whether a token is JSON. Strings have been bounded before: without a backslash there is nothing to be wrong.
#[inline]
fn is_json(token: &[u8]) -> bool {
    let plain = token.len() > 1 && token[0] == b'"' && !token.contains(&b'\\');
    plain
        || value::whole(token).is_some()
        || serde_json::from_slice::<serde::de::IgnoredAny>(token).is_ok()
}

/// Finds out what a token says that stands at a path, where words of a field stand.
fn ask(
    path: &str,
    field: Option<Keyword>,
    token: &[u8],
    words: &mut Words,
    mut say: impl FnMut(Said),
) {
    if let Some(field) = field
        && ask_plain(field, token, words, &mut say)
    {
        return;
    }
    let Some(value) = read(token) else {
        return;
    };
    let flat = path.replace("[]", "");
    terms::words_below(&flat, &value, &mut |field, word| {
        say(words.said(field, &word))
    });
    let clients = match path {
        "client.count" => terms::clients(&value),
        "client" => value.get("count").and_then(terms::clients),
        _ => None,
    };
    if let Some(clients) = clients {
        say(Said::Clients(clients));
    }
    if matches!(path, "tunnels" | "tunnels[]") && value.is_object() && terms::is_attributed(&value)
    {
        say(Said::Attributed);
    }
}

/// The same for the tokens that come most: a word, a list of words, a list of addresses, without escapes; false for others.
fn ask_plain(field: Keyword, token: &[u8], words: &mut Words, say: &mut impl FnMut(Said)) -> bool {
    if field == Keyword::Entry {
        let Some(addresses) = value::v4_list(token) else {
            return false;
        };
        for address in addresses {
            let mut word = Vec::with_capacity(15);
            value::spell_v4(address.octets(), &mut word);
            say(Said::Needle(field, xxh3_64(&word) as u32));
        }
        return true;
    }
    if field == Keyword::Asn {
        return false;
    }
    let list = value::plain_list(token);
    let mut say = |word: &str| {
        if !word.trim().is_empty() {
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

/// The value of a token. What is plain is read by the faster of two readers, which read it alike.
fn read(token: &[u8]) -> Option<Value> {
    if token.contains(&b'\\') || token.contains(&b'$') {
        let document = Document::read(token).ok()?;
        return Some(document.value().clone());
    }
    serde_json::from_slice(token).ok()
}

/// What a whole line says that is kept as it is.
pub(super) fn ask_line(record: &terms::Terms, words: &mut Words, mut say: impl FnMut(Said)) {
    for (field, word) in &record.words {
        say(words.said(*field, word));
    }
    if let Some(clients) = record.clients {
        say(Said::Clients(clients));
    }
    if record.attributed {
        say(Said::Attributed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(column: &mut Column, token: &[u8], words: &mut Words) -> Option<(Vec<u8>, Vec<Said>)> {
        let (mut values, mut said) = (Vec::new(), Vec::new());
        let hash = column.hash(token, &mut 0);
        column
            .put(token, hash, false, words, &mut values, &mut said)
            .then_some((values, said))
    }

    #[test]
    fn a_token_is_asked_once_and_remembered() {
        let mut words = Words::default();
        let mut column = Column::new("tunnels[]");
        let token = br#"{"type":"VPN","operator":"ACME\u005fVPN"}"#;
        let first = put(&mut column, token, &mut words).expect("json");
        assert_eq!(
            first,
            (
                vec![4],
                vec![
                    Said::Word(Keyword::Type, 0),
                    Said::Word(Keyword::Tag, 0),
                    Said::Attributed
                ]
            )
        );
        assert_eq!(put(&mut column, token, &mut words), Some(first));
        assert_eq!(words.of(Keyword::Tag).text(0), b"ACME_VPN");
        assert_eq!(put(&mut column, b"{\"type\":}", &mut words), None);
        let (mut values, mut said) = (Vec::new(), Vec::new());
        assert!(column.put(
            b"{}",
            column.hash(b"{}", &mut 0),
            true,
            &mut words,
            &mut values,
            &mut said
        ));
        assert_eq!(values, [0, 2, b'{', b'}']);
    }

    #[test]
    fn the_first_token_of_a_column_may_come_twice_in_one_record() {
        let mut words = Words::default();
        let mut column = Column::new("tunnels[].operator");
        let hashes = [&b"\"A_VPN\""[..], b"\"A_VPN\"", b"\"B_VPN\""]
            .map(|token| (token, column.hash(token, &mut 0)));
        let mut said = Vec::new();
        for (token, hash) in hashes {
            assert!(column.put(token, hash, false, &mut words, &mut Vec::new(), &mut said));
        }
        let tag = |number| Said::Word(Keyword::Tag, number);
        assert_eq!(said, [tag(0), tag(0), tag(1)]);
    }

    #[test]
    fn numbers_take_no_dictionary() {
        let mut words = Words::default();
        let mut column = Column::new("client.count");
        assert_eq!(
            put(&mut column, b"14", &mut words),
            Some((vec![18], vec![Said::Clients(14)]))
        );
        let odd = put(&mut column, b"14.0", &mut words);
        assert_eq!(odd, Some((b"\0\x0414.0".to_vec(), vec![Said::Clients(14)])));
        assert!(column.is_of_numbers());
        assert!(!Column::new("as.number").is_of_numbers());
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
            assert_eq!(Column::new(path).speaks, speaks, "{path}");
        }
    }

    #[test]
    fn a_column_that_hardly_repeats_takes_no_more_unless_its_words_are_searched() {
        let mut words = Words::default();
        for (path, closes) in [
            ("client.city", true),
            ("organization", false),
            ("tunnels[].entries", true),
        ] {
            let mut column = Column::new(path);
            for number in 0..5000 {
                put(&mut column, format!("\"{number}\"").as_bytes(), &mut words);
            }
            assert!(column.is_motley());
            assert!(!column.judge());
            let after = put(&mut column, b"\"new\"", &mut words).expect("json").0;
            assert_eq!(after[0] == 0, closes, "{path}");
        }
    }

    #[test]
    fn addresses_are_needles_in_any_case() {
        let mut words = Words::default();
        let mut said = Vec::new();
        ask(
            "tunnels[].entries",
            Some(Keyword::Entry),
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
