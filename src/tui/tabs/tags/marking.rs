//! What keys do with marks: one tag, a range of the list, all of it, the others.

use std::ops::Range;

use super::{TagsTab, list::ListedTag};
use crate::{
    model::{Document, TagName},
    report::count,
    tui::{
        ctx::{UpdateCtx, intent::Yank},
        ui::theme::Tone,
    },
};

/// What was begun, in words.
pub(super) const RANGE: &str = "a range begins here: V marks up to the cursor, esc leaves it";

impl TagsTab {
    /// The rows of the list between the beginning of a range and the cursor.
    pub(super) fn range(&self, listed: &[ListedTag<'_>]) -> Option<Range<usize>> {
        let place = |tag: &TagName| listed.iter().position(|own| own.name == *tag);
        let to = place(&self.current(listed)?)?;
        self.marked.range(to, place)
    }

    /// Marks the tag, or no longer; ends a range that was begun.
    pub(super) fn mark(&mut self, ctx: &mut UpdateCtx<'_>) {
        let is_range = self.range(&self.listed(ctx.trail, ctx.evidence)).is_some();
        if is_range {
            self.mark_range(ctx);
        } else if let Some(tag) = self.subject(ctx) {
            self.marked.toggle(tag);
        }
    }

    /// Begins a range at the tag, or marks what lies between its beginning and the cursor.
    pub(super) fn mark_range(&mut self, ctx: &mut UpdateCtx<'_>) {
        let listed = self.listed(ctx.trail, ctx.evidence);
        if let Some(range) = self.range(&listed) {
            let tags: Vec<TagName> = listed[range].iter().map(|own| own.name.clone()).collect();
            self.marked.leave_range();
            self.marked.add(tags);
        } else if let Some(tag) = self.current(&listed) {
            self.marked.begin_range(tag);
            ctx.out.say(Tone::Info, RANGE);
        }
    }

    /// Copies the marked tags: their documents, a line each, or their rows. Returns whether anything is known of them.
    pub(super) fn copy_marked(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let listed = self.listed(ctx.trail, ctx.evidence);
        let marked: Vec<&TagName> = self.marked.iter().collect();
        let words = match marked.len() {
            1 => "1 marked tag".to_owned(),
            more => format!("{} marked tags", count(more as u64)),
        };
        if what == Yank::Json {
            let documents = marked.iter().filter_map(|tag| self.document_of(tag));
            let texts: Vec<&str> = documents.map(Document::text).collect();
            if texts.is_empty() {
                return false;
            }
            ctx.out.copy_json_lines(words, texts);
            return true;
        }
        let row = |tag: &&TagName| listed.iter().find(|own| own.name == **tag);
        let rows = marked.iter().filter_map(row).map(ListedTag::cells);
        let rows: Vec<Vec<String>> = rows.collect();
        if rows.is_empty() {
            return false;
        }
        ctx.out.copy_csv(words, &ListedTag::COLUMNS, rows);
        true
    }

    /// The document of a tag: of the service, else of the local feed.
    pub(super) fn document_of(&self, tag: &TagName) -> Option<&Document> {
        let fetched = self.cases.get(tag).and_then(|case| case.live.value());
        let local = || self.known.find(tag).map(|local| &local.document);
        fetched.map(|fetched| &fetched.document).or_else(local)
    }

    /// Marks all tags of the list, or turns their marks round.
    pub(super) fn mark_list(&mut self, is_inverted: bool, ctx: &UpdateCtx<'_>) {
        let listed = self.listed(ctx.trail, ctx.evidence).into_iter();
        let tags: Vec<TagName> = listed.map(|own| own.name).collect();
        if is_inverted {
            self.marked.invert(tags);
        } else {
            self.marked.add(tags);
        }
    }
}
