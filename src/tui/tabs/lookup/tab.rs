//! The Lookup tab, as the shell knows it.

use std::{borrow::Cow, net::IpAddr};

use ratatui::{Frame, layout::Rect};

use super::{
    Choosing, LookupFocus, LookupTab,
    actions::{BOARD, COMPARE, EMPTY, HALF, LOOKUP, TRAIL, WELCOME},
    areas::LookupAreas,
    board::Board,
    case::EnterEffect,
    view,
};
use crate::{
    contract::Endpoint,
    engine::{Sources, answers::PolicyStep},
    model::Document,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            destination::Destination,
            facts::Facts,
            intent::{Gesture, Scope, Yank},
            orders::Orders,
            request::{FromAnswer, JobId, Question},
            sheet::Meaning,
            tab::{Tab, TabReply},
        },
        ui::{cursor::Motion, spots::PaneId, widgets::text_field::TextField},
    },
};

impl Tab for LookupTab {
    fn title(&self) -> &'static str {
        "Lookup"
    }

    fn scopes(&self, facts: &Facts) -> Vec<Scope> {
        let scope = if self.calendar.is_some() {
            Scope::Calendar
        } else if self.part == LookupFocus::Field || self.note.is_some() {
            Scope::Input
        } else if self.is_finding() || self.is_filtering() {
            Scope::Filter
        } else if self.open_table().is_some() && self.part != LookupFocus::Trail {
            BOARD
        } else if self.compare.is_some() {
            COMPARE
        } else {
            LOOKUP
        };
        let welcome = !facts.is_ready() && !facts.invented && self.case().is_none();
        // The other keys of a text field hold in the address field, too.
        let is_address = scope == Scope::Input && self.note.is_none();
        let address = is_address.then_some(Scope::Address);
        let welcome = welcome.then_some(WELCOME);
        let is_trail = self.part == LookupFocus::Trail && matches!(scope, LOOKUP | COMPARE);
        let trail = is_trail.then_some(TRAIL);
        let is_empty = scope == LOOKUP && self.here.is_none();
        let empty = is_empty.then_some(EMPTY);
        let compare = self.compare.as_ref().filter(|_| scope == COMPARE);
        let is_half = compare.is_some_and(|own| own.missing(&self.cases).next().is_some());
        let half = is_half.then_some(HALF);
        let before = address.into_iter().chain(trail).chain(welcome);
        before.chain(empty).chain(half).chain([scope]).collect()
    }

    fn has_copy(&self) -> bool {
        self.here.is_some() || self.open_table().is_some()
    }

    fn steps_back(&self) -> bool {
        self.goes_back()
    }

    fn field(&mut self) -> Option<&mut TextField> {
        let (finding, filtering) = (self.is_finding(), self.is_filtering());
        match &mut self.calendar {
            Some((_, calendar)) => Some(calendar.field()),
            None if self.note.is_some() => self.note.as_mut(),
            None if self.part == LookupFocus::Field => Some(&mut self.field),
            None if finding => Some(&mut self.words),
            None => {
                let board = self.board.as_mut().filter(|_| filtering);
                board.map(|board| &mut board.filter)
            }
        }
    }

    fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        let finding = self.is_finding();
        match &mut self.calendar {
            Some((_, calendar)) => calendar.typed(),
            None if self.note.is_some() => {}
            None if self.part == LookupFocus::Field || finding => {}
            None => {
                if let Some(board) = &mut self.board {
                    board.arrange();
                }
            }
        }
        self.look_ahead(ctx);
    }

    fn pasted(&mut self, text: &str, ctx: &mut UpdateCtx<'_>) -> bool {
        self.take_pasted(text, ctx)
    }

    fn has(&self, place: &Destination) -> bool {
        matches!(
            place,
            Destination::Address(_)
                | Destination::AtHand(_)
                | Destination::Board(..)
                | Destination::DayOfLookups
        )
    }

    fn open(&mut self, place: Destination, ctx: &mut UpdateCtx<'_>) {
        match place {
            Destination::Address(query) => self.visit(query, ctx),
            Destination::AtHand(query) => self.visit_at_hand(query, ctx),
            Destination::Board(addresses, view) => self.open_marked(addresses, *view, ctx),
            Destination::DayOfLookups => self.choose_day(Choosing::Date, ctx),
            _ => {}
        }
    }

    fn show(&mut self, place: &Destination, ctx: &mut UpdateCtx<'_>) {
        if let Destination::Address(query) = place {
            self.show_case(*query, ctx);
            let is_wanted = ctx.facts.admission.refuses(query.address).is_none();
            if is_wanted && self.cases.of_mut(*query).shown().is_none() {
                self.read_at_hand(*query, EnterEffect::Stop, ctx);
            }
            self.look_ahead(ctx);
        }
    }

    fn leave(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.stop_reading_ahead(ctx);
    }

    fn local_changed(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(here) = self.here {
            self.look_around(here, ctx);
        }
    }

    fn home(&mut self, _ctx: &mut UpdateCtx<'_>) {
        if let Some(board) = &mut self.board {
            board.open = false;
        }
        self.focus(LookupFocus::Page);
        (self.compare, self.calendar) = (None, None);
    }

    fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.look_ahead(ctx);
    }

    fn forget(&mut self) {
        (self.cases, self.here, self.compare) = Default::default();
        (self.previews, self.browsing, self.board, self.note) = Default::default();
        self.following = None;
        self.words.clear();
    }

    fn point(&mut self, pane: PaneId, ctx: &mut UpdateCtx<'_>) {
        self.point_at(pane, ctx);
        self.look_ahead(ctx);
    }

    fn move_in(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        self.move_in_pane(pane, motion, ctx);
        self.look_ahead(ctx);
    }

    fn gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let means_something = self.on_gesture(gesture, ctx);
        // No price is needed when the focus leaves.
        if ctx.out.go.is_none() {
            self.look_ahead(ctx);
        }
        means_something
    }

    fn at_hand(&mut self, job: JobId, sources: Sources, next: PolicyStep, ctx: &mut UpdateCtx<'_>) {
        self.found_first(job, sources, next, ctx);
    }

    fn idle(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        self.idle_gesture(gesture, ctx)
    }

    fn orders(&self, _ctx: &ViewCtx<'_>) -> Option<Orders> {
        let board = self
            .open_table()
            .filter(|_| self.part != LookupFocus::Trail)?;
        Some(board.orders())
    }

    fn sort(&mut self, order: usize, turned: bool, _ctx: &mut UpdateCtx<'_>) {
        if let Some(board) = &mut self.board {
            board.sort_by(order, turned);
        }
    }

    fn price(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        let query = self
            .enters(ctx.facts, ctx.trail)
            .filter(|_| gesture == Gesture::Open)?;
        let is_shown = self.part == LookupFocus::Trail && self.is_known(query);
        if is_shown || self.is_said_free(query, ctx.facts) {
            return None;
        }
        Some(match self.found_ahead(query) {
            Some(_) => "1 query".into(),
            None => ctx.facts.price(query.geolocation).into(),
        })
    }

    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        match *reply.question {
            Question::Lookup(query) => {
                self.looked_up(query, reply.job, FromAnswer::of_result(reply.result), ctx);
            }
            Question::Resolve(query) => {
                self.resolved(query, reply.job, FromAnswer::of_result(reply.result), ctx);
            }
            Question::Sources(query) => {
                let sources = <Box<Sources>>::of_result(reply.result).map(|sources| *sources);
                self.found_at_hand(query, reply.job, sources, ctx);
            }
            Question::Releases => self.mark_local_days(reply),
            Question::HeldWithin(_) => self.browse_richest(reply, ctx),
            Question::BestAnswers(..) => self.filled_board(reply, ctx),
            Question::Pivots(..) | Question::Operators(_) | Question::Since(_) => {
                self.looked_around(reply, ctx);
                self.look_ahead(ctx);
            }
            _ => self.recall(FromAnswer::of_result(reply.result), ctx),
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        self.copy_own(what, ctx)
    }

    fn marked(&self) -> Vec<String> {
        let table = self
            .open_table()
            .filter(|_| self.part != LookupFocus::Trail);
        table.map_or_else(Vec::new, Board::marked)
    }

    fn address(&self) -> Option<IpAddr> {
        match self.open_table() {
            Some(board) => board.here().map(|row| row.address),
            None => self.here.map(|query| query.address),
        }
    }

    fn endpoint(&self, _ctx: &UpdateCtx<'_>) -> Option<Endpoint> {
        self.here.map(Endpoint::Context)
    }

    fn meaning(&self, _ctx: &UpdateCtx<'_>) -> Option<Meaning> {
        if let Some(row) = self.open_table().map(|board| board.here()) {
            return row.map(|row| Meaning::new(row.address.to_string(), row.text()));
        }
        self.row()
    }

    fn document(&self) -> Option<&Document> {
        if self.open_table().is_some() {
            return None;
        }
        let record = self.case()?.shown()?.record?;
        Some(&record.document)
    }

    fn before_raw(&mut self, _ctx: &UpdateCtx<'_>) -> Option<String> {
        Some(
            self.address()
                .map_or_else(String::new, |address| address.to_string()),
        )
    }

    fn raw_area(&self, body: Rect, zoomed: bool) -> Rect {
        LookupAreas::of(body).zoomed(zoomed).page
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        view::draw(frame, area, self, ctx);
    }
}
