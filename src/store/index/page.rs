//! A selection in an order, read page by page: a jump to row 5,000,000 costs no more than a step.
//!
//! [`Ordered::complete`] visits all records once and builds a bitmap in the order, with rank and select: select finds a page, rank the
//! position of a row. The bitmap takes an eighth of a byte per record; building it by clients takes twice that. The first page does not
//! need it (`ranked_rows`), any other page builds it. An order by the words of a field keeps counts and the rows around the last pages
//! (`word_order`). An order by any other path keeps its rows, at most a million (`path_order`). So does an order of a few rows, which
//! are sorted.

use std::{ops::Range, sync::Arc};

use super::{
    Index, QueryError, RowId, Selection, StopFlag,
    clients_order::ClientsOrder,
    entries::PIECE,
    id::{ChunkId, place},
    rank::FEW,
    ranked_rows::{RankedRows, RecordOrder},
    ranks::Ranks,
    subjects::{SubjectCounts, Subjects},
    threads::over_chunks,
    word_order::WordOrder,
};
use crate::model::Keyword;

/// Pages that end within this many rows do not need the bitmap.
const FIRST: u64 = 512;

/// The orders in which rows are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// As in the feed.
    File,
    /// IPv4 before IPv6, by first address, the larger network first, then by row; at the end those about nothing that can be read.
    Address,
    /// The other way; at the end still those about nothing that can be read.
    AddressDescending,
    /// The most clients first (unknown counts as 0), then by address.
    Clients,
    /// The fewest clients first; at the end those that have none, or of which it is unknown.
    ClientsAscending,
    /// By the values of a field, numbers before names and by size, then by address; at the end those that have none. Of several
    /// values the first one counts, in both directions.
    Field {
        by: SortField,
        /// Whether the last value comes first.
        descending: bool,
    },
}

/// The field by whose values rows are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortField {
    /// The words of a field of the filter language, from the index: any number of rows.
    Words(Keyword),
    /// The values at any path of the records, arrays transparent, which are read: no more than [`QueryError::TooMany`] says.
    Path(&'static str),
}

/// The rows of a selection along an order. Cheap to clone; of one index, for which it must be asked again.
#[derive(Clone, Debug)]
pub struct Ordered {
    order: Order,
    count: u64,
    rows: Along,
    /// In an order the other way, how many of the rows are in it: those behind stay where they are.
    turned: Option<u64>,
}

/// How the rows along an order are found.
#[derive(Clone, Debug)]
enum Along {
    /// All are selected: each has its place.
    All,
    /// By address or by clients.
    Some(Arc<RankedRows>),
    /// In the order of the file: the rows of each chunk, and how many come before it.
    File(Arc<(Selection, Vec<u64>)>),
    /// By the words of a field.
    Words(Arc<WordOrder>),
    /// The rows themselves.
    Rows(Arc<[RowId]>),
}

