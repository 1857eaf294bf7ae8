//! What is said of exports that are answered from this disk.

use crate::{
    cli::{
        args::Format,
        console::{Console, Outcome},
        exit::Exit,
        freshness::note_ages_of,
    },
    contract::ExportQuery,
    engine::{Engine, Origin},
    report::{Csv, Line, Ticket, count},
    store::Manifest,
};

const CSV: Csv = Csv::of(&["feed", "source", "day", "records", "file"]);

/// The releases that an export was read from, in words; `None` for one that the service answered.
pub(super) fn read_from(origin: &Origin) -> Option<String> {
    match origin {
        Origin::Service { .. } => None,
        Origin::Disk { day, before: None } => Some(format!("the release of {day}")),
        Origin::Disk {
            day,
            before: Some(before),
        } => Some(format!("the releases of {before} and {day}")),
    }
}

/// The releases that would be read, the one of the day first. Reads none of their records.
pub(super) async fn dry_run(query: &ExportQuery, engine: &Engine, console: &Console) -> Outcome {
    let days = engine.exports.open_for_export(query).await?;
    note_ages_of(engine, console, days.opened());
    let mut text = match console.format() {
        Format::Csv => CSV.header(),
        _ => String::new(),
    };
    for opened in days.opened() {
        // The index is what is read; the feed file behind it need not be here.
        let file = opened.release.index();
        let file = file.unwrap_or_else(|| opened.release.data.clone());
        let file = file.display().to_string();
        text += &shown(
            &opened.release.manifest,
            &file,
            opened.index.records(),
            console,
        );
    }
    console.results(&text)?;
    Ok(Exit::DONE)
}

fn shown(manifest: &Manifest, file: &str, records: u64, console: &Console) -> String {
    let (feed, day) = (manifest.feed.name(), manifest.moment.to_string());
    match console.format() {
        Format::Json => {
            Line::new()
                .key("feed", feed)
                .key("source", "local")
                .key("day", day)
                .key("records", records)
                .key("file", file)
                .end()
                + "\n"
        }
        Format::Csv => CSV.row(&[feed, "local", &day, &records.to_string(), file]),
        Format::Text => format!(
            "{feed} {day}: {} records, {}\n",
            count(records),
            crate::model::visible(file)
        ),
        Format::Md => Ticket::about(&format!("Local export of {feed}"))
            .line("release", &day)
            .line("records", &count(records))
            .line("file", file)
            .end(),
    }
}
