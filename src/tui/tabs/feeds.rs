//! The Feeds tab: the service's releases, the local ones, and the downloads.

mod actions;
mod areas;
mod browse;
mod browser;
mod browsers;
mod days;
mod deleting;
mod follow;
mod known_feed;
mod marked_pull;
mod marking;
mod order;
mod pointing;
mod sort_actions;
mod status;
mod tab;
#[cfg(test)]
mod tests;
mod upkeep;
pub mod view;

use std::collections::BTreeMap;

use crate::{
    contract::{Feed, Format},
    engine::{Fetched, Health, OnDisk},
    model::FeedMetadata,
    tui::{
        ctx::{UpdateCtx, jobs::Jobs, marks::RowMarks, remote::Remote, request::Question},
        ui::{
            cursor::Cursor,
            widgets::{calendar::Calendar, page::PageState},
        },
    },
};
use browse::Browse;
use browser::Browser;
use deleting::{Deleting, Deletions};
use follow::Follow;
use known_feed::{KnownFeed, form_of, job_of};
use marked_pull::MarkedPull;
use order::FeedOrder;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FeedsFocus {
    #[default]
    Table,
    /// What is known of the selected one.
    Details,
}

#[derive(Debug)]
pub struct FeedsTab {
    part: FeedsFocus,
    cursor: Cursor,
    /// What the service says of each feed's latest release, in the order of the table.
    metadata: Vec<(Feed, Remote<Fetched<FeedMetadata>>)>,
    releases: Remote<OnDisk>,
    /// How the table is sorted.
    order: FeedOrder,
    details: PageState,
    browse: Option<Browse>,
    /// What can be deleted of a feed, while that is chosen.
    deleting: Option<Deleting>,
    deletions: Deletions,
    /// Whether what else to download is being chosen.
    choosing: bool,
    /// The marked feeds, and the question about their downloads.
    marks: RowMarks<Feed>,
    pulling: Option<MarkedPull>,
    /// Samples of the local releases of feeds.
    health: BTreeMap<Feed, Remote<Health>>,
    /// The calendar over the days of a feed.
    calendar: Option<Calendar>,
    follow: Option<Follow>,
    /// The records of a local feed, in place of everything else.
    browser: Option<Browser>,
    /// Those that were left, the latest last.
    left: Vec<Browser>,
}

impl Default for FeedsTab {
    fn default() -> Self {
        Self {
            part: FeedsFocus::default(),
            cursor: Cursor::default(),
            metadata: Feed::all().map(|feed| (feed, Remote::default())).collect(),
            releases: Remote::default(),
            order: FeedOrder::default(),
            details: PageState::default(),
            browse: None,
            deleting: None,
            deletions: Deletions::default(),
            choosing: false,
            marks: RowMarks::default(),
            pulling: None,
            health: BTreeMap::new(),
            calendar: None,
            follow: None,
            browser: None,
            left: Vec::new(),
        }
    }
}

impl FeedsTab {
    /// The tab is opened: what is local is read again, for another process may have changed it; of the service only what was never
    /// asked for is.
    fn on_arrival(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.ask_releases(ctx);
        if ctx.facts.lack_of_feeds().is_none() {
            self.ask_metadata(Remote::is_untouched, ctx);
        }
    }

    /// The feed under the cursor.
    fn selected(&self) -> Feed {
        let index = self.cursor.selected(self.metadata.len());
        index
            .and_then(|index| self.metadata.get(index))
            .map_or(Feed::Anonymous, |(feed, _)| *feed)
    }

    /// All that is known of a feed.
    fn known<'a>(&'a self, feed: Feed, jobs: &'a Jobs) -> KnownFeed<'a> {
        KnownFeed::of(
            feed,
            self.metadata_of(feed),
            &self.releases,
            job_of(feed, jobs),
        )
    }

    fn metadata_of(&self, feed: Feed) -> &Remote<Fetched<FeedMetadata>> {
        // Every feed of the catalogue has its row.
        let row = self.metadata.iter().find(|(own, _)| *own == feed);
        row.map_or(&self.metadata[0].1, |(_, metadata)| metadata)
    }

    fn metadata_mut(&mut self, feed: Feed) -> Option<&mut Remote<Fetched<FeedMetadata>>> {
        let mut rows = self.metadata.iter_mut();
        rows.find(|(own, _)| *own == feed)
            .map(|(_, metadata)| metadata)
    }

    fn ask_releases(&mut self, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.releases);
        self.releases.begin(ctx.ask(Question::Releases));
    }

    /// Judges the records of the selected feed's newest local release, unless that was done. All of them are read, so that nothing
    /// else is judged meanwhile, nor anything behind a browser, which needs processors and memory more.
    fn ask_health(&mut self, ctx: &mut UpdateCtx<'_>) {
        let feed = self.selected();
        self.stop_judging(|own| own != feed, ctx);
        if self.browser.is_some() {
            return;
        }
        let Some(newest) = self.known(feed, ctx.jobs).newest().cloned() else {
            return;
        };
        if form_of(&newest) != Format::Json {
            return;
        }
        let health = self.health.entry(feed).or_default();
        let is_known = health
            .value()
            .is_some_and(|health| health.release == newest);
        if !is_known && health.pending().is_none() && health.error().is_none() {
            health.begin(ctx.ask(Question::Health(feed)));
        }
    }

    /// Gives up what is being judged of these feeds; it is begun again where they are selected.
    fn stop_judging(&mut self, of: impl Fn(Feed) -> bool, ctx: &mut UpdateCtx<'_>) {
        for (_, health) in self.health.iter_mut().filter(|(feed, _)| of(**feed)) {
            if ctx.stop(health) {
                *health = Remote::default();
            }
        }
    }

    /// Asks for the metadata of those feeds for which `wanted` says so, each by itself.
    fn ask_metadata(
        &mut self,
        wanted: impl Fn(&Remote<Fetched<FeedMetadata>>) -> bool,
        ctx: &mut UpdateCtx<'_>,
    ) {
        for (feed, metadata) in &mut self.metadata {
            if wanted(metadata) && metadata.pending().is_none() {
                metadata.begin(ctx.ask(Question::Metadata(*feed)));
            }
        }
    }
}
