//! A release that is searched: its records page by page, their number, or the values of a field.

use super::results::{PAGE, SearchOutput};
use crate::{
    cli::{console::CommandResult, run::Run},
    contract::catalog::RecordKind,
    engine::{OpenRelease, Result},
    report::{RecordRow, TicketStamp, filter_ticket},
    store::{
        Filter, RowId, StopFlag,
        index::{FacetBy, QueryError},
    },
};

/// A release and what is asked of it.
pub(super) struct SearchInputs<'a> {
    output: SearchOutput<'a>,
    pub(super) opened: OpenRelease,
    pub(super) filter: Filter,
}

impl<'a> SearchInputs<'a> {
    pub(super) fn of(run: Run<'a>, opened: OpenRelease, filter: Filter) -> Self {
        let manifest = &opened.release.manifest;
        let (release, of) = (opened.release.clone(), filter.clone());
        let ticket = move |number| {
            let written = TicketStamp::of(&run.engine.settings);
            filter_ticket(&release, &of, number, written)
        };
        Self {
            output: SearchOutput {
                run,
                feed: manifest.feed,
                days: manifest.moment.dashed(),
                is_dated: false,
                ticket: Box::new(ticket),
            },
            opened,
            filter,
        }
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&OpenRelease, &StopFlag) -> Result<T, QueryError> + Send + Sync + 'static,
    ) -> Result<T> {
        let releases = &self.output.run.engine.releases;
        releases.with_local(self.opened.clone(), work).await
    }

    pub(super) async fn count(&self) -> CommandResult<()> {
        let filter = self.filter.clone();
        let work =
            move |opened: &OpenRelease, stop: &_| Ok(opened.index.select(&filter, stop)?.count());
        self.output.count(self.ask(work).await?)
    }

    /// The values of a field, the most frequent first.
    pub(super) async fn facets(&self, by: FacetBy, limit: Option<usize>) -> CommandResult<()> {
        let (filter, field) = (self.filter.clone(), by.clone());
        let work = move |opened: &OpenRelease, stop: &_| {
            let selection = opened.index.select(&filter, stop)?;
            let facets = opened.index.facets(&selection, &field, stop)?;
            Ok((selection.count(), facets))
        };
        let (number, facets) = self.ask(work).await?;
        let all = facets.len();
        self.output.facets(&by, (facets, all), number, limit)
    }

    pub(super) async fn busiest(&self, most: usize) -> CommandResult<()> {
        let feed = self.output.feed;
        if matches!(feed.row().records, RecordKind::Hosting | RecordKind::Geo) {
            let text =
                format!("records of {feed} have no clients: --top takes the first by address");
            self.output.run.console.note(&text);
        }
        let filter = self.filter.clone();
        let work = move |opened: &OpenRelease, stop: &_| {
            let selection = opened.index.select(&filter, stop)?;
            let rows = opened.index.busiest(&selection, most, stop)?;
            Ok((selection.count(), rows))
        };
        let (number, rows) = self.ask(work).await?;
        self.print(number, rows.into_iter()).await
    }

    pub(super) async fn all(&self, limit: Option<usize>) -> CommandResult<()> {
        let filter = self.filter.clone();
        let selection = self
            .ask(move |opened, stop| opened.index.select(&filter, stop))
            .await?;
        let rows = selection.rows().take(limit.unwrap_or(usize::MAX));
        self.print(selection.count(), rows).await
    }

    /// Prints these rows, of so many that match.
    async fn print(&self, number: u64, mut rows: impl Iterator<Item = RowId>) -> CommandResult<()> {
        let next = async |_| {
            let page: Vec<RowId> = rows.by_ref().take(PAGE).collect();
            let line = move |opened: &OpenRelease, _: &_| {
                let line = |row: &RowId| {
                    let mut line = Vec::new();
                    opened.index.line(*row, &mut line).map(|()| line)
                };
                page.iter().map(line).collect::<Result<Vec<_>, _>>()
            };
            let lines = self.ask(line).await?.into_iter();
            Ok(lines
                .map(|line| RecordRow::of(self.output.feed, line))
                .collect())
        };
        self.output.list(number, next).await
    }
}
