//! The Tags tab: the tags of the local service-metrics feed and of lookups, and the metadata of one.
//!
//! Local data is shown before any request. Nothing here costs a query.

pub mod known_tags;
pub mod list;
pub mod page;
mod tab;
pub mod target;
#[cfg(test)]
mod tests;
pub mod view;

use std::collections::BTreeMap;

use ratatui::layout::Rect;

use crate::{
    engine::{trail::TrailEntry, views::OfFeeds},
    model::{Document, Field, Tag, TagName, visible},
    tui::{
        ctx::{
            Choice, Cmd, Flow, Gesture, HeldRows, List, Meaning, Question, Scope, Start, TabReply,
            TrailStop, UpdateCtx,
        },
        ui::{Motion, Split, Tone},
    },
};
use known_tags::KnownTags;
use list::{ADDRESSES, ALIAS_OF, TagCase, TagRow, TagSources};
use page::web_page;

const TAGS: Scope = Scope::Tab("Tags");

const NO_TAG: &str = "no tag is known yet: i types one";

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagsAction {
    /// Start an export with what is marked.
    ExportMarked,
    /// Show only what changed, and back.
    Changes,
    /// Download the service-metrics feed.
    Download,
    /// Open the website in the browser.
    Browse,
}

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagsFocus {
    #[default]
    List,
    Page,
}

/// The panes, by their numbers.
const PANES: [TagsFocus; 2] = [TagsFocus::List, TagsFocus::Page];

#[derive(Debug, Default)]
pub struct TagsTab {
    known: KnownTags,
    cases: BTreeMap<TagName, TagCase>,
    /// The tags; the selected one is on the page.
    list: List<HeldRows<TagRow>>,
    part: TagsFocus,
    /// The tag whose page was opened from the list: going back from it leads there.
    from_list: Option<TagName>,
    /// Whether the list shows only the tags that changed since the release before.
    only_changed: bool,
    /// The tag that was opened before it was known whether it is local.
    opened: Option<TagName>,
}

impl TagsTab {
    /// The list beside the page, or one of them.
    fn split(body: Rect) -> Split {
        Split::of(body, |width| (width / 15 * 8).clamp(53, 88))
    }

    /// The selected tag with what was asked about it.
    fn selected_case(&self) -> Option<(&TagName, &TagCase)> {
        self.cases.get_key_value(self.list.selected()?)
    }

    /// Makes the rows anew. The tag that was opened is fetched if it is not local, as soon as that is known. How the local feeds
    /// use the selected tag is counted: one tag at a time, so that walking the list queues nothing.
    fn update(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.list.hide(ALIAS_OF, true);
        let is_known = self.known.list().is_some() || !self.known.is_reading();
        if let Some(tag) = self.opened.take_if(|_| is_known)
            && self.known.find(&tag).is_none()
        {
            self.ask(tag, ctx);
        }
        let sources = TagSources {
            known: &self.known,
            cases: &self.cases,
            trail: ctx.trail,
            evidence: ctx.evidence,
        };
        self.list.fill(if self.only_changed {
            sources.changed()
        } else {
            sources.all()
        });
        self.list.hide(ADDRESSES, self.known.counted().is_none());
        let Some(tag) = self.list.selected().cloned() else {
            return;
        };
        let has_counts = self
            .known
            .counts()
            .is_some_and(|feeds| !feeds.found.is_empty());
        let is_counting = self.cases.values().any(|case| case.uses.is_pending());
        let case = self.cases.entry(tag.clone()).or_default();
        if has_counts && !is_counting && case.uses.is_untouched() {
            case.uses.ask(Question::TagUses(tag), ctx);
        }
    }

    /// Shows the metadata of a tag and puts it on the trail. It is fetched if it is neither local nor fetched already.
    fn visit(&mut self, tag: TagName, ctx: &mut UpdateCtx<'_>) {
        ctx.trail.visit(TrailStop::Tag(tag.clone()), ctx.out.now);
        self.from_list.take_if(|name| *name == tag);
        self.show_tag(&tag);
        let entry = TrailEntry::Tagged(tag.clone(), ctx.out.now);
        ctx.out.cmd(Cmd::Remember(entry));
        if self.record_of(&tag).is_some() {
            return;
        }
        if self.known.is_untouched() {
            self.known.load(ctx);
        }
        self.opened = Some(tag);
    }

    /// Shows the metadata of a tag as it was left.
    fn show_tag(&mut self, tag: &TagName) {
        self.list.select(tag.clone());
        self.list.stop_typing();
        self.part = TagsFocus::Page;
    }

    /// Asks the service, if it is not being asked already.
    fn ask(&mut self, tag: TagName, ctx: &mut UpdateCtx<'_>) {
        let case = self.cases.entry(tag.clone()).or_default();
        case.live.ask(Question::Tag(tag), ctx);
    }

    /// The live metadata of a tag arrived, or the error.
    fn fetched(&mut self, tag: &TagName, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let failure = reply.failure();
        let is_shown = self.list.selected() == Some(tag);
        let Some(case) = self.cases.get_mut(tag) else {
            return;
        };
        if case.live.settle(reply).is_some() {
            return;
        }
        match failure.map(|message| format!("{tag}: {message}")) {
            Some(text) if is_shown => ctx.out.say_of_page(Tone::Error, text),
            Some(text) => ctx.out.say(Tone::Error, text),
            None => case.page.start(Start::LeadInView),
        }
    }

