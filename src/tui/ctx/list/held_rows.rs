//! Rows that are all in memory, filtered and sorted there.

use std::{borrow::Cow, cmp::Ordering};

use super::{
    List, ListRow, Rows,
    columns::{ColumnSpec, RowPlace, SortBy, Value},
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
    /// The places of the rows shown, where no filter leaves any out and they are sorted by no text: a million rows are moved among by
    /// going through them in order, and a row itself is not looked at.
    places: Option<Vec<RowPlace>>,
    /// Why the filter is none.
    mistake: Option<String>,
}

impl<R> Default for HeldRows<R> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            shown: Vec::new(),
            places: None,
            mistake: None,
        }
    }
}

impl<R: HeldRow> HeldRows<R> {
    /// All rows by key, whether they are shown or not.
    pub fn all(&self) -> impl Iterator<Item = &R> {
        self.all.iter()
    }

    /// The rows that are shown, in whatever order is fastest.
    pub fn shown_in_any_order(&self) -> impl Iterator<Item = &R> {
        let is_whole = self.shown.len() == self.all.len();
        let all = self.all.iter().filter(move |_| is_whole);
        let shown = self.shown.iter().filter(move |_| !is_whole);
        all.chain(shown.map(|at| &self.all[*at]))
    }

    /// The rows that match a filter, in the order of their keys; all where the text is none.
    pub fn matching<'f>(&'f self, filter: &'f str) -> impl Iterator<Item = &'f R> {
        let mut test = R::test(filter, &self.all)
            .ok()
            .filter(|_| !filter.is_empty());
        let is_found = move |row: &&R| test.as_mut().is_none_or(|test| test(row));
        self.all.iter().filter(is_found)
    }

