//! What a page shows: sections of rows, in reading order.

use std::borrow::Cow;

use ratatui::text::Line;

use crate::tui::ui::widgets::columns::Column;

/// Where a section goes when there is room for two columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SectionSide {
    /// Over both columns.
    #[default]
    Both,
    Left,
    Right,
}

/// What a page shows, in reading order. `A` tells its anchors apart.
#[derive(Clone, Debug)]
pub struct Page<'a, A> {
    pub(super) sections: Vec<Section<'a, A>>,
    pub(super) tight: bool,
}

impl<A> Default for Page<'_, A> {
    fn default() -> Self {
        Self {
            sections: Vec::new(),
            tight: false,
        }
    }
}

impl<'a, A: Copy + PartialEq> Page<'a, A> {
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
        self.tight = true;
    }

    /// Adds a section at the end. One without rows is left out.
    pub fn push(&mut self, section: Section<'a, A>) {
        if !section.rows.is_empty() {
            self.sections.push(section);
        }
    }

    /// Adds a section at the end, as [`Page::push`] does.
    #[must_use]
    pub fn with(mut self, section: Section<'a, A>) -> Self {
        self.push(section);
        self
    }
}

/// Rows that belong together, under a title with a rule.
#[derive(Clone, Debug)]
pub struct Section<'a, A> {
    pub(super) title: Line<'a>,
    pub(super) note: Line<'a>,
    pub(super) side: SectionSide,
    pub(super) columns: Vec<Column<'a>>,
    pub(super) rows: Vec<PageRow<'a, A>>,
}

impl<'a, A> Section<'a, A> {
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
    pub fn on(mut self, side: SectionSide) -> Self {
        self.side = side;
        self
    }

    /// Sets what is at the right end of the title's rule.
    #[must_use]
    pub fn note(mut self, note: impl Into<Line<'a>>) -> Self {
        self.note = note.into();
        self
    }

    /// Sets the columns into which [`PageRow::cells`] go.
    #[must_use]
    pub fn columns(mut self, columns: Vec<Column<'a>>) -> Self {
        self.columns = columns;
        self
    }

    /// Adds a row at the end.
    pub fn push(&mut self, row: PageRow<'a, A>) {
        self.rows.push(row);
    }

    /// Adds rows of text at the end.
    pub fn extend(&mut self, lines: impl IntoIterator<Item = Line<'a>>) {
        self.rows.extend(lines.into_iter().map(PageRow::text));
    }

    /// Adds a row at the end, as [`Section::push`] does.
    #[must_use]
    pub fn row(mut self, row: PageRow<'a, A>) -> Self {
        self.push(row);
        self
    }
}

#[derive(Clone, Debug)]
pub struct PageRow<'a, A> {
    pub(super) body: RowBody<'a>,
    pub(super) anchor: Option<A>,
}

#[derive(Clone, Debug)]
pub(super) enum RowBody<'a> {
    Text(Line<'a>),
    Field(Cow<'a, str>, Line<'a>),
    /// Cells, and the shorter ones that stand for them where these would be cut.
    Cells(Vec<Line<'a>>, Vec<Vec<Line<'a>>>),
}

impl<'a, A> PageRow<'a, A> {
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
        Self::of(RowBody::Cells(cells, Vec::new()))
    }

    /// Adds shorter cells, which are shown where none of those before them fit uncut; the last ones are shown in any case.
    #[must_use]
    pub fn or_cells(mut self, cells: Vec<Line<'a>>) -> Self {
        if let RowBody::Cells(_, shorter) = &mut self.body {
            shorter.push(cells);
        }
        self
    }

    /// Lets the cursor stop at the row.
    #[must_use]
    pub fn anchor(mut self, anchor: A) -> Self {
        self.anchor = Some(anchor);
        self
    }

    fn of(body: RowBody<'a>) -> Self {
        Self { body, anchor: None }
    }
}

/// Text over the whole width.
impl<'a, A> From<Line<'a>> for PageRow<'a, A> {
    fn from(line: Line<'a>) -> Self {
        Self::text(line)
    }
}
