//! The columns in view of a list with a cell cursor, and their widths. The first one is always in view, the others scroll sideways.

use super::{
    List, ListRow, Rows,
    columns::{ColumnSpec, SortBy},
};
use crate::tui::ui::{
    Column, Width, cells,
    widgets::columns::{GAP, settle},
};

/// How widths are chosen, from the declared ones to more compact ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Declared,
    /// Columns of fixed width shrink to their texts in view.
    ByContent,
    /// As `ByContent`; other columns that share the remaining width also yield up to a quarter to the one that reserves cells.
    Yielding,
}

/// The columns of a list, and the widths of their texts in view.
pub(super) struct CellColumns<'l, R: Rows> {
    list: &'l List<R>,
    specs: &'l [ColumnSpec<R::Row>],
    sort: Option<SortBy>,
    /// The cells of the widest text of each column.
    widest: Vec<u16>,
    /// Whether any row has a value in a column.
    has_value: Vec<bool>,
}

impl<'l, R: Rows> CellColumns<'l, R> {
    pub(super) fn new<'r>(
        list: &'l List<R>,
        rows: impl Iterator<Item = &'r R::Row>,
        sort: Option<SortBy>,
    ) -> Self {
        let specs = list.rows.columns();
        let (mut widest, mut has_value) = (vec![0; specs.len()], vec![false; specs.len()]);
        for row in rows {
            for (at, spec) in specs.iter().enumerate() {
                widest[at] = cells::width(&row.text_in(spec)).max(widest[at]);
                has_value[at] |= spec.text_of(row).is_some();
            }
        }
        Self {
            list,
            specs,
            sort,
            widest,
            has_value,
        }
    }

    /// The numbers of the columns in view: the first one, then as many as fit, including the one under the cursor. Columns without a
    /// value are left out where a text would be cut beside them.
    pub(super) fn in_view(&self, room: u16) -> (Vec<usize>, Vec<Column<'static>>) {
        let mut shown = self.shown(room);
        let (cut, mut columns) = self.fitted(&shown, room);
        if cut > 0 {
            shown.retain(|at| self.has_value[*at] || self.is_chosen(*at));
            columns = self.fitted(&shown, room).1;
        }
        (shown, columns)
    }

    /// The best widths for these columns, with the number of those that are cut.
    fn fitted(&self, shown: &[usize], room: u16) -> (usize, Vec<Column<'static>>) {
        let fitted = [Fit::Declared, Fit::ByContent, Fit::Yielding].map(|fit| {
            let rest = self.rest(shown, room, fit);
            let columns = shown.iter().map(|at| self.column(*at, rest, fit));
            let columns: Vec<_> = columns.collect();
            let settled = settle(&columns, room, |at| self.widest[shown[at]]);
            let is_cut = |at: &usize| {
                let place = settled.place(*at);
                place.is_some_and(|(_, has)| has < self.widest[shown[*at]])
            };
            let cut = (0..shown.len()).filter(is_cut).count();
            ((self.is_reserved_cut(shown, room, fit), cut), columns)
        });
        let best = fitted.into_iter().min_by_key(|(cut, _)| *cut);
        best.map(|((_, cut), columns)| (cut, columns))
            .unwrap_or_default()
    }

    /// Whether a column is the first one, has the cursor, or is the one by which the rows are sorted.
    fn is_chosen(&self, at: usize) -> bool {
        at == 0 || at == self.list.column || self.is_sorted(at)
    }

    fn is_sorted(&self, at: usize) -> bool {
        self.sort.is_some_and(|sort| sort.column == at)
    }

    fn shown(&self, room: u16) -> Vec<usize> {
        let all = 1..self.specs.len();
        let all: Vec<usize> = all.filter(|at| self.list.is_shown(*at)).collect();
        let fitting = |from: usize| {
            let mut used = self.least(0, Fit::Declared);
            let fits = |at: &&usize| {
                let own = self.least(**at, Fit::Declared);
                used = used.saturating_add(GAP).saturating_add(own);
                used <= room
            };
            all[from..].iter().take_while(fits).count()
        };
        let mut from = 0;
        if let Some(target) = all.iter().position(|at| *at == self.list.column) {
            while from < target && from + fitting(from) <= target {
                from += 1;
            }
        }
        let end = (from + fitting(from).max(1)).min(all.len());
        let mut shown = vec![0];
        shown.extend(&all[from..end]);
        if let Some(last) = shown.last().copied()
            && self.specs[last].rank > 0
            && !self.is_chosen(last)
            && self.is_reserved_cut(&shown, room, Fit::ByContent)
        {
            shown.pop();
        }
        shown
    }

    fn width(&self, at: usize, fit: Fit) -> Width {
        let spec = &self.specs[at];
        let title = cells::width(&spec.title(at, self.sort));
        // The head of the sorted column is never cut.
        let declared = match spec.width {
            Width::Fixed(number) if self.is_sorted(at) => Width::Fixed(number.max(title)),
            Width::Fill(number) if self.is_sorted(at) => Width::Fill(number.max(title)),
            width => width,
        };
        match (declared, fit) {
            (Width::Fixed(number), Fit::ByContent | Fit::Yielding) => {
                Width::Fixed(number.min(self.widest[at].max(title)))
            }
            (Width::Fill(number), Fit::Yielding) if spec.most == 0 => {
                Width::Fill((number - number / 4).max(title.min(number)))
            }
            (width, _) => width,
        }
    }

    fn least(&self, at: usize, fit: Fit) -> u16 {
        match self.width(at, fit) {
            Width::Fixed(cells) | Width::Fill(cells) => cells,
            Width::Min(cells) => {
                let title = cells::width(&self.specs[at].title(at, self.sort));
                cells.max(self.widest[at]).max(title)
            }
        }
    }

    /// The cells that remain beside these columns.
    fn rest(&self, shown: &[usize], room: u16, fit: Fit) -> u16 {
        let widths = shown.iter().map(|at| self.least(*at, fit));
        let taken = widths.reduce(|taken, number| taken.saturating_add(GAP).saturating_add(number));
        room.saturating_sub(taken.unwrap_or_default())
    }

    /// Whether the column that reserves cells is among these and would have fewer.
    fn is_reserved_cut(&self, shown: &[usize], room: u16, fit: Fit) -> bool {
        let reserved = shown.iter().find(|at| self.specs[**at].most > 0);
        reserved.is_some_and(|at| {
            let rest = self.rest(shown, room, fit);
            let wanted = self.widest[*at].min(self.specs[*at].most);
            self.least(*at, fit).saturating_add(rest) < wanted
        })
    }

    /// A column, with so many cells remaining beside it.
    fn column(&self, at: usize, rest: u16, fit: Fit) -> Column<'static> {
        let spec = &self.specs[at];
        let width = match self.width(at, fit) {
            Width::Fill(number) if spec.most > 0 => {
                Width::Fill(number.max(self.widest[at]).min(number.saturating_add(rest)))
            }
            width => width,
        };
        let column = Column::new(spec.title(at, self.sort), width).sorts(Some(at));
        if spec.is_text { column } else { column.right() }
    }
}
