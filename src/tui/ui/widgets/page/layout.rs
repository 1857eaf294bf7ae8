//! The layout of a page for a width.

use std::mem;

use ratatui::text::{Line, Span};

use super::content::{Page, PageRow, RowBody, Section, SectionSide};
use crate::tui::ui::{
    cells,
    widgets::columns::{self, SizedColumns},
};

/// Cells before every row, for the mark of the selected one.
pub(super) const GUTTER: u16 = 2;

/// Cells between the two columns.
const BETWEEN: u16 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageLineKind {
    Title,
    Header,
    Text,
    /// A further line of a text that was wrapped.
    Continued,
}

/// One line of the page in its place.
#[derive(Clone, Debug)]
pub(super) struct Strip<'p, A> {
    pub(super) x: u16,
    pub(super) y: usize,
    pub(super) width: u16,
    pub(super) kind: PageLineKind,
    pub(super) label: Option<&'p str>,
    /// Cells before the text.
    pub(super) indent: u16,
    pub(super) line: Line<'p>,
    /// What is at the right end of a title's rule.
    pub(super) note: Option<Line<'p>>,
    pub(super) anchor: Option<A>,
}

/// A row for the cursor, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AnchorSpot<A> {
    pub(super) anchor: A,
    pub(super) x: u16,
    pub(super) width: u16,
    pub(super) y: usize,
    pub(super) height: usize,
}

impl<A> AnchorSpot<A> {
    /// Whether both are in one column, so that one is above the other.
    pub(super) fn shares_column(&self, other: &Self) -> bool {
        self.x < other.x + other.width && other.x < self.x + self.width
    }

    pub(super) fn end(&self) -> usize {
        self.y + self.height
    }
}

/// A page as it was drawn last: where the cursor can stop, how many lines it has, and how many of them are in view.
#[derive(Clone, Debug)]
pub(super) struct Measure<A> {
    pub(super) spots: Vec<AnchorSpot<A>>,
    pub(super) lines: usize,
    pub(super) height: usize,
}

impl<A: Copy + PartialEq> Measure<A> {
    pub(super) fn spot(&self, anchor: A) -> Option<&AnchorSpot<A>> {
        self.spots.iter().find(|spot| spot.anchor == anchor)
    }
}

/// The whole page, laid out for a width. Its height is as large as it takes.
#[derive(Clone, Debug)]
pub(super) struct PageLayout<'p, A> {
    pub(super) strips: Vec<Strip<'p, A>>,
    pub(super) spots: Vec<AnchorSpot<A>>,
    pub(super) height: usize,
    label: u16,
    /// Lines between two sections.
    between: usize,
}

impl<'p, A: Copy + PartialEq> PageLayout<'p, A> {
    pub(super) fn of(page: &'p Page<'_, A>, width: u16) -> Self {
        let mut layout = Self {
            strips: Vec::new(),
            spots: Vec::new(),
            height: 0,
            label: label_width(page, width),
            between: usize::from(!page.tight),
        };
        let two = width >= Page::<A>::TWO_COLUMNS;
        let is_whole = |section: &Section<'_, A>| section.side == SectionSide::Both;
        // A band is a section over both columns, or a run of sections that prefer a side.
        for band in page
            .sections
            .chunk_by(|one, next| !is_whole(one) && !is_whole(next))
        {
            let has = |side| band.iter().any(|section| section.side == side);
            if two && has(SectionSide::Left) && has(SectionSide::Right) {
                layout.place_beside(band, width);
            } else {
                for section in band {
                    layout.height = layout.place(section, 0, layout.height, width);
                }
            }
        }
        layout.height = layout.height.saturating_sub(layout.between);
        layout.spots.sort_by_key(|spot| (spot.y, spot.x));
        layout
    }

