//! How a list looks: its filter, heads, rows and legend.

use std::ops::Range;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};

use super::{
    List, ListRow, Rows, SignPlace,
    cell_columns::CellColumns,
    columns::{self, ColumnSpec},
};
use crate::{
    model::visible,
    tui::{
        ctx::ViewCtx,
        ui::{Column, Focus, Pane, Table, Theme, Width, cells},
    },
};

/// Lines below the rows at most.
const LEGEND: usize = 3;

impl<R: Rows> List<R> {
    /// Draws the list in a pane: the filter if there is one, the rows, and the legend below.
    pub fn draw_in(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        pane: Pane<'_>,
        legend: Line<'_>,
        ctx: &ViewCtx<'_>,
    ) {
        let focus = pane.focus;
        let inner = pane.draw(frame, area, ctx.theme);
        let mut legend = cells::wrap(legend, inner.width);
        legend.truncate(LEGEND.min(usize::from(inner.height / 4).max(1)));
        let [rows, below] = Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(u16::try_from(legend.len()).unwrap_or(1)),
        ])
        .areas(inner);
        self.draw(frame, rows, ctx, focus);
        for (line, place) in legend.into_iter().zip(below.rows()) {
            frame.render_widget(cells::cut_line(line, place.width), place);
        }
    }

    /// Draws the filter if there is one, and the rows.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>, focus: Focus) {
        let has_filter = self.is_typing || self.is_filtered();
        let [filter, rows] = Layout::vertical([
            Constraint::Length(u16::from(has_filter)),
            Constraint::Min(0),
        ])
        .areas(area);
        self.draw_filter(frame, filter, ctx.theme);
        self.draw_rows(frame, rows, focus, false, ctx);
        if self.rows.is_empty()
            && let Some(place) = rows.rows().nth(1)
        {
            frame.render_widget(
                Line::styled("  no match; esc shows all", ctx.theme.dim),
                place,
            );
        }
    }

    /// Draws heads and rows; dimmed where they are old.
    pub fn draw_rows(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        focus: Focus,
        is_old: bool,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        let len = self.rows.len();
        // If the selected key is not among the rows, no row is drawn as selected.
        let focus = match self.position() {
            Some(at) => {
                self.cursor.select(at, len);
                focus
            }
            None => Focus::Elsewhere,
        };
        let specs = self.rows.columns();
        let heads = u16::from(specs.iter().any(ColumnSpec::has_head));
        let height = usize::from(area.height.saturating_sub(heads));
        let window = self.cursor.window(len, height);
        let drawn = self.rows.drawn(window.clone(), height);
        let is_current = drawn == window;
        let in_gutter = R::HAS_CELLS || R::Row::SIGNS != SignPlace::FirstCell;
        let (shown, columns) = self.columns_in(area.width, drawn.clone());
        let range = self.range().filter(|_| is_current);
        let is_marked = |at: usize| {
            let is_in_range = range.as_ref().is_some_and(|range| range.contains(&at));
            let row = self.rows.drawn_row(at);
            row.is_some_and(|row| is_in_range || self.marks.contains(row.key()))
        };
        let cells_of = |at: usize| {
            let row = self.rows.drawn_row(at);
            let cells = shown.iter().map(|at| cell(&specs[*at], row, is_old, ctx));
            with_sign(cells.collect(), row, in_gutter, is_marked(at), theme)
        };
        let cell = shown.iter().position(|at| *at == self.column && *at > 0);
        let mut table = Table::new(&columns, &self.cursor, len).cell(cell);
        if !is_current {
            table = table.instead(drawn.clone());
        }
        if is_old {
            table = table.base(theme.stale);
        }
        table.draw(frame, area, cells_of, ctx, focus);
        if in_gutter && area.width > 1 {
            let places = drawn.zip(area.rows().skip(heads.into()));
            for (_, place) in places.filter(|(at, _)| is_marked(*at)) {
                frame.buffer_mut()[(place.x + 1, place.y)]
                    .set_symbol("*")
                    .set_style(theme.accent);
            }
        }
    }

    /// The columns on the screen with their numbers; that of the signs has none.
    fn columns_in(&self, width: u16, drawn: Range<usize>) -> (Vec<usize>, Vec<Column<'static>>) {
        let specs = self.rows.columns();
        let sort = self.rows.sorted(self.sort);
        if R::HAS_CELLS {
            let rows = drawn.filter_map(|at| self.rows.drawn_row(at));
            let columns = CellColumns::new(self, rows, sort);
            return columns.in_view(width.saturating_sub(Table::GUTTER));
        }
        let shown = (0..specs.len()).filter(|at| self.is_shown(*at));
        let column = |at: usize| {
            let has_sign = at == 0 && R::Row::SIGNS == SignPlace::FirstCell;
            let before = if has_sign { "  " } else { "" };
            let column = specs[at].column(at, sort, before, || self.rows.widest(at));
            (at, column.sorts(columns::order_of(specs, at)))
        };
        let (shown, mut columns): (Vec<_>, Vec<_>) = shown.map(column).unzip();
        if R::Row::SIGNS == SignPlace::OwnColumn {
            columns.insert(0, Column::new("", Width::Fixed(1)));
        }
        (shown, columns)
    }

    fn draw_filter(&self, frame: &mut Frame<'_>, place: Rect, theme: &Theme) {
        if self.is_typing {
            let [field, why] = match self.rows.mistake() {
                Some(why) => {
                    let cells = cells::width(why).saturating_add(2).min(place.width / 2);
                    Layout::horizontal([Constraint::Min(0), Constraint::Length(cells)]).areas(place)
                }
                None => [place, Rect::default()],
            };
            self.filter.draw_behind("/", frame, field, theme);
            if let Some(mistake) = self.rows.mistake() {
                let line = Line::styled(format!("  {}", visible(mistake)), theme.warn);
                frame.render_widget(cells::cut_line(line, why.width), why);
            }
        } else if !place.is_empty() {
            let line = Line::from(vec![
                Span::styled("/ ", theme.accent),
                Span::styled(visible(self.filter.value()).into_owned(), theme.text),
                match self.rows.mistake() {
                    Some(why) => Span::styled(format!("  {}", visible(why)), theme.warn),
                    None => Span::styled("  esc clears", theme.dim),
                },
            ]);
            frame.render_widget(cells::cut_line(line, place.width), place);
        }
    }
}

