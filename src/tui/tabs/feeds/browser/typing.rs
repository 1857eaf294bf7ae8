//! The text fields of the browser: the filter, and the place to go to.

use super::{Browser, BrowserOverlay, BrowserUndo, filter_line::FilterLine};
use crate::{
    model::{Subject, parse_subject},
    tui::{
        ctx::{UpdateCtx, intent::Gesture, request::Question},
        ui::{theme::Tone, widgets::text_field::TextField},
    },
};

impl Browser {
    /// The text field that is open, if any.
    pub(in crate::tui::tabs::feeds) fn field(&mut self) -> Option<&mut TextField> {
        match &mut self.over {
            Some(BrowserOverlay::Filter(line)) => Some(&mut line.field),
            Some(BrowserOverlay::GoTo(field)) => Some(field),
            _ => None,
        }
    }

    /// Updates the filter after its text has changed.
    pub(in crate::tui::tabs::feeds) fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(BrowserOverlay::Filter(line)) = &mut self.over {
            line.follow(&self.query, ctx);
            self.preview(ctx);
        }
    }

    /// Shows the records of the typed filter, as far as it can be parsed.
    pub(super) fn preview(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(BrowserOverlay::Filter(line)) = &mut self.over
            && let Some(filter) = line.preview()
        {
            self.show_filter(filter, ctx);
        }
    }

    pub(super) fn type_filter(&mut self, ctx: &mut UpdateCtx<'_>) {
        let mut line = FilterLine::of(&self.query.filter);
        line.follow(&self.query, ctx);
        self.over = Some(BrowserOverlay::Filter(Box::new(line)));
    }

    /// Opens the field for the place to go to.
    pub(super) fn type_place(&mut self) {
        let field = TextField::new("a row number, an address or a network");
        self.over = Some(BrowserOverlay::GoTo(field));
    }

    pub(super) fn on_filter(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(BrowserOverlay::Filter(line)) = &mut self.over else {
            return false;
        };
        match gesture {
            Gesture::NextPane | Gesture::PreviousPane => {
                let step = if gesture == Gesture::NextPane { 1 } else { -1 };
                if line.complete(step) {
                    self.preview(ctx);
                } else if line.take_mend() {
                    self.typed(ctx);
                }
            }
            Gesture::Go(motion) => {
                if line.recall(motion, &self.history) {
                    self.typed(ctx);
                }
            }
            Gesture::Open => self.apply(ctx),
            Gesture::Escape => drop(self.close_over(ctx)),
            _ => return false,
        }
        true
    }

    /// Applies the typed filter.
    fn apply(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(BrowserOverlay::Filter(line)) = &mut self.over else {
            return;
        };
        // The message is shown below the field and disappears with the mistake; a notice would stay.
        let Some(filter) = line.read() else {
            return line.refuse();
        };
        let text = filter.to_string();
        let Some(BrowserOverlay::Filter(line)) = self.over.take() else {
            return;
        };
        let before = line.close(ctx);
        if !text.is_empty() && self.history.last() != Some(&text) {
            self.history.retain(|own| *own != text);
            self.history.push(text);
        }
        if before != filter {
            self.keep(BrowserUndo::Filter(before));
        }
        self.show_filter(filter, ctx);
        self.amend_trail(ctx);
    }

    /// Handles a gesture in the field for a place.
    pub(super) fn on_place(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        match gesture {
            Gesture::Open => {
                let Some(BrowserOverlay::GoTo(field)) = self.over.take() else {
                    return false;
                };
                self.seek_text(field.value().trim(), ctx);
            }
            Gesture::Escape => self.over = None,
            Gesture::NextPane | Gesture::PreviousPane | Gesture::Go(_) => {}
            _ => return false,
        }
        true
    }

    fn seek_text(&mut self, text: &str, ctx: &mut UpdateCtx<'_>) {
        let digits: String = text.chars().filter(|letter| *letter != ',').collect();
        if let Ok(row) = digits.parse::<usize>() {
            return self.go_to(row.saturating_sub(1), ctx);
        }
        match parse_subject(text) {
            Ok(subject) => self.seek(subject, true, ctx),
            Err(_) if text.is_empty() => {}
            Err(_) => {
                let text = format!("{text:?} is neither a row number nor an address");
                ctx.out.say(Tone::Warn, text);
            }
        }
    }

    /// Searches for the record of an address or network in the view.
    pub(super) fn seek(&mut self, subject: Subject, is_asked: bool, ctx: &mut UpdateCtx<'_>) {
        self.stop_seek(ctx);
        self.sought = Some((subject, is_asked));
        let question = Question::Position(self.query.clone(), subject.network());
        self.seek.begin(ctx.ask(question));
    }
}
