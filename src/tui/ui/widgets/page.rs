//! A page of sections that scrolls, with anchors: rows that the cursor stops at and that open.
//!
//! This is how a record is shown. The view says what there is, as a list of sections in reading order; the page decides
//! where it goes. In a wide area sections that prefer a side are side by side, in a narrow one everything is in
//! one column, in the order in which it was given. Labels are aligned over the whole page, long values are wrapped under
//! themselves, and a selected row is marked in a gutter that is always there.
//!
//! [`PageState`] holds the anchor that has the focus and the scroll position. A focus is always in view: scrolling it out
//! of view lets it go. So Enter never opens something that is not on the screen.

mod state;

use std::{borrow::Cow, mem, ops::Range};

use ratatui::{
    Frame,
    layout::{Rect, Size},
    style::Style,
    text::{Line, Span},
};

use super::{
    columns::{self, Column},
    pane::Pane,
};
use crate::tui::ui::{Focus, Pen, Theme, cells, glyphs};
pub use state::PageState;
use state::{Anchor, AnchorSpot};

/// Cells between the two columns.
const BETWEEN: u16 = 2;

/// Where a section goes when there is room for two columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SectionSide {
    /// Over both columns.
    #[default]
    Both,
    Left,
    Right,
}

/// What a page shows, in reading order.
#[derive(Clone, Debug, Default)]
pub struct Page<'a> {
    sections: Vec<Section<'a>>,
    is_tight: bool,
}

impl<'a> Page<'a> {
    /// Width from which sections are side by side.
    pub const TWO_COLUMNS: u16 = 82;
    /// Width from which each of two columns has room for a table of its own.
    pub const TWO_TABLES: u16 = 150;

    /// A page without sections.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves no blank line between sections: for screens with few lines.
    pub fn tighten(&mut self) {
        self.is_tight = true;
    }

    /// Adds a section at the end. One without rows is left out.
    pub fn push(&mut self, section: Section<'a>) {
        if !section.rows.is_empty() {
            self.sections.push(section);
        }
    }

    /// Adds a section at the end, as [`Page::push`] does.
    #[must_use]
    pub fn with(mut self, section: Section<'a>) -> Self {
        self.push(section);
        self
    }

    /// Draws what is in view. The focused anchor is looked for again each time, so a page that changed or an area that
    /// shrank does no harm; what is drawn is measured, and the next move goes by that.
    pub fn draw<'p>(
        self,
        frame: &mut Frame<'_>,
        area: Rect,
        state: &PageState,
        pen: impl Into<Pen<'p>>,
        focus: Focus,
    ) {
        let pen = pen.into();
        PageLayout::of(self, area.width, pen.theme).draw(frame, area, state, pen, focus);
    }

    /// Draws the page in a pane, whose hint says which lines are in view where there are more; returns the part inside.
    pub fn draw_in<'p>(
        self,
        frame: &mut Frame<'_>,
        area: Rect,
        mut pane: Pane<'_>,
        state: &PageState,
        pen: impl Into<Pen<'p>>,
    ) -> Rect {
        let (pen, inner) = (pen.into(), Pane::inner(area));
        let layout = PageLayout::of(self, inner.width, pen.theme);
        let total = layout.height;
        let lines = layout.draw(frame, inner, state, pen, pane.focus);
        if lines.len() < total {
            let (first, last) = (lines.start + 1, lines.end);
            pane = pane.hint(format!("{first}-{last} of {total} lines"));
        }
        pane.draw(frame, area, pen.theme)
    }

    /// Lines that it takes in an area of this width.
    #[must_use]
    pub fn lines(&self, width: u16) -> u16 {
        let theme = Theme::colourless();
        let layout = PageLayout::of(self.clone(), width, &theme);
        u16::try_from(layout.height).unwrap_or(u16::MAX)
    }

    /// The first line that would be in view in an area of this size.
    #[must_use]
    pub fn first_line(&self, size: Size, state: &PageState) -> usize {
        let theme = Theme::colourless();
        let layout = PageLayout::of(self.clone(), size.width, &theme);
        state.see(layout.spots, layout.height, size.height).start
    }
}

