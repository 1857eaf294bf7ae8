//! A short list over the table, and what choosing a row of it does.

use crate::{
    model::Day,
    store::Filter,
    tui::{
        ctx::destination::Destination,
        ui::cursor::{Cursor, Motion},
    },
};

#[derive(Clone, Debug)]
pub(super) struct Menu {
    pub(super) title: String,
    pub(super) rows: Vec<MenuItem>,
    pub(super) cursor: Cursor,
}

#[derive(Clone, Debug)]
pub(super) struct MenuItem {
    pub(super) label: String,
    /// A word more about it: what it costs, or how many records it leaves.
    pub(super) detail: String,
    pub(super) then: MenuEffect,
}

/// What follows from choosing a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MenuEffect {
    Filter(Filter),
    Go(Destination),
    /// Copy a text, which is this.
    Copy(String, String),
    /// Show a column, or hide it; the menu stays.
    Column(usize),
    /// Compare with this day; the other one is the newest local day.
    Compare(Day, Option<Day>),
}

impl Menu {
    pub(super) fn new(title: impl Into<String>, rows: Vec<MenuItem>) -> Self {
        Self {
            title: title.into(),
            rows,
            cursor: Cursor::default(),
        }
    }

    pub(super) fn step(&mut self, motion: Motion) {
        self.cursor.step(motion, self.rows.len());
    }

    /// What the row under the cursor does.
    pub(super) fn chosen(&self) -> Option<&MenuEffect> {
        let at = self.cursor.selected(self.rows.len())?;
        Some(&self.rows[at].then)
    }
}

impl MenuItem {
    pub(super) fn new(
        label: impl Into<String>,
        detail: impl Into<String>,
        then: MenuEffect,
    ) -> Self {
        Self {
            label: label.into(),
            detail: detail.into(),
            then,
        }
    }
}
