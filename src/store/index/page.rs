//! Selections along an order, to be shown a page at a time: row 5,000,000 is a jump.
//!
//! [`Index::ordered`] goes over all records once and keeps a bit for each along the order, with counts of the bits before: so a page is
//! found by select, and the position of a row by rank. Memory is an eighth of a byte a record, twice that by clients. Nothing here holds rows.

use std::{ops::Range, sync::Arc};

use super::{
    Index, NoAnswer, RowId, Selection, Stop,
    clients_order::ClientsOrder,
    entries::PIECE,
    id::{ChunkId, place},
    subjects::{Counts, Subjects},
    threads::over_chunks,
};

/// The orders in which rows are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// As in the feed.
    File,
    /// IPv4 before IPv6, by first address, the larger network first, then by row; at the end those about nothing that can be read.
    Address,
    /// The most clients first (unknown counts as 0), then by address.
    Clients,
}

/// The rows of a selection along an order. Cheap to clone; of one index, for which it must be asked again.
#[derive(Clone, Debug)]
pub struct Ordered {
    order: Order,
    count: u64,
    /// A bit for each record along the order; none where all are selected.
    bits: Option<Arc<Ranks>>,
    /// In the order of the file: the rows of each chunk, and how many come before it.
    file: Option<Arc<(Selection, Vec<u64>)>>,
}

