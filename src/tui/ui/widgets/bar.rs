//! A line of parts, left and right, that gives up the less important ones when there is no room: headers and footers.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use crate::tui::ui::{Theme, cells};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarPart<'a> {
    line: Line<'a>,
    rank: u8,
    /// Its number among those that can be clicked.
    number: Option<usize>,
}

impl<'a> BarPart<'a> {
    /// A part with its rank: the higher, the earlier it gives way; 0 stays as long as anything does.
    pub fn new(line: impl Into<Line<'a>>, rank: u8) -> Self {
        Self {
            line: line.into(),
            rank,
            number: None,
        }
    }

    /// Gives it a number, by which a click finds it.
    #[must_use]
    pub fn numbered(self, number: usize) -> Self {
        Self {
            number: Some(number),
            ..self
        }
    }

    /// Its number, if it has one.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        self.number
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

/// Parts that are at the left, and parts that are at the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BarLine<'a> {
    left: Vec<BarPart<'a>>,
    right: Vec<BarPart<'a>>,
    /// The style of the number of parts that did not fit, if that is told.
    telling: Option<Style>,
}

impl<'a> BarLine<'a> {
    /// Cells between two parts.
    pub const GAP: u16 = 2;

    /// A bar without parts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part at the end of those at the left.
    #[must_use]
    pub fn left(mut self, part: BarPart<'a>) -> Self {
        self.left.push(part);
        self
    }

    /// Tells how many parts have no room.
    #[must_use]
    pub fn telling(self, theme: &Theme) -> Self {
        let telling = Some(theme.dim);
        Self { telling, ..self }
    }

    /// Adds a part at the end of those at the right.
    #[must_use]
    pub fn right(mut self, part: BarPart<'a>) -> Self {
        self.right.push(part);
        self
    }

