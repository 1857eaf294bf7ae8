//! What keys do in the Tags tab.

use std::borrow::Cow;

use url::Url;

use super::{
    TagsFocus, TagsTab,
    areas::{TagsAreas, Typing},
    case::TagCase,
    list::Sort,
    target,
};
use crate::{
    contract::Feed,
    engine::{PullQuery, views::OfFeeds},
    model::{Field, Tag, TagName},
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            binding::{
                Binding, char, quiet,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            cmd::Cmd,
            destination::{Destination, OmittedConditions},
            intent::{
                Gesture,
                Intent::{Action, Shared},
                Scope,
            },
            request::Question,
            sheet::Meaning,
            tab::Actions,
        },
        ui::{cursor::Motion, theme::Tone, widgets::picker::Picker},
    },
};

pub(super) const TAGS: Scope = Scope::Tab("Tags");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagsAction {
    Mark,
    /// Begin a range of rows, or mark it.
    MarkRange,
    MarkAll,
    InvertMarks,
    /// Start an export with what is marked.
    ExportMarked,
    /// Show only what changed, and back.
    Changes,
    /// Download the service-metrics feed.
    Download,
    /// Open the website in the browser.
    Browse,
}

impl Actions for TagsTab {
    type Action = TagsAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<TagsAction>] = &[
        shown(TAGS, char('/'), Shared(Gesture::Find), FIRST, "filter", "show only the tags that match"),
        shown(TAGS, char('R'), Shared(Gesture::Refresh), FIRST, "live (free)", "fetch the tag's live metadata: costs no query").sends(),
        shown(TAGS, char(' '), Action(TagsAction::Mark), SOON, "mark", "mark the tag, for an export"),
        quiet(TAGS, char('V'), Action(TagsAction::MarkRange), "begin a range of marks at this tag; again marks up to the cursor"),
        quiet(TAGS, char('A'), Action(TagsAction::MarkAll), "mark all tags of the list"),
        quiet(TAGS, char('*'), Action(TagsAction::InvertMarks), "invert the marks of the listed tags"),
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

    fn idle_action(&self, action: TagsAction, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        self.idle_own(action, ctx)
    }

    fn act(&mut self, action: TagsAction, ctx: &mut UpdateCtx<'_>) {
        match action {
            TagsAction::Mark => self.mark(ctx),
            TagsAction::MarkRange => self.mark_range(ctx),
            TagsAction::MarkAll => self.mark_list(false, ctx),
            TagsAction::InvertMarks => self.mark_list(true, ctx),
            TagsAction::ExportMarked => self.export(ctx),
            TagsAction::Changes => self.switch_changes(ctx),
            TagsAction::Download => download(ctx),
            TagsAction::Browse => self.browse(ctx),
        }
        self.count_uses(ctx);
    }
}

