//! Whether a file may be written under a name: one that is there is replaced only after a question.

use std::path::Path;

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::Line,
};

use super::{Asked, Gesture, Question, TabReply, UpdateCtx, ViewCtx};
use crate::{
    model::visible,
    tui::ui::{Popup, Tone, cells},
};

#[derive(Debug, Default)]
pub struct FileCheck(Asked<Question, bool>);

impl FileCheck {
    /// Looks whether there is a file with this name.
    pub fn look(&mut self, path: &Path, ctx: &mut UpdateCtx<'_>) {
        self.0.ask_anew(Question::IsThere(path.to_owned()), ctx);
    }

    /// Another name is being typed: an answer about the one before no longer counts.
    pub fn forget(&mut self) {
        self.0 = Asked::default();
    }

    /// Whether the user is asked if the file is to be replaced.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.0.answer() == Some(&true)
    }

    /// Handles a gesture while the user is asked; returns whether the file is to be replaced, and nothing where nobody is asked.
    pub fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Option<bool> {
        if !self.asks() {
            return None;
        }
        match gesture {
            Gesture::Yes => return Some(true),
            Gesture::No | Gesture::Escape => self.forget(),
            _ => ctx.out.say(Tone::Info, "y replaces the file, n keeps it"),
        }
        Some(false)
    }

    /// Whether there is no file with this name.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.0.answer() == Some(&false)
    }

    /// Takes the answer; returns another one.
    pub fn settle<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let other = self.0.settle(reply);
        if let (None, Some(error)) = (&other, self.0.error()) {
            ctx.out.say(Tone::Error, error.message.clone());
        }
        other
    }

    /// Draws the question.
    pub fn draw(&self, path: &Path, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let width = area.width.saturating_sub(8).min(70);
        let inner = Popup::new("Replace this file?", Size::new(width, 1))
            .key(ctx.theme, "y", "replace", 0)
            .key(ctx.theme, "n", "another name", 0)
            .draw(frame, area, ctx);
        let file = path.display().to_string();
        let file = cells::cut_start(&visible(&file), inner.width).into_owned();
        frame.render_widget(Line::raw(file), inner);
    }
}
