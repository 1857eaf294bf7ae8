//! Sorts rows by a column. Only a key is kept for each row; empty cells come last in both directions.

use std::{collections::HashMap, net::IpAddr, str};

use ipnet::IpNet;

use crate::engine::error::{Error, Kind, Result};

/// The limit of bytes of distinct texts.
const MOST_TEXT: usize = 32 << 20;

/// By which column rows are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnOrder {
    /// The column, counted from 0.
    pub column: usize,
    /// Whether the last comes first.
    pub descending: bool,
}

/// How the cells of a column compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellKind {
    /// As addresses or networks.
    Address,
    /// As numbers.
    Number,
    /// As texts.
    Text,
}

#[derive(Debug)]
pub(super) enum RowKeys {
    Addresses(Vec<u128>),
    Numbers(Vec<u64>),
    Texts(InternedTexts),
}

/// Interned texts.
#[derive(Debug, Default)]
pub(super) struct InternedTexts {
    rows: Vec<u32>,
    /// Each text with its number, in the order in which they came.
    numbers: HashMap<Box<[u8]>, u32>,
    bytes: usize,
}

impl RowKeys {
    /// No keys yet, of a column of this kind.
    pub(super) fn of(kind: CellKind) -> Self {
        match kind {
            CellKind::Address => Self::Addresses(Vec::new()),
            CellKind::Number => Self::Numbers(Vec::new()),
            CellKind::Text => Self::Texts(InternedTexts::default()),
        }
    }

    /// Adds the key of the next row.
    pub(super) fn push(&mut self, cell: &[u8]) -> Result<()> {
        match self {
            Self::Addresses(keys) => keys.push(address(cell)),
            Self::Numbers(keys) => keys.push(number(cell)),
            Self::Texts(texts) => texts.push(cell)?,
        }
        Ok(())
    }

    /// These rows in the order of their keys. Rows with the same key stay as they are.
    pub(super) fn sorted(self, rows: &[u32], descending: bool) -> Vec<u32> {
        match self {
            Self::Addresses(keys) => sorted(rows, &keys, u128::MAX, |key| {
                if descending { u128::MAX - 1 - key } else { key }
            }),
            Self::Numbers(keys) => sorted(rows, &keys, u64::MAX, |key| {
                if descending { u64::MAX - 1 - key } else { key }
            }),
            Self::Texts(texts) => {
                let keys = texts.ranks();
                sorted(rows, &keys, u32::MAX, |key| {
                    if descending { u32::MAX - 1 - key } else { key }
                })
            }
        }
    }
}

/// Sorts by keys, of which `last` stays last whatever `turn` makes of the others.
fn sorted<K: Copy + Ord>(rows: &[u32], keys: &[K], last: K, turn: impl Fn(K) -> K) -> Vec<u32> {
    let key = |at: &u32| {
        let key = keys[*at as usize];
        (if key == last { last } else { turn(key) }, *at)
    };
    let mut order: Vec<u32> = (0_u32..).take(rows.len()).collect();
    order.sort_unstable_by_key(key);
    for at in &mut order {
        *at = rows[*at as usize];
    }
    order
}

/// The key of an address or a network: unreadable cells come after all others, empty cells last.
fn address(cell: &[u8]) -> u128 {
    if cell.is_empty() {
        return u128::MAX;
    }
    let text = str::from_utf8(cell).unwrap_or_default();
    let address = text
        .parse::<IpAddr>()
        .or_else(|_| text.parse::<IpNet>().map(|network| network.addr()));
    match address {
        Ok(IpAddr::V4(address)) => address.to_bits().into(),
        Ok(IpAddr::V6(address)) => address.to_bits().min(u128::MAX - 2),
        Err(_) => u128::MAX - 1,
    }
}

/// The key of a number, likewise. AS numbers may have the prefix `AS`.
fn number(cell: &[u8]) -> u64 {
    if cell.is_empty() {
        return u64::MAX;
    }
    let Some(number) = parse_number(cell) else {
        return u64::MAX - 1;
    };
    let bits = number.to_bits();
    let sign = 1 << 63;
    let key = if bits & sign == 0 { bits | sign } else { !bits };
    key.min(u64::MAX - 2)
}

/// A finite number.
pub(super) fn parse_number(cell: &[u8]) -> Option<f64> {
    let text = str::from_utf8(cell).ok()?;
    let text = text.strip_prefix("AS").unwrap_or(text);
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

impl InternedTexts {
    fn push(&mut self, cell: &[u8]) -> Result<()> {
        if cell.is_empty() {
            self.rows.push(u32::MAX);
            return Ok(());
        }
        if let Some(number) = self.numbers.get(cell) {
            self.rows.push(*number);
            return Ok(());
        }
        self.bytes += cell.len() + 64;
        if self.bytes > MOST_TEXT {
            return Err(Error::new(
                Kind::Usage,
                "this column has too many distinct values to sort by",
            )
            .hint("filter the rows first"));
        }
        let own = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX - 2);
        self.numbers.insert(cell.into(), own);
        self.rows.push(own);
        Ok(())
    }

    /// For each row the place of its text among all of them.
    fn ranks(self) -> Vec<u32> {
        let mut texts: Vec<(Box<[u8]>, u32)> = self.numbers.into_iter().collect();
        texts.sort_unstable();
        let mut ranks = vec![0; texts.len()];
        for (rank, (_, number)) in (0_u32..).zip(&texts) {
            ranks[*number as usize] = rank;
        }
        let rank = |number: u32| ranks.get(number as usize).copied().unwrap_or(u32::MAX);
        self.rows.into_iter().map(rank).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(kind: CellKind, cells: &[&str], descending: bool) -> Vec<String> {
        let mut keys = RowKeys::of(kind);
        for cell in cells {
            keys.push(cell.as_bytes()).expect("few texts");
        }
        let rows: Vec<u32> = (0..).take(cells.len()).collect();
        let rows = keys.sorted(&rows, descending).into_iter();
        rows.map(|row| cells[row as usize].to_owned()).collect()
    }

    #[test]
    fn cells_compare_as_what_they_are_and_empty_ones_come_last() {
        let numbers = ["9", "", "AS100", "-3.5", "x", "100"];
        assert_eq!(
            order(CellKind::Number, &numbers, false),
            ["-3.5", "9", "AS100", "100", "x", ""]
        );
        assert_eq!(
            order(CellKind::Number, &numbers, true),
            ["x", "AS100", "100", "9", "-3.5", ""]
        );
        let addresses = [
            "2001:db8::1",
            "198.51.100.77",
            "198.51.100.0/24",
            "192.0.2.9",
            "",
        ];
        assert_eq!(
            order(CellKind::Address, &addresses, false),
            [
                "192.0.2.9",
                "198.51.100.0/24",
                "198.51.100.77",
                "2001:db8::1",
                ""
            ]
        );
        assert_eq!(
            order(CellKind::Text, &["NL", "", "DE", "NL", "AT"], true),
            ["NL", "NL", "DE", "AT", ""]
        );
    }

    #[test]
    fn rows_with_the_same_key_stay_as_they_are() {
        let mut keys = RowKeys::of(CellKind::Text);
        for cell in [b"b", b"a", b"b", b"a"] {
            keys.push(cell).expect("few texts");
        }
        assert_eq!(keys.sorted(&[10, 20, 30, 40], true), [10, 30, 20, 40]);
    }

    #[test]
    fn texts_without_end_are_refused() {
        let mut texts = InternedTexts::default();
        let long = vec![b'x'; MOST_TEXT];
        let error = texts.push(&long).expect_err("too long");
        assert_eq!(error.kind, Kind::Usage);
    }
}
