//! Exports from local feeds: the same request with the same meaning, and nothing is sent. It never answers from another day than
//! it names, and never leaves an incomplete file.

use std::{fs, sync::Arc};

use super::{
    Exports,
    output::{OutputFile, empty},
    run::{ExportFileRun, ExportOrigin, ExportRun, WRITE, check_run},
};
use crate::{
    contract::ExportQuery,
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        releases::OpenRelease,
    },
    model::Day,
    store::{
        Filter, StopFlag,
        export::{DatabaseAbout, DatabaseLayout, ExportIndexes, NotExported, export},
        index::QueryError,
    },
};

/// Which local records an export is made from, beyond what a request to the service can say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalChoice {
    /// The release of this day; else the one that a diff names, or the newest.
    pub day: Option<Day>,
    /// Only these records.
    pub filter: Filter,
    /// The fields of a database.
    pub layout: DatabaseLayout,
}

/// The local releases that a local export is read from.
#[derive(Clone, Debug)]
pub struct ExportDays {
    pub day: OpenRelease,
    /// The release of the day before, for a diff.
    pub before: Option<OpenRelease>,
    /// Which of their records are meant at all.
    pub filter: Filter,
    /// The fields of a database.
    pub layout: DatabaseLayout,
}

impl ExportDays {
    /// The releases, that of the day first.
    pub fn opened(&self) -> impl Iterator<Item = &OpenRelease> {
        [Some(&self.day), self.before.as_ref()]
            .into_iter()
            .flatten()
    }

    /// What a database of the export says of itself.
    pub(super) fn about(&self, query: &ExportQuery) -> DatabaseAbout {
        let before = self.before.as_ref();
        DatabaseAbout::of(
            query,
            &self.filter,
            self.layout,
            &self.day.release.manifest,
            before.map(|before| &before.release.manifest),
        )
    }

    /// Where the export comes from.
    fn origin(&self) -> ExportOrigin {
        let moment = |opened: &OpenRelease| opened.release.manifest.moment;
        ExportOrigin::Disk {
            day: moment(&self.day),
            generation: self.day.release.manifest.generation(),
            before: self.before.as_ref().map(moment),
        }
    }
}

impl Exports {
    /// Opens what a local export is read from: the release of the day that a diff is asked for, else the newest one,
    /// and for a diff that of the day before it.
    ///
    /// # Errors
    /// [`Kind::NotFound`] for a release that is not downloaded; otherwise as
    /// [`Releases::open_local`](crate::engine::Releases::open_local).
    pub async fn open_for_export(&self, query: &ExportQuery) -> Result<ExportDays> {
        self.open_chosen(query, &LocalChoice::default()).await
    }

    /// The same of the release that is chosen.
    ///
    /// # Errors
    /// As [`Exports::open_for_export`].
    pub async fn open_chosen(
        &self,
        query: &ExportQuery,
        choice: &LocalChoice,
    ) -> Result<ExportDays> {
        let of = choice.day.or(query.diff_date);
        let day = self.releases.open_local(query.feed, of).await?;
        let before = if query.diff {
            let before = day.release.manifest.moment.day().plus(-1);
            Some(self.releases.open_local(query.feed, Some(before)).await?)
        } else {
            None
        };
        Ok(ExportDays {
            day,
            before,
            filter: choice.filter.clone(),
            layout: choice.layout,
        })
    }

    /// Answers an export from local feeds, to a file.
    ///
    /// # Errors
    /// [`Kind::Usage`] for what the contract forbids and for a file that is there; what opening and
    /// answering fail with. Nothing is left behind by a run that fails.
    pub async fn export_local(&self, run: &ExportRun) -> Result<ExportFileRun> {
        self.export_chosen(run, &LocalChoice::default()).await
    }

    /// The same from the records that are chosen.
    ///
    /// # Errors
    /// As [`Exports::export_local`].
    pub async fn export_chosen(
        &self,
        run: &ExportRun,
        choice: &LocalChoice,
    ) -> Result<ExportFileRun> {
        check_run(&run.query, run.spreadsheet_safe)?;
        let days = self.open_chosen(&run.query, choice).await?;
        let mut output = OutputFile::begin(&self.settings.paths, &run.file, run.force)?;
        let asked_at = self.settings.now();
        let (origin, records) = self.fill(&run.query, days, output.file()).await?;
        run.publish(output, asked_at, origin, Some(records)).await
    }

    /// Answers an export from local feeds, to a file without a name, from which it can be handed on whole.
    ///
    /// # Errors
    /// As [`Exports::export_local`].
    pub async fn export_local_unnamed(
        &self,
        query: &ExportQuery,
        choice: &LocalChoice,
        spreadsheet_safe: bool,
    ) -> Result<(fs::File, Option<u64>)> {
        check_run(query, spreadsheet_safe)?;
        let days = self.open_chosen(query, choice).await?;
        let file = self.unnamed()?;
        let (_, records) = self.fill(query, days, &file).await?;
        Ok((self.handed_on(file, spreadsheet_safe).await?, Some(records)))
    }

    /// Writes an export into a file. Returns where it comes from and how many records it has.
    async fn fill(
        &self,
        query: &ExportQuery,
        mut days: ExportDays,
        file: &fs::File,
    ) -> Result<(ExportOrigin, u64)> {
        let file = Arc::new(file.try_clone().when(WRITE)?);
        match self.fill_once(query, &days, &file).await? {
            Err(NotExported::Before(QueryError::Damaged(_))) => {}
            ended => return finished(&days, ended),
        }
        // `with_local` repairs only its own release, so the day before is repaired separately.
        if let Some(before) = days.before {
            let feed_day = before.release.manifest.moment.day();
            let check = |before: &OpenRelease, stop: &StopFlag| before.index.check(stop);
            self.releases.with_local(before, check).await?;
            days.before = Some(self.releases.open_local(query.feed, Some(feed_day)).await?);
        }
        let ended = self.fill_once(query, &days, &file).await?;
        finished(&days, ended)
    }

    async fn fill_once(
        &self,
        query: &ExportQuery,
        days: &ExportDays,
        file: &Arc<fs::File>,
    ) -> Result<Result<u64, NotExported>> {
        let (query, file) = (query.clone(), Arc::clone(file));
        let about = days.about(&query);
        let (before, filter) = (days.before.clone(), days.filter.clone());
        let work = move |day: &OpenRelease, stop: &StopFlag| {
            let days = ExportIndexes {
                day: &day.index,
                before: before.as_ref().map(|before| &before.index),
                filter: Some(&filter),
            };
            let written = empty(&file)
                .map_err(NotExported::Unwritten)
                .and_then(|()| export(&query, days, &about, stop, &mut &*file));
            match written {
                Err(NotExported::Day(why) | NotExported::Before(why @ QueryError::Stopped)) => {
                    Err(why)
                }
                ended => Ok(ended),
            }
        };
        self.releases.with_local(days.day.clone(), work).await
    }
}

pub(super) fn finished<T>(
    days: &ExportDays,
    ended: Result<T, NotExported>,
) -> Result<(ExportOrigin, T)> {
    let error = match ended {
        Ok(made) => return Ok((days.origin(), made)),
        Err(NotExported::Unwritten(error)) => Error::machine(WRITE, &error),
        Err(other) => Error::new(Kind::Integrity, other.to_string()).hint(format!(
            "rebuild it with `ipspect feeds reindex {}`",
            days.day.release.manifest.feed
        )),
    };
    Err(error)
}
