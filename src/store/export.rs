//! Exports of what is local: filtered, flattened subsets of a day's records, in the three forms of the service.
//!
//! How a record becomes a row is stated in the command line's documentation and written twice on purpose: the embedded
//! service answers the same question with code of its own, so that each checks the other. Match, rank by clients and
//! address, cut at the limit, then collapse if `network` was asked for.
//!
//! Rows go out as they are made. Only what cannot be known before the last row is held in memory, for 2,000,000 rows at
//! most: networks that are being collapsed, a database, the list of changes. Which requests may be asked is not looked at
//! here.

mod cell;
mod changes;
mod collapse;
mod csv;
mod database;
mod days;
mod json;
mod record;
mod table;
mod threads;

use std::io;

use jiff::Timestamp;

pub use self::{
    changes::{Changes, count_changes},
    days::{Days, NotExported},
};
use self::{
    collapse::Collapse,
    database::{Batch, Networks},
    days::{BREATH, breathe, limit},
    record::{Record, Records},
    table::{Rows, Speller, Table},
    threads::in_order,
};
use super::{RowId, Stop, index::QueryError};
use crate::{
    contract::{ExportField, ExportQuery, Feed, Output},
    model::export_row::Change,
};

/// Writes an export; gives the number of its records, the header row not counted. `now` is what a database says of when it
/// was made. Whoever gets an error must not take what was written for an export.
///
/// # Errors
/// [`NotExported`].
pub fn export(
    query: &ExportQuery,
    days: Days<'_>,
    now: Timestamp,
    stop: &Stop,
    output: &mut impl io::Write,
) -> Result<u64, NotExported> {
    let columns = query.columns();
    let collapses =
        query.asks_for(ExportField::Network) && query.feed != Feed::Dch && !query.feed.is_ipv6();
    if query.output == Output::Mmdb {
        // Its tree collapses networks that say the same without being asked.
        let mut networks = Networks::of(&columns)?;
        if query.diff {
            changes::visit(query, days, stop, |record, change| {
                let mut alone = Batch::default();
                alone.add(&columns, record)?;
                networks.take(&alone, change)
            })?;
        } else {
            let add = |batch: &mut Batch, record: Record<'_>| batch.add(&columns, record);
            let take = |batch: Batch| networks.take(&batch, None);
            batches(query, days, Order::Any, stop, Batch::default, add, take)?;
        }
        return Ok(networks.write(query.feed, now, output)?);
    }
    let mut table = Table::begin(query, &columns, output)?;
    if collapses {
        let mut collapse = Collapse::of(Speller::of(query), &columns);
        visit(query, days, Order::Any, stop, |record, _| {
            collapse.add(record)
        })?;
        collapse.write(&mut table)?;
    } else if query.diff {
        visit(query, days, Order::Busiest, stop, |record, change| {
            table.row(record, change)
        })?;
    } else {
        let begin = || Rows::of(query, &columns);
        let add = |rows: &mut Rows<'_>, record: Record<'_>| {
            rows.row(record, None);
            Ok(())
        };
        let take = |rows: Rows<'_>| table.rows(&rows);
        batches(query, days, Order::Busiest, stop, begin, add, take)?;
    }
    Ok(table.end()?)
}

/// Has the wanted records of one day be added to batches, on several threads, which are taken in order.
fn batches<B: Send>(
    query: &ExportQuery,
    days: Days<'_>,
    order: Order,
    stop: &Stop,
    begin: impl Fn() -> B + Sync,
    add: impl Fn(&mut B, Record<'_>) -> io::Result<()> + Sync,
    mut take: impl FnMut(B) -> io::Result<()>,
) -> Result<(), NotExported> {
    let rows = rows(query, days, order, stop).map_err(NotExported::Day)?;
    let records = || Records::of(days.day, query.feed).map_err(NotExported::Day);
    let work = |records: &Records<'_>, rows: &[RowId]| {
        let mut batch = begin();
        each(records, rows, stop, |record| add(&mut batch, record))?;
        Ok(batch)
    };
    in_order(&rows, records, work, |batch| Ok(take(batch)?))
}

/// In which order records are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// That of the service.
    Busiest,
    /// They are put into another order anyway.
    Any,
}

/// Shows the records that are wanted, cut at the limit.
fn visit(
    query: &ExportQuery,
    days: Days<'_>,
    order: Order,
    stop: &Stop,
    mut show: impl FnMut(Record<'_>, Option<Change>) -> io::Result<()>,
) -> Result<(), NotExported> {
    if query.diff {
        return changes::visit(query, days, stop, show);
    }
    let rows = rows(query, days, order, stop).map_err(NotExported::Day)?;
    let records = Records::of(days.day, query.feed).map_err(NotExported::Day)?;
    each(&records, &rows, stop, |record| show(record, None))
}

/// Shows the records of these rows of a day.
fn each(
    records: &Records<'_>,
    rows: &[RowId],
    stop: &Stop,
    mut show: impl FnMut(Record<'_>) -> io::Result<()>,
) -> Result<(), NotExported> {
    for rows in rows.chunks(BREATH) {
        breathe(0, stop)?;
        records.each(rows, NotExported::Day, |record| Ok(show(record)?))?;
    }
    Ok(())
}

/// The rows of one day.
fn rows(
    query: &ExportQuery,
    days: Days<'_>,
    order: Order,
    stop: &Stop,
) -> Result<Vec<RowId>, QueryError> {
    let index = days.day;
    let selection = index.select(&days.wanted(query), stop)?;
    let limit = limit(query);
    if order == Order::Any && selection.count() <= limit {
        // That of the file is the fastest to read.
        return Ok(selection.rows().collect());
    }
    // Netblocks have no clients: without the number they are ranked by address, and no limit is stated for them.
    if query.feed == Feed::Dch {
        return index.by_address(&selection, stop);
    }
    index.busiest(
        &selection,
        usize::try_from(limit).unwrap_or(usize::MAX),
        stop,
    )
}

#[cfg(test)]
mod tests;
