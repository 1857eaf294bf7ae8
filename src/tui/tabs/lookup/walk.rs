//! A walk along the days of an address, which the page follows, and the download of what is missing. A walk sends nothing.

use super::{
    Front, LookupTab,
    case::LookupCase,
    days::{ShownDays, Walk},
};
use crate::{
    contract::{Feed, LookupQuery},
    engine::{PullQuery, WantedRelease},
    model::Day,
    tui::{
        ctx::{Destination, Facts, Question, Start, TrailStop, UpdateCtx, Why},
        ui::words,
    },
};

/// The earlier day first.
pub(super) fn in_order(one: LookupQuery, other: LookupQuery) -> [LookupQuery; 2] {
    let mut both = [one, other];
    // No date is today.
    both.sort_by_key(|query| (query.date.is_none(), query.date));
    both
}

impl LookupTab {
    /// Where the walk along the days began, while its page has the keys.
    pub(super) fn walked_from(&self) -> Option<LookupQuery> {
        let walk = self.walk?;
        let is_there = self.here == Some(walk.at) && matches!(self.front(), Front::Record(_));
        is_there.then_some(walk.from)
    }

    /// The day of a step from the page.
    fn day_of_step(&self, days: i32, today: Day) -> Option<Day> {
        let shown = self.case()?.days.shown().map(|days| days.day);
        // Where today is asked for, the data may be of the day before.
        let base = self.here?.date.or(shown).unwrap_or(today);
        Some(base.plus(days))
    }

    /// Why there is no walk by so many days.
    pub(super) fn lacks_day(&self, days: i32, today: Day) -> Option<&'static str> {
        let shown = self.case().and_then(|case| case.days.shown());
        let Some(ShownDays { history, .. }) = shown else {
            return Some("no day of it is local or cached");
        };
        let is_today = self.here?.date.is_none();
        match self.day_of_step(days, today)? {
            day if day < history.from => Some("no earlier day is at hand: d chooses one"),
            _ if is_today && days > 0 => Some("it is today"),
            _ => None,
        }
    }

    /// Shows the page of a day before or after, with what is local or cached. It is no stop of the trail until one stays.
    pub(super) fn step_day(&mut self, days: i32, ctx: &mut UpdateCtx<'_>) {
        let today = Day::of(ctx.out.now);
        let Some(here) = self.here.filter(|_| self.lacks_day(days, today).is_none()) else {
            return;
        };
        let from = self.walked_from().unwrap_or(here);
        let day = self.day_of_step(days, today).unwrap_or(today);
        let query = LookupQuery {
            date: (day < today).then_some(day),
            ..here
        };
        let is_new = self.cases.of(query).is_none();
        self.show_day(query, ctx);
        self.walk = (query != from).then_some(Walk {
            from,
            at: query,
            is_new,
        });
    }

    fn show_day(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        let left = self
            .walk
            .take()
            .filter(|walk| walk.is_new && walk.at != query);
        let sibling = self.case().map(|case| case.days.of_sibling());
        let case = self.show_case(query, ctx);
        case.page.rewind();
        if case.pivots.value().is_some() {
            case.page.start(Start::LeadInView);
        }
        if let Some(sibling) = sibling.filter(|_| case.days.is_untouched()) {
            case.days = sibling;
            case.show_days();
        }
        case.attend(ctx);
        if let Some(left) = left {
            self.cases.close(left.at, ctx);
        }
    }

    /// Goes back to where the walk began; returns whether there was one.
    pub(super) fn end_walk(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let from = self.walked_from();
        if let Some(from) = from {
            self.show_day(from, ctx);
        }
        self.walk = None;
        from.is_some()
    }

    /// Ends the walk on this day, which becomes a stop of the trail.
    pub(super) fn stay(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(here) = self.here.filter(|_| self.walked_from().is_some()) {
            ctx.trail.visit(TrailStop::Address(here), ctx.out.now);
            if let Some(number) = ctx.trail.number() {
                self.trail.select(number);
            }
        }
        self.walk = None;
    }

    /// Why the days around the one shown cannot be downloaded.
    pub(super) fn lacks_download(&self, facts: &Facts) -> Option<Why> {
        match self.case().and_then(|case| case.days.shown()) {
            None => Some("no day is local: 4 opens Feeds, p there downloads one".into()),
            Some(days) if days.missing().is_empty() => {
                Some("this day is known: [ and ] walk to one that is not".into())
            }
            Some(_) => facts.lack_of_feeds().map(Why::from),
        }
    }

    /// Downloads the days around the one shown that nothing is known of, after a question with their size.
    pub(super) fn download_days(&self, ctx: &mut UpdateCtx<'_>) {
        let shown = self.case().and_then(|case| case.days.shown());
        let missing = shown.map(ShownDays::missing).unwrap_or_default();
        let (Some((feed, first)), Some((_, last))) = (missing.first(), missing.last()) else {
            return;
        };
        let which = match missing.len() {
            1 => first.dashed(),
            number => format!("{number} days, {} to {}", first.dashed(), last.dashed()),
        };
        let size_of = |feed: Feed| {
            let mut sizes = self.cases.each().filter_map(LookupCase::local_size);
            sizes
                .find(|(other, _)| *other == feed)
                .map(|(_, size)| size)
        };
        let sizes: Option<Vec<u64>> = missing.iter().map(|(feed, _)| size_of(*feed)).collect();
        let size = sizes.map_or_else(
            || "Size unknown".to_owned(),
            |sizes| {
                format!(
                    "about {}",
                    words::bytes(sizes.into_iter().fold(0, u64::saturating_add))
                )
            },
        );
        let more = missing.iter().any(|(other, _)| other != feed);
        let more = if more { " and other feeds" } else { "" };
        let question = format!("Download {feed}{more} of {which}? {size}, no query.");
        ctx.out
            .confirm_going(question, Destination::MissingDays(missing));
    }

    /// Starts these downloads, those of a feed one after the other; the page stays.
    pub(super) fn start_downloads(missing: Vec<(Feed, Day)>, ctx: &mut UpdateCtx<'_>) {
        for (feed, day) in missing {
            let query = PullQuery {
                wanted: WantedRelease::Day(day),
                wait: true,
                ..PullQuery::latest(feed)
            };
            ctx.start(format!("{feed} {}", day.dashed()), Question::Pull(query));
        }
    }
}
