//! Opening an index, and what an open one holds.

use std::{
    collections::HashSet,
    path::Path,
    sync::{Arc, OnceLock},
};

use ipnet::IpNet;
use zerocopy::{FromBytes, little_endian::U32};

use super::{
    NotOpened, QueryError, RowId, StopFlag,
    file::MappedFile,
    id::{CHUNK, ChunkId, place},
    section_kind,
    shape::ShapeTable,
    subjects::Subjects,
};

/// An open index: mapped, cheap to clone, usable from several threads. It stays readable while it is replaced.
#[derive(Clone, Debug)]
pub struct Index(pub(super) Arc<OpenIndex>);

#[derive(Debug)]
pub(super) struct OpenIndex {
    pub(super) sections: MappedFile,
    /// How many rows each chunk has.
    pub(super) rows: Vec<usize>,
    pub(super) kept: LoadedSections,
}

impl Index {
    /// Opens an index: checks that it is one, whole and of this version, and maps it. Its parts are checked at first use.
    ///
    /// # Errors
    /// [`NotOpened`].
    pub fn open(path: &Path) -> Result<Self, NotOpened> {
        let sections = MappedFile::open(path, section_kind::COUNT)?;
        let rows = rows_of_chunks(&sections).map_err(|why| match why {
            QueryError::Damaged(why) => NotOpened::Unfit(why),
            QueryError::Stopped | QueryError::TooMany(..) => NotOpened::Unfit(String::new()),
        })?;
        Ok(Self(Arc::new(OpenIndex {
            sections,
            rows,
            kept: LoadedSections::default(),
        })))
    }

    /// How many records it holds.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.0.sections.records()
    }

    /// The records of exactly this address or network, in the order of the file, then those of networks that cover it, most
    /// specific first.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn covering(&self, network: IpNet) -> Result<Vec<RowId>, QueryError> {
        Subjects(&self.0.sections).covering(network)
    }

    /// Checks every part of it again.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn check(&self, stop: &StopFlag) -> Result<(), QueryError> {
        for kind in 0..section_kind::COUNT {
            for ordinal in 0..self.0.sections.count(kind) {
                stop.check()?;
                self.0.sections.check(kind, ordinal)?;
            }
        }
        Ok(())
    }
}

/// What is read once and kept.
#[derive(Debug, Default)]
pub(super) struct LoadedSections {
    pub(super) shapes: OnceLock<ShapeTable>,
    /// The words of each field's dictionary, where some had no room in it.
    pub(super) words: [OnceLock<HashSet<Box<[u8]>>>; section_kind::FIELDS],
}

/// How many rows each chunk has.
///
/// ```text
/// chunks      rows u32 each: from 1 to 65,536, together as many as there are records
/// ```
fn rows_of_chunks(sections: &MappedFile) -> Result<Vec<usize>, QueryError> {
    let damaged = || QueryError::Damaged("its chunks do not add up".to_owned());
    let rows =
        <[U32]>::ref_from_bytes(sections.get(section_kind::CHUNKS, 0)?).map_err(|_| damaged())?;
    let rows: Vec<usize> = rows.iter().map(|rows| place(rows.get())).collect();
    let is_sound = rows.len() <= ChunkId::MOST
        && rows.len() == sections.count(section_kind::RECORDS)
        && rows.iter().all(|rows| (1..=CHUNK).contains(rows))
        && rows.iter().sum::<usize>() as u64 == sections.records();
    is_sound.then_some(rows).ok_or_else(damaged)
}
