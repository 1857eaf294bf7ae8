//! What a batch of answers comes to, and all batches together.

use std::cmp::Reverse;

use crate::{
    cli::{exit::ExitTally, run::Families},
    engine::{Error, enrich::facet::FacetTally},
    investigation::{board::BoardGroups, event_answer::EventGaps},
    report::RowPage,
};

/// The result of a batch, or of all batches so far.
#[derive(Debug, Default)]
pub(super) struct ShownBatch {
    /// The answers, unless only the busiest or the values are wanted.
    pub(super) rows: RowPage,
    pub(super) busiest: Vec<BusyAnswer>,
    pub(super) tally: FacetTally,
    /// The addresses by a field, if that is wanted.
    pub(super) groups: Option<BoardGroups>,
    pub(super) addresses: u64,
    /// Answers that the filter lets through.
    pub(super) matched: u64,
    /// Records that cannot be read.
    pub(super) unread: u64,
    /// The families of the addresses in question.
    pub(super) families: Families,
    /// What keeps the days of events from being answered.
    pub(super) gaps: EventGaps,
    /// What has an answer and what has none, where queries are spent.
    pub(super) tally_of_rest: ExitTally,
    /// Queries that were answered live.
    pub(super) spent: u64,
    /// Queries that may have been counted for attempts that failed.
    pub(super) possibly_spent: u64,
    /// The addresses whose queries failed, as they are and as they were typed.
    pub(super) failures: Vec<(String, Option<String>, Error)>,
    pub(super) left_out: LeftOut,
}

/// The queries that were not sent.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// How many would be paid for once, and why the first of them was not sent.
    pub(super) unsent: Option<(Error, u64)>,
    /// How many are possibly spent.
    pub(super) possibly_spent: u64,
}

impl LeftOut {
    pub(super) fn is_empty(&self) -> bool {
        self.unsent.is_none() && self.possibly_spent == 0
    }

    /// Counts one that would be paid for once.
    pub(super) fn count_unsent(&mut self, why: &Error) {
        let (_, queries) = self.unsent.get_or_insert_with(|| (why.clone(), 0));
        *queries += 1;
    }

    fn add(&mut self, other: Self) {
        if let Some((why, queries)) = other.unsent {
            let (_, own) = self.unsent.get_or_insert((why, 0));
            *own += queries;
        }
        self.possibly_spent += other.possibly_spent;
    }
}

/// A candidate for the busiest answers.
#[derive(Debug)]
pub(super) struct BusyAnswer {
    pub(super) clients: Option<u64>,
    pub(super) count: u64,
    pub(super) row: RowPage,
}

impl ShownBatch {
    /// Adds another one, whose rows are printed; of the busiest answers at most so many are kept.
    pub(super) fn add(&mut self, other: Self, most: Option<usize>) {
        self.addresses += other.addresses;
        self.matched += other.matched;
        self.unread += other.unread;
        self.families.add(other.families);
        self.tally.merge(other.tally);
        match (&mut self.groups, other.groups) {
            (Some(board_groups), Some(groups)) => board_groups.merge(groups),
            (board_groups, groups) => *board_groups = board_groups.take().or(groups),
        }
        self.gaps.merge(other.gaps);
        self.tally_of_rest.add(other.tally_of_rest);
        self.spent += other.spent;
        self.possibly_spent += other.possibly_spent;
        self.failures.extend(other.failures);
        self.left_out.add(other.left_out);
        if let Some(most) = most {
            self.busiest.extend(other.busiest);
            busiest(&mut self.busiest, most);
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
