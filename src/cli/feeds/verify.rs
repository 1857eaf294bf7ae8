//! `feeds verify`: whether a local release is still what it was.

use super::here::{index_bytes, line_of, word_of};
use crate::{
    cli::{
        bar,
        console::{Console, Outcome},
        exit::Tally,
    },
    contract::Feed,
    engine::{Engine, Sound},
    model::Day,
    report::{Cell, Csv, Line, Paint, Results, bytes, count, markdown_table},
};

const COLUMNS: [&str; 6] = ["FEED", "RELEASE", "FORM", "RECORDS", "FILE", "INDEX"];

/// Reads a release through and says what of it is as it should be.
///
/// # Errors
/// When it is not here; what is damaged is told form by form.
pub(super) async fn run(
    feed: Feed,
    day: Option<Day>,
    engine: &Engine,
    console: &Console,
) -> Outcome {
    console.if_interrupted("nothing was changed");
    let checked = bar::during(console, async |report| {
        engine.releases.verify(feed, day, report).await
    })
    .await?;
    console.show(&Checked(checked.iter().flatten().collect()))?;
    let mut tally = Tally::default();
    for form in &checked {
        match form {
            Ok(_) => tally.done(),
            Err(error) => {
                tally.failed(error.kind);
                console.failure(Some(feed.name()), error)?;
            }
        }
    }
    Ok(tally.exit())
}

/// What was checked, in words; nothing where there was nothing to check.
fn words(sound: &Sound) -> (Option<String>, Option<String>) {
    let manifest = &sound.release.manifest;
    let file = sound
        .data
        .then(|| format!("as it was published, {}", bytes(manifest.bytes)));
    let index = sound.index.then(|| {
        let length = bytes(index_bytes(&sound.release).unwrap_or_default());
        if sound.data {
            format!("whole, {length}, and holds each record of the file")
        } else {
            format!("whole, {length}")
        }
    });
    (file, index)
}

fn summary(sound: &Sound) -> String {
    let manifest = &sound.release.manifest;
    let records = manifest
        .records
        .map(|records| format!(", {} records", count(records)))
        .unwrap_or_default();
    let (file, index) = words(sound);
    let (feed, moment, form) = (manifest.feed, manifest.moment, word_of(sound.form));
    let file = file.unwrap_or("not kept, so that the index cannot be built anew".to_owned());
    let mut text = format!("{feed} {moment}  {form}{records}\n  file   {file}\n");
    if let Some(index) = index {
        text.push_str(&format!("  index  {index}\n"));
    } else if form == "json" {
        text.push_str("  index  none yet: it is built at first use\n");
    }
    text
}

/// What is as it should be, form by form.
struct Checked<'a>(Vec<&'a Sound>);

impl Results for Checked<'_> {
    const CSV: Csv = Csv::of(&[&[
        "feed", "release", "form", "records", "rejected", "bytes", "file", "index",
    ]]);

    fn lines(&self) -> Vec<Line> {
        let line = |sound: &&Sound| {
            let manifest = &sound.release.manifest;
            let word = |is_sound: bool| if is_sound { "sound" } else { "" };
            line_of(manifest.feed, manifest.moment)
                .key("form", word_of(sound.form))
                .key("records", manifest.records)
                .key("rejected", manifest.rejected.count)
                .key("bytes", manifest.bytes)
                .key("file", sound.data.then_some(true))
                .cell("file", word(sound.data))
                .key("index", sound.index.then_some(true))
                .cell("index", word(sound.index))
        };
        self.0.iter().map(line).collect()
    }

    fn text(&self, _: Paint) -> String {
        self.0.iter().map(|sound| summary(sound)).collect()
    }

    fn markdown(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let row = |sound: &&Sound| {
            let manifest = &sound.release.manifest;
            let (file, index) = words(sound);
            vec![
                Cell::known(manifest.feed.name()),
                Cell::known(manifest.moment.to_string()),
                Cell::known(word_of(sound.form)),
                Cell::or_dash(manifest.records.map(count)),
                Cell::or_dash(file),
                Cell::or_dash(index),
            ]
        };
        markdown_table(&COLUMNS, &self.0.iter().map(row).collect::<Vec<_>>())
    }
}