impl Index {
    /// These rows in an order. Ascending by address and descending by clients, the bitmap is not built yet.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn ordered(
        &self,
        of: &Selection,
        order: Order,
        stop: &StopFlag,
    ) -> Result<Ordered, QueryError> {
        let is_all = of.count() == self.records();
        let rows = match order {
            Order::File => {
                let mut before = 0;
                let counts = of.chunks.iter().map(|rows| {
                    let own = before;
                    before += rows.as_ref().map_or(0, |rows| u64::from(rows.count()));
                    own
                });
                let counts = counts.collect();
                Along::File(Arc::new((of.clone(), counts)))
            }
            Order::Field {
                by: SortField::Words(field),
                descending,
            } => Along::Words(Arc::new(WordOrder::of(self, of, field, descending, stop)?)),
            Order::Field {
                by: SortField::Path(path),
                descending,
            } => Along::Rows(self.rows_by_path(of, path, descending, stop)?.into()),
            // Each record has its place: nothing is to be left out.
            _ if is_all => Along::All,
            Order::Address if is_few(of, self) => Along::Rows(self.by_address(of, stop)?.into()),
            Order::Clients if is_few(of, self) => Along::Rows(self.busiest(of, FEW, stop)?.into()),
            Order::Address | Order::AddressDescending => {
                Along::Some(Arc::new(RankedRows::new(RecordOrder::Addresses, of)))
            }
            Order::Clients | Order::ClientsAscending => {
                Along::Some(Arc::new(RankedRows::new(RecordOrder::Clients, of)))
            }
        };
        let turned = match order {
            Order::AddressDescending => {
                let counts = Subjects(&self.0.sections).counts()?;
                Some(counts.addresses + counts.networks)
            }
            Order::ClientsAscending => Some(ClientsOrder::read(&self.0.sections)?.known()),
            _ => None,
        };
        let turned = match (turned, &rows) {
            (Some(end), Along::Some(ranked)) => Some(ranked.ranks(self, stop)?.before(end)),
            (turned, _) => turned.map(|end| end as u64),
        };
        Ok(Ordered {
            order,
            count: of.count(),
            rows,
            turned,
        })
    }

    /// A bit for each record in the order of addresses: whether it is selected.
    pub(super) fn bits_by_address(
        &self,
        of: &Selection,
        stop: &StopFlag,
    ) -> Result<Vec<u64>, QueryError> {
        let subjects = Subjects(&self.0.sections);
        let SubjectCounts {
            addresses,
            networks,
            loose,
        } = subjects.counts()?;
        let mut bits = vec![0_u64; (addresses + networks + loose).div_ceil(64)];
        let of = of.flattened();
        let mut next = 0;
        if networks == 0 {
            // Nothing comes in between: whole pieces at a time, on several threads.
            let parts = over_chunks(addresses.div_ceil(PIECE), |pieces| {
                let mut words = Vec::with_capacity(pieces.len() * PIECE / 64);
                for piece in pieces {
                    stop.check()?;
                    for lows in subjects.lows(piece)?.chunks(64) {
                        let selected = lows.iter().zip(0..);
                        let selected =
                            selected.map(|(low, bit)| u64::from(of.contains(low.row())) << bit);
                        words.push(selected.fold(0, |word, bit| word | bit));
                    }
                }
                Ok(words)
            })?;
            let words = parts.concat();
            bits[..words.len()].copy_from_slice(&words);
            next = addresses;
        }
        let mut push = |row: RowId| {
            if of.contains(row)
                && let Some(word) = bits.get_mut(next / 64)
            {
                *word |= 1 << (next % 64);
            }
            next += 1;
        };
        if networks == 0 {
            let loose = subjects.loose()?.into_iter();
            loose.for_each(|(row, _)| push(row));
        } else {
            self.each_by_address(stop, push)?;
        }
        Ok(bits)
    }

    /// The same along the order by clients.
    pub(super) fn bits_by_clients(
        &self,
        by_address: &[u64],
        stop: &StopFlag,
    ) -> Result<Vec<u64>, QueryError> {
        let order = ClientsOrder::read(&self.0.sections)?;
        let parts = over_chunks(order.pieces(), |pieces| {
            let mut words = Vec::with_capacity(pieces.len() * PIECE / 64);
            for piece in pieces {
                stop.check()?;
                let (mut word, mut count) = (0_u64, 0_u32);
                order.piece(piece, |number| {
                    let own = place(number);
                    let bit = by_address
                        .get(own / 64)
                        .map_or(0, |word| word >> (own % 64) & 1);
                    word |= bit << count;
                    count += 1;
                    if count == 64 {
                        words.push(std::mem::take(&mut word));
                        count = 0;
                    }
                })?;
                if count > 0 {
                    words.push(word);
                }
            }
            Ok(words)
        })?;
        Ok(parts.concat())
    }
}

