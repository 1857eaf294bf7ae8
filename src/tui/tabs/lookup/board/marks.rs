//! The marked rows of the table, and actions on them; without marks the actions apply to all rows shown.

use std::{collections::BTreeSet, net::IpAddr, ops::Range};

use serde_json::{Map, Value};

use super::{AddressState, Board, BoardAddress};
use crate::{
    model::TagName,
    report::{TextCell, count, markdown_table},
    tui::{
        ctx::{intent::Yank, outbox::Outbox},
        ui::cursor::Motion,
    },
};

/// The maximum number of rows in a ticket's table.
const MOST: usize = 1000;

impl Board {
    /// The rows between the start of the range and the cursor.
    pub(in crate::tui::tabs::lookup) fn range(&self) -> Option<Range<usize>> {
        let to = self.cursor.selected(self.len())?;
        let is_it = |at: &usize, address: &IpAddr| self.rows[*at].address == *address;
        let place = |address: &IpAddr| self.order.iter().position(|at| is_it(at, address));
        self.marks.range(to, place)
    }

    /// Toggles the mark of the row under the cursor and moves to the next one; ends a range if one was begun.
    pub(in crate::tui::tabs::lookup) fn mark(&mut self) {
        if self.range().is_some() {
            self.mark_range();
        } else if let Some(address) = self.here().map(|row| row.address) {
            self.marks.toggle(address);
            let len = self.len();
            self.cursor.step(Motion::Down, len);
        }
    }

    /// Begins a range at the cursor, or marks the rows up to the cursor; returns whether a range was begun.
    pub(in crate::tui::tabs::lookup) fn mark_range(&mut self) -> bool {
        if let Some(range) = self.range() {
            let rows: Vec<IpAddr> = self.shown(range).collect();
            self.marks.leave_range();
            self.marks.add(rows);
            return false;
        }
        let here = self.here().map(|row| row.address);
        here.map(|address| self.marks.begin_range(address))
            .is_some()
    }

    /// Marks all rows shown, or inverts their marks.
    pub(in crate::tui::tabs::lookup) fn mark_all(&mut self, is_inverted: bool) {
        let rows: Vec<IpAddr> = self.shown(0..self.len()).collect();
        if is_inverted {
            self.marks.invert(rows);
        } else {
            self.marks.add(rows);
        }
    }

    fn shown(&self, rows: Range<usize>) -> impl Iterator<Item = IpAddr> {
        let rows = self.order[rows].iter();
        rows.map(|at| self.rows[*at].address)
    }

    /// The marked rows, those that are shown first; without marks all rows shown.
    fn chosen(&self) -> impl Iterator<Item = &BoardAddress> {
        let is_any = !self.marks.is_empty();
        let is_marked = move |at: &usize| self.marks.contains(&self.rows[*at].address);
        let shown = self.order.iter().copied();
        let shown = shown.filter(move |at| !is_any || is_marked(at));
        let in_view: BTreeSet<usize> = self.order.iter().copied().collect();
        let hidden = (0..self.rows.len()).filter(move |at| is_any && is_marked(at));
        let hidden = hidden.filter(move |at| !in_view.contains(at));
        shown.chain(hidden).map(|at| &self.rows[at])
    }

    pub(in crate::tui::tabs::lookup) fn marked(&self) -> Vec<String> {
        if self.marks.is_empty() {
            return Vec::new();
        }
        self.chosen().map(|row| row.address.to_string()).collect()
    }

    /// The operators of the chosen rows, as tags for an export.
    pub(in crate::tui::tabs::lookup) fn operators(&self) -> Vec<TagName> {
        let known = self.chosen().filter_map(BoardAddress::known);
        let tags = known.flat_map(|row| &row.tags);
        let tags: BTreeSet<TagName> = tags.filter_map(|tag| TagName::new(tag).ok()).collect();
        tags.into_iter().collect()
    }

    /// Copies if the marks affect the result; returns whether it did.
    pub(in crate::tui::tabs::lookup) fn copy(&self, what: Yank, out: &mut Outbox) -> bool {
        let marked = match self.marks.len() {
            1 => "1 marked row".to_owned(),
            more => format!("{} marked rows", count(more as u64)),
        };
        match (what, self.marks.is_empty()) {
            (Yank::Ticket, true) => out.copy_lines("the table", self.markdown()),
            (Yank::Ticket, false) => out.copy_lines(marked, self.markdown()),
            (Yank::Row, false) => {
                let cells =
                    |row: &BoardAddress| row.cells().into_iter().map(|cell| cell.text).collect();
                out.copy_csv(marked, &COLUMNS, self.chosen().map(cells));
            }
            (Yank::Json, false) => {
                out.copy_json_lines(marked, self.chosen().map(BoardAddress::object));
            }
            _ => return false,
        }
        true
    }

    /// The chosen rows as a Markdown table.
    fn markdown(&self) -> String {
        let rows: Vec<_> = self.chosen().take(MOST).map(BoardAddress::cells).collect();
        markdown_table(&HEADS, &rows)
    }
}

/// The heads of that table.
const HEADS: [&str; 8] = [
    "address",
    "verdict",
    "operators",
    "infrastructure",
    "country",
    "AS",
    "clients a day",
    "source",
];

/// The names of the same columns in CSV and JSON.
const COLUMNS: [&str; HEADS.len()] = [
    "address",
    "verdict",
    "operators",
    "infrastructure",
    "country",
    "as",
    "clients",
    "source",
];

impl BoardAddress {
    /// Its cells as a JSON object; an unknown value is null.
    fn object(&self) -> String {
        let value = |cell: TextCell| cell.known.then_some(cell.text).into();
        let members = COLUMNS.into_iter().zip(self.cells());
        let object: Map<String, Value> = members
            .map(|(column, cell)| (column.to_owned(), value(cell)))
            .collect();
        Value::Object(object).to_string()
    }

    /// Its cells in that table.
    fn cells(&self) -> Vec<TextCell> {
        let mut cells = vec![TextCell::known(self.address.to_string())];
        match &self.state {
            AddressState::Known(own) => cells.extend(own.cells()),
            other => {
                cells.push(TextCell::unknown(&other.words()));
                cells.resize(HEADS.len(), TextCell::unknown("-"));
            }
        }
        cells
    }
}
