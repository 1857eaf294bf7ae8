//! Another local day beside the one that is browsed: choosing it, and what keys do while both are compared.

use super::{
    Browser, Over,
    cell::price_elsewhere,
    diff::Comparison,
    menu::{Item, Menu, Then},
};
use crate::{
    contract::LookupQuery,
    model::Day,
    store::diff::Kind,
    tui::{
        ctx::{UpdateCtx, intent::Gesture, place::Place, request::DiffQuery},
        ui::theme::Tone,
    },
};

impl Browser {
    /// Chooses another of these days to compare with.
    pub(super) fn choose_day(&mut self, days: &[Day], ctx: &mut UpdateCtx<'_>) {
        let others: Vec<Day> = days
            .iter()
            .copied()
            .filter(|day| self.query.day != Some(*day))
            .collect();
        match others.as_slice() {
            [] => {
                let text = format!(
                    "no other day of {} is local: d in the list of feeds downloads one",
                    self.query.feed
                );
                ctx.out.say(Tone::Info, text);
            }
            [only] => self.compare(*only, ctx),
            _ => {
                let item = |day: &Day| Item::new(day.dashed(), "", Then::Compare(*day));
                let rows = others.iter().map(item).collect();
                self.over = Some(Over::Menu(Menu::new("Compare with", rows)));
            }
        }
    }

    /// Compares with a day.
    pub(super) fn compare(&mut self, day: Day, ctx: &mut UpdateCtx<'_>) {
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
        };
        self.over = Some(Over::Days(Comparison::of(query, ctx)));
    }

    /// A key while two days are compared.
    pub(super) fn on_days(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(Over::Days(days)) = &mut self.over else {
            return false;
        };
        match gesture {
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
                ctx.out.say(
                    Tone::Info,
                    "the filter of the records holds here: esc, then / changes it",
                );
            }
            _ => return false,
        }
        true
    }

    /// Looks the record up that the days do not share: at once where that is free, else after its price was said.
    fn enter_days(&mut self, ctx: &mut UpdateCtx<'_>) {
        let is_free = self.is_free(ctx.facts, ctx.out.now);
        let Some(Over::Days(days)) = &mut self.over else {
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
        let Some((kind, Some(address))) = days.selected().map(|row| (row.kind, row.address)) else {
            return ctx
                .out
                .say(Tone::Info, "this record has no address to look up");
        };
        let is_free = is_free && self.query.day == Some(days.query.to) && kind != Kind::Deleted;
        if is_free {
            ctx.out.go = Some(Place::AtHand(LookupQuery::now(address)));
        } else if days.priced == Some(address) {
            ctx.out.go = Some(Place::Address(LookupQuery::now(address)));
        } else {
            days.priced = Some(address);
            let price = price_elsewhere(ctx);
            let text = format!("{address}: {price}; enter again looks it up");
            ctx.out.say(Tone::Info, text);
        }
    }
}
