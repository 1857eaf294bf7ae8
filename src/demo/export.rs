//! Exports: filtered, flattened subsets of a day's records (contract, part 4.3).
//!
//! How a record becomes a row is stated in the command line's documentation and written twice on purpose: the cache
//! answers the same question with code of its own, so that each checks the other. Match, rank by clients and address,
//! cut at the limit, then collapse if `network` was asked for.

mod row;
mod write;

pub(crate) use write::{DemoExport, Failed};

use std::collections::{BTreeMap, BTreeSet};

use ipnet::IpNet;
use row::{DemoRow, columns};
use serde_json::Value;

use super::world::{DemoRecord, RecordKey, World};
use crate::{
    contract::{ExportField, ExportQuery, Feed},
    model::{Day, export_row::RowChange},
};

/// Answers an export as of a day. The query has been checked for conflicts before.
///
/// # Errors
/// [`Failed`] when the file could not be written, which no query brings about.
pub(crate) fn export(world: &World, query: &ExportQuery, day: Day) -> Result<DemoExport, Failed> {
    let columns = columns(query);
    let rows = if query.feed == Feed::Dch {
        world
            .netblocks()
            .iter()
            .map(|netblock| DemoRow::of_netblock(netblock, &columns))
            .collect()
    } else {
        rows(world, query, day, &columns)
    };
    write::written(query, day, &columns, rows)
}

fn rows(world: &World, query: &ExportQuery, day: Day, columns: &[ExportField]) -> Vec<DemoRow> {
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
        .map(|(record, diff)| DemoRow::of_record(record, columns, *diff))
        .collect();
    if query.asks_for(ExportField::Network) && !query.feed.is_ipv6() {
        return collapsed(rows);
    }
    rows
}

/// What the filter lets through of a day.
fn matching(world: &World, query: &ExportQuery, day: Day) -> Vec<DemoRecord> {
    let listing = world.listing(query.feed, day);
    let wanted = listing
        .records()
        .filter(|record| row::is_wanted(record, query));
    wanted.cloned().collect()
}

/// What was added and removed between two days. A record that stays is no change, whatever it says now.
fn changes(
    before: Vec<DemoRecord>,
    after: Vec<DemoRecord>,
) -> Vec<(DemoRecord, Option<RowChange>)> {
    let keys = |records: &[DemoRecord]| records.iter().map(|record| record.key).collect();
    let (then, now): (BTreeSet<RecordKey>, BTreeSet<RecordKey>) = (keys(&before), keys(&after));
    let came = after
        .into_iter()
        .filter(|record| !then.contains(&record.key));
    let left = before
        .into_iter()
        .filter(|record| !now.contains(&record.key));
    came.map(|record| (record, Some(RowChange::Added)))
        .chain(left.map(|record| (record, Some(RowChange::Deleted))))
        .collect()
}

/// The rows of addresses as the fewest rows of networks, by network. The network's column is the first one.
fn collapsed(rows: Vec<DemoRow>) -> Vec<DemoRow> {
    let mut alike: BTreeMap<String, (Vec<Value>, Vec<IpNet>)> = BTreeMap::new();
    for row in rows {
        let others = row.cells[1..].to_vec();
        let spelt = Value::from(others.clone()).to_string();
        alike
            .entry(spelt)
            .or_insert_with(|| (others, Vec::new()))
            .1
            .push(row.network);
    }
    let mut collapsed = Vec::new();
    for (others, networks) in alike.into_values() {
        collapsed.extend(
            IpNet::aggregate(&networks)
                .into_iter()
                .map(|network| DemoRow {
                    network,
                    cells: [&[network.to_string().into()], others.as_slice()].concat(),
                    diff: None,
                }),
        );
    }
    collapsed.sort_by_key(|row| row.network);
    collapsed
}
