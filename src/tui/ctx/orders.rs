//! The possible orders of a table. A tab lists them; the shell offers them in a menu and steps through them.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// One row for each sortable column, from the left.
    pub rows: Vec<OrderRow>,
    /// The current order, and whether it is reversed.
    pub present: Option<(usize, bool)>,
    /// The initial row of the menu if there is no current order.
    pub start: usize,
}

/// A column to sort by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    pub title: String,
    /// The words for its usual direction and for the reverse.
    pub words: [&'static str; 2],
    /// Whether it is shown, so that stepping sideways reaches it.
    pub is_shown: bool,
}

/// The words for the directions of texts.
pub const TEXT: [&str; 2] = ["ascending", "descending"];
/// The words for the directions of numbers.
pub const NUMBER: [&str; 2] = ["most first", "fewest first"];
/// The words for the directions of days.
pub const DAY: [&str; 2] = ["latest first", "oldest first"];

impl OrderRow {
    /// A visible column.
    #[must_use]
    pub fn new(title: impl Into<String>, words: [&'static str; 2]) -> Self {
        Self {
            title: title.into(),
            words,
            is_shown: true,
        }
    }

    /// An order that is not a column, or whose column is hidden.
    #[must_use]
    pub fn aside(self) -> Self {
        Self {
            is_shown: false,
            ..self
        }
    }
}

impl Orders {
    /// These orders, with the current one.
    #[must_use]
    pub fn new(rows: Vec<OrderRow>, present: Option<(usize, bool)>) -> Self {
        Self {
            rows,
            present,
            start: 0,
        }
    }

    /// The initial row of the menu.
    #[must_use]
    pub fn begins(&self) -> usize {
        self.present.map_or(self.start, |(at, _)| at)
    }

    /// Whether the order at an index is the current one, reversed.
    #[must_use]
    pub fn is_turned(&self, at: usize) -> bool {
        self.present == Some((at, true))
    }

    /// The words for the direction of the order at an index: its reverse only if that is the current one.
    #[must_use]
    pub fn direction(&self, at: usize) -> &'static str {
        let turned = usize::from(self.is_turned(at));
        self.rows.get(at).map_or("", |row| row.words[turned])
    }

    /// The next visible order to the right or to the left, cyclically.
    #[must_use]
    pub fn beside(&self, is_left: bool) -> Option<usize> {
        let len = self.rows.len();
        let start = match self.present {
            Some((at, _)) => at,
            None if is_left => 0,
            None => len.saturating_sub(1),
        };
        let step = if is_left { len.saturating_sub(1) } else { 1 };
        let steps = (1..=len).map(|number| (start + number * step) % len);
        let mut shown = steps.filter(|at| self.rows[*at].is_shown);
        shown.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_comes_from_column_to_column_round_and_round() {
        let row = |title: &str| OrderRow::new(title, TEXT);
        let rows = vec![
            row("A"),
            row("B").aside(),
            row("C"),
            row("as it was").aside(),
        ];
        let of = |present| Orders::new(rows.clone(), present);
        assert_eq!(of(None).beside(false), Some(0));
        assert_eq!(of(None).beside(true), Some(2));
        assert_eq!(of(Some((0, true))).beside(false), Some(2));
        assert_eq!(of(Some((1, false))).beside(true), Some(0));
        assert_eq!(of(Some((2, false))).beside(false), Some(0));
        assert_eq!(of(Some((3, false))).beside(false), Some(0));
        assert_eq!(of(Some((0, false))).beside(true), Some(2));
        assert_eq!(Orders::default().beside(true), None);
        assert_eq!(of(Some((0, true))).direction(0), "descending");
    }
}
