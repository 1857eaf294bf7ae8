//! The output of exports from local feeds.

use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::Exit,
        freshness::note_ages,
    },
    contract::ExportQuery,
    engine::{Engine, ExportDays, ExportOrigin, LocalChoice, OpenRelease},
    model::visible,
    report::{Columns, Results, TextStyle, Ticket, count},
};

/// The releases that an export was read from, in words; `None` for one that the service answered.
pub(super) fn read_from(origin: &ExportOrigin) -> Option<String> {
    match origin {
        ExportOrigin::Service { .. } => None,
        ExportOrigin::Disk {
            day, before: None, ..
        } => Some(format!("the release of {}", day.dashed())),
        ExportOrigin::Disk {
            day,
            before: Some(before),
            ..
        } => Some(format!(
            "the releases of {} and {}",
            before.dashed(),
            day.dashed()
        )),
    }
}

/// The releases that would be read, the one of the day first. Reads none of their records.
pub(super) async fn dry_run(
    query: &ExportQuery,
    choice: &LocalChoice,
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    let days = engine.exports.open_chosen(query, choice).await?;
    note_ages(engine, console, days.opened().map(|opened| &opened.release));
    console.show(&days)?;
    Ok(Exit::DONE)
}

/// The file that would be read: the index; the feed file behind it need not be here.
fn file(opened: &OpenRelease) -> String {
    let index = opened.release.index();
    let file = index.unwrap_or_else(|| opened.release.data.clone());
    file.display().to_string()
}

impl Results for ExportDays {
    type Row = OpenRelease;

    fn columns() -> Columns<OpenRelease> {
        Columns::<OpenRelease>::new()
            .data("feed", |own| own.release.manifest.feed.name())
            .data("source", |_| "local")
            .column("day", "release", |own| own.release.manifest.moment)
            .column("records", "records", |own| own.index.records())
            .column("file", "file", file)
    }

    fn rows(&self) -> impl Iterator<Item = &OpenRelease> {
        self.opened()
    }

    fn ticket(&self) -> Ticket {
        Ticket::about("Local export")
    }

    fn text(&self, _: TextStyle) -> String {
        let line = |opened: &OpenRelease| {
            let manifest = &opened.release.manifest;
            let (records, file) = (count(opened.index.records()), file(opened));
            format!(
                "{} {}: {records} records, {}\n",
                manifest.feed,
                manifest.moment.dashed(),
                visible(&file)
            )
        };
        self.opened().map(line).collect()
    }

    fn markdown(&self) -> String {
        let ticket = |opened: &OpenRelease| {
            let manifest = &opened.release.manifest;
            let (feed, day) = (manifest.feed, manifest.moment.dashed());
            Ticket::about(&format!("Local export of {feed}"))
                .sentence(&format!(
                    "An export would be made from the local feed {feed} of {day}."
                ))
                .list(&Self::columns().facts(opened))
                .end()
        };
        self.opened().map(ticket).collect()
    }
}
