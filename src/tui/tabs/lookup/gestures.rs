//! What keys that mean something in any tab do in this one: moving, opening, going back, stopping, copying.

use super::{
    LookupFocus, LookupTab,
    case::{EnterEffect, LookupCase},
    free_answers::{AnswerOrigin, FreeAnswers},
    record::is_pivot,
};
use crate::{
    contract::LookupQuery,
    engine::trail::TrailEntry,
    model::{Day, parse_address},
    report::{lookup_ticket, note_lines},
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            destination::Destination,
            intent::{Gesture, Yank},
            sheet::Meaning,
            trail::TrailStop,
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

impl LookupTab {
    /// Does what means something in any tab; returns whether it does here.
    pub(super) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        self.following = None;
        if self.calendar.is_some() {
            return self.on_calendar(gesture, ctx);
        }
        if self.note.is_some() {
            return self.on_note(gesture, ctx);
        }
        if self.part == LookupFocus::Field {
            return self.on_field(gesture, ctx);
        }
        if self.is_finding() {
            return self.on_words(gesture, ctx);
        }
        if self.part != LookupFocus::Trail && self.on_board(gesture, ctx) {
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
            Gesture::Find if self.part == LookupFocus::Trail => self.finding = true,
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
            ctx.trail.visit(TrailStop::Address(query), ctx.out.now);
            self.show_case(query, ctx);
            self.read_at_hand(query, EnterEffect::Stop, ctx);
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
        self.focus(if self.part == LookupFocus::Trail {
            LookupFocus::Page
        } else {
            LookupFocus::Trail
        });
    }

    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        match (self.part, self.here) {
            (LookupFocus::Trail, _) => {
                let len = self.stops(ctx.trail).len();
                self.trail.step(motion, len)
            }
            (_, Some(query)) if self.case().is_some() => self.cases.of_mut(query).page.step(motion),
            _ => self.examples.step(motion, ctx.facts.examples.len()),
        };
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.part == LookupFocus::Trail {
            let stops = self.stops(ctx.trail);
            let chosen = self.trail.selected(stops.len());
            let stop = chosen.map(|index| stops[index].0.stop.clone());
            match stop {
                Some(TrailStop::Address(query)) => self.visit_as_priced(query, ctx),
                stop => ctx.out.go = stop.map(Destination::from),
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
                Some(address) => self.visit_as_priced(self.query_for(address), ctx),
                None => self.begin_typing(),
            }
            return;
        }
        match self.row() {
            Some(Meaning {
                lead: Some(Destination::Address(query)),
                ..
            }) => self.visit_as_priced(query, ctx),
            Some(row) if row.lead.is_some() && is_pivot(&row) && self.is_counting() => {
                self.following = self.here.map(|here| (here, row));
                let text = "counting in the local feeds, then it opens";
                ctx.out.say(Tone::Info, text);
            }
            Some(Meaning {
                lead: Some(place), ..
            }) => ctx.out.go = Some(place),
            Some(_) => ctx.out.say(Tone::Info, "nothing to open here"),
            None => {}
        }
    }

    /// Whether records are being counted around the record that is shown: where its rows lead depends on that.
    fn is_counting(&self) -> bool {
        let case = self.case();
        case.is_some_and(|case| case.pivots.pending().is_some())
    }

    /// Opens an address at the price that stood there: what was said to be free sends nothing, also where it is gone meanwhile.
    pub(super) fn visit_as_priced(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if self.is_known(query) || self.is_said_free(query, ctx.facts) {
            self.visit_at_hand(query, ctx);
        } else {
            self.visit(query, ctx);
        }
    }

    /// Whether an answer is shown that is as good as a query.
    pub(super) fn is_known(&self, query: LookupQuery) -> bool {
        self.cases.of(query).is_some_and(LookupCase::is_known)
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
        ctx.out
            .cmd(Cmd::Remember(TrailEntry::Pinned(query.address, on)));
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
        if self.part == LookupFocus::Trail && gesture == Gesture::Escape {
            if !self.words.is_empty() {
                self.words.clear();
                return true;
            }
            self.focus(LookupFocus::Page);
            return true;
        }
        let may_take_back = gesture == Gesture::Escape;
        let Some(query) = self.here else {
            return may_take_back && self.ask_for_today(ctx);
        };
        let case = self.cases.of_mut(query);
        let was_reading = ctx.stop(&mut case.at_hand);
        if !ctx.stop(&mut case.live) {
            return was_reading || (may_take_back && self.ask_for_today(ctx));
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

    /// Copies what only this tab makes; returns whether there was something of that kind.
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
            ctx.out.copy_lines(
                "differences",
                compare.as_text(&self.cases, Day::of(ctx.out.now)),
            );
            return true;
        }
        let Some(case) = self.case().filter(|_| what == Yank::Ticket) else {
            return false;
        };
        let address = case.query.address.to_string();
        let (geolocation, written) = (case.query.geolocation, ctx.written());
        let entry_of = case.entry_of();
        let origin = case.shown().map(|shown| shown.origin);
        let mut note = match (origin, case.live.value(), case.at_hand.value()) {
            (Some(AnswerOrigin::Live(_)), Some(answer), _) => {
                lookup_ticket(&address, geolocation, answer, entry_of, written)
            }
            (
                Some(_),
                _,
                Some(FreeAnswers {
                    answer: Some(answer),
                    ..
                }),
            ) => answer.ticket(&address, geolocation, entry_of, written),
            _ => return false,
        };
        let notes = ctx.trail.notes(case.query.address);
        note.push_str(&note_lines(notes.map(|note| (note.at, note.text.as_str()))));
        ctx.out.copy_lines("a ticket note", note);
        true
    }
}
