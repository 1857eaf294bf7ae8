//! The ledger, added up: finished queries by the hour, and those of long ago by the day, for each owner and token.
//!
//! A query without an outcome is kept as it is for a day, since it may be under way; then it counts as possibly spent. No
//! query is ever lost in adding up, and none is counted twice.

use std::collections::{BTreeMap, HashMap};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use super::{
    line::{LedgerLine, LineKind, line_of},
    savings::SavedBy,
    work::QueryPurpose,
};
use crate::store::{lines::Collect, log::EntryOwner};

/// Hours are kept for so long, then days.
const HOURS_KEPT: SignedDuration = SignedDuration::from_hours(40 * 24);
/// No query is under way for longer.
const LONGEST_QUERY: SignedDuration = SignedDuration::from_hours(24);
const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

/// Whose queries a total holds.
type Whose = (String, String, Option<String>);

/// An intent without an outcome.
type Open = (Whose, Map<String, Value>);

/// What a total is of: queries for some work, or queries saved.
type What = (Option<QueryPurpose>, Option<SavedBy>);

#[derive(Default)]
struct Total {
    queries: u64,
    surely: u64,
    possibly: u64,
    balance: Option<u64>,
}

/// Adds up the lines of a ledger.
#[derive(Default)]
pub(super) struct Totals {
    finished: Vec<(Whose, LedgerLine)>,
    open: HashMap<String, Vec<Open>>,
    /// Lines of an unknown form, kept as they are.
    odd: Vec<Map<String, Value>>,
    latest: Option<Timestamp>,
}

impl Collect for Totals {
    fn take(&mut self, line: Map<String, Value>) {
        let (Some(owner), Some(read)) = (EntryOwner::of(&line), LedgerLine::of(&line)) else {
            return self.odd.push(line);
        };
        self.latest = self.latest.max(Some(read.at));
        let whose = (owner.profile, owner.service, read.token.clone());
        match &read.kind {
            LineKind::Intent(id) => {
                let lines = self.open.entry(id.clone()).or_default();
                lines.push((whose, line));
            }
            LineKind::Outcome(id) => {
                self.open.remove(id);
                self.finished.push((whose, read));
            }
            LineKind::Total | LineKind::Balance | LineKind::Saved(_) => {
                self.finished.push((whose, read));
            }
        }
    }

    fn finish(mut self) -> Vec<Map<String, Value>> {
        let latest = self.latest.unwrap_or(Timestamp::UNIX_EPOCH);
        let mut kept = self.odd;
        for (whose, line) in self.open.into_values().flatten() {
            match LedgerLine::of(&line) {
                Some(read) if latest.duration_since(read.at) > LONGEST_QUERY => {
                    self.finished.push((whose, read));
                }
                _ => kept.push(line),
            }
        }
        let mut totals: BTreeMap<(i64, Whose, What), Total> = BTreeMap::new();
        for (whose, line) in self.finished {
            let is_old = latest.duration_since(line.at) > HOURS_KEPT;
            let span = if is_old { DAY } else { HOUR };
            let second = line.at.as_second();
            let by = match line.kind {
                LineKind::Saved(by) => Some(by),
                _ => None,
            };
            let total = totals
                .entry((second - second.rem_euclid(span), whose, (line.work, by)))
                .or_default();
            total.queries += u64::from(line.queries);
            total.surely += u64::from(line.surely);
            total.possibly += u64::from(line.possibly);
            total.balance = total.balance.max(line.balance);
        }
        let totals = totals
            .into_iter()
            .filter_map(|((second, whose, what), total)| {
                let at = Timestamp::from_second(second).ok()?;
                Some(total_line(at, whose, what, &total))
            });
        // Intents behind the totals: their outcomes are yet to be written.
        totals.chain(kept).collect()
    }
}

fn total_line(
    at: Timestamp,
    (profile, service, token): Whose,
    (work, saved): What,
    total: &Total,
) -> Map<String, Value> {
    // Beyond four thousand million in an hour the service's own count is what matters.
    let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let owner = EntryOwner { profile, service };
    if let Some(by) = saved {
        let own = json!({"by": by.word(), "queries": count(total.queries)});
        return line_of("saved", at, &owner, token, own);
    }
    let (surely, possibly) = (count(total.surely), count(total.possibly));
    let mut own = json!({"spent": surely, "possibly": possibly, "balance": total.balance});
    if let Some(work) = work {
        own["work"] = work.word().into();
    }
    line_of("total", at, &owner, token, own)
}
