//! The Lookup tab, as the shell knows it.

use std::net::IpAddr;

use ratatui::{Frame, layout::Rect};

use super::{
    LookupTab, Part,
    actions::{COMPARE, LOOKUP, WELCOME},
    case::Then,
    parts::Parts,
    view,
};
use crate::{
    contract::Endpoint,
    model::Document,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            facts::Facts,
            intent::{Gesture, Scope, Yank},
            place::Place,
            request::{Answered, Question},
            sheet::Meaning,
            tab::{Reply, Tab},
        },
        ui::widgets::text_field::TextField,
    },
};

impl Tab for LookupTab {
    fn title(&self) -> &'static str {
        "Lookup"
    }

    fn scopes(&self, facts: &Facts) -> Vec<Scope> {
        let scope = if self.calendar.is_some() {
            Scope::Calendar
        } else if self.part == Part::Field {
            Scope::Input
        } else if self.compare.is_some() {
            COMPARE
        } else {
            LOOKUP
        };
        let welcome = !facts.is_ready() && self.case().is_none();
        welcome
            .then_some(WELCOME)
            .into_iter()
            .chain([scope])
            .collect()
    }

    fn field(&mut self) -> Option<&mut TextField> {
        match &mut self.calendar {
            Some((_, calendar)) => Some(calendar.field()),
            None => (self.part == Part::Field).then_some(&mut self.field),
        }
    }

    fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        match &mut self.calendar {
            Some((_, calendar)) => calendar.typed(),
            None => self.look_ahead(ctx),
        }
    }

    fn has(&self, place: &Place) -> bool {
        matches!(place, Place::Address(_))
    }

    fn open(&mut self, place: Place, ctx: &mut UpdateCtx<'_>) {
        if let Place::Address(query) = place {
            self.visit(query, ctx);
        }
    }

    fn show(&mut self, place: &Place, ctx: &mut UpdateCtx<'_>) {
        if let Place::Address(query) = place {
            self.show_case(*query);
            let is_wanted = ctx.facts.admission.refuses(query.address).is_none();
            if is_wanted && self.cases.of_mut(*query).shown().is_none() {
                self.read_at_hand(*query, Then::Stop, ctx);
            }
        }
    }

    fn forget(&mut self) {
        (self.cases, self.here, self.compare) = Default::default();
        (self.preview, self.browsing) = Default::default();
    }

    fn gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        self.on_gesture(gesture, ctx)
    }

    fn answered(&mut self, reply: Reply<'_>, ctx: &mut UpdateCtx<'_>) {
        match *reply.question {
            Question::Lookup(query) => self.looked_up(query, reply, ctx),
            Question::Sources(query) => self.found_at_hand(query, reply, ctx),
            Question::Pivots(..) if self.is_browsing(reply.job) => self.browse_richest(reply, ctx),
            Question::Pivots(..) | Question::Since(_) => self.looked_around(reply),
            _ => self.recall(Answered::of_result(reply.result), ctx),
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        self.copy_own(what, ctx)
    }

    fn address(&self) -> Option<IpAddr> {
        self.here.map(|query| query.address)
    }

    fn endpoint(&self, _ctx: &UpdateCtx<'_>) -> Option<Endpoint> {
        self.here.map(Endpoint::Context)
    }

    fn meaning(&self, _ctx: &UpdateCtx<'_>) -> Option<Meaning> {
        self.row()
    }

    fn document(&self) -> Option<&Document> {
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