    /// Takes out the parts at the left that do not fit into `room` cells, in their order.
    #[must_use]
    pub fn take_over(&mut self, room: u16) -> Vec<BarPart<'a>> {
        let all = self.left.clone();
        self.fit(room);
        let mut kept = self.left.iter().peekable();
        let is_over = |part: &BarPart<'a>| kept.next_if(|bar_part| *bar_part == part).is_none();
        all.into_iter().filter(is_over).collect()
    }

    fn fit(&mut self, room: u16) {
        let (mut dropped, mut sign) = (0, 0);
        while self.width().saturating_add(sign) > room && self.left.len() + self.right.len() > 1 {
            self.drop_least();
            dropped += 1;
            sign = self
                .telling
                .map_or(0, |_| cells::width(&more(dropped)) + Self::GAP);
        }
        if let Some(style) = self.telling.filter(|_| dropped > 0) {
            let more = Span::styled(more(dropped), style);
            self.left.push(BarPart::new(more, 0));
        }
    }

    /// The bar as one line of at most `room` cells, without the parts that do not fit.
    #[must_use]
    pub fn line(mut self, room: u16) -> Line<'a> {
        self.fit(room);
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

    /// The numbered parts at the left that a line of `room` cells has: the number of each, where it begins, and how wide it is.
    #[must_use]
    pub fn places(&self, room: u16) -> Vec<(usize, u16, u16)> {
        let mut bar = self.clone();
        bar.fit(room);
        let (mut places, mut used) = (Vec::new(), 0_u16);
        for part in &bar.left {
            if used > 0 {
                used = used.saturating_add(Self::GAP);
            }
            let width = cells::line_width(&part.line);
            places.extend(part.number.map(|number| (number, used, width)));
            used = used.saturating_add(width);
        }
        places
    }

    /// Draws the bar in the first row of `area`.
    pub fn draw(self, frame: &mut Frame<'_>, area: Rect) {
        frame.render_widget(self.line(area.width), area);
    }

    /// Cells that all its parts take.
    #[must_use]
    pub fn width(&self) -> u16 {
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
        let worst = |side: &[BarPart<'_>]| side.iter().map(|part| part.rank).max();
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

fn more(dropped: u16) -> String {
    format!("+{dropped} more")
}

fn side_width(parts: &[BarPart<'_>]) -> u16 {
    let gaps = u16::try_from(parts.len().saturating_sub(1)).unwrap_or(u16::MAX);
    parts
        .iter()
        .map(|part| cells::line_width(&part.line))
        .fold(gaps.saturating_mul(BarLine::GAP), u16::saturating_add)
}

fn append<'a>(spans: &mut Vec<Span<'a>>, used: &mut u16, parts: Vec<BarPart<'a>>) {
    for part in parts {
        if *used > 0 {
            spans.push(blank(BarLine::GAP));
            *used = used.saturating_add(BarLine::GAP);
        }
        *used = used.saturating_add(cells::line_width(&part.line));
        spans.extend(cells::spans(part.line, Style::new()));
    }
}

fn blank(width: u16) -> Span<'static> {
    Span::raw(" ".repeat(width.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::test_terminal;

    fn footer(room: u16) -> String {
        let theme = Theme::colourless();
        BarLine::new()
            .left(BarPart::hint(&theme, "enter", "pivot", 1))
            .left(BarPart::hint(&theme, "c", "compare dates", 3))
            .left(BarPart::hint(&theme, "y", "yank", 2))
            .right(BarPart::new("NORMAL", 0))
            .line(room)
            .to_string()
    }

    #[test]
    fn parts_without_room_are_counted_where_that_is_told() {
        let bar = |room| {
            let part = |text: &'static str, rank| BarPart::new(text, rank);
            let bar = BarLine::new()
                .left(part("VPN 4", 0))
                .left(part("unknown 12", 1));
            let bar = bar.left(part("hosting 3", 2));
            let told = bar.telling(&Theme::colourless()).line(room);
            told.to_string()
        };
        assert_eq!(bar(28), "VPN 4  unknown 12  hosting 3");
        assert_eq!(bar(27), "VPN 4  unknown 12  +1 more");
        assert_eq!(bar(25), "VPN 4  +2 more");
        assert_eq!(bar(6), "VPN 4…");
    }

    #[test]
    fn the_least_important_gives_way_first() {
        assert_eq!(footer(44), "enter pivot  c compare dates  y yank  NORMAL");
        assert_eq!(footer(43), "enter pivot  y yank                  NORMAL");
        assert_eq!(footer(27), "enter pivot  y yank  NORMAL");
        assert_eq!(footer(26), "enter pivot         NORMAL");
        assert_eq!(footer(18), "            NORMAL");
        assert_eq!(footer(4), "NOR…");
        assert_eq!(footer(0), "");
    }

    #[test]
    fn what_does_not_fit_can_be_drawn_elsewhere() {
        let theme = Theme::colourless();
        let mut bar = BarLine::new()
            .left(BarPart::hint(&theme, "enter", "pivot", 1))
            .left(BarPart::hint(&theme, "c", "compare dates", 3))
            .left(BarPart::hint(&theme, "i", "new", 1))
            .left(BarPart::hint(&theme, "y", "copy", 2))
            .right(BarPart::new("NORMAL", 0));
        let over = bar.take_over(27);
        assert_eq!(bar.line(27).to_string(), "enter pivot  i new   NORMAL");
        let over = over.into_iter().fold(BarLine::new(), BarLine::left);
        assert_eq!(over.line(40).to_string(), "c compare dates  y copy");
    }

    #[test]
    fn the_places_of_numbered_parts_are_where_they_are_drawn() {
        let texts = ["i new", "c compare", "y copy"];
        let bar = || {
            let bar = BarLine::new().left(BarPart::new("", 0));
            let parts = texts.into_iter().zip([1, 3, 2]).enumerate();
            parts
                .fold(bar, |bar, (at, (text, rank))| {
                    bar.left(BarPart::new(text, rank).numbered(at))
                })
                .right(BarPart::new("NORMAL", 0))
        };
        for room in 0..40 {
            let line = bar().line(room).to_string();
            for (number, start, width) in bar().places(room) {
                let text = texts[number];
                assert_eq!(usize::from(width), text.len());
                let drawn: String = line.chars().skip(start.into()).take(text.len()).collect();
                let is_it = text.starts_with(&drawn) || drawn.ends_with('…');
                assert!(is_it, "{room}: {line}");
            }
        }
        let numbers = |room| bar().places(room).into_iter().map(|(number, ..)| number);
        assert_eq!(numbers(40).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(numbers(23).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn any_area_will_do() {
        test_terminal::fits_any_area(|frame, area| {
            BarLine::new()
                .left(BarPart::new("left", 1))
                .right(BarPart::new("right", 0))
                .draw(frame, area);
        });
    }
}
