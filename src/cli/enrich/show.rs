//! Answers put into their format, batch by batch.

mod format;

use std::cmp::Reverse;

use self::format::AnswerFormat;
pub(super) use self::format::{EnrichRow, columns};
use super::dedup::FoundAddress;
use crate::{
    cli::{
        args::enrich::EnrichSelection,
        console::Console,
        freshness::{Families, FeedsJudged},
    },
    engine::{KnownAddress, LocalAnswers, OpenRelease, enrich::facet::FacetTally},
    model::{Document, Subject, Terms},
    report::{Columns, RowPage, Ticket},
};

/// The form of the answers of a run, and which of them are wanted.
pub(super) struct EnrichSheet {
    form: AnswerFormat,
    selected: EnrichSelection,
    /// For each release whether its records tell that there are some of a family of addresses.
    judged: Vec<bool>,
}

/// The result of a batch, or of all batches so far.
#[derive(Debug, Default)]
pub(super) struct ShownBatch {
    /// The answers, unless only the busiest or the values are wanted.
    pub(super) rows: RowPage,
    pub(super) busiest: Vec<BusyAnswer>,
    pub(super) tally: FacetTally,
    pub(super) addresses: u64,
    /// Answers that the filter lets through.
    pub(super) matched: u64,
    /// Records that cannot be read.
    pub(super) unread: u64,
    /// The families of the addresses in question.
    pub(super) families: Families,
}

/// A candidate for the busiest answers.
#[derive(Debug)]
pub(super) struct BusyAnswer {
    clients: Option<u64>,
    count: u64,
    pub(super) row: RowPage,
}

impl EnrichSheet {
    pub(super) fn new(
        console: &Console,
        opened: &[OpenRelease],
        selected: EnrichSelection,
        counts: bool,
        texts: Vec<String>,
    ) -> Self {
        let judged = FeedsJudged::of(opened);
        let has = |opened: &OpenRelease| judged.has(opened.release.manifest.feed);
        Self {
            form: AnswerFormat::new(console, opened, selected.all, counts, texts),
            selected,
            judged: opened.iter().map(has).collect(),
        }
    }

    /// The columns of the answers.
    pub(super) fn columns<'a>(&self) -> Columns<EnrichRow<'a>> {
        self.form.columns()
    }

    /// What precedes the answers, or a list of values.
    pub(super) fn ticket(&self) -> Ticket {
        self.form.ticket()
    }

    /// The answers of a batch.
    pub(super) fn show(
        &self,
        found_address: &[FoundAddress],
        answers: &LocalAnswers,
    ) -> ShownBatch {
        let mut shown = ShownBatch {
            addresses: found_address.len() as u64,
            ..ShownBatch::default()
        };
        let columns = self.columns();
        answers.each(|known| {
            let is_known = known.lines.iter().any(|line| self.judged[line.release])
                || known.also.iter().any(|other| self.judged[other.release]);
            shown
                .families
                .asked(Subject::Address(known.address), is_known);
            if let Some(found_address) = found_address.get(known.number) {
                self.add(found_address, known, &columns, &mut shown);
            }
        });
        if let Some(most) = self.selected.top {
            busiest(&mut shown.busiest, most);
        }
        shown
    }

    fn add<'a>(
        &'a self,
        found_address: &'a FoundAddress,
        known: KnownAddress<'a>,
        columns: &Columns<EnrichRow<'a>>,
        shown: &mut ShownBatch,
    ) {
        let EnrichSelection {
            filter, facet, top, ..
        } = &self.selected;
        let row = |line, also| EnrichRow::of(&self.form, found_address, line, also);
        if known.lines.is_empty() {
            // No record has values, clients or anything that a filter could ask for.
            if filter.is_empty() && facet.is_none() && top.is_none() {
                let row = row(None, known.also);
                self.form.rows.push(columns, &row, &mut shown.rows);
            }
            return;
        }
        for line in known.lines {
            let parsed = || Document::read(line.line).ok();
            let reads = !filter.is_empty() || facet.is_some() || top.is_some();
            let document = reads.then(parsed).flatten();
            let terms = document
                .as_ref()
                .map(|document| Terms::of(document.value()));
            if reads && document.is_none() {
                shown.unread += 1;
            }
            if !filter.is_empty() && !terms.as_ref().is_some_and(|terms| filter.matches(terms)) {
                continue;
            }
            shown.matched += 1;
            if let Some(by) = facet {
                if let Some(document) = &document {
                    shown.tally.add(by, document);
                }
                continue;
            }
            let mut busy = RowPage::default();
            let page = if top.is_some() {
                &mut busy
            } else {
                &mut shown.rows
            };
            let row = row(Some(line), known.also.clone());
            self.form.rows.push(columns, &row, page);
            shown.unread += u64::from(row.is_unread());
            if top.is_some() {
                shown.busiest.push(BusyAnswer {
                    clients: terms.and_then(|terms| terms.clients),
                    count: found_address.seen.map_or(1, |seen| seen.count),
                    row: busy,
                });
            }
        }
    }
}

/// Keeps the answers with the most clients, those first; of equal ones those that occur more often in the text, then those
/// that come first.
pub(super) fn busiest(answers: &mut Vec<BusyAnswer>, most: usize) {
    answers.sort_by_key(|answer| Reverse((answer.clients, answer.count)));
    answers.truncate(most);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_have_the_most_clients_then_stand_most_often_then_first() {
        let busy = |clients, count, text: &str| BusyAnswer {
            clients,
            count,
            row: RowPage::of(text),
        };
        let mut answers = vec![
            busy(None, 9, "unknown"),
            busy(Some(3), 1, "few"),
            busy(Some(14), 1, "many"),
            busy(Some(14), 2, "often"),
            busy(Some(14), 1, "later"),
        ];
        busiest(&mut answers, 4);
        let texts: Vec<RowPage> = answers.into_iter().map(|answer| answer.row).collect();
        assert_eq!(texts, ["often", "many", "later", "few"].map(RowPage::of));
    }
}
