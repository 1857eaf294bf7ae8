//! A tour of six keys, pressed for real on whatever is there. Each step names one key, waits for it, and shows its result.
//!
//! No key of the tour spends a query, and none that it does not name does anything until it is left.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::Clear,
};

use crate::tui::{
    ctx::chord::Chord,
    ui::{
        theme::{Focus, Theme},
        widgets::pane::Pane,
    },
};

struct TourStep {
    key: KeyCode,
    does: &'static str,
    came: &'static str,
}

const STEPS: [TourStep; 6] = [
    TourStep {
        key: KeyCode::Char('4'),
        does: "goes to Feeds",
        came: "A downloaded feed answers lookups for free. p downloads one, Enter browses it.",
    },
    TourStep {
        key: KeyCode::Char('2'),
        does: "goes to Tags",
        came: "Operators and services by name. Space marks rows, / filters, s sorts: so in every list.",
    },
    TourStep {
        key: KeyCode::Char('3'),
        does: "goes to Quota",
        came: "What is left and what was spent. t tests the token with each host, free.",
    },
    TourStep {
        key: KeyCode::Char('1'),
        does: "goes to Lookup",
        came: "i takes an address, a network or a whole log. The price is shown before Enter.",
    },
    TourStep {
        key: KeyCode::Tab,
        does: "moves to the next part of the screen",
        came: "The trail keeps what was looked up. Backspace leads back to it, with row and filter.",
    },
    TourStep {
        key: KeyCode::Char('?'),
        does: "lists the keys of this place",
        came: "Type to search, Enter runs. `:` lists commands, y copies: y m a note for a ticket.",
    },
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tour {
    done: usize,
}

impl Tour {
    fn next(self) -> Option<&'static TourStep> {
        STEPS.get(self.done)
    }

    /// The key that it waits for; none at its end.
    #[must_use]
    pub fn key(self) -> Option<KeyCode> {
        self.next().map(|step| step.key)
    }

    /// The key was pressed.
    pub fn advance(&mut self) {
        self.done += 1;
    }

    /// Draws it at the lower end of an area.
    pub fn draw(self, frame: &mut Frame<'_>, area: Rect, theme: &Theme) {
        let came = self.done.checked_sub(1).map(|last| STEPS[last].came);
        let first = "Six keys, pressed for real; none of them costs a query.";
        let then = match self.next() {
            Some(step) => Line::from(vec![
                Span::raw("Press "),
                Span::styled(name(step.key), theme.key),
                Span::raw(format!(": it {}. ", step.does)),
                Span::styled("Esc leaves the tour.", theme.dim),
            ]),
            None => Line::styled("That was the tour. Any key goes on.", theme.dim),
        };
        let width = area.width.min(94);
        let height = area.height.min(4);
        let place = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.bottom() - height,
            width,
            height,
        };
        frame.render_widget(Clear, place);
        frame.buffer_mut().set_style(place, theme.base);
        let title = format!("Tour {}/{}", (self.done + 1).min(STEPS.len()), STEPS.len());
        let inner = Pane::new(title, Focus::Here).draw(frame, place, theme);
        let lines = [Line::raw(came.unwrap_or(first)), then];
        for (line, row) in lines.into_iter().zip(inner.rows()) {
            frame.render_widget(line, row);
        }
    }
}

#[must_use]
pub fn name(key: KeyCode) -> String {
    Chord::of(KeyEvent::from(key)).map_or_else(String::new, |chord| chord.to_string())
}
