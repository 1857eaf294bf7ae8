//! All records by number of clients in descending order, then by address. A table in this order is paged without sorting.
//!
//! ```text
//! clients order    clients u64, records up to its last u32; for each number of clients, descending. Unknown is 0
//! clients blocks   pieces of 65,536 records in that order: for each 128 records the place of the first u32 and where their data
//!                  ends u32; then data: for each record but the first of its 128 the distance from the place of the one before it,
//!                  less 1, as a variable-length number (see `value`), wrapping at 32 bits
//! ```
//!
//! The end of a block's data counts from the first byte of data of the piece, which follows the pairs of all its blocks. The last
//! piece and the last block may be shorter; the number of all records is in the tail of the file.
//!
//! A *place* is the position of a record in the order of addresses (see `entries`), which ends with the records in `loose`.
//! Records with equal numbers of clients ascend by place. So most distances take one byte, and a place is found by binary search.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, Write},
    ops::Range,
};

use zerocopy::{
    FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U32, U64},
};

use super::{
    QueryError,
    external_sort::{Runs, Sorted},
    file::{IndexFileWriter, MappedFile},
    id::{lower_word, offset, place},
    section_kind, value,
};
use crate::store::Folder;

const PIECE: usize = 1 << 16;
const BLOCK: usize = 128;

/// A record to be sorted.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct ClientsEntry {
    clients: U64,
    place: U32,
}

impl Sorted for ClientsEntry {
    type Order = (std::cmp::Reverse<u64>, u32);

    fn order(&self) -> Self::Order {
        (std::cmp::Reverse(self.clients.get()), self.place.get())
    }

    /// Most numbers of clients are small; counting sort handles them ten times as fast. Records come by place.
    fn sort(entries: &mut Vec<Self>) {
        const SMALL: usize = 1 << 12;
        let small = |entry: &Self| {
            let clients = usize::try_from(entry.clients.get()).unwrap_or(SMALL);
            (clients < SMALL).then(|| SMALL - 1 - clients)
        };
        let mut large: Vec<Self> = Vec::new();
        let mut starts = vec![0_usize; SMALL + 1];
        for entry in &*entries {
            match small(entry) {
                Some(rank) => starts[rank + 1] += 1,
                None => large.push(*entry),
            }
        }
        large.sort_unstable_by_key(Self::order);
        starts[0] = large.len();
        for rank in 0..SMALL {
            starts[rank + 1] += starts[rank];
        }
        let mut sorted = vec![<Self as FromZeros>::new_zeroed(); entries.len()];
        sorted[..large.len()].copy_from_slice(&large);
        for entry in &*entries {
            if let Some(rank) = small(entry) {
                sorted[starts[rank]] = *entry;
                starts[rank] += 1;
            }
        }
        *entries = sorted;
    }
}

/// The records of one number of clients, as written.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct ClientsRun {
    clients: U64,
    end: U32,
}

/// The head of a block, as written.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct ClientsBlock {
    first: U32,
    end: U32,
}

/// Sorts the records and writes the sections.
#[derive(Debug)]
pub(super) struct Builder {
    runs: Runs<ClientsEntry>,
    waiting: Vec<ClientsEntry>,
    count: u32,
    /// The scratch file of the merged runs.
    merged: File,
}

impl Builder {
    /// The number of records in a sorted run.
    const TOGETHER: usize = 1 << 18;

    /// Creates its scratch file in this folder.
    pub(super) fn create(folder: &Folder) -> io::Result<Self> {
        Ok(Self {
            runs: Runs::create(folder)?,
            waiting: Vec::new(),
            count: 0,
            merged: folder.unnamed()?,
        })
    }

    /// Adds the record at the next place, with its number of clients.
    pub(super) fn push(&mut self, clients: u64) -> io::Result<()> {
        self.waiting.push(ClientsEntry {
            clients: clients.into(),
            place: self.count.into(),
        });
        let too_many = || io::Error::other("an index holds less than 2^32 records");
        self.count = self.count.checked_add(1).ok_or_else(too_many)?;
        if self.waiting.len() == Self::TOGETHER {
            self.runs.push(&mut self.waiting)?;
            self.waiting.clear();
        }
        Ok(())
    }

    /// Writes the sections.
    pub(super) fn finish(mut self, writer: &mut IndexFileWriter) -> io::Result<()> {
        self.runs.push(&mut self.waiting)?;
        let mut sorted = self.runs.merge()?;
        // In the worst case there are as many runs as records, so they are written to disk first.
        let mut runs = BufWriter::new(self.merged);
        let (mut run, mut count) = (None::<ClientsRun>, 0);
        let (mut blocks, mut data) = (Vec::<ClientsBlock>::new(), Vec::new());
        let mut before = 0_u32;
        while let Some(ClientsEntry { clients, place }) = sorted.next()? {
            if count > 0 && count % PIECE == 0 {
                write_piece(writer, &mut blocks, &mut data)?;
            }
            if count % BLOCK == 0 {
                blocks.push(ClientsBlock {
                    first: place,
                    end: U32::ZERO,
                });
            } else {
                let distance = place.get().wrapping_sub(before).wrapping_sub(1);
                value::put(distance.into(), &mut data);
            }
            if let Some(block) = blocks.last_mut() {
                block.end = offset(data.len())?;
            }
            before = place.get();
            count += 1;
            let end = offset(count)?;
            if let Some(last) = run.replace(ClientsRun { clients, end })
                && last.clients != clients
            {
                runs.write_all(last.as_bytes())?;
            }
        }
        if !blocks.is_empty() {
            write_piece(writer, &mut blocks, &mut data)?;
        }
        runs.write_all(run.as_slice().as_bytes())?;
        let mut runs = runs.into_inner()?;
        runs.rewind()?;
        writer.section_of(section_kind::CLIENTS_ORDER, |put| {
            let mut piece = vec![0; 64 << 10];
            loop {
                match runs.read(&mut piece)? {
                    0 => return Ok(()),
                    count => put(&piece[..count])?,
                }
            }
        })
    }
}

