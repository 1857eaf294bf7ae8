//! `feeds verify`: verifies local releases.

use super::release_fields::{index_bytes, line_of, word_of};
use crate::{
    cli::{
        bar,
        console::{CommandResult, Console},
        exit::ExitTally,
    },
    contract::Feed,
    engine::{Engine, Result, VerifiedRelease},
    model::Day,
    report::{Csv, Line, Paint, PrintedResults, TextCell, Ticket, count, size},
};

const COLUMNS: [&str; 6] = ["FEED", "RELEASE", "FORM", "RECORDS", "FILE", "INDEX"];

/// Verifies a release and prints the findings.
///
/// # Errors
/// When it is not here; damage is reported for each form.
pub(super) async fn run(
    feed: Feed,
    day: Option<Day>,
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    console.if_interrupted("nothing was changed");
    let checked = bar::during(console, async |report| {
        engine.releases.verify(feed, day, report).await
    })
    .await?;
    console.summary(&Checked {
        feed,
        forms: &checked,
    })?;
    let mut tally = ExitTally::default();
    for form in &checked {
        match form {
            Ok(verified) => {
                tally.done();
                if let Some(doubt) = verified.release.manifest.day_doubt() {
                    console.note(&doubt);
                }
            }
            Err(error) => {
                tally.failed(error.kind);
                console.failure(Some(feed.name()), error)?;
            }
        }
    }
    Ok(tally.exit())
}

/// What was checked, in words; nothing where there was nothing to check.
fn words(verified: &VerifiedRelease) -> (Option<String>, Option<String>) {
    let manifest = &verified.release.manifest;
    let file = verified
        .data
        .then(|| format!("OK, {}, as published", size(manifest.bytes)));
    let index = verified.index.then(|| {
        let length = size(index_bytes(&verified.release).unwrap_or_default());
        if verified.data {
            format!("OK, {length}, matches the file")
        } else {
            format!("OK, {length}")
        }
    });
    (file, index)
}

fn summary(verified: &VerifiedRelease) -> String {
    let manifest = &verified.release.manifest;
    let records = manifest
        .records
        .map(|records| format!(", {} records", count(records)))
        .unwrap_or_default();
    let (file, index) = words(verified);
    let (feed, moment) = (manifest.feed, manifest.moment.dashed());
    let form = word_of(verified.form);
    let file = file.unwrap_or("not kept: the index cannot be rebuilt".to_owned());
    let mut text = format!("{feed} {moment}  {form}{records}\n  file   {file}\n");
    if let Some(index) = index {
        text.push_str(&format!("  index  {index}\n"));
    } else if form == "json" {
        text.push_str("  index  none yet: it is built at first use\n");
    }
    text
}

/// The findings for each form.
pub(super) struct Checked<'a> {
    feed: Feed,
    forms: &'a [Result<VerifiedRelease>],
}

impl Checked<'_> {
    /// The forms that are as they should be.
    fn verified(&self) -> impl Iterator<Item = &VerifiedRelease> {
        self.forms.iter().flatten()
    }

    fn sentence(&self) -> String {
        let feed = self.feed;
        let day = self
            .verified()
            .next()
            .map(|verified| verified.release.manifest.moment.dashed());
        let of = day.map_or_else(String::new, |day| format!(" of {day}"));
        match (self.verified().count(), self.forms.len()) {
            (sound, all) if sound == all => format!("The local release of {feed}{of} is sound."),
            (0, _) => format!("The local release of {feed} is damaged."),
            (sound, all) => {
                format!("{sound} of {all} forms of the local release of {feed}{of} are sound.")
            }
        }
    }
}

impl PrintedResults for Checked<'_> {
    const CSV: Csv = Csv::of(&[&[
        "feed", "release", "form", "records", "rejected", "bytes", "file", "index",
    ]]);

    fn lines(&self) -> Vec<Line> {
        let line = |verified: &VerifiedRelease| {
            let manifest = &verified.release.manifest;
            let word = |is_sound: bool| if is_sound { "sound" } else { "" };
            line_of(manifest.feed, manifest.moment)
                .key("form", word_of(verified.form))
                .key("records", manifest.records)
                .key("rejected", manifest.rejected.count)
                .key("bytes", manifest.bytes)
                .key("file", verified.data.then_some(true))
                .cell("file", word(verified.data))
                .key("index", verified.index.then_some(true))
                .cell("index", word(verified.index))
        };
        self.verified().map(line).collect()
    }

    fn text(&self, _: Paint) -> String {
        self.verified().map(summary).collect()
    }

    fn markdown(&self) -> String {
        let row = |verified: &VerifiedRelease| {
            let manifest = &verified.release.manifest;
            let (file, index) = words(verified);
            vec![
                TextCell::known(manifest.feed.name()),
                TextCell::known(manifest.moment.dashed()),
                TextCell::known(word_of(verified.form)),
                TextCell::or_dash(manifest.records.map(count)),
                TextCell::or_dash(file),
                TextCell::or_dash(index),
            ]
        };
        let ticket = Ticket::about(&format!("Check of {}", self.feed)).sentence(&self.sentence());
        let damaged = self.forms.iter().filter_map(|form| form.as_ref().err());
        let ticket = damaged.fold(ticket, |ticket, error| {
            ticket.line("damaged", &error.message)
        });
        let rows: Vec<_> = self.verified().map(row).collect();
        if rows.is_empty() {
            return ticket.end();
        }
        ticket.table(&COLUMNS, &rows)
    }
}
