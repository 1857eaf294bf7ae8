//! The Tags tab: the tags of the local service-metrics feed and of lookups, and the metadata of one.
//!
//! Local data is shown before any request. Nothing here costs a query.

mod actions;
mod areas;
pub mod case;
mod idle;
pub mod known_tags;
pub mod list;
mod marking;
pub mod page;
mod pointing;
mod tab;
pub mod target;
#[cfg(test)]
mod tests;
pub mod view;

use std::collections::BTreeMap;

use crate::{
    engine::trail::TrailEntry,
    model::TagName,
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            evidence::Evidence,
            marks::RowMarks,
            request::Question,
            sheet::SheetState,
            trail::{Trail, TrailStop},
        },
        ui::{
            cursor::Cursor,
            widgets::{picker::Picker, text_field::TextField},
        },
    },
};
use areas::Typing;
use case::TagCase;
use known_tags::KnownTags;
use list::{ListedTag, Sort, TagSources};
use target::ExportTarget;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagsFocus {
    #[default]
    List,
    Page,
}

#[derive(Debug)]
pub struct TagsTab {
    known: KnownTags,
    cases: BTreeMap<TagName, TagCase>,
    /// Where one is on the page of a tag that has no case yet.
    unasked: SheetState,
    /// The tag that is shown, once one was chosen.
    here: Option<TagName>,
    part: TagsFocus,
    /// The tag whose page was opened from the list: going back from it leads there.
    from_list: Option<TagName>,
    /// How far the list is scrolled; which row is selected follows from the tag that is shown.
    scroll: Cursor,
    sort: Sort,
    typing: Option<Typing>,
    name: TextField,
    filter: TextField,
    marked: RowMarks<TagName>,
    /// Whether the list shows only the tags that changed since the release before.
    only_changed: bool,
    /// The tag that was opened before it was known whether it is local.
    opened: Option<TagName>,
    /// The tag whose use in the local feeds is being counted.
    counting: Option<TagName>,
    /// Where the marked tags go in an export, while that is chosen.
    export: Option<(Vec<TagName>, Picker<ExportTarget>)>,
}

impl Default for TagsTab {
    fn default() -> Self {
        Self {
            known: KnownTags::default(),
            cases: BTreeMap::new(),
            unasked: SheetState::default(),
            here: None,
            part: TagsFocus::default(),
            from_list: None,
            scroll: Cursor::default(),
            sort: Sort::default(),
            typing: None,
            name: TextField::new("a tag, such as ACME_VPN"),
            filter: TextField::new("letters of a tag, a name or a kind"),
            marked: RowMarks::default(),
            only_changed: false,
            opened: None,
            counting: None,
            export: None,
        }
    }
}

impl TagsTab {
    /// Shows the metadata of a tag and puts it on the trail. It is fetched if it is neither local nor fetched already.
    fn visit(&mut self, tag: TagName, ctx: &mut UpdateCtx<'_>) {
        ctx.trail.visit(TrailStop::Tag(tag.clone()), ctx.out.now);
        self.from_list.take_if(|own| *own == tag);
        self.show_tag(&tag);
        let entry = TrailEntry::Tagged(tag.clone(), ctx.out.now);
        ctx.out.cmd(Cmd::Remember(entry));
        let case = self.cases.entry(tag.clone()).or_default();
        if case.live.value().is_some() || self.known.find(&tag).is_some() {
            return;
        }
        if self.known.is_untouched() {
            self.known.load(ctx);
        }
        if self.known.list().is_none() && self.known.is_reading() {
            self.opened = Some(tag);
        } else {
            self.ask(tag, ctx);
        }
    }

    /// Fetches the tag that was opened while the local feed was read, if that does not have it.
    fn ask_for_opened(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(tag) = self.opened.take_if(|_| !self.known.is_reading())
            && self.known.find(&tag).is_none()
        {
            self.ask(tag, ctx);
        }
    }

    /// Counts how the local feeds use the tag that is shown: one tag at a time, so that walking the list queues nothing.
    fn count_uses(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.known.counts().is_empty() || self.counting.is_some() {
            return;
        }
        let Some(tag) = self.subject(ctx) else {
            return;
        };
        let uses = &mut self.cases.entry(tag.clone()).or_default().uses;
        if uses.is_untouched() {
            uses.begin(ctx.ask(Question::TagUses(tag.clone())));
            self.counting = Some(tag);
        }
    }

    /// Shows the metadata of a tag as it was left.
    fn show_tag(&mut self, tag: &TagName) {
        self.here = Some(tag.clone());
        self.part = TagsFocus::Page;
        self.typing = None;
    }

    /// Asks the service, if it is not being asked already.
    fn ask(&mut self, tag: TagName, ctx: &mut UpdateCtx<'_>) {
        let case = self.cases.entry(tag.clone()).or_default();
        if case.live.pending().is_none() {
            case.live.begin(ctx.ask(Question::Tag(tag)));
        }
    }

    #[must_use]
    pub fn listed<'a>(&'a self, trail: &'a Trail, evidence: &'a Evidence) -> Vec<ListedTag<'a>> {
        let sources = TagSources {
            known: &self.known,
            cases: &self.cases,
            trail,
            evidence,
        };
        if self.only_changed {
            return sources.changed(self.filter.value(), self.sort);
        }
        sources.listed(self.filter.value(), self.sort)
    }

    /// The tag that is shown: the one that was chosen, else the first of the list.
    #[must_use]
    pub fn current(&self, listed: &[ListedTag<'_>]) -> Option<TagName> {
        let first = || listed.first().map(|listed| listed.name.clone());
        self.here.clone().or_else(first)
    }

    /// The selected row of the list, with a scroll position that shows it; none where the tag shown is not in it.
    #[must_use]
    pub fn cursor(&self, listed: &[ListedTag<'_>]) -> Option<&Cursor> {
        let current = self.current(listed)?;
        let index = listed.iter().position(|listed| listed.name == current)?;
        self.scroll.select(index, listed.len());
        Some(&self.scroll)
    }

    /// After filtering, one of the tags that are left is shown.
    fn keep_in_list(&mut self, ctx: &UpdateCtx<'_>) {
        let listed = self.listed(ctx.trail, ctx.evidence);
        let is_left = |here: &TagName| listed.iter().any(|listed| listed.name == *here);
        let first = listed.first().map(|listed| listed.name.clone());
        if !self.here.as_ref().is_some_and(is_left) && first.is_some() {
            self.here = first;
        }
    }
}
