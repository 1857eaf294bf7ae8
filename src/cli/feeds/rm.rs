//! `feeds rm`: removes local releases.

use super::row::{form_of, name_columns, removed_words};
use crate::{
    cli::{
        args::{
            feeds::RmArgs,
            value::{feed, local_day},
        },
        console::{CommandResult, Console},
        exit::Exit,
    },
    contract::Feed,
    engine::{Engine, Error, Kind, Removed, RemovedReleases},
    model::Day,
    report::{Cell, Columns, Results, TextStyle, Ticket, size},
};

/// Removes the named releases and prints them.
///
/// # Errors
/// No day given for several releases, nothing to remove, or another process writing the feed.
pub(super) async fn run(args: &RmArgs, engine: &Engine, console: &Console) -> CommandResult {
    let feed = feed(&args.feed)?;
    let on = match &args.day {
        None => None,
        Some(text) => match local_day(text, engine.settings.today())? {
            // Without a day everything would be removed.
            None => Some(latest_day(feed, engine)?),
            day => day,
        },
    };
    if on.is_none() && !args.all {
        refuse_a_choice(feed, engine)?;
    }
    let cleared = engine.releases.remove(feed, on, args.wait).await?;
    console.summary(&cleared)?;
    if cleared.partial > 0 {
        let partial = size(cleared.partial);
        console.note(&format!("removed partial downloads too: {partial}"));
    }
    Ok(Exit::DONE)
}

fn latest_day(feed: Feed, engine: &Engine) -> Result<Day, Error> {
    engine.releases.latest_day(feed)?.ok_or_else(|| {
        Error::new(Kind::NotFound, format!("{feed} has no local release"))
            .hint("--all also removes partial downloads")
    })
}

/// A feed without a day is enough only if one release is local.
fn refuse_a_choice(feed: Feed, engine: &Engine) -> Result<(), Error> {
    let moments = engine.releases.moments(feed)?;
    let ([newest, .., oldest], many) = (&moments[..], moments.len()) else {
        return Ok(());
    };
    Err(Error::new(
        Kind::Usage,
        format!(
            "{many} releases of {feed} are local, {} to {}: nothing was removed",
            oldest.dashed(),
            newest.dashed()
        ),
    )
    .hint("name one with --day DAY, or remove them with --all"))
}

impl Results for RemovedReleases {
    type Row = Removed;

    fn columns() -> Columns<Removed> {
        name_columns(|gone: &Removed| (gone.feed, gone.moment))
            .column("form", "form", |gone| form_of(gone.form))
            .column("bytes", "freed", |gone| Cell::Bytes(gone.bytes))
    }

    fn rows(&self) -> impl Iterator<Item = &Removed> {
        self.releases.iter()
    }

    fn text(&self, _: TextStyle) -> String {
        let gone = self.releases.iter();
        gone.map(|gone| "removed ".to_owned() + &removed_words(gone) + "\n")
            .collect()
    }

    fn ticket(&self) -> Ticket {
        let Some(first) = self.releases.first() else {
            return Ticket::about("Removed releases")
                .sentence("Only a partial download was removed.");
        };
        let space = size(self.releases.iter().map(|gone| gone.bytes).sum());
        let (feed, day) = (first.feed, first.moment.dashed());
        let sentence = match self.releases.len() {
            1 => format!("The local release of {feed} for {day} was removed; {space} freed."),
            many => format!("{many} local releases of {feed} were removed; {space} freed."),
        };
        Ticket::about(&format!("Removed releases of {feed}")).sentence(&sentence)
    }
}
