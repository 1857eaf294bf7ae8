//! The trail as a pane: the stops with the words that were typed, one line each, with sign, day and age.

use crate::tui::{
    ctx::{
        intent::Gesture,
        trail::{Depth, Trail, TrailStop, Visit},
    },
    ui::{
        cursor::{Cursor, Motion},
        widgets::text_field::TextField,
    },
};

/// The cursor in the trail, and the words that stops must have.
#[derive(Debug)]
pub(super) struct TrailPane {
    pub(super) cursor: Cursor,
    pub(super) words: TextField,
    pub(super) is_typing: bool,
}

impl Default for TrailPane {
    fn default() -> Self {
        Self {
            cursor: Cursor::default(),
            words: TextField::new("words of an address, a tag or a note"),
            is_typing: false,
        }
    }
}

impl TrailPane {
    /// The words, while they are typed.
    pub(super) fn field(&mut self) -> Option<&mut TextField> {
        self.is_typing.then_some(&mut self.words)
    }

    /// The stops that are shown.
    pub(super) fn stops<'t>(&self, trail: &'t Trail) -> Vec<(&'t Visit, Depth)> {
        trail.found(self.words.value())
    }

    /// The stop under the cursor.
    pub(super) fn selected(&self, trail: &Trail) -> Option<TrailStop> {
        let stops = self.stops(trail);
        let (visit, _) = stops.get(self.cursor.selected(stops.len())?)?;
        Some(visit.stop.clone())
    }

    pub(super) fn go(&mut self, motion: Motion, trail: &Trail) {
        let len = self.stops(trail).len();
        self.cursor.step(motion, len);
    }

    /// Handles a gesture about the words; returns whether it was.
    pub(super) fn on(&mut self, gesture: Gesture) -> bool {
        match gesture {
            Gesture::Find if !self.is_typing => self.is_typing = true,
            Gesture::Open | Gesture::NextPane | Gesture::PreviousPane if self.is_typing => {
                self.is_typing = false;
            }
            Gesture::Escape if self.is_typing || !self.words.is_empty() => self.clear(),
            _ => return false,
        }
        true
    }

    /// Shows all stops again.
    pub(super) fn clear(&mut self) {
        self.is_typing = false;
        self.words.clear();
    }
}
