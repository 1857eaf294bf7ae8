//! A text field of one line.

use std::{borrow::Cow, fmt};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::{
    Frame,
    layout::{Position, Rect},
    text::{Line, Span},
};
use tui_input::{Input, InputRequest};

use crate::tui::ui::{Focus, Theme, areas, cells, glyphs, sanitize};

/// A line of text with a cursor, edited with the keys of a shell.
#[derive(Clone, Default)]
pub struct TextField {
    input: Input,
    placeholder: Cow<'static, str>,
    masked: bool,
    /// Whether the whole text is selected: what is typed takes its place.
    selected: bool,
}

impl TextField {
    /// What a field takes at most, in bytes: a pasted log must not make typing slow.
    pub const LONGEST: usize = 64 * 1024;

    /// A field that shows `placeholder` while it is empty.
    pub fn new(placeholder: impl Into<Cow<'static, str>>) -> Self {
        Self {
            placeholder: placeholder.into(),
            ..Self::default()
        }
    }

    /// A field for a secret: shown as dots, and left out of debug output.
    pub fn masked(placeholder: impl Into<Cow<'static, str>>) -> Self {
        Self {
            masked: true,
            ..Self::new(placeholder)
        }
    }

    /// What was typed.
    #[must_use]
    pub fn value(&self) -> &str {
        self.input.value()
    }

