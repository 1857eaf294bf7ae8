//! The Tags tab, as the shell knows it.

use ratatui::{Frame, layout::Rect};

use super::{
    Part, TagsTab,
    actions::TAGS,
    parts::{Parts, Typing},
    view,
};
use crate::{
    contract::Endpoint,
    model::Document,
    report::tag_ticket,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            facts::Facts,
            intent::{Gesture, Scope, Yank},
            place::Place,
            request::Question,
            sheet::{Meaning, Start},
            tab::{Reply, Tab},
        },
        ui::{theme::Tone, widgets::text_field::TextField},
    },
};

impl Tab for TagsTab {
    fn title(&self) -> &'static str {
        "Tags"
    }

    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        vec![self.typing.map_or(TAGS, |_| Scope::Input)]
    }

    fn field(&mut self) -> Option<&mut TextField> {
        self.typing.map(|typing| match typing {
            Typing::Name => &mut self.name,
            Typing::Filter => &mut self.filter,
        })
    }

    fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.typing == Some(Typing::Filter) {
            self.keep_in_list(ctx);
        }
    }

    fn has(&self, place: &Place) -> bool {
        matches!(place, Place::Tag(_))
    }

    fn open(&mut self, place: Place, ctx: &mut UpdateCtx<'_>) {
        if let Place::Tag(tag) = place {
            self.visit(tag, ctx);
        }
    }

    fn show(&mut self, place: &Place, _ctx: &mut UpdateCtx<'_>) {
        if let Place::Tag(tag) = place {
            self.show_tag(tag);
        }
    }

    fn gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        self.on_gesture(gesture, ctx)
    }

    fn answered(&mut self, reply: Reply<'_>, ctx: &mut UpdateCtx<'_>) {
        let Question::Tag(tag) = reply.question else {
            return;
        };
        let failure = reply.failure();
        let Some(case) = self.cases.get_mut(tag) else {
            return;
        };
        if !case.live.settle(reply.job, reply.result) {
            return;
        }
        match failure {
            Some(message) => ctx.out.say(Tone::Error, format!("{tag}: {message}")),
            None => case.page.start(Start::LeadInView),
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(tag) = self.subject(ctx).filter(|_| what == Yank::Ticket) else {
            return false;
        };
        let Some(fetched) = self.cases.get(&tag).and_then(|case| case.live.value()) else {
            return false;
        };
        let seen = ctx.evidence.of(&tag).iter();
        let seen: Vec<String> = seen.map(|seen| seen.query.address.to_string()).collect();
        let note = tag_ticket(tag.as_str(), fetched, &seen.join(", "));
        ctx.out.copy_lines("a ticket note", note);
        true
    }

    fn name(&self, ctx: &UpdateCtx<'_>) -> Option<String> {
        self.subject(ctx).map(|tag| tag.to_string())
    }

    fn endpoint(&self, ctx: &UpdateCtx<'_>) -> Option<Endpoint> {
        self.subject(ctx).map(Endpoint::Tag)
    }

    fn meaning(&self, ctx: &UpdateCtx<'_>) -> Option<Meaning> {
        self.row(ctx)
    }

    fn document(&self) -> Option<&Document> {
        let case = self.cases.get(self.here.as_ref()?)?;
        case.live.value().map(|fetched| &fetched.document)
    }

    fn before_raw(&mut self, ctx: &UpdateCtx<'_>) -> Option<String> {
        self.here = self.subject(ctx);
        if self.document().is_some() {
            self.part = Part::Page;
        }
        Some(self.name(ctx).unwrap_or_default())
    }

    fn raw_area(&self, body: Rect, zoomed: bool) -> Rect {
        Parts::of(body, self.typing).zoomed(zoomed).page
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        view::draw(frame, area, self, ctx);
    }
}
