//! Marks: one record, a range, all of a filter, inversion, export and table. The engine names the records of a range or of a filter, so
//! that their rows need not be loaded. Copying is in the module of cells.

use std::{net::IpAddr, ops::Range};

use super::{Browser, BrowserUndo, records::RecordKey};
use crate::{
    contract::{Feed, catalog::RecordKind},
    engine::views::ViewQuery,
    model::{Subject, TagName},
    report::{count, each},
    tui::{
        ctx::{
            UpdateCtx,
            destination::{Destination, OmittedConditions},
            intent::Gesture,
            list::MarkChange,
            request::Question,
            tab::TabReply,
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

/// Why there is no export.
pub(super) const NO_EXPORT: &str =
    "this feed has no export: exports filter the four anonymous types and dch";

/// Why marked records have no export.
pub(super) const NO_OPERATOR: &str = "no marked record has an operator that an export can ask for";

/// The maximum number of records to mark at once. A request beyond it marks nothing.
const MOST: u64 = 100_000;

/// A request for the names of rows, to mark them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamesRequest {
    query: ViewQuery,
    rows: Range<u64>,
    change: MarkChange,
}

impl From<NamesRequest> for Question {
    fn from(NamesRequest { query, rows, .. }: NamesRequest) -> Self {
        Self::Names(query, rows)
    }
}

impl Browser {
    /// Marks as a gesture says; asks for names that are not loaded.
    pub(super) fn mark(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) {
        let before = self.list.marks().changes();
        self.list.on(gesture, ctx.out);
        let Some((rows, change)) = self.list.take_wanted() else {
            if self.list.marks().changes() != before {
                self.keep(BrowserUndo::Marks);
                self.list.on(Gesture::Go(Motion::Down), ctx.out);
                self.follow(ctx);
            }
            return;
        };
        let number = rows.len() as u64;
        if number > MOST {
            let text = format!(
                "{} records: no more than {} are marked at a time, so filter first",
                count(number),
                count(MOST)
            );
            return ctx.out.say(Tone::Warn, text);
        }
        let request = NamesRequest {
            query: self.query().clone(),
            rows: rows.start as u64..rows.end as u64,
            change,
        };
        self.names.ask_anew(request, ctx);
    }

    /// Marks the named records.
    pub(super) fn named(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        if self.names.settle(reply).is_some() {
            return;
        }
        if let Some(error) = self.names.error() {
            return ctx.out.say(Tone::Error, error.message.clone());
        }
        let change = self.names.question().map(|request| request.change);
        if let (Some(names), Some(change)) = (self.names.take(), change) {
            let before = self.list.marks().changes();
            let keys = names.into_iter().map(RecordKey::from).collect();
            self.list.change_marks(keys, change);
            if self.list.marks().changes() != before {
                self.keep(BrowserUndo::Marks);
            }
        }
    }

    /// The marked records that are about a single address.
    pub(super) fn marked_addresses(&self) -> Vec<IpAddr> {
        let subjects = self.list.marks().iter().filter_map(|own| own.subject);
        let addresses = subjects.filter_map(|subject| match subject {
            Subject::Address(address) => Some(address),
            Subject::Network(_) => None,
        });
        addresses.collect()
    }

    /// The operators of the marked records.
    pub(super) fn marked_tags(&self) -> Vec<TagName> {
        let tags = self.list.marks().iter().flat_map(|own| &own.tags);
        let mut tags: Vec<TagName> = tags.filter_map(|tag| TagName::new(tag).ok()).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// Opens the marked addresses as a table in Lookup.
    pub(super) fn tabulate_marks(&self, ctx: &mut UpdateCtx<'_>) {
        let addresses = self.marked_addresses();
        let left = self.list.marks().len() - addresses.len();
        if left > 0 {
            let text = format!(
                "{} marked networks are no rows of the table",
                count(left as u64)
            );
            ctx.out.say(Tone::Info, text);
        }
        ctx.out.go = Some(Destination::Board(
            addresses,
            Box::new(self.query().clone()),
        ));
    }

    /// The feed for an export of these records: the same feed if it has exports, else one with records of the same kind. For
    /// marked tags, the feed with most of their addresses.
    pub(super) fn exported(&self) -> Option<Feed> {
        let feed = self.query().feed;
        match feed.row().records {
            _ if Feed::EXPORTED.contains(&feed) => Some(feed),
            RecordKind::Context => Some(Feed::Anonymous),
            RecordKind::Ipv6Context => Some(Feed::AnonymousIpv6),
            RecordKind::Tags if !self.list.marks().is_empty() => Some(Feed::Anonymous),
            RecordKind::Tags | RecordKind::Hosting | RecordKind::Geo => None,
        }
    }

    /// Opens an export with this filter; for marked records, with their tags.
    pub(super) fn export(&mut self, ctx: &mut UpdateCtx<'_>) {
        let own = self.query().feed;
        let Some(feed) = self.exported() else {
            return;
        };
        let (mut query, left) = self.query().filter.to_export(feed);
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
        let marked = self.list.marks().len() as u64;
        if marked > 0 {
            let tags = self.marked_tags();
            let text = format!(
                "an export has no addresses: it asks for the {} of {} marked records",
                if tags.len() == 1 {
                    "operator".to_owned()
                } else {
                    format!("{} operators", count(tags.len() as u64))
                },
                count(marked)
            );
            omitted.push(text);
            query.tags = tags;
        }
        let wanted = if marked == 0 {
            let shown = self.list.rows().current();
            shown.map(|shown| format!("{} records shown", count(shown.view.count)))
        } else {
            Some(format!("{} records marked", count(marked)))
        };
        let omitted = OmittedConditions {
            words: omitted,
            wanted,
        };
        ctx.out.go = Some(Destination::Export(query, omitted));
    }
}
