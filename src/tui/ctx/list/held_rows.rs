//! Rows that are all in memory, filtered and sorted there.

use std::borrow::Cow;

use super::{
    List, ListRow, Rows,
    columns::{ColumnSpec, SortBy, Value},
};
use crate::tui::ui::LetterFilter;

/// A row of a list that is all in memory.
pub trait HeldRow: ListRow {
    /// The columns, from the left.
    const COLUMNS: &'static [ColumnSpec<Self>];

    /// The number of the column by which the list is sorted at first.
    const SORTED_BY: usize = 0;

    /// Whether the letters of the filter, in order, are enough. Rows that have them in one piece in their key come first then.
    const BY_LETTERS: bool = true;

    /// All that the filter looks into.
    fn text(&self) -> Cow<'_, str>;

    /// The test of a filter on these rows.
    ///
    /// # Errors
    /// Why the text is no filter; then all rows are shown.
    fn test<'f>(filter: &'f str, _rows: &[Self]) -> Result<RowTest<'f, Self>, String> {
        let letters = LetterFilter::new(filter);
        Ok(Box::new(move |row| letters.matches(&row.text())))
    }

    /// Rows of a higher group are below all others, in any order.
    fn group(&self) -> u8 {
        0
    }
}

/// Whether a row matches a filter.
pub type RowTest<'f, R> = Box<dyn FnMut(&R) -> bool + 'f>;

/// Tests rows for the words of a filter, each as it is.
pub fn by_words<R: HeldRow>(filter: &str) -> RowTest<'static, R> {
    let lower = filter.to_lowercase();
    let words: Vec<String> = lower.split_whitespace().map(str::to_owned).collect();
    Box::new(move |row| {
        let text = row.text().to_lowercase();
        words.iter().all(|word| text.contains(word))
    })
}

/// All rows by key, and the positions of those shown, in their order.
#[derive(Debug)]
pub struct HeldRows<R> {
    all: Vec<R>,
    shown: Vec<usize>,
    /// Why the filter is none.
    mistake: Option<String>,
}

impl<R> Default for HeldRows<R> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            shown: Vec::new(),
            mistake: None,
        }
    }
}

impl<R: HeldRow> HeldRows<R> {
    /// All rows by key, whether they are shown or not.
    pub fn all(&self) -> impl Iterator<Item = &R> {
        self.all.iter()
    }

    /// The rows that match a filter, in the order of their keys; all where the text is none.
    pub fn matching<'f>(&'f self, filter: &'f str) -> impl Iterator<Item = &'f R> {
        let mut test = R::test(filter, &self.all)
            .ok()
            .filter(|_| !filter.is_empty());
        let is_found = move |row: &&R| test.as_mut().is_none_or(|test| test(row));
        self.all.iter().filter(is_found)
    }

    fn place(&self, key: &R::Key) -> Option<usize> {
        self.all.binary_search_by(|row| row.key().cmp(key)).ok()
    }
}

impl<R: HeldRow> Rows for HeldRows<R> {
    type Row = R;

    const SORTED_BY: usize = R::SORTED_BY;

    fn columns(&self) -> &[ColumnSpec<R>] {
        R::COLUMNS
    }

    fn len(&self) -> usize {
        self.shown.len()
    }

    fn row(&self, at: usize) -> Option<&R> {
        self.all.get(*self.shown.get(at)?)
    }

    fn find(&self, key: &R::Key) -> Option<&R> {
        self.all.get(self.place(key)?)
    }

    fn position(&self, key: &R::Key) -> Option<usize> {
        let place = self.place(key)?;
        self.shown.iter().position(|number| *number == place)
    }

    fn widest(&self, column: usize) -> u16 {
        let rows = self.shown.iter().map(|at| &self.all[*at]);
        let widths = rows.map(|row| R::COLUMNS[column].cells(row));
        widths.max().unwrap_or_default()
    }

    fn mistake(&self) -> Option<&str> {
        self.mistake.as_deref()
    }

    fn arrange(&mut self, filter: &str, sort: SortBy) {
        let (shown, mistake) = self.arranged(filter, sort);
        (self.shown, self.mistake) = (shown, mistake);
    }

