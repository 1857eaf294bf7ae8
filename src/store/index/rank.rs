//! Sorts rows by number of clients, descending, or by address.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    Index, QueryError, RowId, Selection, StopFlag,
    id::place,
    rows::{CHUNK, RowSet},
    subjects::Subjects,
};
use crate::model::Subject;

/// Up to this many rows are sorted by reading their records; for more, a walk over all addresses is faster.
pub(super) const FEW: usize = 4096;
/// The number of subjects between two checks of the stop flag.
const EVERY: usize = 1 << 16;

/// The rank of rows that are not selected.
const NONE: u32 = u32::MAX;

impl Index {
    /// At most `most` of these rows, by number of clients, descending (unknown counts as 0), then by address.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn busiest(
        &self,
        of: &Selection,
        most: usize,
        stop: &StopFlag,
    ) -> Result<Vec<RowId>, QueryError> {
        let most = most.min(usize::try_from(of.count()).unwrap_or(usize::MAX));
        if most == 0 {
            return Ok(Vec::new());
        }
        let least = self.least_clients(of, most as u64, stop)?;
        if most > FEW {
            return self.many_busiest(of, least, most, stop);
        }
        self.few_busiest(of, least, most, stop)
    }

    /// A few of the [`Index::busiest`] of rows whose [`Index::client_counts`] are known, which spares a search for the number of clients
    /// that the last of them has.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn busiest_of_counted(
        &self,
        of: &Selection,
        counts: &BTreeMap<u64, u64>,
        most: usize,
        stop: &StopFlag,
    ) -> Result<Vec<RowId>, QueryError> {
        let most = most.min(usize::try_from(of.count()).unwrap_or(usize::MAX));
        let mut left = most as u64;
        let mut descending = counts.iter().rev();
        let last = descending.find(|(_, rows)| {
            left = left.saturating_sub(**rows);
            left == 0
        });
        self.few_busiest(of, last.map_or(0, |(clients, _)| *clients), most, stop)
    }

    /// [`Index::busiest`], where the last of them has `least` clients.
    fn few_busiest(
        &self,
        of: &Selection,
        least: u64,
        most: usize,
        stop: &StopFlag,
    ) -> Result<Vec<RowId>, QueryError> {
        // Those with more clients are fewer than are wanted; with as many as the last there may be nearly all.
        let (mut above, mut ties) = (Vec::new(), Selection::default());
        self.each_candidate(of, least, stop, |row, clients| {
            if clients > least {
                above.push((Reverse(clients), row));
            } else {
                ties.insert(row);
            }
        })?;
        let mut keyed = Vec::with_capacity(above.len());
        for (clients, row) in above {
            keyed.push((clients, self.order_of(row)?, row));
        }
        keyed.sort_unstable();
        let mut rows: Vec<RowId> = keyed.into_iter().map(|(_, _, row)| row).collect();
        let wanted = most.saturating_sub(rows.len());
        if ties.count() <= FEW as u64 {
            rows.extend(self.few_by_address(ties.rows())?.into_iter().take(wanted));
            return Ok(rows);
        }
        // The first of many are near the beginning.
        for (count, own) in self.hashed()?.enumerate() {
            if rows.len() == most {
                break;
            }
            if count % EVERY == 0 {
                stop.check()?;
            }
            let (row, _) = own?;
            if ties.contains(row) {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// [`Index::busiest`] for many rows, by counting sort: the numbers of clients are ranked, and a walk in the order of
    /// addresses puts each row after the earlier rows of its rank.
    fn many_busiest(
        &self,
        of: &Selection,
        least: u64,
        most: usize,
        stop: &StopFlag,
    ) -> Result<Vec<RowId>, QueryError> {
        let mut numbers = vec![least];
        for (chunk, _) in of.each() {
            let own = self.clients(chunk)?.numbers();
            numbers.extend(own.take_while(|number| *number > least));
        }
        numbers.sort_unstable_by_key(|number| Reverse(*number));
        numbers.dedup();
        let mut ranks: Vec<Option<Box<[u32]>>> = vec![None; of.chunks.len()];
        // The start of the rows of each rank.
        let mut places = vec![0_usize; numbers.len() + 1];
        let (mut known, mut rank) = (None, 0);
        self.each_candidate(of, least, stop, |row, clients| {
            if known != Some(clients) {
                known = Some(clients);
                rank = numbers.partition_point(|number| *number > clients);
            }
            if let Some(ranks) = ranks.get_mut(row.chunk().ordinal()) {
                let ranks = ranks.get_or_insert_with(|| vec![NONE; CHUNK].into());
                // There are fewer ranks than rows.
                ranks[usize::from(row.within())] = u32::try_from(rank).unwrap_or(NONE);
                places[rank + 1] += 1;
            }
        })?;
        for rank in 1..places.len() {
            places[rank] += places[rank - 1];
        }
        let mut rows = vec![RowId::default(); most];
        self.each_by_address(stop, |row| {
            let ranks = ranks.get(row.chunk().ordinal()).and_then(Option::as_ref);
            let rank = ranks.map_or(NONE, |ranks| ranks[usize::from(row.within())]);
            if let Some(next) = places.get_mut(place(rank)) {
                // The last rank may have more rows than are wanted.
                if let Some(own) = rows.get_mut(*next) {
                    *own = row;
                }
                *next += 1;
            }
        })?;
        Ok(rows)
    }

    /// These rows by address: IPv4 before IPv6, by first address, then larger networks first, then by row; rows without a
    /// readable subject come last.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn by_address(&self, of: &Selection, stop: &StopFlag) -> Result<Vec<RowId>, QueryError> {
        if of.count() <= FEW as u64 {
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

    /// Every subject with its row and the hash of its record (equal hashes mean equal records, see `content`), in the order of
    /// [`Index::by_address`], without the rows that have no readable subject.
    pub fn subjects(&self) -> impl Iterator<Item = Result<(Subject, RowId, u64), QueryError>> + '_ {
        Subjects(&self.0.sections).all()
    }

    /// The rows without a readable subject and the hashes of their records, in the order of the file.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn without_subject(&self) -> Result<Vec<(RowId, u64)>, QueryError> {
        Subjects(&self.0.sections).loose()
    }

    /// Every row with the hash of its record, in the order of [`Index::by_address`].
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn hashed(
        &self,
    ) -> Result<impl Iterator<Item = Result<(RowId, u64), QueryError>> + '_, QueryError> {
        let loose = self.without_subject()?;
        let subjects = self
            .subjects()
            .map(|result| result.map(|(_, row, hash)| (row, hash)));
        Ok(subjects.chain(loose.into_iter().map(Ok)))
    }

    pub(super) fn each_by_address(
        &self,
        stop: &StopFlag,
        mut visit: impl FnMut(RowId),
    ) -> Result<(), QueryError> {
        for (count, subject) in self.subjects().enumerate() {
            if count % EVERY == 0 {
                stop.check()?;
            }
            visit(subject?.1);
        }
        self.without_subject()?
            .into_iter()
            .for_each(|(row, _)| visit(row));
        Ok(())
    }

    fn few_by_address(&self, rows: impl Iterator<Item = RowId>) -> Result<Vec<RowId>, QueryError> {
        let mut keyed = Vec::new();
        for row in rows {
            keyed.push((self.order_of(row)?, row));
        }
        keyed.sort_unstable();
        Ok(keyed.into_iter().map(|(_, row)| row).collect())
    }

    /// The sort key of a row in the order of addresses; records without a readable subject come last.
    fn order_of(&self, row: RowId) -> Result<impl Ord + use<>, QueryError> {
        let key = self.subject(row)?.map(super::entries::order_of);
        Ok((key.is_none(), key))
    }

    /// Visits the rows with at least `least` clients, and their numbers. Unknown counts as 0.
    fn each_candidate(
        &self,
        of: &Selection,
        least: u64,
        stop: &StopFlag,
        mut visit: impl FnMut(RowId, u64),
    ) -> Result<(), QueryError> {
        for (chunk, rows) in of.each() {
            stop.check()?;
            let clients = self.clients(chunk)?;
            let mut others = (least == 0).then(|| RowSet::clone(rows));
            for run in 0..clients.len() {
                let (number, run) = clients.run(run)?;
                if number < least.max(1) {
                    break;
                }
                for row in run.iter().map(|row| row.get()) {
                    if rows.contains(row) {
                        visit(RowId::new(chunk, row), number);
                        if let Some(others) = &mut others {
                            others.take(row);
                        }
                    }
                }
            }
            for row in others.iter().flat_map(RowSet::rows) {
                visit(RowId::new(chunk, row), 0);
            }
        }
        Ok(())
    }

    /// The number of clients of the last of the `most` busiest rows. Reads each chunk only as far as it can matter.
    fn least_clients(&self, of: &Selection, most: u64, stop: &StopFlag) -> Result<u64, QueryError> {
        let mut best: BTreeMap<u64, u64> = BTreeMap::new();
        let mut total = 0;
        for (chunk, rows) in of.each() {
            stop.check()?;
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
        let least = best.first_key_value().map_or(0, |(least, _)| *least);
        Ok(if total < most { 0 } else { least })
    }
}
