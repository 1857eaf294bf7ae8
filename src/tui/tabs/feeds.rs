//! The Feeds tab: the service's releases, the local ones, and the downloads.

mod browser;
mod browsers;
mod days;
mod deletions;
mod feed_row;
mod follow;
mod keys;
mod known_feeds;
mod releases;
mod status;
mod tab;
#[cfg(test)]
mod tests;
pub mod view;

use ratatui::layout::{Constraint, Layout, Rect};

use crate::{
    contract::Feed,
    engine::{PullQuery, views::ViewQuery},
    store::Moment,
    tui::{
        ctx::{Gesture, HeldRows, List, TrailStop, UpdateCtx},
        ui::{Motion, PageState, Tone},
    },
};
use browsers::{Browsers, records_of};
use days::Days;
use deletions::Deletions;
use feed_row::{CATALOGUE, FeedRow};
use follow::Follow;
use known_feeds::{KnownFeeds, pull};
use status::FeedStatus;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FeedsFocus {
    #[default]
    Table,
    /// What is known of the selected one, or its days.
    Details,
}

/// The panes, by their numbers.
const PANES: [FeedsFocus; 2] = [FeedsFocus::Table, FeedsFocus::Details];

#[derive(Debug)]
pub struct FeedsTab {
    part: FeedsFocus,
    known: KnownFeeds,
    list: List<HeldRows<FeedRow>>,
    /// The feed that is opened once it is known what is local.
    opening: Option<Feed>,
    details: PageState,
    /// The days of a feed, where they are open.
    days: Option<Days>,
    deletions: Deletions,
    follow: Option<Follow>,
    browsers: Browsers,
}

impl Default for FeedsTab {
    fn default() -> Self {
        let mut list = List::default();
        list.hide(CATALOGUE, true);
        list.select(Feed::Anonymous);
        Self {
            part: FeedsFocus::default(),
            known: KnownFeeds::default(),
            list,
            opening: None,
            details: PageState::default(),
            days: None,
            deletions: Deletions::default(),
            follow: None,
            browsers: Browsers::default(),
        }
    }
}

/// Where the parts of the tab are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FeedsAreas {
    table: Rect,
    /// What is known of the selected one, or its days.
    details: Rect,
    /// Its days on a tall and wide screen, or its local releases; empty on others.
    beside: Rect,
}

impl FeedsAreas {
    /// Lines that the details keep, where the table does not fit as a whole.
    const LEAST: u16 = 5;
    /// The size from which there is room for the days beside the details.
    const LARGE: (u16, u16) = (180, 45);
    /// Cells of the days.
    const BESIDE: u16 = 80;
    /// Cells from which on a row has room for all words of its state.
    const WIDE: u16 = 92;

    fn of(body: Rect) -> Self {
        let feeds = u16::try_from(Feed::all().count()).unwrap_or(u16::MAX);
        let rows = (feeds + 3).min(body.height.saturating_sub(Self::LEAST));
        let [table, details] =
            Layout::vertical([Constraint::Length(rows), Constraint::Min(0)]).areas(body);
        let (width, height) = Self::LARGE;
        let is_large = body.width >= width && body.height >= height;
        let beside = if is_large { Self::BESIDE } else { 0 };
        let [details, beside] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(beside)]).areas(details);
        Self {
            table,
            details,
            beside,
        }
    }
}

impl FeedsTab {
    /// The feed under the cursor.
    fn selected(&self) -> Feed {
        self.list.selected().copied().unwrap_or(Feed::Anonymous)
    }

    /// The days of a feed, where they have the focus.
    fn days_in_focus(&self) -> Option<&Days> {
        self.days
            .as_ref()
            .filter(|_| self.part == FeedsFocus::Details)
    }

    /// Makes the rows anew, and judges the selected feed. Nothing is judged behind a browser, which needs processors and memory
    /// more.
    fn update(&mut self, ctx: &mut UpdateCtx<'_>) {
        let is_narrow = ctx.body.width < FeedsAreas::WIDE;
        let row = |feed: Feed| {
            let known = self.known.of(feed, ctx.jobs);
            let follow = self.follow.as_ref().filter(|_| feed == Feed::Realtime);
            let state = follow.map_or_else(
                || FeedStatus::of(&known, ctx.out.now),
                |follow| FeedStatus::new(Tone::Info, follow.words()),
            );
            FeedRow::new(&known, state, is_narrow, ctx.out.now)
        };
        self.list.fill(Feed::all().map(row).collect());
        if let Some(days) = &mut self.days {
            days.update(&self.known.of(days.feed, ctx.jobs));
        }
        let judged = Some(self.selected()).filter(|_| self.browsers.front.is_none());
        self.known.judge(judged, ctx);
        if let Some(browser) = &mut self.browsers.front {
            let (feed, day) = (browser.query().feed, browser.query().day);
            browser.days = match day {
                Some(day) => self.known.days_beside(feed, day),
                None => self.known.local_days(feed).collect(),
            };
            browser.update(ctx);
        }
    }

