//! The Tags tab, as the shell knows it.

use std::borrow::Cow;

use ratatui::{Frame, layout::Rect};

use super::{
    TagsFocus, TagsTab,
    actions::TAGS,
    areas::{TagsAreas, Typing},
    list::Sort,
    view,
};
use crate::{
    contract::Endpoint,
    model::{Document, TagName},
    report::{local_tag_ticket, tag_ticket},
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            destination::Destination,
            facts::Facts,
            intent::{Gesture, Scope, Yank},
            orders::Orders,
            remote::Remote,
            request::Question,
            sheet::{Meaning, Start},
            tab::{Tab, TabReply},
        },
        ui::{cursor::Motion, spots::PaneId, theme::Tone, widgets::text_field::TextField},
    },
};

impl Tab for TagsTab {
    fn title(&self) -> &'static str {
        "Tags"
    }

    fn steps_back(&self) -> bool {
        self.is_from_list()
    }

    fn choices(&self) -> usize {
        self.export.as_ref().map_or(0, |(_, menu)| menu.found())
    }

    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        if self.export.is_some() {
            return vec![Scope::Picker];
        }
        vec![self.typing.map_or(TAGS, |_| Scope::Input)]
    }

    fn field(&mut self) -> Option<&mut TextField> {
        if let Some((_, picker)) = &mut self.export {
            return Some(picker.field());
        }
        self.typing.map(|typing| match typing {
            Typing::Name => &mut self.name,
            Typing::Filter => &mut self.filter,
        })
    }

    fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some((_, picker)) = &mut self.export {
            picker.refilter();
        } else if self.typing == Some(Typing::Filter) {
            self.keep_in_list(ctx);
            self.count_uses(ctx);
        }
    }

    fn home(&mut self, _ctx: &mut UpdateCtx<'_>) {
        self.part = TagsFocus::List;
    }

    fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.known.load(ctx);
        self.count_uses(ctx);
    }

    fn has(&self, place: &Destination) -> bool {
        matches!(place, Destination::Tag(_))
    }

    fn open(&mut self, place: Destination, ctx: &mut UpdateCtx<'_>) {
        if let Destination::Tag(tag) = place {
            self.visit(tag, ctx);
            self.count_uses(ctx);
        }
    }

    fn show(&mut self, place: &Destination, _ctx: &mut UpdateCtx<'_>) {
        if let Destination::Tag(tag) = place {
            self.show_tag(tag);
        }
    }

    fn point(&mut self, pane: PaneId, _ctx: &mut UpdateCtx<'_>) {
        self.point_at(pane);
    }

    fn move_in(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        self.move_in_pane(pane, motion, ctx);
    }

    fn gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let acted = self.on_gesture(gesture, ctx);
        self.count_uses(ctx);
        acted
    }

    fn idle(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        self.idle_gesture(gesture, ctx)
    }

    fn orders(&self, _ctx: &ViewCtx<'_>) -> Option<Orders> {
        Some(self.sort.orders())
    }

    fn sort(&mut self, order: usize, turned: bool, ctx: &mut UpdateCtx<'_>) {
        self.sort_by(Sort::of(order, turned), ctx);
        self.count_uses(ctx);
    }

    fn price(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        self.price_of(gesture, ctx)
    }

    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        match reply.question {
            Question::Tag(tag) => self.fetched(tag, reply, ctx),
            Question::TagUses(tag) => {
                self.counting.take_if(|counting| counting == tag);
                if let Some(case) = self.cases.get_mut(tag) {
                    case.uses.settle(reply.job, reply.result);
                }
            }
            Question::Pull(_) => {
                if reply.result.is_ok() {
                    self.known.reload(ctx);
                }
            }
            Question::TagCounts => {
                let before = self.known.all_counts().cloned();
                if self.known.answered(reply, ctx) && self.known.all_counts() != before.as_ref() {
                    // Another release arrived: what was counted is counted again.
                    for case in self.cases.values_mut() {
                        case.uses = Remote::default();
                    }
                    self.counting = None;
                }
            }
            _ => {
                self.known.answered(reply, ctx);
                self.ask_for_opened(ctx);
            }
        }
        self.count_uses(ctx);
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if !self.marked.is_empty() && matches!(what, Yank::Json | Yank::Row) {
            return self.copy_marked(what, ctx);
        }
        let Some(tag) = self.subject(ctx).filter(|_| what == Yank::Ticket) else {
            return false;
        };
        let fetched = self.cases.get(&tag).and_then(|case| case.live.value());
        let seen = ctx.evidence.of(&tag).iter();
        let seen: Vec<String> = seen.map(|seen| seen.query.address.to_string()).collect();
        let written = ctx.written();
        let note = match (fetched, self.known.list(), self.known.find(&tag)) {
            (Some(fetched), ..) => tag_ticket(tag.as_str(), fetched, &seen.join(", "), written),
            (None, Some(list), Some(local)) => {
                local_tag_ticket(tag.as_str(), &list.release, &local.tag, written)
            }
            _ => return false,
        };
        ctx.out.copy_lines("a ticket note", note);
        true
    }

    fn marked(&self) -> Vec<String> {
        self.marked.iter().map(ToString::to_string).collect()
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
        self.document_of(self.here.as_ref()?)
    }

    fn before_raw(&mut self, ctx: &UpdateCtx<'_>) -> Option<String> {
        self.here = self.subject(ctx);
        if self.document().is_some() {
            self.part = TagsFocus::Page;
        }
        Some(self.name(ctx).unwrap_or_default())
    }

    fn raw_area(&self, body: Rect, zoomed: bool) -> Rect {
        TagsAreas::of(body, self.typing).zoomed(zoomed).page
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        view::draw(frame, area, self, ctx);
    }
}

impl TagsTab {
    /// The live metadata of a tag came, or why it did not.
    fn fetched(&mut self, tag: &TagName, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let failure = reply.failure();
        let is_shown = self.subject(ctx).as_ref() == Some(tag);
        let Some(case) = self.cases.get_mut(tag) else {
            return;
        };
        if !case.live.settle(reply.job, reply.result) {
            return;
        }
        match failure {
            Some(message) if is_shown => {
                ctx.out
                    .say_of_page(Tone::Error, format!("{tag}: {message}"));
            }
            Some(message) => ctx.out.say(Tone::Error, format!("{tag}: {message}")),
            None => case.page.start(Start::LeadInView),
        }
    }
}
