//! `feeds reindex`: the index of a release, built anew from its file.

use super::{
    here::{index_bytes, index_of},
    pull::note_rejected,
};
use crate::{
    cli::{
        args::Format,
        bar::Bar,
        console::{Console, Outcome},
        exit::Exit,
    },
    contract::Feed,
    engine::Engine,
    model::Day,
    report::{Csv, Line, Ticket, bytes, count},
    store::layout::Release,
};

const CSV: Csv = Csv::of(&[
    "feed",
    "release",
    "records",
    "rejected",
    "index",
    "index_bytes",
]);

/// Builds the index anew and says what it is.
///
/// # Errors
/// When the release is not here, its file is damaged or was not kept, or another process writes the feed.
pub(super) async fn run(
    feed: Feed,
    day: Option<Day>,
    wait: bool,
    engine: &Engine,
    console: &Console,
) -> Outcome {
    console.if_interrupted("the index is as it was");
    let bar = Bar::start(console);
    let release = engine.releases.reindex(feed, day, wait, bar.report()).await;
    drop(bar);
    let release = release?;
    console.results(&match console.format() {
        Format::Json => json(&release) + "\n",
        Format::Csv => CSV.header() + &csv(&release),
        Format::Text => summary(&release),
        Format::Md => ticket(&release),
    })?;
    note_rejected(&release.manifest.rejected, console);
    Ok(Exit::DONE)
}

fn json(release: &Release) -> String {
    let manifest = &release.manifest;
    Line::new()
        .key("feed", manifest.feed.name())
        .key("release", manifest.moment.to_string())
        .key("day", manifest.moment.day().to_string())
        .key("records", manifest.records)
        .key("rejected", manifest.rejected.count)
        .key("index", index_of(release))
        .key("index_bytes", index_bytes(release))
        .end()
}

fn csv(release: &Release) -> String {
    let manifest = &release.manifest;
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    CSV.row(&[
        manifest.feed.name().to_owned(),
        manifest.moment.to_string(),
        number(manifest.records),
        manifest.rejected.count.to_string(),
        index_of(release).unwrap_or_default(),
        number(index_bytes(release)),
    ])
}

fn summary(release: &Release) -> String {
    let manifest = &release.manifest;
    format!(
        "{} {}  {} records\n  index  {} ({})\n",
        manifest.feed,
        manifest.moment,
        count(manifest.records.unwrap_or_default()),
        index_of(release).unwrap_or_default(),
        bytes(index_bytes(release).unwrap_or_default()),
    )
}

fn ticket(release: &Release) -> String {
    let manifest = &release.manifest;
    Ticket::about(&format!("Feed {}", manifest.feed))
        .line("release", &manifest.moment.to_string())
        .line("records", &count(manifest.records.unwrap_or_default()))
        .line("index", &bytes(index_bytes(release).unwrap_or_default()))
        .end()
}
