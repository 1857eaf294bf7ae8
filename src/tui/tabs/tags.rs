//! The Tags tab: the tags that are known, and the metadata of one of them.

mod actions;
pub mod case;
pub mod list;
mod note;
pub mod page;
#[cfg(test)]
mod tests;
pub mod view;
mod yank;

use std::collections::{BTreeMap, BTreeSet};

use ratatui::layout::Size;

use crate::{
    engine::{Error, trail::Entry},
    model::{Document, TagName},
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            evidence::Evidence,
            intent::Scope,
            raw::Raw,
            request::{Answer, JobId, Question},
            sheet::Sheet,
            trail::Trail,
        },
        ui::{
            cursor::Cursor,
            theme::{Theme, Tone},
            widgets::{pane::Pane, text_field::TextField},
        },
    },
};
use case::Case;
use list::{Listed, Sort, Sources};
use page::Subject;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The list of tags.
    #[default]
    List,
    /// The metadata of one.
    Page,
}

/// What is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typing {
    /// The name of a tag.
    Name,
    /// The filter of the list.
    Filter,
}

/// The state of the tab.
#[derive(Debug)]
pub struct TagsTab {
    cases: BTreeMap<TagName, Case>,
    /// The tag that is shown, once one was chosen.
    here: Option<TagName>,
    part: Part,
    /// Whether the page was opened from the list, so that there is a list to come back to.
    from_list: bool,
    /// The tag that the list has just asked to open.
    chosen: Option<TagName>,
    /// How far the list is scrolled; which row is selected follows from the tag that is shown.
    scroll: Cursor,
    sort: Sort,
    typing: Option<Typing>,
    name: TextField,
    filter: TextField,
    marked: BTreeSet<TagName>,
    raw: Option<Raw>,
}

impl Default for TagsTab {
    fn default() -> Self {
        Self {
            cases: BTreeMap::new(),
            here: None,
            part: Part::default(),
            from_list: false,
            chosen: None,
            scroll: Cursor::default(),
            sort: Sort::default(),
            typing: None,
            name: TextField::new("the name of a tag, such as ACME_VPN"),
            filter: TextField::new("part of a tag, a name or a kind"),
            marked: BTreeSet::new(),
            raw: None,
        }
    }
}

impl TagsTab {
    /// Where keys are looked up.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        if self.typing.is_some() {
            return vec![Scope::Input];
        }
        vec![self.raw.as_ref().map_or(Scope::Tags, Raw::scope)]
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        match self.typing {
            Some(Typing::Name) => Some(&mut self.name),
            Some(Typing::Filter) => Some(&mut self.filter),
            None => self.raw.as_mut().and_then(Raw::field),
        }
    }

    /// What was typed has changed.
    pub fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.typing == Some(Typing::Filter) {
            self.keep_in_list(ctx);
        } else if let Some(raw) = &mut self.raw {
            raw.typed();
        }
    }

    /// The tab is opened.
    pub fn arrive(&mut self, _desk: &mut UpdateCtx<'_>) {}

    /// The service's own text of what is shown.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        let case = self.cases.get(self.here.as_ref()?)?;
        case.live.value().map(|fetched| &fetched.document)
    }

    /// Shows the metadata of a tag, asking for it if it is not known.
    pub fn open(&mut self, tag: TagName, ctx: &mut UpdateCtx<'_>) {
        let chosen = self.chosen.take();
        self.show(&tag);
        self.from_list = chosen.as_ref() == Some(&tag);
        let note = Entry::Tagged(tag.clone(), ctx.out.now).to_note();
        ctx.out.cmd(Cmd::Remember(note));
        let case = self.cases.entry(tag.clone()).or_default();
        if case.live.value().is_none() {
            self.ask(tag, ctx);
        }
    }

    /// Shows the metadata of a tag as it was left.
    pub fn show(&mut self, tag: &TagName) {
        self.here = Some(tag.clone());
        self.part = Part::Page;
        self.from_list = false;
        (self.typing, self.raw) = (None, None);
    }

    /// Asks the service, if it is not being asked already.
    fn ask(&mut self, tag: TagName, ctx: &mut UpdateCtx<'_>) {
        let case = self.cases.entry(tag.clone()).or_default();
        if case.live.pending().is_none() {
            let job = ctx.out.ask(Question::Tag(tag));
            case.live.begin(job);
        }
    }

    /// An answer came.
    pub fn answered(
        &mut self,
        job: JobId,
        tag: &TagName,
        result: Result<Answer, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let result = match result {
            Ok(Answer::Tag(fetched)) => Ok(fetched),
            Ok(_) => return,
            Err(error) => Err(error),
        };
        let failure = result.as_ref().err().map(|error| error.message.clone());
        let Some(case) = self.cases.get_mut(tag) else {
            return;
        };
        if !case.live.finish(job, result) {
            return;
        }
        if let Some(message) = failure {
            return ctx.out.say(Tone::Error, format!("{tag}: {message}"));
        }
        self.settle_page(tag, ctx);
    }

    /// Stands on the first row that leads somewhere where that is in view from the top, else on the first row.
    fn settle_page(&mut self, tag: &TagName, ctx: &UpdateCtx<'_>) {
        let sheet = self.sheet(tag, ctx);
        let size = self.page_size(ctx);
        let Some(case) = self.cases.get_mut(tag) else {
            return;
        };
        if case.page.focus().is_none() {
            let top = case.page;
            if let Some(lead) = sheet.first_lead() {
                case.page.focus_on(lead);
            }
            if case.page.view(&sheet.page, size).lines.start > 0 {
                case.page = top;
                case.page.focus_on(0);
            }
        }
        case.page.fit(&sheet.page, size);
    }

    /// The tags of the list.
    #[must_use]
    pub fn listed<'a>(&'a self, trail: &'a Trail, evidence: &'a Evidence) -> Vec<Listed<'a>> {
        let sources = Sources {
            cases: &self.cases,
            trail,
            evidence,
        };
        sources.listed(self.filter.value(), self.sort)
    }

    /// The tag that is shown: the one that was chosen, else the first of the list.
    #[must_use]
    pub fn current(&self, listed: &[Listed<'_>]) -> Option<TagName> {
        let first = || listed.first().map(|listed| listed.name.clone());
        self.here.clone().or_else(first)
    }

    /// The selected row of the list, with a scroll position that shows it; none where the tag shown is not in it.
    #[must_use]
    pub fn cursor(&self, listed: &[Listed<'_>], height: usize) -> Option<Cursor> {
        let current = self.current(listed)?;
        let index = listed.iter().position(|listed| listed.name == current)?;
        let mut cursor = self.scroll;
        cursor.select(index, listed.len(), height);
        Some(cursor)
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

    /// The page of a tag.
    fn sheet(&self, tag: &TagName, ctx: &UpdateCtx<'_>) -> Sheet {
        let subject = Subject {
            name: tag,
            case: self.cases.get(tag),
            seen: ctx.evidence.of(tag),
            facts: ctx.facts,
        };
        subject.sheet(&Theme::terminal())
    }

    /// The size of the page, inside of its border.
    fn page_size(&self, ctx: &UpdateCtx<'_>) -> Size {
        Pane::inner(view::Parts::of(ctx.body, self.typing).page).as_size()
    }
}
