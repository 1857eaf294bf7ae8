//! Sorts rows by the values at any path of their records. The records are read, so the number of rows is limited.

use std::collections::HashMap;

use super::{
    Index, QueryError, RowId, Selection, StopFlag, collation,
    id::place,
    paths::{PathReader, PathValue},
};

/// The maximum number of rows, since their records are read and their keys are kept in memory.
const MOST: u64 = 1_000_000;
/// The number of records between two checks of the stop flag.
const EVERY: usize = 1024;

impl Index {
    /// These rows by the first value at a path, then by address; rows without a value come last.
    ///
    /// # Errors
    /// [`QueryError::TooMany`] for more than a million rows, and errors of reading the records.
    pub(super) fn rows_by_path(
        &self,
        of: &Selection,
        path: &str,
        descending: bool,
        stop: &StopFlag,
    ) -> Result<Vec<RowId>, QueryError> {
        if of.count() > MOST {
            return Err(QueryError::TooMany(of.count(), MOST));
        }
        let reader = PathReader::of(self, path)?;
        let rows = self.by_address(of, stop)?;
        let mut values = NumberedValues::default();
        // Tokens repeat, so the value of each is computed once.
        let mut tokens: HashMap<(u32, u64), Option<u32>> = HashMap::new();
        let mut keyed: Vec<(RowId, Option<u32>)> = Vec::with_capacity(rows.len());
        for (count, row) in rows.into_iter().enumerate() {
            if count % EVERY == 0 {
                stop.check()?;
            }
            let value = match reader.read(row)? {
                PathValue::Token(column, number) => {
                    if let Some(known) = tokens.get(&(column, number)) {
                        *known
                    } else {
                        let first = values.first(reader.of_token(column, number)?);
                        tokens.insert((column, number), first);
                        first
                    }
                }
                PathValue::Values(several) => values.first(several),
            };
            keyed.push((row, value));
        }
        let ranks = values.ranks();
        // A stable sort keeps equal values in the order of addresses.
        keyed.sort_by_key(|(_, value)| {
            let rank = value.map_or(u32::MAX, |value| ranks[place(value)]);
            if descending && value.is_some() {
                u32::MAX - 1 - rank
            } else {
                rank
            }
        });
        Ok(keyed.into_iter().map(|(row, _)| row).collect())
    }
}

#[derive(Default)]
struct NumberedValues {
    numbers: HashMap<String, u32>,
}

impl NumberedValues {
    /// The number of the first value in order; blank ones are skipped.
    fn first(&mut self, values: impl IntoIterator<Item = String>) -> Option<u32> {
        let by_value =
            |one: &String, other: &String| collation::compare(one.as_bytes(), other.as_bytes());
        let said = values.into_iter().filter(|value| !value.trim().is_empty());
        let first = said.min_by(by_value)?;
        // There are fewer values than rows.
        let next = u32::try_from(self.numbers.len()).ok()?;
        Some(*self.numbers.entry(first).or_insert(next))
    }

    fn ranks(&self) -> Vec<u32> {
        let mut sorted: Vec<(&String, u32)> = self
            .numbers
            .iter()
            .map(|(text, number)| (text, *number))
            .collect();
        sorted.sort_unstable_by(|one, other| {
            collation::compare(one.0.as_bytes(), other.0.as_bytes())
        });
        let mut ranks = vec![0; sorted.len()];
        for (rank, (_, number)) in (0..).zip(sorted) {
            ranks[place(number)] = rank;
        }
        ranks
    }
}