    /// Whether nothing was typed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.value().is_empty()
    }

    /// Replaces the text; the cursor goes to its end.
    pub fn set(&mut self, text: &str) {
        self.input = Input::new(one_line(text, Self::LONGEST));
        self.selected = false;
    }

    /// Empties the field, and what was cut with `ctrl-k` with it.
    pub fn clear(&mut self) {
        self.input = Input::default();
        self.selected = false;
    }

    /// Selects the whole text: what is typed or pasted next takes its place, and a move of the cursor keeps it.
    pub fn select_all(&mut self) {
        self.selected = !self.is_empty();
    }

    /// Whether the whole text is selected.
    #[must_use]
    pub fn is_selected(&self) -> bool {
        self.selected
    }

    #[must_use]
    pub fn before_cursor(&self) -> &str {
        self.around_cursor().0
    }

    /// Puts a text in the place of what is between a byte and the cursor, which goes behind it.
    pub fn complete(&mut self, from: usize, by: &str) {
        let (before, after) = self.around_cursor();
        let Some(kept) = before.get(..from) else {
            return;
        };
        let start = format!("{kept}{by}");
        let cursor = start.chars().count();
        self.input = Input::new(start + after).with_cursor(cursor);
    }

    /// Types a key; returns whether the text changed. Keys that mean nothing to a line of text do nothing.
    pub fn on_key(&mut self, key: KeyEvent) -> bool {
        let Some(request) = request(key) else {
            return false;
        };
        let replaces = matches!(
            request,
            InputRequest::InsertChar(_)
                | InputRequest::DeletePrevChar
                | InputRequest::DeleteNextChar
                | InputRequest::DeletePrevWord
                | InputRequest::DeleteNextWord
        );
        if std::mem::take(&mut self.selected) {
            if replaces {
                self.clear();
                if let InputRequest::InsertChar(_) = request {
                    self.input.handle(request);
                }
                return true;
            }
            if request == InputRequest::Yank {
                return self.replace_by_cut();
            }
        }
        let full = self.value().len() >= Self::LONGEST;
        if full && matches!(request, InputRequest::InsertChar(_) | InputRequest::Yank) {
            return false;
        }
        self.input
            .handle(request)
            .is_some_and(|changed| changed.value)
    }

    /// Replaces the whole text by what was cut last; false where nothing was.
    fn replace_by_cut(&mut self) -> bool {
        let mut replaced = self.input.clone().with_value(String::new());
        let has_cut = replaced.handle(InputRequest::Yank).is_some();
        if has_cut {
            self.input = replaced;
        }
        has_cut
    }

    /// Inserts a pasted text at the cursor, as one line, into a masked field as it is; returns whether the text changed.
    pub fn paste(&mut self, text: &str) -> bool {
        let room = Self::LONGEST.saturating_sub(self.value().len());
        let pasted = if self.masked {
            // Taken as it is: a secret that was changed unseen would be another one.
            let text = text.trim_end_matches(['\r', '\n']);
            text[..text.floor_char_boundary(room)].to_owned()
        } else {
            one_line(text, room)
        };
        if pasted.is_empty() {
            return false;
        }
        if self.selected {
            self.set(&pasted);
            return true;
        }
        let cursor = self.input.cursor();
        let (before, after) = self.around_cursor();
        let value = format!("{before}{pasted}{after}");
        self.input = Input::new(value).with_cursor(cursor + pasted.chars().count());
        true
    }

    /// Draws the field in the first row of `area`, and places the cursor where the focus is here.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, theme: &Theme, focus: Focus) {
        if area.is_empty() {
            return;
        }
        let row = Rect { height: 1, ..area };
        if self.is_empty() {
            // The brackets tell it from a value without colour.
            let placeholder = format!("({})", self.placeholder);
            let placeholder = cells::cut(&placeholder, row.width);
            frame.render_widget(Line::styled(placeholder, theme.dim), row);
        }
        let (line, column) = self.view(row.width, theme);
        if !self.is_empty() {
            frame.render_widget(line, row);
        }
        if focus.is_here() {
            let position = Position::new(row.x + column, row.y);
            frame.set_cursor_position(position);
            if theme.spoken
                && let Some(cell) = frame.buffer_mut().cell_mut(position)
            {
                cell.modifier |= Theme::TYPED;
            }
        }
    }

    /// Draws the field with the focus, behind a sign such as `/`.
    pub fn draw_behind(&self, sign: &str, frame: &mut Frame<'_>, area: Rect, theme: &Theme) {
        let row = Rect {
            height: area.height.min(1),
            ..area
        };
        let [_, rest] = areas::split_at(row, cells::width(sign).saturating_add(1));
        frame.render_widget(Line::styled(sign, theme.accent), row);
        self.draw(frame, rest, theme, Focus::Here);
    }

    /// The part of the text that is shown in `room` cells, and the column of the cursor in it.
    ///
    /// A long text is shown in steps of half the room, so that the cursor moves and not the text, mostly. `…` is
    /// where text is left out.
    fn view(&self, room: u16, theme: &Theme) -> (Line<'_>, u16) {
        let (before, after) = self.around_cursor();
        let before = self.symbols(before);
        let cursor: usize = before.iter().map(|(_, cells)| usize::from(*cells)).sum();
        let start = first_column(cursor, room.into());
        let end = start + usize::from(room);
        let mut column = 0;
        let mut spans = Vec::new();
        let mut cut = None;
        for (symbol, cells) in before.into_iter().chain(self.symbols(after)) {
            let next = column + usize::from(cells);
            if next > end {
                cut = Some(column);
                break;
            }
            if column < start {
                // A wide symbol may begin before the first column and end after it.
                spans.extend((next > start).then(|| Span::raw(" ")));
            } else {
                let style = if self.selected {
                    theme.selected
                } else {
                    theme.text
                };
                spans.push(Span::styled(symbol, style));
            }
            column = next;
        }
        let ellipsis = || Span::styled(cells::ELLIPSIS, theme.dim);
        if start > 0 && cursor > start {
            replace(&mut spans, 0, &ellipsis());
        }
        if cut.is_some_and(|at| cursor + 1 < at) {
            let last = spans.len().saturating_sub(1);
            replace(&mut spans, last, &ellipsis());
        }
        let shown = u16::try_from(cursor - start).unwrap_or(u16::MAX);
        (Line::from(spans), shown.min(room.saturating_sub(1)))
    }

    fn symbols<'a>(&self, text: &'a str) -> Vec<(Cow<'a, str>, u16)> {
        let mask = |(symbol, cells)| {
            if self.masked {
                (Cow::Borrowed(glyphs::DOT), 1)
            } else {
                (Cow::Borrowed(symbol), cells)
            }
        };
        cells::graphemes(text).map(mask).collect()
    }

    fn around_cursor(&self) -> (&str, &str) {
        let value = self.value();
        let at = value
            .char_indices()
            .nth(self.input.cursor())
            .map_or(value.len(), |(at, _)| at);
        value.split_at(at)
    }
}