fn write_piece(
    writer: &mut IndexFileWriter,
    blocks: &mut Vec<ClientsBlock>,
    data: &mut Vec<u8>,
) -> io::Result<()> {
    writer.section(
        section_kind::CLIENTS_BLOCKS,
        &[blocks.as_bytes(), data].concat(),
    )?;
    blocks.clear();
    data.clear();
    Ok(())
}

/// The order as read from an index file.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClientsOrder<'a> {
    sections: &'a MappedFile,
    runs: &'a [ClientsRun],
    /// The number of records.
    count: usize,
}

fn damaged() -> QueryError {
    QueryError::Damaged("the order by clients does not add up".to_owned())
}

impl<'a> ClientsOrder<'a> {
    /// Records that are visited together at least.
    pub(super) const BLOCK: usize = BLOCK;

    pub(super) fn read(sections: &'a MappedFile) -> Result<Self, QueryError> {
        let bytes = sections.get(section_kind::CLIENTS_ORDER, 0)?;
        let runs = <[ClientsRun]>::ref_from_bytes(bytes).map_err(|_| damaged())?;
        let count = runs.last().map_or(0, |last| place(last.end.get()));
        let is_whole = count as u64 == sections.records()
            && sections.count(section_kind::CLIENTS_BLOCKS) == count.div_ceil(PIECE);
        let order = Self {
            sections,
            runs,
            count,
        };
        is_whole.then_some(order).ok_or_else(damaged)
    }

    /// The number of pieces; [`ClientsOrder::piece`] reads one.
    pub(super) fn pieces(self) -> usize {
        self.count.div_ceil(PIECE)
    }

    /// Visits the places of the records of a piece, in order.
    pub(super) fn piece(self, piece: usize, mut visit: impl FnMut(u32)) -> Result<(), QueryError> {
        let records = self.count.saturating_sub(piece * PIECE).min(PIECE);
        for block in 0..records.div_ceil(BLOCK) {
            self.block(piece * (PIECE / BLOCK) + block, &mut visit)?;
        }
        Ok(())
    }

    /// Visits the places of the records of a block, in order.
    pub(super) fn block(self, block: usize, visit: &mut impl FnMut(u32)) -> Result<(), QueryError> {
        let (blocks, data, at) = self.find(block)?;
        let clients_block = blocks.get(at).ok_or_else(damaged)?;
        let start = at
            .checked_sub(1)
            .map_or(0, |at| place(blocks[at].end.get()));
        let mut rest = data
            .get(start..place(clients_block.end.get()))
            .ok_or_else(damaged)?;
        let mut before = clients_block.first.get();
        visit(before);
        for _ in 1..self.count.saturating_sub(block * BLOCK).min(BLOCK) {
            let distance = lower_word(value::take(&mut rest).ok_or_else(damaged)?);
            before = before.wrapping_add(distance).wrapping_add(1);
            visit(before);
        }
        Ok(())
    }

    /// For a block: the blocks of its piece, the data after them, and its position among them.
    fn find(self, block: usize) -> Result<(&'a [ClientsBlock], &'a [u8], usize), QueryError> {
        let piece = block / (PIECE / BLOCK);
        let records = self.count.saturating_sub(piece * PIECE).min(PIECE);
        let bytes = self.sections.get(section_kind::CLIENTS_BLOCKS, piece)?;
        let blocks = records.div_ceil(BLOCK);
        let (blocks, data) =
            <[ClientsBlock]>::ref_from_prefix_with_elems(bytes, blocks).map_err(|_| damaged())?;
        Ok((blocks, data, block % (PIECE / BLOCK)))
    }

    /// The place of the record at a position of this order.
    pub(super) fn place_at(self, position: usize) -> Result<usize, QueryError> {
        let (mut left, mut found) = (position % BLOCK, None);
        self.block(position / BLOCK, &mut |place| {
            if left == 0 && found.is_none() {
                found = Some(place);
            }
            left = left.saturating_sub(1);
        })?;
        found.map(place).ok_or_else(damaged)
    }

    /// The number of records with at least one client; unknown counts as 0.
    pub(super) fn known(self) -> usize {
        self.run(0).start
    }

    /// The positions of the records with this number of clients.
    fn run(self, clients: u64) -> Range<usize> {
        let at = self.runs.partition_point(|run| run.clients.get() > clients);
        let end = |at: usize| place(self.runs[at].end.get());
        let start = at.checked_sub(1).map_or(0, end);
        match self.runs.get(at) {
            Some(run) if run.clients == clients => start..place(run.end.get()),
            _ => start..start,
        }
    }

    /// The position of a record in this order, by its number of clients and its place.
    pub(super) fn position(self, clients: u64, of: usize) -> Result<usize, QueryError> {
        let run = self.run(clients);
        // Finds the last block that begins within the run, at or before the place; if there is none, the block in which the run
        // begins.
        let (mut from, mut to) = (run.start / BLOCK + 1, run.end.div_ceil(BLOCK));
        while from < to {
            let middle = from.midpoint(to);
            let (blocks, _, at) = self.find(middle)?;
            let first = blocks.get(at).ok_or_else(damaged)?.first.get();
            if place(first) <= of {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        let block = from.saturating_sub(1);
        let (mut position, mut found) = (block * BLOCK, None);
        self.block(block, &mut |number| {
            if place(number) == of && run.contains(&position) {
                found = Some(position);
            }
            position += 1;
        })?;
        found.ok_or_else(damaged)
    }
}
