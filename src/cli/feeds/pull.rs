//! `feeds pull`: a release onto this disk.

use super::row::form_word;
use crate::{
    cli::{
        args::Format,
        bar::Bar,
        console::{Console, Outcome},
        exit::Exit,
        print::{Csv, Line, Ticket, bytes, count},
    },
    engine::{Engine, PullQuery, Pulled},
    store::Moment,
};

const CSV: Csv = Csv::of(&[
    "feed",
    "release",
    "form",
    "records",
    "rejected",
    "bytes",
    "sha256",
    "file",
    "was_here",
    "resumed_from",
]);

/// Downloads a release and says what it is.
///
/// # Errors
/// What kept it from being published.
pub(super) async fn run(query: &PullQuery, engine: &Engine, console: &Console) -> Outcome {
    console
        .if_interrupted("what has come is kept: start the same again, and it goes on from there");
    let bar = Bar::start(console);
    let pulled = engine.pull(query, bar.report()).await;
    drop(bar);
    let pulled = pulled?;
    let text = match console.format() {
        Format::Json => json(&pulled) + "\n",
        Format::Csv => CSV.header() + &csv(&pulled),
        Format::Text => format!("{}\n", summary(&pulled)),
        Format::Md => ticket(&pulled),
    };
    console.results(&text)?;
    note_rejected(&pulled, console);
    Ok(Exit::DONE)
}

/// Lines that are no records are counted, and the first of them named.
fn note_rejected(pulled: &Pulled, console: &Console) {
    let rejected = &pulled.release.manifest.rejected;
    if rejected.count > 0 {
        let first: Vec<String> = rejected
            .first
            .iter()
            .map(|(line, why)| format!("\n  line {line}: {why}"))
            .collect();
        console.note(&format!(
            "lines that are no records: {}{}",
            count(rejected.count),
            first.concat()
        ));
    }
}

fn json(pulled: &Pulled) -> String {
    let manifest = &pulled.release.manifest;
    let window = match manifest.moment {
        Moment::Day(_) => None,
        Moment::Window(window) => Some(window.hhmm()),
    };
    Line::new()
        .key("feed", manifest.feed.name())
        .key("day", manifest.moment.day().to_string())
        .key("window", window)
        .key("day_source", manifest.day_source)
        .key("form", form_word(manifest))
        .key("records", manifest.records)
        .key("rejected", manifest.rejected.count)
        .key("bytes", manifest.bytes)
        .key("sha256", &manifest.sha256)
        .key("file", pulled.release.data.display().to_string())
        .key("was_here", pulled.was_here)
        .key("resumed_from", pulled.resumed_from)
        .end()
}

fn csv(pulled: &Pulled) -> String {
    let manifest = &pulled.release.manifest;
    CSV.row(&[
        manifest.feed.name().to_owned(),
        manifest.moment.to_string(),
        form_word(manifest).to_owned(),
        manifest
            .records
            .map(|records| records.to_string())
            .unwrap_or_default(),
        manifest.rejected.count.to_string(),
        manifest.bytes.to_string(),
        manifest.sha256.clone(),
        pulled.release.data.display().to_string(),
        pulled.was_here.to_string(),
        pulled.resumed_from.to_string(),
    ])
}

fn summary(pulled: &Pulled) -> String {
    let manifest = &pulled.release.manifest;
    let records = manifest
        .records
        .map(|records| format!("{} records, ", count(records)))
        .unwrap_or_default();
    let how = match pulled {
        Pulled { was_here: true, .. } => ", unchanged since it was pulled".to_owned(),
        Pulled {
            resumed_from: 0, ..
        } => String::new(),
        Pulled { resumed_from, .. } => format!(", resumed at {}", bytes(*resumed_from)),
    };
    format!(
        "{} {}  {records}{}{how}\n  day    {} ({})\n  file   {}",
        manifest.feed,
        manifest.moment,
        bytes(manifest.bytes),
        manifest.moment.day().dashed(),
        manifest.day_source.words(),
        pulled.release.data.display(),
    )
}

fn ticket(pulled: &Pulled) -> String {
    let manifest = &pulled.release.manifest;
    Ticket::about(&format!("Feed {}", manifest.feed))
        .line("release", &manifest.moment.to_string())
        .line("day from", manifest.day_source.words())
        .line(
            "records",
            &manifest.records.map_or("not counted".to_owned(), count),
        )
        .line("size", &bytes(manifest.bytes))
        .line("SHA-256", &manifest.sha256)
        .end()
}
