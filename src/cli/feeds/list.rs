//! `feeds`: all of them, asked at once; what one of them refuses stands in its row.

use futures_util::future::join_all;

use super::row::FeedRow;
use crate::{
    cli::{
        console::{Console, Outcome},
        exit::{Exit, Tally},
    },
    contract::Feed,
    engine::{Engine, Error},
    report::{Cell, Csv, Line, Paint, Results, bytes, markdown_table, table},
    store::owner::Mark,
};

const COLUMNS: [&str; 7] = [
    "FEED", "RECORDS", "RELEASE", "AGE", "SIZE", "LOCAL", "INDEXED",
];

/// Shows every feed.
///
/// # Errors
/// What went wrong with standard output.
pub(super) async fn run(engine: &Engine, console: &Console) -> Outcome {
    let list = List(join_all(Feed::all().map(|feed| FeedRow::of(feed, engine))).await);
    let List(rows) = &list;
    console.show(&list)?;
    for row in rows {
        row.name_unusable(console);
    }
    let cache = engine.releases.cache();
    if let Mark::Names(url) = engine.releases.mark()
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

/// One feed that fails is told in its row. When all fail there is no answer.
fn conclude(rows: &[FeedRow], console: &Console) -> Exit {
    let failures: Vec<&Error> = rows.iter().filter_map(FeedRow::failure).collect();
    let Some(first) = failures.first().filter(|_| failures.len() == rows.len()) else {
        return Exit::DONE;
    };
    console.complain(None, first);
    let mut tally = Tally::default();
    for error in failures {
        tally.failed(error.kind);
    }
    tally.exit()
}

fn here(row: &FeedRow) -> Cell {
    if !row.faults.is_empty() {
        return Cell::known(match row.local.len() {
            0 => "cannot be used".to_owned(),
            more => format!("newest cannot be used, {more} more"),
        });
    }
    match row.local.as_slice() {
        [] => Cell::unknown("-"),
        [only] => Cell::known(only.manifest.moment.to_string()),
        [newest, rest @ ..] => Cell::known(format!(
            "{} and {} more",
            newest.manifest.moment,
            rest.len()
        )),
    }
}

/// All feeds.
struct List(Vec<FeedRow>);

impl List {
    fn cells(&self) -> Vec<Vec<Cell>> {
        let row = |row: &FeedRow| {
            let mark = match row.feed.row().maturity.word() {
                "" => String::new(),
                maturity => format!(" ({maturity})"),
            };
            vec![
                Cell::known(row.feed.name().to_owned() + &mark),
                Cell::known(row.feed.row().records.word()),
                Cell::known(row.release_words()),
                Cell::or_dash(row.freshness.as_ref()),
                Cell::or_dash(row.size().map(bytes)),
                here(row),
                Cell::or_dash(row.index_bytes().map(bytes)),
            ]
        };
        self.0.iter().map(row).collect()
    }
}

impl Results for List {
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
        markdown_table(&COLUMNS, &self.cells())
    }
}
