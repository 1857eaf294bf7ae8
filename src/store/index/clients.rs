//! The rows of a chunk by number of clients, in descending order.
//!
//! ```text
//! clients     runs u32, words u32, word u64 each, clients u64 each (descending), end u32 each (rows so far),
//!             row u16 each (ascending within a run)
//! ```
//!
//! A *run* is one number of clients and the rows that have it. A row without a number is in no run; 0 is a number.
//!
//! The words are a bitmap of all rows of the chunk that have a number of clients, 64 rows a word, with the bit order of `rows`. A
//! comparison that matches most rows starts from this bitmap and removes the others.
//!
//! Numbers of clients repeat, so a chunk has few runs, and a comparison takes two binary searches among them.

use std::{io, ops::Range};

use zerocopy::{
    FromBytes, IntoBytes,
    little_endian::{U16, U32, U64},
};

use super::{
    QueryError,
    id::{lower_half, lower_word, offset, place},
    rows::RowSet,
};
use crate::store::filter::NumberComparison;

/// The bytes of the section, from pairs of clients and row in any order. `rows_of_chunk` is the number of rows of the chunk.
///
/// # Errors
/// If they would exceed 4 GiB.
pub(super) fn section(clients: &mut [(u64, u16)], rows_of_chunk: usize) -> io::Result<Vec<u8>> {
    let most = clients
        .iter()
        .map(|(clients, _)| *clients)
        .max()
        .unwrap_or_default();
    if most < 1 << 48 {
        // Plain numbers sort faster.
        let key = |(clients, row): &(u64, u16)| (most - clients) << 16 | u64::from(*row);
        let mut keys: Vec<u64> = clients.iter().map(key).collect();
        keys.sort_unstable();
        let pair = |key: &u64| (most - (key >> 16), lower_half(lower_word(*key)));
        clients
            .iter_mut()
            .zip(&keys)
            .for_each(|(client, key)| *client = pair(key));
    } else {
        clients.sort_unstable_by_key(|(clients, row)| (std::cmp::Reverse(*clients), *row));
    }
    let (mut numbers, mut ends, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut known, mut end) = (RowSet::none(), 0);
    for run in clients.chunk_by(|a, b| a.0 == b.0) {
        for (_, row) in run {
            known.insert(*row);
            rows.push(U16::from(*row));
        }
        end += run.len();
        numbers.push(U64::from(run[0].0));
        ends.push(offset(end)?);
    }
    let known: Vec<U64> = known
        .words(rows_of_chunk)
        .iter()
        .map(|word| U64::from(*word))
        .collect();
    let head = [offset(numbers.len())?, offset(known.len())?];
    Ok([
        head.as_bytes(),
        known.as_bytes(),
        numbers.as_bytes(),
        ends.as_bytes(),
        rows.as_bytes(),
    ]
    .concat())
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Clients<'a> {
    /// All rows that have a number, as a bitmap.
    known: &'a [U64],
    numbers: &'a [U64],
    ends: &'a [U32],
    rows: &'a [U16],
}

