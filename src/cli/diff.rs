//! `diff`: what was added, deleted and changed between two days of a feed on this disk. Nothing is sent.

mod rows;
mod summary;

use super::{
    args::{Format, diff::DiffArgs},
    console::{Console, Ended, Outcome},
    exit::Exit,
    freshness::note_ages_of,
};
use crate::{
    engine::{Days, Engine},
    report::{Csv, Line, Ticket, count},
    store::{Filter, diff::Counts},
};

const CSV_OF_COUNT: Csv = Csv::of(&["added", "deleted", "changed"]);

/// Compares two days and prints what is not the same.
///
/// # Errors
/// What is no filter; a day that is not on this disk.
pub(super) async fn run(args: &DiffArgs, engine: &Engine, console: &Console) -> Outcome {
    let query = args.query()?;
    console.if_interrupted("what is printed is right, and not all there is");
    let days = engine.open_days(query.feed, query.from, query.to).await?;
    note_ages_of(engine, console, [&days.before, &days.after]);
    let asked = Asked {
        days: &days,
        filter: &query.filter,
    };
    let counts = if args.count {
        let counts = engine.diff_totals(&days, &query.filter).await?;
        console.results(&counted(&asked, counts, console.format()))?;
        counts
    } else if args.summary {
        let summary = engine.diff_summary(&days, &query.filter).await?;
        console.results(&summary::shown(&asked, &summary, args.limit, console))?;
        if summary.cut {
            console.note("there are more operators, countries or moves than can be listed");
        }
        summary.totals
    } else {
        let mut counts = Counts::default();
        console.results(&rows::begin(&asked, console.format()))?;
        engine
            .diff(
                &days,
                &query.filter,
                args.limit,
                |page| -> Result<(), Ended> {
                    let text = page.iter().map(|record| {
                        counts.count_kind(record.kind);
                        rows::row(record, console)
                    });
                    console.results(&text.collect::<String>())
                },
            )
            .await?;
        counts
    };
    console.note(&asked.said(counts, args.limit));
    Ok(Exit::DONE)
}

/// Two days and which of their records are meant.
struct Asked<'a> {
    days: &'a Days,
    filter: &'a Filter,
}

impl Asked<'_> {
    /// The days in words.
    fn days(&self) -> String {
        let of = |opened: &crate::engine::Opened| opened.release.manifest.moment.to_string();
        format!("{} to {}", of(&self.days.before), of(&self.days.after))
    }

    /// What a ticket begins with.
    fn ticket(&self) -> Ticket {
        let feed = self.days.after.release.manifest.feed;
        let ticket = Ticket::about(&format!("Diff of {feed}"))
            .line("source", &format!("feed {feed} on this disk"))
            .line("days", &self.days());
        if self.filter.is_empty() {
            return ticket;
        }
        ticket.line("filter", &self.filter.to_string())
    }

    /// The result in one line, for whoever reads along.
    fn said(&self, counts: Counts, limit: Option<u64>) -> String {
        let cut = limit.is_some_and(|limit| counts.sum() == limit);
        format!(
            "{} {}: {}{} added, {} deleted, {} changed",
            self.days.after.release.manifest.feed,
            self.days(),
            if cut { "of those shown " } else { "" },
            count(counts.appeared),
            count(counts.left),
            count(counts.changed)
        )
    }
}

fn counted(asked: &Asked<'_>, counts: Counts, format: Format) -> String {
    let Counts {
        appeared,
        left,
        changed,
    } = counts;
    let named = [("added", appeared), ("deleted", left), ("changed", changed)];
    match format {
        Format::Json => {
            named
                .iter()
                .fold(Line::new(), |line, (key, number)| line.key(key, number))
                .end()
                + "\n"
        }
        Format::Csv => {
            CSV_OF_COUNT.header() + &CSV_OF_COUNT.row(&named.map(|(_, number)| number.to_string()))
        }
        Format::Text => {
            let lines = named.map(|(word, number)| format!("{word:8} {}\n", count(number)));
            lines.concat()
        }
        Format::Md => named
            .iter()
            .fold(asked.ticket(), |ticket, (word, number)| {
                ticket.line(word, &count(*number))
            })
            .end(),
    }
}
