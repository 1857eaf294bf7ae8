//! Exports and other files that are made for a person: answered by the service or from this disk, written whole or not at
//! all.

mod local;
pub(super) mod output;
mod parquet;
mod remote;
mod run;
pub mod sample;
mod whole;

use std::{fs, io::Seek, sync::Arc};

pub(super) use self::run::check_export;
pub use self::{
    local::ExportDays,
    output::OutputFile,
    parquet::{ParquetFile, ParquetRun},
    run::{ExportRun, Exported, Origin},
};
use self::{run::unkept, whole::guard_cells};
use super::{
    error::Result, http::Requests, releases::Releases, settings::Settings, threads::off_thread,
};
use crate::store::Folder;

/// Makes files from answers.
#[derive(Clone, Debug)]
pub(super) struct Exports {
    settings: Arc<Settings>,
    requests: Requests,
    releases: Releases,
}

impl Exports {
    pub(super) fn new(settings: &Arc<Settings>, requests: &Requests, releases: &Releases) -> Self {
        Self {
            settings: Arc::clone(settings),
            requests: requests.clone(),
            releases: releases.clone(),
        }
    }

    /// A file without a name.
    fn unnamed(&self) -> Result<fs::File> {
        Folder::make_root(&self.settings.paths.cache)
            .and_then(|cache| cache.unnamed())
            .map_err(|error| unkept(&error))
    }

    /// A whole export, to be read from its beginning.
    async fn handed_on(&self, mut file: fs::File, spreadsheet_safe: bool) -> Result<fs::File> {
        let mut safe = spreadsheet_safe.then(|| self.unnamed()).transpose()?;
        off_thread(move || {
            if let Some(safe) = &mut safe {
                guard_cells(&mut file, safe).map_err(|error| unkept(&error))?;
            }
            let mut file = safe.unwrap_or(file);
            file.rewind().map_err(|error| unkept(&error))?;
            Ok(file)
        })
        .await
    }
}
