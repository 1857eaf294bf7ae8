//! Which local releases are asked: the one of a day, else the newest of each feed.
//!
//! It must never take an older release for the newest: a newest release that cannot be used is an error of its feed.

use super::{OpenRelease, Releases, unusable::no_release};
use crate::{
    contract::{Feed, Format, catalog::RecordKind},
    engine::{
        error::{Error, Kind, Result},
        threads::stoppable,
    },
    model::Day,
    store::layout::Release,
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
    /// The feeds whose release is local: those that answer and those that cannot.
    pub feeds: Vec<Feed>,
    /// The releases that answer, in the catalogue's order.
    pub opened: Vec<OpenRelease>,
    /// One error for each feed whose release is local and cannot answer. Whoever shows the answers of the others must
    /// name these, and end with the code of their kind.
    pub unusable: Vec<Error>,
}

impl Releases {
    /// The newest local release of a feed in one form.
    pub(in crate::engine) fn newest_local(
        &self,
        feed: Feed,
        form: Format,
    ) -> Result<Option<Release>> {
        let cache = self.cache();
        let latest = cache.latest(feed, form);
        latest.map_err(|why| no_release(&cache, feed, &why))
    }

    /// All releases of a pick. None is an error only where a feed or day was named. Of several feeds those that can be
    /// used answer, and [`Picked::unusable`] names the others.
    ///
    /// # Errors
    /// As [`Releases::open_local`]. A release that cannot be used is an error here only where one feed was named.
    pub async fn open_picked(&self, pick: &Pick) -> Result<Picked> {
        let (engine, Pick { feed, day }) = (self.clone(), *pick);
        if let Some(feed) = feed {
            let opened = vec![self.open_local(feed, day).await?];
            return Ok(Picked {
                feeds: vec![feed],
                opened,
                ..Picked::default()
            });
        }
        stoppable(move |stop| {
            let mut picked = Picked::default();
            for feed in Feed::all().filter(|feed| feed.row().records != RecordKind::Tags) {
                match engine.open_here(feed, day, stop) {
                    Ok(opened) => picked.opened.push(opened),
                    Err(error) if error.kind == Kind::NotFound => continue,
                    Err(error) if error.kind == Kind::Integrity => picked.unusable.push(error),
                    Err(error) => return Err(error),
                }
                picked.feeds.push(feed);
            }
            match day {
                Some(day) if picked.opened.is_empty() && picked.unusable.is_empty() => {
                    let day = day.dashed();
                    let error = Error::new(Kind::NotFound, format!("no local feed has a release of {day}"));
                    Err(error.hint(format!(
                        "`ipspect feeds --offline` lists local releases; `ipspect feeds pull anonymous --date {day}` downloads one"
                    )))
                }
                _ => Ok(picked),
            }
        })
        .await
    }

    /// All releases of a pick, of which there must be some that can answer.
    ///
    /// # Errors
    /// [`Kind::NotFound`] when no feed is local, [`Kind::Integrity`]
    /// when all that are local cannot be used; as [`Releases::open_picked`] otherwise.
    pub async fn open_some(&self, pick: &Pick) -> Result<Picked> {
        let picked = self.open_picked(pick).await?;
        if !picked.opened.is_empty() {
            return Ok(picked);
        }
        let none = Error::new(Kind::NotFound, "no feed is downloaded");
        let none =
            none.hint("`ipspect feeds pull anonymous` downloads one; `ipspect feeds` lists them");
        Err(picked.unusable.into_iter().next().unwrap_or(none))
    }
}
