//! `feeds rm`: removes local releases.

use super::here::{line_of, removed_words, word_of};
use crate::{
    cli::{
        args::{feeds::RmArgs, value::feed, value::local_day},
        console::{Console, Outcome},
        exit::Exit,
    },
    contract::Feed,
    engine::{Cleared, Engine, Error, Kind},
    report::{Cell, Csv, Line, Paint, Results, bytes, markdown_table},
};

const COLUMNS: [&str; 4] = ["REMOVED", "RELEASE", "FORM", "FREED"];

/// Removes what is named and says what that was.
///
/// # Errors
/// When nothing is named and there is a choice, when there is nothing to remove, when another process writes the feed.
pub(super) async fn run(args: &RmArgs, engine: &Engine, console: &Console) -> Outcome {
    let feed = feed(&args.feed)?;
    let on = match &args.day {
        None => None,
        Some(text) => match local_day(text, engine.settings.today())? {
            None => engine.releases.latest_day(feed)?,
            day => day,
        },
    };
    if on.is_none() && !args.all {
        refuse_a_choice(feed, engine)?;
    }
    let cleared = engine.releases.remove(feed, on, args.wait).await?;
    console.show(&cleared)?;
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
        format!("{many} releases of {feed} are local, {oldest} to {newest}: nothing was removed"),
    )
    .hint("name one with --day DAY, or remove them with --all"))
}

impl Results for Cleared {
    const CSV: Csv = Csv::of(&[&["feed", "release", "form", "bytes"]]);

    fn lines(&self) -> Vec<Line> {
        let gone = self.releases.iter();
        gone.map(|gone| {
            line_of(gone.feed, gone.moment)
                .key("form", word_of(gone.form))
                .key("bytes", gone.bytes)
        })
        .collect()
    }

    fn text(&self, _: Paint) -> String {
        let gone = self.releases.iter();
        gone.map(|gone| "removed ".to_owned() + &removed_words(gone) + "\n")
            .collect()
    }

    fn markdown(&self) -> String {
        let rows: Vec<_> = (self.releases.iter())
            .map(|gone| {
                vec![
                    Cell::known(gone.feed.name()),
                    Cell::known(gone.moment.to_string()),
                    Cell::known(word_of(gone.form)),
                    Cell::known(bytes(gone.bytes)),
                ]
            })
            .collect();
        markdown_table(&COLUMNS, &rows)
    }
}