/// Rows that belong together, under a title with a rule.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    title: Line<'a>,
    note: Line<'a>,
    side: SectionSide,
    columns: Vec<Column<'a>>,
    rows: Vec<PageRow<'a>>,
}

impl<'a> Section<'a> {
    /// A section under this title; with an empty one, it has no rule either.
    pub fn new(title: impl Into<Line<'a>>, side: SectionSide) -> Self {
        Self {
            title: title.into(),
            note: Line::default(),
            side,
            columns: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Sets where it goes.
    #[must_use]
    pub fn on(self, side: SectionSide) -> Self {
        Self { side, ..self }
    }

    /// Sets what is at the right end of the title's rule.
    #[must_use]
    pub fn note(self, note: impl Into<Line<'a>>) -> Self {
        let note = note.into();
        Self { note, ..self }
    }

    /// Sets the columns into which [`PageRow::cells`] go.
    #[must_use]
    pub fn columns(self, columns: Vec<Column<'a>>) -> Self {
        Self { columns, ..self }
    }

    /// Adds a row at the end.
    pub fn push(&mut self, row: PageRow<'a>) {
        self.rows.push(row);
    }

    /// Adds text over the whole width at the end.
    pub fn text(&mut self, line: impl Into<Line<'a>>) {
        self.push(PageRow::text(line));
    }

    /// Adds a value beside its name at the end.
    pub fn field(&mut self, label: impl Into<Cow<'a, str>>, value: impl Into<Line<'a>>) {
        self.push(PageRow::field(label, value));
    }

    /// Adds rows of text at the end.
    pub fn extend(&mut self, lines: impl IntoIterator<Item = Line<'a>>) {
        self.rows.extend(lines.into_iter().map(PageRow::text));
    }

    /// Adds a row at the end, as [`Section::push`] does.
    #[must_use]
    pub fn row(mut self, row: PageRow<'a>) -> Self {
        self.push(row);
        self
    }
}

/// A title with a rule behind it, and the note near its end where there is room for both.
pub fn ruled<'a>(
    title: impl Into<Line<'a>>,
    note: impl Into<Line<'a>>,
    width: u16,
    theme: &Theme,
) -> Line<'a> {
    let (title, note) = (title.into(), note.into());
    let rule = width.saturating_sub(cells::line_width(&title) + 1);
    let noted = cells::line_width(&note).saturating_add(2);
    let has_note = note.width() > 0 && noted + 2 <= rule;
    let rule = if has_note { rule - noted } else { rule };
    let mut line = Line::default();
    line.extend(cells::spans(title, theme.title));
    line.push_span(" ");
    line.push_span(Span::styled(glyphs::RULE.repeat(rule.into()), theme.border));
    if has_note {
        line.push_span(" ");
        line.extend(cells::spans(note, theme.dim));
    }
    line
}

#[derive(Clone, Debug)]
pub struct PageRow<'a> {
    body: RowBody<'a>,
    anchor: Option<Anchor>,
}

#[derive(Clone, Debug)]
enum RowBody<'a> {
    Text(Line<'a>),
    Field(Cow<'a, str>, Line<'a>),
    /// Cells, and the shorter ones that stand for them where these would be cut.
    Cells(Vec<Vec<Line<'a>>>),
}

impl<'a> PageRow<'a> {
    /// Text over the whole width, wrapped where it is too long.
    pub fn text(line: impl Into<Line<'a>>) -> Self {
        Self::of(RowBody::Text(line.into()))
    }

    /// A value beside its name. With an empty name it is under the value before it.
    pub fn field(label: impl Into<Cow<'a, str>>, value: impl Into<Line<'a>>) -> Self {
        Self::of(RowBody::Field(label.into(), value.into()))
    }

    /// Values in the columns of the section, which show their heads above the first such row.
    #[must_use]
    pub fn cells(cells: Vec<Line<'a>>) -> Self {
        Self::of(RowBody::Cells(vec![cells]))
    }

    /// Adds shorter cells, which are shown where none of those before them fit uncut; the last ones are shown in any case.
    #[must_use]
    pub fn or_cells(mut self, cells: Vec<Line<'a>>) -> Self {
        if let RowBody::Cells(forms) = &mut self.body {
            forms.push(cells);
        }
        self
    }

    /// Lets the cursor stop at the row.
    #[must_use]
    pub fn anchor(self, anchor: Anchor) -> Self {
        let anchor = Some(anchor);
        Self { anchor, ..self }
    }

    fn of(body: RowBody<'a>) -> Self {
        Self { body, anchor: None }
    }
}

/// Text over the whole width.
impl<'a> From<Line<'a>> for PageRow<'a> {
    fn from(line: Line<'a>) -> Self {
        Self::text(line)
    }
}

