//! `feeds rm`: releases off this disk.

use super::here::{removed_line, removed_words, word_of};
use crate::{
    cli::{
        args::{Format, feeds::RmArgs, value::day, value::feed},
        console::{Console, Outcome},
        exit::Exit,
    },
    contract::Feed,
    engine::{Engine, Error, Kind, Removed},
    report::{Cell, Csv, bytes, markdown_table},
};

const CSV: Csv = Csv::of(&["feed", "release", "form", "bytes"]);
const COLUMNS: [&str; 4] = ["REMOVED", "RELEASE", "FORM", "FREED"];

/// Removes what is named and says what that was.
///
/// # Errors
/// When nothing is named and there is a choice, when there is nothing to remove, when another process writes the feed.
pub(super) async fn run(args: &RmArgs, engine: &Engine, console: &Console) -> Outcome {
    let feed = feed(&args.feed)?;
    let on = args.day.as_deref().map(day).transpose()?;
    if on.is_none() && !args.all {
        refuse_a_choice(feed, engine)?;
    }
    let cleared = engine.releases.remove(feed, on, args.wait).await?;
    let releases = &cleared.releases;
    console.results(&match console.format() {
        Format::Json => releases
            .iter()
            .map(|gone| removed_line(gone).end() + "\n")
            .collect(),
        Format::Csv => CSV.header() + &releases.iter().map(csv).collect::<String>(),
        Format::Text => releases
            .iter()
            .map(|gone| String::from("removed ") + &removed_words(gone) + "\n")
            .collect(),
        Format::Md => markdown_table(&COLUMNS, &releases.iter().map(cells).collect::<Vec<_>>()),
    })?;
    if cleared.partial > 0 {
        let partial = bytes(cleared.partial);
        console.note(&format!("removed what was partial, too: {partial}"));
    }
    Ok(Exit::DONE)
}

/// A feed alone names a release only where there is one.
fn refuse_a_choice(feed: Feed, engine: &Engine) -> Result<(), Error> {
    let moments = engine.releases.moments(feed)?;
    let ([newest, .., oldest], many) = (&moments[..], moments.len()) else {
        return Ok(());
    };
    Err(Error::new(
        Kind::Usage,
        format!("{many} releases of {feed} are here, {oldest} to {newest}: nothing was removed"),
    )
    .hint("name one with --day DAY, or remove them with --all"))
}

fn csv(gone: &Removed) -> String {
    CSV.row(&[
        gone.feed.name().to_owned(),
        gone.moment.to_string(),
        word_of(gone.form).to_owned(),
        gone.bytes.to_string(),
    ])
}

fn cells(gone: &Removed) -> Vec<Cell> {
    vec![
        Cell::known(gone.feed.name()),
        Cell::known(gone.moment.to_string()),
        Cell::known(word_of(gone.form)),
        Cell::known(bytes(gone.bytes)),
    ]
}