impl TagsTab {
    /// Does what means something in any tab; returns whether it does here.
    pub(super) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.export.is_some() {
            return self.on_export(gesture, ctx);
        }
        if let Some(typing) = self.typing {
            return self.on_field(typing, gesture, ctx);
        }
        match gesture {
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::Open => self.enter(ctx),
            Gesture::NextPane | Gesture::PreviousPane => self.part = self.other_part(),
            Gesture::Input => {
                self.name.clear();
                self.typing = Some(Typing::Name);
            }
            Gesture::Find => {
                self.part = TagsFocus::List;
                self.typing = Some(Typing::Filter);
            }
            Gesture::Refresh => match self.subject(ctx) {
                Some(tag) => self.ask(tag, ctx),
                None => ctx.out.say(Tone::Info, "no tag is selected: i types one"),
            },
            Gesture::Undo if self.marked.undo() => {}
            Gesture::Undo => ctx.out.say(Tone::Info, "nothing to undo"),
            Gesture::Redo if self.marked.redo() => {}
            Gesture::Redo => ctx.out.say(Tone::Info, "nothing to redo"),
            Gesture::Back if self.is_from_list() => self.show_list(),
            Gesture::Escape => return self.escape(ctx),
            Gesture::Cancel => return self.cancel(ctx),
            _ => return false,
        }
        true
    }

    fn on_field(&mut self, typing: Typing, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        match (gesture, typing) {
            (Gesture::Open, Typing::Name) => match self.name.value().parse() {
                Ok(tag) => self.visit(tag, ctx),
                Err(_) if self.name.is_empty() => ctx.out.say(Tone::Info, "type a tag first"),
                Err(why) => ctx.out.say(Tone::Error, format!("{why}: nothing was sent")),
            },
            (Gesture::Open | Gesture::NextPane | Gesture::PreviousPane, _) => self.typing = None,
            (Gesture::Escape, _) => {
                self.typing = None;
                if typing == Typing::Filter {
                    self.filter.clear();
                }
            }
            _ => return false,
        }
        true
    }

    fn other_part(&self) -> TagsFocus {
        match self.part {
            TagsFocus::List => TagsFocus::Page,
            TagsFocus::Page => TagsFocus::List,
        }
    }

    fn show_list(&mut self) {
        self.part = TagsFocus::List;
        self.from_list = None;
    }

    /// Whether the page that is shown was opened from the list.
    pub(super) fn is_from_list(&self) -> bool {
        self.part == TagsFocus::Page && self.from_list.is_some() && self.from_list == self.here
    }

    /// Whether the page replaces the list.
    fn covers_list(&self, ctx: &UpdateCtx<'_>) -> bool {
        self.part == TagsFocus::Page && !TagsAreas::of(ctx.body, None).beside()
    }

    pub(super) fn subject(&self, ctx: &UpdateCtx<'_>) -> Option<TagName> {
        self.current(&self.listed(ctx.trail, ctx.evidence))
    }

    pub(super) fn go(&mut self, motion: Motion, ctx: &UpdateCtx<'_>) {
        match (self.part, motion) {
            (TagsFocus::List, Motion::Right) => self.part = TagsFocus::Page,
            (TagsFocus::List, _) => self.go_in_list(motion, ctx),
            (TagsFocus::Page, _) => {
                if !self.go_on_page(motion, ctx) && motion == Motion::Left {
                    self.part = TagsFocus::List;
                }
            }
        }
    }

    fn go_in_list(&mut self, motion: Motion, ctx: &UpdateCtx<'_>) {
        let listed = self.listed(ctx.trail, ctx.evidence);
        let mut cursor = self.cursor(&listed).unwrap_or(&self.scroll).clone();
        cursor.step(motion, listed.len());
        let there = listed.get(cursor.index()).map(|listed| listed.name.clone());
        self.here = there.or_else(|| self.here.take());
        self.scroll = cursor;
    }

    fn go_on_page(&mut self, motion: Motion, ctx: &UpdateCtx<'_>) -> bool {
        let Some(tag) = self.subject(ctx) else {
            return false;
        };
        let case = self.cases.entry(tag).or_insert_with(|| TagCase {
            page: std::mem::take(&mut self.unasked),
            ..TagCase::default()
        });
        case.page.step(motion)
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.part == TagsFocus::List {
            if let Some(tag) = self.subject(ctx) {
                self.visit(tag.clone(), ctx);
                self.from_list = Some(tag);
            }
            return;
        }
        let Some(tag) = self.subject(ctx) else {
            return;
        };
        let untouched = self
            .cases
            .get(&tag)
            .is_none_or(|case| case.live.is_untouched());
        match self.row(ctx) {
            Some(Meaning {
                lead: Some(Destination::Tag(tag)),
                ..
            }) => self.visit(tag, ctx),
            Some(Meaning {
                lead: Some(place), ..
            }) => ctx.out.go = Some(place),
            _ if untouched && self.known.find(&tag).is_none() => self.visit(tag, ctx),
            Some(_) => ctx.out.say(Tone::Info, "nothing to open here"),
            None => {}
        }
    }

    /// What the row under the cursor is.
    pub(super) fn row(&self, ctx: &UpdateCtx<'_>) -> Option<Meaning> {
        let tag = self.subject(ctx)?;
        self.cases.get(&tag)?.page.meaning()
    }

    pub(super) fn sort_by(&mut self, sort: Sort, ctx: &mut UpdateCtx<'_>) {
        self.sort = sort;
        ctx.out
            .say(Tone::Info, format!("sorted by {}", self.sort.words()));
    }

    fn switch_changes(&mut self, ctx: &mut UpdateCtx<'_>) {
        let count = self.known.changes().map(|changes| changes.tags.len());
        match count {
            None => ctx.out.say(
                Tone::Info,
                "there is no local release before: changes are known from the second one on",
            ),
            Some(0) if !self.only_changed => ctx.out.say(Tone::Info, "no tag changed"),
            Some(_) => {
                self.only_changed = !self.only_changed;
                self.part = TagsFocus::List;
                self.keep_in_list(ctx);
            }
        }
    }

    /// Asks where the marked tags go, or the selected one where none is marked.
    fn export(&mut self, ctx: &mut UpdateCtx<'_>) {
        let tags: Vec<TagName> = if self.marked.is_empty() {
            self.subject(ctx).into_iter().collect()
        } else {
            self.marked.iter().cloned().collect()
        };
        if tags.is_empty() {
            return ctx.out.say(Tone::Info, "no tag is selected: i types one");
        }
        let mut tags = tags;
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
            let read = self.metadata_of(tag);
            read.is_some_and(|tag| tag.is_callback_proxy == Field::Is(true))
        };
        let is_proxy = tags.iter().all(is_proxy);
        let nothing = OfFeeds::default();
        let counts = self.known.all_counts().unwrap_or(&nothing);
        let choices = target::choices(&tags, counts, is_proxy);
        self.export = Some((tags, Picker::new(choices)));
    }

    fn on_export(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some((tags, picker)) = &mut self.export else {
            return false;
        };
        match gesture {
            Gesture::Go(motion) => picker.step(motion),
            Gesture::Open => {
                if let Some(chosen) = picker.chosen() {
                    let query = chosen.value.export(std::mem::take(tags));
                    ctx.out.go = Some(Destination::Export(query, OmittedConditions::default()));
                    self.export = None;
                }
            }
            Gesture::Escape => self.export = None,
            _ => return false,
        }
        true
    }

    /// What was read of a tag: what was fetched, else what is local.
    pub(super) fn metadata_of(&self, tag: &TagName) -> Option<&Tag> {
        let fetched = self.cases.get(tag).and_then(TagCase::tag);
        fetched.or_else(|| Some(&self.known.find(tag)?.tag))
    }

    fn browse(&mut self, ctx: &mut UpdateCtx<'_>) {
        let tag = self.subject(ctx);
        let tag = tag.and_then(|tag| self.metadata_of(&tag));
        let Some(website) = tag.and_then(|tag| tag.website.text()) else {
            return ctx.out.say(Tone::Info, "this tag names no website");
        };
        match web_page(website) {
            Ok(url) => ctx.out.confirm(
                format!("Open {url} in the browser? It will see your address."),
                vec![Cmd::Browse(url)],
            ),
            Err(why) => ctx.out.say(
                Tone::Warn,
                format!("the website {why}: not opened (y v copies it)"),
            ),
        }
    }

    /// Back to the list, then away with the filter, then away with the question.
    fn escape(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.covers_list(ctx) {
            self.show_list();
        } else if self.marked.leave_range() {
            ctx.out.say(Tone::Info, "range cancelled");
        } else if !self.filter.is_empty() {
            self.filter.clear();
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

    /// Stops waiting for the metadata of the tag that is shown; returns whether it was being waited for.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(tag) = self.subject(ctx) else {
            return false;
        };
        let case = self.cases.get_mut(&tag);
        if !case.is_some_and(|case| ctx.stop(&mut case.live)) {
            return false;
        }
        ctx.out.say(Tone::Info, format!("{tag}: no longer waiting"));
        true
    }
}

