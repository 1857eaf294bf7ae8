//! What keys do in the Tags tab.

use url::Url;

use super::{Part, TagsTab, Typing, view};
use crate::{
    model::TagName,
    tui::{
        app::{Desk, Place},
        cursor::Motion,
        keys::Intent,
        msg::Cmd,
        raw::{Acted, Raw},
        sheet::Meaning,
        theme::Tone,
    },
};

impl TagsTab {
    /// Does what a person wants; says whether it is this tab's business.
    pub fn act(&mut self, intent: Intent, desk: &mut Desk<'_>) -> bool {
        if let Some(typing) = self.typing {
            return self.act_on_field(typing, intent, desk);
        }
        let height = usize::from(self.page_size(desk).height);
        if let Some(raw) = &mut self.raw {
            let acted = raw.act(intent, height);
            if acted == Acted::Closed {
                self.raw = None;
            }
            return acted != Acted::Ignored;
        }
        match intent {
            Intent::Go(motion) => self.go(motion, desk),
            Intent::Open => self.enter(desk),
            Intent::NextPane | Intent::PreviousPane => self.part = self.other_part(),
            Intent::Input => {
                self.name.clear();
                self.typing = Some(Typing::Name);
            }
            Intent::Find => {
                self.part = Part::List;
                self.typing = Some(Typing::Filter);
            }
            Intent::Sort => self.sort_otherwise(desk),
            Intent::Mark => self.mark(desk),
            Intent::ExportMarked => self.export(desk),
            Intent::Refresh => match self.subject(desk) {
                Some(tag) => self.ask(tag, desk),
                None => desk.out.say(Tone::Info, "no tag is known yet: i types one"),
            },
            Intent::Browse => self.browse(desk),
            Intent::Raw => self.open_raw(desk),
            Intent::Back if self.covers_list(desk) && self.from_list => self.show_list(),
            Intent::Escape => return self.escape(desk),
            Intent::Cancel => return self.cancel(desk),
            _ => return false,
        }
        true
    }

