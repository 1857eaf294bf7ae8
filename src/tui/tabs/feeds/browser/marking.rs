//! What keys do with marks: one record, a range, all of a filter, the others; copying is for the cells, export and table are here.

use std::{net::IpAddr, ops::Range};

use super::{Browser, BrowserUndo, loaded_rows, marks::RecordMarking};
use crate::{
    contract::{Feed, catalog::RecordKind},
    engine::views::RecordName,
    model::TagName,
    report::{count, each},
    tui::{
        ctx::{
            UpdateCtx,
            destination::{Destination, Unsaid},
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

/// Why there is no export.
pub(super) const NO_EXPORT: &str =
    "this feed has no export: exports filter the four anonymous types and dch";

impl Browser {
    /// Marks the record under the cursor, or no longer; ends a range that was begun.
    pub(super) fn mark(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.range().is_some() {
            return self.mark_range(ctx);
        }
        let Some(row) = self.selected() else {
            return;
        };
        if row.document().is_none() {
            return ctx.out.say(Tone::Info, "this record cannot be read");
        }
        let record = RecordName::of(&row.terms).unwrap_or_else(|| RecordName {
            name: row.name().to_owned(),
            subject: None,
            tags: Vec::new(),
        });
        let changed = self.marks.toggle(record);
        self.keep(BrowserUndo::Marks(vec![changed]));
        self.go(Motion::Down, ctx);
    }

    /// The rows between the beginning of a range and the cursor.
    pub(super) fn range(&self) -> Option<Range<usize>> {
        let to = self.cursor.selected(self.len())?;
        self.marks.range(&self.query, to)
    }

    /// Begins a range at the cursor, or marks what lies between its beginning and the cursor.
    pub(super) fn mark_range(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(range) = self.range() {
            self.marks.anchor = None;
            let rows = range.start as u64..range.end as u64;
            return self.marks.ask(&self.query, rows, RecordMarking::Add, ctx);
        }
        if let Some(at) = self.cursor.selected(self.len()) {
            self.marks.anchor = Some((self.query.clone(), at));
            ctx.out.say(
                Tone::Info,
                "a range begins here: V marks up to the cursor, esc leaves it",
            );
        }
    }

    /// Marks every record of the filter.
    pub(super) fn mark_all(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.change_all(RecordMarking::Add, ctx);
    }

    /// Marks those records of the filter that are not, and no longer those that are.
    pub(super) fn invert_marks(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.change_all(RecordMarking::Invert, ctx);
    }

    fn change_all(&mut self, change: RecordMarking, ctx: &mut UpdateCtx<'_>) {
        match self.held.of(&self.query).map(loaded_rows::ViewRows::len) {
            None => ctx
                .out
                .say(Tone::Info, "the records of this filter are not here yet"),
            Some(0) => ctx.out.say(Tone::Info, "the filter selects no record"),
            Some(len) => self.marks.ask(&self.query, 0..len as u64, change, ctx),
        }
    }

    /// Opens the marked addresses as a table in Lookup.
    pub(super) fn tabulate_marks(&self, ctx: &mut UpdateCtx<'_>) {
        let addresses: Vec<IpAddr> = self.marks.addresses().collect();
        if addresses.is_empty() {
            let why = if self.marks.is_empty() {
                "nothing is marked: space, V or A marks records"
            } else {
                "no marked record is about one address"
            };
            return ctx.out.say(Tone::Info, why);
        }
        let left = self.marks.len() - addresses.len();
        if left > 0 {
            let text = format!(
                "{} marked networks are no rows of the table",
                count(left as u64)
            );
            ctx.out.say(Tone::Info, text);
        }
        ctx.out.go = Some(Destination::Several(
            addresses,
            Box::new(self.query.clone()),
        ));
    }

    /// The feed that an export of these records asks for: their own where it has exports, else the one with records of their kind; of
    /// marked tags, the one that has most of their addresses.
    pub(super) fn exported(&self) -> Option<Feed> {
        let feed = self.query.feed;
        match feed.row().records {
            _ if Feed::EXPORTED.contains(&feed) => Some(feed),
            RecordKind::Context => Some(Feed::Anonymous),
            RecordKind::Ipv6Context => Some(Feed::AnonymousIpv6),
            RecordKind::Tags if !self.marks.is_empty() => Some(Feed::Anonymous),
            RecordKind::Tags | RecordKind::Hosting | RecordKind::Geo => None,
        }
    }

    /// An export with this filter; of marked records, with the tags that they have.
    pub(super) fn export(&mut self, ctx: &mut UpdateCtx<'_>) {
        let own = self.query.feed;
        let Some(feed) = self.exported() else {
            return ctx.out.say(Tone::Info, NO_EXPORT);
        };
        let (mut query, left) = self.query.filter.to_export(feed);
        let left: Vec<String> = left.iter().map(ToString::to_string).collect();
        let mut unsaid = Vec::new();
        if feed != own {
            unsaid.push(format!("{own} has no export: this asks for {feed}"));
        }
        if !left.is_empty() {
            unsaid.push(format!(
                "an export cannot have {}: left out",
                each(&left, " ")
            ));
        }
        if !self.marks.is_empty() {
            let tags = self.marks.tags().filter_map(|tag| TagName::new(tag).ok());
            let mut tags: Vec<TagName> = tags.collect();
            tags.sort_unstable();
            tags.dedup();
            if tags.is_empty() {
                let text = "no marked record has an operator that an export can ask for";
                return ctx.out.say(Tone::Info, text);
            }
            let text = format!(
                "an export has no addresses: it asks for the {} of {} marked records",
                if tags.len() == 1 {
                    "operator".to_owned()
                } else {
                    format!("{} operators", count(tags.len() as u64))
                },
                count(self.marks.len() as u64)
            );
            unsaid.push(text);
            query.tags = tags;
        }
        let wanted = if self.marks.is_empty() {
            let shown = self.held.of(&self.query);
            shown.map(|shown| format!("{} records shown", count(shown.view.count)))
        } else {
            Some(format!("{} records marked", count(self.marks.len() as u64)))
        };
        let unsaid = Unsaid {
            words: unsaid,
            wanted,
        };
        ctx.out.go = Some(Destination::Export(query, unsaid));
    }
}
