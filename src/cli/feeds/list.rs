//! `feeds`: lists all feeds, fetched concurrently; an error of one is shown in its row.

use futures_util::future::join_all;

use super::row::FeedRow;
use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::{Exit, ExitTally},
    },
    contract::Feed,
    engine::{Engine, Error},
    report::{Csv, Line, Paint, PrintedResults, TextCell, Ticket, size, table},
    store::owner::OwnerMark,
};

const COLUMNS: [&str; 7] = [
    "FEED", "RECORDS", "RELEASE", "AGE", "SIZE", "LOCAL", "INDEXED",
];

/// Shows every feed.
///
/// # Errors
/// What went wrong with standard output.
pub(super) async fn run(engine: &Engine, console: &Console) -> CommandResult {
    let list = FeedList(join_all(Feed::all().map(|feed| FeedRow::of(feed, engine))).await);
    let FeedList(rows) = &list;
    console.show(&list)?;
    for row in rows {
        row.name_doubtful(console);
    }
    let cache = engine.releases.cache();
    if let OwnerMark::Names(url) = engine.releases.mark()
        && cache.service().is_some_and(|service| service != url)
        && !engine.settings.invented
    {
        let dir = cache.feeds_dir().display();
        console.note(&format!(
            "the folder feeds belongs to {url}; local releases of this service are in {dir}"
        ));
    }
    let fault = rows.iter().flat_map(|row| &row.faults).next();
    Ok(conclude(rows, console).or_of(fault))
}

/// A feed that fails has the failure in its row. When all fail there is no answer.
fn conclude(rows: &[FeedRow], console: &Console) -> Exit {
    let failures: Vec<&Error> = rows.iter().filter_map(FeedRow::failure).collect();
    let Some(first) = failures.first().filter(|_| failures.len() == rows.len()) else {
        return Exit::DONE;
    };
    console.complain(None, first);
    let mut tally = ExitTally::default();
    for error in failures {
        tally.failed(error.kind);
    }
    tally.exit()
}

fn here(row: &FeedRow) -> TextCell {
    if !row.faults.is_empty() {
        return TextCell::known(match row.local.len() {
            0 => "cannot be used".to_owned(),
            more => format!("newest cannot be used, {more} more"),
        });
    }
    match row.local.as_slice() {
        [] => TextCell::unknown("-"),
        [only] => TextCell::known(only.manifest.moment.dashed()),
        [newest, rest @ ..] => TextCell::known(format!(
            "{} and {} more",
            newest.manifest.moment.dashed(),
            rest.len()
        )),
    }
}

pub(super) struct FeedList(Vec<FeedRow>);

impl FeedList {
    fn cells(&self) -> Vec<Vec<TextCell>> {
        let row = |row: &FeedRow| {
            let mark = match row.feed.row().maturity.word() {
                "" => String::new(),
                maturity => format!(" ({maturity})"),
            };
            vec![
                TextCell::known(row.feed.name().to_owned() + &mark),
                TextCell::known(row.feed.row().records.word()),
                TextCell::known(row.release_words()),
                TextCell::or_dash(row.freshness.as_ref()),
                TextCell::or_dash(row.size().map(size)),
                here(row),
                TextCell::or_dash(row.index_bytes().map(size)),
            ]
        };
        self.0.iter().map(row).collect()
    }
}

impl PrintedResults for FeedList {
    const CSV: Csv = Csv::of(&[&[
        "feed",
        "records",
        "maturity",
        "release",
        "freshness",
        "filesize",
        "local_releases",
        "newest_local",
        "error",
        "index_bytes",
    ]]);

    fn lines(&self) -> Vec<Line> {
        self.0.iter().map(FeedRow::line).collect()
    }

    fn text(&self, paint: Paint) -> String {
        table(&COLUMNS, &self.cells(), paint)
    }

    fn markdown(&self) -> String {
        let local = self.0.iter().filter(|row| !row.local.is_empty()).count();
        let sentence = match local {
            0 => "No feed is local.".to_owned(),
            1 => format!("1 of {} feeds is local.", self.0.len()),
            many => format!("{many} of {} feeds are local.", self.0.len()),
        };
        let ticket = Ticket::about("Feeds").sentence(&sentence);
        ticket.table(&COLUMNS, &self.cells())
    }
}
