//! The Tags tab: the tags of the local service-metrics feed and of lookups, and the metadata of one.
//!
//! Local data is shown before any request. Nothing here costs a query.

pub mod known_tags;
pub mod list;
pub mod page;
pub mod target;
#[cfg(test)]
mod tests;
pub mod view;

use std::collections::BTreeMap;

use ratatui::{Frame, layout::Rect};

use crate::{
    contract::{Endpoint, Feed},
    engine::{PullQuery, trail::TrailEntry, views::OfFeeds},
    model::{Document, Field, Tag, TagName, visible},
    report::{local_tag_ticket, tag_ticket},
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            asked::Asked,
            binding::{
                Binding, char, quiet,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            cmd::Cmd,
            destination::Destination,
            facts::Facts,
            intent::{
                Gesture,
                Intent::{Action, Shared},
                Scope, Yank,
            },
            list::{AnyList, HeldRows, List},
            request::Question,
            sheet::{Meaning, Start},
            surface::{Choice, Flow, Prompt},
            tab::{Actions, Price, Subject, Tab, TabEvent, TabReply, Why},
            trail::TrailStop,
        },
        ui::{areas::Split, cursor::Motion, theme::Tone},
    },
};
use known_tags::KnownTags;
use list::{ADDRESSES, TagCase, TagRow, TagSources};
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
        let has_counts = self.known.counts().is_some_and(|own| !own.found.is_empty());
        let is_counting = self.cases.values().any(|case| case.uses.is_pending());
        let case = self.cases.entry(tag.clone()).or_default();
        if has_counts && !is_counting && case.uses.is_untouched() {
            case.uses.ask(Question::TagUses(tag), ctx);
        }
    }

    /// Shows the metadata of a tag and puts it on the trail. It is fetched if it is neither local nor fetched already.
    fn visit(&mut self, tag: TagName, ctx: &mut UpdateCtx<'_>) {
        ctx.trail.visit(TrailStop::Tag(tag.clone()), ctx.out.now);
        self.from_list.take_if(|own| *own == tag);
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

impl Actions for TagsTab {
    type Action = TagsAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<TagsAction>] = &[
        shown(TAGS, char('/'), Shared(Gesture::Find), FIRST, "filter", "show only the tags that match"),
        shown(TAGS, char('R'), Shared(Gesture::Refresh), FIRST, "live (free)", "fetch the tag's live metadata: costs no query").sends(),
        shown(TAGS, char(' '), Shared(Gesture::Mark), SOON, "mark", "mark the tag, for an export"),
        quiet(TAGS, char('V'), Shared(Gesture::MarkRange), "begin a range of marks at this tag; again marks up to the cursor"),
        quiet(TAGS, char('A'), Shared(Gesture::MarkAll), "mark all tags of the list"),
        quiet(TAGS, char('*'), Shared(Gesture::InvertMarks), "invert the marks of the listed tags"),
        shown(TAGS, char('E'), Action(TagsAction::ExportMarked), SOON, "export", "choose where the marked tags go in an export"),
        shown(TAGS, char('c'), Action(TagsAction::Changes), SOON, "compare", "compare with the local release before: only the tags that changed, and back"),
        shown(TAGS, char('s'), Shared(Gesture::Sort), SOON, "sort", "choose the column to sort by; s again reverses it"),
        quiet(TAGS, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
        quiet(TAGS, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
        shown(TAGS, char('i'), Shared(Gesture::Input), LATER, "new tag", "type the name of a tag"),
        shown(TAGS, char('p'), Action(TagsAction::Download), LATER, "download", "download the latest service-metrics feed: costs no query").sends(),
        shown(TAGS, char('o'), Action(TagsAction::Browse), LATER, "website", "open the website in the browser; asks first"),
        shown(TAGS, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
    ];

    fn when_acting(&self, action: TagsAction, _ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        let changed = self.known.changes().map(|changes| changes.tags.len());
        let why = match (action, changed) {
            (TagsAction::ExportMarked, _) if self.list.chosen().is_empty() => NO_TAG,
            (TagsAction::Changes, None) => "there is no local release before",
            (TagsAction::Changes, Some(0)) if !self.only_changed => "no tag changed",
            (TagsAction::Browse, _) if self.website().is_none() => "this tag names no website",
            _ => return Ok(None),
        };
        Err(why.into())
    }

    fn run(&mut self, action: TagsAction, ctx: &mut UpdateCtx<'_>) -> Flow {
        match action {
            TagsAction::ExportMarked => return self.export(ctx),
            TagsAction::Changes => {
                self.only_changed = !self.only_changed;
                self.part = TagsFocus::List;
                self.update(ctx);
                self.list.keep_in_view();
            }
            TagsAction::Download => {
                let feed = Feed::ServiceMetrics;
                let query = PullQuery::latest(feed);
                ctx.start(format!("feed {feed}"), Question::Pull(query));
            }
            TagsAction::Browse => self.browse(ctx),
        }
        Flow::Done
    }
}

impl Tab for TagsTab {
    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        let is_typing = self.list.is_typing();
        vec![if is_typing { Scope::Input } else { TAGS }]
    }

    fn list(&self) -> Option<&dyn AnyList> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        Some(&mut self.list)
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        if self.list.is_typing() {
            return Ok(None);
        }
        if self.list.lacks_row_for(gesture) {
            return Err(NO_TAG.into());
        }
        match gesture {
            Gesture::Raw if self.record().is_none() => Err("there is no JSON here yet".into()),
            // On the page, a row may be a lookup.
            Gesture::Open if self.part == TagsFocus::Page => {
                let lead = self.row().and_then(|row| row.lead);
                Ok(lead.and_then(|lead| lead.price(ctx.facts)).map(Into::into))
            }
            _ => Ok(None),
        }
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        if self.list.is_typing() {
            return self.list.on(gesture, ctx.out).into();
        }
        match gesture {
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::Open => self.enter(ctx),
            Gesture::NextPane | Gesture::PreviousPane => {
                self.part = PANES[usize::from(self.part == TagsFocus::List)];
            }
            Gesture::Input => {
                let read = |text: &str| match text.parse() {
                    Ok(tag) => Ok(Destination::Tag(tag)),
                    Err(why) => Err(why.to_string()),
                };
                let prompt = Prompt::new("tag", "a tag, such as ACME_VPN", read);
                return Flow::Push(Box::new(prompt));
            }
            Gesture::Refresh => {
                if let Some(tag) = self.list.selected().cloned() {
                    self.ask(tag, ctx);
                }
            }
            Gesture::Back if self.is_from_list() => self.show_list(),
            Gesture::Escape => return self.escape(ctx).into(),
            Gesture::Cancel => return self.cancel(ctx).into(),
            gesture => {
                if gesture == Gesture::Find {
                    self.part = TagsFocus::List;
                }
                return self.list.on(gesture, ctx.out).into();
            }
        }
        Flow::Done
    }

    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        match reply.question {
            Question::Tag(tag) => self.fetched(tag, reply, ctx),
            Question::TagUses(tag) => {
                if let Some(case) = self.cases.get_mut(tag) {
                    case.uses.settle(reply);
                }
            }
            Question::Pull(_) if reply.result.is_ok() => self.known.reload(ctx),
            _ => {
                let before = self.known.counts().cloned();
                self.known.settle(reply, ctx);
                if self.known.counts() != before.as_ref() {
                    // Another release arrived: what was counted is counted again.
                    for case in self.cases.values_mut() {
                        case.uses = Asked::default();
                    }
                }
            }
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.list.copy(what, |tag| self.document_of(tag), ctx.out) {
            return true;
        }
        let selected = self.list.selected().filter(|_| what == Yank::Ticket);
        let Some(tag) = selected else {
            return false;
        };
        let fetched = self.cases.get(tag).and_then(|case| case.live.value());
        let seen = ctx.evidence.of(tag).iter();
        let seen: Vec<String> = seen.map(|seen| seen.query.address.to_string()).collect();
        let written = ctx.written();
        let note = match (fetched, self.known.list(), self.known.find(tag)) {
            (Some(fetched), ..) => tag_ticket(tag.as_str(), fetched, &seen.join(", "), written),
            (None, Some(list), Some(local)) => {
                local_tag_ticket(tag.as_str(), &list.release, &local.tag, written)
            }
            _ => return false,
        };
        ctx.out.copy_lines("a ticket note", note);
        true
    }

    fn raw_area(&self, body: Rect, zoomed: bool) -> Rect {
        Self::split(body).zoomed(zoomed).right
    }

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        match event {
            TabEvent::Home => self.part = TagsFocus::List,
            TabEvent::Arrived => self.known.load(ctx),
            TabEvent::Changed => self.update(ctx),
            TabEvent::Opened(Destination::Tag(tag)) => self.visit(tag, ctx),
            TabEvent::Shown(Destination::Tag(tag)) => self.show_tag(tag),
            // The raw text is beside the list, in place of the page of the tag that it is about.
            TabEvent::RawOpens => {
                if let Some(tag) = self.list.selected().cloned() {
                    self.list.select(tag);
                }
                if self.record().is_some() {
                    self.part = TagsFocus::Page;
                }
            }
            TabEvent::Pointed(pane) => {
                self.list.stop_typing();
                self.part = PANES[usize::from(pane > 0)];
            }
            TabEvent::MovedIn(pane, motion) => {
                let before = std::mem::replace(&mut self.part, PANES[usize::from(pane > 0)]);
                self.go(motion, ctx);
                self.part = before;
            }
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn subject(&self) -> Subject<'_> {
        let tag = self.list.selected();
        Subject {
            name: tag.map(ToString::to_string),
            endpoint: tag.cloned().map(Endpoint::Tag),
            meaning: self.row(),
            document: self.record().map(|(_, document)| document),
            steps_back: self.is_from_list(),
            ..Subject::default()
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        view::draw(frame, area, self, ctx);
    }
}
