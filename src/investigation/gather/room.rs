//! How much memory the addresses of a text may take.

use std::{error::Error, fmt, io, mem::size_of};

/// The most bytes that the addresses of a text may take, with what is gathered of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room(usize);

impl Room {
    const MEBIBYTE: usize = 1 << 20;
    /// What the rest of the program takes.
    const OF_PROGRAM: usize = 64;

    /// What is left for a text of this much memory for the program.
    #[must_use]
    pub const fn in_mebibytes(all: usize) -> Self {
        Self(
            all.saturating_sub(Self::OF_PROGRAM)
                .saturating_mul(Self::MEBIBYTE),
        )
    }

    /// The memory for the program that leaves this much for a text.
    #[must_use]
    pub fn mebibytes(self) -> usize {
        self.0 / Self::MEBIBYTE + Self::OF_PROGRAM
    }

    pub(super) fn has(self, bytes: usize) -> bool {
        bytes <= self.0
    }
}

impl Default for Room {
    /// That of a program that takes 256 MiB.
    fn default() -> Self {
        Self::in_mebibytes(256)
    }
}

/// Why a text was not read to its end.
#[derive(Debug)]
pub enum GatherFailure {
    Text(io::Error),
    /// It has more addresses than there is room for.
    NoRoom {
        /// Different addresses so far.
        addresses: u64,
        /// The line that was read last.
        line: u64,
        room: Room,
    },
}

impl fmt::Display for GatherFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::NoRoom {
                addresses,
                line,
                room,
            } => write!(
                f,
                "{addresses} different addresses up to line {line} do not fit into {} MiB",
                room.mebibytes()
            ),
        }
    }
}

impl Error for GatherFailure {}

impl From<io::Error> for GatherFailure {
    fn from(error: io::Error) -> Self {
        Self::Text(error)
    }
}

/// The bytes of a list of so many with such a capacity, at the moment of its next growth.
pub(super) fn of_list<T>(len: usize, capacity: usize) -> usize {
    grown(len, capacity) * size_of::<T>()
}

/// The same of a table: a byte for each place, of which one in eight stays empty.
pub(super) fn of_table<T>(len: usize, capacity: usize) -> usize {
    grown(len, capacity) / 7 * 8 * (size_of::<T>() + 1)
}

/// Places of what grows to its double: shortly before that, those of the old and of the new one.
fn grown(len: usize, capacity: usize) -> usize {
    // What a block of a text may add is far less than that.
    if len + len / 8 >= capacity {
        3 * capacity
    } else {
        capacity
    }
}
