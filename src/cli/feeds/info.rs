//! `feeds info`: all about one feed.

use std::fmt::Write;

use super::{
    here::{file_of, index_bytes},
    row::{FeedRow, form_word, freshness_words},
};
use crate::{
    cli::{
        args::Format,
        console::{Console, Outcome},
        exit::Exit,
    },
    contract::Feed,
    engine::Engine,
    model::{Field, feed_metadata::Release},
    report::{Cell, Csv, Ticket, bytes, count, each, markdown_table, minute, moment, sheet, table},
    store::layout,
};

const CSV: Csv = Csv::of(&[
    "release",
    "form",
    "records",
    "rejected",
    "bytes",
    "day_source",
    "pinned",
    "pulled_at",
    "file",
    "index_bytes",
]);
const COLUMNS: [&str; 7] = [
    "RELEASE", "FORM", "RECORDS", "REJECTED", "SIZE", "INDEX", "PULLED",
];

/// Shows one feed: its row of the catalogue, its metadata, the releases that are here.
///
/// # Errors
/// What went wrong with standard output.
pub(super) async fn run(feed: Feed, engine: &Engine, console: &Console) -> Outcome {
    let row = FeedRow::of(feed, engine).await;
    let results = match console.format() {
        Format::Json => row.line(engine).end() + "\n",
        Format::Csv => CSV.header() + &csv(&row),
        Format::Text => text(&row, engine, console),
        Format::Md => ticket(&row, engine),
    };
    console.results(&results)?;
    row.name_unusable(console);
    let Some(error) = row.failure() else {
        return Ok(Exit::DONE.or_of(row.faults.first()));
    };
    console.complain(Some(feed.name()), error);
    Ok(Exit::of(error.kind))
}

fn facts(row: &FeedRow, engine: &Engine) -> Vec<(String, Cell)> {
    let catalog = row.feed.row();
    let mut facts = vec![
        ("covers".to_owned(), Cell::known(catalog.covers)),
        ("records".to_owned(), Cell::known(catalog.records.word())),
        ("path".to_owned(), Cell::known(catalog.base)),
        ("latest".to_owned(), Cell::known(row.release_words())),
        (
            "age".to_owned(),
            row.freshness(engine).map_or(Cell::unknown("-"), |fresh| {
                Cell::known(freshness_words(fresh))
            }),
        ),
        (
            "folder".to_owned(),
            Cell::known(row.folder.display().to_string()),
        ),
    ];
    let Some(metadata) = row.said() else {
        return facts;
    };
    for (form, release) in [("json", &metadata.json), ("mmdb", &metadata.mmdb)] {
        match release {
            Field::Is(release) => facts.extend(of_release(form, release)),
            other => facts.push((form.to_owned(), Cell::of(other, |_| ""))),
        }
    }
    if metadata.mmdb_lags() {
        facts.push((
            "note".to_owned(),
            Cell::known("the MMDB of this release is still being built"),
        ));
    }
    for (label, paths) in [
        ("other keys", &metadata.unknown),
        ("unreadable", &metadata.odd),
    ] {
        if !paths.is_empty() {
            facts.push((label.to_owned(), Cell::known(each(paths, " "))));
        }
    }
    facts
}

fn of_release(form: &str, release: &Release) -> Vec<(String, Cell)> {
    let at = |field: &Field<jiff::Timestamp>| Cell::of(field, |at| moment(*at).into_owned());
    let mut facts = vec![
        (format!("{form} location"), Cell::text(&release.location)),
        (format!("{form} made"), at(&release.generated_at)),
        (format!("{form} available"), at(&release.available_at)),
        (
            format!("{form} size"),
            Cell::of(&release.filesize, |size| {
                format!(
                    "{} ({} if that is bytes: the unit is not stated)",
                    count(*size),
                    bytes(*size)
                )
            }),
        ),
    ];
    facts.extend(
        release
            .line_count()
            .map(|lines| (format!("{form} lines"), Cell::known(count(lines)))),
    );
    facts
}

fn cells(row: &FeedRow) -> Vec<Vec<Cell>> {
    let cell = |number: Option<u64>| {
        number.map_or(Cell::unknown("-"), |number| Cell::known(count(number)))
    };
    row.local
        .iter()
        .map(|release| {
            let manifest = &release.manifest;
            vec![
                Cell::known(manifest.moment.to_string()),
                Cell::known(form_word(manifest)),
                cell(manifest.records),
                cell(Some(manifest.rejected.count)),
                if release.holds_data() {
                    Cell::known(bytes(manifest.bytes))
                } else {
                    Cell::unknown("not kept")
                },
                index(release),
                Cell::known(minute(manifest.pulled_at)),
            ]
        })
        .collect()
}

/// The size of a release's index; one from before there were any gets it at first use.
fn index(release: &layout::Release) -> Cell {
    match index_bytes(release) {
        Some(length) => Cell::known(bytes(length)),
        None if form_word(&release.manifest) == "json" => Cell::unknown("not yet"),
        None => Cell::unknown("-"),
    }
}

fn csv(row: &FeedRow) -> String {
    let line = |release: &layout::Release| {
        let manifest = &release.manifest;
        CSV.row(&[
            manifest.moment.to_string(),
            form_word(manifest).to_owned(),
            manifest
                .records
                .map(|records| records.to_string())
                .unwrap_or_default(),
            manifest.rejected.count.to_string(),
            manifest.bytes.to_string(),
            manifest.day_source.words().to_owned(),
            manifest.pinned.to_string(),
            moment(manifest.pulled_at).into_owned(),
            file_of(release).unwrap_or_default(),
            index_bytes(release)
                .map(|length| length.to_string())
                .unwrap_or_default(),
        ])
    };
    row.local.iter().map(line).collect()
}

fn text(row: &FeedRow, engine: &Engine, console: &Console) -> String {
    let facts = facts(row, engine);
    let maturity = row.feed.row().maturity.word();
    let heading = format!("{} {maturity}", row.feed);
    let paint = console.paint();
    let mut text = sheet(
        heading.trim_end(),
        facts.iter().map(|(label, cell)| (label.as_str(), cell)),
        paint,
    );
    text.push('\n');
    if row.local.is_empty() {
        let _ = writeln!(
            text,
            "none of it is on this disk: ipspect feeds pull {}",
            row.feed
        );
    } else {
        text.push_str(&table(&COLUMNS, &cells(row), paint));
    }
    text
}

fn ticket(row: &FeedRow, engine: &Engine) -> String {
    let mut ticket = Ticket::about(&format!("Feed {}", row.feed));
    for (label, cell) in facts(row, engine) {
        ticket = ticket.line(&label, &cell.text);
    }
    ticket.end() + "\n" + &markdown_table(&COLUMNS, &cells(row))
}
