//! The marked records, by name and independent of the filter, with the data that is kept of each.
//!
//! The engine provides the names of a range or of all records of a filter, so the rows need not be loaded. Their number is
//! limited; a request beyond the limit marks nothing and reports the limit.

use std::{collections::BTreeMap, net::IpAddr, ops::Range};

use crate::{
    engine::{
        Error,
        views::{RecordName, ViewQuery},
    },
    model::Subject,
    report::count,
    tui::{
        ctx::{
            UpdateCtx,
            remote::Remote,
            request::{Answer, JobId, Question},
        },
        ui::theme::Tone,
    },
};

/// The maximum number of records to mark at once.
const MOST: u64 = 100_000;

/// What to do with the named records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordMarking {
    Add,
    /// Inverts their marks.
    Invert,
}

/// Records whose marks were changed, each with its previous mark.
pub(super) type MarkChanges = Vec<(String, Option<Marked>)>;

#[derive(Debug, Default)]
pub(super) struct RecordMarks {
    records: BTreeMap<String, Marked>,
    /// The start of a range: the view and the row.
    pub(super) anchor: Option<(ViewQuery, usize)>,
    naming: Remote<Vec<RecordName>>,
    change: Option<RecordMarking>,
}

/// The data of a marked record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marked {
    address: Option<IpAddr>,
    tags: Vec<String>,
}

impl RecordMarks {
    pub(super) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.records.contains_key(name)
    }

    /// The addresses of the records whose subject is a single address.
    pub(super) fn addresses(&self) -> impl Iterator<Item = IpAddr> {
        self.records.values().filter_map(|own| own.address)
    }

    /// The operators of the records, with repeats.
    pub(super) fn tags(&self) -> impl Iterator<Item = &str> {
        let tags = self.records.values().flat_map(|own| &own.tags);
        tags.map(String::as_str)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.records.keys().map(String::as_str)
    }

    /// Whether names are being loaded.
    pub(super) fn is_pending(&self) -> bool {
        self.naming.pending().is_some()
    }

    /// The rows of a range that began in this view, up to row `to`.
    pub(super) fn range(&self, query: &ViewQuery, to: usize) -> Option<Range<usize>> {
        let (view, from) = self.anchor.as_ref()?;
        (view == query).then(|| *from.min(&to)..*from.max(&to) + 1)
    }

    /// Clears all marks, or cancels a range or a request; returns the changed marks, `None` if there was nothing to clear.
    pub(super) fn clear(&mut self, ctx: &mut UpdateCtx<'_>) -> Option<MarkChanges> {
        if self.stop(ctx) || self.anchor.take().is_some() {
            return Some(Vec::new());
        }
        let records = std::mem::take(&mut self.records);
        let changed = records.into_iter().map(|(name, own)| (name, Some(own)));
        Some(changed.collect()).filter(|changed: &MarkChanges| !changed.is_empty())
    }

    /// Restores earlier marks; returns the current ones.
    pub(super) fn restore(&mut self, changed: MarkChanges) -> MarkChanges {
        let back = changed.into_iter().rev();
        back.map(|(name, own)| self.set(name, own)).collect()
    }

    fn set(&mut self, name: String, marked: Option<Marked>) -> (String, Option<Marked>) {
        let before = match marked {
            Some(marked) => self.records.insert(name.clone(), marked),
            None => self.records.remove(&name),
        };
        (name, before)
    }

    /// Cancels the request for names.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        self.change = None;
        ctx.stop(&mut self.naming)
    }

    /// Toggles the mark of a record; returns its earlier state.
    pub(super) fn toggle(&mut self, record: RecordName) -> (String, Option<Marked>) {
        if self.contains(&record.name) {
            self.set(record.name, None)
        } else {
            self.add(record)
        }
    }

    fn add(&mut self, record: RecordName) -> (String, Option<Marked>) {
        let RecordName {
            name,
            subject,
            tags,
        } = record;
        let address = match subject {
            Some(Subject::Address(address)) => Some(address),
            Some(Subject::Network(_)) | None => None,
        };
        self.set(name, Some(Marked { address, tags }))
    }

    /// Requests the names of these rows, to mark them.
    pub(super) fn ask(
        &mut self,
        query: &ViewQuery,
        rows: Range<u64>,
        change: RecordMarking,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let number = rows.end - rows.start;
        if number > MOST {
            let text = format!(
                "{} records: no more than {} are marked at a time, so filter first",
                count(number),
                count(MOST)
            );
            return ctx.out.say(Tone::Warn, text);
        }
        self.stop(ctx);
        self.naming
            .begin(ctx.ask(Question::Names(query.clone(), rows)));
        self.change = Some(change);
    }

    /// Handles the arrival of names; returns the changed marks, or the error.
    pub(super) fn settle(
        &mut self,
        job: JobId,
        result: Result<Answer, Error>,
    ) -> Result<MarkChanges, String> {
        if !self.naming.settle(job, result) {
            return Ok(Vec::new());
        }
        let change = self.change.take();
        if let Some(error) = self.naming.error() {
            return Err(error.message.clone());
        }
        // Names are dropped once they are marks.
        let named = std::mem::take(&mut self.naming);
        let records = named.value().into_iter().flatten().cloned();
        let changed = records.map(|record| match change {
            Some(RecordMarking::Invert) => self.toggle(record),
            _ => self.add(record),
        });
        Ok(changed.collect())
    }
}
