//! The records of a day that are about no address and no network: by the service that they name, else by their lines.

use super::merge::Entry;
use crate::{
    model::Document,
    store::{Index, Row, Stop, index::NoAnswer},
};

use xxhash_rust::xxh3::xxh3_64;

/// What such a record is known by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// The tag of the service that it is about.
    Tag(Box<str>),
    /// The hash of its line.
    Line(u64),
}

/// All of them in the order of their names, then of the file.
///
/// # Errors
/// [`NoAnswer`].
pub(super) fn nameless(index: &Index, stop: &Stop) -> Result<Vec<Entry<Name>>, NoAnswer> {
    let mut named = Bits::of(index.records());
    for found in index.subjects() {
        let (_, row, _) = found?;
        named.set(row);
    }
    let mut entries = Vec::new();
    let mut line = Vec::new();
    for row in named.unset() {
        if stop.is_stopped() {
            return Err(NoAnswer::Stopped);
        }
        line.clear();
        index.line(row, &mut line)?;
        let hash = xxh3_64(&line);
        let key = name(&line).map_or(Name::Line(hash), Name::Tag);
        entries.push(Entry { key, row, hash });
    }
    // Stable, so that repeats stay in the order of the file.
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(entries)
}

/// The tag that a record has, if it has one.
fn name(line: &[u8]) -> Option<Box<str>> {
    let document = Document::read(line).ok()?;
    let tag = document.value().get("tag")?.as_str()?;
    (!tag.trim().is_empty()).then(|| tag.into())
}

/// A bit for every row.
struct Bits {
    words: Vec<u64>,
    rows: u64,
}

impl Bits {
    fn of(rows: u64) -> Self {
        let words = usize::try_from(rows.div_ceil(64)).unwrap_or(usize::MAX);
        Self {
            words: vec![0; words],
            rows,
        }
    }

    fn set(&mut self, row: Row) {
        if let Some(word) = self.words.get_mut(row.0 as usize / 64) {
            *word |= 1 << (row.0 % 64);
        }
    }

    fn unset(&self) -> impl Iterator<Item = Row> + '_ {
        let all = 0..u32::try_from(self.rows).unwrap_or(u32::MAX);
        all.filter(|row| self.words[*row as usize / 64] & (1 << (row % 64)) == 0)
            .map(Row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_tag_that_says_something() {
        assert_eq!(name(br#"{"tag":"ACME_VPN"}"#).as_deref(), Some("ACME_VPN"));
        for line in [
            r#"{"tag":" "}"#,
            r#"{"tag":3}"#,
            r#"{"network":"x"}"#,
            "[1]",
            "no",
        ] {
            assert_eq!(name(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn rows_that_were_not_marked_are_left() {
        let mut bits = Bits::of(130);
        for row in (0..130).filter(|row| ![0, 64, 129].contains(row)) {
            bits.set(Row(row));
        }
        assert_eq!(
            bits.unset().collect::<Vec<_>>(),
            [Row(0), Row(64), Row(129)]
        );
    }
}