/// The cells of a row with its sign, where that is not in the gutter.
fn with_sign<R: ListRow>(
    mut cells: Vec<Line<'static>>,
    row: Option<&R>,
    in_gutter: bool,
    is_marked: bool,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let sign = |row: &R| row.sign(theme);
    if R::SIGNS == SignPlace::OwnColumn {
        let (sign, style) = row.map_or((' ', Style::new()), sign);
        cells.insert(0, Line::styled(sign.to_string(), style));
    } else if let (Some(row), Some(first), false) = (row, cells.first_mut(), in_gutter) {
        let marked = is_marked.then_some(('*', theme.accent));
        let (sign, style) = marked.unwrap_or_else(|| sign(row));
        let sign = Span::styled(format!("{sign} "), style);
        first.spans.insert(0, sign);
    }
    cells
}

/// The cell of a row in a column; empty for a row that is not in memory.
fn cell<R: ListRow>(
    column: &ColumnSpec<R>,
    row: Option<&R>,
    is_old: bool,
    ctx: &ViewCtx<'_>,
) -> Line<'static> {
    let Some(row) = row else {
        return Line::default();
    };
    if is_old {
        return Line::raw(row.text_in(column));
    }
    match column.cell(row, ctx) {
        Some(text) => {
            let style = row.style(column.name, ctx.theme);
            let part = row.loud_part(column.name).filter(|part| !part.is_empty());
            match part.and_then(|part| text.split_once(part).map(|pair| (pair, part))) {
                None => Line::styled(text, style),
                Some(((before, after), part)) => Line::from(vec![
                    Span::styled(before.to_owned(), style),
                    Span::styled(part.to_owned(), row.sign(ctx.theme).1),
                    Span::styled(after.to_owned(), style),
                ]),
            }
        }
        None => Line::from(Span::styled(row.unknown(), ctx.theme.dim)),
    }
}
