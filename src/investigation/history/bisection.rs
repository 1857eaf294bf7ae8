//! Which days to ask the service about, to find the day of a change between two known days with different verdicts.
//!
//! What the queries can cost is known before the first one, and never passed: a gap of `n` days takes as many as halving it takes. Where a
//! gap hides more than one change the queries may be used up before all are found; the days between stay unknown. Between two known
//! days with one verdict nothing is asked, so a change there and back is not found.

use std::collections::BTreeSet;

use super::History;
use crate::model::Day;

/// A search for the days of changes.
#[derive(Clone, Debug)]
pub struct Bisection {
    /// Queries that may still be sent.
    left: u64,
    /// Days that are not asked about (again).
    tried: BTreeSet<Day>,
}

impl Bisection {
    /// A search with so many queries at most, which does not ask about days that are `refused`.
    #[must_use]
    pub fn new(history: &History, most: u64, refused: BTreeSet<Day>) -> Self {
        let mut bisection = Self {
            left: 0,
            tried: refused,
        };
        bisection.left = bisection.needed(history).min(most);
        bisection
    }

    /// The most queries that it still sends.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left
    }

    /// The next days to ask about, each for one query: one in each gap, the newest first. The search has ended where there is none.
    /// The answers are added with [`History::learn`] before more is asked for.
    pub fn next(&mut self, history: &History) -> Vec<Day> {
        let mut free = self.left;
        let mut days = Vec::new();
        for gap in self.gaps(history) {
            if free == 0 {
                break;
            }
            // What a newer gap may need is not spent on an older one.
            free = free.saturating_sub(halvings(gap.len()));
            days.push(gap[gap.len() / 2]);
        }
        self.left -= days.len() as u64;
        self.tried.extend(&days);
        days
    }

    /// How many queries it takes to find one change in each gap.
    #[must_use]
    pub fn needed(&self, history: &History) -> u64 {
        let gaps = self.gaps(history);
        gaps.iter().map(|gap| halvings(gap.len())).sum()
    }

    /// The days between two known days whose verdicts differ, as far as they may be asked about; the newest gap first.
    #[must_use]
    pub fn gaps(&self, history: &History) -> Vec<Vec<Day>> {
        let (mut gaps, mut gap) = (Vec::new(), Vec::new());
        let mut last = None;
        for (day, finding) in history.days() {
            if !finding.is_known() {
                if !self.tried.contains(&day) {
                    gap.push(day);
                }
                continue;
            }
            let days = std::mem::take(&mut gap);
            if !days.is_empty() && last.is_some_and(|last| finding.differs(last)) {
                gaps.push(days);
            }
            last = Some(finding);
        }
        gaps.reverse();
        gaps
    }
}

/// How many queries find one change among so many unknown days: each leaves the half of them at most.
fn halvings(days: usize) -> u64 {
    u64::from(usize::BITS - days.leading_zeros())
}

#[cfg(test)]
mod tests;
