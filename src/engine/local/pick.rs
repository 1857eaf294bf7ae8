//! Which local releases are asked: the one of a day, else the newest of each feed.
//!
//! It must never take an older release for the newest: a newest release that cannot be used is an error of its feed.

use super::stoppable;
use crate::{
    contract::{Feed, Format, catalog::Records},
    engine::{Engine, Error, Kind, Opened, Result},
    model::Day,
    store::{Cache, NoRelease, layout::Release, manifest::Unusable},
};

/// Which local feeds to ask, and of which day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pick {
    /// One feed only; else all that hold addresses or networks.
    pub feed: Option<Feed>,
    /// The release of this day; else the newest one of each feed.
    pub day: Option<Day>,
}

/// The local releases of a [`Pick`].
#[derive(Clone, Debug, Default)]
pub struct Picked {
    /// The releases that answer, in the catalogue's order.
    pub opened: Vec<Opened>,
    /// One error for each feed whose release is local and cannot answer. Whoever shows the answers of the others must
    /// name these, and end with the code of their kind.
    pub unusable: Vec<Error>,
}

impl Engine {
    /// The newest local release of a feed in one form. Reads its manifest only.
    ///
    /// # Errors
    /// [`Kind::Integrity`] when it cannot be used, whatever older ones there are.
    pub fn newest_local(&self, feed: Feed, form: Format) -> Result<Option<Release>> {
        let cache = self.cache();
        let latest = cache.latest(feed, form);
        latest.map_err(|why| no_release(&cache, feed, &why))
    }

    /// All releases of a pick. None is an error only where a feed or day was named. Of several feeds those that can be
    /// used answer, and [`Picked::unusable`] names the others.
    ///
    /// # Errors
    /// As [`Engine::open_local`]. A release that cannot be used is an error here only where one feed was named.
    pub async fn open_picked(&self, pick: &Pick) -> Result<Picked> {
        let (engine, Pick { feed, day }) = (self.clone(), *pick);
        if let Some(feed) = feed {
            let opened = vec![self.open_local(feed, day).await?];
            return Ok(Picked {
                opened,
                ..Picked::default()
            });
        }
        stoppable(move |stop| {
            let mut picked = Picked::default();
            for feed in Feed::all().filter(|feed| feed.row().records != Records::Tags) {
                match engine.open_here(feed, day, stop) {
                    Ok(opened) => picked.opened.push(opened),
                    Err(error) if error.kind == Kind::NotFound => {}
                    Err(error) if error.kind == Kind::Integrity => picked.unusable.push(error),
                    Err(error) => return Err(error),
                }
            }
            match day {
                Some(day) if picked.opened.is_empty() && picked.unusable.is_empty() => {
                    let error = format!("no feed of {} is on this disk", day.dashed());
                    Err(Error::new(Kind::NotFound, error).hint(
                        "`ipspect feeds --offline` lists local releases; `ipspect feeds pull FEED --date DAY` downloads a day",
                    ))
                }
                _ => Ok(picked),
            }
        })
        .await
    }

    /// All releases of a pick, of which there must be some that can answer.
    ///
    /// # Errors
    /// [`Kind::NotFound`] when no feed is local, [`Kind::Integrity`] when all that are local cannot be used; as
    /// [`Engine::open_picked`] otherwise.
    pub async fn open_some(&self, pick: &Pick) -> Result<Picked> {
        let picked = self.open_picked(pick).await?;
        if !picked.opened.is_empty() {
            return Ok(picked);
        }
        let none = Error::new(Kind::NotFound, "no feed is on this disk");
        let none =
            none.hint("`ipspect feeds pull anonymous` downloads one; `ipspect feeds` lists them");
        Err(picked.unusable.into_iter().next().unwrap_or(none))
    }
}

/// The release of a day, else the newest, of a feed. What cannot be used is an error, whatever older releases there are.
pub(super) fn found(cache: &Cache, feed: Feed, day: Option<Day>) -> Result<Release> {
    let found = newest_of(cache, feed, day).map_err(|why| no_release(cache, feed, &why))?;
    found.ok_or_else(|| not_here(feed, day))
}

/// The newest release of a day, else of all.
pub(super) fn newest_of(
    cache: &Cache,
    feed: Feed,
    day: Option<Day>,
) -> Result<Option<Release>, NoRelease> {
    cache.newest(feed, Format::Json, |moment| {
        day.is_none_or(|day| day == moment.day())
    })
}

/// Why a feed cannot answer.
pub(in crate::engine) fn no_release(cache: &Cache, feed: Feed, why: &NoRelease) -> Error {
    match why {
        NoRelease::Unusable(unusable) => cannot_be_used(unusable),
        NoRelease::Io(error) => {
            Error::machine(&format!("read {}", cache.feed_dir(feed).display()), error)
        }
    }
}

/// A release that cannot be used, and what to do about it.
pub(super) fn cannot_be_used(unusable: &Unusable) -> Error {
    let Unusable { feed, moment, .. } = unusable;
    let message = format!(
        "the release of {feed} for {} cannot be used: {unusable}",
        moment.dashed()
    );
    let day = moment.day();
    Error::new(Kind::Integrity, message).hint(format!(
        "`ipspect feeds reindex {feed} --day {day}` makes it anew where its data is whole, `ipspect feeds pull {feed}` \
         downloads the latest, `ipspect feeds rm {feed} --day {day}` removes it; --day names an older one"
    ))
}

/// It is not local.
pub(super) fn not_here(feed: Feed, day: Option<Day>) -> Error {
    let (which, how) = match day {
        Some(day) => (format!(" of {}", day.dashed()), format!(" --date {day}")),
        None => Default::default(),
    };
    Error::new(
        Kind::NotFound,
        format!("the feed {feed}{which} is not on this disk"),
    )
    .hint(format!("download it with `ipspect feeds pull {feed}{how}`"))
}
