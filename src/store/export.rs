//! Exports of local data: filtered, flattened subsets of a day's records, in the three formats of the service.
//!
//! The documentation of the command line defines how a record becomes a row. The rule is implemented twice on purpose: the
//! embedded service has its own code, so that each checks the other. The steps are: match, rank by clients and address, cut at
//! the limit, then collapse if `network` was requested.
//!
//! Rows are written as they are made. Memory holds only what depends on the last row, for at most 2,000,000 rows: networks to be
//! collapsed, a database, the list of changes. This module does not check whether a request is allowed.

mod cell;
mod changes;
mod collapse;
mod csv;
mod database;
mod days;
mod geoip;
mod json;
mod record;
mod table;
mod threads;

use std::io;

pub use self::{
    changes::{Changes, count_changes},
    database::{DatabaseAbout, DatabaseLayout},
    days::{ExportIndexes, NotExported},
};
use self::{
    collapse::Collapse,
    database::{DatabaseFields, Networks, RowBatch},
    days::{BREATH, breathe, limit},
    record::{ExportRecord, ExportRecords, RecordExtent},
    table::{CellWriter, TableRows, TableWriter},
    threads::in_order,
};
use super::{RowId, StopFlag, index::QueryError};
use crate::{
    contract::{ExportField, ExportQuery, Feed, Output},
    model::export_row::RowChange,
};

/// Writes an export; returns the number of its records, without the header row. `about` is what a database says of itself. After an
/// error the output is incomplete and must be discarded.
///
/// # Errors
/// [`NotExported`].
pub fn export(
    query: &ExportQuery,
    days: ExportIndexes<'_>,
    about: &DatabaseAbout,
    stop: &StopFlag,
    output: &mut dyn io::Write,
) -> Result<u64, NotExported> {
    let columns = query.columns();
    let collapses =
        query.asks_for(ExportField::Network) && query.feed != Feed::Dch && !query.feed.is_ipv6();
    if query.output == Output::Mmdb {
        // The tree of a database collapses equal networks anyway.
        let (fields, extent) = match about.layout {
            DatabaseLayout::Service => (DatabaseFields::Columns(&columns), RecordExtent::Columns),
            DatabaseLayout::Geoip => (DatabaseFields::Geoip, RecordExtent::Whole),
        };
        let mut networks = Networks::of(fields)?;
        if query.diff {
            changes::visit(query, days, extent, stop, |record, change| {
                let mut alone = RowBatch::default();
                alone.add(fields, record)?;
                networks.take(&alone, change)
            })?;
        } else {
            let add = |batch: &mut RowBatch, record: ExportRecord<'_>| batch.add(fields, record);
            let take = |batch: RowBatch| networks.take(&batch, None);
            batches(
                query,
                days,
                (ExportOrder::Any, extent),
                stop,
                RowBatch::default,
                add,
                take,
            )?;
        }
        return Ok(networks.write(query.feed, about, output)?);
    }
    let mut table = TableWriter::begin(query, &columns, output)?;
    if collapses {
        let mut collapse = Collapse::of(CellWriter::of(query), &columns);
        visit(query, days, ExportOrder::Any, stop, |record, _| {
            collapse.add(record)
        })?;
        collapse.write(&mut table)?;
    } else if query.diff {
        visit(query, days, ExportOrder::Busiest, stop, |record, change| {
            table.row(record, change)
        })?;
    } else {
        let begin = || TableRows::of(query, &columns);
        let add = |rows: &mut TableRows<'_>, record: ExportRecord<'_>| {
            rows.row(record, None);
            Ok(())
        };
        let take = |rows: TableRows<'_>| table.rows(&rows);
        let reading = (ExportOrder::Busiest, RecordExtent::Columns);
        batches(query, days, reading, stop, begin, add, take)?;
    }
    Ok(table.end()?)
}

/// Adds the wanted records of one day to batches on several threads, and takes the batches in order.
fn batches<B: Send>(
    query: &ExportQuery,
    days: ExportIndexes<'_>,
    (order, extent): (ExportOrder, RecordExtent),
    stop: &StopFlag,
    begin: impl Fn() -> B + Sync,
    add: impl Fn(&mut B, ExportRecord<'_>) -> io::Result<()> + Sync,
    mut take: impl FnMut(B) -> io::Result<()>,
) -> Result<(), NotExported> {
    let rows = rows(query, days, order, stop).map_err(NotExported::Day)?;
    let records = || ExportRecords::of(days.day, query.feed, extent).map_err(NotExported::Day);
    let work = |records: &ExportRecords<'_>, rows: &[RowId]| {
        let mut batch = begin();
        each(records, rows, stop, |record| add(&mut batch, record))?;
        Ok(batch)
    };
    in_order(&rows, records, work, |batch| Ok(take(batch)?))
}

/// The order of the wanted records.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExportOrder {
    Busiest,
    /// The consumer reorders them.
    Any,
}

/// Passes the wanted records to `show`, cut at the limit.
fn visit(
    query: &ExportQuery,
    days: ExportIndexes<'_>,
    order: ExportOrder,
    stop: &StopFlag,
    mut show: impl FnMut(ExportRecord<'_>, Option<RowChange>) -> io::Result<()>,
) -> Result<(), NotExported> {
    if query.diff {
        return changes::visit(query, days, RecordExtent::Columns, stop, show);
    }
    let rows = rows(query, days, order, stop).map_err(NotExported::Day)?;
    let records = ExportRecords::of(days.day, query.feed, RecordExtent::Columns);
    let records = records.map_err(NotExported::Day)?;
    each(&records, &rows, stop, |record| show(record, None))
}

/// Passes the records of these rows of a day to `show`.
fn each(
    records: &ExportRecords<'_>,
    rows: &[RowId],
    stop: &StopFlag,
    mut show: impl FnMut(ExportRecord<'_>) -> io::Result<()>,
) -> Result<(), NotExported> {
    for rows in rows.chunks(BREATH) {
        breathe(0, stop)?;
        records.each(rows, NotExported::Day, |record| Ok(show(record)?))?;
    }
    Ok(())
}

fn rows(
    query: &ExportQuery,
    days: ExportIndexes<'_>,
    order: ExportOrder,
    stop: &StopFlag,
) -> Result<Vec<RowId>, QueryError> {
    let index = days.day;
    let selection = index.select(&days.wanted(query), stop)?;
    let limit = limit(query);
    if order == ExportOrder::Any && selection.count() <= limit {
        // The order of the file is the fastest to read.
        return Ok(selection.rows().collect());
    }
    // Netblocks have no clients: without that number they are ranked by address, and the contract has no limit for them.
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
