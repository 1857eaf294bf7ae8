//! Building an index from lines (API first).

use std::{io, path::Path};

use crate::store::Rejected;

/// An index being built: takes the lines of a feed, from one thread, and works on others. Dropping it leaves nothing of
/// use behind; the file is complete only after [`Building::finish`].
#[derive(Debug)]
pub struct Building {}

/// What was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// Records in the index.
    pub records: u64,
    /// Lines that are no records.
    pub rejected: Rejected,
    /// Length of the index file.
    pub bytes: u64,
}

impl Building {
    /// Begins an index in this file, which is replaced if it is there. Scratch files lie beside it, named after it.
    ///
    /// # Errors
    /// A failure to write.
    pub fn begin(_file: &Path) -> io::Result<Self> {
        unimplemented!()
    }

    /// Takes a block of whole lines, each with its line end but for the last of the feed, in the order of the feed.
    /// Blocks of about 1 MiB are best. Waits while the workers are behind.
    ///
    /// # Errors
    /// A failure to write, of this block or of one before.
    pub fn lines(&mut self, _block: Vec<u8>) -> io::Result<()> {
        unimplemented!()
    }

    /// Counts one line that is not handed over, in its place, as rejected.
    ///
    /// # Errors
    /// As [`Building::lines`].
    pub fn rejected(&mut self, _why: &'static str) -> io::Result<()> {
        unimplemented!()
    }

    /// Lines and records taken so far by the workers, which may be behind.
    #[must_use]
    pub fn so_far(&self) -> (u64, u64) {
        unimplemented!()
    }

    /// All lines have come: writes the rest, and what is searched across all records, and makes the file durable.
    ///
    /// `tell` hears how many parts of how many are done.
    ///
    /// # Errors
    /// A failure to write.
    pub fn finish(self, _tell: &mut dyn FnMut(u64, u64)) -> io::Result<Built> {
        unimplemented!()
    }
}
