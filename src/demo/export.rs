//! Exports: filtered, flattened subsets of a day's records (contract, part 4.3).
//!
//! How a record becomes a row is stated in the command line's documentation and written twice on purpose: the cache
//! answers the same question with code of its own, so that each checks the other. Match, rank by clients and address,
//! cut at the limit, then collapse if `network` was asked for.

mod collapse;
mod row;
mod write;

use std::collections::BTreeSet;

use row::{Row, columns};
pub(crate) use write::{Exported, Failed};

use super::world::{Key, Record, World};
use crate::{
    contract::{ExportField, ExportQuery, Feed},
    model::{Day, export_row::Change},
};

/// Answers an export as of a day. The query has been checked for conflicts before.
///
/// # Errors
/// [`Failed`] when the file could not be written, which no query brings about.
pub(crate) fn export(world: &World, query: &ExportQuery, day: Day) -> Result<Exported, Failed> {
    let columns = columns(query);
    let rows = if query.feed == Feed::Dch {
        world
            .netblocks()
            .iter()
            .map(|netblock| Row::of_netblock(netblock, &columns))
            .collect()
    } else {
        rows(world, query, day, &columns)
    };
    write::written(query, &columns, rows)
}

fn rows(world: &World, query: &ExportQuery, day: Day, columns: &[ExportField]) -> Vec<Row> {
    let mut matches = if query.diff {
        changes(
            matching(world, query, day.plus(-1)),
            matching(world, query, day),
        )
    } else {
        matching(world, query, day)
            .into_iter()
            .map(|record| (record, None))
            .collect()
    };
    matches.sort_by_key(|(record, _)| (std::cmp::Reverse(record.client_count()), record.key));
    let limit = query.limit.and_then(|limit| usize::try_from(limit).ok());
    matches.truncate(limit.unwrap_or(usize::MAX));
    let rows = matches
        .iter()
        .map(|(record, diff)| Row::of_record(record, columns, *diff))
        .collect();
    if query.asks_for(ExportField::Network) && !query.feed.is_ipv6() {
        return collapse::collapsed(rows);
    }
    rows
}

/// What the filter lets through of a day.
fn matching(world: &World, query: &ExportQuery, day: Day) -> Vec<Record> {
    let mut records = world.on(day).records(query.feed);
    records.retain(|record| row::is_wanted(record, query));
    records
}

/// What came and what left between two days. A record that stays is no change, whatever it says now.
fn changes(before: Vec<Record>, after: Vec<Record>) -> Vec<(Record, Option<Change>)> {
    let keys = |records: &[Record]| records.iter().map(|record| record.key).collect();
    let (then, now): (BTreeSet<Key>, BTreeSet<Key>) = (keys(&before), keys(&after));
    let came = after
        .into_iter()
        .filter(|record| !then.contains(&record.key));
    let left = before
        .into_iter()
        .filter(|record| !now.contains(&record.key));
    came.map(|record| (record, Some(Change::Added)))
        .chain(left.map(|record| (record, Some(Change::Deleted))))
        .collect()
}
