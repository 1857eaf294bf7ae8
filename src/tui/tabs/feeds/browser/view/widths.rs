//! Chooses the visible columns and their widths.

use std::borrow::Cow;

use crate::tui::{
    tabs::feeds::browser::{
        Browser,
        columns::{self, ColumnKind},
        row::BrowserRow,
        sorting,
    },
    ui::{
        cells,
        widgets::columns::{Column, GAP, Width, settle},
    },
};

/// The width in cells that the priority column should have before another column is added at the end.
const SERVED: u16 = 24;

/// How column widths are chosen, from the declared ones to more compact ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Declared,
    /// Columns of fixed width shrink to their texts in view.
    ByContent,
    /// As `ByContent`; other columns that share the remaining width also yield up to a quarter to the priority column.
    Yielding,
}

/// The columns of a feed, and their texts in the visible rows.
pub(super) struct VisibleColumns<'b> {
    browser: &'b Browser,
    rows: &'b [(usize, &'b BrowserRow)],
    all: &'static [ColumnKind],
}

impl<'b> VisibleColumns<'b> {
    pub(super) fn of(browser: &'b Browser, rows: &'b [(usize, &'b BrowserRow)]) -> Self {
        Self {
            browser,
            rows,
            all: columns::of(browser.query().feed),
        }
    }

    /// The width of the widest text of a column, in cells.
    pub(super) fn widest(&self, kind: usize) -> u16 {
        let width = |(_, row): &(usize, &BrowserRow)| {
            row.cells
                .get(kind)
                .map_or(0, |cell| cells::width(&cell.text))
        };
        self.rows.iter().map(width).max().unwrap_or_default()
    }

    /// The visible columns: the first one, then as many as fit, including the one under the cursor. Columns without a value in view are
    /// left out where a text would be cut beside them.
    pub(super) fn in_view(&self, room: u16) -> (Vec<usize>, Vec<Column<'static>>) {
        let mut shown = self.shown(room);
        let (cut, mut columns) = self.fitted(&shown, room);
        if cut > 0 {
            shown.retain(|at| !self.is_empty(*at) || self.is_chosen(*at));
            columns = self.fitted(&shown, room).1;
        }
        let kinds = [0].into_iter().chain(shown).collect();
        (kinds, columns)
    }

    /// The best widths for the first column and these, with the number of columns that are cut.
    fn fitted(&self, shown: &[usize], room: u16) -> (usize, Vec<Column<'static>>) {
        let kinds: Vec<usize> = [0].into_iter().chain(shown.iter().copied()).collect();
        let fitted = [Fit::Declared, Fit::ByContent, Fit::Yielding].map(|fit| {
            let rest = self.rest(shown, room, fit);
            let columns: Vec<_> = kinds.iter().map(|at| self.column(*at, rest, fit)).collect();
            let settled = settle(&columns, room, |at| self.widest(kinds[at]));
            let is_short = |at: &usize| {
                let place = settled.place(*at);
                place.is_some_and(|(_, has)| has < self.widest(kinds[*at]))
            };
            let short = (0..kinds.len()).filter(is_short).count();
            ((self.is_served_cut(shown, room, fit), short), columns)
        });
        let best = fitted.into_iter().min_by_key(|(cut, _)| *cut);
        best.map(|((_, short), columns)| (short, columns))
            .unwrap_or_default()
    }

    /// Whether no row in view has a value in a column.
    fn is_empty(&self, kind: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|(_, row)| row.cells.get(kind));
        !cells.any(|cell| cell.known)
    }

    /// Whether the cursor is in a column, or the rows are sorted by it.
    fn is_chosen(&self, at: usize) -> bool {
        at == self.browser.column || self.sign(at).is_some()
    }

    /// The visible columns besides the first one.
    fn shown(&self, room: u16) -> Vec<usize> {
        let chosen: Vec<usize> = (1..self.all.len())
            .filter(|at| self.browser.columns[*at])
            .collect();
        let fitting = |from: usize| -> usize {
            let mut used = self.least(0, Fit::Declared);
            let rest = chosen[from..].iter();
            rest.take_while(|at| {
                let own = self.least(**at, Fit::Declared);
                used = used.saturating_add(GAP).saturating_add(own);
                used <= room
            })
            .count()
        };
        let target = chosen.iter().position(|at| *at == self.browser.column);
        let mut from = 0;
        if let Some(target) = target {
            while from < target && from + fitting(from) <= target {
                from += 1;
            }
        }
        let end = (from + fitting(from).max(1)).min(chosen.len());
        let end = match chosen.get(end.wrapping_sub(1)) {
            Some(end_column)
                if self.all[*end_column].gives_way()
                    && !self.is_chosen(*end_column)
                    && self.is_served_cut(&chosen[from..end], room, Fit::ByContent) =>
            {
                end - 1
            }
            _ => end,
        };
        chosen[from..end].to_vec()
    }

    fn sign(&self, at: usize) -> Option<char> {
        let query = self.browser.query();
        sorting::sign(query.feed, query.order, at)
    }

    fn title(&self, at: usize) -> Cow<'static, str> {
        match self.sign(at) {
            Some(sign) => format!("{} {sign}", self.all[at].title).into(),
            None => self.all[at].title.into(),
        }
    }

