//! Choosing a day, and what keys do while two records stand side by side.

use super::{
    Choosing, LookupTab,
    actions::LookupAction::{self, CompareGeolocations, EqualRows, StepA, StepB, Swap},
    compare::{Compare, Step},
};
use crate::{
    contract::LookupQuery,
    model::Day,
    tui::{
        ctx::{UpdateCtx, intent::Gesture},
        ui::{theme::Tone, widgets::calendar::Calendar},
    },
};

impl LookupTab {
    pub(super) fn on_comparison(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(compare) = &mut self.compare else {
            return false;
        };
        match gesture {
            Gesture::Go(motion) => {
                let rows = compare.rows(&self.cases).len();
                compare.cursor.step(motion, rows);
            }
            // Stepping past a day must not spend a query on it: Enter or R asks for what stands there then.
            Gesture::Refresh | Gesture::Open => self.ask_for_comparison(ctx),
            Gesture::Escape | Gesture::Quit => self.compare = None,
            _ => return false,
        }
        true
    }

    pub(super) fn act_on_comparison(&mut self, action: LookupAction, ctx: &mut UpdateCtx<'_>) {
        let today = Day::of(ctx.out.now);
        let Some(compare) = &mut self.compare else {
            return;
        };
        match action {
            StepA(days) => compare.a.step(days, today),
            StepB(days) => compare.b.step(days, today),
            EqualRows => compare.equal_rows = !compare.equal_rows,
            Swap => std::mem::swap(&mut compare.a, &mut compare.b),
            CompareGeolocations => {
                compare.b.date = compare.a.date;
                compare.b.geolocation = compare.a.geolocation.other();
                self.ask_for_comparison(ctx);
            }
            _ => {}
        }
    }

    fn ask_for_comparison(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some((a, b)) = self.compare.as_ref().map(|compare| (compare.a, compare.b)) {
            self.ask_if_unknown(a, ctx);
            self.ask_if_unknown(b, ctx);
        }
    }

    fn ask_if_unknown(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if !self.cases.of_mut(query).is_known() {
            self.find(query, ctx);
        }
    }

    pub(super) fn choose_day(&mut self, choosing: Choosing, ctx: &mut UpdateCtx<'_>) {
        let today = Day::of(ctx.out.now);
        let known = self.here.map(|here| {
            let days = self.cases.known_days(here.address);
            days.map(|day| day.unwrap_or(today)).collect()
        });
        let start = match choosing {
            Choosing::Date => self.date.unwrap_or(today),
            Choosing::Comparison => today.plus(-1),
        };
        self.calendar = Some((
            choosing,
            Calendar::new(start, today, known.unwrap_or_default()),
        ));
    }

    pub(super) fn on_calendar(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let today = Day::of(ctx.out.now);
        let Some((choosing, calendar)) = &mut self.calendar else {
            return false;
        };
        match gesture {
            Gesture::Go(motion) => calendar.step(motion),
            Gesture::Today => calendar.select(today),
            Gesture::Escape | Gesture::Quit => self.calendar = None,
            Gesture::Open => match calendar.chosen() {
                Ok(day) => {
                    let choosing = *choosing;
                    self.calendar = None;
                    self.chose(choosing, (day != today).then_some(day), ctx);
                }
                Err(why) => ctx.out.say(Tone::Error, why),
            },
            _ => return false,
        }
        true
    }

    fn chose(&mut self, choosing: Choosing, date: Option<Day>, ctx: &mut UpdateCtx<'_>) {
        match (choosing, self.here) {
            (Choosing::Date, _) => {
                self.date = date;
                let words = date.map_or_else(|| "today".to_owned(), |day| day.to_string());
                ctx.out.say(Tone::Ok, format!("lookups ask for {words}"));
            }
            (Choosing::Comparison, Some(here)) => {
                let other = LookupQuery { date, ..here };
                let (a, b) = if date.is_some() {
                    (other, here)
                } else {
                    (here, other)
                };
                self.ask_if_unknown(a, ctx);
                self.ask_if_unknown(b, ctx);
                self.compare = Some(Compare::new(a, b));
            }
            (Choosing::Comparison, None) => {}
        }
    }
}
