//! Keys for marks: one record, a range, all of a filter, inversion, export and table. Copying is in the module of cells.

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
            destination::{Destination, OmittedConditions},
            marks::RANGE_BEGUN,
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

/// Why there is no export.
pub(super) const NO_EXPORT: &str =
    "this feed has no export: exports filter the four anonymous types and dch";

impl Browser {
    /// Toggles the mark of the record under the cursor, or ends a range.
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

    /// The rows between the start of the range and the cursor.
    pub(super) fn range(&self) -> Option<Range<usize>> {
        let to = self.cursor.selected(self.len())?;
        self.marks.range(&self.query, to)
    }

    /// Begins a range at the cursor, or marks the rows up to the cursor.
    pub(super) fn mark_range(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(range) = self.range() {
            self.marks.anchor = None;
            let rows = range.start as u64..range.end as u64;
            return self.marks.ask(&self.query, rows, RecordMarking::Add, ctx);
        }
        if let Some(at) = self.cursor.selected(self.len()) {
            self.marks.anchor = Some((self.query.clone(), at));
            ctx.out.say(Tone::Info, RANGE_BEGUN);
        }
    }

    /// Marks every record of the filter.
    pub(super) fn mark_all(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.change_all(RecordMarking::Add, ctx);
    }

    /// Inverts the marks of the filter's records.
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
        ctx.out.go = Some(Destination::Board(addresses, Box::new(self.query.clone())));
    }

    /// The feed for an export of these records: the same feed if it has exports, else one with records of the same kind. For
    /// marked tags, the feed with most of their addresses.
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

    /// Opens an export with this filter; for marked records, with their tags.
    pub(super) fn export(&mut self, ctx: &mut UpdateCtx<'_>) {
        let own = self.query.feed;
        let Some(feed) = self.exported() else {
            return ctx.out.say(Tone::Info, NO_EXPORT);
        };
        let (mut query, left) = self.query.filter.to_export(feed);
        let left: Vec<String> = left.iter().map(ToString::to_string).collect();
        let mut omitted = Vec::new();
        if feed != own {
            omitted.push(format!("{own} has no export: this asks for {feed}"));
        }
        if !left.is_empty() {
            omitted.push(format!(
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
            omitted.push(text);
            query.tags = tags;
        }
        let wanted = if self.marks.is_empty() {
            let shown = self.held.of(&self.query);
            shown.map(|shown| format!("{} records shown", count(shown.view.count)))
        } else {
            Some(format!("{} records marked", count(self.marks.len() as u64)))
        };
        let omitted = OmittedConditions {
            words: omitted,
            wanted,
        };
        ctx.out.go = Some(Destination::Export(query, omitted));
    }
}
