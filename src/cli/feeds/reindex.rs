//! `feeds reindex`: the index of a release, rebuilt from its file.

use super::{
    pull::note_rejected,
    release_fields::{index_bytes, index_of, line_of},
};
use crate::{
    cli::{
        bar,
        console::{CommandResult, Console},
        exit::Exit,
    },
    contract::Feed,
    engine::Engine,
    model::{Day, visible},
    report::{Csv, Line, Paint, PrintedResults, Ticket, count, size},
    store::layout::Release,
};

/// Rebuilds the index and prints it.
///
/// # Errors
/// When the release is not here, its file is damaged or was not kept, or another process writes the feed.
pub(super) async fn run(
    feed: Feed,
    day: Option<Day>,
    wait: bool,
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    console.if_interrupted("the index was not changed");
    let release = bar::during(console, async |report| {
        engine.releases.reindex(feed, day, wait, report).await
    })
    .await?;
    console.summary(&release)?;
    note_rejected(&release.manifest.rejected, console);
    Ok(Exit::DONE)
}

impl PrintedResults for Release {
    const CSV: Csv = Csv::of(&[&[
        "feed",
        "release",
        "records",
        "rejected",
        "index",
        "index_bytes",
    ]]);

    fn lines(&self) -> Vec<Line> {
        let manifest = &self.manifest;
        let line = line_of(manifest.feed, manifest.moment)
            .key("records", manifest.records)
            .key("rejected", manifest.rejected.count)
            .key("index", index_of(self))
            .key("index_bytes", index_bytes(self));
        vec![line]
    }

    fn text(&self, _: Paint) -> String {
        let manifest = &self.manifest;
        format!(
            "{} {}  {} records\n  index  {} ({})\n",
            manifest.feed,
            manifest.moment.dashed(),
            count(manifest.records.unwrap_or_default()),
            visible(&index_of(self).unwrap_or_default()),
            size(index_bytes(self).unwrap_or_default()),
        )
    }

    fn markdown(&self) -> String {
        let manifest = &self.manifest;
        let (feed, day) = (manifest.feed, manifest.moment.dashed());
        Ticket::about(&format!("Feed {feed}"))
            .sentence(&format!(
                "The index of the local feed {feed} of {day} was rebuilt."
            ))
            .line("release", &day)
            .line("records", &count(manifest.records.unwrap_or_default()))
            .line("index", &size(index_bytes(self).unwrap_or_default()))
            .end()
    }
}
