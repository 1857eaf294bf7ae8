//! The Tags tab, as the shell knows it.

use ratatui::{Frame, layout::Rect};

use super::{NO_TAG, PANES, TAGS, TagsAction, TagsFocus, TagsTab, view};
use crate::{
    contract::{Endpoint, Feed},
    engine::PullQuery,
    report::{local_tag_ticket, tag_ticket},
    tui::ctx::{
        Actions, AnyList, Asked, Binding, Destination, Facts, Flow, Gesture, Price, Prompt,
        Question, Scope, Subject, Tab, TabEvent, TabReply, UpdateCtx, ViewCtx, Why, Yank,
        binding::{
            char, quiet,
            rank::{FIRST, LATER, SOON},
            shown,
        },
        intent::Intent::{Action, Shared},
    },
};

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
        vec![self.list.scope_or(TAGS)]
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

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        match event {
            TabEvent::Answered(reply) => self.answered(*reply, ctx),
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

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) -> Rect {
        view::draw(frame, area, self, ctx)
    }
}

impl TagsTab {
    /// Handles the answer to a question.
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
}
