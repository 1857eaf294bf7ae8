//! The encoder: turns lines into records of chunk builders. It is the only place that sees every line of a feed.
//!
//! A line with a known shape is written as the number of its shape and a value for each token. Any other record is stored
//! verbatim and parsed as a whole, which is slower. Both can be searched by all their terms, and both are restored byte for byte.

use std::{io, net::IpAddr};

use super::{
    chunk_builder::ChunkBuilder,
    column::{ColumnBuilder, Writing},
    content,
    extract_terms::{self, TermDictionaries},
    id::place,
    parsed_block::{ParsedLine, SplitKeys},
    section_kind::FIELDS,
    shape::{RAW, Shapes},
    term_fact::{TermFact, TermFacts},
    value,
    words::Slot,
};
use crate::{
    model::{Document, Keyword, Subject, Terms, terms},
    store::Rejected,
};

/// The memory limit for all dictionaries of tokens, in bytes; further tokens are written verbatim.
const MOST_BYTES: usize = 128 << 20;
/// The maximum number of columns; lines with further columns are stored verbatim.
const MOST_COLUMNS: usize = 4096;

/// The shapes, columns and dictionaries of a feed so far.
#[derive(Debug)]
pub(super) struct Encoder {
    shapes: Shapes,
    columns: Vec<ColumnBuilder>,
    words: TermDictionaries,
    /// The keys, with their quotes, of objects that are split because they hardly repeat.
    apart: SplitKeys,
    weight: usize,
    /// The limit of `weight` above which dictionaries do not grow.
    most: usize,
    line: u64,
    rejected: Rejected,
    values: Vec<u8>,
    said: Vec<TermFact>,
    /// The contribution of each token to the hash of its record.
    contents: Vec<u64>,
    open: Vec<u64>,
    /// Scratch of [`Encoder::prefetch`]: hashes of the next tokens, then their likely ranges in a dictionary.
    hashes: Vec<(Far, u64)>,
    ranges: Vec<(Far, [u32; 2])>,
}

