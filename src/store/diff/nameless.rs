//! The records of a day without an address or network: keyed by the service that they name, else by their content.

use crate::store::merge::RowEntry;
use crate::{
    model::Document,
    store::{Index, StopFlag, index::QueryError},
};

/// The identity of such a record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NamelessKey {
    /// The tag of its service.
    Tag(Box<str>),
    /// The hash of its content.
    Record(u64),
}

/// These records, sorted by key, then by the order of the file.
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
    // A stable sort keeps repeats in the order of the file.
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(entries)
}

/// The tag of a record, if any.
fn name(line: &[u8]) -> Option<Box<str>> {
    // A record that cannot be parsed has no name, and is compared as a line.
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
