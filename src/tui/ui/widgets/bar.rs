//! A line of parts, left and right, that gives up the less important ones when there is no room: headers and footers.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::tui::ui::{cells, theme::Theme};

/// One part of a bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    line: Line<'a>,
    rank: u8,
}

impl<'a> Part<'a> {
    /// A part with its rank: the higher, the earlier it gives way; 0 stays as long as anything does.
    pub fn new(line: impl Into<Line<'a>>, rank: u8) -> Self {
        Self {
            line: line.into(),
            rank,
        }
    }

    /// A key and what it does, as footers have them.
    #[must_use]
    pub fn hint(theme: &Theme, key: impl Into<Cow<'a, str>>, does: &'a str, rank: u8) -> Self {
        Self::new(
            vec![
                Span::styled(key.into(), theme.key),
                Span::raw(" "),
                Span::styled(does, theme.hint),
            ],
            rank,
        )
    }
}

/// Parts that stand at the left, and parts that stand at the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bar<'a> {
    left: Vec<Part<'a>>,
    right: Vec<Part<'a>>,
}

impl<'a> Bar<'a> {
    /// Cells between two parts.
    pub const GAP: u16 = 2;

    /// A bar without parts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part at the end of those at the left.
    #[must_use]
    pub fn left(mut self, part: Part<'a>) -> Self {
        self.left.push(part);
        self
    }

    /// Adds a part at the end of those at the right.
    #[must_use]
    pub fn right(mut self, part: Part<'a>) -> Self {
        self.right.push(part);
        self
    }

    /// The bar as one line of at most `room` cells, without the parts that do not fit.
    #[must_use]
    pub fn line(mut self, room: u16) -> Line<'a> {
        while self.width() > room && self.left.len() + self.right.len() > 1 {
            self.drop_least();
        }
        let right_starts = room.saturating_sub(side_width(&self.right));
        let mut spans = Vec::new();
        let mut used = 0;
        append(&mut spans, &mut used, self.left);
        if !self.right.is_empty() {
            spans.push(blank(right_starts.saturating_sub(used)));
            append(&mut spans, &mut 0, self.right);
        }
        cells::cut_line(Line::from(spans), room)
    }

    /// Draws the bar in the first row of `area`.
    pub fn draw(self, frame: &mut Frame<'_>, area: Rect) {
        frame.render_widget(self.line(area.width), area);
    }

    fn width(&self) -> u16 {
        let between = if self.left.is_empty() || self.right.is_empty() {
            0
        } else {
            Self::GAP
        };
        side_width(&self.left)
            .saturating_add(side_width(&self.right))
            .saturating_add(between)
    }

    /// Drops the part of the highest rank, and of several the last one.
    fn drop_least(&mut self) {
        let worst = |side: &[Part<'_>]| side.iter().map(|part| part.rank).max();
        let side = if worst(&self.left) > worst(&self.right) {
            &mut self.left
        } else {
            &mut self.right
        };
        let rank = worst(side);
        if let Some(at) = side.iter().rposition(|part| Some(part.rank) == rank) {
            side.remove(at);
        }
    }
}

fn side_width(parts: &[Part<'_>]) -> u16 {
    let gaps = u16::try_from(parts.len().saturating_sub(1)).unwrap_or(u16::MAX);
    parts
        .iter()
        .map(|part| cells::line_width(&part.line))
        .fold(gaps.saturating_mul(Bar::GAP), u16::saturating_add)
}

fn append<'a>(spans: &mut Vec<Span<'a>>, used: &mut u16, parts: Vec<Part<'a>>) {
    for part in parts {
        if *used > 0 {
            spans.push(blank(Bar::GAP));
            *used = used.saturating_add(Bar::GAP);
        }
        *used = used.saturating_add(cells::line_width(&part.line));
        let style = part.line.style;
        spans.extend(part.line.spans.into_iter().map(|span| Span {
            style: style.patch(span.style),
            ..span
        }));
    }
}

fn blank(width: u16) -> Span<'static> {
    Span::raw(" ".repeat(width.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::stage;

    fn footer(room: u16) -> String {
        let theme = Theme::colourless();
        Bar::new()
            .left(Part::hint(&theme, "enter", "pivot", 1))
            .left(Part::hint(&theme, "d", "compare dates", 3))
            .left(Part::hint(&theme, "y", "yank", 2))
            .right(Part::new("NORMAL", 0))
            .line(room)
            .to_string()
    }

    #[test]
    fn the_least_important_gives_way_first() {
        assert_eq!(footer(44), "enter pivot  d compare dates  y yank  NORMAL");
        assert_eq!(footer(43), "enter pivot  y yank                  NORMAL");
        assert_eq!(footer(27), "enter pivot  y yank  NORMAL");
        assert_eq!(footer(26), "enter pivot         NORMAL");
        assert_eq!(footer(18), "            NORMAL");
        assert_eq!(footer(4), "NOR…");
        assert_eq!(footer(0), "");
    }

    #[test]
    fn any_area_will_do() {
        stage::fits_any_area(|frame, area| {
            Bar::new()
                .left(Part::new("left", 1))
                .right(Part::new("right", 0))
                .draw(frame, area);
        });
    }
}
