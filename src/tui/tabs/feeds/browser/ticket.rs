//! The ticket note about the browser's filter: the number of matching records, and the values of their fields with counts. It never counts
//! other records.

use super::Browser;
use crate::{
    engine::views::FacetCounts,
    report::{count, each, filter_ticket},
    store::index::FacetBy,
    tui::ctx::UpdateCtx,
};

/// The number of values of a field in the note.
const FEW: usize = 5;

impl Browser {
    /// Copies the note; returns whether the records of the filter are loaded.
    pub(super) fn copy_note(&self, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(shown) = self.list.rows().current() else {
            return false;
        };
        let view = &shown.view;
        let filter = &self.query().filter;
        let mut ticket = filter_ticket(&view.release, filter, view.count, ctx.written());
        let counts = self.facets.counts_of(self.query());
        for own in counts.into_iter().flatten() {
            // The counts of a field that the filter names are those of other records.
            if let FacetBy::Keyword(field) = &own.by
                && own.among == view.count
                && !own.values.is_empty()
            {
                ticket = ticket.line(field.name(), &values(own));
            }
        }
        if counts.is_none() {
            ticket = ticket.line("not known", "the values of fields (not counted yet)");
        }
        ctx.out.copy_lines("a ticket note", ticket.end());
        true
    }
}

/// The most frequent values of a field with their counts, such as `ACME_VPN 41, BRAVO_VPN 3`.
fn values(counts: &FacetCounts) -> String {
    let known = counts.values.iter().filter(|own| own.count > 0).take(FEW);
    let named = known.map(|own| format!("{} {}", own.value, count(own.count)));
    let mut words = each(named, ", ");
    let more = counts.distinct.saturating_sub(FEW);
    if more > 0 {
        words += &format!(", {} more values", count(more as u64));
    }
    words
}