    fn act_on_field(&mut self, typing: Typing, intent: Intent, desk: &mut Desk<'_>) -> bool {
        match (intent, typing) {
            (Intent::Open, Typing::Name) => match self.name.value().parse() {
                Ok(tag) => desk.out.go = Some(Place::Tag(tag)),
                Err(_) if self.name.is_empty() => desk.out.say(Tone::Info, "type a tag first"),
                Err(why) => desk
                    .out
                    .say(Tone::Error, format!("{why}: nothing was sent")),
            },
            (Intent::Open | Intent::NextPane | Intent::PreviousPane, _) => self.typing = None,
            (Intent::Escape, _) => {
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
    fn covers_list(&self, desk: &Desk<'_>) -> bool {
        self.part == Part::Page && !view::Parts::of(desk.body, None).beside()
    }

    /// The tag that is shown.
    pub(super) fn subject(&self, desk: &Desk<'_>) -> Option<TagName> {
        self.current(&self.listed(desk.trail, desk.evidence))
    }

    fn go(&mut self, motion: Motion, desk: &Desk<'_>) {
        match (self.part, motion) {
            (Part::List, Motion::Right) => self.part = Part::Page,
            (Part::List, _) => self.go_in_list(motion, desk),
            (Part::Page, _) => {
                if !self.go_on_page(motion, desk) && motion == Motion::Left {
                    self.part = Part::List;
                }
            }
        }
    }

    fn go_in_list(&mut self, motion: Motion, desk: &Desk<'_>) {
        let height = self.list_rows(desk);
        let listed = self.listed(desk.trail, desk.evidence);
        let mut cursor = self.cursor(&listed, height).unwrap_or(self.scroll);
        cursor.step(motion, listed.len(), height);
        let there = listed.get(cursor.index()).map(|listed| listed.name.clone());
        if there.is_some() {
            self.here = there;
        }
        self.scroll = cursor;
    }

    fn list_rows(&self, desk: &Desk<'_>) -> usize {
        view::list::height(view::Parts::of(desk.body, self.typing).list, self)
    }

    fn go_on_page(&mut self, motion: Motion, desk: &Desk<'_>) -> bool {
        let Some(tag) = self.subject(desk) else {
            return false;
        };
        let (sheet, size) = (self.sheet(&tag, desk), self.page_size(desk));
        let case = self.cases.entry(tag).or_default();
        case.page.step(motion, &sheet.page, size)
    }

    fn enter(&mut self, desk: &mut Desk<'_>) {
        if self.part == Part::List {
            self.chosen = self.subject(desk);
            desk.out.go = self.chosen.clone().map(Place::Tag);
            return;
        }
        let Some(tag) = self.subject(desk) else {
            return;
        };
        let untouched = self
            .cases
            .get(&tag)
            .is_none_or(|case| case.live.is_untouched());
        match self.meaning(desk) {
            Some(Meaning {
                lead: Some(place), ..
            }) => desk.out.go = Some(place),
            _ if untouched => desk.out.go = Some(Place::Tag(tag)),
            Some(_) => desk.out.say(
                Tone::Info,
                "this row leads nowhere: relations and evidence lead on",
            ),
            None => {}
        }
    }

    /// What the row under the cursor is.
    pub(super) fn meaning(&self, desk: &Desk<'_>) -> Option<Meaning> {
        let tag = self.subject(desk)?;
        let row = self.cases.get(&tag)?.page.focus()?;
        self.sheet(&tag, desk).meaning(row).cloned()
    }

    fn sort_otherwise(&mut self, desk: &mut Desk<'_>) {
        self.sort = self.sort.next();
        desk.out
            .say(Tone::Info, format!("sorted by {}", self.sort.words()));
    }

    fn mark(&mut self, desk: &Desk<'_>) {
        if let Some(tag) = self.subject(desk)
            && !self.marked.remove(&tag)
        {
            self.marked.insert(tag);
        }
    }

    fn export(&mut self, desk: &mut Desk<'_>) {
        let tags: Vec<TagName> = if self.marked.is_empty() {
            self.subject(desk).into_iter().collect()
        } else {
            self.marked.iter().cloned().collect()
        };
        if tags.is_empty() {
            desk.out.say(Tone::Info, "no tag is known yet: i types one");
        } else {
            desk.out.go = Some(Place::Export(tags));
        }
    }

    fn browse(&mut self, desk: &mut Desk<'_>) {
        let tag = self
            .subject(desk)
            .and_then(|tag| self.cases.get(&tag)?.tag());
        let Some(website) = tag.and_then(|tag| tag.website.text()) else {
            return desk.out.say(Tone::Info, "no website is known of this tag");
        };
        match web_page(website) {
            Some(url) => desk.out.confirm(
                format!("Open {url} in the browser? It will see your address."),
                vec![Cmd::Browse(url)],
            ),
            None => desk.out.say(
                Tone::Warn,
                "the website is no http or https address: not opened (y v copies it)",
            ),
        }
    }

    fn open_raw(&mut self, desk: &mut Desk<'_>) {
        self.here = self.subject(desk);
        match self.document().map(Raw::of) {
            Some(raw) => (self.raw, self.part) = (Some(raw), Part::Page),
            None => desk.out.say(Tone::Info, "there is no JSON here yet"),
        }
    }

    /// Back to the list, then away with the filter, then away with the question.
    fn escape(&mut self, desk: &mut Desk<'_>) -> bool {
        if self.covers_list(desk) {
            self.show_list();
        } else if !self.filter.is_empty() {
            self.filter.clear();
        } else if !self.cancel(desk) {
            if self.part == Part::List {
                return false;
            }
            self.show_list();
        }
        true
    }

    /// Stops waiting for the metadata of the tag that is shown; says whether it was being waited for.
    fn cancel(&mut self, desk: &mut Desk<'_>) -> bool {
        let Some(tag) = self.subject(desk) else {
            return false;
        };
        let job = self.cases.get_mut(&tag).and_then(|case| case.live.cancel());
        let Some(job) = job else {
            return false;
        };
        desk.out.cmd(Cmd::Cancel(job));
        desk.out
            .say(Tone::Info, format!("{tag}: no longer waiting"));
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
