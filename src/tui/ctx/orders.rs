//! The orders in which a table can be shown: a tab names them, the shell offers them in a menu and steps through them.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// A row for each column that it can be sorted by, from the left.
    pub rows: Vec<OrderRow>,
    /// The present one, and whether that is turned round.
    pub present: Option<(usize, bool)>,
    /// Where the menu begins while there is no present one.
    pub start: usize,
}

/// A column to sort by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    pub title: String,
    /// What its usual direction is called, and the other one.
    pub words: [&'static str; 2],
    /// Whether it is shown, so that one comes to it from the column beside it.
    pub is_shown: bool,
}

/// What the directions of texts are called.
pub const TEXT: [&str; 2] = ["ascending", "descending"];
/// What the directions of numbers are called.
pub const NUMBER: [&str; 2] = ["most first", "fewest first"];
/// What the directions of days are called.
pub const DAY: [&str; 2] = ["latest first", "oldest first"];

impl OrderRow {
    /// A column that is shown.
    #[must_use]
    pub fn new(title: impl Into<String>, words: [&'static str; 2]) -> Self {
        Self {
            title: title.into(),
            words,
            is_shown: true,
        }
    }

    /// What is a column of no table, or not shown.
    #[must_use]
    pub fn aside(self) -> Self {
        Self {
            is_shown: false,
            ..self
        }
    }
}

impl Orders {
    /// These orders, the present one among them.
    #[must_use]
    pub fn new(rows: Vec<OrderRow>, present: Option<(usize, bool)>) -> Self {
        Self {
            rows,
            present,
            start: 0,
        }
    }

    /// Where the menu begins.
    #[must_use]
    pub fn begins(&self) -> usize {
        self.present.map_or(self.start, |(at, _)| at)
    }

    /// Whether an order is turned round now.
    #[must_use]
    pub fn is_turned(&self, at: usize) -> bool {
        self.present == Some((at, true))
    }

    /// The direction in which choosing a row sorts.
    #[must_use]
    pub fn direction(&self, at: usize) -> &'static str {
        let turned = usize::from(self.is_turned(at));
        self.rows.get(at).map_or("", |row| row.words[turned])
    }

    /// The next shown order to the right, or to the left: round and round.
    #[must_use]
    pub fn beside(&self, is_left: bool) -> Option<usize> {
        let shown = |at: &usize| self.rows[*at].is_shown;
        let here = self.present.map(|(at, _)| at);
        let all = 0..self.rows.len();
        if is_left {
            let before = all.clone().rev().filter(shown);
            let next = before
                .clone()
                .find(|at| here.is_some_and(|here| *at < here));
            next.or_else(|| all.rev().find(shown))
        } else {
            let next = all
                .clone()
                .filter(shown)
                .find(|at| here.is_some_and(|here| *at > here));
            next.or_else(|| all.clone().find(shown))
        }
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
