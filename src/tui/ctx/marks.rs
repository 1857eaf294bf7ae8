//! The marked rows of a table, by key and independent of a filter; each change can be undone.

use std::{collections::BTreeSet, ops::Range};

/// The message when a range begins.
pub const RANGE_BEGUN: &str = "a range begins here: V marks up to the cursor, esc leaves it";

/// Marked rows, and the start of a range.
#[derive(Clone, Debug)]
pub struct RowMarks<K> {
    marked: BTreeSet<K>,
    /// The rows whose marks each change toggled; then those of undone changes.
    past: Vec<Vec<K>>,
    future: Vec<Vec<K>>,
    anchor: Option<K>,
}

impl<K> Default for RowMarks<K> {
    fn default() -> Self {
        Self {
            marked: BTreeSet::new(),
            past: Vec::new(),
            future: Vec::new(),
            anchor: None,
        }
    }
}

impl<K: Ord + Clone> RowMarks<K> {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.marked.is_empty()
    }

    /// How many rows are marked.
    #[must_use]
    pub fn len(&self) -> usize {
        self.marked.len()
    }

    #[must_use]
    pub fn contains(&self, row: &K) -> bool {
        self.marked.contains(row)
    }

    pub fn iter(&self) -> impl Iterator<Item = &K> {
        self.marked.iter()
    }

    /// How many changes can be undone.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.past.len()
    }

    /// Whether a range began.
    #[must_use]
    pub fn has_range(&self) -> bool {
        self.anchor.is_some()
    }

    /// Toggles the mark of a row.
    pub fn toggle(&mut self, row: K) {
        self.change(vec![row]);
    }

    /// Marks rows; returns whether any was unmarked before.
    pub fn add(&mut self, rows: impl IntoIterator<Item = K>) -> bool {
        let rows: BTreeSet<K> = rows.into_iter().collect();
        self.change(rows.difference(&self.marked).cloned().collect())
    }

    /// Marks these rows and no others; returns whether that changes any.
    pub fn become_these(&mut self, rows: impl IntoIterator<Item = K>) -> bool {
        let rows: BTreeSet<K> = rows.into_iter().collect();
        self.change(rows.symmetric_difference(&self.marked).cloned().collect())
    }

    /// Inverts the marks of these rows; returns whether there was any.
    pub fn invert(&mut self, rows: impl IntoIterator<Item = K>) -> bool {
        let rows: BTreeSet<K> = rows.into_iter().collect();
        self.change(rows.into_iter().collect())
    }

    /// Clears all marks; returns whether there were any.
    pub fn clear(&mut self) -> bool {
        self.change(self.marked.iter().cloned().collect())
    }

    /// Clears the undo history, since a later change of another kind is undone first.
    pub fn settle(&mut self) {
        self.past.clear();
        self.future.clear();
    }

    fn change(&mut self, rows: Vec<K>) -> bool {
        if rows.is_empty() {
            return false;
        }
        self.switch(&rows);
        self.past.push(rows);
        self.future.clear();
        true
    }

    fn switch(&mut self, rows: &[K]) {
        for row in rows {
            if !self.marked.remove(row) {
                self.marked.insert(row.clone());
            }
        }
    }

    /// Undoes the last change; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(rows) = self.past.pop() else {
            return false;
        };
        self.switch(&rows);
        self.future.push(rows);
        true
    }

    /// Repeats the last undone change; returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some(rows) = self.future.pop() else {
            return false;
        };
        self.switch(&rows);
        self.past.push(rows);
        true
    }

    pub fn begin_range(&mut self, row: K) {
        self.anchor = Some(row);
    }

    /// Cancels the range; returns whether there was one.
    pub fn leave_range(&mut self) -> bool {
        self.anchor.take().is_some()
    }

    /// The positions from the start of the range to this one, if the start is among the rows shown.
    pub fn range(&self, to: usize, position: impl Fn(&K) -> Option<usize>) -> Option<Range<usize>> {
        let from = position(self.anchor.as_ref()?)?;
        Some(from.min(to)..from.max(to) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(marks: &RowMarks<u8>) -> Vec<u8> {
        marks.iter().copied().collect()
    }

    #[test]
    fn each_change_is_taken_back_and_made_again() {
        let mut marks = RowMarks::default();
        assert!(!marks.undo() && !marks.redo() && !marks.clear());
        marks.toggle(3);
        assert!(marks.add([2, 3, 4]));
        assert!(!marks.add([2, 3]), "nothing changes");
        assert!(marks.invert([4, 5]));
        assert_eq!(marked(&marks), [2, 3, 5]);
        assert!(marks.clear());
        for expected in [&[2, 3, 5][..], &[2, 3, 4], &[3], &[]] {
            assert!(marks.undo());
            assert_eq!(marked(&marks), expected);
        }
        assert!(marks.redo() && marks.redo());
        assert_eq!(marked(&marks), [2, 3, 4]);
        marks.toggle(9);
        assert!(!marks.redo(), "another change was made since");
    }

    #[test]
    fn a_range_goes_from_where_it_was_begun_wherever_that_is_now() {
        let mut marks = RowMarks::default();
        let rows = [7, 8, 9, 10];
        let place = |row: &u8| rows.iter().position(|byte| byte == row);
        assert_eq!(marks.range(2, place), None);
        marks.begin_range(9);
        assert_eq!(marks.range(0, place), Some(0..3));
        assert_eq!(marks.range(3, place), Some(2..4));
        assert_eq!(marks.range(3, |_| None), None, "it is filtered out");
        assert!(marks.leave_range() && !marks.leave_range());
    }
}
