//! A list that is searched by typing: the palette, and the keys of a place.
//!
//! Words are searched in all that a row shows. What can be chosen now comes first, then the nearest match, and what matched is
//! marked. What cannot be chosen now stays in the list and says why, so that nobody searches for it elsewhere.

use std::{borrow::Cow, ops::Range};

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect, Size},
    text::{Line, Span},
};

use super::{
    columns::{self, Column, Width},
    popup::Popup,
    text_field::TextField,
};
use crate::{
    model::visible,
    tui::ui::{Cursor, Focus, Motion, Nearness, Pen, Theme, WordSearch, areas, cells},
};

/// One thing to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickerItem<T> {
    pub label: String,
    /// A word more about it.
    pub detail: String,
    /// The key that does the same; may be empty.
    pub key: String,
    /// Whether it can be chosen now; if not, why.
    pub enabled: Result<(), Cow<'static, str>>,
    pub value: T,
}

impl<T> PickerItem<T> {
    /// One that can be chosen, and has no key of its own.
    pub fn new(label: impl Into<String>, detail: impl Into<String>, value: T) -> Self {
        Self {
            label: label.into(),
            detail: detail.into(),
            key: String::new(),
            enabled: Ok(()),
            value,
        }
    }

    /// All that is searched. The label comes first, so that what matched in it is found at the same place.
    fn text(&self) -> String {
        let Self {
            label, detail, key, ..
        } = self;
        visible(&format!("{label} {detail} {key}")).into_owned()
    }

    /// What is at the right end of its row: a word more, or why it cannot be chosen now.
    fn aside(&self) -> Cow<'_, str> {
        match &self.enabled {
            Ok(()) => visible(&self.detail),
            Err(why) => Cow::Owned(format!("not now: {}", visible(why))),
        }
    }
}

/// Items, what was typed to find one, and those that it found.
#[derive(Debug)]
pub struct Picker<T> {
    items: Vec<PickerItem<T>>,
    /// Other words by which each item is found.
    called: Vec<&'static str>,
    /// How many of the first items were made of what is typed: they stay whatever matches.
    made_of_text: usize,
    /// Headings, each before an item, while nothing is typed.
    headings: Vec<(usize, &'static str)>,
    /// Whether a row begins with its label, not with its key.
    by_name: bool,
    /// Cells that the names of keys have at most, where only few rows have a longer one.
    key_room: u16,
    /// The key that chooses, and what that does.
    chosen_by: (&'static str, &'static str),
    field: TextField,
    hits: Vec<PickerMatch>,
    cursor: Cursor,
}

/// How the rows share the cells of a list.
#[derive(Clone, Copy, Debug)]
struct Rows {
    room: u16,
    /// Cells of the names of keys.
    key: u16,
    /// Cells of the labels.
    label: u16,
}

/// An item that was found.
#[derive(Debug)]
struct PickerMatch {
    item: usize,
    /// Whether it cannot be chosen now, how near it is, and whether some of the match is outside the label.
    rank: (bool, Nearness, bool),
    /// The graphemes of [`PickerItem::text`] that matched, in order.
    marks: Vec<u32>,
}

impl<T> Picker<T> {
    /// Cells that it takes in width, and rows in height, where there is no room for all that its rows say.
    const SIZE: Size = Size::new(84, 18);

    /// Cells and rows of what lies below that stay in view around it, its border included, where there is room for more than that.
    const AROUND: Size = Size::new(12, 8);

    /// Letters from which on a word is searched inside other words where some word begins with it.
    const WORD: usize = 3;

    /// Rows above the list: what is typed, and a blank one.
    const HEAD: u16 = 2;

    /// Rows that a list has at least before rows below it are taken for what the selected item does, and why it cannot be chosen now.
    const LEAST: u16 = 6;

    /// Cells at least of what is at the right end of a row.
    const ASIDE: u16 = 8;

    const FOOT: u16 = 2;

