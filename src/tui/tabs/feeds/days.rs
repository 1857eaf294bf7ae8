//! What keys do in the list of a feed's days and in that of a day's files.

use super::{
    FeedsFocus, FeedsTab,
    actions::pull,
    browse::{Browse, BrowseTarget},
    browser::first_order,
};
use crate::{
    contract::{Feed, Format, catalog::MmdbForm},
    engine::{Error, Pinned, views::ViewQuery},
    model::Day,
    store::{Filter, Moment, layout::Release},
    tui::{
        ctx::{UpdateCtx, destination::Destination, intent::Gesture, request::Question},
        ui::theme::Tone,
    },
};

impl FeedsTab {
    /// Whether a list of days or files has the focus.
    pub(super) fn is_in_days(&self) -> bool {
        self.browse.is_some() && self.part == FeedsFocus::Details
    }

    /// Opens the days of a feed: what is local needs no right to the service's list.
    pub(super) fn open_days(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        let here: Vec<Release> = self
            .known(feed, ctx.jobs)
            .here
            .into_iter()
            .cloned()
            .collect();
        let here: Vec<&Release> = here.iter().collect();
        self.browse = Some(Browse::open(feed, &here, ctx));
        self.part = FeedsFocus::Details;
    }

    /// What is local was read again.
    pub(super) fn show_local_days(&mut self, ctx: &UpdateCtx<'_>) {
        let Some(feed) = self.browse.as_ref().map(|browse| browse.feed) else {
            return;
        };
        let here: Vec<Release> = self
            .known(feed, ctx.jobs)
            .here
            .into_iter()
            .cloned()
            .collect();
        let here: Vec<&Release> = here.iter().collect();
        if let Some(browse) = &mut self.browse {
            browse.show_local(&here);
        }
    }

    /// Does what means something in these lists; returns whether it does.
    pub(super) fn on_browse(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.part != FeedsFocus::Details {
            // The table goes on to work beside the lists; another feed closes them.
            if matches!(gesture, Gesture::Go(_)) {
                self.close_browse(ctx);
            }
            return false;
        }
        let Some(browse) = &mut self.browse else {
            return false;
        };
        let feed = browse.feed;
        match gesture {
            Gesture::Go(motion) => browse.step(motion, ctx),
            Gesture::Refresh => browse.refresh(ctx),
            Gesture::Find => self.calendar = Some(browse.calendar(ctx)),
            Gesture::Cancel => return browse.cancel(ctx),
            Gesture::Escape | Gesture::Quit => {
                if !browse.close(ctx) {
                    self.browse = None;
                    self.part = FeedsFocus::Table;
                }
            }
            Gesture::Open => match browse.enter(ctx) {
                Ok(BrowseTarget::Inside) => {}
                Ok(BrowseTarget::Pull(query)) => pull(query, ctx),
                Ok(BrowseTarget::Browse(day)) => browse_day(feed, day, ctx),
                Err(why) => ctx.out.say(Tone::Info, why),
            },
            _ => return false,
        }
        true
    }

    /// A key in the calendar over the lists.
    pub(super) fn on_calendar(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(calendar) = &mut self.calendar else {
            return false;
        };
        match gesture {
            Gesture::Go(motion) => calendar.step(motion),
            Gesture::Today => calendar.select(Day::of(ctx.out.now)),
            Gesture::Escape | Gesture::Quit => self.calendar = None,
            Gesture::Open => match calendar.chosen() {
                Ok(day) => {
                    self.calendar = None;
                    if let Some(browse) = &mut self.browse {
                        browse.pick(day, ctx);
                    }
                }
                Err(why) => ctx.out.say(Tone::Error, why),
            },
            _ => return false,
        }
        true
    }

    /// Closes all lists.
    pub(super) fn close_browse(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(mut browse) = self.browse.take() {
            while browse.close(ctx) {}
        }
        self.part = FeedsFocus::Table;
    }

