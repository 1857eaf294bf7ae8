//! The subjects of the records that a filter selects, as a set.

use super::set::{AddressSet, AddressSetBuilder};
use crate::{
    engine::{Engine, OpenRelease, Result},
    investigation::comparison::RecordSet,
    store::index::QueryError,
};

/// Subjects between two looks at whether the work is still wanted.
const EVERY: usize = 1 << 16;

/// The addresses and networks of records, and the release that they are of.
///
/// # Errors
/// As [`Releases::open_local`](crate::engine::Releases::open_local); a filter that the release cannot answer.
pub async fn set_of_records(
    engine: &Engine,
    records: &RecordSet,
) -> Result<(AddressSet, OpenRelease)> {
    let opened = engine
        .releases
        .open_local(records.feed, records.day)
        .await?;
    let filter = records.filter.clone();
    let work = move |opened: &OpenRelease, stop: &_| -> Result<AddressSet, QueryError> {
        let index = &opened.index;
        let mut set = AddressSetBuilder::default();
        let selection = index.select(&filter, stop)?;
        for (count, subject) in index.subjects().enumerate() {
            if count % EVERY == 0 {
                stop.check()?;
            }
            let (subject, row, _) = subject?;
            if selection.contains(row) {
                set.add(subject.network());
            }
        }
        Ok(set.end())
    };
    let set = engine.releases.with_local(opened.clone(), work).await?;
    Ok((set, opened))
}
