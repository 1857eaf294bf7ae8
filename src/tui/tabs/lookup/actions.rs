//! What keys do in the Lookup tab.

use super::{
    Choosing, LookupTab, Part,
    compare::{Compare, Step},
};
use crate::{
    contract::LookupQuery,
    engine::trail::Entry,
    model::{Day, parse_address},
    report::lookup_ticket,
    tui::{
        ctx::{
            UpdateCtx,
            binding::{
                Binding, char, quiet,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            cmd::Cmd,
            intent::{
                Gesture,
                Intent::{Own, Shared},
                Scope, Yank,
            },
            place::Place,
            sheet::Meaning,
            tab::Actions,
            trail::Stop,
        },
        ui::{cursor::Motion, theme::Tone, widgets::calendar::Calendar},
    },
};

/// The tab before anything was looked up.
pub const WELCOME: Scope = Scope::Tab("Start");
/// The tab.
pub(super) const LOOKUP: Scope = Scope::Tab("Lookup");
/// Two records side by side.
pub(super) const COMPARE: Scope = Scope::Tab("Compare");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LookupAction {
    /// Compare two days.
    CompareDates,
    /// The other geolocation.
    Geolocation,
    /// Choose the day of lookups.
    ChooseDate,
    /// Pin an address.
    Pin,
    /// To the trail and back.
    Trail,
    /// Move the first day of a comparison, by this many days.
    StepA(i32),
    /// Move the second day of a comparison, by this many days.
    StepB(i32),
    /// Show rows that are equal, too.
    EqualRows,
    /// Exchange the two sides.
    Swap,
    /// Compare the two geolocations.
    CompareGeolocations,
}

use LookupAction::{
    ChooseDate, CompareDates, CompareGeolocations, EqualRows, Geolocation, Pin, StepA, StepB, Swap,
    Trail,
};

impl Actions for LookupTab {
    type Action = LookupAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<LookupAction>] = &[
        shown(LOOKUP, char('i'), Shared(Gesture::Input), FIRST, "new lookup", "type an address"),
        shown(LOOKUP, char('R'), Shared(Gesture::Refresh), SOON, "ask again (1 query)", "ask the service again: costs a query").sends(),
        shown(LOOKUP, char('d'), Own(CompareDates), FIRST, "compare dates", "choose a day and compare with it"),
        shown(LOOKUP, char('m'), Own(Geolocation), SOON, "geolocation", "the other geolocation: the service's own or mmgeo"),
        shown(LOOKUP, char('D'), Own(ChooseDate), LATER, "date", "choose the day of lookups"),
        shown(LOOKUP, char('w'), Own(Pin), LATER, "pin", "pin the address, or let it go"),
        shown(LOOKUP, char('t'), Own(Trail), LATER, "trail", "to the trail and back"),
        shown(LOOKUP, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
        shown(COMPARE, char('['), Own(StepA(-1)), FIRST, "A -1 day", "move the first day back"),
        quiet(COMPARE, char(']'), Own(StepA(1)), "move the first day on"),
        shown(COMPARE, char('{'), Own(StepB(-1)), FIRST, "B -1 day", "move the second day back"),
        quiet(COMPARE, char('}'), Own(StepB(1)), "move the second day on"),
        shown(COMPARE, char('='), Own(EqualRows), SOON, "equal rows", "show rows that are equal, or hide them"),
        shown(COMPARE, char('s'), Own(Swap), SOON, "swap", "exchange the two sides"),
        shown(COMPARE, char('m'), Own(CompareGeolocations), LATER, "geolocations", "compare the two geolocations of one day"),
    ];

    fn act(&mut self, action: LookupAction, ctx: &mut UpdateCtx<'_>) {
        match action {
            CompareDates if self.case().is_some() => self.choose_day(Choosing::Comparison, ctx),
            CompareDates => {}
            Geolocation => self.switch_geolocation(ctx),
            ChooseDate => self.choose_day(Choosing::Date, ctx),
            Pin => self.pin(ctx),
            Trail => self.other_part(),
            _ => self.act_on_comparison(action, ctx),
        }
    }
}

impl LookupTab {
    /// Does what means something in any tab; says whether it does here.
    pub(super) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.calendar.is_some() {
            return self.on_calendar(gesture, ctx);
        }
        if self.part == Part::Field {
            return self.on_field(gesture, ctx);
        }
        if self.compare.is_some() && self.on_comparison(gesture, ctx) {
            return true;
        }
        match gesture {
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::Open => self.enter(ctx),
            Gesture::Input => self.part = Part::Field,
            Gesture::NextPane | Gesture::PreviousPane => self.other_part(),
            Gesture::Refresh => match self.here {
                Some(query) => self.ask(query, ctx),
                None => ctx.out.say(Tone::Info, "nothing is looked up yet"),
            },
            Gesture::Cancel | Gesture::Escape => return self.escape(gesture, ctx),
            _ => return false,
        }
        true
    }

    fn other_part(&mut self) {
        self.part = if self.part == Part::Trail {
            Part::Page
        } else {
            Part::Trail
        };
    }

    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        match (self.part, self.here) {
            (Part::Trail, _) => self.trail.step(motion, ctx.trail.len()),
            (_, Some(query)) if self.case().is_some() => self.cases.of_mut(query).page.step(motion),
            _ => self.examples.step(motion, ctx.facts.examples.len()),
        };
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.part == Part::Trail {
            let chosen = self.trail.selected(ctx.trail.len());
            let stop = chosen.and_then(|index| {
                ctx.trail
                    .listed()
                    .get(index)
                    .map(|(visit, _)| visit.stop.clone())
            });
            match stop {
                Some(Stop::Address(query)) => self.visit(query, ctx),
                stop => ctx.out.go = stop.map(Place::from),
            }
            return;
        }
        if self.case().is_none() {
            let examples = &ctx.facts.examples;
            let chosen = self
                .examples
                .selected(examples.len())
                .and_then(|index| examples.get(index));
            match chosen.and_then(|(address, _)| parse_address(address).ok()) {
                Some(address) => self.visit(self.query_for(address), ctx),
                None => self.part = Part::Field,
            }
            return;
        }
        match self.row() {
            Some(Meaning {
                lead: Some(place), ..
            }) => ctx.out.go = Some(place),
            Some(_) => ctx.out.say(
                Tone::Info,
                "this row leads nowhere: operators and proxies lead to their tags",
            ),
            None => {}
        }
    }

    fn on_field(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        match gesture {
            Gesture::Open => self.send(ctx),
            Gesture::Go(motion) => self.recall_typed(motion, ctx),
            Gesture::Escape | Gesture::NextPane => self.part = Part::Page,
            Gesture::PreviousPane => self.part = Part::Trail,
            _ => return false,
        }
        true
    }

    /// Puts an address of the trail into the field: up goes back in time, down forward.
    fn recall_typed(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        let mut addresses: Vec<String> = Vec::new();
        for (visit, _) in ctx.trail.listed() {
            if let Stop::Address(query) = &visit.stop
                && !addresses.contains(&query.address.to_string())
            {
                addresses.push(query.address.to_string());
            }
        }
        let here = addresses
            .iter()
            .position(|address| address == self.field.value());
        let next = match (motion, here) {
            (Motion::Up, None) => Some(0),
            (Motion::Up, Some(index)) => Some((index + 1).min(addresses.len() - 1)),
            (Motion::Down, Some(index)) => index.checked_sub(1),
            _ => return,
        };
        match next.and_then(|index| addresses.get(index)) {
            Some(address) => self.field.set(address),
            None => self.field.clear(),
        }
    }

    /// Looks up what is typed.
    fn send(&mut self, ctx: &mut UpdateCtx<'_>) {
        match parse_address(self.field.value()) {
            Ok(address) => self.visit(self.query_for(address), ctx),
            Err(_) if self.field.is_empty() => ctx.out.say(Tone::Info, "type an address first"),
            Err(why) => ctx.out.say(Tone::Error, format!("{why}: nothing was sent")),
        }
    }

    fn switch_geolocation(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.geolocation = self.geolocation.other();
        match self.here {
            Some(query) => {
                let other = LookupQuery {
                    geolocation: query.geolocation.other(),
                    ..query
                };
                self.geolocation = other.geolocation;
                self.visit(other, ctx);
            }
            None => ctx.out.say(
                Tone::Info,
                format!(
                    "lookups ask for the geolocation of {}",
                    self.geolocation.word()
                ),
            ),
        }
    }

    fn pin(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(query) = self.here else { return };
        let on = !ctx.trail.is_pinned(query.address);
        ctx.trail.pin(query.address, on);
        ctx.out.cmd(Cmd::Remember(Entry::Pinned(query.address, on)));
        ctx.out.say(
            Tone::Ok,
            format!(
                "{} {}",
                query.address,
                if on { "pinned" } else { "no longer pinned" }
            ),
        );
    }

    fn escape(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.part == Part::Trail && gesture == Gesture::Escape {
            self.part = Part::Page;
            return true;
        }
        let Some(query) = self.here else { return false };
        let case = self.cases.of_mut(query);
        let was_reading = ctx.stop(&mut case.at_hand);
        if !ctx.stop(&mut case.live) {
            return was_reading;
        }
        ctx.out.say(
            Tone::Warn,
            format!(
                "{}: no longer waiting; the query may have been counted",
                query.address
            ),
        );
        true
    }

    fn on_comparison(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
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

    fn act_on_comparison(&mut self, action: LookupAction, ctx: &mut UpdateCtx<'_>) {
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

    fn choose_day(&mut self, choosing: Choosing, ctx: &mut UpdateCtx<'_>) {
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

    fn on_calendar(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
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

    /// Copies what only this tab makes; says whether there was something of that kind.
    pub(super) fn copy_own(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(compare) = &self.compare
            && matches!(what, Yank::Row | Yank::Value | Yank::Ticket)
        {
            ctx.out
                .copy_lines("differences", compare.as_text(&self.cases));
            return true;
        }
        let Some(case) = self.case().filter(|_| what == Yank::Ticket) else {
            return false;
        };
        let address = case.query.address.to_string();
        let geolocation = case.query.geolocation;
        let note = match (case.live.value(), case.at_hand.value()) {
            (Some(answer), _) => lookup_ticket(&address, geolocation, answer),
            (None, Some(Some(at_hand))) => at_hand.ticket(&address, geolocation),
            _ => return false,
        };
        ctx.out.copy_lines("a ticket note", note);
        true
    }
}
