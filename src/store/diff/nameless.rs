//! The records of a day that are about no address and no network: by the service that they name, else by their lines.

use super::merge::Entry;
use crate::{
    model::Document,
    store::{Filter, Index, RowId, Stop, index::NoAnswer},
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
    let mut named = Bits::default();
    for found in index.subjects() {
        let (_, row, _) = found?;
        named.set(row);
    }
    let all = index.select(&Filter::default(), stop)?;
    let mut entries = Vec::new();
    let mut line = Vec::new();
    for row in all.rows().filter(|row| !named.has(*row)) {
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

/// A set of rows.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, row: RowId) {
        let word = row.0 as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (row.0 % 64);
    }

    fn has(&self, row: RowId) -> bool {
        let word = self.0.get(row.0 as usize / 64);
        word.is_some_and(|word| word & (1 << (row.0 % 64)) != 0)
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
    fn rows_are_in_the_set_once_they_are_put_there() {
        let mut bits = Bits::default();
        for row in [0, 64, 129, 65_536] {
            bits.set(RowId(row));
        }
        let held: Vec<u32> = (0..70_000).filter(|row| bits.has(RowId(*row))).collect();
        assert_eq!(held, [0, 64, 129, 65_536]);
    }
}
