//! `feeds`: all of them, asked at once; what one of them refuses stands in its row.

use futures_util::future::join_all;

use super::row::{FeedRow, freshness_words};
use crate::{
    cli::{
        args::Format,
        console::{Console, Outcome},
        exit::{Exit, Tally},
    },
    contract::Feed,
    engine::{Engine, Error},
    report::{Cell, Csv, bytes, markdown_table, table},
    store::owner::Mark,
};

const CSV: Csv = Csv::of(&[
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
]);
const COLUMNS: [&str; 7] = [
    "FEED", "RECORDS", "RELEASE", "AGE", "SIZE", "HERE", "INDEXED",
];

/// Shows every feed.
///
/// # Errors
/// What went wrong with standard output.
pub(super) async fn run(engine: &Engine, console: &Console) -> Outcome {
    let rows = join_all(Feed::all().map(|feed| FeedRow::of(feed, engine))).await;
    let results: String = match console.format() {
        Format::Json => rows
            .iter()
            .map(|row| row.line(engine).end() + "\n")
            .collect(),
        Format::Csv => CSV.header() + &rows.iter().map(|row| csv(row, engine)).collect::<String>(),
        Format::Text => table(&COLUMNS, &cells(&rows, engine), console.paint()),
        Format::Md => markdown_table(&COLUMNS, &cells(&rows, engine)),
    };
    console.results(&results)?;
    for row in &rows {
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
    Ok(conclude(&rows, console).or_of(fault))
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

fn cells(rows: &[FeedRow], engine: &Engine) -> Vec<Vec<Cell>> {
    rows.iter()
        .map(|row| {
            let maturity = row.feed.row().maturity.word();
            let mark = if maturity.is_empty() {
                String::new()
            } else {
                format!(" ({maturity})")
            };
            vec![
                Cell::known(row.feed.name().to_owned() + &mark),
                Cell::known(row.feed.row().records.word()),
                Cell::known(row.release_words()),
                row.freshness(engine).map_or(Cell::unknown("-"), |fresh| {
                    Cell::known(freshness_words(fresh))
                }),
                Cell::known(row.size_words()),
                here(row),
                row.index_bytes()
                    .map_or(Cell::unknown("-"), |length| Cell::known(bytes(length))),
            ]
        })
        .collect()
}

/// How many releases are here, and the newest.
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

fn csv(row: &FeedRow, engine: &Engine) -> String {
    let size = row
        .release()
        .and_then(|release| release.filesize.into_option());
    let newest = row
        .local
        .first()
        .filter(|_| row.faults.is_empty())
        .map(|release| release.manifest.moment.to_string());
    CSV.row(&[
        row.feed.name().to_owned(),
        row.feed.row().records.word().to_owned(),
        row.feed.row().maturity.word().to_owned(),
        row.release_words(),
        row.freshness(engine)
            .map(freshness_words)
            .unwrap_or_default(),
        size.map(|size| size.to_string()).unwrap_or_default(),
        row.local.len().to_string(),
        newest.unwrap_or_default(),
        row.failure()
            .or(row.faults.first())
            .map(|error| error.kind.word().to_owned())
            .unwrap_or_default(),
        row.index_bytes()
            .map(|length| length.to_string())
            .unwrap_or_default(),
    ])
}
