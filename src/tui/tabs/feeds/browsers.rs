//! Which browser is in front, and those that were left: coming back finds their rows, scroll and filter.

use super::{
    FeedsTab,
    browser::{Browser, first_order},
    known_feed::form_of,
};
use crate::{
    contract::{Feed, Format},
    engine::views::ViewQuery,
    model::Day,
    store::{Filter, Generation, Manifest, Moment},
    tui::{
        ctx::{UpdateCtx, trail::TrailStop},
        ui::theme::Tone,
    },
};

/// Browsers that are kept beside the one in front.
const MOST: usize = 12;

impl FeedsTab {
    /// Opens the records of a feed and puts them on the trail.
    pub(super) fn browse(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        ctx.trail.visit(TrailStop::View(query.clone()), ctx.out.now);
        self.show_view(query, ctx);
    }

    /// Opens the newest local records of a feed from the table; returns whether there are any.
    pub(super) fn browse_newest(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) -> bool {
        if !self.is_local(feed) {
            return false;
        }
        let query = ViewQuery {
            feed,
            day: None,
            filter: Filter::default(),
            order: first_order(feed),
        };
        self.browse(&query, ctx);
        if let Some(browser) = &mut self.browser {
            browser.is_from_table = true;
        }
        true
    }

    /// Shows the records of a feed as they were left.
    pub(super) fn show_view(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        if let Some(front) = self.browser.as_mut().filter(|own| own.query() == query) {
            return front.resume(ctx);
        }
        self.leave_browser(ctx);
        let at = self.left.iter().position(|left| left.query() == query);
        let mut browser = match at {
            Some(at) => self.left.remove(at),
            None => Browser::open(query.clone(), ctx),
        };
        self.stop_judging(|_| true, ctx);
        browser.resume(ctx);
        self.browser = Some(browser);
        if self.releases.is_untouched() {
            self.ask_releases(ctx);
        }
    }

    /// Goes to the list of feeds, wherever in the tab one is. Records stay as they are, and on the trail.
    pub(super) fn leave_for_list(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.calendar = None;
        self.deleting = None;
        self.choosing = false;
        self.close_browse(ctx);
        if let Some(browser) = &self.browser {
            self.point_at_feed(browser.query().feed);
            self.leave_browser(ctx);
            self.ask_health(ctx);
            let text = "the list of feeds; backspace leads back to the records";
            ctx.out.say(Tone::Info, text);
        }
    }

    /// Puts the cursor on a feed.
    fn point_at_feed(&self, feed: Feed) {
        let mut rows = self.metadata.iter();
        if let Some(at) = rows.position(|(own, _)| *own == feed) {
            self.cursor.select(at, self.metadata.len());
        }
    }

    /// Goes back to the table of feeds.
    pub(super) fn close_browser(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(browser) = &self.browser {
            self.point_at_feed(browser.query().feed);
        }
        let was_here = self.browser.as_ref().is_some_and(|browser| {
            ctx.trail.here() == Some(&TrailStop::View(browser.query().clone()))
        });
        self.leave_browser(ctx);
        if was_here {
            ctx.trail.back();
        }
        if self
            .metadata
            .iter()
            .all(|(_, metadata)| metadata.is_untouched())
        {
            self.on_arrival(ctx);
        }
        self.ask_health(ctx);
    }

    fn leave_browser(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(mut browser) = self.browser.take() else {
            return;
        };
        browser.leave(ctx);
        self.left.retain(|left| left.query() != browser.query());
        if self.left.len() == MOST {
            self.left.remove(0);
        }
        self.left.push(browser);
    }

    /// The local days of a feed, the newest first.
    pub(super) fn local_days(&self, feed: Feed) -> impl Iterator<Item = Day> {
        let disk = self.releases.value();
        let releases = disk.into_iter().flat_map(|disk| &disk.releases);
        let own = releases.filter(move |release| {
            release.manifest.feed == feed && form_of(release) == Format::Json
        });
        own.filter_map(|release| match release.manifest.moment {
            Moment::Day(day) => Some(day),
            Moment::Window(_) => None,
        })
    }

    /// From when the age of a local day counts.
    pub(super) fn generated(&self, feed: Feed, day: Day) -> Option<Generation> {
        let releases = &self.releases.value()?.releases;
        let mut manifests = releases
            .iter()
            .filter(|release| form_of(release) == Format::Json)
            .map(|release| &release.manifest);
        let own = manifests.find(|own| own.feed == feed && own.moment == Moment::Day(day));
        own.map(Manifest::generation)
    }

    /// Whether a release of the feed is local in a form that can be browsed.
    pub(super) fn is_local(&self, feed: Feed) -> bool {
        let disk = self.releases.value();
        disk.is_some_and(|disk| {
            let mut releases = disk.releases.iter();
            releases.any(|own| own.manifest.feed == feed && form_of(own) == Format::Json)
        })
    }
}