impl Ordered {
    /// How many rows there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    /// The rows at these positions, as far as there are any: a page of a table. `index` is the one that was asked.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn page(
        &self,
        index: &Index,
        positions: Range<u64>,
        stop: &StopFlag,
    ) -> Result<Vec<RowId>, QueryError> {
        let positions = positions.start..positions.end.min(self.count);
        let mut ranks = None;
        match &self.rows {
            Along::Words(words) => return words.page(index, positions, stop),
            Along::Some(ranked) => {
                let is_first = positions.end <= FIRST && self.turned.is_none();
                if is_first
                    && !ranked.is_built()
                    && let Some(mut rows) = ranked.first(index, positions.end, stop)?
                {
                    let before = usize::try_from(positions.start).unwrap_or(usize::MAX);
                    return Ok(rows.split_off(before.min(rows.len())));
                }
                ranks = Some(ranked.ranks(index, stop)?);
            }
            Along::All | Along::File(_) | Along::Rows(_) => {}
        }
        let mut rows = Vec::new();
        for position in positions {
            rows.push(self.row(index, self.turn(position), ranks)?);
        }
        Ok(rows)
    }

    /// Whether no page has to build the bitmap any more.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        match &self.rows {
            Along::Some(ranked) => ranked.is_built(),
            _ => true,
        }
    }

    /// Builds the bitmap, so that no page has to. `index` must be the one that made this order.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn complete(&self, index: &Index, stop: &StopFlag) -> Result<(), QueryError> {
        if let Along::Some(ranked) = &self.rows {
            ranked.ranks(index, stop)?;
        }
        Ok(())
    }

    /// The row at a position, counted in the stored direction. `ranks` is the bitmap of an order that has one.
    fn row(
        &self,
        index: &Index,
        position: u64,
        ranks: Option<&Ranks>,
    ) -> Result<RowId, QueryError> {
        let at = || usize::try_from(position).ok();
        let along = match &self.rows {
            Along::File(file) => {
                let (selection, before) = &**file;
                let chunk = before.partition_point(|before| *before <= position) - 1;
                let set = selection.chunks.get(chunk).and_then(Option::as_ref);
                let within = u32::try_from(position - before[chunk]).ok();
                let row = set.zip(within).and_then(|(set, within)| set.select(within));
                let row = ChunkId::new(chunk).zip(row);
                return row
                    .map(|(chunk, row)| RowId::new(chunk, row))
                    .ok_or_else(damaged);
            }
            Along::Rows(rows) => {
                return at()
                    .and_then(|at| rows.get(at))
                    .copied()
                    .ok_or_else(damaged);
            }
            Along::Some(_) => ranks.and_then(|ranks| ranks.select(position)),
            Along::All => at(),
            Along::Words(_) => None,
        };
        let along = along.ok_or_else(damaged)?;
        let place = match self.order {
            Order::Clients | Order::ClientsAscending => {
                ClientsOrder::read(&index.0.sections)?.place_at(along)?
            }
            _ => along,
        };
        Subjects(&index.0.sections).row_at(place)
    }

    /// A position of the order from the other end, as far as it is turned.
    fn turn(&self, position: u64) -> u64 {
        match self.turned {
            Some(turned) if position < turned => turned - 1 - position,
            _ => position,
        }
    }

    /// At which position a row is; `None` where it is not among them. `index` is the one that was asked.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn position(
        &self,
        index: &Index,
        row: RowId,
        stop: &StopFlag,
    ) -> Result<Option<u64>, QueryError> {
        match &self.rows {
            Along::File(file) => {
                let (selection, before) = &**file;
                let chunk = row.chunk().ordinal();
                let set = selection.chunks.get(chunk).and_then(Option::as_ref);
                let rank = set.and_then(|set| set.rank(row.within()));
                return Ok(rank.map(|rank| before[chunk] + u64::from(rank)));
            }
            Along::Words(words) => return words.position(index, row, stop),
            Along::Rows(rows) => {
                let at = rows.iter().position(|other| *other == row);
                return Ok(at.map(|at| at as u64));
            }
            Along::All | Along::Some(_) => {}
        }
        let subjects = Subjects(&index.0.sections);
        let place = subjects.place_of_row(row, index.subject(row)?)?;
        let along = match self.order {
            Order::Clients | Order::ClientsAscending => {
                let clients = index.clients_of(row)?.unwrap_or_default();
                ClientsOrder::read(&index.0.sections)?.position(clients, place)?
            }
            _ => place,
        };
        let position = match &self.rows {
            Along::Some(ranked) => ranked.ranks(index, stop)?.rank(along),
            _ => Some(along as u64),
        };
        Ok(position.map(|position| self.turn(position)))
    }
}

/// Whether sorting these rows is faster than visiting all records.
fn is_few(of: &Selection, index: &Index) -> bool {
    of.count() <= FEW as u64 && of.count() <= index.records() / 64
}

fn damaged() -> QueryError {
    QueryError::Damaged("an order does not hold all records".to_owned())
}
