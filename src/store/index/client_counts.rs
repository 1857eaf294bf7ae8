//! How many clients selected rows have.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use super::{
    Index, QueryError, Selection, StopFlag,
    id::{chunks, place},
    threads::over_chunks,
};

impl Index {
    /// For each number of clients, how many of these rows have it. Rows without a number are in none.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn client_counts(
        &self,
        of: &Selection,
        stop: &StopFlag,
    ) -> Result<BTreeMap<u64, u64>, QueryError> {
        let parts = over_chunks(of.chunks.len(), |range| {
            // Each chunk has hundreds of numbers.
            let mut counts: HashMap<u64, u64, RandomState> = HashMap::default();
            for chunk in chunks(range) {
                let Some(rows) = of.of(chunk) else { continue };
                stop.check()?;
                let has_all = place(rows.count()) == self.rows_of(chunk);
                let clients = self.clients(chunk)?;
                for run in 0..clients.len() {
                    let (number, run) = clients.run(run)?;
                    let count = if has_all {
                        run.len()
                    } else {
                        run.iter().filter(|row| rows.contains(row.get())).count()
                    };
                    *counts.entry(number).or_default() += count as u64;
                }
            }
            Ok(counts)
        })?;
        let mut all: BTreeMap<u64, u64> = BTreeMap::new();
        for (number, count) in parts.into_iter().flatten() {
            *all.entry(number).or_default() += count;
        }
        all.retain(|_, count| *count > 0);
        Ok(all)
    }
}
