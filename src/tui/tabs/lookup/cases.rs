//! The opened cases, each once, with a bound on the records in memory.

use super::case::LookupCase;
use crate::{contract::LookupQuery, model::Day};

/// Every question that was opened, each once.
#[derive(Debug, Default)]
pub(super) struct Cases(Vec<LookupCase>);

impl Cases {
    /// Bytes of records that are kept of cases that are not in view. Most records take two thousand.
    const MOST_HIDDEN: usize = 8 << 20;

    #[must_use]
    pub(super) fn of(&self, query: LookupQuery) -> Option<&LookupCase> {
        self.0.iter().find(|case| case.query == query)
    }

    /// The case of a question, a new one if there was none.
    pub(super) fn of_mut(&mut self, query: LookupQuery) -> &mut LookupCase {
        let known = self.0.iter().position(|case| case.query == query);
        let index = known.unwrap_or_else(|| {
            self.0.push(LookupCase::new(query));
            self.0.len() - 1
        });
        &mut self.0[index]
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The first case that is so.
    pub(super) fn find(&mut self, is_it: impl Fn(&LookupCase) -> bool) -> Option<&mut LookupCase> {
        self.0.iter_mut().find(|case| is_it(case))
    }

    /// The days for which the same question is answered; `None` is today.
    pub(super) fn known_days(&self, of: LookupQuery) -> impl Iterator<Item = Option<Day>> {
        let date = move |case: &LookupCase| case.query.date;
        let is_same = move |case: &&LookupCase| {
            case.query
                == LookupQuery {
                    date: date(case),
                    ..of
                }
        };
        let same = self.0.iter().filter(is_same);
        same.filter(|case| case.is_known())
            .map(|case| case.query.date)
    }

    /// Every case, in the order of opening.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut LookupCase> {
        self.0.iter_mut()
    }

    /// Drops the largest records when those that are not shown take too much memory; their stops stay.
    pub(super) fn drop_large(&mut self, shown: &[LookupQuery]) {
        let mut hidden: Vec<(usize, usize)> = (0..self.0.len())
            .filter(|index| !shown.contains(&self.0[*index].query))
            .map(|index| (self.0[index].size(), index))
            .collect();
        hidden.sort_unstable();
        let mut total: usize = hidden.iter().map(|(size, _)| size).sum();
        while total > Self::MOST_HIDDEN {
            let Some((size, index)) = hidden.pop() else {
                break;
            };
            total -= size;
            let case = &mut self.0[index];
            // What was at hand is free to read again.
            case.unkept = case.live.value().is_some();
            (case.live, case.at_hand) = Default::default();
            (case.pivots, case.neighbours, case.since, case.beside) = Default::default();
        }
    }
}
