//! Why a key of the Tags tab does nothing now: help shows the reason, and the footer leaves the key out.

use std::borrow::Cow;

use super::{TagsFocus, TagsTab, actions::TagsAction};
use crate::tui::ctx::{ViewCtx, destination::Destination, intent::Gesture};

const NO_TAG: &str = "no tag is known yet: i types one";

impl TagsTab {
    /// Whether there is a tag to do something with.
    fn has_tag(&self, ctx: &ViewCtx<'_>) -> bool {
        self.here.is_some() || !self.listed(ctx.trail, ctx.evidence).is_empty()
    }

    /// Why what any tab may be asked for does nothing.
    pub(super) fn idle_gesture(
        &self,
        gesture: Gesture,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        if self.export.is_some() || self.typing.is_some() {
            return None;
        }
        let why = match gesture {
            Gesture::Open
            | Gesture::Refresh
            | Gesture::Sort
            | Gesture::SortLeft
            | Gesture::SortRight
                if !self.has_tag(ctx) =>
            {
                Some(NO_TAG)
            }
            Gesture::Find if self.filter.is_empty() && !self.has_tag(ctx) => Some(NO_TAG),
            Gesture::Raw => {
                let tag = self.current(&self.listed(ctx.trail, ctx.evidence));
                let has_text = tag.is_some_and(|tag| {
                    let case = self.cases.get(&tag);
                    let is_live = case.is_some_and(|case| case.live.value().is_some());
                    is_live || self.known.find(&tag).is_some()
                });
                (!has_text).then_some("there is no JSON here yet")
            }
            _ => None,
        };
        why.map(Into::into)
    }

    /// What Enter may cost: on the page of a tag, a row may be a lookup.
    pub(super) fn price_of(
        &self,
        gesture: Gesture,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        let is_enter = gesture == Gesture::Open && self.part == TagsFocus::Page;
        if !is_enter || self.export.is_some() || self.typing.is_some() {
            return None;
        }
        let tag = self.current(&self.listed(ctx.trail, ctx.evidence))?;
        match self.cases.get(&tag)?.page.meaning()?.lead? {
            Destination::Address(query) => Some(ctx.facts.price(query.geolocation).into()),
            _ => None,
        }
    }

    /// Why one of its own actions does nothing.
    pub(super) fn idle_own(
        &self,
        action: TagsAction,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        let why = match action {
            TagsAction::Mark
            | TagsAction::MarkRange
            | TagsAction::MarkAll
            | TagsAction::InvertMarks => (!self.has_tag(ctx)).then_some(NO_TAG),
            TagsAction::ExportMarked => {
                (self.marked.is_empty() && !self.has_tag(ctx)).then_some(NO_TAG)
            }
            TagsAction::Changes => match self.known.changes().map(|own| own.tags.is_empty()) {
                None => Some("there is no local release before"),
                Some(none) => (none && !self.only_changed).then_some("no tag changed"),
            },
            TagsAction::Browse => {
                let tag = self.current(&self.listed(ctx.trail, ctx.evidence));
                let tag = tag.and_then(|tag| self.metadata_of(&tag));
                let website = tag.and_then(|tag| tag.website.text());
                website.is_none().then_some("this tag names no website")
            }
            TagsAction::Download => None,
        };
        why.map(Into::into)
    }
}
