//! What each command works with, and its notes on what local answers do not show: that a release is old, that no local feed covers a
//! family of addresses, and that a filter has a value of no record. Without these notes a result would look more complete than it is.

use super::{
    bar,
    console::{CommandResult, Console},
};
use crate::{
    contract::Feed,
    engine::{
        Engine, Family, Missing, MissingWhy, OpenDay, OpenRelease, Report, trail::TrailEntry,
    },
    model::Subject,
    report::{age, counted, distinct, how_to_get, unknown_value},
    store::{Filter, Generation, Moment, layout::Release},
};

/// What a command works with: the engine that answers, and the console to which it prints.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) engine: &'a Engine,
    pub(super) console: &'a Console,
}

impl Run<'_> {
    /// The result of a task that reports its progress to a bar.
    pub(super) async fn during<T>(self, task: impl AsyncFnOnce(Report) -> T) -> T {
        bar::during(self.console, task).await
    }

    /// Keeps what was done in the case that is open, if one is. A failure is a warning: the answer is there.
    pub(super) fn remember(self, entry: impl FnOnce() -> TrailEntry) {
        if self.engine.settings.case().is_some()
            && let Err(error) = self.engine.trail.append(&entry())
        {
            self.console.warn(&error.message);
        }
    }

    /// Names each release that is older than two of its periods, with its age.
    pub(super) fn note_ages<'r>(self, releases: impl IntoIterator<Item = &'r Release>) {
        for release in releases {
            let manifest = &release.manifest;
            // Which day an excerpt is of was chosen where it is, and said.
            if manifest.is_excerpt() {
                continue;
            }
            self.note_age(manifest.feed, manifest.moment, manifest.generation());
        }
    }

    /// The same for one release by its name.
    pub(super) fn note_age(self, feed: Feed, release: Moment, generation: Generation) {
        if let Some(words) = age(feed, release, generation, self.engine.settings.now()) {
            self.console.note(&format!(
                "{words}; `ipspect feeds pull {feed}` downloads the latest"
            ));
        }
    }

    /// Names each value of a filter that no record of these releases has, nor the local service-metrics feed, with the nearest. A
    /// failure to find out is a warning: the answer itself does not depend on it.
    pub(super) async fn note_unknown_values(self, opened: &[OpenRelease], filter: &Filter) {
        // What an excerpt lacks may be where it is from.
        if opened
            .iter()
            .any(|release| release.release.manifest.is_excerpt())
        {
            return;
        }
        let feeds = distinct(opened.iter().map(|opened| opened.release.manifest.feed));
        match self.engine.releases.unknown_values(opened, filter).await {
            Ok(unknown) => {
                for value in unknown {
                    self.console.note(&unknown_value(&value, &feeds));
                }
            }
            Err(error) => self.console.warn(&format!(
                "the values of the filter were not looked for in the local feeds: {error}"
            )),
        }
    }
}

/// Which local feeds have to hold a family of addresses for an answer about it: the feeds of IP contexts, where some are
/// asked. That netblocks or geolocation hold it says nothing about who is behind an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeedsJudged {
    contexts_only: bool,
}

impl FeedsJudged {
    /// The contexts among these releases.
    pub(super) fn of(opened: &[OpenDay]) -> Self {
        let mut feeds = opened.iter().map(|opened| opened.release.manifest.feed);
        Self {
            contexts_only: feeds.any(Feed::holds_contexts),
        }
    }

    /// Whether a feed is one of them.
    pub(super) fn has(self, feed: Feed) -> bool {
        !self.contexts_only || feed.holds_contexts()
    }
}

/// The families of the addresses in question, and those that the [`FeedsJudged`] feeds have records of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Families([AnsweredCount; Family::ALL.len()]);

#[derive(Clone, Copy, Debug, Default)]
struct AnsweredCount {
    asked: u64,
    known: bool,
}

impl Families {
    /// An address or network was asked about.
    pub(super) fn asked(&mut self, subject: Subject, known: bool) {
        let seen = &mut self.0[Family::of(subject) as usize];
        seen.asked += 1;
        seen.known |= known;
    }

    /// Adds what was asked elsewhere.
    pub(super) fn add(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            count.asked += more.asked;
            count.known |= more.known;
        }
    }

    /// Names each family that was asked about and of which no local feed has a record.
    ///
    /// # Errors
    /// A failure to read a feed.
    pub(super) async fn note(
        self,
        opened: &[OpenDay],
        Run { engine, console }: Run<'_>,
    ) -> CommandResult<()> {
        let judged = FeedsJudged::of(opened);
        let searched = opened.iter();
        let searched: Vec<&OpenDay> = searched
            .filter(|day| judged.has(day.release.manifest.feed))
            .collect();
        let what = if judged.contexts_only {
            "IP context feeds"
        } else {
            "feeds"
        };
        for (family, seen) in Family::ALL.into_iter().zip(self.0) {
            // One answer shows that there are records.
            if seen.asked == 0
                || seen.known
                || engine.storage.hold_family(&searched, family).await?
            {
                continue;
            }
            let (name, feed) = match family {
                Family::V4 => (family.name(), Feed::Anonymous),
                Family::V6 => (family.name(), Feed::AnonymousIpv6),
            };
            let asked = match seen.asked {
                1 => format!("{name} address"),
                many => counted(many, &format!("{name} address")),
            };
            let places = searched.iter().map(|day| day.release.manifest.place());
            let place = places.max().unwrap_or_default();
            let (day, why) = (None, MissingWhy::NotAt(place));
            let mend = how_to_get(&Missing { feed, day, why }, "one that has");
            let days = place.words().days;
            console.note(&format!(
                "none of the searched {days} {what} has {name} records, so the {asked} could not be found\n  {mend}"
            ));
        }
        Ok(())
    }
}
