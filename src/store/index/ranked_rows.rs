//! The selected rows in an order of all records: a walk from the start finds the first page, a bitmap with rank and select finds any.
//!
//! Building the bitmap visits every record and takes longer than most filters. The walk stops at the last row of the page, so a table
//! can show its first rows and their number before the bitmap exists.

use std::{
    ops::Range,
    sync::{Mutex, OnceLock, PoisonError},
};

use super::{
    Index, QueryError, RowId, Selection, StopFlag, clients_order::ClientsOrder, id::place,
    ranks::Ranks, subjects::Subjects,
};

/// The longest walk, in records: a few milliseconds, wasted if the selected rows are further on.
const REACH: usize = 1 << 15;
/// The walk reads the order in blocks of this many records.
const STRETCH: usize = ClientsOrder::BLOCK;

/// An order of all records that the index stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordOrder {
    Addresses,
    Clients,
}

/// The selected rows, in one of these orders.
#[derive(Debug)]
pub(super) struct RankedRows {
    order: RecordOrder,
    of: Selection,
    /// A bit for each record in the order, set if the record is selected; empty until first needed.
    ranks: OnceLock<Ranks>,
    /// Held by the thread that builds the bitmap.
    building: Mutex<()>,
}

impl RankedRows {
    pub(super) fn new(order: RecordOrder, of: &Selection) -> Self {
        Self {
            order,
            of: of.clone(),
            ranks: OnceLock::new(),
            building: Mutex::default(),
        }
    }

    /// The bitmap. The first caller builds it; concurrent callers wait for it.
    pub(super) fn ranks(&self, index: &Index, stop: &StopFlag) -> Result<&Ranks, QueryError> {
        let _building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ranks) = self.ranks.get() {
            return Ok(ranks);
        }
        stop.check()?;
        let by_address = index.bits_by_address(&self.of, stop)?;
        let bits = match self.order {
            RecordOrder::Addresses => by_address,
            RecordOrder::Clients => index.bits_by_clients(&by_address, stop)?,
        };
        Ok(self.ranks.get_or_init(|| Ranks::of(bits)))
    }

    pub(super) fn is_built(&self) -> bool {
        self.ranks.get().is_some()
    }

    /// The first `count` rows, or all if there are fewer; `None` if the walk does not reach them.
    pub(super) fn first(
        &self,
        index: &Index,
        count: u64,
        stop: &StopFlag,
    ) -> Result<Option<Vec<RowId>>, QueryError> {
        let count = count.min(self.of.count());
        let expected =
            u128::from(self.of.count()) * REACH as u128 / u128::from(index.records().max(1));
        if expected < u128::from(count) {
            return Ok(None);
        }
        let subjects = Subjects(&index.0.sections);
        let counts = subjects.counts()?;
        let mut rows = Vec::new();
        let mut places = Vec::new();
        for stretch in 0..REACH / STRETCH {
            stop.check()?;
            places.clear();
            self.places_in(
                stretch * STRETCH..(stretch + 1) * STRETCH,
                index,
                &mut places,
            )?;
            for place in &places {
                if rows.len() as u64 == count {
                    return Ok(Some(rows));
                }
                let row = subjects.row_among(counts, *place)?;
                if self.of.contains(row) {
                    rows.push(row);
                }
            }
        }
        Ok((rows.len() as u64 == count).then_some(rows))
    }

    /// Appends the address-order places of the records in a stretch of this order.
    fn places_in(
        &self,
        stretch: Range<usize>,
        index: &Index,
        places: &mut Vec<usize>,
    ) -> Result<(), QueryError> {
        let records = usize::try_from(index.records()).unwrap_or(usize::MAX);
        let stretch = stretch.start.min(records)..stretch.end.min(records);
        match self.order {
            _ if stretch.is_empty() => {}
            RecordOrder::Addresses => places.extend(stretch),
            RecordOrder::Clients => {
                let order = ClientsOrder::read(&index.0.sections)?;
                order.block(stretch.start / STRETCH, &mut |number| {
                    places.push(place(number))
                })?;
            }
        }
        Ok(())
    }
}
