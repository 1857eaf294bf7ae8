//! Selected rows along an order of all records: the first few are found by walking the order, all others once all have been counted.
//!
//! Counting goes over all records and takes longer than most filters; walking ends at the last row that was asked for. So a table
//! shows its first rows, and how many there are, before it can jump.

use std::{
    ops::Range,
    sync::{Mutex, OnceLock, PoisonError},
};

use super::{
    Index, QueryError, RowId, Selection, StopFlag, clients_order::ClientsOrder, id::place,
    ranks::Ranks, subjects::Subjects,
};

/// Records that are walked over at most. It takes a few milliseconds, in vain where the selected rows lie further behind.
const REACH: usize = 1 << 15;
/// Records that are walked over together: a block of the order by clients.
const STRETCH: usize = ClientsOrder::BLOCK;

/// An order of all records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordOrder {
    Addresses,
    Clients,
}

/// The selected rows along an order.
#[derive(Debug)]
pub(super) struct RankedRows {
    order: RecordOrder,
    of: Selection,
    /// A bit for each record along the order, once they were counted.
    ranks: OnceLock<Ranks>,
    /// Held by the thread that counts.
    counting: Mutex<()>,
}

impl RankedRows {
    pub(super) fn new(order: RecordOrder, of: &Selection) -> Self {
        Self {
            order,
            of: of.clone(),
            ranks: OnceLock::new(),
            counting: Mutex::default(),
        }
    }

    /// A bit for each record along the order. Whoever asks first counts them, and all others wait for that.
    pub(super) fn ranks(&self, index: &Index, stop: &StopFlag) -> Result<&Ranks, QueryError> {
        let _counting = self.counting.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Whether the rows were counted, so that each is found at once.
    pub(super) fn is_counted(&self) -> bool {
        self.ranks.get().is_some()
    }

    /// The first so many rows, or all where there are fewer; `None` where walking does not come to them soon.
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

    /// Adds the places of records in the order of addresses, for a stretch of this order.
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
                order.block(stretch.start / STRETCH, &mut |own| places.push(place(own)))?;
            }
        }
        Ok(())
    }
}