/// A secret must not reach a log by way of `{:?}`.
impl fmt::Debug for TextField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = if self.masked {
            "•••"
        } else {
            self.value()
        };
        f.debug_tuple("TextField").field(&shown).finish()
    }
}

/// Replaces a symbol by one that is as wide.
fn replace(spans: &mut [Span<'_>], at: usize, by: &Span<'_>) {
    if let Some(span) = spans.get_mut(at) {
        let rest = span.width().saturating_sub(by.width());
        let content = format!("{}{}", by.content, " ".repeat(rest));
        *span = Span::styled(content, by.style);
    }
}

/// The first column that is shown so that `cursor` is in view.
fn first_column(cursor: usize, room: usize) -> usize {
    let step = (room / 2).max(1);
    match cursor.checked_sub(room) {
        None => 0,
        Some(beyond) => (beyond / step + 1) * step,
    }
}

/// Text as it may be in a line: line breaks and tabs become blanks, what steers or hides is dropped.
fn one_line(text: &str, room: usize) -> String {
    let mut line = String::with_capacity(text.len().min(room));
    for character in text
        .trim_end_matches(['\r', '\n'])
        .replace("\r\n", "\n")
        .chars()
    {
        let shown = match character {
            '\n' | '\r' | '\t' => ' ',
            other if sanitize::is_typable(other) => other,
            _ => continue,
        };
        if line.len() + shown.len_utf8() > room {
            break;
        }
        line.push(shown);
    }
    line
}

/// What a key means to a line of text: the keys of emacs and readline, and those with a name.
fn request(key: KeyEvent) -> Option<InputRequest> {
    const NONE: KeyModifiers = KeyModifiers::NONE;
    const CTRL: KeyModifiers = KeyModifiers::CONTROL;
    const ALT: KeyModifiers = KeyModifiers::ALT;
    if key.kind == KeyEventKind::Release {
        return None;
    }
    Some(match (key.modifiers - KeyModifiers::SHIFT, key.code) {
        (NONE, KeyCode::Left) | (CTRL, KeyCode::Char('b')) => InputRequest::GoToPrevChar,
        (NONE, KeyCode::Right) | (CTRL, KeyCode::Char('f')) => InputRequest::GoToNextChar,
        (NONE, KeyCode::Home) | (CTRL, KeyCode::Char('a')) => InputRequest::GoToStart,
        (NONE, KeyCode::End) | (CTRL, KeyCode::Char('e')) => InputRequest::GoToEnd,
        (CTRL | ALT, KeyCode::Left) | (ALT, KeyCode::Char('b')) => InputRequest::GoToPrevWord,
        (CTRL | ALT, KeyCode::Right) | (ALT, KeyCode::Char('f')) => InputRequest::GoToNextWord,
        (NONE, KeyCode::Backspace) | (CTRL, KeyCode::Char('h')) => InputRequest::DeletePrevChar,
        (NONE, KeyCode::Delete) | (CTRL, KeyCode::Char('d')) => InputRequest::DeleteNextChar,
        (CTRL | ALT, KeyCode::Backspace) | (CTRL, KeyCode::Char('w')) => InputRequest::DeletePrevWord,
        (CTRL, KeyCode::Delete) | (ALT, KeyCode::Char('d')) => InputRequest::DeleteNextWord,
        (CTRL, KeyCode::Char('u')) => InputRequest::DeleteFromStart,
        (CTRL, KeyCode::Char('k')) => InputRequest::DeleteTillEnd,
        (CTRL, KeyCode::Char('y')) => InputRequest::Yank,
        (modifiers, KeyCode::Char(character))
            // Control and Alt together are how some terminals send AltGr.
            if (modifiers == NONE || modifiers == CTRL | ALT) && sanitize::is_typable(character) =>
        {
            InputRequest::InsertChar(character)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