    fn place_beside(&mut self, band: &'p [Section<'_, A>], width: u16) {
        let column = (width - BETWEEN) / 2;
        let mut left = self.height;
        let mut right = self.height;
        for section in band {
            if section.side == SectionSide::Right {
                let x = column + BETWEEN;
                right = self.place(section, x, right, width - x);
            } else {
                left = self.place(section, 0, left, column);
            }
        }
        self.height = left.max(right);
    }

    /// Places a section and returns where the next one begins.
    fn place(&mut self, section: &'p Section<'_, A>, x: u16, y: usize, width: u16) -> usize {
        let mut column = PageColumn {
            layout: self,
            x,
            y,
            width,
        };
        if section.title.width() > 0 {
            column.put(PageLineKind::Title, None, 0, borrowed(&section.title), None);
            if section.note.width() > 0
                && let Some(strip) = column.layout.strips.last_mut()
            {
                strip.note = Some(borrowed(&section.note));
            }
        }
        let settled = settle(section, width.saturating_sub(GUTTER));
        let has_heads = section.columns.iter().any(|own| !own.title().is_empty());
        let mut header = has_heads.then(|| settled.header());
        for row in &section.rows {
            if matches!(row.body, RowBody::Cells(..))
                && let Some(header) = header.take()
            {
                column.put(PageLineKind::Header, None, GUTTER, header, None);
            }
            column.put_row(row, &settled);
        }
        column.y + column.layout.between
    }

    /// What the page's state keeps of it, for a window of this height.
    pub(super) fn measure(&mut self, height: u16) -> Measure<A> {
        Measure {
            spots: mem::take(&mut self.spots),
            lines: self.height,
            height: height.into(),
        }
    }
}

/// A column of the page while sections are put into it.
struct PageColumn<'l, 'p, A> {
    layout: &'l mut PageLayout<'p, A>,
    x: u16,
    y: usize,
    width: u16,
}

impl<'p, A: Copy + PartialEq> PageColumn<'_, 'p, A> {
    fn put_row(&mut self, row: &'p PageRow<'_, A>, settled: &SizedColumns<'_, '_>) {
        let begins = self.y;
        match &row.body {
            RowBody::Text(line) => self.put_wrapped(None, GUTTER, borrowed(line), row.anchor),
            RowBody::Field(label, value) => {
                let indent = GUTTER + self.layout.label;
                self.put_wrapped(Some(label), indent, borrowed(value), row.anchor);
            }
            RowBody::Cells(longest, shorter) => {
                let mut values = longest;
                for shorter in shorter {
                    if settled.fits(values) {
                        break;
                    }
                    values = shorter;
                }
                let line = settled.line(values.iter().map(borrowed).collect());
                self.put(PageLineKind::Text, None, GUTTER, line, row.anchor);
            }
        }
        if let Some(anchor) = row.anchor {
            self.layout.spots.push(AnchorSpot {
                anchor,
                x: self.x,
                width: self.width,
                y: begins,
                height: self.y - begins,
            });
        }
    }

    fn put_wrapped(
        &mut self,
        label: Option<&'p str>,
        indent: u16,
        line: Line<'p>,
        anchor: Option<A>,
    ) {
        let lines = cells::wrap(line, self.width.saturating_sub(indent));
        for (at, line) in lines.into_iter().enumerate() {
            let (kind, label) = if at == 0 {
                (PageLineKind::Text, label)
            } else {
                (PageLineKind::Continued, None)
            };
            self.put(kind, label, indent, line, anchor);
        }
    }

    fn put(
        &mut self,
        kind: PageLineKind,
        label: Option<&'p str>,
        indent: u16,
        line: Line<'p>,
        anchor: Option<A>,
    ) {
        self.layout.strips.push(Strip {
            x: self.x,
            y: self.y,
            width: self.width,
            kind,
            label,
            indent,
            line,
            note: None,
            anchor,
        });
        self.y += 1;
    }
}

/// Cells for the names of fields, the gap after them included: one width for the whole page, so that values align.
fn label_width<A>(page: &Page<'_, A>, width: u16) -> u16 {
    let labels = page.sections.iter().flat_map(|section| &section.rows);
    let widest = labels
        .filter_map(|row| match &row.body {
            RowBody::Field(label, _) => Some(cells::width(label)),
            RowBody::Text(_) | RowBody::Cells(..) => None,
        })
        .max()
        .unwrap_or_default();
    widest.min((width / 4).clamp(4, 16)) + 2
}

fn settle<'s, 'a, A>(section: &'s Section<'a, A>, room: u16) -> SizedColumns<'s, 'a> {
    columns::settle(&section.columns, room, |at| {
        let cells = section.rows.iter().filter_map(|row| match &row.body {
            RowBody::Cells(cells, _) => cells.get(at),
            RowBody::Text(_) | RowBody::Field(..) => None,
        });
        cells.map(cells::line_width).max().unwrap_or_default()
    })
}

/// The same line without a copy of its text.
fn borrowed<'p>(line: &'p Line<'_>) -> Line<'p> {
    let spans = line
        .spans
        .iter()
        .map(|span| Span::styled(span.content.as_ref(), span.style));
    spans.collect::<Line<'_>>().style(line.style)
}
