//! A release that is searched: its records page by page, or their number.

use crate::{
    cli::{console::CommandResult, run::Run},
    contract::catalog::RecordKind,
    engine::{OpenRelease, Result},
    report::{
        Columns, RecordRow, Results, Ticket, TicketStamp, count, filter_ticket, record_columns,
    },
    store::{Filter, RowId, StopFlag, index::QueryError},
};

/// Records that are read and written together: enough to keep a pipe busy, few enough to come at once.
const PAGE: usize = 1024;

/// A release and what is asked of it.
pub(in crate::cli) struct SearchInputs<'a> {
    pub(super) run: Run<'a>,
    pub(super) opened: OpenRelease,
    pub(super) filter: Filter,
}

impl SearchInputs<'_> {
    pub(super) async fn lines(&self, rows: Vec<RowId>) -> Result<Vec<Vec<u8>>> {
        self.ask(move |opened, _| {
            let line = |row: &RowId| {
                let mut line = Vec::new();
                opened.index.line(*row, &mut line).map(|()| line)
            };
            rows.iter().map(line).collect()
        })
        .await
    }

    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&OpenRelease, &StopFlag) -> Result<T, QueryError> + Send + Sync + 'static,
    ) -> Result<T> {
        self.run
            .engine
            .releases
            .with_local(self.opened.clone(), work)
            .await
    }

    /// What a ticket begins with: how many records match, and of which data.
    pub(super) fn ticket(&self, number: u64) -> Ticket {
        let written = TicketStamp::of(&self.run.engine.settings);
        filter_ticket(&self.opened.release, &self.filter, number, written)
    }

    /// How many records match, and in what, for people who watch the run.
    pub(super) fn said(&self, number: u64) -> String {
        let manifest = &self.opened.release.manifest;
        let of = format!("in {} of {}", manifest.feed, manifest.moment.dashed());
        match number {
            0 => format!("no record matches {of}"),
            1 => format!("1 record matches {of}"),
            _ => format!("{} records match {of}", count(number)),
        }
    }

    pub(super) async fn count(&self) -> CommandResult<()> {
        let filter = self.filter.clone();
        let number = self
            .ask(move |opened, stop| Ok(opened.index.select(&filter, stop)?.count()))
            .await?;
        let results = Results::table(count_columns(), [&number], self.ticket(number)).as_facts();
        self.run.console.show(results.text(format!("{number}\n")))
    }

    pub(super) async fn busiest(&self, most: usize) -> CommandResult<()> {
        let feed = self.opened.release.manifest.feed;
        if matches!(feed.row().records, RecordKind::Hosting | RecordKind::Geo) {
            let text =
                format!("records of {feed} have no clients: --top takes the first by address");
            self.run.console.note(&text);
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
    pub(super) async fn print(
        &self,
        number: u64,
        mut rows: impl Iterator<Item = RowId>,
    ) -> CommandResult<()> {
        let feed = self.opened.release.manifest.feed;
        let columns = record_columns(feed);
        let mut printed = 0;
        loop {
            let page: Vec<RowId> = rows.by_ref().take(PAGE).collect();
            if page.is_empty() {
                break;
            }
            if printed == 0 {
                self.run
                    .console
                    .rows(|rows| rows.begin(&columns, || Some(self.ticket(number))))?;
            }
            printed += page.len() as u64;
            let lines = self.lines(page).await?.into_iter();
            let shown: Vec<RecordRow> = lines.map(|line| RecordRow::of(feed, line)).collect();
            self.run.console.rows(|rows| rows.rows(&columns, &shown))?;
        }
        let rest = if printed < number {
            format!(", {} shown", count(printed))
        } else {
            String::new()
        };
        self.run.console.note(&(self.said(number) + &rest));
        Ok(())
    }
}

/// How many records match.
pub(super) fn count_columns() -> Columns<u64> {
    Columns::<u64>::default().column("count", "records", |number| *number)
}
