//! Choosing a day, and what keys do while two records are side by side.

use super::{
    Choosing, LookupTab,
    actions::LookupAction::{self, CompareGeolocations, EqualRows, StepA, StepB, Swap},
    case::EnterEffect,
    compare::{CompareView, DayStep},
    free_answers::AnswerOrigin,
};
use crate::{
    contract::LookupQuery,
    engine::{OnDisk, answers::replaces_a_query, views::EarlierRecord},
    model::Day,
    tui::{
        ctx::{
            UpdateCtx,
            intent::Gesture,
            request::{FromAnswer as _, Question},
            sheet::Start,
            tab::TabReply,
        },
        ui::{
            theme::Tone,
            widgets::{calendar::Calendar, page::PageState},
        },
    },
};

impl LookupTab {
    pub(super) fn on_comparison(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(compare) = &mut self.compare else {
            return false;
        };
        if let Some(page) = &mut compare.whole {
            match gesture {
                Gesture::Go(motion) => {
                    page.step(motion);
                }
                Gesture::Open | Gesture::Escape | Gesture::Quit | Gesture::Back => {
                    compare.whole = None;
                }
                _ => return false,
            }
            return true;
        }
        match gesture {
            Gesture::Go(motion) => {
                let rows = compare.rows(&self.cases).len();
                compare.cursor.step(motion, rows);
            }
            Gesture::Open if !compare.rows(&self.cases).is_empty() => {
                compare.whole = Some(PageState::default());
            }
            Gesture::Refresh | Gesture::Open => self.ask_for_comparison(ctx),
            Gesture::Escape | Gesture::Quit | Gesture::Back => self.compare = None,
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

    /// Asks for a side of which nothing is shown; an old record that is shown stays, and costs nothing.
    fn ask_if_unknown(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if self.cases.of_mut(query).shown().is_none() {
            self.find(query, ctx);
        }
    }

    pub(super) fn choose_day(&mut self, choosing: Choosing, ctx: &mut UpdateCtx<'_>) {
        let today = Day::of(ctx.out.now);
        let mut known: Vec<Day> = Vec::new();
        if let Some(here) = self.here {
            let days = self.cases.known_days(here);
            known.extend(days.map(|day| day.unwrap_or(today)));
        }
        let before = self.day_before().map(|before| before.day);
        let start = match choosing {
            Choosing::Date => self.date.unwrap_or(today),
            Choosing::Record | Choosing::Comparison => {
                let previous = self.data_day().unwrap_or(today).plus(-1);
                before.unwrap_or(previous)
            }
        };
        let mut calendar = Calendar::new(start, today, known);
        calendar.mark_local(before.into_iter().collect());
        self.calendar = Some((choosing, calendar));
        ctx.ask(Question::Releases);
    }

    /// Marks the days of the local releases that may answer in place of a query, in the calendar that is open.
    pub(super) fn mark_local_days(&mut self, reply: TabReply<'_>) {
        let (Some((_, calendar)), Ok(disk)) = (&mut self.calendar, OnDisk::of_result(reply.result))
        else {
            return;
        };
        let manifests = disk.releases.iter().map(|release| &release.manifest);
        let contexts = manifests.filter(|manifest| replaces_a_query(manifest.feed));
        calendar.mark_local(contexts.map(|manifest| manifest.moment.day()).collect());
    }

    /// The latest local day on which the record that is shown read otherwise.
    pub(super) fn day_before(&self) -> Option<&EarlierRecord> {
        let since = self.case()?.since.value()?.as_ref()?;
        since.before.as_ref()
    }

    /// The day of the data that is shown.
    fn data_day(&self) -> Option<Day> {
        match self.case()?.shown()?.origin {
            AnswerOrigin::Live(asked) | AnswerOrigin::Cached(asked, _) => asked.data_date,
            AnswerOrigin::Local(release, _) => Some(release.manifest.moment.day()),
        }
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

    /// Lookups ask for this day from now on. The record that is shown gives way to that of the day where that is free; else it stays,
    /// and the cursor is on the line that says of which day it is: Enter there asks for the other.
    fn ask_for_day(
        &mut self,
        date: Option<Day>,
        here: Option<LookupQuery>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let geolocation = self.geolocation;
        let other = here.map(|here| LookupQuery {
            date,
            geolocation,
            ..here
        });
        let is_free = |query: &LookupQuery| {
            let is_free = self.is_known(*query) || self.is_said_free(*query, ctx.facts);
            Some(*query) != here && is_free
        };
        let shown = other.filter(is_free);
        self.date = date;
        self.today_for = self.here.filter(|_| date.is_none());
        let words = date.map_or_else(|| "today".to_owned(), Day::dashed);
        if let Some(query) = shown {
            self.visit_at_hand(query, ctx);
        } else if let Some(here) = self.here.filter(|_| self.other_day().is_some()) {
            let page = &mut self.cases.of_mut(here).page;
            page.rewind();
            page.start(Start::Lead);
        }
        let text = match (date, shown) {
            (None, _) => format!("lookups ask for {words}"),
            (Some(_), Some(_)) => {
                format!("lookups ask for {words}, which is shown; esc: for today again")
            }
            (Some(_), None) if self.other_day().is_some() && ctx.facts.lack().is_none() => format!(
                "lookups ask for {words}: enter or R fetches this address (1 query); esc: today"
            ),
            (Some(_), None) => format!("lookups ask for {words}; esc: for today again"),
        };
        ctx.out.say(Tone::Ok, text);
    }

    /// Lookups ask for today again; says whether they asked for another day.
    pub(super) fn ask_for_today(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.date.is_none() {
            return false;
        }
        self.ask_for_day(None, self.here, ctx);
        true
    }

    fn chose(&mut self, choosing: Choosing, date: Option<Day>, ctx: &mut UpdateCtx<'_>) {
        match (choosing, self.here) {
            (Choosing::Date, here) => self.ask_for_day(date, here, ctx),
            (Choosing::Comparison, Some(here)) => {
                let other = LookupQuery { date, ..here };
                let is_free = self.is_said_free(other, ctx.facts);
                let (a, b) = if date.is_some() {
                    (other, here)
                } else {
                    (here, other)
                };
                for query in [a, b] {
                    let is_shown = self.cases.of_mut(query).shown().is_some();
                    if !is_shown && query == other && is_free {
                        self.read_at_hand(query, EnterEffect::Leave, ctx);
                    } else {
                        self.ask_if_unknown(query, ctx);
                    }
                }
                self.compare = Some(CompareView::new(a, b));
            }
            (Choosing::Record, Some(here)) => {
                self.visit_as_priced(LookupQuery { date, ..here }, ctx);
            }
            (Choosing::Record | Choosing::Comparison, None) => {}
        }
    }
}
