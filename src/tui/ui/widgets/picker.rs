//! A list to choose from by typing a few letters of what is meant: the palette, and the keys of a place.
//!
//! Letters are matched fuzzily over all that a row shows, the best row comes first, and what matched is marked. What cannot
//! be chosen now stays in the list and says why, so that nobody searches for it elsewhere.

use std::borrow::Cow;

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};
use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
};

use super::{
    columns::{self, Column, Settled, Width},
    popup::Popup,
    text_field::TextField,
};
use crate::{
    model::visible,
    tui::ui::{
        cells,
        cursor::{Cursor, Motion},
        spots::Pen,
        theme::{Focus, Theme},
    },
};

/// One thing to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<T> {
    /// What it is called.
    pub label: String,
    /// A word more about it.
    pub detail: String,
    /// The key that does the same; may be empty.
    pub key: String,
    /// Whether it can be chosen now; if not, why.
    pub enabled: Result<(), Cow<'static, str>>,
    /// What it stands for.
    pub value: T,
}

impl<T> Item<T> {
    /// All that is searched. The label comes first, so that what matched in it is found at the same place.
    fn text(&self) -> String {
        let Self {
            label, detail, key, ..
        } = self;
        visible(&format!("{label} {detail} {key}")).into_owned()
    }
}

/// Items, what was typed to find one, and those that it found.
#[derive(Debug)]
pub struct Picker<T> {
    items: Vec<Item<T>>,
    /// Other words by which each item is found.
    called: Vec<&'static str>,
    /// Whether the first item was made of what is typed: it stays whatever matches.
    led: bool,
    /// The key that chooses, and what that does.
    chosen_by: (&'static str, &'static str),
    field: TextField,
    hits: Vec<Hit>,
    cursor: Cursor,
}

/// An item that was found.
#[derive(Debug)]
struct Hit {
    item: usize,
    /// How well it matched, and of equals whether all of it is in the label.
    rank: (u32, bool),
    /// The graphemes of [`Item::text`] that matched, in order.
    marks: Vec<u32>,
}

impl<T> Picker<T> {
    /// Cells that it takes in width, and rows in height, where there is room.
    const SIZE: Size = Size::new(84, 18);

    /// Rows above the list: what is typed, and a blank one.
    const HEAD: u16 = 2;

    /// Rows that a list has at least before a row below it is taken for why the selected item cannot be chosen now.
    const LEAST: u16 = 6;

    /// Cells before each row, always there, for the sign of the selected one.
    const GUTTER: u16 = 2;

    /// A picker of these items, in this order as long as nothing is typed.
    #[must_use]
    pub fn new(items: Vec<Item<T>>) -> Self {
        let mut picker = Self {
            called: vec![""; items.len()],
            led: false,
            chosen_by: ("enter", "choose"),
            items,
            field: TextField::new("type to search"),
            hits: Vec::new(),
            cursor: Cursor::default(),
        };
        picker.refilter();
        picker
    }

    /// The same, where another key chooses, for what does something else than that.
    #[must_use]
    pub fn chosen_by(self, key: &'static str, does: &'static str) -> Self {
        Self {
            chosen_by: (key, does),
            ..self
        }
    }

    /// The same, where items are found by other words, too.
    #[must_use]
    pub fn also_called(mut self, words: impl Fn(&T) -> &'static str) -> Self {
        self.called = self.items.iter().map(|item| words(&item.value)).collect();
        self
    }

    /// Puts an item that was made of what is typed before all others, in place of the one before; [`Picker::refilter`] then.
    pub fn lead(&mut self, item: Option<Item<T>>) {
        if self.led {
            self.items.remove(0);
            self.called.remove(0);
        }
        self.led = item.is_some();
        if let Some(item) = item {
            self.items.insert(0, item);
            self.called.insert(0, "");
        }
    }

    /// What is typed into; [`Picker::refilter`] after a change.
    pub fn field(&mut self) -> &mut TextField {
        &mut self.field
    }

    /// Finds the items that match what was typed, the best one first and selected.
    pub fn refilter(&mut self) {
        let pattern = Pattern::new(
            self.field.value(),
            CaseMatching::Ignore,
            Normalization::Smart,
            AtomKind::Fuzzy,
        );
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        let find = |(item, candidate): (usize, &Item<T>)| {
            let mut text = candidate.text();
            text.push(' ');
            text.push_str(self.called[item]);
            let text = Utf32Str::new(&text, &mut buffer);
            let mut marks = Vec::new();
            if self.led && item == 0 {
                let rank = (u32::MAX, true);
                return Some(Hit { item, rank, marks });
            }
            let score = pattern.indices(text, &mut matcher, &mut marks)?;
            marks.sort_unstable();
            let label = cells::graphemes(&visible(&candidate.label)).count();
            let in_label = marks.last().is_none_or(|&last| (last as usize) < label);
            let rank = (score, in_label);
            Some(Hit { item, rank, marks })
        };
        self.hits = self.items.iter().enumerate().filter_map(find).collect();
        // A stable order: of equals, and of everything while nothing is typed, the first stays the first.
        self.hits.sort_by_key(|hit| std::cmp::Reverse(hit.rank));
        self.cursor = Cursor::default();
    }

    /// Moves by rows.
    pub fn step(&mut self, motion: Motion) {
        self.cursor.step(motion, self.hits.len());
    }

    /// The selected item, whether or not it can be chosen now; none when nothing was found.
    #[must_use]
    pub fn chosen(&self) -> Option<&Item<T>> {
        let row = self.cursor.selected(self.hits.len())?;
        self.items.get(self.hits.get(row)?.item)
    }

    /// How many items were found.
    #[must_use]
    pub fn found(&self) -> usize {
        self.hits.len()
    }

