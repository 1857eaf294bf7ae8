//! The records of a day that are about no address and no network: by the service that they name, else by what they hold.

use crate::store::merge::RowEntry;
use crate::{
    model::Document,
    store::{Index, StopFlag, index::QueryError},
};

/// What such a record is known by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NamelessKey {
    /// The tag of the service that it is about.
    Tag(Box<str>),
    /// The hash of what it holds.
    Record(u64),
}

/// All of them in the order of their names, then of the file.
///
/// # Errors
/// [`QueryError`].
pub(super) fn nameless(
    index: &Index,
    stop: &StopFlag,
) -> Result<Vec<RowEntry<NamelessKey>>, QueryError> {
    let mut entries = Vec::new();
    let mut line = Vec::new();
    for (row, hash) in index.without_subject()? {
        stop.check()?;
        line.clear();
        index.line(row, &mut line)?;
        let key = name(&line).map_or(NamelessKey::Record(hash), NamelessKey::Tag);
        entries.push(RowEntry { key, row, hash });
    }
    // Stable, so that repeats stay in the order of the file.
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(entries)
}

/// The tag that a record has, if it has one.
fn name(line: &[u8]) -> Option<Box<str>> {
    // A record too odd to be read has no name, and is compared as a line.
    let document = Document::read(line).ok()?;
    let tag = document.value().get("tag")?.as_str()?;
    (!tag.trim().is_empty()).then(|| tag.into())
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
}