impl<'a> Clients<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, QueryError> {
        Self::split(bytes).ok_or_else(damaged)
    }

    fn split(bytes: &'a [u8]) -> Option<Self> {
        let (runs, rest) = U32::ref_from_prefix(bytes).ok()?;
        let runs = place(runs.get());
        let (words, rest) = U32::ref_from_prefix(rest).ok()?;
        let (known, rest) = <[U64]>::ref_from_prefix_with_elems(rest, place(words.get())).ok()?;
        let (numbers, rest) = <[U64]>::ref_from_prefix_with_elems(rest, runs).ok()?;
        let (ends, rest) = <[U32]>::ref_from_prefix_with_elems(rest, runs).ok()?;
        let rows = <[U16]>::ref_from_bytes(rest).ok()?;
        Some(Self {
            known,
            numbers,
            ends,
            rows,
        })
    }

    /// The number of runs.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of clients of each run, descending.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.numbers.iter().map(|number| number.get())
    }

    /// The number of clients of a run and its rows.
    pub(super) fn run(&self, run: usize) -> Result<(u64, &'a [U16]), QueryError> {
        let number = self.numbers.get(run).ok_or_else(damaged)?.get();
        Ok((number, self.slice(run..run + 1)?))
    }

    /// The rows of consecutive runs.
    fn slice(&self, runs: Range<usize>) -> Result<&'a [U16], QueryError> {
        let end = |runs: usize| match runs.checked_sub(1) {
            None => Some(0),
            Some(last) => self.ends.get(last).map(|end| place(end.get())),
        };
        let range = end(runs.start).zip(end(runs.end));
        range
            .and_then(|(start, end)| self.rows.get(start..end))
            .ok_or_else(damaged)
    }

    /// Adds the rows whose number of clients compares as given. `found` must be empty.
    pub(super) fn find(
        &self,
        compare: NumberComparison,
        number: u64,
        found: &mut RowSet,
    ) -> Result<(), QueryError> {
        let above = self.numbers.partition_point(|u64| u64.get() > number);
        let at_least = self.numbers.partition_point(|u64| u64.get() >= number);
        let all = self.numbers.len();
        let runs = match compare {
            NumberComparison::More => 0..above,
            NumberComparison::AtLeast => 0..at_least,
            NumberComparison::Equal => above..at_least,
            NumberComparison::AtMost => above..all,
            NumberComparison::Less => at_least..all,
        };
        let rows = self.slice(runs.clone())?;
        if rows.len() > self.rows.len() / 2 {
            *found = RowSet::read(self.known);
            let (before, after) = (self.slice(0..runs.start)?, self.slice(runs.end..all)?);
            for row in before.iter().chain(after) {
                found.take(row.get());
            }
            return Ok(());
        }
        for row in rows {
            found.insert(row.get());
        }
        Ok(())
    }
}

fn damaged() -> QueryError {
    QueryError::Damaged("numbers of clients do not add up".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_finds_its_rows() {
        let given = [(5, 3), (0, 1), (5, 2), (9, 0), (1, 4)];
        let mut huge = [(u64::MAX, 1), (0, 2), (1 << 48, 3)];
        let bytes = section(&mut huge, 4).expect("small");
        let huge = Clients::read(&bytes).expect("clients");
        assert_eq!(
            huge.run(0).map(|(number, rows)| (number, rows[0].get())),
            Ok((u64::MAX, 1))
        );
        let bytes = section(&mut given.clone(), 5).expect("small");
        let clients = Clients::read(&bytes).expect("clients");
        assert_eq!(clients.len(), 4);
        assert_eq!(
            clients.run(1).map(|(number, rows)| (number, rows.len())),
            Ok((5, 2))
        );
        for length in 0..bytes.len() {
            assert!(
                Clients::read(&bytes[..length]).is_err() || length % 2 == 0,
                "{length}"
            );
        }
        compare_all(&given);
    }

    #[test]
    fn many_rows_are_found_as_few_are() {
        let many: Vec<(u64, u16)> = (0..10_000)
            .map(|row| (u64::from(row % 11), row * 3))
            .collect();
        compare_all(&many);
    }

    fn compare_all(given: &[(u64, u16)]) {
        let bytes = section(&mut given.to_vec(), 1 << 16).expect("small");
        let clients = Clients::read(&bytes).expect("clients");
        for number in 0..12 {
            for (compare, holds) in [
                (
                    NumberComparison::Less,
                    (|a, b| a < b) as fn(u64, u64) -> bool,
                ),
                (NumberComparison::AtMost, |a, b| a <= b),
                (NumberComparison::Equal, |a, b| a == b),
                (NumberComparison::AtLeast, |a, b| a >= b),
                (NumberComparison::More, |a, b| a > b),
            ] {
                let mut found = RowSet::none();
                clients.find(compare, number, &mut found).expect("whole");
                let meant = given.iter().filter(|(count, _)| holds(*count, number));
                let mut expected: Vec<u16> = meant.map(|(_, row)| *row).collect();
                expected.sort_unstable();
                assert_eq!(
                    found.rows().collect::<Vec<_>>(),
                    expected,
                    "{compare:?} {number}"
                );
            }
        }
    }
}
