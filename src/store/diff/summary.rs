//! A diff in numbers: the records added, removed and changed, in total, by operator and by country, and the moves from one
//! operator to another.

use std::{cmp::Reverse, collections::HashMap, hash::Hash};

use super::{ChangeKind, ChangedRecord, Diff};
use crate::{
    model::{Document, Keyword, Terms},
    store::{StopFlag, index::QueryError},
};

/// The limit of distinct values of one field, which bounds the memory of a summary.
const MOST: usize = 65_536;

/// The numbers of records added, removed and changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeCounts {
    /// Only the new day has them.
    pub added: u64,
    /// Only the old day has them.
    pub removed: u64,
    /// Both days have them, with different content.
    pub changed: u64,
}

impl ChangeCounts {
    /// The sum of the three.
    #[must_use]
    pub fn sum(self) -> u64 {
        self.added + self.removed + self.changed
    }

    /// Counts a record that was added, removed or changed.
    pub fn count_kind(&mut self, kind: ChangeKind) {
        self.count(kind != ChangeKind::Added, kind != ChangeKind::Removed);
    }

    fn count(&mut self, before: bool, after: bool) {
        *match (before, after) {
            (true, true) => &mut self.changed,
            (true, false) => &mut self.removed,
            (false, _) => &mut self.added,
        } += 1;
    }
}

/// The changes of the records with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tallied {
    pub value: String,
    /// The changes of the records that have the value in either day.
    pub counts: ChangeCounts,
}

/// Records that lost one operator and gained another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The operator in the old day.
    pub from: String,
    pub to: String,
    /// The number of records.
    pub count: u64,
}

/// A diff in numbers. Lists are sorted by descending count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The changes of all records.
    pub totals: ChangeCounts,
    /// By operator. A changed record counts as added for an operator that it gained and as removed for one that it lost.
    pub operators: Vec<Tallied>,
    /// By country, in the same way.
    pub countries: Vec<Tallied>,
    /// Moves between operators, of records that are in both days.
    pub moves: Vec<Move>,
    /// Whether values were left out because there are too many operators, countries or moves.
    pub cut: bool,
}

impl Diff<'_> {
    /// The numbers of records added, removed and changed.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn totals(&self, stop: &StopFlag) -> Result<ChangeCounts, QueryError> {
        let mut totals = ChangeCounts::default();
        self.each(stop, |changed| {
            totals.count_kind(changed.kind);
            Ok(true)
        })?;
        Ok(totals)
    }

    /// The summary of this diff.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn summary(&self, stop: &StopFlag) -> Result<Summary, QueryError> {
        let mut sums = Sums::default();
        self.each(stop, |changed| {
            let (before, after) = self.terms(&changed)?;
            sums.count(&before, &after, changed.kind);
            Ok(true)
        })?;
        Ok(sums.summary())
    }

    /// The terms of a record in both days; empty where it is absent.
    fn terms(&self, changed: &ChangedRecord) -> Result<(Terms, Terms), QueryError> {
        let of = |document: Option<Document>| {
            document
                .map(|document| Terms::of(document.value()))
                .unwrap_or_default()
        };
        let before = changed
            .before
            .map(|row| self.document_before(row))
            .transpose()?;
        let after = changed
            .after
            .map(|row| self.document_after(row))
            .transpose()?;
        Ok((of(before.flatten()), of(after.flatten())))
    }
}

/// A summary that is being counted.
#[derive(Debug, Default)]
struct Sums {
    totals: ChangeCounts,
    operators: HashMap<String, ChangeCounts>,
    countries: HashMap<String, ChangeCounts>,
    moves: HashMap<(String, String), ChangeCounts>,
    cut: bool,
}

impl Sums {
    fn count(&mut self, before: &Terms, after: &Terms, kind: ChangeKind) {
        self.totals.count_kind(kind);
        for (field, list) in [
            (Keyword::Tag, &mut self.operators),
            (Keyword::Cc, &mut self.countries),
        ] {
            let has = |terms: &Terms, word: &str| terms.of_field(field).any(|text| text == word);
            let new = after.of_field(field).filter(|word| !has(before, word));
            for word in before.of_field(field).chain(new) {
                let counts = entry(list, word.to_owned(), &mut self.cut);
                if let Some(counts) = counts {
                    counts.count(has(before, word), has(after, word));
                }
            }
        }
        if kind == ChangeKind::Changed {
            self.count_moves(before, after);
        }
    }

    fn count_moves(&mut self, before: &Terms, after: &Terms) {
        let only = |one: &Terms, other: &Terms| -> Vec<String> {
            let others: Vec<&str> = other.of_field(Keyword::Tag).collect();
            let own = one
                .of_field(Keyword::Tag)
                .filter(|word| !others.contains(word));
            own.map(str::to_owned).collect()
        };
        let gained = only(after, before);
        for from in only(before, after) {
            for to in &gained {
                let key = (from.clone(), to.clone());
                if let Some(counts) = entry(&mut self.moves, key, &mut self.cut) {
                    counts.changed += 1;
                }
            }
        }
    }

