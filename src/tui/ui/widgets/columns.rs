//! Column widths: which columns fit, and how wide they are.

use std::borrow::Cow;

use ratatui::{
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use crate::tui::ui::{Pen, cells};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Exactly so many cells.
    Fixed(u16),
    /// At least so many, and as wide as the widest text in view: for what must not be cut, such as addresses.
    Min(u16),
    /// At least so many, and a share of what is left.
    Fill(u16),
}

/// At which side of its column a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    #[default]
    Left,
    Right,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    title: Cow<'a, str>,
    width: Width,
    align: Align,
    rank: u8,
    order: Option<usize>,
}

impl<'a> Column<'a> {
    /// A column of text that is never left out.
    pub fn new(title: impl Into<Cow<'a, str>>, width: Width) -> Self {
        Self {
            title: title.into(),
            width,
            align: Align::Left,
            rank: 0,
            order: None,
        }
    }

    /// Makes it a column of numbers, which are at the right.
    #[must_use]
    pub fn right(mut self) -> Self {
        self.align = Align::Right;
        self
    }

    /// Sets its rank: the higher, the earlier it is left out; 0 is never left out.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// Sets the order in which a click on its head sorts, by its number.
    #[must_use]
    pub fn sorts(self, order: Option<usize>) -> Self {
        Self { order, ..self }
    }

    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    fn least(&self, widest: u16) -> u16 {
        match self.width {
            Width::Fixed(cells) | Width::Fill(cells) => cells,
            Width::Min(cells) => cells.max(widest).max(cells::width(&self.title)),
        }
    }
}

/// Cells between two columns.
pub const GAP: u16 = 2;

/// Columns with their widths settled for a number of cells; `None` for those that are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizedColumns<'c, 'a> {
    columns: &'c [Column<'a>],
    widths: Vec<Option<u16>>,
}

/// Settles the widths of `columns` in `room` cells.
///
/// `widest` gives the widest text in view of a column, and is asked only for those that must not be cut and those that share what is
/// left.
pub fn settle<'c, 'a>(
    columns: &'c [Column<'a>],
    room: u16,
    widest: impl Fn(usize) -> u16,
) -> SizedColumns<'c, 'a> {
    let mut widths: Vec<Option<u16>> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let asked = matches!(column.width, Width::Min(_));
            Some(column.least(if asked { widest(at) } else { 0 }))
        })
        .collect();
    while total(&widths) > room {
        let Some(least) = least_important(columns, &widths) else {
            break;
        };
        widths[least] = None;
    }
    share_rest(columns, &mut widths, room, widest);
    SizedColumns { columns, widths }
}

