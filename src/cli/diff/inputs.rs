//! What a comparison is about, in words.

use std::cmp::Ordering;

use crate::{
    engine::{DiffDays, OpenRelease},
    report::{Ticket, count},
    store::{Filter, diff::ChangeCounts},
};

/// Two days and which of their records are meant.
pub(super) struct DiffInputs<'a> {
    pub(super) days: &'a DiffDays,
    pub(super) filter: &'a Filter,
}

impl DiffInputs<'_> {
    pub(super) fn days(&self) -> String {
        let of = |opened: &OpenRelease| opened.release.manifest.moment.dashed();
        format!("{} to {}", of(&self.days.before), of(&self.days.after))
    }

    /// The note on two equal days, or on a comparison back in time.
    pub(super) fn order(&self) -> Option<String> {
        let of = |opened: &OpenRelease| opened.release.manifest.moment;
        let (from, to) = (of(&self.days.before), of(&self.days.after));
        match from.cmp(&to) {
            Ordering::Less => None,
            Ordering::Equal => Some(format!("{} is compared with itself", from.dashed())),
            Ordering::Greater => Some(format!(
                "--from {} is later than --to {}: added records are in the earlier release only, removed ones in the later",
                from.dashed(),
                to.dashed()
            )),
        }
    }

    /// The head of a ticket, with the number of records of each kind, if known.
    pub(super) fn ticket(&self, counts: Option<ChangeCounts>) -> Ticket {
        let feed = self.days.after.release.manifest.feed;
        let counted = counts.map_or("records added, removed and changed".to_owned(), in_words);
        let sentence = format!("{feed}, {}: {counted}.", self.days());
        let ticket = Ticket::about(&format!("Diff of {feed}"))
            .sentence(&sentence)
            .line("source", &format!("feed {feed}, local"))
            .line("days", &self.days());
        if self.filter.is_empty() {
            return ticket;
        }
        ticket.line("filter", &self.filter.to_string())
    }

    /// The result in one line, for people who watch the run: all there is, and how much of it is shown where that is less.
    pub(super) fn said(&self, totals: ChangeCounts, shown: Option<u64>) -> String {
        let shown = shown.filter(|shown| *shown < totals.sum());
        format!(
            "{} {}: {}{}",
            self.days.after.release.manifest.feed,
            self.days(),
            in_words(totals),
            shown.map_or_else(String::new, |shown| format!("; {} shown", count(shown)))
        )
    }
}

fn in_words(counts: ChangeCounts) -> String {
    format!(
        "{} added, {} removed, {} changed",
        count(counts.added),
        count(counts.removed),
        count(counts.changed)
    )
}
