//! A month to pick a day from, by arrows or by typing.
//!
//! The selected day has brackets, a day that was answered before has a `*`, a local one a `+`, and a day that cannot be chosen is a dot: all
//! of it can be seen without colour, the sign within the brackets, too. Below, the selected day is in words, since what one wants to know of a day is
//! mostly how long ago it was.

use jiff::{ToSpan, civil::Date};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect, Size},
    style::Style,
    text::{Line, Span},
};

use super::{popup::Popup, text_field::TextField};
use crate::{
    model::{BadDay, Day},
    tui::ui::{Focus, Motion, Pen, Theme, cells, glyphs},
};

/// A selected day, and what is typed to select another.
#[derive(Debug)]
pub struct Calendar {
    selected: Day,
    last: Day,
    known: Vec<Day>,
    /// What the days that are known are.
    known_as: &'static str,
    local: Vec<Day>,
    field: TextField,
}

impl Calendar {
    /// Cells of its content.
    const SIZE: Size = Size::new(62, 13);

    /// Cells of a month of six weeks, with its name, the days of the week, and a cell for the bracket at the right.
    const MONTH: Size = Size::new(29, 8);

    /// Cells of a day: the bracket before it, the number, and its sign.
    const DAY: u16 = 4;

    /// A calendar at `start`. Days after `last`, which is today, cannot be chosen; those that are `known` were answered
    /// before.
    #[must_use]
    pub fn new(start: Day, last: Day, known: Vec<Day>) -> Self {
        Self {
            selected: start.min(last),
            last,
            known,
            known_as: "shown before",
            local: Vec::new(),
            field: TextField::new("type -7d, yesterday or 2026-10-01"),
        }
    }

    /// Names what the days that are known are.
    #[must_use]
    pub fn known_as(mut self, words: &'static str) -> Self {
        self.known_as = words;
        self
    }

    pub fn mark_local(&mut self, days: Vec<Day>) {
        self.local = days;
    }

    /// Whether a day is marked as local.
    #[must_use]
    pub fn is_local(&self, day: Day) -> bool {
        self.local.contains(&day)
    }

    /// The last day that can be chosen, which is today.
    #[must_use]
    pub fn last(&self) -> Day {
        self.last
    }

    /// What is typed into; [`Calendar::typed`] after a change.
    pub fn field(&mut self) -> &mut TextField {
        &mut self.field
    }

    /// Selects what was typed, when that is a day that can be chosen.
    pub fn typed(&mut self) {
        if let Ok(day) = self.chosen() {
            self.selected = day;
        }
    }

    /// Moves: by a day to the sides, by a week up and down, by a month with the pages, and to the ends of what there is of
    /// the month, or to one of its days. What was typed goes.
    pub fn step(&mut self, motion: Motion) {
        let date = self.selected.date();
        let moved = match motion {
            Motion::Left => date.saturating_sub(1.day()),
            Motion::Right => date.saturating_add(1.day()),
            Motion::Up => date.saturating_sub(1.week()),
            Motion::Down => date.saturating_add(1.week()),
            Motion::PageUp => date.saturating_sub(1.month()),
            Motion::PageDown => date.saturating_add(1.month()),
            Motion::First => date.first_of_month(),
            Motion::Last => date.last_of_month(),
            Motion::To(number) => {
                let number = i8::try_from(number).unwrap_or(i8::MAX);
                match Date::new(date.year(), date.month(), number) {
                    Ok(date) => date,
                    Err(_) => return,
                }
            }
            Motion::HalfUp | Motion::HalfDown => return,
        };
        if let Some(day) = day(moved) {
            self.select(day);
        }
    }

    /// Selects a day, the last one instead of a later one. What was typed goes.
    pub fn select(&mut self, day: Day) {
        self.selected = day.min(self.last);
        self.field.clear();
    }

    /// The day to take: the one that was typed, and the selected one while nothing is typed.
    ///
    /// # Errors
    /// When the text is no day, or one that cannot be chosen: a sentence that says so.
    pub fn chosen(&self) -> Result<Day, String> {
        let day = match self.field.value().trim() {
            "" => return Ok(self.selected),
            // A letter goes to the field, so that the key for today comes as text.
            "t" => Ok(self.last),
            text => Day::read(text, self.last),
        };
        match day.and_then(|day| day.until(self.last)) {
            Ok(day) => Ok(day),
            Err(why @ BadDay::Future(_)) => Err(why.to_string()),
            Err(_) => Err("not a day: write 2026-10-01, -7d, yesterday or today".to_owned()),
        }
    }

