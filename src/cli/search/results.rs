//! The results of a search, wherever its records are: their number, the values of a field, the records page by page.

use super::facets::{facet_columns, facet_rows, note_values};
use crate::{
    cli::{console::CommandResult, run::Run},
    contract::Feed,
    engine::Result,
    report::{Columns, RecordRow, Results, Ticket, count, dated_record_columns, record_columns},
    store::index::{Facet, FacetBy},
};

/// Records that are read and written together: enough to keep a pipe busy, few enough to come at once.
pub(super) const PAGE: usize = 1024;

/// Where the results of a search go.
pub(super) struct SearchOutput<'a> {
    pub(super) run: Run<'a>,
    pub(super) feed: Feed,
    /// The days that are searched, for people who watch the run.
    pub(super) days: String,
    /// Whether each record has its day.
    pub(super) is_dated: bool,
    /// What a ticket begins with: how many records match, and of which data.
    pub(super) ticket: Box<dyn Fn(u64) -> Ticket + 'a>,
}

impl SearchOutput<'_> {
    /// How many records match.
    pub(super) fn count(&self, number: u64) -> CommandResult<()> {
        let ticket = (self.ticket)(number);
        let results = Results::table(count_columns(), [&number], ticket).as_facts();
        self.run.console.show(results.text(format!("{number}\n")))
    }

    /// Values of a field among so many records, the most frequent first, and how many values there are.
    pub(super) fn facets(
        &self,
        by: &FacetBy,
        (facets, all): (Vec<Facet>, usize),
        number: u64,
        limit: Option<usize>,
    ) -> CommandResult<()> {
        let rows = facet_rows(facets, limit, number);
        let results = Results::table(facet_columns(), &rows, (self.ticket)(number));
        self.run.console.show(results.with_heads())?;
        self.note(number, number);
        note_values(self.run.console, by, number, all, rows.len());
        Ok(())
    }

    /// The next records, until there are none, of so many that match. What gives them is told how many came before.
    pub(super) async fn list(
        &self,
        number: u64,
        mut next: impl AsyncFnMut(u64) -> Result<Vec<RecordRow>>,
    ) -> CommandResult<()> {
        let columns = columns_of(self.feed, self.is_dated);
        let console = self.run.console;
        let mut printed = 0;
        loop {
            let page = next(printed).await?;
            if page.is_empty() {
                break;
            }
            if printed == 0 {
                console.rows(|rows| rows.begin(&columns, || Some((self.ticket)(number))))?;
            }
            printed += page.len() as u64;
            console.rows(|rows| rows.rows(&columns, &page))?;
        }
        self.note(number, printed);
        Ok(())
    }

    /// Notes how many records match, and how many of them are shown where these are fewer.
    pub(super) fn note(&self, number: u64, shown: u64) {
        let of = format!("in {} of {}", self.feed, self.days);
        let rest = if shown < number {
            format!(", {} shown", count(shown))
        } else {
            String::new()
        };
        let matching = match number {
            0 => format!("no record matches {of}"),
            1 => format!("1 record matches {of}"),
            _ => format!("{} records match {of}", count(number)),
        };
        self.run.console.note(&(matching + &rest));
    }
}

/// The records, each with its day where there are several.
pub(super) fn columns_of(feed: Feed, is_dated: bool) -> Columns<RecordRow> {
    if is_dated {
        dated_record_columns(feed)
    } else {
        record_columns(feed)
    }
}

/// How many records match.
pub(super) fn count_columns() -> Columns<u64> {
    Columns::<u64>::default().column("count", "records", |number| *number)
}