/// A lookup that probably misses the processor's caches.
#[derive(Clone, Copy, Debug)]
enum Far {
    /// In the dictionary of a column.
    Tokens(u32),
    /// In the dictionary of a field.
    Words(Keyword),
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self::with_limit(MOST_BYTES)
    }

    /// With dictionaries of tokens limited to about this many bytes.
    fn with_limit(most: usize) -> Self {
        Self {
            shapes: Shapes::new(),
            columns: Vec::new(),
            words: TermDictionaries::default(),
            apart: SplitKeys::new(),
            weight: 0,
            most,
            line: 0,
            rejected: Rejected::default(),
            values: Vec::new(),
            said: Vec::new(),
            contents: Vec::new(),
            open: Vec::new(),
            hashes: Vec::new(),
            ranges: Vec::new(),
        }
    }

    /// Counts a line that was rejected before it was read.
    pub(super) fn reject(&mut self, why: &str) {
        self.line += 1;
        self.rejected.add(self.line, || why.to_owned());
    }

    /// Adds the skeletons with the next numbers.
    pub(super) fn learn(&mut self, skeletons: Vec<Vec<u8>>) {
        for skeleton in skeletons {
            let columns = &mut self.columns;
            self.shapes.learn(skeleton, |path| column_of(columns, path));
        }
    }

    /// Prefetches the dictionary slots of the next tokens.
    ///
    /// A lookup reads three locations, each of which depends on the one before and probably misses the caches. Here each round
    /// reads one of them for all tokens, so the misses overlap.
    pub(super) fn prefetch(&mut self, lines: &[ParsedLine<'_>]) {
        let Self {
            shapes,
            columns,
            words,
            hashes,
            ranges,
            ..
        } = self;
        hashes.clear();
        for line in lines {
            let shape = shapes.get(line.skeleton);
            let placed = shape.map_or(&[][..], |shape| &shape.columns);
            for ((hash, number), token) in line.hashes.iter().zip(placed).zip(line.tokens) {
                let column = &columns[place(*number)];
                if column.far_tokens().is_some() {
                    hashes.push((Far::Tokens(*number), *hash));
                } else if let Some(field) = column.far_words() {
                    let hash = extract_terms::word_hash(line.token(*token));
                    hashes.extend(hash.map(|hash| (Far::Words(field), hash)));
                }
            }
        }
        let mut all = 0;
        // These rounds do nothing else: a processor overlaps only the misses within its instruction window.
        for (far, hash) in &*hashes {
            let slot = match *far {
                Far::Tokens(column) => columns[place(column)].tokens().likely(*hash),
                Far::Words(field) => words.of(field).likely(*hash),
            };
            all ^= slot.map_or(0, Slot::touched);
        }
        ranges.clear();
        for (far, hash) in &*hashes {
            let range = match *far {
                Far::Tokens(column) => columns[place(column)].tokens().range(*hash),
                Far::Words(field) => words.of(field).range(*hash),
            };
            ranges.extend(range.map(|range| (*far, *range)));
        }
        for (far, range) in &*ranges {
            let ends = match *far {
                Far::Tokens(column) => columns[place(column)].tokens().ends_of(*range),
                Far::Words(field) => words.of(field).ends_of(*range),
            };
            all ^= ends.map_or(0, |[first, last]| u32::from(first ^ last));
        }
        std::hint::black_box(all);
    }

    #[inline]
    pub(super) fn line(&mut self, line: ParsedLine<'_>, draft: &mut ChunkBuilder) {
        self.line += 1;
        if !self.record(line, draft) {
            self.odd_line(line, draft);
        }
    }

    /// Writes a line of a known shape; false if it has none or is not a record.
    #[inline]
    fn record(&mut self, line: ParsedLine<'_>, draft: &mut ChunkBuilder) -> bool {
        let columns = &mut self.columns;
        let Some(shape) = self.shapes.get(line.skeleton) else {
            return false;
        };
        self.values.clear();
        self.said.clear();
        self.contents.clear();
        value::put(u64::from(line.skeleton), &mut self.values);
        let mut record = Writing {
            words: &mut self.words,
            values: &mut self.values,
            said: &mut self.said,
            is_full: self.weight > self.most,
            grown: 0,
            postings: 0,
            address: None,
        };
        let placed = line.tokens.iter().zip(&shape.columns);
        for ((token, number), hash) in placed.zip(line.hashes) {
            let token = line.token(*token);
            let column = &mut columns[place(*number)];
            let Some(content) = column.put(token, *hash, &mut record) else {
                self.weight += record.grown;
                return false;
            };
            self.contents.push(content);
            if token[0] == b'{' && column.is_all_new() {
                take_apart(&mut self.apart, column.key());
            }
        }
        let Writing {
            grown,
            postings,
            address,
            ..
        } = record;
        self.weight += grown;
        let token = |place: &usize| line.token(line.tokens[*place]);
        if shape
            .tunnels
            .iter()
            .any(|(kind, operator)| is_attributed(token(kind), token(operator)))
        {
            self.said.push(TermFact::Attributed);
        }
        let address = address.map(|address| Subject::Address(IpAddr::V4(address)));
        let subject = address.or_else(|| {
            let mut subjects = shape.subjects.iter();
            subjects.find_map(|(key, place)| subject(key, token(place)))
        });
        let hash = shape.content.sum(&self.contents, &mut self.open);
        draft.push(&self.values, &self.said, postings, subject, hash);
        true
    }

    /// Stores a line verbatim if it is a record.
    fn odd_line(&mut self, line: ParsedLine<'_>, draft: &mut ChunkBuilder) {
        let line = line.text;
        if line.trim_ascii().is_empty() {
            return;
        }
        let text = String::from_utf8_lossy(line);
        if !text.trim_start().starts_with('{') {
            self.rejected
                .add(self.line, || "not a JSON object".to_owned());
            return;
        }
        if let Err(error) = serde_json::from_str::<&serde_json::value::RawValue>(&text) {
            self.rejected.add(self.line, || {
                let error = error.to_string();
                error
                    .split(" at line")
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            });
            return;
        }
        let terms = Document::read(line)
            .map(|document| Terms::of(document.value()))
            .unwrap_or_default();
        self.said.clear();
        let said = &mut self.said;
        extract_terms::extract_line_terms(&terms, &mut self.words, |fact| said.push(fact));
        self.values.clear();
        value::put(u64::from(RAW), &mut self.values);
        self.values.extend_from_slice(line);
        let hash = content::of_line(line);
        draft.push(&self.values, &self.said, 0, terms.subject, hash);
    }

    /// The terms of the tokens that were added to each column since the last call.
    pub(super) fn learnt(&mut self) -> Vec<TermFacts> {
        self.columns.iter_mut().map(ColumnBuilder::learnt).collect()
    }

    /// Chooses the encoding of each column for the next chunk.
    pub(super) fn turn(&mut self) {
        for column in &mut self.columns {
            if column.choose_encoding() {
                take_apart(&mut self.apart, column.key());
            }
        }
        self.weight = self.columns.iter().map(ColumnBuilder::weight).sum();
    }

    /// The keys of the objects that are split.
    pub(super) fn apart(&self) -> &SplitKeys {
        &self.apart
    }

    /// The number of words of each field, in the order of fields.
    pub(super) fn words(&self) -> [usize; FIELDS] {
        Keyword::ALL.map(|field| self.words.of(field).len())
    }

    /// Lines that were not records.
    pub(super) fn rejects(&self) -> &Rejected {
        &self.rejected
    }

    /// The content for the file after the last line: shapes, the tokens of each column, the words of each field.
    pub(super) fn sections(self) -> EncodedSections {
        EncodedSections {
            shapes: self.shapes,
            columns: self.columns,
            words: self.words,
        }
    }
}

/// The part of an encoder that is written at the end.
#[derive(Debug)]
pub(super) struct EncodedSections {
    shapes: Shapes,
    pub(super) columns: Vec<ColumnBuilder>,
    pub(super) words: TermDictionaries,
}

