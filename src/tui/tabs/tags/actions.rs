//! What keys do in the Tags tab.

use url::Url;

use super::{
    Part, TagsTab,
    case::Case,
    parts::{Parts, Typing},
};
use crate::{
    contract::{ExportQuery, Feed},
    model::TagName,
    tui::{
        ctx::{
            UpdateCtx,
            binding::{
                Binding, char,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            cmd::Cmd,
            intent::{
                Gesture,
                Intent::{Own, Shared},
                Scope,
            },
            place::Place,
            sheet::Meaning,
            tab::Actions,
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

/// The tab.
pub(super) const TAGS: Scope = Scope::Tab("Tags");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagsAction {
    /// Mark a row.
    Mark,
    /// Start an export with what is marked.
    ExportMarked,
    /// Choose how rows are sorted.
    Sort,
    /// Open the website in the browser.
    Browse,
}

impl Actions for TagsTab {
    type Action = TagsAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<TagsAction>] = &[
        shown(TAGS, char('i'), Shared(Gesture::Input), FIRST, "new tag", "type the name of a tag"),
        shown(TAGS, char('R'), Shared(Gesture::Refresh), FIRST, "ask again", "ask the service for the tag's metadata again").sends(),
        shown(TAGS, char('/'), Shared(Gesture::Find), SOON, "filter", "show only the tags that match"),
        shown(TAGS, char(' '), Own(TagsAction::Mark), SOON, "mark", "mark the tag, for an export"),
        shown(TAGS, char('E'), Own(TagsAction::ExportMarked), SOON, "export", "start an export with the marked tags"),
        shown(TAGS, char('s'), Own(TagsAction::Sort), LATER, "sort", "sort by another column"),
        shown(TAGS, char('o'), Own(TagsAction::Browse), LATER, "website", "open the website in the browser; asks first"),
        shown(TAGS, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
    ];

    fn act(&mut self, action: TagsAction, ctx: &mut UpdateCtx<'_>) {
        match action {
            TagsAction::Mark => self.mark(ctx),
            TagsAction::ExportMarked => self.export(ctx),
            TagsAction::Sort => self.sort_otherwise(ctx),
            TagsAction::Browse => self.browse(ctx),
        }
    }
}

impl TagsTab {
    /// Does what means something in any tab; says whether it does here.
    pub(super) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
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
                self.part = Part::List;
                self.typing = Some(Typing::Filter);
            }
            Gesture::Refresh => match self.subject(ctx) {
                Some(tag) => self.ask(tag, ctx),
                None => ctx.out.say(Tone::Info, "no tag is known yet: i types one"),
            },
            Gesture::Back if self.covers_list(ctx) && self.from_list => self.show_list(),
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

    fn other_part(&self) -> Part {
        match self.part {
            Part::List => Part::Page,
            Part::Page => Part::List,
        }
    }

    fn show_list(&mut self) {
        self.part = Part::List;
        self.from_list = false;
    }

    /// Whether the page stands where the list would.
    fn covers_list(&self, ctx: &UpdateCtx<'_>) -> bool {
        self.part == Part::Page && !Parts::of(ctx.body, None).beside()
    }

    /// The tag that is shown.
    pub(super) fn subject(&self, ctx: &UpdateCtx<'_>) -> Option<TagName> {
        self.current(&self.listed(ctx.trail, ctx.evidence))
    }

    fn go(&mut self, motion: Motion, ctx: &UpdateCtx<'_>) {
        match (self.part, motion) {
            (Part::List, Motion::Right) => self.part = Part::Page,
            (Part::List, _) => self.go_in_list(motion, ctx),
            (Part::Page, _) => {
                if !self.go_on_page(motion, ctx) && motion == Motion::Left {
                    self.part = Part::List;
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
        let case = self.cases.entry(tag).or_insert_with(|| Case {
            page: std::mem::take(&mut self.unasked),
            ..Case::default()
        });
        case.page.step(motion)
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.part == Part::List {
            if let Some(tag) = self.subject(ctx) {
                self.visit(tag, ctx);
                self.from_list = true;
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
                lead: Some(Place::Tag(tag)),
                ..
            }) => self.visit(tag, ctx),
            Some(Meaning {
                lead: Some(place), ..
            }) => ctx.out.go = Some(place),
            _ if untouched => self.visit(tag, ctx),
            Some(_) => ctx.out.say(
                Tone::Info,
                "this row leads nowhere: relations and evidence lead on",
            ),
            None => {}
        }
    }

    /// What the row under the cursor is.
    pub(super) fn row(&self, ctx: &UpdateCtx<'_>) -> Option<Meaning> {
        let tag = self.subject(ctx)?;
        self.cases.get(&tag)?.page.meaning()
    }

    fn sort_otherwise(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.sort = self.sort.next();
        ctx.out
            .say(Tone::Info, format!("sorted by {}", self.sort.words()));
    }

    fn mark(&mut self, ctx: &UpdateCtx<'_>) {
        if let Some(tag) = self.subject(ctx)
            && !self.marked.remove(&tag)
        {
            self.marked.insert(tag);
        }
    }

    fn export(&mut self, ctx: &mut UpdateCtx<'_>) {
        let tags: Vec<TagName> = if self.marked.is_empty() {
            self.subject(ctx).into_iter().collect()
        } else {
            self.marked.iter().cloned().collect()
        };
        if tags.is_empty() {
            ctx.out.say(Tone::Info, "no tag is known yet: i types one");
        } else {
            let query = ExportQuery {
                tags,
                ..ExportQuery::all_of(Feed::Anonymous)
            };
            ctx.out.go = Some(Place::Export(query));
        }
    }

    fn browse(&mut self, ctx: &mut UpdateCtx<'_>) {
        let tag = self
            .subject(ctx)
            .and_then(|tag| self.cases.get(&tag)?.tag());
        let Some(website) = tag.and_then(|tag| tag.website.text()) else {
            return ctx.out.say(Tone::Info, "no website is known of this tag");
        };
        match web_page(website) {
            Some(url) => ctx.out.confirm(
                format!("Open {url} in the browser? It will see your address."),
                vec![Cmd::Browse(url)],
            ),
            None => ctx.out.say(
                Tone::Warn,
                "the website is no http or https address: not opened (y v copies it)",
            ),
        }
    }

    /// Back to the list, then away with the filter, then away with the question.
    fn escape(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.covers_list(ctx) {
            self.show_list();
        } else if !self.filter.is_empty() {
            self.filter.clear();
        } else if !self.cancel(ctx) {
            if self.part == Part::List {
                return false;
            }
            self.show_list();
        }
        true
    }

    /// Stops waiting for the metadata of the tag that is shown; says whether it was being waited for.
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

/// A home page that a browser may open: http or https, as it would be asked for.
fn web_page(website: &str) -> Option<String> {
    let url = Url::parse(website.trim()).ok()?;
    let fits = matches!(url.scheme(), "http" | "https") && url.has_host();
    fits.then(|| url.to_string())
}

#[cfg(test)]
mod tests {
    use super::web_page;

    #[test]
    fn only_web_pages_are_opened() {
        for (website, opened) in [
            (
                " https://acme.example/a b ",
                Some("https://acme.example/a%20b"),
            ),
            ("http://acme.example", Some("http://acme.example/")),
            ("acme.example", None),
            ("file:///etc/hosts", None),
            ("javascript:alert(1)", None),
            ("", None),
        ] {
            assert_eq!(web_page(website).as_deref(), opened, "{website}");
        }
    }
}