    /// A picker of these items, in this order as long as nothing is typed.
    #[must_use]
    pub fn new(items: Vec<PickerItem<T>>) -> Self {
        let mut picker = Self {
            called: vec![""; items.len()],
            made_of_text: 0,
            headings: Vec::new(),
            by_name: false,
            key_room: u16::MAX,
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

    /// The same, where a longer name of a key moves the rest of its own row alone.
    #[must_use]
    pub fn with_key_room(self, key_room: u16) -> Self {
        Self { key_room, ..self }
    }

    /// The same, where a row begins with its label.
    #[must_use]
    pub fn by_name(self) -> Self {
        Self {
            by_name: true,
            ..self
        }
    }

    /// The same, with these headings, each before an item, while nothing is typed.
    #[must_use]
    pub fn with_headings(self, headings: Vec<(usize, &'static str)>) -> Self {
        Self { headings, ..self }
    }

    /// The same, where items are found by other words, too.
    #[must_use]
    pub fn also_called(mut self, words: impl Fn(&T) -> &'static str) -> Self {
        self.called = self.items.iter().map(|item| words(&item.value)).collect();
        self
    }

    /// Puts items that were made of what is typed before all others, in place of those before; [`Picker::refilter`] then.
    pub fn put_first(&mut self, items: Vec<PickerItem<T>>) {
        self.called
            .splice(..self.made_of_text, std::iter::repeat_n("", items.len()));
        let old = std::mem::replace(&mut self.made_of_text, items.len());
        self.items.splice(..old, items);
    }

    /// What is typed into; [`Picker::refilter`] after a change.
    pub fn field(&mut self) -> &mut TextField {
        &mut self.field
    }

    /// Finds the items that match what was typed, the best one first and selected.
    pub fn refilter(&mut self) {
        let search = WordSearch::new(self.field.value());
        let find = |(item, candidate): (usize, &PickerItem<T>)| {
            if item < self.made_of_text {
                return Some(PickerMatch {
                    item,
                    rank: (false, Nearness::Whole, false),
                    marks: Vec::new(),
                });
            }
            let text = format!("{} {}", candidate.text(), self.called[item]);
            let found = search.find(&text)?;
            let label = cells::graphemes(&visible(&candidate.label)).count();
            let last = found.marks.last();
            let in_label = last.is_none_or(|&last| (last as usize) < label);
            Some(PickerMatch {
                item,
                rank: (candidate.enabled.is_err(), found.nearness, !in_label),
                marks: found.marks,
            })
        };
        self.hits = self.items.iter().enumerate().filter_map(find).collect();
        self.cursor = Cursor::default();
        if !self.is_searched() {
            return;
        }
        // Letters that are apart are noise beside the word itself, and so are a few letters inside a word beside one that begins
        // with them.
        let own = self.hits.iter().skip(self.made_of_text);
        let farthest = match own.map(|hit| hit.rank.1).min() {
            Some(Nearness::Apart) | None => Nearness::Apart,
            Some(Nearness::Inside) => Nearness::Inside,
            Some(_) if search.longest() < Self::WORD => Nearness::Beginning,
            Some(_) => Nearness::Inside,
        };
        self.hits.retain(|hit| hit.rank.1 <= farthest);
        // A stable order: of equals, the first stays the first.
        let led = self.made_of_text;
        self.hits.sort_by_key(|hit| (hit.item >= led, hit.rank));
    }

    /// Whether anything is typed to search for.
    fn is_searched(&self) -> bool {
        !self.field.value().trim().is_empty()
    }

    /// Moves by rows.
    pub fn step(&mut self, motion: Motion) {
        self.cursor.step(motion, self.hits.len());
    }

    /// The selected item, whether or not it can be chosen now; none when nothing was found.
    #[must_use]
    pub fn chosen(&self) -> Option<&PickerItem<T>> {
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
    pub fn items(&self) -> &[PickerItem<T>] {
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
        let inner = Popup::new(title, self.size(area))
            .key(theme, self.chosen_by.0, self.chosen_by.1, 1)
            .key(theme, "up/down", "move", 2)
            .key(theme, "esc", "close", 0)
            .draw(frame, area, pen);
        self.draw_query(frame, inner, theme);
        let head = Self::HEAD.min(inner.height);
        let room = inner.width.saturating_sub(Pen::GUTTER);
        let settled = self.settle(room);
        let explains =
            self.has_reasons() || (0..self.hits.len()).any(|hit| self.is_cut(hit, settled, theme));
        let rest = inner.height.saturating_sub(head + Self::LEAST);
        let foot = if explains { rest.min(Self::FOOT) } else { 0 };
        let [_, list, foot] = Layout::vertical([
            Constraint::Length(head),
            Constraint::Min(0),
            Constraint::Length(foot),
        ])
        .areas(inner);
        for (line, place) in self
            .explanation(settled, theme, foot.width)
            .into_iter()
            .zip(foot.rows())
        {
            frame.render_widget(line, place);
        }
        if self.hits.is_empty() {
            let why = if self.items.is_empty() {
                "there is nothing to choose from"
            } else {
                "nothing here matches what was typed"
            };
            frame.render_widget(Line::styled(cells::cut(why, list.width), theme.dim), list);
        } else {
            self.draw_rows(frame, list, settled, pen);
        }
    }

    /// As large as all that its rows say, as far as the area has room.
    fn size(&self, area: Rect) -> Size {
        let rows = self.items.len() + self.headings.len();
        let rows = u16::try_from(rows).unwrap_or(u16::MAX).max(1);
        let tallest = area.height.saturating_sub(Self::AROUND.height);
        let own = self.items.iter().skip(self.made_of_text);
        let key = self.key_width();
        let widest = own.map(|item| {
            let key = key.max(cells::width(&visible(&item.key)));
            let parts = [
                key,
                cells::width(&visible(&item.label)),
                cells::width(&item.aside()).max(Self::ASIDE),
            ];
            parts
                .into_iter()
                .fold(Pen::GUTTER + 2 * columns::GAP, u16::saturating_add)
        });
        let widest = widest.max().unwrap_or_default();
        let broadest = area.width.saturating_sub(Self::AROUND.width);
        let width = widest.min(broadest).max(Self::SIZE.width);
        let explains = self.has_reasons() || widest > width.min(area.width);
        let foot = if explains { Self::FOOT } else { 0 };
        let rows = rows.saturating_add(Self::HEAD + foot);
        Size::new(width, rows.min(tallest.max(Self::SIZE.height)))
    }

    /// Cells of the names of keys, over all items, found or not: columns that move while one types are hard to read.
    fn key_width(&self) -> u16 {
        let widths = self
            .items
            .iter()
            .map(|item| cells::width(&visible(&item.key)));
        widths
            .filter(|width| *width <= self.key_room)
            .max()
            .unwrap_or_default()
    }

    /// What the selected item does where its row has no room for that, and why it cannot be chosen now.
    fn explanation(&self, settled: Rows, theme: &Theme, width: u16) -> Vec<Line<'static>> {
        let Some(hit) = self.cursor.selected(self.hits.len()) else {
            return Vec::new();
        };
        let item = &self.items[self.hits[hit].item];
        let is_cut = self.is_cut(hit, settled, theme);
        let is_named = is_cut && !item.label.is_empty();
        let label = is_named.then(|| Span::styled(visible(&item.label).into_owned(), theme.dim));
        let why = item.enabled.as_ref().err();
        let why = why.map(|why| Span::styled(format!("not now: {}", visible(why)), theme.warn));
        let between = label.is_some() && why.is_some();
        let between = between.then(|| Span::styled("; ", theme.dim));
        let spans: Vec<Span<'static>> = label.into_iter().chain(between).chain(why).collect();
        if spans.is_empty() {
            return Vec::new();
        }
        cells::wrap(Line::from(spans), width)
    }

    /// Whether a row has no room for all that it says.
    fn is_cut(&self, hit: usize, settled: Rows, theme: &Theme) -> bool {
        let item = &self.items[self.hits[hit].item];
        let line = self.line(&self.hits[hit], settled, theme);
        !line.to_string().contains(&*visible(&item.label))
            || !line.to_string().contains(&*item.aside())
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
        if room > 0 {
            frame.render_widget(Line::styled(count, theme.dim).right_aligned(), row);
        }
        let [field, _] = areas::split_at(row, row.width - room);
        self.field.draw_behind("/", frame, field, theme);
    }

    /// The columns in so many cells.
    fn settle(&self, room: u16) -> Rows {
        // A reason why not is worth more than the end of a label.
        let widest = if self.has_reasons() && room > Self::SIZE.width / 2 {
            room / 8 * 5
        } else {
            room
        };
        let labels = self
            .items
            .iter()
            .map(|item| cells::width(&visible(&item.label)));
        Rows {
            room,
            key: self.key_width(),
            label: labels.max().unwrap_or_default().min(widest),
        }
    }

    fn draw_rows(&self, frame: &mut Frame<'_>, list: Rect, settled: Rows, pen: Pen<'_>) {
        let theme = pen.theme;
        let selected = self.cursor.selected(self.hits.len());
        let mut places = list.rows();
        let is_headed = list.height >= Self::LEAST && !self.is_searched();
        let headings = if is_headed { &self.headings[..] } else { &[] };
        for row in self.window(list.height.into(), headings) {
            if let Some((_, heading)) = headings.iter().find(|(before, _)| *before == row)
                && let Some(place) = places.next()
            {
                frame.render_widget(Line::styled(*heading, theme.title), place);
            }
            let Some(place) = places.next() else {
                return;
            };
            let line = self.line(&self.hits[row], settled, theme);
            let focus = (Some(row) == selected).then_some(Focus::Here);
            pen.list_row(frame, place, row, line, focus);
            if theme.spoken && row < 9 && !place.is_empty() {
                let number = (row + 1).to_string();
                frame.buffer_mut()[(place.x, place.y)].set_symbol(&number);
            }
        }
    }

    /// The rows in view, where headings take room of the list, too.
    fn window(&self, height: usize, headings: &[(usize, &str)]) -> Range<usize> {
        let mut window = self.cursor.window(self.hits.len(), height);
        loop {
            let shown = headings.iter().filter(|(row, _)| window.contains(row));
            if window.len() + shown.count() <= height {
                return window;
            }
            window = self.cursor.window(self.hits.len(), window.len() - 1);
        }
    }

    fn line(&self, hit: &PickerMatch, rows: Rows, theme: &Theme) -> Line<'_> {
        let item = &self.items[hit.item];
        let label = match &item.enabled {
            Ok(()) => Line::from(marked(&item.label, &hit.marks, theme)),
            Err(_) => Line::styled(visible(&item.label), theme.dim),
        };
        let key = visible(&item.key);
        let mut widths = [rows.key.max(cells::width(&key)), rows.label];
        let mut cells = vec![Line::styled(key, theme.dim), label];
        if self.by_name {
            widths.reverse();
            cells.reverse();
        }
        cells.push(Line::styled(item.aside(), theme.dim));
        let columns = [
            Column::new("", Width::Min(0)),
            Column::new("", Width::Min(0)),
            Column::new("", Width::Fill(Self::ASIDE)).right().rank(1),
        ];
        let settled = columns::settle(&columns, rows.room, |column| {
            widths.get(column).copied().unwrap_or_default()
        });
        settled.line(cells)
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