    fn everything(&self, sort: SortBy) -> Vec<&R> {
        let (all, _) = self.arranged("", sort);
        all.into_iter().map(|at| &self.all[at]).collect()
    }
}

impl<R: HeldRow> HeldRows<R> {
    /// The rows that match a filter, in this order, and why the filter is none. Rows of equal values stay in the order of their keys.
    fn arranged(&self, filter: &str, sort: SortBy) -> (Vec<usize>, Option<String>) {
        let wanted = filter.trim();
        let (mut test, mistake) = match R::test(wanted, &self.all) {
            _ if wanted.is_empty() => (None, None),
            Ok(test) => (Some(test), None),
            Err(why) => (None, Some(why)),
        };
        let upper = wanted.to_uppercase();
        let column = &R::COLUMNS[sort.column];
        let rows = self.all.iter().enumerate();
        let found = rows.filter(|(_, row)| test.as_mut().is_none_or(|test| test(row)));
        let ranked = found.map(|(at, row)| {
            let is_apart = R::BY_LETTERS
                && !wanted.is_empty()
                && !row.key().to_string().to_uppercase().contains(&upper);
            (at, (is_apart, row.group()), column.place(row))
        });
        let mut ranked: Vec<(usize, (bool, u8), Value<'_>)> = ranked.collect();
        ranked.sort_by(|(_, rank, value), (_, other_rank, other)| {
            let ranks = rank.cmp(other_rank);
            ranks.then_with(|| value.order(other, sort.is_reversed))
        });
        (ranked.into_iter().map(|(at, ..)| at).collect(), mistake)
    }
}

impl<R: HeldRow> HeldRows<R> {
    /// Moves rows that changed to where they belong among all others, whose order stays. No filter leaves any out.
    fn move_rows(&mut self, mut changed: Vec<usize>, sort: SortBy) {
        let column = &R::COLUMNS[sort.column];
        let rank = |at: usize| (self.all[at].group(), column.place(&self.all[at]));
        let order = |a: &(u8, Value<'_>), b: &(u8, Value<'_>)| {
            let groups = a.0.cmp(&b.0);
            groups.then_with(|| a.1.order(&b.1, sort.is_reversed))
        };
        changed.sort_unstable();
        changed.dedup();
        let mut is_changed = vec![false; self.all.len()];
        for at in &changed {
            is_changed[*at] = true;
        }
        let mut moved: Vec<(usize, (u8, Value<'_>))> =
            changed.into_iter().map(|at| (at, rank(at))).collect();
        moved.sort_by(|(_, a), (_, b)| order(a, b));
        let mut moved = moved.into_iter().peekable();
        let mut shown = Vec::with_capacity(self.all.len());
        for at in self.shown.iter().copied().filter(|at| !is_changed[*at]) {
            let own = rank(at);
            let is_before = |(other, rank): &(usize, (u8, Value<'_>))| {
                order(rank, &own).then(other.cmp(&at)).is_lt()
            };
            while let Some((other, _)) = moved.next_if(is_before) {
                shown.push(other);
            }
            shown.push(at);
        }
        shown.extend(moved.map(|(at, _)| at));
        self.shown = shown;
    }
}

impl<R: HeldRow> List<HeldRows<R>> {
    /// Replaces all rows. Selection, marks, filter and order stay; of several rows with the same key the first one is kept.
    pub fn fill(&mut self, mut rows: Vec<R>) {
        rows.sort_by(|one, other| one.key().cmp(other.key()));
        rows.dedup_by(|one, other| one.key() == other.key());
        self.rows.all = rows;
        self.arrange();
    }

    /// Changes rows by their keys, which stay.
    pub fn edit<T>(
        &mut self,
        changes: impl IntoIterator<Item = (R::Key, T)>,
        edit: impl Fn(&mut R, T),
    ) {
        let mut places = Vec::new();
        for (key, change) in changes {
            if let Some(place) = self.rows.place(&key) {
                edit(&mut self.rows.all[place], change);
                places.push(place);
            }
        }
        // A filter may let other rows through, too.
        if self.filter().trim().is_empty() && self.rows.shown.len() == self.rows.all.len() {
            self.rows.move_rows(places, self.sort);
        } else {
            self.arrange();
        }
    }
}