    /// All items, found or not.
    #[must_use]
    pub fn items(&self) -> &[Item<T>] {
        &self.items
    }

    /// Draws it over the middle of `area`.
    pub fn draw<'p>(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        title: &str,
        pen: impl Into<Pen<'p>>,
    ) {
        let pen = pen.into();
        let theme = pen.theme;
        let rows = u16::try_from(self.items.len()).unwrap_or(u16::MAX).max(1);
        let height = rows.saturating_add(Self::HEAD).min(Self::SIZE.height);
        let inner = Popup::new(title, Size::new(Self::SIZE.width, height))
            .key(theme, self.chosen_by.0, self.chosen_by.1, 1)
            .key(theme, "up/down", "move", 2)
            .key(theme, "esc", "close", 0)
            .draw(frame, area, pen);
        self.draw_query(frame, inner, theme);
        let head = Self::HEAD.min(inner.height);
        let foot = u16::from(self.has_reasons() && inner.height > head + Self::LEAST);
        let list = Rect {
            y: inner.y + head,
            height: inner.height - head - foot,
            ..inner
        };
        if foot > 0
            && let Some(Err(why)) = self.chosen().map(|item| &item.enabled)
        {
            let foot = Rect {
                y: list.bottom(),
                height: foot,
                ..inner
            };
            let why = format!("not now: {}", visible(why));
            frame.render_widget(Line::styled(cells::cut(&why, foot.width), theme.warn), foot);
        }
        if self.hits.is_empty() {
            let why = if self.items.is_empty() {
                "there is nothing to choose from"
            } else {
                "nothing here matches what was typed"
            };
            frame.render_widget(Line::styled(cells::cut(why, list.width), theme.dim), list);
        } else {
            self.draw_rows(frame, list, pen);
        }
    }

    /// Whether any of the items cannot be chosen now.
    fn has_reasons(&self) -> bool {
        self.items.iter().any(|item| item.enabled.is_err())
    }

    /// What was typed, and how many it found of how many.
    fn draw_query(&self, frame: &mut Frame<'_>, inner: Rect, theme: &Theme) {
        let row = Rect {
            height: inner.height.min(1),
            ..inner
        };
        let count = format!("{} of {}", self.hits.len(), self.items.len());
        let room = cells::width(&count).saturating_add(2);
        let room = if row.width > 3 * room { room } else { 0 };
        let field = Rect {
            x: row.x + row.width.min(2),
            width: row.width.saturating_sub(2 + room),
            ..row
        };
        if room > 0 {
            frame.render_widget(Line::styled(count, theme.dim).right_aligned(), row);
        }
        frame.render_widget(Line::styled("/", theme.accent), row);
        self.field.draw(frame, field, theme, Focus::Here);
    }

    fn draw_rows(&self, frame: &mut Frame<'_>, list: Rect, pen: Pen<'_>) {
        let theme = pen.theme;
        let columns = [
            Column::new("", Width::Min(0)),
            Column::new("", Width::Min(0)),
            Column::new("", Width::Fill(8)).right().rank(1),
        ];
        let room = list.width.saturating_sub(Self::GUTTER);
        // A reason why not is worth more than the end of a label.
        let widest = if self.has_reasons() && room > Self::SIZE.width / 2 {
            room / 8 * 5
        } else {
            room
        };
        // Over all items, found or not: columns that move while one types are hard to read.
        let settled = columns::settle(&columns, room, |column| {
            let text = |item: &Item<T>| match column {
                0 => cells::width(&visible(&item.key)),
                _ => cells::width(&visible(&item.label)).min(widest),
            };
            self.items.iter().map(text).max().unwrap_or_default()
        });
        let window = self.cursor.window(self.hits.len(), list.height.into());
        let selected = self.cursor.selected(self.hits.len());
        for (row, place) in window.zip(list.rows()) {
            let gutter = Self::GUTTER.min(place.width);
            let text = Rect {
                x: place.x + gutter,
                width: place.width - gutter,
                ..place
            };
            let line = self.line(&self.hits[row], &settled, theme);
            frame.render_widget(cells::cut_line(line, text.width), text);
            pen.row(place, row, Some(row) == selected);
            if Some(row) == selected && !place.is_empty() {
                frame.buffer_mut().set_style(place, theme.row(Focus::Here));
                frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
            }
            if theme.spoken && row < 9 && !place.is_empty() {
                let number = (row + 1).to_string();
                frame.buffer_mut()[(place.x, place.y)].set_symbol(&number);
            }
        }
    }

    fn line(&self, hit: &Hit, settled: &Settled<'_, '_>, theme: &Theme) -> Line<'_> {
        let item = &self.items[hit.item];
        let label = match &item.enabled {
            Ok(()) => Line::from(marked(&item.label, &hit.marks, theme)),
            Err(_) => Line::styled(visible(&item.label), theme.dim),
        };
        let detail = match &item.enabled {
            Ok(()) => visible(&item.detail),
            Err(why) => Cow::Owned(format!("not now: {why}")),
        };
        settled.line(vec![
            Line::styled(visible(&item.key), theme.dim),
            label,
            Line::styled(detail, theme.dim),
        ])
    }
}

/// A label with the graphemes marked that matched; `marks` may go on beyond its end.
fn marked(label: &str, marks: &[u32], theme: &Theme) -> Vec<Span<'static>> {
    let shown = visible(label);
    let style = |at| match marks.binary_search(&at) {
        Ok(_) => theme.matched,
        Err(_) => theme.text,
    };
    (0_u32..)
        .zip(cells::graphemes(&shown))
        .map(|(at, (symbol, _))| Span::styled(symbol.to_owned(), style(at)))
        .collect()
}

#[cfg(test)]
mod tests;
