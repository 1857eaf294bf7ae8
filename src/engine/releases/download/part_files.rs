//! The files of a partial download, and the free space on their disk.
//!
//! It never reads or writes the contents of the files, nor touches a published release.

use std::{path::PathBuf, sync::Arc};

use super::query::PullQuery;
use crate::{
    engine::error::{Error, ErrorContext, Kind, Result},
    store::{
        Folder,
        layout::PARTIAL_INDEX,
        space::{FileSystem, size},
    },
};

/// The files of a partial download.
#[derive(Clone, Debug)]
pub(super) struct PartFiles {
    pub(super) folder: Arc<Folder>,
    /// The bytes received.
    pub(super) part: String,
    /// The journal, which identifies the file.
    pub(super) journal: String,
    /// The index of the received part; the next run builds it from the start.
    pub(super) index: String,
}

impl PartFiles {
    /// The files of this query, with the same names in every run.
    pub(super) fn of(folder: Folder, query: &PullQuery) -> Self {
        let name = query.file_name();
        Self {
            folder: Arc::new(folder),
            part: format!("{name}.part"),
            journal: format!("{name}.json"),
            index: format!("{name}{PARTIAL_INDEX}"),
        }
    }

    /// The path of one of them.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Bytes received.
    ///
    /// # Errors
    /// A failure to look.
    pub(super) fn part_length(&self) -> Result<u64> {
        let stat = self
            .folder
            .stat(&self.part)
            .at("read", self.path(&self.part))?;
        Ok(stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or_default()))
    }

    /// Removes all of them, the journal last.
    ///
    /// # Errors
    /// A failure to remove. Then the part must not be resumed.
    pub(super) fn remove(&self) -> Result<()> {
        for name in [&self.index, &self.part, &self.journal] {
            self.folder.remove(name).at("remove", self.path(name))?;
        }
        Ok(())
    }

    /// Refuses a download that does not fit on the disk, as far as that is known.
    pub(super) fn check_space(&self, total: Option<u64>, here: u64) -> Result<()> {
        let Some(needed) = total.map(|total| total.saturating_sub(here)) else {
            return Ok(());
        };
        let Some(system) = FileSystem::of(self.folder.path()) else {
            return Ok(());
        };
        if needed <= system.free {
            return Ok(());
        }
        let needed = size(needed);
        Err(Error::new(
            Kind::Machine,
            format!("no space for the download: it needs {needed} more; {system}"),
        )
        .hint(
            "free some space or choose another place with --cache-dir; the received part is kept",
        ))
    }
}
