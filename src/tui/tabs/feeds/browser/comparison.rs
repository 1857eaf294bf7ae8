//! The comparison with another local day: choosing the day, and the keys of the comparison.

use super::{
    Browser, BrowserOverlay,
    cell::price_elsewhere,
    diff::Comparison,
    menu::{Menu, MenuEffect, MenuItem},
};
use crate::{
    contract::LookupQuery,
    model::Day,
    store::{Generation, Manifest, Moment},
    tui::{
        ctx::{UpdateCtx, destination::Destination, intent::Gesture, request::DiffQuery},
        ui::theme::Tone,
    },
};

impl Browser {
    /// Chooses one of these days, the newest first, to compare with.
    pub(super) fn choose_day(&mut self, days: &[Day], ctx: &mut UpdateCtx<'_>) {
        let others: Vec<Day> = days
            .iter()
            .copied()
            .filter(|day| self.query.day != Some(*day))
            .collect();
        let newest = days.first().copied();
        match others.as_slice() {
            [] => {
                let text = format!(
                    "no other day of {} is local: d lists days to download",
                    self.query.feed
                );
                ctx.out.say(Tone::Info, text);
            }
            [only] => self.compare(*only, newest, ctx),
            _ => {
                let item =
                    |day: &Day| MenuItem::new(day.dashed(), "", MenuEffect::Compare(*day, newest));
                let rows = others.iter().map(item).collect();
                self.over = Some(BrowserOverlay::Menu(Menu::new("Compare with", rows)));
            }
        }
    }

    /// Compares with a day. `newest` is the newest local day of the feed.
    pub(in crate::tui::tabs::feeds) fn compare(
        &mut self,
        day: Day,
        newest: Option<Day>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let Some(own) = self.query.day else {
            return ctx
                .out
                .say(Tone::Info, "windows of realtime are not compared");
        };
        let query = DiffQuery {
            feed: self.query.feed,
            from: own.min(day),
            to: own.max(day),
            filter: self.query.filter.clone(),
            kind: None,
        };
        let mut days = Comparison::of(query, newest, ctx);
        days.judge(ctx);
        let browsed = self.held.shown().map(|own| &own.view.release.manifest);
        let browsed = browsed.filter(|own| own.moment == Moment::Day(days.query.to));
        days.generated = browsed.map(Manifest::generation);
        self.over = Some(BrowserOverlay::Days(Box::new(days)));
    }

    /// Marks the comparison as opened from the list of feeds, so that closing it leads back there. The list provides the time
    /// from which the age of the new day counts.
    pub(in crate::tui::tabs::feeds) fn compared_from_list(
        &mut self,
        generated: Option<Generation>,
    ) {
        if let Some(BrowserOverlay::Days(days)) = &mut self.over {
            days.is_from_list = true;
            days.generated = generated.or(days.generated);
        }
    }

    /// The label of Enter in a comparison if it is free.
    pub(in crate::tui::tabs::feeds) fn hint_of_enter(&self) -> Option<&'static str> {
        match &self.over {
            Some(BrowserOverlay::Days(days)) if days.is_free() => Some("look up (free)"),
            _ => None,
        }
    }

    /// Handles a gesture in a comparison.
    pub(super) fn on_days(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(BrowserOverlay::Days(days)) = &mut self.over else {
            return false;
        };
        days.judge(ctx);
        match gesture {
            Gesture::NextPane | Gesture::PreviousPane => {
                let step = if gesture == Gesture::NextPane { 1 } else { -1 };
                days.list(days.kind_beside(step), ctx);
            }
            Gesture::Go(motion) => {
                days.cursor.step(motion, days.rows.len());
                days.priced = None;
                days.follow(ctx);
            }
            Gesture::Open => self.enter_days(ctx),
            Gesture::Escape | Gesture::Quit | Gesture::Back => drop(self.close_over(ctx)),
            Gesture::Cancel => return days.stop(ctx),
            Gesture::Refresh => days.resume(ctx),
            Gesture::Find => {
                self.close_over(ctx);
                self.type_filter(ctx);
                ctx.out.say(
                    Tone::Info,
                    "the filter holds for both days: c compares again",
                );
            }
            _ => return false,
        }
        true
    }

    /// Looks up the selected record: immediately if that is free, else after a first Enter that shows the price.
    fn enter_days(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(BrowserOverlay::Days(days)) = &mut self.over else {
            return;
        };
        if days.rows.is_empty() {
            let text = if days.is_pending() {
                "still comparing: there is no record yet"
            } else {
                "there is no record to look up"
            };
            return ctx.out.say(Tone::Info, text);
        }
        let Some(address) = days.selected().and_then(|row| row.address) else {
            return ctx
                .out
                .say(Tone::Info, "this record has no address to look up");
        };
        if days.is_free() {
            ctx.out.go = Some(Destination::AtHand(LookupQuery::now(address)));
        } else if days.priced == Some(address) {
            ctx.out.go = Some(Destination::Address(LookupQuery::now(address)));
        } else {
            days.priced = Some(address);
            let price = price_elsewhere(ctx);
            let text = format!("{address}: {price}; enter again looks it up");
            ctx.out.say(Tone::Info, text);
        }
    }
}