    /// Compares a local day, the selected one or the newest, with the nearest local one before it, else after it. Where there is none, the
    /// list of days is at the one to download.
    pub(super) fn compare_days(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        let in_list = self.browse.as_ref().filter(|_| self.is_in_days());
        let selected = in_list.map(|browse| (browse.feed, browse.selected()));
        let (feed, selected) = selected.unwrap_or((feed, None));
        let days: Vec<Day> = self.local_days(feed).collect();
        let chosen = selected.map(Moment::day);
        let Some(own) = chosen.or(days.first().copied()) else {
            let text = format!("no day of {feed} is local: p downloads the latest");
            return ctx.out.say(Tone::Info, text);
        };
        let before = days.iter().copied().filter(|day| *day < own).max();
        let other = before.or_else(|| days.iter().copied().filter(|day| *day > own).min());
        let missing = if days.contains(&own) {
            own.plus(-1)
        } else {
            own
        };
        if let Some(other) = other.filter(|_| missing != own) {
            let generated = self.generated(feed, own.max(other));
            self.browse(&records_of(feed, own), ctx);
            if let Some(browser) = &mut self.browser {
                browser.compare(other, days.first().copied(), ctx);
                browser.compared_from_list(generated);
            }
            return;
        }
        if in_days_of(self.browse.as_ref(), feed).is_none() {
            self.open_days(feed, ctx);
        }
        self.part = FeedsFocus::Details;
        if let Some(browse) = &mut self.browse {
            browse.pick(missing, ctx);
        }
        let missing = missing.dashed();
        let text = format!("{feed} {missing} is not local: p downloads it, c compares then");
        ctx.out.say(Tone::Info, text);
    }

    /// Downloads what is selected in the list.
    pub(super) fn pull_selected(&mut self, form: Format, ctx: &mut UpdateCtx<'_>) {
        let Some(browse) = &self.browse else {
            return;
        };
        if form == Format::Mmdb && browse.feed.row().mmdb == MmdbForm::No {
            let why = format!("the feed {} has no MMDB form", browse.feed);
            return ctx.out.say(Tone::Info, why);
        }
        match browse.wanted(form) {
            Ok(query) => pull(query, ctx),
            Err(why) => ctx.out.say(Tone::Info, why),
        }
    }

    /// Pins the local release that is selected in the list, else the newest one of the feed; or leaves it to the keep rule again.
    pub(super) fn pin(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        let in_list = self.browse.as_ref().filter(|_| self.is_in_days());
        let selected = in_list.map(|browse| (browse.feed, browse.selected()));
        let (feed, moment) = match selected {
            Some((feed, Some(moment))) => (feed, Some(moment)),
            Some((_, None)) => return ctx.out.say(Tone::Info, "there is nothing to pin"),
            None => (feed, None),
        };
        let known = self.known(feed, ctx.jobs);
        let release = match moment {
            Some(moment) => known
                .here
                .iter()
                .copied()
                .find(|own| own.manifest.moment == moment),
            None => known.newest(),
        };
        let Some(manifest) = release.map(|release| &release.manifest) else {
            return;
        };
        let asked = Question::Pin(feed, manifest.moment, !manifest.pinned_by_hand);
        ctx.ask(asked);
    }

    /// A release was pinned, or is no longer.
    pub(super) fn pinned(&mut self, result: Result<Pinned, Error>, ctx: &mut UpdateCtx<'_>) {
        match result {
            Ok(Pinned {
                feed,
                moment,
                is_pinned,
            }) => {
                let moment = moment.dashed();
                let text = if is_pinned {
                    format!(
                        "{feed} {moment} is pinned: only X removes it; details and dates mark it"
                    )
                } else {
                    format!("{feed} {moment} is no longer pinned: newer releases clear it away")
                };
                ctx.out.say(Tone::Ok, text);
                self.ask_releases(ctx);
            }
            Err(error) => ctx.out.say(Tone::Error, error.message),
        }
    }
}

/// The days of a feed, where they are open.
fn in_days_of(browse: Option<&Browse>, feed: Feed) -> Option<&Browse> {
    browse.filter(|browse| browse.feed == feed && browse.files.is_none())
}

/// All records of a day's newest local release.
fn records_of(feed: Feed, day: Day) -> ViewQuery {
    ViewQuery {
        feed,
        day: Some(day),
        filter: Filter::default(),
        order: first_order(feed),
    }
}

/// Opens the records of a day's newest local release.
fn browse_day(feed: Feed, day: Day, ctx: &mut UpdateCtx<'_>) {
    ctx.out.go = Some(Destination::Browse(records_of(feed, day)));
}