impl Index {
    /// These rows along an order, to be asked for a page at a time.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn ordered(&self, of: &Selection, order: Order, stop: &Stop) -> Result<Ordered, NoAnswer> {
        let mut ordered = Ordered {
            order,
            count: of.count(),
            bits: None,
            file: None,
        };
        match order {
            Order::File => {
                let mut before = 0;
                let counts = of.chunks.iter().map(|rows| {
                    let own = before;
                    before += rows.as_ref().map_or(0, |rows| u64::from(rows.count()));
                    own
                });
                ordered.file = Some(Arc::new((of.clone(), counts.collect())));
            }
            // Each record has its place: nothing is to be left out.
            _ if of.count() == self.records() => {}
            Order::Address => {
                let bits = self.bits_by_address(of, stop)?;
                ordered.bits = Some(Arc::new(Ranks::of(bits)));
            }
            Order::Clients => {
                let by_address = self.bits_by_address(of, stop)?;
                let bits = self.bits_by_clients(&by_address, stop)?;
                ordered.bits = Some(Arc::new(Ranks::of(bits)));
            }
        }
        Ok(ordered)
    }

    /// A bit for each record in the order of addresses: whether it is selected.
    fn bits_by_address(&self, of: &Selection, stop: &Stop) -> Result<Vec<u64>, NoAnswer> {
        let subjects = Subjects(&self.0.sections);
        let Counts {
            addresses,
            networks,
            loose,
        } = subjects.counts()?;
        let mut bits = vec![0_u64; (addresses + networks + loose).div_ceil(64)];
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
    fn bits_by_clients(&self, by_address: &[u64], stop: &Stop) -> Result<Vec<u64>, NoAnswer> {
        let order = ClientsOrder::read(&self.0.sections)?;
        let parts = over_chunks(order.pieces(), |pieces| {
            let mut words = Vec::with_capacity(pieces.len() * PIECE / 64);
            for piece in pieces {
                stop.check()?;
                let (mut word, mut count) = (0_u64, 0_u32);
                order.piece(piece, |own| {
                    let own = place(own);
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

    /// The order.
    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    /// The rows at these positions, as far as there are any: a page of a table. `index` is the one that was asked.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn page(&self, index: &Index, positions: Range<u64>) -> Result<Vec<RowId>, NoAnswer> {
        let end = positions.end.min(self.count);
        let subjects = Subjects(&index.0.sections);
        let mut rows = Vec::new();
        for position in positions.start..end {
            if let Some(file) = &self.file {
                let (selection, before) = &**file;
                let chunk = before.partition_point(|before| *before <= position) - 1;
                let own = selection.chunks.get(chunk).and_then(Option::as_ref);
                let within = u32::try_from(position - before[chunk]).ok();
                let row = own.zip(within).and_then(|(own, within)| own.select(within));
                let chunk = ChunkId::new(chunk);
                rows.extend(chunk.zip(row).map(|(chunk, row)| RowId::new(chunk, row)));
                continue;
            }
            let along = match &self.bits {
                Some(bits) => bits.select(position),
                None => usize::try_from(position).ok(),
            };
            let along = along.ok_or_else(odd)?;
            let place = match self.order {
                Order::Clients => ClientsOrder::read(&index.0.sections)?.place_at(along)?,
                Order::File | Order::Address => along,
            };
            rows.push(subjects.row_at(place)?);
        }
        Ok(rows)
    }

    /// At which position a row is; `None` where it is not among them. `index` is the one that was asked.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn position(&self, index: &Index, row: RowId) -> Result<Option<u64>, NoAnswer> {
        if let Some(file) = &self.file {
            let (selection, before) = &**file;
            let chunk = row.chunk().ordinal();
            let own = selection.chunks.get(chunk).and_then(Option::as_ref);
            let rank = own.and_then(|own| own.rank(row.within()));
            return Ok(rank.map(|rank| before[chunk] + u64::from(rank)));
        }
        let subjects = Subjects(&index.0.sections);
        let place = subjects.place_of_row(row, index.subject(row)?)?;
        let along = match self.order {
            Order::Clients => {
                let clients = index.clients_of(row)?.unwrap_or_default();
                ClientsOrder::read(&index.0.sections)?.position(clients, place)?
            }
            Order::File | Order::Address => place,
        };
        Ok(match &self.bits {
            Some(bits) => bits.rank(along),
            None => Some(along as u64),
        })
    }
}

fn odd() -> NoAnswer {
    NoAnswer::Damaged("an order does not hold all records".to_owned())
}

/// Bits with counts of those before.
#[derive(Debug)]
struct Ranks {
    words: Vec<u64>,
    /// How many bits are set before each [`Ranks::STRIDE`] words.
    before: Vec<u64>,
}

impl Ranks {
    const STRIDE: usize = 32;

    fn of(words: Vec<u64>) -> Self {
        let mut count = 0;
        let before = words.chunks(Self::STRIDE).map(|words| {
            let own = count;
            count += words
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum::<u64>();
            own
        });
        let before = before.collect();
        Self { words, before }
    }

    /// Where the bit is that has so many set bits before it.
    fn select(&self, rank: u64) -> Option<usize> {
        let stride = self
            .before
            .partition_point(|before| *before <= rank)
            .checked_sub(1)?;
        let mut left = rank - self.before[stride];
        for (at, word) in self.words.iter().enumerate().skip(stride * Self::STRIDE) {
            let count = u64::from(word.count_ones());
            if left < count {
                let rest = (0..left).fold(*word, |word, _| word & (word - 1));
                return Some(at * 64 + place(rest.trailing_zeros()));
            }
            left -= count;
        }
        None
    }

    /// How many set bits are before a set bit; `None` for one that is not set.
    fn rank(&self, at: usize) -> Option<u64> {
        let word = self
            .words
            .get(at / 64)
            .filter(|word| *word >> (at % 64) & 1 == 1)?;
        let stride = at / 64 / Self::STRIDE;
        let between = &self.words[stride * Self::STRIDE..at / 64];
        let between: u64 = between
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum();
        let below = word & ((1 << (at % 64)) - 1);
        Some(self.before[stride] + between + u64::from(below.count_ones()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_and_rank_undo_each_other() {
        let mut random = fastrand::Rng::with_seed(3);
        for density in [1, 2, 50, 4000] {
            let mut words = vec![0_u64; 300];
            let set: Vec<usize> = (0..300 * 64)
                .filter(|_| random.u32(..density) == 0)
                .collect();
            for at in &set {
                words[at / 64] |= 1 << (at % 64);
            }
            let ranks = Ranks::of(words);
            for (rank, at) in (0..).zip(&set) {
                assert_eq!(
                    (ranks.select(rank), ranks.rank(*at)),
                    (Some(*at), Some(rank))
                );
            }
            assert_eq!(ranks.select(set.len() as u64), None);
            let not = (0..300 * 64).find(|at| !set.contains(at));
            assert_eq!(not.and_then(|at| ranks.rank(at)), None);
        }
        assert_eq!(Ranks::of(Vec::new()).select(0), None);
    }
}