    fn width(&self, at: usize, fit: Fit) -> Width {
        let title = cells::width(&self.title(at));
        // The head of the sorted column is never cut.
        let declared = match (self.all[at].width, self.sign(at)) {
            (Width::Fixed(own), Some(_)) => Width::Fixed(own.max(title)),
            (Width::Fill(own), Some(_)) => Width::Fill(own.max(title)),
            (own, _) => own,
        };
        match (declared, fit) {
            (Width::Fixed(own), Fit::ByContent | Fit::Yielding) => {
                Width::Fixed(own.min(self.widest(at).max(title)))
            }
            (Width::Fill(own), Fit::Yielding) if !self.all[at].is_served_first() => {
                Width::Fill((own - own / 4).max(title.min(own)))
            }
            (own, _) => own,
        }
    }

    fn least(&self, at: usize, fit: Fit) -> u16 {
        match self.width(at, fit) {
            Width::Fixed(cells) | Width::Fill(cells) => cells,
            Width::Min(cells) => {
                let title = cells::width(&self.title(at));
                cells.max(self.widest(at)).max(title)
            }
        }
    }

    /// The width that remains beside the first column and these, in cells.
    fn rest(&self, shown: &[usize], room: u16, fit: Fit) -> u16 {
        let taken = shown.iter().fold(self.least(0, fit), |taken, at| {
            taken
                .saturating_add(GAP)
                .saturating_add(self.least(*at, fit))
        });
        room.saturating_sub(taken)
    }

    /// Whether the priority column is among these and would be cut.
    fn is_served_cut(&self, shown: &[usize], room: u16, fit: Fit) -> bool {
        let mut shown_first = shown.iter().filter(|at| self.all[**at].is_served_first());
        shown_first.next().is_some_and(|at| {
            let rest = self.rest(shown, room, fit);
            self.least(*at, fit).saturating_add(rest) < self.widest(*at).min(SERVED)
        })
    }

    /// A column, with this much width remaining beside it.
    fn column(&self, at: usize, rest: u16, fit: Fit) -> Column<'static> {
        let width = match self.width(at, fit) {
            Width::Fill(own) if self.all[at].is_served_first() => {
                Width::Fill(own.max(self.widest(at)).min(own.saturating_add(rest)))
            }
            own => own,
        };
        let place = sorting::place_of(self.browser.query().feed, at);
        let column = Column::new(self.title(at), width).sorts(place);
        if self.all[at].is_number {
            column.right()
        } else {
            column
        }
    }
}
