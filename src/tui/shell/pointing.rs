//! Mouse actions: a click goes to its target, a second click on the same row acts like Enter, the wheel moves the area below it.
//!
//! A click refers to the last drawing. A single click opens nothing, so that the price of a second one is visible before it.
//! Questions are answered by keys only.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::{app::App, overlay::Overlay, registry::Action};
use crate::tui::{
    ctx::{
        intent::{Gesture, Intent, Scope},
        outbox::Outbox,
        tab::TabEvent,
    },
    ui::{
        cursor::Motion,
        spots::{ClickTarget, Ground},
    },
};

/// Rows by which the wheel moves.
const NOTCH: usize = 3;

/// Whether a mouse event has an effect. Movements have none, and cause no drawing.
pub(super) fn is_of_use(kind: MouseEventKind) -> bool {
    matches!(
        kind,
        MouseEventKind::Down(MouseButton::Left)
            | MouseEventKind::ScrollUp
            | MouseEventKind::ScrollDown
    )
}

impl App {
    /// Handles a mouse event. The tour only uses keys.
    pub(super) fn mouse(&mut self, event: MouseEvent, out: &mut Outbox) {
        if self.tour.is_some() {
            return;
        }
        let at = Position::new(event.column, event.row);
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(at, out),
            MouseEventKind::ScrollUp => self.wheel(at, Motion::Up, out),
            MouseEventKind::ScrollDown => self.wheel(at, Motion::Down, out),
            _ => {}
        }
    }

    fn click(&mut self, at: Position, out: &mut Outbox) {
        let clicked = self.clicked.take();
        if self.overlay.is_none() && self.areas(out.now).header.contains(at) {
            if let Some(tab) = self.heading_at(at.x) {
                self.act(Intent::Action(Action::Front(tab)), out);
            }
            return;
        }
        let (ground, target) = self.spots.at(at);
        match ground {
            Ground::Beside => return self.click_beside(out),
            Ground::Pane(pane) if !self.raw.contains_key(&self.tab) => {
                if let Some(surfaces) = self.surfaces.get_mut(&self.tab) {
                    surfaces.retain(|surface| surface.lines() == 0);
                }
                self.tell(TabEvent::Pointed(pane), out);
            }
            Ground::Bare | Ground::Pane(_) | Ground::Over => {}
        }
        match target {
            Some(ClickTarget::Head(order)) => self.sort_by_head(order, out),
            Some(ClickTarget::Hint(at)) => {
                let hint = self.offered(&self.scopes(), out.now).nth(at);
                if let Some(intent) = hint.map(|hint| hint.intent) {
                    self.act(intent, out);
                }
            }
            Some(ClickTarget::Row {
                at: row,
                is_selected,
            }) => {
                let here = (self.tab, ground, row);
                if is_selected && clicked == Some(here) {
                    self.act(Intent::Shared(Gesture::Open), out);
                } else {
                    self.act(Intent::Shared(Gesture::Go(Motion::To(row))), out);
                    self.clicked = Some(here);
                }
            }
            None => {}
        }
    }

    /// Closes the overlay after a click beside it, unless it is a question or has typed text.
    fn click_beside(&mut self, out: &mut Outbox) {
        let asks = match &self.overlay {
            Some(Overlay::Setup(_)) => true,
            _ => matches!(
                self.scopes().first(),
                Some(Scope::Confirm | Scope::Erasing | Scope::Stopping)
            ),
        };
        let is_typed = self.field().is_some_and(|field| !field.is_empty());
        if !asks && !is_typed {
            self.act(Intent::Shared(Gesture::Escape), out);
        }
    }

    fn wheel(&mut self, at: Position, motion: Motion, out: &mut Outbox) {
        self.clicked = None;
        let (ground, _) = self.spots.at(at);
        for _ in 0..NOTCH {
            match ground {
                Ground::Bare | Ground::Beside => return,
                Ground::Pane(pane) if !self.raw.contains_key(&self.tab) => {
                    if !self.tell(TabEvent::MovedIn(pane, motion), out) {
                        self.in_front(out, |tab, ctx| tab.on(Gesture::Go(motion), ctx));
                    }
                }
                Ground::Pane(_) | Ground::Over => {
                    self.act(Intent::Shared(Gesture::Go(motion)), out);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
