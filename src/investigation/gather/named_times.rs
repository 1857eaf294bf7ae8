//! The times of a row under names, and which of them is that of an event.

use std::ops::Range;

use crate::investigation::{
    event_time::{DateOrder, WrittenTime},
    text::{FieldRole, FieldView, TimeRole},
};

/// Ranks by which a member of an object within a document is weaker than one of the document itself.
const WITHIN: u8 = 4;

/// The times of a row under names.
#[derive(Debug, Default)]
pub(super) struct NamedTimes {
    /// Each with how far around the event it is, and the rank of its name.
    pub(super) named: Vec<((u32, u8), WrittenTime)>,
    pub(super) spans: Vec<((u32, u8), WrittenTime)>,
    /// When it was seen first and last.
    pub(super) seen: [Option<WrittenTime>; 2],
    /// Whether that is said of the event itself.
    pub(super) is_seen_near: bool,
    /// The first date under a name that says nothing.
    pub(super) unnamed: Option<WrittenTime>,
    pub(super) zone: WrittenTime,
    /// The places of times that are none of the event.
    pub(super) others: Vec<Range<usize>>,
}

impl NamedTimes {
    pub(super) fn read(
        &mut self,
        role: FieldRole,
        distance: u32,
        field: &FieldView<'_>,
        order: DateOrder,
    ) {
        let value = field.value.as_bytes();
        let time = || WrittenTime::of_value(value, order, true);
        match role {
            FieldRole::Time(TimeRole::Event(rank)) => {
                // `requestContext.time` is less than `time`.
                let rank = if field.name.contains('.') && rank > 0 {
                    rank + WITHIN
                } else {
                    rank
                };
                self.named
                    .extend(time().map(|time| ((distance, rank), time)));
            }
            FieldRole::Time(TimeRole::Span(rank)) => {
                self.spans
                    .extend(time().map(|time| ((distance, rank), time)));
                self.others.push(field.at.clone());
            }
            FieldRole::Time(TimeRole::Seen(is_last)) => {
                let written_time = &mut self.seen[usize::from(is_last)];
                if written_time.is_none() {
                    *written_time = time();
                    self.is_seen_near |= distance == 0 && written_time.is_some();
                }
                self.others.push(field.at.clone());
            }
            FieldRole::Time(TimeRole::Other) | FieldRole::Version => {
                self.others.push(field.at.clone());
            }
            FieldRole::Zone => {
                let zone = WrittenTime::of_zone(value).unwrap_or_default();
                self.zone = std::mem::take(&mut self.zone).or(zone);
            }
            FieldRole::Other if distance == 0 => {
                let time = WrittenTime::of_value(value, order, false);
                self.unnamed = time.filter(WrittenTime::has_day);
            }
            FieldRole::Other | FieldRole::Address(_) | FieldRole::Forwarded | FieldRole::Agent => {}
        }
    }

    pub(super) fn sort(&mut self) {
        self.named.sort_by_key(|(rank, _)| *rank);
        self.spans.sort_by_key(|(rank, _)| *rank);
    }

    /// A clock without a day.
    pub(super) fn clock(&self) -> Option<WrittenTime> {
        let mut named = self.named.iter().map(|(_, time)| time);
        named.find(|time| !time.has_day()).copied()
    }

    /// The best moment under names of such ranks: whole in one field, else a date and a clock in two.
    pub(super) fn best(&self, is_strong: impl Fn(u8) -> bool) -> Option<WrittenTime> {
        let named = self.named.iter().filter(|((_, rank), _)| is_strong(*rank));
        let mut whole = named.clone().filter(|(_, time)| time.is_whole());
        // The offset of a zone that has a name may not be known.
        let sure = whole.clone().find(|(_, time)| !time.names_zone());
        let whole = sure.or_else(|| whole.next());
        let parts = || named.map(|(_, time)| *time).reduce(WrittenTime::or);
        let whole = whole.map(|(_, time)| *time).or_else(parts);
        whole.filter(WrittenTime::is_whole)
    }
}
