//! The records added and removed between two days, among the wanted ones. A record that is in both days is not a change, even if
//! its content differs.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    io,
};

use super::{
    days::{ExportIndexes, NotExported, breathe, limit},
    record::{ExportRecord, ExportRecords, RecordExtent},
};
use crate::{
    contract::ExportQuery,
    model::{ByAddress, Keyword, export_row::RowChange},
    store::{
        Index, RowId, StopFlag,
        index::{Facet, FacetBy, QueryError, Selection},
        merge::{ChangeRule, Merge, Pairing, RowEntry},
    },
};

/// A change, ranked by descending clients, then by address. True for an added record.
type RankedChange = (Reverse<u64>, ByAddress, bool, RowId);

/// The numbers of changes, before the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Records that only the later day has.
    pub added: u64,
    /// Records that only the day before has.
    pub removed: u64,
}

/// Counts the wanted changes, and the values of some fields among the added and removed records: by descending count, then by
/// value.
///
/// # Errors
/// [`NotExported`].
pub fn count_changes(
    query: &ExportQuery,
    days: ExportIndexes<'_>,
    fields: &[Keyword],
    stop: &StopFlag,
) -> Result<(Changes, Vec<Vec<Facet>>), NotExported> {
    let (mut came, mut left) = (Selection::default(), Selection::default());
    compare(query, days, stop, |is_new, row| {
        if is_new { &mut came } else { &mut left }.insert(row);
        Ok(())
    })?;
    let changes = Changes {
        added: came.count(),
        removed: left.count(),
    };
    let values = |field: &Keyword| {
        let by = FacetBy::Keyword(*field);
        let new = days.day.facets(&came, &by, stop);
        let old = days.before.map(|before| before.facets(&left, &by, stop));
        let old = old.transpose().map_err(NotExported::Before)?;
        let mut counts: HashMap<String, u64> = HashMap::new();
        let both = new.map_err(NotExported::Day)?.into_iter();
        for facet in both.chain(old.into_iter().flatten()) {
            *counts.entry(facet.value).or_default() += facet.count;
        }
        let counts = counts.into_iter();
        let mut values: Vec<Facet> = counts
            .map(|(value, count)| Facet { value, count })
            .collect();
        values.sort_unstable_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        Ok(values)
    };
    let values = fields
        .iter()
        .map(values)
        .collect::<Result<_, NotExported>>()?;
    Ok((changes, values))
}

/// Passes the wanted changes to `show`, by descending clients, cut at the limit.
pub(super) fn visit(
    query: &ExportQuery,
    days: ExportIndexes<'_>,
    extent: RecordExtent,
    stop: &StopFlag,
    mut show: impl FnMut(ExportRecord<'_>, Option<RowChange>) -> io::Result<()>,
) -> Result<(), NotExported> {
    let now = ExportRecords::of(days.day, query.feed, extent).map_err(NotExported::Day)?;
    let then = days
        .before
        .map(|before| ExportRecords::of(before, query.feed, extent));
    let then = then.transpose().map_err(NotExported::Before)?;
    let read = |came, row, show: &mut dyn FnMut(ExportRecord<'_>) -> Result<(), NotExported>| match (
        &then, came,
    ) {
        (_, true) => now.each(&[row], NotExported::Day, show),
        (Some(then), false) => then.each(&[row], NotExported::Before, show),
        (None, false) => Ok(()),
    };
    let limit = usize::try_from(limit(query)).unwrap_or(usize::MAX);
    // The largest element of the heap is the last in rank.
    let mut ranked: BinaryHeap<RankedChange> = BinaryHeap::new();
    compare(query, days, stop, |came, row| {
        read(came, row, &mut |record| {
            let rank = Reverse(record.clients());
            ranked.push((rank, ByAddress(record.subject), came, row));
            if ranked.len() > limit {
                ranked.pop();
            }
            Ok(())
        })
    })?;
    for (number, (_, _, came, row)) in ranked.into_sorted_vec().into_iter().enumerate() {
        breathe(number, stop)?;
        let change = if came {
            RowChange::Added
        } else {
            RowChange::Deleted
        };
        read(came, row, &mut |record| Ok(show(record, Some(change))?))?;
    }
    Ok(())
}

/// Reports each record that only one of the days has, by address, and whether it was added.
fn compare(
    query: &ExportQuery,
    days: ExportIndexes<'_>,
    stop: &StopFlag,
    mut tell: impl FnMut(bool, RowId) -> Result<(), NotExported>,
) -> Result<(), NotExported> {
    let filter = days.wanted(query);
    let select = |index: &Index| index.select(&filter, stop);
    let chosen = select(days.day).map_err(NotExported::Day)?;
    let chosen_before = days.before.map(select).transpose();
    let chosen_before = chosen_before.map_err(NotExported::Before)?;
    let now = chosen_of(days.day, &chosen).map(|found| found.map_err(NotExported::Day));
    let before = days.before.zip(chosen_before.as_ref());
    let then = before
        .into_iter()
        .flat_map(|(before, chosen)| chosen_of(before, chosen))
        .map(|found| found.map_err(NotExported::Before));
    let mut merge = Merge::of(ChangeRule::Presence, then, now)?;
    while let Some(place) = merge.next(stop)? {
        match place {
            Pairing::Before(row) => tell(false, row)?,
            Pairing::After(row) => tell(true, row)?,
            Pairing::Both(..) => {}
        }
    }
    Ok(())
}

/// The selected rows of a day, by address.
fn chosen_of<'a>(
    index: &'a Index,
    chosen: &'a Selection,
) -> impl Iterator<Item = Result<RowEntry<ByAddress>, QueryError>> + 'a {
    index.subjects().filter_map(|found| match found {
        Ok((subject, row, hash)) => chosen.contains(row).then_some(Ok(RowEntry {
            key: ByAddress(subject),
            row,
            hash,
        })),
        Err(why) => Some(Err(why)),
    })
}
