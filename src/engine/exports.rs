//! Exports and other files that are made for a person: answered by the service or locally, written whole or not at
//! all.

mod completeness;
mod described;
mod local;
pub(super) mod output;
mod parquet;
mod preview;
mod remote;
mod run;
pub mod sample;
mod saved_exports;
mod table;

use std::{
    fs,
    io::{Seek, Write},
    ops::Range,
    path::Path,
    sync::Arc,
};

use self::{completeness::guard_cells, table::Tables};
pub use self::{
    described::{DescribedFile, ListDescription, MADE_BY},
    local::{ExportDays, LocalChoice},
    output::{OutputFile, is_there},
    parquet::{ParquetFile, ParquetRun},
    preview::LocalPreview,
    run::{ExportFileRun, ExportOrigin, ExportRun, check_export},
    saved_exports::{PastRun, Preset, SavedExports},
    table::{ColumnOrder, TablePage, TableQuery},
};
use super::{
    error::{ErrorContext, Result},
    http::Requests,
    live::Live,
    progress::Report,
    releases::Releases,
    settings::Settings,
    threads::{off_thread, stoppable},
};
use crate::{contract::Feed, store::Folder};

/// The action that error messages name for an answer.
const KEEP: &str = "keep the export";

/// Makes files from answers.
#[derive(Clone, Debug)]
pub struct Exports {
    settings: Arc<Settings>,
    requests: Requests,
    live: Live,
    releases: Releases,
    tables: Arc<Tables>,
}

impl Exports {
    pub(super) fn new(
        settings: Arc<Settings>,
        requests: Requests,
        live: Live,
        releases: Releases,
    ) -> Self {
        Self {
            settings,
            requests,
            live,
            releases,
            tables: Arc::default(),
        }
    }

    /// Saves the documentation of a feed, a PDF, to a file; nothing is asked when the file is there already, unless
    /// `force` says to replace it. Returns its length.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for a file that is there; as [`Live::feed_readme`]; a failure of this
    /// machine.
    pub async fn save_readme(&self, feed: Feed, path: &Path, force: bool) -> Result<u64> {
        let mut output = OutputFile::begin(&self.settings.paths, path, force)?;
        let pdf = self.live.feed_readme(feed).await?;
        output.file().write_all(&pdf).at("write", path)?;
        output.publish_aside().await
    }

    /// Begins a file of texts that appears under its name when it is whole.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for a file that is there, unless `force` says to replace it; a failure of
    /// this machine.
    pub fn begin_text(&self, path: &Path, force: bool) -> Result<OutputFile> {
        OutputFile::begin(&self.settings.paths, path, force)
    }

    /// A page of an exported file as a table. The first question reads the file once, one with another order or filter once more:
    /// `report` hears how far that is. Dropping the future ends it.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for MMDB, which has no rows;
    /// [`Kind::Integrity`](crate::engine::Kind::Integrity) for a row of no sensible length; a failure to read.
    pub async fn table(
        &self,
        query: &TableQuery,
        positions: Range<u64>,
        report: Report,
    ) -> Result<TablePage> {
        let (tables, query) = (Arc::clone(&self.tables), query.clone());
        stoppable(move |stop| tables.page(&query, positions, stop, report)).await
    }

    /// A file without a name.
    fn unnamed(&self) -> Result<fs::File> {
        Folder::make_root(&self.settings.paths.cache)
            .and_then(|cache| cache.unnamed())
            .when(KEEP)
    }

    /// A whole export, to be read from its beginning.
    async fn handed_on(&self, mut file: fs::File, spreadsheet_safe: bool) -> Result<fs::File> {
        let mut safe = spreadsheet_safe.then(|| self.unnamed()).transpose()?;
        off_thread(move || {
            if let Some(safe) = &mut safe {
                guard_cells(&mut file, safe).when(KEEP)?;
            }
            let mut file = safe.unwrap_or(file);
            file.rewind().when(KEEP)?;
            Ok(file)
        })
        .await
    }
}
