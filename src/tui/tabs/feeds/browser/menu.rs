//! A short list over the table, and the effects of its rows.

use crate::{
    model::Day,
    store::Filter,
    tui::{
        ctx::destination::Destination,
        ui::cursor::{Cursor, Motion},
    },
};

#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    pub(super) title: String,
    pub(super) rows: Vec<MenuItem>,
    pub(super) cursor: Cursor,
}

#[derive(Clone, Debug)]
pub(super) struct MenuItem {
    pub(super) label: String,
    /// Additional text, such as a price or a number of records.
    pub(super) detail: String,
    pub(super) then: MenuEffect,
}

/// The effect of choosing a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MenuEffect {
    Filter(Filter),
    Go(Destination),
    /// Copies a text; with a name for it.
    Copy(String, String),
    /// Shows or hides a column; the menu stays open.
    Column(usize),
    /// Compares with the first day. The second is the newest local day.
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

    /// The effect of the row under the cursor.
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
