//! Why a key of the browser currently does nothing. Help shows the reason, and the footer omits the key.

use super::{
    Browser, BrowserFocus, BrowserOverlay, action::BrowserAction, actions::VALUE_IN_FOCUS, columns,
    marking::NO_EXPORT,
};
use crate::tui::{ctx::intent::Gesture, ui::cursor::Motion};

/// The message if there is nothing under the cursor.
const NO_RECORD: &str = "there is no record under the cursor";

impl Browser {
    /// Whether going back leads to the table that opened the records. An overlay is closed by esc instead.
    pub(in crate::tui::tabs::feeds) fn steps_back(&self) -> bool {
        match &self.over {
            Some(BrowserOverlay::Days(days)) => days.is_from_list,
            Some(_) => false,
            None => self.is_from_table,
        }
    }

    /// The effect of esc on the records.
    pub(in crate::tui::tabs::feeds) fn closes(&self) -> Option<&'static str> {
        Some(match &self.over {
            Some(BrowserOverlay::Days(days)) if days.is_from_list => "feeds",
            Some(_) => return None,
            None if self.part == BrowserFocus::Facets => "records",
            None if self.marks.is_pending() => "stop",
            None if self.marks.anchor.is_some() => "no range",
            None if !self.marks.is_empty() => "unmark",
            None if !self.query.filter.is_empty() => "clear filter",
            None => "feeds",
        })
    }

    /// Why a gesture that all tabs share does nothing.
    pub(in crate::tui::tabs::feeds) fn idle_gesture(
        &self,
        gesture: Gesture,
    ) -> Option<&'static str> {
        let is_covered = matches!(
            self.over,
            Some(BrowserOverlay::Menu(_) | BrowserOverlay::Clauses | BrowserOverlay::Days(_))
        );
        let is_compared = matches!(self.over, Some(BrowserOverlay::Days(_)));
        if is_compared && gesture == Gesture::Sort {
            return Some("compared records cannot be sorted; tab lists one kind alone");
        }
        if is_covered && !is_compared && matches!(gesture, Gesture::Find | Gesture::NextPane) {
            return Some("esc closes what is on top first");
        }
        let is_place = matches!(self.over, Some(BrowserOverlay::GoTo(_)));
        if is_place && matches!(gesture, Gesture::NextPane | Gesture::Go(Motion::Up)) {
            return Some("a place has no history");
        }
        if self.has_facets_in_focus() && gesture == Gesture::Raw {
            return Some(VALUE_IN_FOCUS);
        }
        let none = match (&self.over, gesture) {
            (Some(BrowserOverlay::Filter(_)), Gesture::Go(Motion::Up)) => self.history.is_empty(),
            (None | Some(BrowserOverlay::Days(_)), Gesture::Raw) => self.document().is_none(),
            (Some(BrowserOverlay::Days(days)), Gesture::Open) => {
                days.selected().and_then(|row| row.address).is_none()
            }
            (None, Gesture::Open) if self.part == BrowserFocus::Facets => {
                self.facets.selected(&self.query).is_none()
            }
            (None, Gesture::Open) => self.selected().is_none() && self.dropping().is_none(),
            _ => false,
        };
        none.then_some(NO_RECORD)
    }

    /// Why an action of the browser does nothing.
    pub(in crate::tui::tabs::feeds) fn idle_own(
        &self,
        action: BrowserAction,
    ) -> Option<&'static str> {
        if self.over.is_some() {
            return None;
        }
        let in_facets = self.part == BrowserFocus::Facets;
        match action {
            BrowserAction::MarkRange => in_facets.then_some(VALUE_IN_FOCUS),
            BrowserAction::Collect | BrowserAction::Unlike | BrowserAction::Like if in_facets => {
                let none = self.facets.selected(&self.query).is_none();
                none.then_some("there is no value under the cursor")
            }
            BrowserAction::Mark => self.selected().is_none().then_some(NO_RECORD),
            BrowserAction::Like | BrowserAction::Unlike => match self.selected() {
                None => Some(NO_RECORD),
                Some(row) => {
                    let none = self.kind().clauses(&row.terms).is_empty();
                    none.then_some("the filter has no term for this cell")
                }
            },
            BrowserAction::Tabulate => {
                let none = self.marks.addresses().next().is_none();
                none.then_some("no address is marked")
            }
            BrowserAction::Clauses => {
                let none = self.query.filter.is_empty();
                none.then_some("there is no filter: / types one")
            }
            BrowserAction::Facets => {
                let none = columns::facets(self.query.feed).is_empty();
                none.then_some("this feed has no fields whose values are counted")
            }
            BrowserAction::Export => self.exported().is_none().then_some(NO_EXPORT),
            BrowserAction::Compare if self.query.day.is_none() => {
                Some("windows of realtime are not compared")
            }
            _ => None,
        }
    }
}
