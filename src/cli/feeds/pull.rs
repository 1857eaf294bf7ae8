//! `feeds pull`: downloads a release.

use std::iter;

use super::row::{file_of, form_of, index_bytes, index_of, removed_words};
use crate::{
    cli::{
        args::feeds::PullArgs,
        bar,
        console::{CommandResult, Console},
        exit::{Exit, ExitTally},
    },
    contract::{Feed, Format, Freshness},
    engine::{Engine, PullQuery, Pulled, Removed, WantedRelease},
    model::visible,
    report::{Cell, Columns, Results, RowsInTicket, TextCell, TextStyle, Ticket, count, size},
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
    show(&pulled, engine, console)?;
    Ok(Exit::DONE)
}

/// Prints what was pulled.
pub(super) fn show(pulled: &Pulled, engine: &Engine, console: &Console) -> CommandResult<()> {
    console.summary(pulled)?;
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

impl Results for Pulled {
    type Row = Self;

    const IN_TICKET: RowsInTicket = RowsInTicket::Facts;

    fn columns() -> Columns<Self> {
        Columns::<Self>::new()
            .data("feed", |own| own.release.manifest.feed.name())
            .column("release", "release", |own| own.release.manifest.moment)
            .but_json()
            .json("day", |own| own.release.manifest.moment.day().to_string())
            .json("window", |own| match own.release.manifest.moment {
                Moment::Day(_) => None,
                Moment::Window(window) => Some(window.hhmm()),
            })
            .json("day_source", |own| {
                Cell::json(own.release.manifest.day_source)
            })
            .words("day from", |own| own.release.manifest.day_source.words())
            .data("form", |own| form_of(own.release.manifest.form()))
            .column("records", "records", |own| own.release.manifest.records)
            .shown(|own| TextCell::counted(own.release.manifest.records))
            .data("rejected", |own| own.release.manifest.rejected.count)
            .column("bytes", "size", |own| {
                Cell::Bytes(own.release.manifest.bytes)
            })
            .column("sha256", "SHA-256", |own| {
                own.release.manifest.sha256.clone()
            })
            .data("file", |own| file_of(&own.release))
            .data("was_here", |own| own.was_here)
            .data("resumed_from", |own| own.resumed_from)
            .data("index", |own| index_of(&own.release))
            .column("index_bytes", "index", |own| {
                index_bytes(&own.release).map(Cell::Bytes)
            })
            .shown(|own| TextCell::known(index_bytes(&own.release).map_or("none".to_owned(), size)))
            .json("removed", |own| {
                let words = |gone: &Removed| {
                    format!("{} {} {}", gone.feed, gone.moment, form_of(gone.form))
                };
                Cell::json(own.removed.iter().map(words).collect::<Vec<_>>())
            })
    }

    fn rows(&self) -> impl Iterator<Item = &Self> {
        iter::once(self)
    }

    fn text(&self, _: TextStyle) -> String {
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

    fn ticket(&self) -> Ticket {
        let manifest = &self.release.manifest;
        let (feed, day) = (manifest.feed, manifest.moment.dashed());
        let sentence = format!("The feed {feed} of {day} is local.");
        Ticket::about(&format!("Feed {feed}")).sentence(&sentence)
    }
}

/// Pulls the feeds that are behind, one after the other.
///
/// # Errors
/// What went wrong with standard output; what feeds fail with is said and counted.
pub(super) async fn run_stale(
    args: &PullArgs,
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    console.if_interrupted("the received part is kept; run it again to resume");
    let mut tally = ExitTally::default();
    let forms = Feed::all().flat_map(|feed| [Format::Json, Format::Mmdb].map(|form| (feed, form)));
    for (feed, form) in forms.filter(|(feed, form)| is_stale(*feed, *form, engine)) {
        let query = PullQuery {
            feed,
            wanted: WantedRelease::Latest,
            form,
            allow_shrink: args.allow_shrink,
            wait: args.wait,
        };
        let pulled = bar::during(console, async |report| {
            engine.releases.pull(&query, report).await
        });
        match pulled.await {
            Ok(pulled) => {
                tally.done();
                show(&pulled, engine, console)?;
            }
            Err(error) => {
                tally.failed(error.kind);
                console.failure(Some(feed.name()), &error)?;
            }
        }
    }
    if tally.is_empty() {
        console.note("no local feed is behind its cadence");
    }
    Ok(tally.exit())
}

/// Whether a form of a feed is local and a newer release of it is due, or its newest one cannot be used.
fn is_stale(feed: Feed, form: Format, engine: &Engine) -> bool {
    let now = engine.settings.now();
    let inventory = engine.releases.inventory(feed);
    if inventory.faults.iter().any(|(own, _)| *own == form) {
        return true;
    }
    let mut local = inventory.releases.iter().map(|release| &release.manifest);
    let newest = local.find(|manifest| manifest.form() == form);
    newest.is_some_and(|newest| newest.surest_moment().freshness(now) != Freshness::Current)
}