    fn show_list(&mut self) {
        self.part = TagsFocus::List;
        self.from_list = None;
    }

    /// Whether the page that is shown was opened from the list.
    fn is_from_list(&self) -> bool {
        self.part == TagsFocus::Page
            && self.from_list.is_some()
            && self.from_list.as_ref() == self.list.selected()
    }

    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        match (self.part, motion) {
            (TagsFocus::List, Motion::Right) => self.part = TagsFocus::Page,
            (TagsFocus::List, _) => drop(self.list.on(Gesture::Go(motion), ctx.out)),
            (TagsFocus::Page, _) => {
                let tag = self.list.selected();
                let case = tag.and_then(|tag| self.cases.get_mut(tag));
                let has_moved = case.is_some_and(|case| case.page.step(motion));
                if !has_moved && motion == Motion::Left {
                    self.part = TagsFocus::List;
                }
            }
        }
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(tag) = self.list.selected().cloned() else {
            return;
        };
        if self.part == TagsFocus::List {
            self.visit(tag.clone(), ctx);
            self.from_list = Some(tag);
            return;
        }
        let row = self.row();
        let case = self.cases.get(&tag);
        let is_untouched = case.is_none_or(|case| case.live.is_untouched());
        match row.as_ref().and_then(|row| row.lead.clone()) {
            Some(place) => ctx.out.go = Some(place),
            None if is_untouched && self.known.find(&tag).is_none() => self.visit(tag, ctx),
            None if row.is_some() => ctx.out.say(Tone::Info, "nothing to open here"),
            None => {}
        }
    }

    /// The meaning of the row under the cursor of the page.
    fn row(&self) -> Option<Meaning> {
        self.selected_case()?.1.page.meaning()
    }

    /// Asks where the marked tags go, or the selected one where none is marked.
    fn export(&self, ctx: &mut UpdateCtx<'_>) -> Flow {
        let mut tags = self.list.chosen();
        for tag in &mut tags {
            if let Some(canonical) = self.known.instead_of(tag) {
                let text = format!("{tag} is another name of {canonical}: the export names that");
                ctx.out.say(Tone::Info, text);
                *tag = canonical.clone();
            }
        }
        tags.sort_unstable();
        tags.dedup();
        let is_proxy = |tag: &TagName| {
            let record = self.record_of(tag);
            record.is_some_and(|(tag, _)| tag.is_callback_proxy == Field::Is(true))
        };
        let is_proxy = tags.iter().all(is_proxy);
        let nothing = OfFeeds::default();
        let counts = self.known.counts().unwrap_or(&nothing);
        let title = match tags.as_slice() {
            [only] => format!("Export {} as", visible(only.as_str())),
            tags => format!("Export {} tags as", tags.len()),
        };
        let choices = target::choices(&tags, counts, is_proxy);
        Flow::Push(Box::new(Choice::new(title, choices)))
    }

    /// What is known of a tag: from the service, else from the local feed.
    fn record_of(&self, tag: &TagName) -> Option<(&Tag, &Document)> {
        let fetched = self.cases.get(tag).and_then(|case| case.live.value());
        let local = || {
            self.known
                .find(tag)
                .map(|local| (&local.tag, &local.document))
        };
        fetched
            .map(|fetched| (&fetched.value, &fetched.document))
            .or_else(local)
    }

    /// What is known of the selected tag.
    fn record(&self) -> Option<(&Tag, &Document)> {
        self.record_of(self.list.selected()?)
    }

    fn document_of(&self, tag: &TagName) -> Option<&Document> {
        self.record_of(tag).map(|(_, document)| document)
    }

    /// The website of the selected tag.
    fn website(&self) -> Option<&str> {
        self.record()?.0.website.text()
    }

    fn browse(&self, ctx: &mut UpdateCtx<'_>) {
        match self.website().map(web_page) {
            None => {}
            Some(Ok(url)) => ctx.out.confirm(
                format!("Open {url} in the browser? It will see your address."),
                vec![Cmd::Browse(url)],
            ),
            Some(Err(why)) => {
                let text = format!("the website {why}: not opened (y v copies it)");
                ctx.out.say(Tone::Warn, text);
            }
        }
    }

    /// Back to the list, then away with range and filter, then with what restricts the list, then with the question.
    fn escape(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let covers_list = self.part == TagsFocus::Page && !Self::split(ctx.body).is_beside();
        if covers_list {
            self.show_list();
        } else if self.list.on(Gesture::Escape, ctx.out) {
            return true;
        } else if self.only_changed {
            self.only_changed = false;
        } else if !self.cancel(ctx) {
            if self.part == TagsFocus::List {
                return false;
            }
            self.show_list();
        }
        true
    }

    /// Stops waiting for the metadata of the selected tag; returns whether it was pending.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(tag) = self.list.selected() else {
            return false;
        };
        let case = self.cases.get_mut(tag);
        if !case.is_some_and(|case| case.live.stop(ctx)) {
            return false;
        }
        ctx.out.say(Tone::Info, format!("{tag}: no longer waiting"));
        true
    }
}
