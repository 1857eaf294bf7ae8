//! `search`: the records of a local feed that match a filter, their number, or the values of a field.
//!
//! Records go out page by page, however many there are; nothing is sent, and nothing on the disk is changed.

pub(super) mod facets;

use std::slice;

use self::facets::facet_columns;
use super::{
    args::search::{SearchArgs, SearchArguments, SearchResult},
    console::{CommandResult, Console},
    exit::Exit,
    freshness::{note_ages, note_unknown_values},
};
use crate::{
    contract::{Feed, catalog::RecordKind},
    engine::{Engine, OpenRelease, Result},
    report::{
        Columns, RecordRow, Results, Ticket, TicketStamp, count, filter_ticket, record_columns,
    },
    store::{Filter, RowId, StopFlag, index::QueryError},
};

/// Records that are read and written together: enough to keep a pipe busy, few enough to come at once.
const PAGE: usize = 1024;

/// The table of the records, of their number, or of the values of a field.
pub(super) fn table_of(args: &SearchArgs) -> Vec<&'static str> {
    if args.count {
        count_columns().names()
    } else if args.facet.is_some() {
        facet_columns().names()
    } else {
        record_columns(args.feed.parse().unwrap_or(Feed::Anonymous)).names()
    }
}

/// Answers from the release that is asked for.
///
/// # Errors
/// An invalid filter; a feed that is not downloaded.
pub(super) async fn run(args: &SearchArgs, engine: &Engine, console: &Console) -> CommandResult {
    let SearchArguments {
        feed,
        day,
        filter,
        wanted,
    } = args.search(engine.settings.today())?;
    console.if_interrupted("the output is correct but incomplete");
    let opened = engine.releases.open_local(feed, day).await?;
    note_ages(engine, console, [&opened.release]);
    if let SearchResult::Facets(by, _) = &wanted {
        facets::check_path(engine, slice::from_ref(&opened), by).await?;
    }
    let asked = SearchInputs {
        engine,
        console,
        opened,
        filter,
    };
    match wanted {
        SearchResult::Count => asked.count().await?,
        SearchResult::Facets(by, limit) => facets::show(&asked, by, limit).await?,
        SearchResult::Busiest(most) => asked.busiest(most).await?,
        SearchResult::All(limit) => asked.all(limit).await?,
    }
    let opened = slice::from_ref(&asked.opened);
    note_unknown_values(engine, console, opened, &asked.filter).await;
    Ok(Exit::DONE)
}

/// A release and what is asked of it.
pub(in crate::cli) struct SearchInputs<'a> {
    engine: &'a Engine,
    console: &'a Console,
    opened: OpenRelease,
    filter: Filter,
}

impl SearchInputs<'_> {
    async fn lines(&self, rows: Vec<RowId>) -> Result<Vec<Vec<u8>>> {
        self.ask(move |opened, _| {
            let line = |row: &RowId| {
                let mut line = Vec::new();
                opened.index.line(*row, &mut line).map(|()| line)
            };
            rows.iter().map(line).collect()
        })
        .await
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&OpenRelease, &StopFlag) -> Result<T, QueryError> + Send + Sync + 'static,
    ) -> Result<T> {
        self.engine
            .releases
            .with_local(self.opened.clone(), work)
            .await
    }

    /// What a ticket begins with: how many records match, and of which data.
    fn ticket(&self, number: u64) -> Ticket {
        let settings = &self.engine.settings;
        let written = TicketStamp {
            at: settings.now(),
            invented: settings.invented,
        };
        filter_ticket(&self.opened.release, &self.filter, number, written)
    }

    /// How many records match, and in what, for people who watch the run.
    fn said(&self, number: u64) -> String {
        let manifest = &self.opened.release.manifest;
        let of = format!("in {} of {}", manifest.feed, manifest.moment.dashed());
        match number {
            0 => format!("no record matches {of}"),
            1 => format!("1 record matches {of}"),
            _ => format!("{} records match {of}", count(number)),
        }
    }

    async fn count(&self) -> CommandResult<()> {
        let filter = self.filter.clone();
        let number = self
            .ask(move |opened, stop| Ok(opened.index.select(&filter, stop)?.count()))
            .await?;
        let results = Results::table(count_columns(), [&number], self.ticket(number)).as_facts();
        self.console.show(results.text(format!("{number}\n")))
    }

    async fn busiest(&self, most: usize) -> CommandResult<()> {
        let feed = self.opened.release.manifest.feed;
        if matches!(feed.row().records, RecordKind::Hosting | RecordKind::Geo) {
            let text =
                format!("records of {feed} have no clients: --top takes the first by address");
            self.console.note(&text);
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

    async fn all(&self, limit: Option<usize>) -> CommandResult<()> {
        let filter = self.filter.clone();
        let selection = self
            .ask(move |opened, stop| opened.index.select(&filter, stop))
            .await?;
        let rows = selection.rows().take(limit.unwrap_or(usize::MAX));
        self.print(selection.count(), rows).await
    }

    /// Prints these rows, of so many that match.
    async fn print(&self, number: u64, mut rows: impl Iterator<Item = RowId>) -> CommandResult<()> {
        let feed = self.opened.release.manifest.feed;
        let columns = record_columns(feed);
        let mut printed = 0;
        loop {
            let page: Vec<RowId> = rows.by_ref().take(PAGE).collect();
            if page.is_empty() {
                break;
            }
            if printed == 0 {
                self.console
                    .rows(|rows| rows.begin(&columns, || Some(self.ticket(number))))?;
            }
            printed += page.len() as u64;
            let lines = self.lines(page).await?.into_iter();
            let shown: Vec<RecordRow> = lines.map(|line| RecordRow::of(feed, line)).collect();
            self.console.rows(|rows| rows.rows(&columns, &shown))?;
        }
        let rest = if printed < number {
            format!(", {} shown", count(printed))
        } else {
            String::new()
        };
        self.console.note(&(self.said(number) + &rest));
        Ok(())
    }
}

/// How many records match.
fn count_columns() -> Columns<u64> {
    Columns::<u64>::new().column("count", "records", |number| *number)
}
