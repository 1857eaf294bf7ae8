//! What is compared, and its result in numbers.

use std::cmp::Ordering;

use crate::{
    cli::console::{CommandResult, Console},
    engine::{DiffDays, OpenRelease},
    report::{Cell, Columns, Results, TextCell, Ticket, count},
    store::{
        Filter,
        diff::{ChangeCounts, Summary},
    },
};

/// Two days and which of their records are meant.
pub(super) struct DiffInputs<'a> {
    pub(super) days: &'a DiffDays,
    pub(super) filter: &'a Filter,
}

impl DiffInputs<'_> {
    pub(super) fn days(&self) -> String {
        let of = |opened: &OpenRelease| opened.release.manifest.moment.dashed();
        format!("{} to {}", of(&self.days.before), of(&self.days.after))
    }

    /// The names of the loads, where the days are of the warehouse.
    fn loads(&self) -> Option<[&str; 2]> {
        let days = [&self.days.before, &self.days.after];
        let [before, after] = days.map(|release| release.release.manifest.load_name());
        Some([before?, after?])
    }

    /// The note on two equal days, or on a comparison back in time.
    pub(super) fn order(&self) -> Option<String> {
        let of = |opened: &OpenRelease| opened.release.manifest.moment;
        let (from, to) = (of(&self.days.before), of(&self.days.after));
        match from.cmp(&to) {
            Ordering::Less => None,
            Ordering::Equal => Some(format!("{} is compared with itself", from.dashed())),
            Ordering::Greater => Some(format!(
                "--from {} is later than --to {}: added records are in the earlier release only, removed ones in the later",
                from.dashed(),
                to.dashed()
            )),
        }
    }

    /// The head of a ticket, with the number of records of each kind, if known.
    pub(super) fn ticket(&self, counts: Option<ChangeCounts>) -> Ticket {
        let manifest = &self.days.after.release.manifest;
        let (feed, place) = (manifest.feed, manifest.source());
        let counted = counts.map_or("records added, removed and changed".to_owned(), in_words);
        let sentence = format!("{feed}, {}: {counted}.", self.days());
        let ticket = Ticket::about(&format!("Diff of {feed}"))
            .sentence(&sentence)
            .line("source", &format!("feed {feed}, {place}"))
            .line("days", &self.days());
        let ticket = match self.loads() {
            Some([before, after]) => ticket.line("loads", &format!("{before} to {after}")),
            None => ticket,
        };
        if self.filter.is_empty() {
            return ticket;
        }
        ticket.line("filter", &self.filter.to_string())
    }

    /// The result in one line, for people who watch the run: all there is, and how much of it is shown where that is less.
    pub(super) fn said(&self, totals: ChangeCounts, shown: Option<u64>) -> String {
        let place = self.days.after.release.manifest.place().elsewhere();
        let shown = shown.filter(|shown| *shown < totals.sum());
        format!(
            "{} {}{}: {}{}",
            self.days.after.release.manifest.feed,
            self.days(),
            place.map_or_else(String::new, |place| format!(", {place}")),
            in_words(totals),
            shown.map_or_else(String::new, |shown| format!("; {} shown", count(shown)))
        )
    }
}

fn in_words(counts: ChangeCounts) -> String {
    format!(
        "{} added, {} removed, {} changed",
        count(counts.added),
        count(counts.removed),
        count(counts.changed)
    )
}

/// Changes in all, of an operator or of a country, or records that moved.
pub(super) struct SummaryRow {
    by: &'static str,
    value: String,
    /// To which operator records moved; how many is counted as changed.
    to: Option<String>,
    counts: ChangeCounts,
}

impl SummaryRow {
    /// A number that only changes have.
    fn unless_moved(&self, number: u64) -> Cell {
        Cell::some(self.to.is_none().then_some(number))
    }
}

/// Prints a summary: at most so many rows of each list, for people a table for each.
pub(super) fn show(
    asked: &DiffInputs<'_>,
    summary: &Summary,
    limit: Option<u64>,
    console: &Console,
) -> CommandResult<()> {
    let rows = rows(summary, limit);
    let ticket = asked.ticket(Some(summary.totals));
    let text = tables(&rows, |columns, rows| columns.table(rows, console.style()));
    let markdown = tables(&rows, |columns, rows| columns.markdown(rows));
    let results = Results::table(columns(), &rows, ticket.clone())
        .text(text.trim_start_matches('\n').to_owned())
        .markdown(ticket.end() + &markdown);
    console.show(results)
}

fn rows(summary: &Summary, limit: Option<u64>) -> Vec<SummaryRow> {
    let most = limit.and_then(|limit| usize::try_from(limit).ok());
    let most = most.unwrap_or(usize::MAX);
    let row = |by, value: &str, to, counts| SummaryRow {
        by,
        value: value.to_owned(),
        to,
        counts,
    };
    let mut rows = vec![row("total", "", None, summary.totals)];
    for (by, list) in [
        ("operator", &summary.operators),
        ("country", &summary.countries),
    ] {
        let list = list.iter().take(most);
        rows.extend(list.map(|tallied| row(by, &tallied.value, None, tallied.counts)));
    }
    rows.extend(summary.moves.iter().take(most).map(|moved| {
        let counts = ChangeCounts {
            changed: moved.count,
            ..ChangeCounts::default()
        };
        row("move", &moved.from, Some(moved.to.clone()), counts)
    }));
    rows
}

/// A table for each kind of row, in the columns that people read of it.
fn tables(
    rows: &[SummaryRow],
    draw: impl Fn(&Columns<SummaryRow>, &[SummaryRow]) -> String,
) -> String {
    let tables = rows.chunk_by(|one, other| one.by == other.by);
    let tables = tables.map(|rows| {
        let columns = columns();
        let columns = match rows[0].by {
            "move" => columns
                .without(&["added", "removed"])
                .labelled("value", "from")
                .labelled("changed", "records"),
            by => columns.without(&["to"]).labelled("value", by),
        };
        "\n".to_owned() + &draw(&columns, rows)
    });
    tables.collect()
}

pub(super) fn columns() -> Columns<SummaryRow> {
    Columns::<SummaryRow>::default()
        .data("by", |row| row.by)
        .json("value", |row| match row.by {
            "total" => Cell::Null,
            "move" => Cell::Absent,
            _ => row.value.clone().into(),
        })
        .json("from", |row| {
            Cell::some(row.to.as_ref().map(|_| row.value.clone()))
        })
        .column("value", "value", |row| row.value.clone())
        .but_json()
        .shown(|row| match row.by {
            "total" => TextCell::known("records"),
            _ => TextCell::known(&row.value),
        })
        .column("to", "to", |row| Cell::some(row.to.clone()))
        .json("count", |row| {
            Cell::some(row.to.as_ref().map(|_| row.counts.changed))
        })
        .column("appeared", "added", |row| {
            row.unless_moved(row.counts.added)
        })
        .column("left", "removed", |row| {
            row.unless_moved(row.counts.removed)
        })
        .json("changed", |row| row.unless_moved(row.counts.changed))
        .column("changed", "changed", |row| row.counts.changed)
        .but_json()
}
