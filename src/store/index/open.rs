//! Opening an index, and the state of an open one.

use std::{
    collections::HashSet,
    fs::File,
    net::IpAddr,
    path::Path,
    sync::{Arc, Mutex, OnceLock},
};

use ipnet::IpNet;
use zerocopy::{FromBytes, little_endian::U32};

use super::{
    NotOpened, QueryError, RowId, Selection, StopFlag,
    file::MappedFile,
    id::{CHUNK, ChunkId, place},
    section_kind,
    shape::ShapeTable,
    subjects::Subjects,
};
use crate::{
    model::Subject,
    store::{filter::Filter, folder::open_users_file, mapping::Fault},
};

/// An open index: mapped, cheap to clone, usable from several threads. It stays readable after the file is replaced.
#[derive(Clone, Debug)]
pub struct Index(pub(super) Arc<OpenIndex>);

#[derive(Debug)]
pub(super) struct OpenIndex {
    pub(super) sections: MappedFile,
    /// The number of rows of each chunk.
    pub(super) rows: Vec<usize>,
    pub(super) kept: LoadedSections,
}

impl Index {
    /// Opens an index that the caller names by its path, which may be a link.
    ///
    /// # Errors
    /// [`NotOpened`].
    pub fn open(path: &Path) -> Result<Self, NotOpened> {
        let file = open_users_file(path).map_err(NotOpened::Io)?;
        Self::of_file(&file, &Fault::in_file(path))
    }

    /// Opens an index: checks that it is complete and of this version, and maps it. Sections are verified at first use. `fault` is
    /// what is said where somebody cuts the file off while it is open.
    ///
    /// # Errors
    /// [`NotOpened`].
    pub fn of_file(file: &File, fault: &Fault) -> Result<Self, NotOpened> {
        let sections = MappedFile::open(file, fault, section_kind::COUNT)?;
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

    /// The number of records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.0.sections.records()
    }

    /// The records of exactly this address or network, in the order of the file; then those of the networks that cover it, the
    /// most specific first.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn covering(&self, network: IpNet) -> Result<Vec<RowId>, QueryError> {
        Subjects(&self.0.sections).covering(network)
    }

    /// Whether a record is about an address or network within this one. Reads no more than its place in the order.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn has_within(&self, network: IpNet) -> Result<bool, QueryError> {
        Subjects(&self.0.sections).has_within(network)
    }

    /// How many records are about an address or network within this one.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn count_within(&self, network: IpNet) -> Result<u64, QueryError> {
        let subjects = Subjects(&self.0.sections);
        let mut count = subjects.addresses_within(network)?.len() as u64;
        subjects.networks_within(network, |_| count += 1)?;
        Ok(count)
    }

    /// The record about each of these addresses, or about the most specific network that covers it, each once; and the number of addresses
    /// that have none.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn select_addresses(
        &self,
        addresses: &[IpAddr],
        stop: &StopFlag,
    ) -> Result<(Selection, usize), QueryError> {
        let (mut rows, mut without) = (Selection::default(), 0);
        for address in addresses {
            stop.check()?;
            match self.covering(IpNet::from(*address))?.first() {
                Some(row) => rows.insert(*row),
                None => without += 1,
            }
        }
        Ok((rows, without))
    }

    /// Those of these rows whose subject is wanted.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn select_subjects(
        &self,
        of: &Selection,
        is_wanted: impl Fn(Subject) -> bool,
        stop: &StopFlag,
    ) -> Result<Selection, QueryError> {
        /// Subjects between two looks at whether the work is still wanted.
        const EVERY: usize = 1 << 16;
        let mut rows = Selection::default();
        for (count, subject) in self.subjects().enumerate() {
            if count % EVERY == 0 {
                stop.check()?;
            }
            let (subject, row, _) = subject?;
            if of.contains(row) && is_wanted(subject) {
                rows.insert(row);
            }
        }
        Ok(rows)
    }

    /// Verifies every section again.
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

/// Sections that are parsed once and cached.
#[derive(Debug, Default)]
pub(super) struct LoadedSections {
    pub(super) shapes: OnceLock<ShapeTable>,
    /// The words of a field's dictionary, for fields with words outside it.
    pub(super) words: [OnceLock<HashSet<Box<[u8]>>>; section_kind::FIELDS],
    /// The rows of a few filters that are asked for again and again.
    pub(super) selected: Mutex<Vec<(Filter, Selection)>>,
}

/// The number of rows of each chunk.
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
