//! `diff`: the records added, removed and changed between two days of a local feed. Nothing is sent.

mod inputs;
mod rows;
mod summary;

use self::{inputs::DiffInputs, summary::ShownSummary};
use super::{
    args::diff::DiffArgs,
    console::{CommandEnd, CommandResult, Console},
    exit::Exit,
    filter_values::note_unknown_values,
    freshness::note_ages,
};
use crate::{
    engine::Engine,
    report::{Csv, Line, Paint, PrintedResults, count},
    store::diff::ChangeCounts,
};

/// The table of the records, of their counts, or of the summary.
pub(super) fn table_of(args: &DiffArgs) -> Csv {
    if args.count {
        CountedDiff::CSV
    } else if args.summary {
        ShownSummary::CSV
    } else {
        rows::CSV
    }
}

/// Compares two days and prints the differences.
///
/// # Errors
/// An invalid filter; a day that is not downloaded.
pub(super) async fn run(args: &DiffArgs, engine: &Engine, console: &Console) -> CommandResult {
    let query = args.query(engine.settings.today(), |feed| {
        engine.releases.latest_day(feed)
    })?;
    console.if_interrupted("the output is correct but incomplete");
    let days = engine
        .releases
        .open_days(query.feed, query.from, query.to)
        .await?;
    note_ages(engine, console, [&days.before.release, &days.after.release]);
    let asked = DiffInputs {
        days: &days,
        filter: &query.filter,
    };
    if let Some(note) = asked.order() {
        console.note(&note);
    }
    let counts = if args.count {
        let counts = engine.releases.diff_totals(&days, &query.filter).await?;
        let asked = &asked;
        console.show(&CountedDiff { asked, counts })?;
        counts
    } else if args.summary {
        let summary = engine.releases.diff_summary(&days, &query.filter).await?;
        console.show(&ShownSummary::of(&asked, &summary, args.limit))?;
        if summary.cut {
            console.note("there are more operators, countries or moves than can be listed");
        }
        summary.totals
    } else {
        let mut counts = ChangeCounts::default();
        console.results(&rows::begin(&asked, console.format()))?;
        engine
            .releases
            .diff(
                &days,
                &query.filter,
                args.limit,
                |page| -> Result<(), CommandEnd> {
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
    let opened = [days.before.clone(), days.after.clone()];
    note_unknown_values(engine, console, &opened, &query.filter).await;
    Ok(Exit::DONE)
}

/// How many records there are of each kind.
struct CountedDiff<'a> {
    asked: &'a DiffInputs<'a>,
    counts: ChangeCounts,
}

impl CountedDiff<'_> {
    /// Each number with its JSON key and its word for people.
    fn named(&self) -> [(&'static str, &'static str, u64); 3] {
        let ChangeCounts {
            added,
            removed,
            changed,
        } = self.counts;
        [
            ("added", "added", added),
            ("deleted", "removed", removed),
            ("changed", "changed", changed),
        ]
    }
}

impl PrintedResults for CountedDiff<'_> {
    const CSV: Csv = Csv::of(&[&["added", "deleted", "changed"]]);

    fn lines(&self) -> Vec<Line> {
        let named = self.named().into_iter();
        vec![named.fold(Line::new(), |line, (key, _, number)| line.key(key, number))]
    }

    fn text(&self, _: Paint) -> String {
        let lines = self
            .named()
            .map(|(_, word, number)| format!("{word:8} {}\n", count(number)));
        lines.concat()
    }

    fn markdown(&self) -> String {
        let lines = self.named().into_iter();
        let ticket = self.asked.ticket(Some(self.counts));
        lines
            .fold(ticket, |ticket, (_, word, number)| {
                ticket.line(word, &count(number))
            })
            .end()
    }
}
