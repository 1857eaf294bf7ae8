//! Which part of a table has the focus: its rows, the values beside them, or the times above them; and the keys of the times.

use super::{Board, BoardPart, times};
use crate::tui::{ctx::Gesture, ui::Motion};

impl Board {
    /// Whether keys are about a value beside the table.
    pub(in crate::tui::tabs::lookup) fn is_in_facets(&self) -> bool {
        self.part() == BoardPart::Facets
    }

    /// Whether keys are about the times above the table.
    pub(in crate::tui::tabs::lookup) fn is_in_times(&self) -> bool {
        self.part() == BoardPart::Times
    }

    /// The part that has the focus.
    pub(in crate::tui::tabs::lookup) fn part(&self) -> BoardPart {
        if self.parts().any(|part| part == self.part) {
            self.part
        } else {
            BoardPart::Rows
        }
    }

    /// The parts that there are, in the order in which the focus goes through them.
    fn parts(&self) -> impl Iterator<Item = BoardPart> {
        let all = [
            (BoardPart::Rows, true),
            (BoardPart::Facets, self.facets.is_some()),
            (BoardPart::Times, self.times.is_shown()),
        ];
        all.into_iter()
            .filter_map(|(part, is_there)| is_there.then_some(part))
    }

    /// Moves the focus to a part.
    pub(in crate::tui::tabs::lookup) fn focus(&mut self, part: BoardPart) {
        self.part = part;
    }

    /// Moves the focus to the next part, or to the one before; returns whether there is another one.
    pub(super) fn focus_beside(&mut self, is_back: bool) -> bool {
        let parts: Vec<BoardPart> = self.parts().collect();
        let at = parts.iter().position(|part| *part == self.part());
        let step = if is_back { parts.len() - 1 } else { 1 };
        self.part = parts[(at.unwrap_or_default() + step) % parts.len()];
        parts.len() > 1
    }

    /// The time under the cursor as a term of a filter, if the times have the focus.
    pub(in crate::tui::tabs::lookup) fn time_in_focus(&self) -> Option<String> {
        let time = self.times.here().filter(|_| self.is_in_times());
        time.map(|span| format!("time:{span}"))
    }

    /// Shows the values and moves the focus to them; hides them if they have it.
    pub(in crate::tui::tabs::lookup) fn switch_facets(&mut self) {
        if self.is_in_facets() {
            self.facets = None;
        } else {
            self.facets.get_or_insert_default();
            self.part = BoardPart::Facets;
        }
    }

    /// What Esc does in the times above the table, if they have the focus.
    pub(in crate::tui::tabs::lookup) fn hint_of_times(&self) -> Option<&'static str> {
        self.is_in_times().then(|| match self.times.span() {
            _ if self.times.has_range() => "no range",
            Some(_) => "all times",
            None => "rows",
        })
    }

    /// Handles a gesture in the times above the table; returns whether it has a meaning there.
    pub(super) fn on_times(&mut self, gesture: Gesture) -> bool {
        match gesture {
            Gesture::Go(Motion::Down) => self.part = BoardPart::Rows,
            Gesture::Go(motion) => self.times.step(motion),
            Gesture::Mark | Gesture::MarkRange => self.times.mark(),
            Gesture::Open => {
                if let Some(filter) = self.times.choose(&self.list) {
                    self.list.filter_by(&filter);
                }
            }
            Gesture::Escape if self.times.has_range() => self.times.mark(),
            Gesture::Escape if self.times.span().is_some() => {
                let filter = times::terms_of(&self.list).with(None);
                self.list.filter_by(&filter);
            }
            Gesture::Escape => self.part = BoardPart::Rows,
            _ => return false,
        }
        true
    }
}