/// The column that gives way next: of the highest rank, and of several the last one.
fn least_important(columns: &[Column<'_>], widths: &[Option<u16>]) -> Option<usize> {
    (0..columns.len())
        .filter(|&at| widths[at].is_some() && columns[at].rank > 0)
        .max_by_key(|&at| columns[at].rank)
}

fn total(widths: &[Option<u16>]) -> u16 {
    let shown = || widths.iter().flatten();
    let gaps = u16::try_from(shown().count().saturating_sub(1)).unwrap_or(u16::MAX);
    shown().fold(gaps.saturating_mul(GAP), |sum, &cells| {
        sum.saturating_add(cells)
    })
}

/// Shares the rest evenly, then moves cells from columns that are wider than their texts to columns whose texts are cut.
fn share_rest(
    columns: &[Column<'_>],
    widths: &mut [Option<u16>],
    room: u16,
    widest: impl Fn(usize) -> u16,
) {
    let mut rest = room.saturating_sub(total(widths));
    let fills: Vec<usize> = (0..columns.len())
        .filter(|&at| widths[at].is_some() && matches!(columns[at].width, Width::Fill(_)))
        .collect();
    let mut left = u16::try_from(fills.len()).unwrap_or(u16::MAX);
    for &at in &fills {
        let share = rest / left.max(1);
        widths[at] = widths[at].map(|cells| cells.saturating_add(share));
        rest -= share;
        left = left.saturating_sub(1);
    }
    if fills.len() < 2 {
        return;
    }
    let wanted = fills.iter().map(|at| {
        let head = cells::width(&columns[*at].title);
        widest(*at).max(head)
    });
    let wanted: Vec<u16> = wanted.collect();
    for (taker, &wants) in wanted.iter().enumerate() {
        for other in (0..fills.len()).rev().filter(|other| *other != taker) {
            let (Some(has), Some(offers)) = (widths[fills[taker]], widths[fills[other]]) else {
                continue;
            };
            let spare = offers.saturating_sub(wanted[other]);
            let moved = wants.saturating_sub(has).min(spare);
            widths[fills[taker]] = Some(has + moved);
            widths[fills[other]] = Some(offers - moved);
        }
    }
}

/// A column with the cells that it has, and those that its text wants.
#[derive(Clone, Copy, Debug)]
struct Share {
    align: Align,
    width: u16,
    wanted: u16,
}

/// Lets the wider of a text and of a number right of it have the free cells of the other; what both want is the number's.
fn lend(pair: &mut [Share]) {
    let [text, number] = pair else {
        return;
    };
    if (text.align, number.align) != (Align::Left, Align::Right) {
        return;
    }
    if text.wanted > text.width {
        let spare = number.width.saturating_sub(number.wanted);
        let moved = (text.wanted - text.width).min(spare);
        (text.width, number.width) = (text.width + moved, number.width - moved);
    } else if number.wanted > number.width {
        let spare = text.width.saturating_sub(text.wanted);
        let moved = (number.wanted - number.width).min(spare);
        (text.width, number.width) = (text.width - moved, number.width + moved);
    }
}

impl SizedColumns<'_, '_> {
    /// One row of cells as a line, each cut to its column.
    ///
    /// A text at the left and a number right of it, whose edges lie apart, share the cells between them: neither is cut beside free space.
    #[must_use]
    pub fn line<'l>(&self, cells: Vec<Line<'l>>) -> Line<'l> {
        let mut spans = Vec::new();
        let mut pending = 0;
        let shares = self.shares(&cells);
        let shown = cells.into_iter().zip(&self.widths);
        let shown = shown.filter_map(|(cell, width)| width.map(|_| cell));
        for (cell, Share { align, width, .. }) in shown.zip(shares) {
            let cell = cells::cut_line(cell, width);
            let free = width.saturating_sub(cells::line_width(&cell));
            let (before, after) = match align {
                Align::Left => (0, free),
                Align::Right => (free, 0),
            };
            spans.push(Span::raw(" ".repeat(usize::from(pending + before))));
            spans.extend(cells::spans(cell, Style::new()));
            pending = after + GAP;
        }
        spans.retain(|span| !span.content.is_empty());
        Line::from(spans)
    }

    /// Whether a row of cells is shown whole.
    #[must_use]
    pub fn fits(&self, cells: &[Line<'_>]) -> bool {
        let shares = self.shares(cells);
        shares.iter().all(|share| share.wanted <= share.width)
    }

    /// The columns that are shown with the cells that they have in this row.
    fn shares(&self, cells: &[Line<'_>]) -> Vec<Share> {
        let columns = self.columns.iter().zip(&self.widths).zip(cells);
        let mut shares: Vec<Share> = columns
            .filter_map(|((column, width), cell)| {
                Some(Share {
                    align: column.align,
                    width: (*width)?,
                    wanted: cells::line_width(cell),
                })
            })
            .collect();
        for at in 1..shares.len() {
            lend(&mut shares[at - 1..=at]);
        }
        shares
    }

    /// Where a column begins and how wide it is; `None` for one that is left out.
    #[must_use]
    pub fn place(&self, column: usize) -> Option<(u16, u16)> {
        let width = (*self.widths.get(column)?)?;
        let before = self.widths[..column].iter().flatten();
        Some((before.map(|cells| cells + GAP).sum(), width))
    }

    /// Notes the heads that can be clicked, in the line where they are drawn.
    pub fn note_heads(&self, line: Rect, pen: Pen<'_>) {
        for (at, column) in self.columns.iter().enumerate() {
            if let (Some(order), Some((start, width))) = (column.order, self.place(at)) {
                let x = line.x.saturating_add(start);
                let head = Rect { x, width, ..line };
                pen.head(head.intersection(line), order);
            }
        }
    }

    /// The heads of the columns as a line.
    #[must_use]
    pub fn header(&self) -> Line<'static> {
        let heads = self.columns.iter();
        self.line(
            heads
                .map(|column| Line::from(column.title.to_string()))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_and_a_number_share_the_cells_between_them() {
        let columns = [
            Column::new("", Width::Fixed(3)),
            Column::new("", Width::Fill(4)),
            Column::new("", Width::Fill(4)).right(),
        ];
        let settled = settle(&columns, 18, |_| 0);
        for (cells, line) in [
            (["a", "name", "12"], "a    name       12"),
            (["a", "long name", "12"], "a    long name  12"),
            (["a", "ab", "123456789"], "a    ab  123456789"),
            (["a", "long name", "12345678"], "a    long…  12345…"),
        ] {
            let cells = cells.into_iter().map(Line::from).collect();
            assert_eq!(settled.line(cells).to_string(), line);
        }
    }

    #[test]
    fn no_column_is_cut_beside_one_with_cells_to_spare() {
        let columns = [
            Column::new("RISK", Width::Fill(6)),
            Column::new("PROXIES", Width::Fill(12)),
        ];
        for (room, expected) in [
            (38, "CALLBACK_PROXY TUNNEL  GADGET_PROXY"),
            (36, "CALLBACK_PROXY TUNNEL  GADGET_PROXY"),
            (30, "CALLBACK_PROXY …  GADGET_PROXY"),
        ] {
            let cells = ["CALLBACK_PROXY TUNNEL", "GADGET_PROXY"];
            let settled = settle(&columns, room, |at| cells::width(cells[at]));
            let line = settled.line(cells.into_iter().map(Line::from).collect());
            assert_eq!(line.to_string().trim_end(), expected, "{room}");
        }
    }

    #[test]
    fn an_empty_column_gives_all_but_its_head() {
        let columns = [
            Column::new("CITY", Width::Fill(9)),
            Column::new("PROXIES", Width::Fill(12)),
        ];
        let cells = ["San Francisco", "-"];
        let settled = settle(&columns, 23, |at| cells::width(cells[at]));
        let line = settled.line(cells.into_iter().map(Line::from).collect());
        assert_eq!(line.to_string().trim_end(), "San Francisco  -");
    }

    fn columns() -> Vec<Column<'static>> {
        vec![
            Column::new("ADDRESS", Width::Min(9)),
            Column::new("OPERATOR", Width::Fill(8)).rank(1),
            Column::new("CLIENTS", Width::Fixed(7)).right().rank(2),
            Column::new("ORGANIZATION", Width::Fill(12)).rank(3),
        ]
    }

    fn shown(room: u16) -> (String, String) {
        let columns = columns();
        let cells = ["198.51.100.77", "ACME_VPN_EXIT", "14", "Example Hosting BV"];
        let settled = settle(&columns, room, |at| cells::width(cells[at]));
        (
            settled.header().to_string(),
            settled
                .line(cells.into_iter().map(Line::from).collect())
                .to_string(),
        )
    }

    #[test]
    fn the_rest_is_shared_and_the_least_important_left_out() {
        for (room, header, line) in [
            (
                58,
                "ADDRESS        OPERATOR        CLIENTS  ORGANIZATION",
                "198.51.100.77  ACME_VPN_EXIT        14  Example Hosting BV",
            ),
            (
                46,
                "ADDRESS        OPERATOR  CLIENTS  ORGANIZATION",
                "198.51.100.77  ACME_VPN_EXIT  14  Example Hos…",
            ),
            (
                45,
                "ADDRESS        OPERATOR               CLIENTS",
                "198.51.100.77  ACME_VPN_EXIT               14",
            ),
            (
                31,
                "ADDRESS        OPERATOR",
                "198.51.100.77  ACME_VPN_EXIT",
            ),
            (15, "ADDRESS", "198.51.100.77"),
            (0, "ADDRESS", "198.51.100.77"),
        ] {
            assert_eq!(shown(room), (header.to_owned(), line.to_owned()), "{room}");
        }
    }
}