/// One line of the page in its place.
#[derive(Debug)]
struct Strip<'a> {
    x: u16,
    y: usize,
    width: u16,
    line: Line<'a>,
}

/// The whole page, laid out for a width. Its height is as large as it takes.
#[derive(Debug)]
struct PageLayout<'a, 't> {
    strips: Vec<Strip<'a>>,
    spots: Vec<AnchorSpot>,
    height: usize,
    /// Cells for the names of fields, the gap after them included: one width for the whole page, so that values align.
    label: u16,
    /// Lines between two sections.
    between: usize,
    theme: &'t Theme,
}

impl<'a, 't> PageLayout<'a, 't> {
    /// The most cells of a name of a field. The longest names of a record have 16.
    fn most_of_label(width: u16) -> u16 {
        if width >= 48 { 16 } else { (width / 4).max(4) }
    }

    fn of(page: Page<'a>, width: u16, theme: &'t Theme) -> Self {
        let rows = page.sections.iter().flat_map(|section| &section.rows);
        let labels = rows.filter_map(|row| match &row.body {
            RowBody::Field(label, _) => Some(cells::width(label)),
            RowBody::Text(_) | RowBody::Cells(_) => None,
        });
        let widest = labels.max().unwrap_or_default();
        let mut layout = Self {
            strips: Vec::new(),
            spots: Vec::new(),
            height: 0,
            label: widest.min(Self::most_of_label(width)) + 2,
            between: usize::from(!page.is_tight),
            theme,
        };
        let has_side = |section: &Section<'_>| section.side != SectionSide::Both;
        let mut rest = page.sections.into_iter().peekable();
        // A band is a section over both columns, or a run of sections that prefer a side.
        while let Some(first) = rest.next() {
            let mut band = vec![first];
            while has_side(&band[0])
                && let Some(next) = rest.next_if(has_side)
            {
                band.push(next);
            }
            layout.place_band(band, width);
        }
        layout.height = layout.height.saturating_sub(layout.between);
        layout
            .spots
            .sort_by_key(|spot| (spot.y.start, spot.x.start));
        layout
    }

    fn place_band(&mut self, band: Vec<Section<'a>>, width: u16) {
        let has = |side| band.iter().any(|section| section.side == side);
        let has_both = has(SectionSide::Left) && has(SectionSide::Right);
        let is_beside = has_both && width >= Page::TWO_COLUMNS;
        let column = if is_beside {
            (width - BETWEEN) / 2
        } else {
            width
        };
        let (mut left, mut right) = (self.height, self.height);
        for section in band {
            if is_beside && section.side == SectionSide::Right {
                let x = column + BETWEEN;
                right = self.place(section, x, right, width - x);
            } else {
                left = self.place(section, 0, left, column);
            }
        }
        self.height = left.max(right);
    }

