//! A local feed as a Parquet file that appears by rename when it is whole. Nothing is sent.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Exports,
    output::{OutputFile, empty},
};
use crate::{
    contract::Feed,
    engine::{
        error::{ErrorContext, Result},
        progress::{ProgressReporter, Report, Stage},
        threads::off_thread,
    },
    model::Day,
    store::{
        Filter, Generation, Manifest, Moment,
        parquet::{self, NotWritten, ParquetForm, ParquetOptions},
    },
};

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParquetRun {
    pub feed: Feed,
    /// The release of this day; else the newest.
    pub day: Option<Day>,
    pub filter: Filter,
    /// The columns.
    pub form: ParquetForm,
    pub file: PathBuf,
    /// Whether to replace a file that is there.
    pub force: bool,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParquetFile {
    /// Which release it was made from.
    pub moment: Moment,
    /// From when the age of that counts.
    pub generation: Generation,
    pub records: u64,
    pub bytes: u64,
}

impl Exports {
    /// Writes a local feed as Parquet.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for a file that is there already,
    /// [`Kind::NotFound`](crate::engine::Kind::NotFound) for a release that is not downloaded, a failure of this machine.
    pub async fn write_parquet(&self, run: &ParquetRun, report: Report) -> Result<ParquetFile> {
        let mut output = OutputFile::begin(&self.settings.paths, &run.file, run.force)?;
        let file = output.file().try_clone().at("write", &run.file)?;
        let (manifest, records) = self.fill_parquet(run, file, &report).await?;
        ProgressReporter::new(report).tell(Stage::Publishing, 0, None);
        let bytes = off_thread(move || output.publish()).await?;
        Ok(ParquetFile {
            moment: manifest.moment,
            generation: manifest.generation(),
            records,
            bytes,
        })
    }

    /// The same to a file without a name, from which it can be handed on whole; the file that the run names is not looked at.
    ///
    /// # Errors
    /// As [`Exports::write_parquet`].
    pub async fn write_parquet_unnamed(
        &self,
        run: &ParquetRun,
        report: Report,
    ) -> Result<(ParquetFile, fs::File)> {
        let file = self.unnamed()?;
        let place = Path::new("a file without a name");
        let own = file.try_clone().at("write", place)?;
        let (manifest, records) = self.fill_parquet(run, own, &report).await?;
        let bytes = file.metadata().at("read", place)?.len();
        let file = self.handed_on(file, false).await?;
        let written = ParquetFile {
            moment: manifest.moment,
            generation: manifest.generation(),
            records,
            bytes,
        };
        Ok((written, file))
    }

    /// Writes the records into a file. Returns the release that they are of, and how many there are.
    async fn fill_parquet(
        &self,
        run: &ParquetRun,
        file: fs::File,
        report: &Report,
    ) -> Result<(Manifest, u64)> {
        let opened = self.releases.open_local(run.feed, run.day).await?;
        let manifest = opened.release.manifest.clone();
        let form = ParquetOptions {
            records: run.feed.row().records,
            form: run.form,
            about: vec![
                ("ipspect.feed".to_owned(), run.feed.name().to_owned()),
                ("ipspect.release".to_owned(), manifest.moment.to_string()),
                ("ipspect.filter".to_owned(), run.filter.to_string()),
            ],
        };
        let (filter, bytes, told) = (run.filter.clone(), manifest.bytes, Arc::clone(report));
        let written = self.releases.with_local(opened, move |opened, stop| {
            let mut reporter = ProgressReporter::new(Arc::clone(&told));
            let mut tell = |done, of| reporter.tell_parts(Stage::Writing, bytes, done, of);
            let written = empty(&file).map_err(NotWritten::Io).and_then(|()| {
                parquet::write(&opened.index, &filter, &form, &file, stop, &mut tell)
            });
            match written {
                Ok(records) => Ok(Ok(records)),
                Err(NotWritten::Io(error)) => Ok(Err(error)),
                Err(NotWritten::Index(why)) => Err(why),
            }
        });
        let records = written.await?.at("write", &run.file)?;
        Ok((manifest, records))
    }
}
