//! What keys that mean something in any tab do in this one: moving, opening, going back, stopping, copying.

use super::{
    LookupTab, Part,
    at_hand::{Found, Origin},
    case::{Case, Then},
};
use crate::{
    contract::LookupQuery,
    engine::trail::Entry,
    model::parse_address,
    report::{lookup_ticket, note_lines},
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            intent::{Gesture, Yank},
            place::Place,
            sheet::Meaning,
            trail::Stop,
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

impl LookupTab {
    /// Does what means something in any tab; says whether it does here.
    pub(super) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.calendar.is_some() {
            return self.on_calendar(gesture, ctx);
        }
        if self.note.is_some() {
            return self.on_note(gesture, ctx);
        }
        if self.part == Part::Field {
            return self.on_field(gesture, ctx);
        }
        if self.is_finding() {
            return self.on_words(gesture, ctx);
        }
        if self.part != Part::Trail && self.on_board(gesture, ctx) {
            return true;
        }
        if self.compare.is_some() && self.on_comparison(gesture, ctx) {
            return true;
        }
        match gesture {
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::Open => self.enter(ctx),
            Gesture::Input => self.begin_typing(),
            Gesture::NextPane | Gesture::PreviousPane => self.other_part(),
            Gesture::Refresh => match self.here {
                Some(query) => self.refresh(query, ctx),
                None => ctx.out.say(Tone::Info, "nothing is looked up yet"),
            },
            Gesture::Back => return self.back_to_board(),
            Gesture::Find if self.part == Part::Trail => self.finding = true,
            Gesture::Undo => return self.take_note_back(ctx),
            Gesture::Cancel | Gesture::Escape => return self.escape(gesture, ctx),
            _ => return false,
        }
        true
    }

    /// A key while words of the trail are typed.
    fn on_words(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        match gesture {
            Gesture::Open | Gesture::NextPane | Gesture::PreviousPane => self.finding = false,
            Gesture::Escape => {
                self.finding = false;
                self.words.clear();
            }
            Gesture::Go(motion) => self.go(motion, ctx),
            _ => return false,
        }
        true
    }

    /// Asks the service for the address that is shown, on the day that was chosen for lookups.
    fn refresh(&mut self, here: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if let Some(lack) = ctx.facts.lack() {
            return ctx.out.say(Tone::Warn, lack);
        }
        let query = self.refreshes(here);
        if query != here && ctx.facts.admission.refuses(query.address).is_none() {
            ctx.trail.visit(Stop::Address(query), ctx.out.now);
            self.show_case(query, ctx);
            self.read_at_hand(query, Then::Stop, ctx);
        }
        self.ask(query, ctx);
    }

    /// What a live answer is asked for: the day that was chosen for lookups, else that of what is shown.
    pub(super) fn refreshes(&self, here: LookupQuery) -> LookupQuery {
        let date = match self.date {
            None if self.today_for != Some(here) => here.date,
            chosen => chosen,
        };
        LookupQuery { date, ..here }
    }

    pub(super) fn other_part(&mut self) {
        self.finding = false;
        self.part = if self.part == Part::Trail {
            Part::Page
        } else {
            Part::Trail
        };
    }

    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        match (self.part, self.here) {
            (Part::Trail, _) => {
                let len = self.stops(ctx.trail).len();
                self.trail.step(motion, len)
            }
            (_, Some(query)) if self.case().is_some() => self.cases.of_mut(query).page.step(motion),
            _ => self.examples.step(motion, ctx.facts.examples.len()),
        };
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.part == Part::Trail {
            let stops = self.stops(ctx.trail);
            let chosen = self.trail.selected(stops.len());
            let stop = chosen.map(|index| stops[index].0.stop.clone());
            match stop {
                Some(Stop::Address(query)) if self.is_known(query) => {
                    self.visit_at_hand(query, ctx);
                }
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
                None => self.begin_typing(),
            }
            return;
        }
        match self.row() {
            Some(Meaning {
                lead: Some(place), ..
            }) => ctx.out.go = Some(place),
            Some(_) => ctx.out.say(Tone::Info, "nothing to open here"),
            None => {}
        }
    }

    /// Whether an answer is shown that is as good as a query.
    pub(super) fn is_known(&self, query: LookupQuery) -> bool {
        self.cases.of(query).is_some_and(Case::is_known)
    }

    pub(super) fn switch_geolocation(&mut self, ctx: &mut UpdateCtx<'_>) {
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

    pub(super) fn pin(&mut self, ctx: &mut UpdateCtx<'_>) {
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
            if !self.words.is_empty() {
                self.words.clear();
                return true;
            }
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

    /// Copies what only this tab makes; says whether there was something of that kind.
    pub(super) fn copy_own(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(board) = self.open_table()
            && board.copy(what, ctx.out)
        {
            return true;
        }
        if what == Yank::Ticket
            && let Some(compare) = &self.compare
            && let Some(note) = compare.ticket(&self.cases, ctx.written())
        {
            ctx.out.copy_lines("a ticket note", note);
            return true;
        }
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
        let (geolocation, written) = (case.query.geolocation, ctx.written());
        let origin = case.shown().map(|shown| shown.origin);
        let mut note = match (origin, case.live.value(), case.at_hand.value()) {
            (Some(Origin::Live(_)), Some(answer), _) => {
                lookup_ticket(&address, geolocation, answer, written)
            }
            (
                Some(_),
                _,
                Some(Found {
                    answer: Some(answer),
                    ..
                }),
            ) => answer.ticket(&address, geolocation, written),
            _ => return false,
        };
        let notes = ctx.trail.notes(case.query.address);
        note.push_str(&note_lines(notes.map(|note| (note.at, note.text.as_str()))));
        ctx.out.copy_lines("a ticket note", note);
        true
    }
}
