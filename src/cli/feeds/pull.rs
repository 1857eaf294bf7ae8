//! `feeds pull`: downloads a release.

use super::release_fields::{file_of, index_bytes, index_of, removed_words, word_of};
use crate::{
    cli::{
        bar,
        console::{CommandResult, Console},
        exit::Exit,
    },
    contract::Feed,
    engine::{Engine, PullQuery, Pulled, Removed},
    model::visible,
    report::{Csv, Line, Paint, PrintedResults, ResultFormat, Ticket, count, size},
    store::{Moment, Rejected, retention::Reason},
};

/// Downloads a release and says what it is.
///
/// # Errors
/// What kept it from being published.
pub(super) async fn run(query: &PullQuery, engine: &Engine, console: &Console) -> CommandResult {
    console.if_interrupted("the received part is kept; run it again to resume");
    let pulled = bar::during(console, async |report| {
        engine.releases.pull(query, report).await
    })
    .await?;
    show(&pulled, true, engine, console)?;
    Ok(Exit::DONE)
}

/// Prints what was pulled; the first of several has the header of CSV.
pub(super) fn show(
    pulled: &Pulled,
    first: bool,
    engine: &Engine,
    console: &Console,
) -> CommandResult<()> {
    if !first && console.format() == ResultFormat::Csv {
        let rows = pulled.lines();
        let rows = rows.iter().map(|line| Pulled::CSV.row_of(line));
        console.results(&rows.collect::<String>())?;
    } else {
        console.summary(pulled)?;
    }
    note_rejected(&pulled.release.manifest.rejected, console);
    note_removed(&pulled.removed, engine, console);
    for warning in &pulled.warnings {
        console.warn(warning);
    }
    Ok(())
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
            "lines that are not records: {}{}",
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
            Some(Reason::Releases) if gone.feed == Feed::Realtime => {
                format!("{} newer windows are kept", cache.keep_windows)
            }
            Some(Reason::Releases) => {
                format!(
                    "{} newer releases of each feed are kept",
                    cache.keep_releases
                )
            }
            _ => format!("the cache keeps {} GB at most", cache.max_gb),
        };
        console.note(&format!("removed {}: {why}", removed_words(gone)));
    }
}

impl PrintedResults for Pulled {
    const CSV: Csv = Csv::of(&[&[
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
    ]]);

    fn lines(&self) -> Vec<Line> {
        let manifest = &self.release.manifest;
        let window = match manifest.moment {
            Moment::Day(_) => None,
            Moment::Window(window) => Some(window.hhmm()),
        };
        let removed = self.removed.iter();
        let removed =
            removed.map(|gone| format!("{} {} {}", gone.feed, gone.moment, word_of(gone.form)));
        let line = Line::new()
            .key("feed", manifest.feed.name())
            .cell("release", manifest.moment.to_string())
            .key("day", manifest.moment.day().to_string())
            .key("window", window)
            .key("day_source", manifest.day_source)
            .key("form", word_of(manifest.form()))
            .key("records", manifest.records)
            .key("rejected", manifest.rejected.count)
            .key("bytes", manifest.bytes)
            .key("sha256", &manifest.sha256)
            .key("file", file_of(&self.release))
            .key("was_here", self.was_here)
            .key("resumed_from", self.resumed_from)
            .key("index", index_of(&self.release))
            .key("index_bytes", index_bytes(&self.release))
            .key("removed", removed.collect::<Vec<_>>());
        vec![line]
    }

    fn text(&self, _: Paint) -> String {
        let manifest = &self.release.manifest;
        let records = manifest
            .records
            .map(|records| format!("{} records, ", count(records)));
        let how = match self {
            Self { was_here: true, .. } => ", unchanged since it was pulled".to_owned(),
            Self {
                resumed_from: 0, ..
            } => String::new(),
            Self { resumed_from, .. } => format!(", resumed at {}", size(*resumed_from)),
        };
        let file = file_of(&self.release).unwrap_or("not kept, as configured".to_owned());
        let file = visible(&file);
        let index = index_of(&self.release).zip(index_bytes(&self.release));
        let index = index
            .map(|(index, length)| format!("  index  {} ({})\n", visible(&index), size(length)));
        format!(
            "{} {}  {}{}{how}\n  day    {} ({})\n  file   {file}\n{}",
            manifest.feed,
            manifest.moment.dashed(),
            records.unwrap_or_default(),
            size(manifest.bytes),
            manifest.moment.day().dashed(),
            manifest.day_source.words(),
            index.unwrap_or_default(),
        )
    }

    fn markdown(&self) -> String {
        let manifest = &self.release.manifest;
        let records = manifest.records.map_or("not counted".to_owned(), count);
        let index = index_bytes(&self.release).map_or("none".to_owned(), size);
        let (feed, day) = (manifest.feed, manifest.moment.dashed());
        Ticket::about(&format!("Feed {feed}"))
            .sentence(&format!("The feed {feed} of {day} is local."))
            .line("release", &day)
            .line("day from", manifest.day_source.words())
            .line("records", &records)
            .line("size", &size(manifest.bytes))
            .line("SHA-256", &manifest.sha256)
            .line("index", &index)
            .end()
    }
}