impl EncodedSections {
    /// The section of shapes.
    ///
    /// # Errors
    /// If it would exceed 4 GiB.
    pub(super) fn shapes(&self) -> io::Result<Vec<u8>> {
        let columns = self.columns.iter();
        let columns: Vec<(&str, bool)> = columns
            .map(|column| (column.path.as_str(), column.is_of_numbers()))
            .collect();
        self.shapes.section(&columns)
    }
}

/// Splits the objects under a key from now on.
fn take_apart(apart: &mut SplitKeys, key: Vec<u8>) {
    if !apart.contains(&key) {
        apart.push(key);
    }
}

/// The column of a path, created if missing; `None` if there are too many.
fn column_of(columns: &mut Vec<ColumnBuilder>, path: &str) -> Option<u32> {
    let place = match columns.iter().position(|column| column.path == path) {
        Some(place) => place,
        None if columns.len() == MOST_COLUMNS => return None,
        None => {
            let place = columns.len();
            columns.push(ColumnBuilder::new(path, u32::try_from(place).ok()?));
            place
        }
    };
    u32::try_from(place).ok()
}

/// The subject in a token under a key.
fn subject(key: &str, token: &[u8]) -> Option<Subject> {
    terms::subject_under(key, Document::read(token).ok()?.value())
}

/// Whether a tunnel is a VPN with an operator, by the tokens of its type and operator.
fn is_attributed(kind: &[u8], operator: &[u8]) -> bool {
    let plain = |token: &[u8]| token.len() > 2 && token[0] == b'"' && !token.contains(&b'\\');
    if plain(kind) && plain(operator) {
        let blank = String::from_utf8_lossy(&operator[1..operator.len() - 1])
            .trim()
            .is_empty();
        return kind.eq_ignore_ascii_case(b"\"VPN\"") && !blank;
    }
    let text = |token| {
        Document::read(token)
            .map(|document| document.value().clone())
            .unwrap_or_default()
    };
    terms::is_attributed(&serde_json::json!({"type": text(kind), "operator": text(operator)}))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{id::ChunkId, parsed_block::Scanner},
        *,
    };

    fn draft() -> ChunkBuilder {
        ChunkBuilder::new(ChunkId::new(0).expect("first"))
    }

    #[test]
    fn dictionaries_are_weighed_as_they_grow() {
        const MOST: usize = 1 << 20;
        let mut encoder = Encoder::with_limit(MOST);
        let (mut scanner, mut draft) = (Scanner::default(), draft());
        let lines = (0..2000).map(|number| {
            let (number, long) = (number.to_string(), "A".repeat(4000));
            format!(
                r#"{{"ip":"198.51.100.7","organization":"{number}{long}","x":"{long}{number}"}}"#
            ) + "\n"
        });
        let mut sheet = scanner.sheet(lines.collect::<String>().into_bytes());
        encoder.learn(std::mem::take(&mut sheet.skeletons));
        for line in sheet.lines() {
            encoder.line(line, &mut draft);
        }
        let weight: usize = encoder.columns.iter().map(ColumnBuilder::weight).sum();
        // Empty columns weigh little.
        assert!(
            weight - encoder.weight < 1000,
            "{weight} {}",
            encoder.weight
        );
        // The vector may double once after it passes the limit.
        assert!((MOST..MOST * 3).contains(&weight), "{weight}");
        assert_eq!(draft.rows(), 2000);
        assert!(encoder.words.of(crate::model::Keyword::Org).weight() < MOST * 16);
    }

    #[test]
    fn a_draft_is_full_when_its_records_say_much() {
        let mut encoder = Encoder::new();
        let (mut scanner, mut draft) = (Scanner::default(), draft());
        let words: Vec<String> = (0..2000).map(|word| format!("\"W{word}\"")).collect();
        let line = format!(
            r#"{{"ip":"198.51.100.7","services":[{}]}}"#,
            words.join(",")
        ) + "\n";
        let mut sheet = scanner.sheet(line.repeat(4000).into_bytes());
        encoder.learn(std::mem::take(&mut sheet.skeletons));
        let mut lines = sheet.lines();
        while !draft.is_full() {
            encoder.line(lines.next().expect("more than fit"), &mut draft);
        }
        // The list is one token, whose terms count in every row.
        assert!((2000..2200).contains(&draft.rows()), "{}", draft.rows());
    }

    #[test]
    fn long_tokens_stay_out_of_dictionaries() {
        let mut encoder = Encoder::new();
        let (mut scanner, mut draft) = (Scanner::default(), draft());
        let lines = (0..50).map(|number| {
            let long = "A".repeat(100_000);
            format!(r#"{{"ip":"198.51.100.7","organization":"{number}{long}"}}"#) + "\n"
        });
        let mut sheet = scanner.sheet(lines.collect::<String>().into_bytes());
        encoder.learn(std::mem::take(&mut sheet.skeletons));
        sheet
            .lines()
            .for_each(|line| encoder.line(line, &mut draft));
        let weight: usize = encoder.columns.iter().map(ColumnBuilder::weight).sum();
        assert!(weight < 100_000, "{weight}");
        assert_eq!(encoder.words.of(crate::model::Keyword::Org).len(), 0);
    }
}