    /// Places a section and returns where the next one begins.
    fn place(&mut self, section: Section<'a>, x: u16, y: usize, width: u16) -> usize {
        let theme = self.theme;
        let mut lines = Vec::new();
        let Section {
            title,
            note,
            columns,
            rows,
            ..
        } = section;
        if title.width() > 0 {
            lines.push(ruled(title, note, width, theme));
        }
        let settled = columns::settle(&columns, width.saturating_sub(Pen::GUTTER), |at| {
            let cells = rows.iter().filter_map(|row| match &row.body {
                RowBody::Cells(forms) => forms[0].get(at),
                RowBody::Text(_) | RowBody::Field(..) => None,
            });
            cells.map(cells::line_width).max().unwrap_or_default()
        });
        let gutter = || Line::raw(" ".repeat(Pen::GUTTER.into()));
        let behind_gutter = |line, style| {
            let mut whole = gutter();
            whole.extend(cells::spans(line, style));
            whole
        };
        let mut has_heads = columns.iter().any(|column| !column.title().is_empty());
        for row in rows {
            if matches!(row.body, RowBody::Cells(_)) && mem::take(&mut has_heads) {
                lines.push(behind_gutter(settled.header(), theme.header));
            }
            let first = lines.len();
            match row.body {
                RowBody::Text(line) => lines.extend(cells::hang(gutter(), line, width)),
                RowBody::Field(label, value) => {
                    let label = cells::cut(&label, self.label - 1).into_owned();
                    let gap = usize::from(self.label - cells::width(&label));
                    let mut head = gutter();
                    head.push_span(Span::styled(label, theme.label));
                    head.push_span(" ".repeat(gap));
                    lines.extend(cells::hang(head, value, width));
                }
                RowBody::Cells(mut forms) => {
                    let fitting = forms.iter().position(|cells| settled.fits(cells));
                    let cells = forms.swap_remove(fitting.unwrap_or(forms.len() - 1));
                    lines.push(behind_gutter(settled.line(cells), Style::new()));
                }
            }
            self.spots.extend(row.anchor.map(|anchor| AnchorSpot {
                anchor,
                x: x..x + width,
                y: y + first..y + lines.len(),
            }));
        }
        let end = y + lines.len();
        let strips = lines.into_iter().zip(y..);
        self.strips
            .extend(strips.map(|(line, y)| Strip { x, y, width, line }));
        end + self.between
    }

    /// Draws what is in view, and notes where the cursor can stop; returns the lines in view.
    fn draw(
        self,
        frame: &mut Frame<'_>,
        area: Rect,
        state: &PageState,
        pen: Pen<'_>,
        focus: Focus,
    ) -> Range<usize> {
        let lines = state.see(self.spots, self.height, area.height);
        let y = |line: usize| {
            let below = u16::try_from(line - lines.start).unwrap_or(u16::MAX);
            area.y.saturating_add(below)
        };
        for strip in self.strips {
            if lines.contains(&strip.y) {
                let place = Rect::new(area.x + strip.x, y(strip.y), strip.width, 1);
                let mut line = cells::cut_line(strip.line, strip.width);
                line.style = pen.theme.text.patch(line.style);
                frame.render_widget(line, place);
            }
        }
        for (at, spot) in state.spots_in(&lines) {
            let (top, bottom) = (y(spot.y.start), y(spot.y.end));
            let (x, width) = (area.x + spot.x.start, spot.x.end - spot.x.start);
            let place = Rect::new(x, top, width, bottom - top).intersection(area);
            let is_chosen = state.focus() == Some(spot.anchor);
            pen.row(place, at, focus.is_here() && is_chosen);
            if is_chosen {
                pen.select(frame, place, focus);
            }
        }
        lines
    }
}

/// Cells that a text of [`draw_lines`] has in this area.
#[must_use]
pub fn text_width(area: Rect) -> u16 {
    area.width.saturating_sub(Pen::GUTTER)
}

/// Draws lines as a page without a cursor.
pub fn draw_lines<'a>(
    frame: &mut Frame<'_>,
    area: Rect,
    lines: impl IntoIterator<Item = Line<'a>>,
    theme: &Theme,
) {
    let mut section = Section::new("", SectionSide::Both);
    section.extend(lines);
    let page = Page::new().with(section);
    page.draw(frame, area, &PageState::default(), theme, Focus::Elsewhere);
}

#[cfg(test)]
mod tests;
