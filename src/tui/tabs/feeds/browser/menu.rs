//! A short list over the table, and what choosing a row of it does.

use crate::{
    model::Day,
    store::Filter,
    tui::{
        ctx::place::Place,
        ui::cursor::{Cursor, Motion},
    },
};

/// A menu.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    /// What it is about.
    pub(super) title: String,
    pub(super) rows: Vec<Item>,
    pub(super) cursor: Cursor,
}

/// A row of a menu.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) label: String,
    /// A word more about it: what it costs, or how many records it leaves.
    pub(super) detail: String,
    pub(super) then: Then,
}

/// What follows from choosing a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Then {
    /// Filter by this.
    Filter(Filter),
    /// Go there.
    Go(Place),
    /// Copy a text, which is this.
    Copy(String, String),
    /// Show a column, or hide it; the menu stays.
    Column(usize),
    /// Compare with this day.
    Compare(Day),
}

impl Menu {
    /// A menu of these rows.
    pub(super) fn new(title: impl Into<String>, rows: Vec<Item>) -> Self {
        Self {
            title: title.into(),
            rows,
            cursor: Cursor::default(),
        }
    }

    /// Moves.
    pub(super) fn step(&mut self, motion: Motion) {
        self.cursor.step(motion, self.rows.len());
    }

    /// What the row under the cursor does.
    pub(super) fn chosen(&self) -> Option<&Then> {
        let at = self.cursor.selected(self.rows.len())?;
        Some(&self.rows[at].then)
    }
}

impl Item {
    /// A row.
    pub(super) fn new(label: impl Into<String>, detail: impl Into<String>, then: Then) -> Self {
        Self {
            label: label.into(),
            detail: detail.into(),
            then,
        }
    }
}