    /// The first row from this one on whose key is not before this one. Near ones are found first.
    fn place_from(&self, from: usize, key: &R::Key) -> usize {
        let rest = &self.all[from..];
        let mut step = 1;
        while rest.get(step).is_some_and(|row| row.key() < key) {
            step *= 2;
        }
        let near = &rest[step / 2..rest.len().min(step + 1)];
        from + step / 2 + near.partition_point(|row| row.key() < key)
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
        let places = self.places_by(sort).filter(|_| filter.trim().is_empty());
        let Some(places) = places else {
            self.places = None;
            (self.shown, self.mistake) = self.arranged(filter, sort);
            return;
        };
        let mut rows: Vec<(RowPlace, usize)> = places.into_iter().zip(0..).collect();
        rows.sort_unstable();
        let (places, shown) = rows.into_iter().unzip();
        (self.places, self.shown, self.mistake) = (Some(places), shown, None);
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
        let rows = self.all.iter().enumerate();
        let found = rows.filter(|(_, row)| test.as_mut().is_none_or(|test| test(row)));
        let ranked = found.map(|(at, row)| {
            let is_apart = R::BY_LETTERS
                && !wanted.is_empty()
                && !row.key().to_string().to_uppercase().contains(&upper);
            (at, is_apart, RowRank::of(row, sort))
        });
        let mut ranked: Vec<(usize, bool, RowRank<'_>)> = ranked.collect();
        ranked.sort_by(|(_, is_apart, rank), (_, is_other_apart, other)| {
            let ranks = is_apart.cmp(is_other_apart);
            ranks.then_with(|| rank.order(other, sort.is_reversed))
        });
        (ranked.into_iter().map(|(at, ..)| at).collect(), mistake)
    }

    /// The places of all rows; `None` where one is sorted by a text.
    fn places_by(&self, sort: SortBy) -> Option<Vec<RowPlace>> {
        let rows = self.all.iter();
        rows.map(|row| RowRank::of(row, sort).place(sort)).collect()
    }

    /// Moves rows that changed to where they belong among all others, whose order stays. No filter leaves any out.
    fn move_rows(&mut self, mut changed: Vec<usize>, sort: SortBy) {
        changed.sort_unstable();
        changed.dedup();
        let mut is_changed = vec![false; self.all.len()];
        for at in &changed {
            is_changed[*at] = true;
        }
        let others = |at: &usize| !is_changed[*at];
        let ranked = changed.iter().map(|at| RowRank::of(&self.all[*at], sort));
        let places = ranked.map(|rank| rank.place(sort));
        let places: Option<Vec<RowPlace>> = places.collect();
        if let (Some(before), Some(moved)) = (&self.places, places) {
            let mut moved: Vec<(RowPlace, usize)> = moved.into_iter().zip(changed).collect();
            moved.sort_unstable();
            let rest = before.iter().copied().zip(self.shown.iter().copied());
            let rest = rest.filter(|(_, at)| others(at));
            let (places, shown) = merged(rest, moved, Ord::cmp).unzip();
            (self.places, self.shown) = (Some(places), shown);
            return;
        }
        let rank = |at: usize| (RowRank::of(&self.all[at], sort), at);
        let order = |(one, at): &(RowRank<'_>, usize), (other, other_at): &(RowRank<'_>, usize)| {
            let ranks = one.order(other, sort.is_reversed);
            ranks.then(at.cmp(other_at))
        };
        let mut moved: Vec<(RowRank<'_>, usize)> = changed.into_iter().map(rank).collect();
        moved.sort_by(order);
        let rest = self.shown.iter().copied().filter(others).map(rank);
        let shown = merged(rest, moved, order).map(|(_, at)| at).collect();
        (self.places, self.shown) = (None, shown);
    }
}

/// Two sequences in order as one.
fn merged<T>(
    rest: impl Iterator<Item = T>,
    moved: Vec<T>,
    order: impl Fn(&T, &T) -> Ordering,
) -> impl Iterator<Item = T> {
    let (mut rest, mut moved) = (rest.peekable(), moved.into_iter().peekable());
    std::iter::from_fn(move || match (rest.peek(), moved.peek()) {
        (Some(one), Some(other)) if order(other, one).is_lt() => moved.next(),
        (None, _) => moved.next(),
        (Some(_), _) => rest.next(),
    })
}

/// What places a row among others: its group, then its value.
#[derive(Debug)]
struct RowRank<'r>(u8, Value<'r>);

impl<'r> RowRank<'r> {
    fn of<R: HeldRow>(row: &'r R, sort: SortBy) -> Self {
        Self(row.group(), R::COLUMNS[sort.column].place(row))
    }

    /// The same as a number; `None` for a text.
    fn place(&self, sort: SortBy) -> Option<RowPlace> {
        RowPlace::of(self.0, &self.1, sort.is_reversed)
    }

    fn order(&self, other: &Self, is_reversed: bool) -> Ordering {
        let groups = self.0.cmp(&other.0);
        groups.then_with(|| self.1.order(&other.1, is_reversed))
    }
}

impl<R: HeldRow> List<HeldRows<R>> {
    /// Replaces all rows. Selection, marks, filter and order stay; of several rows with the same key the first one is kept.
    pub fn fill(&mut self, mut rows: Vec<R>) {
        // Rows are large: they are moved once.
        rows.sort_by_cached_key(|row| row.key().clone());
        rows.dedup_by(|one, other| one.key() == other.key());
        self.rows.all = rows;
        self.arrange();
    }

    /// Changes rows by their keys, which stay.
    pub fn edit<T>(
        &mut self,
        changes: impl IntoIterator<Item = (R::Key, T)>,
        mut edit: impl FnMut(&mut R, T),
    ) {
        let mut changes: Vec<(R::Key, T)> = changes.into_iter().collect();
        changes.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut places = Vec::new();
        let mut from = 0;
        for (key, change) in changes {
            from = self.rows.place_from(from, &key);
            let row = self.rows.all.get_mut(from);
            if let Some(row) = row.filter(|row| *row.key() == key) {
                edit(row, change);
                places.push(from);
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
