//! A walk along the days of an address, which the page follows, and the download of what is missing. A walk sends nothing.

use super::{LookupPage, LookupTab, case::LookupCase, days::ShownDays};
use crate::{
    contract::LookupQuery,
    engine::{PullQuery, WantedRelease},
    model::Day,
    tui::{
        ctx::{Destination, Facts, Question, Start, TrailStop, UpdateCtx, Why},
        ui::words,
    },
};

/// The earlier day first.
pub(super) fn in_order(one: LookupQuery, other: LookupQuery) -> [LookupQuery; 2] {
    let key = |own: &LookupQuery| (own.date.is_none(), own.date);
    let mut both = [one, other];
    both.sort_by_key(key);
    both
}

/// What a download is called.
fn label(query: &PullQuery) -> String {
    let day = match query.wanted {
        WantedRelease::Day(day) => day.dashed(),
        WantedRelease::Latest | WantedRelease::Window(_) => String::new(),
    };
    format!("{} {day}", query.feed)
}

impl LookupTab {
    /// Where the walk along the days began, while it goes on.
    pub(super) fn walked_from(&self) -> Option<LookupQuery> {
        let (from, here) = (self.walked_from?, self.here?);
        let is_same = LookupQuery {
            date: from.date,
            ..here
        } == from;
        let is_open = matches!(self.page, LookupPage::Record);
        (is_same && is_open && here != from).then_some(from)
    }

    /// Why there is no walk by so many days.
    pub(super) fn lacks_day(&self, days: i32, today: Day) -> Option<&'static str> {
        let shown = self.case().and_then(|case| case.days.shown());
        let Some(ShownDays { history, .. }) = shown else {
            return Some("no day of it is at hand");
        };
        let day = self.here?.date.unwrap_or(today).plus(days);
        if day < history.from {
            Some("the first day at hand: d chooses an earlier one")
        } else if day > today {
            Some("it is today")
        } else {
            None
        }
    }

    /// Shows the page of a day before or after, with what is local or cached. It is no stop of the trail until one stays.
    pub(super) fn walk(&mut self, days: i32, ctx: &mut UpdateCtx<'_>) {
        let today = Day::of(ctx.out.now);
        let Some(here) = self.here.filter(|_| self.lacks_day(days, today).is_none()) else {
            return;
        };
        let from = self.walked_from().unwrap_or(here);
        let day = here.date.unwrap_or(today).plus(days);
        let query = LookupQuery {
            date: (day < today).then_some(day),
            ..here
        };
        self.show_day(query, ctx);
        self.walked_from = Some(from);
    }

    fn show_day(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        let sibling = self.case().map(|case| case.days.of_sibling());
        let case = self.show_case(query, ctx);
        case.page.start(Start::Lead);
        if let Some(sibling) = sibling.filter(|_| case.days.shown().is_none()) {
            case.days = sibling;
        }
        case.show_days();
        if case.shown().is_none() {
            case.read(ctx);
        }
        case.ask_around(ctx);
    }

    /// Goes back to where the walk began; returns whether there was one.
    pub(super) fn end_walk(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let from = self.walked_from();
        self.walked_from = None;
        if let Some(from) = from {
            self.show_day(from, ctx);
        }
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
        self.walked_from = None;
    }

    /// Why the days around the one shown cannot be downloaded.
    pub(super) fn lacks_download(&self, facts: &Facts) -> Option<Why> {
        let shown = self.case().and_then(|case| case.days.shown());
        if shown.is_none_or(|own| own.missing().is_none()) {
            return Some("that day is not missing".into());
        }
        facts.lack_of_feeds().map(Why::from)
    }

    /// Downloads the days around the one shown that nothing is known of, after a question with their size.
    pub(super) fn download_days(&self, ctx: &mut UpdateCtx<'_>) {
        let missing = self.case().and_then(|case| case.days.shown()?.missing());
        let Some((feed, days)) = missing else {
            return;
        };
        let (first, last) = (days[0].dashed(), days[days.len() - 1].dashed());
        let which = match days.len() {
            1 => first,
            number => format!("{number} days, {first} to {last}"),
        };
        let mut sizes = self.cases.each().filter_map(LookupCase::local_size);
        let size = sizes.find(|(own, _)| *own == feed);
        let size = size.map_or_else(
            || "size not known here".to_owned(),
            |(_, each)| {
                format!(
                    "about {}",
                    words::bytes(each.saturating_mul(days.len() as u64))
                )
            },
        );
        let pulls = days.into_iter().map(|day| PullQuery {
            wanted: WantedRelease::Day(day),
            ..PullQuery::latest(feed)
        });
        let question = format!("Download {feed} of {which}? {size}; no query.");
        let place = Destination::MissingDays(pulls.collect());
        ctx.out.confirm_going(question, place);
    }

    /// Starts these downloads; the page stays.
    pub(super) fn start_downloads(queries: Vec<PullQuery>, ctx: &mut UpdateCtx<'_>) {
        for query in queries {
            ctx.start(label(&query), Question::Pull(query));
        }
    }
}