    /// Moves in the part that has the focus; another feed closes the days.
    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        if self.part == FeedsFocus::Details {
            self.details.step(motion);
            return;
        }
        self.close_days(ctx);
        let before = self.selected();
        self.list.on(Gesture::Go(motion), ctx.out);
        if self.selected() != before {
            self.details = PageState::default();
        }
    }

    /// Opens the days of a feed: what is local needs no right to the service's list.
    fn open_days(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        self.days = Some(Days::open(feed, ctx));
        self.part = FeedsFocus::Details;
    }

    fn close_days(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(mut days) = self.days.take() {
            while days.close(ctx) {}
        }
        self.part = FeedsFocus::Table;
    }

    /// Opens the records of a feed and puts them on the trail.
    fn browse(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        ctx.trail.visit(TrailStop::View(query.clone()), ctx.out.now);
        self.show_view(query, ctx);
    }

    /// Shows the records of a feed as they were left.
    fn show_view(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        self.known.judge(None, ctx);
        self.browsers.show(query, ctx);
        self.known.read_disk_once(ctx);
    }

    /// Opens a feed of the table: its newest local records, else it is downloaded. Waits until local releases were read: before, a local
    /// feed would be downloaded.
    fn open(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        if self.known.is_reading_disk() {
            self.opening = Some(feed);
        } else if let Some(why) = self.known.lack_of_disk() {
            ctx.out.say(Tone::Error, why);
        } else if self.known.is_local(feed) {
            self.browse_newest(feed, ctx);
        } else {
            pull(PullQuery::latest(feed), ctx);
        }
    }

    /// Opens the newest local records of a feed from the table.
    fn browse_newest(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        self.browse(&records_of(feed, None), ctx);
        if let Some(browser) = &mut self.browsers.front {
            browser.is_from_table = true;
        }
    }

    /// Goes to the list of feeds, wherever in the tab one is. Records stay as they are, and on the trail.
    fn go_home(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.close_days(ctx);
        if let Some(left) = self.browsers.leave(ctx) {
            self.list.select(left.feed);
            let text = "the list of feeds; backspace leads back to the records";
            ctx.out.say(Tone::Info, text);
        }
    }

    /// Goes back to the table of feeds.
    fn close_browser(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(left) = self.browsers.leave(ctx) {
            self.list.select(left.feed);
            if ctx.trail.here() == Some(&TrailStop::View(left)) {
                ctx.trail.back();
            }
        }
        if self.known.is_untouched() {
            self.known.load(ctx);
        }
    }

    /// Compares a local day, the selected one or the newest, with the nearest local one before it, else after it. Where there is none, the
    /// list of days is at the one to download.
    fn compare_days(&mut self, ctx: &mut UpdateCtx<'_>) {
        let days = self.days_in_focus();
        let feed = days.map_or_else(|| self.selected(), |days| days.feed);
        let chosen = days.and_then(Days::selected).map(Moment::day);
        let Some(own) = chosen.or_else(|| self.known.local_days(feed).next()) else {
            return;
        };
        let local = self.known.days_beside(feed, own);
        let is_local = local.contains(&own);
        let before = local.iter().copied().filter(|day| *day < own).max();
        let after = || local.iter().copied().filter(|day| *day > own).min();
        if let Some(other) = before.or_else(after).filter(|_| is_local) {
            let generated = self.known.generated(feed, own.max(other));
            self.browse(&records_of(feed, Some(own)), ctx);
            if let Some(browser) = &mut self.browsers.front {
                browser.days = local;
                browser.compare(other, ctx);
                browser.compared_from_list(generated);
            }
            return;
        }
        let missing = if is_local { own.plus(-1) } else { own };
        if !self.days.as_ref().is_some_and(|days| days.are_of(feed)) {
            self.open_days(feed, ctx);
        }
        self.part = FeedsFocus::Details;
        if let Some(days) = &mut self.days {
            days.pick(missing, ctx);
        }
        let missing = missing.dashed();
        let text = format!("{feed} {missing} is not local: p downloads it, c compares then");
        ctx.out.say(Tone::Info, text);
    }
}
