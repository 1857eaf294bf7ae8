//! Rows in an order: by clients, the busiest first, or by address.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{Index, NoAnswer, Row, Selection, Stop, rows::Bits, subjects::Subjects};
use crate::model::Subject;

/// Up to so many rows are put in the order of addresses by reading their records; more, by going along all addresses.
const FEW: u64 = 4096;
/// How often a stop is looked for, in subjects.
const EVERY: usize = 1 << 16;

/// Rows of some chunks, each with its number of clients where that is above the least that is wanted.
struct Busy {
    /// For each chunk the rows above, how many come before each of its words, and their clients in order of rows.
    above: Vec<Option<(Bits, Vec<u64>)>>,
    /// For each chunk the rows that have the least number of clients that is wanted.
    least: Vec<Option<Bits>>,
    number: u64,
    /// How many of the latter are wanted.
    wanted: u64,
}

impl Index {
    /// At most `most` of these rows, the busiest first: by clients descending (unknown counts as 0), then by address.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn busiest(&self, of: &Selection, most: usize, stop: &Stop) -> Result<Vec<Row>, NoAnswer> {
        let most = (most as u64).min(of.count());
        if most == 0 {
            return Ok(Vec::new());
        }
        let busy = self.busy(of, most, stop)?;
        let candidates: u64 = busy.candidates();
        let mut rows: Vec<(Reverse<u64>, Row)> = Vec::new();
        let mut wanted = busy.wanted;
        let mut take = |row: Row| {
            if let Some(clients) = busy.clients_above(row) {
                rows.push((Reverse(clients), row));
            } else if wanted > 0 && busy.is_least(row) {
                rows.push((Reverse(busy.number), row));
                wanted -= 1;
            }
        };
        if candidates <= FEW {
            self.few_by_address(busy.rows())?
                .into_iter()
                .for_each(&mut take);
        } else {
            self.each_by_address(stop, &mut take)?;
        }
        rows.sort_by_key(|(clients, _)| *clients);
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// These rows by address: IPv4 before IPv6, by first address, then the larger network first, then by row; at the end those
    /// that are about nothing that can be read.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn by_address(&self, of: &Selection, stop: &Stop) -> Result<Vec<Row>, NoAnswer> {
        if of.count() <= FEW {
            return self.few_by_address(of.rows());
        }
        let mut rows = Vec::new();
        self.each_by_address(stop, |row| {
            if of.contains(row) {
                rows.push(row);
            }
        })?;
        Ok(rows)
    }

    /// Every subject with its row and the hash of its line (equal hashes: equal lines), in the order of
    /// [`Index::by_address`], but for rows that are about nothing that can be read.
    pub fn subjects(&self) -> impl Iterator<Item = Result<(Subject, Row, u64), NoAnswer>> + '_ {
        Subjects(&self.0.sections).all()
    }

    /// Rows that are about nothing that can be read, with the hashes of their lines, in the order of the file.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn without_subject(&self) -> Result<Vec<(Row, u64)>, NoAnswer> {
        Subjects(&self.0.sections).loose()
    }

    fn each_by_address(&self, stop: &Stop, mut visit: impl FnMut(Row)) -> Result<(), NoAnswer> {
        for (count, subject) in self.subjects().enumerate() {
            if count % EVERY == 0 && stop.is_stopped() {
                return Err(NoAnswer::Stopped);
            }
            visit(subject?.1);
        }
        self.without_subject()?
            .into_iter()
            .for_each(|(row, _)| visit(row));
        Ok(())
    }

    fn few_by_address(&self, rows: impl Iterator<Item = Row>) -> Result<Vec<Row>, NoAnswer> {
        let mut keyed = Vec::new();
        for row in rows {
            let key = self.subject(row)?.map(super::subjects::order_of);
            keyed.push((key.is_none(), key, row));
        }
        keyed.sort_unstable();
        Ok(keyed.into_iter().map(|(_, _, row)| row).collect())
    }

    /// Sorts out which rows are among the busiest, without putting them in order.
    fn busy(&self, of: &Selection, most: u64, stop: &Stop) -> Result<Busy, NoAnswer> {
        let (number, above_it) = self.least_clients(of, most, stop)?;
        let mut busy = Busy {
            above: Vec::new(),
            least: Vec::new(),
            number,
            wanted: most - above_it,
        };
        for (chunk, rows) in of.chunks.iter().enumerate() {
            let Some(rows) = rows else {
                busy.above.push(None);
                busy.least.push(None);
                continue;
            };
            if stop.is_stopped() {
                return Err(NoAnswer::Stopped);
            }
            let clients = self.clients(chunk)?;
            let (mut above, mut least) = (Bits::none(), Bits::none());
            let mut pairs = Vec::new();
            for run in 0..clients.len() {
                let (own, run) = clients.run(run)?;
                if own < number {
                    break;
                }
                for row in run
                    .iter()
                    .map(|row| row.get())
                    .filter(|row| rows.contains(*row))
                {
                    if own > number {
                        above.insert(row);
                        pairs.push((row, own));
                    } else {
                        least.insert(row);
                    }
                }
            }
            if number == 0 {
                // Unknown counts as 0.
                least = Bits::clone(rows);
                least.remove(&above);
            }
            pairs.sort_unstable();
            let numbers = pairs.into_iter().map(|(_, clients)| clients).collect();
            busy.above
                .push((!above.is_empty()).then_some((above, numbers)));
            busy.least.push((!least.is_empty()).then_some(least));
        }
        Ok(busy)
    }

    /// The number of clients of the last of so many rows, and how many rows have more. Goes through each chunk only as far as it
    /// can still matter.
    fn least_clients(
        &self,
        of: &Selection,
        most: u64,
        stop: &Stop,
    ) -> Result<(u64, u64), NoAnswer> {
        let mut best: BTreeMap<u64, u64> = BTreeMap::new();
        let mut total = 0;
        for (chunk, rows) in of.chunks.iter().enumerate() {
            let Some(rows) = rows else { continue };
            if stop.is_stopped() {
                return Err(NoAnswer::Stopped);
            }
            let clients = self.clients(chunk)?;
            for run in 0..clients.len() {
                let (number, run) = clients.run(run)?;
                let least = best.first_key_value().map_or(0, |(least, _)| *least);
                if total >= most && number < least {
                    break;
                }
                let count = run.iter().filter(|row| rows.contains(row.get())).count() as u64;
                if count > 0 {
                    *best.entry(number).or_default() += count;
                    total += count;
                }
                while let Some(entry) = best
                    .first_entry()
                    .filter(|entry| total - entry.get() >= most)
                {
                    total -= entry.remove();
                }
            }
        }
        if total < most {
            let above = best.range(1..).map(|(_, count)| count).sum();
            return Ok((0, above));
        }
        let (least, count) = best
            .first_key_value()
            .map_or((0, 0), |(least, count)| (*least, *count));
        Ok((least, total - count))
    }
}

