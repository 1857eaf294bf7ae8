//! `diff`: what was added, deleted and changed between two days of a feed on this disk. Nothing is sent.

mod asked;
mod rows;
mod summary;

use self::asked::Asked;
use super::{
    args::{Format, diff::DiffArgs},
    console::{Console, Ended, Outcome},
    exit::Exit,
    freshness::note_ages_of,
};
use crate::{
    engine::Engine,
    report::{Csv, Line, count},
    store::diff::Counts,
};

const CSV_OF_COUNT: Csv = Csv::of(&["added", "deleted", "changed"]);

/// Compares two days and prints what is not the same.
///
/// # Errors
/// What is no filter; a day that is not on this disk.
pub(super) async fn run(args: &DiffArgs, engine: &Engine, console: &Console) -> Outcome {
    let query = args.query()?;
    console.if_interrupted("what is printed is right, and not all there is");
    let days = engine
        .releases
        .open_days(query.feed, query.from, query.to)
        .await?;
    note_ages_of(engine, console, [&days.before, &days.after]);
    let asked = Asked {
        days: &days,
        filter: &query.filter,
    };
    let counts = if args.count {
        let counts = engine.releases.diff_totals(&days, &query.filter).await?;
        console.results(&counted(&asked, counts, console.format()))?;
        counts
    } else if args.summary {
        let summary = engine.releases.diff_summary(&days, &query.filter).await?;
        console.results(&summary::shown(&asked, &summary, args.limit, console))?;
        if summary.cut {
            console.note("there are more operators, countries or moves than can be listed");
        }
        summary.totals
    } else {
        let mut counts = Counts::default();
        console.results(&rows::begin(&asked, console.format()))?;
        engine
            .releases
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
