//! `feeds verify`: verifies local releases.

use super::row::{form_of, index_bytes, name_columns};
use crate::{
    cli::{
        bar,
        console::{CommandResult, Console},
        exit::ExitTally,
    },
    contract::Feed,
    engine::{Engine, Result, VerifiedRelease},
    model::Day,
    report::{Cell, Columns, Results, TextCell, TextStyle, Ticket, count, size},
};

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
    let form = form_of(verified.form);
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

impl Results for Checked<'_> {
    type Row = VerifiedRelease;

    fn columns() -> Columns<VerifiedRelease> {
        let name = |own: &VerifiedRelease| (own.release.manifest.feed, own.release.manifest.moment);
        let is_sound = |is_sound: bool| is_sound.then_some(true);
        let sound = |is_sound: bool| is_sound.then_some("sound");
        name_columns(name)
            .column("form", "form", |own| form_of(own.form))
            .column("records", "records", |own| own.release.manifest.records)
            .data("rejected", |own| own.release.manifest.rejected.count)
            .data("bytes", |own| Cell::Bytes(own.release.manifest.bytes))
            .json("file", move |own| is_sound(own.data))
            .column("file", "file", move |own| sound(own.data))
            .but_json()
            .shown(|own| TextCell::or_dash(words(own).0))
            .json("index", move |own| is_sound(own.index))
            .column("index", "index", move |own| sound(own.index))
            .but_json()
            .shown(|own| TextCell::or_dash(words(own).1))
    }

    fn rows(&self) -> impl Iterator<Item = &VerifiedRelease> {
        self.verified()
    }

    fn text(&self, _: TextStyle) -> String {
        self.verified().map(summary).collect()
    }

    fn ticket(&self) -> Ticket {
        let ticket = Ticket::about(&format!("Check of {}", self.feed)).sentence(&self.sentence());
        let damaged = self.forms.iter().filter_map(|form| form.as_ref().err());
        damaged.fold(ticket, |ticket, error| {
            ticket.line("damaged", &error.message)
        })
    }
}
