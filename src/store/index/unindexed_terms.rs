//! Reads rows by the hashes of words that are in no dictionary, and by entries. `chunk_builder` writes them and describes the
//! layout.

use super::QueryError;

/// Rows by hash or by entry: all keys in ascending order, then the row of each.
#[derive(Clone, Copy)]
pub(super) struct UnindexedTerms<'a> {
    hashes: &'a [[u8; 4]],
    rows: &'a [[u8; 2]],
}

impl<'a> UnindexedTerms<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, QueryError> {
        if !bytes.len().is_multiple_of(6) {
            return Err(QueryError::Damaged(
                "hashes of words do not add up".to_owned(),
            ));
        }
        let (hashes, rows) = bytes.split_at(bytes.len() / 6 * 4);
        Ok(Self {
            hashes: hashes.as_chunks().0,
            rows: rows.as_chunks().0,
        })
    }

    pub(super) fn of(self, hash: u32) -> impl Iterator<Item = u16> + 'a {
        let from = self
            .hashes
            .partition_point(|bytes| u32::from_le_bytes(*bytes) < hash);
        let alike = self.hashes[from..]
            .iter()
            .take_while(move |bytes| u32::from_le_bytes(**bytes) == hash);
        alike
            .zip(&self.rows[from..])
            .map(|(_, row)| u16::from_le_bytes(*row))
    }

    /// Each hash with its rows.
    pub(super) fn each(self) -> impl Iterator<Item = (u32, impl Iterator<Item = u16> + 'a)> {
        let mut start = 0;
        self.hashes.chunk_by(|a, b| a == b).map(move |alike| {
            let rows = &self.rows[start..start + alike.len()];
            start += alike.len();
            let rows = rows.iter().map(|row| u16::from_le_bytes(*row));
            (u32::from_le_bytes(alike[0]), rows)
        })
    }

    /// All rows; a row may be repeated.
    pub(super) fn rows(self) -> impl Iterator<Item = u16> + 'a {
        self.rows.iter().map(|row| u16::from_le_bytes(*row))
    }
}
