//! `diff`: the records added, removed and changed between two days of a local feed. Nothing is sent.

mod rows;
mod summary;

use self::summary::DiffInputs;
use super::{
    args::diff::DiffArgs,
    console::{CommandEnd, CommandResult},
    exit::Exit,
    run::Run,
};
use crate::{
    report::{Columns, Results, each},
    store::diff::ChangeCounts,
};

/// The table of the records, of their counts, or of the summary.
pub(super) fn table_of(args: &DiffArgs) -> Vec<&'static str> {
    if args.count {
        count_columns().names()
    } else if args.summary {
        summary::columns().names()
    } else {
        rows::columns().names()
    }
}

/// Compares two days and prints the differences.
///
/// # Errors
/// An invalid filter; a day that is not downloaded.
pub(super) async fn run(args: &DiffArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let newest = engine.storage.newest_days().await?;
    let query = args.query(engine.settings.today(), newest)?;
    console.if_interrupted("the output is correct but incomplete");
    let days = [query.from, query.to];
    let days = engine
        .storage
        .open_two(query.feed, days, &query.filter)
        .await?;
    run.note_ages([&days.before.release, &days.after.release]);
    let asked = DiffInputs {
        days: &days,
        filter: &query.filter,
    };
    if let Some(note) = asked.order() {
        console.note(&note);
    }
    let counts = if args.count {
        let counts = engine.releases.diff_totals(&days, &query.filter).await?;
        let columns = count_columns();
        let facts = columns.facts(&counts).into_iter();
        let lines = facts.map(|fact| format!("{:8} {}\n", fact.label, fact.cell.text));
        let text = each(lines, "");
        let results = Results::table(columns, [&counts], asked.ticket(Some(counts)));
        console.show(results.as_facts().text(text))?;
        counts
    } else if args.summary {
        let summary = engine.releases.diff_summary(&days, &query.filter).await?;
        summary::show(&asked, &summary, args.limit, console)?;
        if summary.cut {
            console.note("there are more operators, countries or moves than can be listed");
        }
        summary.totals
    } else {
        let mut counts = ChangeCounts::default();
        let columns = rows::columns();
        console.rows(|rows| rows.begin(&columns, || Some(asked.ticket(None))))?;
        engine
            .releases
            .diff(
                &days,
                &query.filter,
                args.limit,
                |page| -> Result<(), CommandEnd> {
                    for record in &page {
                        counts.count_kind(record.kind);
                    }
                    rows::print(page, &columns, console)
                },
            )
            .await?;
        counts
    };
    let shown = args
        .limit
        .filter(|limit| *limit == counts.sum() && !args.summary);
    let totals = match shown {
        Some(_) => engine.releases.diff_totals(&days, &query.filter).await?,
        None => counts,
    };
    console.note(&asked.said(totals, shown));
    let opened = [days.before.clone(), days.after.clone()];
    run.note_unknown_values(&opened, &query.filter).await;
    Ok(if args.exit_code && totals.sum() > 0 {
        Exit::CHANGED
    } else {
        Exit::DONE
    })
}

/// How many records there are of each kind.
fn count_columns() -> Columns<ChangeCounts> {
    Columns::<ChangeCounts>::default()
        .column("added", "added", |counts| counts.added)
        .column("deleted", "removed", |counts| counts.removed)
        .column("changed", "changed", |counts| counts.changed)
}
