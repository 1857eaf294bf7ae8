//! The Lookup tab, as the shell knows it.

use std::{borrow::Cow, net::IpAddr};

use ratatui::{Frame, layout::Rect};

use super::{
    LookupTab, Part,
    actions::{BOARD, COMPARE, EMPTY, LOOKUP, TRAIL, WELCOME},
    board::Board,
    case::Then,
    parts::Parts,
    view,
};
use crate::{
    contract::Endpoint,
    engine::{Sources, answers::Next},
    model::Document,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            facts::Facts,
            intent::{Gesture, Scope, Yank},
            orders::Orders,
            place::Place,
            request::{Answered, JobId, Question},
            sheet::Meaning,
            tab::{Reply, Tab},
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
        } else if self.part == Part::Field || self.note.is_some() {
            Scope::Input
        } else if self.is_finding() || self.open_table().is_some_and(|board| board.typing) {
            Scope::Filter
        } else if self.open_table().is_some() && self.part != Part::Trail {
            BOARD
        } else if self.compare.is_some() {
            COMPARE
        } else {
            LOOKUP
        };
        let welcome = !facts.is_ready() && self.case().is_none();
        // What else holds in a field holds in that of an address, too.
        let is_address = scope == Scope::Input && self.note.is_none();
        let address = is_address.then_some(Scope::Address);
        let welcome = welcome.then_some(WELCOME);
        let is_trail = self.part == Part::Trail && matches!(scope, LOOKUP | COMPARE);
        let trail = is_trail.then_some(TRAIL);
        let is_empty = scope == LOOKUP && self.here.is_none();
        let empty = is_empty.then_some(EMPTY);
        let before = welcome.into_iter().chain(address).chain(trail);
        before.chain(empty).chain([scope]).collect()
    }

    fn steps_back(&self) -> bool {
        self.goes_back()
    }

    fn field(&mut self) -> Option<&mut TextField> {
        let finding = self.is_finding();
        match &mut self.calendar {
            Some((_, calendar)) => Some(calendar.field()),
            None if self.note.is_some() => self.note.as_mut(),
            None if self.part == Part::Field => Some(&mut self.field),
            None if finding => Some(&mut self.words),
            None => {
                let board = self.board.as_mut().filter(|board| board.open);
                let board = board.filter(|board| board.typing);
                board.map(|board| &mut board.filter)
            }
        }
    }

    fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        let finding = self.is_finding();
        match &mut self.calendar {
            Some((_, calendar)) => calendar.typed(),
            None if self.note.is_some() => {}
            None if self.part == Part::Field => self.look_ahead(ctx),
            None if finding => {}
            None => {
                if let Some(board) = &mut self.board {
                    board.arrange();
                }
            }
        }
    }

    fn pasted(&mut self, text: &str, ctx: &mut UpdateCtx<'_>) -> bool {
        self.take_pasted(text, ctx)
    }

    fn has(&self, place: &Place) -> bool {
        matches!(
            place,
            Place::Address(_) | Place::AtHand(_) | Place::Several(..)
        )
    }

    fn open(&mut self, place: Place, ctx: &mut UpdateCtx<'_>) {
        match place {
            Place::Address(query) => self.visit(query, ctx),
            Place::AtHand(query) => self.visit_at_hand(query, ctx),
            Place::Several(addresses, view) => self.open_marked(addresses, *view, ctx),
            _ => {}
        }
    }

    fn show(&mut self, place: &Place, ctx: &mut UpdateCtx<'_>) {
        if let Place::Address(query) = place {
            self.show_case(*query, ctx);
            let is_wanted = ctx.facts.admission.refuses(query.address).is_none();
            if is_wanted && self.cases.of_mut(*query).shown().is_none() {
                self.read_at_hand(*query, Then::Stop, ctx);
            }
        }
    }

    fn leave(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.stop_reading_ahead(ctx);
    }

    fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.part == Part::Field {
            self.look_ahead(ctx);
        }
    }

    fn forget(&mut self) {
        (self.cases, self.here, self.compare) = Default::default();
        (self.preview, self.browsing, self.board, self.note) = Default::default();
        self.words.clear();
    }

    fn point(&mut self, pane: PaneId, ctx: &mut UpdateCtx<'_>) {
        self.point_at(pane, ctx);
    }

    fn move_in(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        self.move_in_pane(pane, motion, ctx);
    }

    fn gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        self.on_gesture(gesture, ctx)
    }

    fn at_hand(&mut self, job: JobId, sources: Sources, next: Next, ctx: &mut UpdateCtx<'_>) {
        self.found_first(job, sources, next, ctx);
    }

    fn idle(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        self.idle_gesture(gesture, ctx)
    }

    fn orders(&self, _ctx: &ViewCtx<'_>) -> Option<Orders> {
        let board = self.open_table().filter(|_| self.part != Part::Trail)?;
        Some(board.orders())
    }

    fn sort(&mut self, order: usize, turned: bool, _ctx: &mut UpdateCtx<'_>) {
        if let Some(board) = &mut self.board {
            board.sort_by(order, turned);
        }
    }

    fn price(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        let query = self.enters(ctx).filter(|_| gesture == Gesture::Open)?;
        let is_shown = self.part == Part::Trail && self.is_known(query);
        (!is_shown).then(|| ctx.facts.price(query.geolocation).into())
    }

    fn answered(&mut self, reply: Reply<'_>, ctx: &mut UpdateCtx<'_>) {
        match *reply.question {
            Question::Lookup(query) => {
                self.looked_up(query, reply.job, Answered::of_result(reply.result), ctx);
            }
            Question::Resolve(query) => {
                self.resolved(query, reply.job, Answered::of_result(reply.result), ctx);
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
            }
            _ => self.recall(Answered::of_result(reply.result), ctx),
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        self.copy_own(what, ctx)
    }

    fn marked(&self) -> Vec<String> {
        let table = self.open_table().filter(|_| self.part != Part::Trail);
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
        Parts::of(body).zoomed(zoomed).page
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        view::draw(frame, area, self, ctx);
    }
}