    /// Draws it over the middle of `area`.
    ///
    /// Where a month does not fit it is left out: the day in words is enough to choose. `price` tells what choosing costs.
    pub fn draw<'p>(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        pen: impl Into<Pen<'p>>,
        title: &str,
        price: Line<'_>,
    ) {
        let pen = pen.into();
        let theme = pen.theme;
        let inner = Popup::new(title, Self::SIZE)
            .key(theme, "enter", "choose", 1)
            .key(theme, "arrows", "move", 2)
            .key(theme, "pgup/pgdn", "month", 3)
            .key(theme, "t", "today", 4)
            .key(theme, "esc", "close", 0)
            .draw(frame, area, pen);
        let fits = inner.height >= Self::SIZE.height && inner.width >= Self::MONTH.width;
        let [typed, month, signs, words, cost] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(if fits { Self::MONTH.height + 1 } else { 0 }),
            Constraint::Length(u16::from(fits)),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(inner);
        self.field.draw(frame, typed, theme, Focus::Here);
        if fits {
            let below = Rect {
                y: month.y + 1,
                height: Self::MONTH.height,
                ..month
            };
            let place = below.centered(
                Constraint::Length(Self::MONTH.width),
                Constraint::Length(Self::MONTH.height),
            );
            self.draw_month(frame, place, pen);
        }
        frame.render_widget(cells::cut_line(self.words(theme), words.width), words);
        if theme.spoken {
            // The day in words is what is read, not its number.
            frame.buffer_mut().set_style(words, theme.row(Focus::Here));
        }
        frame.render_widget(cells::cut_line(self.legend(theme), signs.width), signs);
        frame.render_widget(cells::cut_line(price, cost.width), cost);
    }

    /// The selected day in words, or why what was typed is none.
    fn words(&self, theme: &Theme) -> Line<'static> {
        if let Err(why) = self.chosen() {
            return Line::styled(why, theme.warn);
        }
        let ago = match self.last.days_since(self.selected) {
            0 => "today".to_owned(),
            1 => "yesterday".to_owned(),
            days => format!("{days} days ago"),
        };
        let name = self.selected.date().strftime("%A, %-d %B %Y").to_string();
        Line::from(vec![
            Span::styled(name, theme.accent),
            Span::raw(", "),
            Span::raw(ago),
        ])
    }

    /// The meaning of the signs shown.
    fn legend(&self, theme: &Theme) -> Line<'static> {
        let signs = [
            (!self.known.is_empty()).then(|| format!("* {}", self.known_as)),
            (!self.local.is_empty()).then(|| "+ local".to_owned()),
        ];
        let signs: Vec<String> = signs.into_iter().flatten().collect();
        Line::styled(signs.join("   "), theme.dim)
    }

    /// Draws the month of the selected day into a place that has room for any.
    fn draw_month(&self, frame: &mut Frame<'_>, place: Rect, pen: Pen<'_>) {
        const WEEK: [&str; 7] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
        let theme = pen.theme;
        let line = |y: u16| Rect {
            y: place.y + y,
            height: 1,
            ..place
        };
        let name = self.selected.date().strftime("%B %Y").to_string();
        let name = Line::styled(name, theme.title).centered();
        frame.render_widget(name, line(0));
        let week = WEEK.map(|day| format!(" {day} ")).concat();
        frame.render_widget(Line::styled(week, theme.header), line(1));
        let buffer = frame.buffer_mut();
        for day in days_of_month(self.selected) {
            let (x, y) = place_in_month(day);
            let cell = Rect {
                x: place.x + x * Self::DAY,
                width: Self::DAY,
                ..line(2 + y)
            };
            let number = day.date().day();
            pen.row(
                cell,
                usize::from(number.unsigned_abs()),
                day == self.selected,
            );
            let text = if day > self.last {
                format!(" {}", glyphs::MARK)
            } else {
                format!("{number:>2}{:1}", self.sign(day))
            };
            buffer.set_string(cell.x + 1, cell.y, text, self.style(day, theme));
            if day == self.selected {
                // The closing one is behind the sign, where there is one.
                let width = if self.sign(day).is_empty() { 3 } else { 4 };
                buffer[(cell.x, cell.y)].set_symbol("[");
                buffer[(cell.x + width, cell.y)].set_symbol("]");
            }
        }
    }

    /// The sign of a day that is local or was answered before.
    fn sign(&self, day: Day) -> &'static str {
        if self.is_local(day) {
            "+"
        } else if self.known.contains(&day) {
            "*"
        } else {
            ""
        }
    }

    fn style(&self, day: Day, theme: &Theme) -> Style {
        if day == self.selected && !theme.spoken {
            theme.row(Focus::Here)
        } else if day > self.last {
            theme.dim
        } else if self.known.contains(&day) || self.is_local(day) {
            theme.good
        } else {
            theme.text
        }
    }
}

fn day(date: Date) -> Option<Day> {
    Day::new(date.year(), date.month(), date.day())
}

fn days_of_month(within: Day) -> impl Iterator<Item = Day> {
    let date = within.date();
    (1..=date.days_in_month()).filter_map(move |number| Day::new(date.year(), date.month(), number))
}

/// Column and row of a day among the days of its month, where weeks begin on Monday as in ISO 8601.
fn place_in_month(day: Day) -> (u16, u16) {
    let date = day.date();
    let column = |date: Date| date.weekday().to_monday_zero_offset().unsigned_abs();
    let before = column(date.first_of_month());
    let row = (before + date.day().unsigned_abs() - 1) / 7;
    (column(date).into(), row.into())
}

#[cfg(test)]
mod tests;
