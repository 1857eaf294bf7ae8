//! `feeds info`: all about one feed.

use super::{
    here::{index_bytes, word_of},
    row::FeedRow,
};
use crate::{
    cli::{
        console::{Console, Outcome},
        exit::Exit,
    },
    contract::{self, Feed},
    engine::Engine,
    model::{Field, feed_metadata::Release},
    report::{
        Cell, Csv, Fact, Line, Paint, Results, Ticket, bytes, count, fact, minute, moment,
        remainder, sheet, table,
    },
    store::layout,
};

const COLUMNS: [&str; 7] = [
    "RELEASE", "FORM", "RECORDS", "REJECTED", "SIZE", "INDEX", "PULLED",
];

/// Shows one feed: its row of the catalogue, its metadata, the releases that are here.
///
/// # Errors
/// What went wrong with standard output.
pub(super) async fn run(feed: Feed, engine: &Engine, console: &Console) -> Outcome {
    let row = FeedRow::of(feed, engine).await;
    console.show(&row)?;
    row.name_unusable(console);
    let Some(error) = row.failure() else {
        return Ok(Exit::DONE.or_of(row.faults.first()));
    };
    console.complain(Some(feed.name()), error);
    Ok(Exit::of(error.kind))
}

fn facts(row: &FeedRow) -> Vec<Fact> {
    let catalog = row.feed.row();
    let mut facts = vec![
        fact("covers", Cell::known(catalog.covers)),
        fact("records", Cell::known(catalog.records.word())),
        fact("path", Cell::known(catalog.base)),
        fact("latest", Cell::known(row.release_words())),
        fact("age", Cell::or_dash(row.freshness.as_ref())),
        fact("folder", Cell::known(row.folder.display().to_string())),
    ];
    let Some(metadata) = row.said() else {
        return facts;
    };
    for (form, release) in [("json", &metadata.json), ("mmdb", &metadata.mmdb)] {
        match release {
            Field::Is(release) => facts.extend(of_release(form, release)),
            other => facts.push(fact(form, Cell::of(other, |_| ""))),
        }
    }
    if metadata.mmdb_lags() {
        let lags = "the MMDB of this release is still being built";
        facts.push(fact("note", Cell::known(lags)));
    }
    facts.extend(remainder(&metadata.unknown, &metadata.odd));
    facts
}

fn of_release(form: &str, release: &Release) -> Vec<Fact> {
    let own = |label: &str, cell| fact(format!("{form} {label}"), cell);
    let at = |field: &Field<jiff::Timestamp>| Cell::of(field, |at| moment(*at).into_owned());
    let size = |size: &u64| {
        let (number, size) = (count(*size), bytes(*size));
        format!("{number} ({size} if that is bytes: the unit is not stated)")
    };
    let mut facts = vec![
        own("location", Cell::text(&release.location)),
        own("made", at(&release.generated_at)),
        own("available", at(&release.available_at)),
        own("size", Cell::of(&release.filesize, size)),
    ];
    let lines = release.line_count();
    facts.extend(lines.map(|lines| own("lines", Cell::known(count(lines)))));
    facts
}

fn cells(row: &FeedRow) -> Vec<Vec<Cell>> {
    let cells = |release: &layout::Release| {
        let manifest = &release.manifest;
        vec![
            Cell::known(manifest.moment.to_string()),
            Cell::known(word_of(manifest.form())),
            Cell::or_dash(manifest.records.map(count)),
            Cell::known(count(manifest.rejected.count)),
            if release.holds_data() {
                Cell::known(bytes(manifest.bytes))
            } else {
                Cell::unknown("not kept")
            },
            match (index_bytes(release), manifest.form()) {
                (None, contract::Format::Json) => Cell::unknown("not yet"),
                (length, _) => Cell::or_dash(length.map(bytes)),
            },
            Cell::known(minute(manifest.pulled_at)),
        ]
    };
    row.local.iter().map(cells).collect()
}

impl Results for FeedRow {
    const CSV: Csv = Csv::of(&[&[
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
    ]]);

    fn lines(&self) -> Vec<Line> {
        vec![self.line()]
    }

    fn rows(&self) -> Vec<Line> {
        self.local()
    }

    fn text(&self, paint: Paint) -> String {
        let heading = format!("{} {}", self.feed, self.feed.row().maturity.word());
        let local = if self.local.is_empty() {
            format!("no local release: ipspect feeds pull {}\n", self.feed)
        } else {
            table(&COLUMNS, &cells(self), paint)
        };
        sheet(heading.trim_end(), &facts(self), paint) + "\n" + &local
    }

    fn markdown(&self) -> String {
        let local = match self.local.len() {
            0 => "none is local".to_owned(),
            1 => "1 release is local".to_owned(),
            many => format!("{many} releases are local"),
        };
        let latest = self.release_words();
        let ticket = Ticket::about(&format!("Feed {}", self.feed)).sentence(&format!(
            "Latest release of the feed {} at the service: {latest}; {local}.",
            self.feed
        ));
        ticket.list(&facts(self)).table(&COLUMNS, &cells(self))
    }
}
