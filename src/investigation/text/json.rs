//! The members of a JSON document, by key: `user.name` within others, those of a list under the key of the list.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use super::{address::address_of, fields::RowFields};

/// How deep a document is looked into.
const DEEPEST: usize = 32;

/// Where the string ends that begins here.
pub(super) fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Where the object or list ends with which a text begins.
pub(super) fn value_end(text: &[u8]) -> Option<usize> {
    let (open, close) = match text.first()? {
        b'{' => (b'{', b'}'),
        b'[' => (b'[', b']'),
        _ => return None,
    };
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        at += memchr::memchr3(open, close, b'"', text.get(at..)?)?;
        match text[at] {
            b'"' => {
                at = string_end(text, at)?;
                continue;
            }
            sign if sign == open => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Adds the members of the document at this place of a row; what follows a mistake in it is left out.
pub(super) fn read(row: &[u8], place: Range<usize>, fields: &mut RowFields) {
    let group = fields.outermost();
    let mut walker = Walker {
        text: &row[..place.end],
        at: place.start,
        name: String::new(),
        fields,
        whole: None,
        numbered: HashMap::new(),
    };
    // What is behind a mistake is no document.
    walker.value(group, None, 0);
}

/// Adds the members of a document that a cell at this place of a row has as its value, under the head of the cell.
pub(super) fn read_inner(document: &[u8], place: Range<usize>, head: &str, fields: &mut RowFields) {
    let group = fields.outermost();
    let mut walker = Walker {
        text: document,
        at: 0,
        name: head.to_owned(),
        fields,
        whole: Some(place),
        numbered: HashMap::new(),
    };
    // What is behind a mistake is no document.
    walker.value(group, None, 0);
}

/// Reads a document once, in its order.
struct Walker<'w> {
    text: &'w [u8],
    at: usize,
    /// The keys down to here.
    name: String,
    fields: &'w mut RowFields,
    /// The place of the string that the document is in, if it is in one.
    whole: Option<Range<usize>>,
    /// The groups of members whose keys are numbers or addresses, by the group around them.
    numbered: HashMap<u32, Numbered>,
}

/// Members whose keys are numbers or addresses: objects apart, as in a list; of several objects those with the same key belong together,
/// as in a table by columns.
struct Numbered {
    list: u32,
    groups: HashMap<Vec<u8>, u32>,
}

impl Walker<'_> {
    fn skip_blanks(&mut self) -> Option<u8> {
        let rest = self.text.get(self.at..)?;
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        self.at += blanks.count();
        self.text.get(self.at).copied()
    }

    /// Reads a value; `list` is the list that it is directly in. `None` at a mistake.
    fn value(&mut self, group: u32, list: Option<u32>, depth: usize) -> Option<()> {
        let first = self.skip_blanks()?;
        let group = match list {
            Some(list) => self.fields.group(group, list, &self.name),
            None => group,
        };
        match first {
            b'{' | b'[' if depth == DEEPEST => {
                self.at += value_end(&self.text[self.at..])?;
                Some(())
            }
            b'{' => self.object(group, depth),
            b'[' => self.list(group, depth),
            b'"' => {
                let end = string_end(self.text, self.at)?;
                let place = self.at + 1..end - 1;
                self.at = end;
                self.string(place, group, depth);
                Some(())
            }
            _ => {
                let rest = &self.text[self.at..];
                let len = rest
                    .iter()
                    .position(|byte| byte.is_ascii_whitespace() || b",]}".contains(byte));
                let place = self.at..self.at + len.unwrap_or(rest.len());
                if place.is_empty() {
                    return None;
                }
                self.at = place.end;
                if &self.text[place.clone()] != b"null" {
                    self.push(&self.text[place.clone()], place.clone(), group);
                }
                Some(())
            }
        }
    }

    fn object(&mut self, group: u32, depth: usize) -> Option<()> {
        self.at += 1;
        if self.skip_blanks()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            (self.skip_blanks()? == b'"').then_some(())?;
            let end = string_end(self.text, self.at)?;
            let place = self.at + 1..end - 1;
            let key = unescaped(&self.text[place.clone()]);
            let before = self.name.len();
            self.at = end;
            (self.skip_blanks()? == b':').then_some(())?;
            self.at += 1;
            let mut group = group;
            if is_number_or_address(&key) {
                group = self.numbered(group, &key);
                if before == 0 {
                    self.name.push_str("key");
                }
                self.push(&key, place, group);
                self.name.truncate(before);
            } else {
                if before > 0 {
                    self.name.push('.');
                }
                self.name.push_str(&String::from_utf8_lossy(&key));
            }
            self.value(group, None, depth + 1)?;
            self.name.truncate(before);
            match self.skip_blanks()? {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return Some(());
                }
                _ => return None,
            }
        }
    }

    /// The group of a member whose key is a number or an address.
    fn numbered(&mut self, group: u32, key: &[u8]) -> u32 {
        let numbered = self.numbered.entry(group).or_insert_with(|| Numbered {
            list: self.fields.list(),
            groups: HashMap::new(),
        });
        let list = numbered.list;
        let found = numbered.groups.entry(key.to_vec());
        *found.or_insert_with(|| self.fields.group(group, list, &self.name))
    }

    fn list(&mut self, group: u32, depth: usize) -> Option<()> {
        self.at += 1;
        if self.skip_blanks()? == b']' {
            self.at += 1;
            return Some(());
        }
        let list = self.fields.list();
        loop {
            self.value(group, Some(list), depth + 1)?;
            match self.skip_blanks()? {
                b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return Some(());
                }
                _ => return None,
            }
        }
    }

    /// A text; one that is a document itself is read as that.
    fn string(&mut self, place: Range<usize>, group: u32, depth: usize) {
        let raw = &self.text[place.clone()];
        let begins = raw.trim_ascii_start();
        let is_document = (begins.starts_with(b"{\\\"") || begins.starts_with(b"[{\\\""))
            && depth < DEEPEST
            && self.whole.is_none();
        let text = unescaped(raw);
        if is_document {
            let mut inner = Walker {
                text: &text,
                at: 0,
                name: self.name.clone(),
                fields: self.fields,
                whole: Some(place.clone()),
                numbered: HashMap::new(),
            };
            if inner.value(group, None, depth + 1).is_some() {
                return;
            }
        }
        self.push(&text, place, group);
    }

    fn push(&mut self, value: &[u8], place: Range<usize>, group: u32) {
        let place = self.whole.clone().unwrap_or(place);
        self.fields.push(&self.name, value, place, group);
    }
}

/// Whether a key is no name, but what its value is about.
fn is_number_or_address(key: &[u8]) -> bool {
    match key.first() {
        Some(b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {}
        _ => return false,
    }
    if key.iter().all(u8::is_ascii_digit) {
        return key.len() <= 9;
    }
    let has_signs = key.contains(&b'.') || key.contains(&b':');
    has_signs && std::str::from_utf8(key).is_ok_and(|key| address_of(key).is_some())
}

/// The text of a string between its quotes.
fn unescaped(raw: &[u8]) -> Cow<'_, [u8]> {
    if !raw.contains(&b'\\') {
        return raw.into();
    }
    let mut quoted = Vec::with_capacity(raw.len() + 2);
    quoted.push(b'"');
    quoted.extend_from_slice(raw);
    quoted.push(b'"');
    match serde_json::from_slice::<String>(&quoted) {
        Ok(text) => text.into_bytes().into(),
        // It stays as it is written.
        Err(_) => raw.into(),
    }
}
