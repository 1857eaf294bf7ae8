//! What a comparison is about, in words.

use crate::{
    engine::{Days, Opened},
    report::{Ticket, count},
    store::{Filter, diff::Counts},
};

/// Two days and which of their records are meant.
pub(super) struct Asked<'a> {
    pub(super) days: &'a Days,
    pub(super) filter: &'a Filter,
}

impl Asked<'_> {
    /// The days in words.
    pub(super) fn days(&self) -> String {
        let of = |opened: &Opened| opened.release.manifest.moment.to_string();
        format!("{} to {}", of(&self.days.before), of(&self.days.after))
    }

    /// What a ticket begins with.
    pub(super) fn ticket(&self) -> Ticket {
        let feed = self.days.after.release.manifest.feed;
        let ticket = Ticket::about(&format!("Diff of {feed}"))
            .line("source", &format!("feed {feed} on this disk"))
            .line("days", &self.days());
        if self.filter.is_empty() {
            return ticket;
        }
        ticket.line("filter", &self.filter.to_string())
    }

    /// The result in one line, for whoever reads along.
    pub(super) fn said(&self, counts: Counts, limit: Option<u64>) -> String {
        let cut = limit.is_some_and(|limit| counts.sum() == limit);
        format!(
            "{} {}: {}{} added, {} deleted, {} changed",
            self.days.after.release.manifest.feed,
            self.days(),
            if cut { "of those shown " } else { "" },
            count(counts.appeared),
            count(counts.left),
            count(counts.changed)
        )
    }
}
