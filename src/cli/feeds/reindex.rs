//! `feeds reindex`: the index of a release, rebuilt from its file.

use std::iter;

use super::{
    pull::note_rejected,
    row::{index_bytes, index_of},
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
    report::{Cell, Columns, Results, RowsInTicket, TextStyle, Ticket, count, size},
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

impl Results for Release {
    type Row = Self;

    const IN_TICKET: RowsInTicket = RowsInTicket::Facts;

    fn columns() -> Columns<Self> {
        Columns::<Self>::new()
            .data("feed", |own| own.manifest.feed.name())
            .column("release", "release", |own| own.manifest.moment)
            .json("day", |own| own.manifest.moment.day().to_string())
            .column("records", "records", |own| own.manifest.records)
            .data("rejected", |own| own.manifest.rejected.count)
            .data("index", index_of)
            .column("index_bytes", "index", |own| {
                index_bytes(own).map(Cell::Bytes)
            })
    }

    fn rows(&self) -> impl Iterator<Item = &Self> {
        iter::once(self)
    }

    fn text(&self, _: TextStyle) -> String {
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

    fn ticket(&self) -> Ticket {
        let manifest = &self.manifest;
        let (feed, day) = (manifest.feed, manifest.moment.dashed());
        let sentence = format!("The index of the local feed {feed} of {day} was rebuilt.");
        Ticket::about(&format!("Feed {feed}")).sentence(&sentence)
    }
}
