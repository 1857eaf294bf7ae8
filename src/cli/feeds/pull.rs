//! `feeds pull`: a release onto this disk.

use super::{
    here::{file_of, index_bytes, index_of, removed_words, word_of},
    row::form_word,
};
use crate::{
    cli::{
        args::Format,
        bar::Bar,
        console::{Console, Outcome},
        exit::Exit,
    },
    engine::{Engine, PullQuery, Pulled, Removed},
    report::{Csv, Line, Ticket, bytes, count},
    store::{Moment, Rejected, keep::Reason},
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
    "index",
    "index_bytes",
]);

/// Downloads a release and says what it is.
///
/// # Errors
/// What kept it from being published.
pub(super) async fn run(query: &PullQuery, engine: &Engine, console: &Console) -> Outcome {
    console
        .if_interrupted("what has come is kept: start the same again, and it goes on from there");
    let bar = Bar::start(console);
    let pulled = engine.releases.pull(query, bar.report()).await;
    drop(bar);
    let pulled = pulled?;
    let text = match console.format() {
        Format::Json => json(&pulled) + "\n",
        Format::Csv => CSV.header() + &csv(&pulled),
        Format::Text => format!("{}\n", summary(&pulled)),
        Format::Md => ticket(&pulled),
    };
    console.results(&text)?;
    note_rejected(&pulled.release.manifest.rejected, console);
    note_removed(&pulled.removed, engine, console);
    for warning in &pulled.warnings {
        console.warn(warning);
    }
    Ok(Exit::DONE)
}

/// Lines that are no records are counted, and the first of them named.
pub(super) fn note_rejected(rejected: &Rejected, console: &Console) {
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

/// What is gone for this release, and why.
fn note_removed(removed: &[Removed], engine: &Engine, console: &Console) {
    let cache = &engine.settings.cache;
    for gone in removed {
        let why = match gone.reason {
            Some(Reason::Releases) => {
                format!("{} newer ones are kept of a feed", cache.keep_releases)
            }
            _ => format!("the cache keeps {} GB at most", cache.max_gb),
        };
        console.note(&format!("removed {}: {why}", removed_words(gone)));
    }
}

fn json(pulled: &Pulled) -> String {
    let manifest = &pulled.release.manifest;
    let window = match manifest.moment {
        Moment::Day(_) => None,
        Moment::Window(window) => Some(window.hhmm()),
    };
    let removed: Vec<String> = pulled
        .removed
        .iter()
        .map(|gone| format!("{} {} {}", gone.feed, gone.moment, word_of(gone.form)))
        .collect();
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
        .key("file", file_of(&pulled.release))
        .key("was_here", pulled.was_here)
        .key("resumed_from", pulled.resumed_from)
        .key("index", index_of(&pulled.release))
        .key("index_bytes", index_bytes(&pulled.release))
        .key("removed", removed)
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
        file_of(&pulled.release).unwrap_or_default(),
        pulled.was_here.to_string(),
        pulled.resumed_from.to_string(),
        index_of(&pulled.release).unwrap_or_default(),
        index_bytes(&pulled.release)
            .map(|bytes| bytes.to_string())
            .unwrap_or_default(),
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
    let file = file_of(&pulled.release).unwrap_or("not kept, as configured".to_owned());
    let index = index_of(&pulled.release).zip(index_bytes(&pulled.release));
    let index = index.map_or_else(String::new, |(index, length)| {
        format!("\n  index  {index} ({})", bytes(length))
    });
    format!(
        "{} {}  {records}{}{how}\n  day    {} ({})\n  file   {file}{index}",
        manifest.feed,
        manifest.moment,
        bytes(manifest.bytes),
        manifest.moment.day().dashed(),
        manifest.day_source.words(),
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
        .line(
            "index",
            &index_bytes(&pulled.release).map_or("none".to_owned(), bytes),
        )
        .end()
}