/// Downloads the latest release of the feed that has the list.
fn download(ctx: &mut UpdateCtx<'_>) {
    let feed = Feed::ServiceMetrics;
    let query = PullQuery::latest(feed);
    ctx.start(format!("feed {feed}"), Question::Pull(query));
}

/// The URL of a website, normalized, or why a browser must not open it.
fn web_page(website: &str) -> Result<String, &'static str> {
    let url = Url::parse(website.trim()).map_err(|_| "is no URL")?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("is no http or https address");
    }
    // It would be sent to the host, and hides which host that is.
    if !url.username().is_empty() || url.password().is_some() {
        return Err("contains a user name or password");
    }
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::web_page;

    #[test]
    fn only_web_pages_are_opened() {
        const SECRET: &str = "contains a user name or password";
        for (website, opened) in [
            (
                " https://acme.example/a b ",
                Ok("https://acme.example/a%20b"),
            ),
            ("http://acme.example", Ok("http://acme.example/")),
            ("acme.example", Err("is no URL")),
            ("file:///etc/hosts", Err("is no http or https address")),
            ("javascript:alert(1)", Err("is no http or https address")),
            ("", Err("is no URL")),
            ("https://acme.example@b.example", Err(SECRET)),
            ("https://:secret@acme.example/", Err(SECRET)),
            ("https://user:pass@acme.example/", Err(SECRET)),
        ] {
            let page = web_page(website);
            assert_eq!(page.as_deref().map_err(|why| *why), opened, "{website}");
        }
    }
}