impl Busy {
    fn candidates(&self) -> u64 {
        let above = self
            .above
            .iter()
            .flatten()
            .map(|(_, clients)| clients.len() as u64);
        let least = self
            .least
            .iter()
            .flatten()
            .map(|rows| u64::from(rows.count()));
        above.chain(least).sum()
    }

    fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let above = self
            .above
            .iter()
            .map(|chunk| chunk.as_ref().map(|(rows, _)| rows));
        let least = self.least.iter().map(Option::as_ref);
        above
            .zip(least)
            .enumerate()
            .flat_map(|(chunk, (above, least))| {
                let rows = above.into_iter().chain(least).flat_map(Bits::rows);
                rows.map(move |row| Row::at(chunk, row))
            })
    }

    fn clients_above(&self, row: Row) -> Option<u64> {
        let (chunk, row) = row.place();
        let (rows, clients) = self.above.get(chunk)?.as_ref()?;
        let row = row as u16;
        rows.contains(row)
            .then(|| clients.get(rows.before(row)).copied())
            .flatten()
    }

    fn is_least(&self, row: Row) -> bool {
        let (chunk, row) = row.place();
        self.least
            .get(chunk)
            .and_then(Option::as_ref)
            .is_some_and(|rows| rows.contains(row as u16))
    }
}
