//! `feeds verify`: whether a release on this disk is still what it was.

use super::here::{index_bytes, word_of};
use crate::{
    cli::{
        args::Format,
        bar::Bar,
        console::{Console, Outcome},
        exit::Tally,
    },
    contract::Feed,
    engine::{Engine, Sound},
    model::Day,
    report::{Cell, Csv, Line, bytes, count, markdown_table},
};

const CSV: Csv = Csv::of(&[
    "feed", "release", "form", "records", "rejected", "bytes", "file", "index",
]);
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
    let bar = Bar::start(console);
    let checked = engine.releases.verify(feed, day, bar.report()).await;
    drop(bar);
    let checked = checked?;
    let mut tally = Tally::default();
    let sound: Vec<&Sound> = checked.iter().flatten().collect();
    console.results(&match console.format() {
        Format::Json => sound.iter().map(|sound| json(sound) + "\n").collect(),
        Format::Csv => CSV.header() + &sound.iter().map(|sound| csv(sound)).collect::<String>(),
        Format::Text => sound.iter().map(|sound| summary(sound)).collect(),
        Format::Md if sound.is_empty() => String::new(),
        Format::Md => markdown_table(
            &COLUMNS,
            &sound.iter().map(|sound| cells(sound)).collect::<Vec<_>>(),
        ),
    })?;
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

fn json(sound: &Sound) -> String {
    let manifest = &sound.release.manifest;
    Line::new()
        .key("feed", manifest.feed.name())
        .key("release", manifest.moment.to_string())
        .key("day", manifest.moment.day().to_string())
        .key("form", word_of(sound.form))
        .key("records", manifest.records)
        .key("rejected", manifest.rejected.count)
        .key("bytes", manifest.bytes)
        .key("file", sound.data.then_some(true))
        .key("index", sound.index.then_some(true))
        .end()
}

fn csv(sound: &Sound) -> String {
    let manifest = &sound.release.manifest;
    let word = |is_sound: bool| if is_sound { "sound" } else { "" };
    CSV.row(&[
        manifest.feed.name().to_owned(),
        manifest.moment.to_string(),
        word_of(sound.form).to_owned(),
        manifest
            .records
            .map(|records| records.to_string())
            .unwrap_or_default(),
        manifest.rejected.count.to_string(),
        manifest.bytes.to_string(),
        word(sound.data).to_owned(),
        word(sound.index).to_owned(),
    ])
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

fn cells(sound: &Sound) -> Vec<Cell> {
    let manifest = &sound.release.manifest;
    let (file, index) = words(sound);
    let cell = |words: Option<String>| words.map_or(Cell::unknown("-"), Cell::known);
    vec![
        Cell::known(manifest.feed.name()),
        Cell::known(manifest.moment.to_string()),
        Cell::known(word_of(sound.form)),
        cell(manifest.records.map(count)),
        cell(file),
        cell(index),
    ]
}