    fn summary(self) -> Summary {
        let listed = |list: HashMap<String, ChangeCounts>| {
            let mut list: Vec<Tallied> = list
                .into_iter()
                .map(|(value, counts)| Tallied { value, counts })
                .collect();
            list.sort_by(|a, b| {
                let order = |tallied: &Tallied| Reverse(tallied.counts.sum());
                order(a).cmp(&order(b)).then_with(|| a.value.cmp(&b.value))
            });
            list
        };
        let mut moves: Vec<Move> = self
            .moves
            .into_iter()
            .map(|((from, to), counts)| Move {
                from,
                to,
                count: counts.changed,
            })
            .collect();
        moves.sort_by(|a, b| {
            b.count
                .cmp(&a.count)
                .then_with(|| (&a.from, &a.to).cmp(&(&b.from, &b.to)))
        });
        Summary {
            totals: self.totals,
            operators: listed(self.operators),
            countries: listed(self.countries),
            moves,
            cut: self.cut,
        }
    }
}

/// The counts of a value; `None` if there are too many values.
fn entry<'a, K: Eq + Hash>(
    list: &'a mut HashMap<K, ChangeCounts>,
    key: K,
    cut: &mut bool,
) -> Option<&'a mut ChangeCounts> {
    if list.len() >= MOST && !list.contains_key(&key) {
        *cut = true;
        return None;
    }
    Some(list.entry(key).or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn counts(added: u64, removed: u64, changed: u64) -> ChangeCounts {
        ChangeCounts {
            added,
            removed,
            changed,
        }
    }

    fn summary(changes: &[(Option<Value>, Option<Value>)]) -> Summary {
        let mut sums = Sums::default();
        for (before, after) in changes {
            let kind = match (before, after) {
                (None, _) => ChangeKind::Added,
                (_, None) => ChangeKind::Removed,
                _ => ChangeKind::Changed,
            };
            let terms = |side: &Option<Value>| side.as_ref().map(Terms::of).unwrap_or_default();
            sums.count(&terms(before), &terms(after), kind);
        }
        sums.summary()
    }

    fn record(operators: &[&str], country: &str) -> Value {
        let tunnels: Vec<Value> = operators
            .iter()
            .map(|name| json!({"type": "VPN", "operator": name}))
            .collect();
        json!({"tunnels": tunnels, "location": {"country": country}})
    }

    #[test]
    fn records_come_and_go_by_operator_and_country() {
        let summary = summary(&[
            (None, Some(record(&["ACME_VPN"], "NL"))),
            (Some(record(&["ACME_VPN"], "NL")), None),
            (
                Some(record(&["BRAVO_VPN"], "DE")),
                Some(record(&["ACME_VPN"], "NL")),
            ),
            (
                Some(record(&["ACME_VPN", "CARGO_VPN"], "NL")),
                Some(record(&["CARGO_VPN"], "NL")),
            ),
            (Some(record(&[], "NL")), Some(record(&[], "NL"))),
        ]);
        assert_eq!(summary.totals, counts(1, 1, 3));
        let listed = |list: &[Tallied]| -> Vec<(String, ChangeCounts)> {
            list.iter()
                .map(|tallied| (tallied.value.clone(), tallied.counts))
                .collect()
        };
        assert_eq!(
            listed(&summary.operators),
            [
                ("ACME_VPN".to_owned(), counts(2, 2, 0)),
                ("BRAVO_VPN".to_owned(), counts(0, 1, 0)),
                ("CARGO_VPN".to_owned(), counts(0, 0, 1)),
            ]
        );
        assert_eq!(
            listed(&summary.countries),
            [
                ("NL".to_owned(), counts(2, 1, 2)),
                ("DE".to_owned(), counts(0, 1, 0))
            ]
        );
        let taken = Move {
            from: "BRAVO_VPN".to_owned(),
            to: "ACME_VPN".to_owned(),
            count: 1,
        };
        assert_eq!(summary.moves, [taken]);
        assert!(!summary.cut);
    }

    #[test]
    fn more_values_than_can_be_listed_are_said_to_be() {
        let mut sums = Sums::default();
        for number in 0..=MOST {
            let name = format!("T{number}");
            let after = Terms::of(&record(&[&name], "NL"));
            sums.count(&Terms::default(), &after, ChangeKind::Added);
        }
        let summary = sums.summary();
        assert_eq!((summary.operators.len(), summary.cut), (MOST, true));
        assert_eq!(summary.totals.added, MOST as u64 + 1);
    }
}
