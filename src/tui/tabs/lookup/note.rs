//! Notes on an address: kept in the log beside the trail, shown on the page and in the ticket note.

use std::net::IpAddr;

use ratatui::{
    Frame,
    layout::{Rect, Size},
};

use crate::{
    engine::trail::{LONGEST_NOTE, TrailEntry},
    tui::{
        ctx::{Cmd, Flow, Gesture, Scope, Surface, UpdateCtx, ViewCtx},
        ui::{Focus, Popup, TextField, Tone},
    },
};

/// A note that is being written.
#[derive(Debug)]
pub(super) struct Note {
    address: IpAddr,
    field: TextField,
}

impl Note {
    pub(super) fn on_address(address: IpAddr) -> Self {
        let field = TextField::new("a line about this address; it stays on this machine");
        Self { address, field }
    }
}

impl Surface for Note {
    fn scope(&self) -> Scope {
        Scope::Input
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(&mut self.field)
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Open => {
                let text = self.field.value().trim();
                if !text.is_empty() {
                    let text = text.chars().take(LONGEST_NOTE).collect();
                    annotate(self.address, text, ctx);
                }
                Flow::Close
            }
            Gesture::Escape => Flow::Close,
            _ => Flow::Ignored,
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let size = Size::new(area.width.saturating_sub(12).min(90), 1);
        let inner = Popup::new(format!("Note on {}", self.address), size)
            .key(ctx.theme, "enter", "keep", 0)
            .key(ctx.theme, "esc", "leave", 0)
            .draw(frame, area, ctx);
        self.field.draw(frame, inner, ctx.theme, Focus::Here);
    }
}

/// Adds a note on an address; an empty text undoes the last one. Returns whether anything changed.
pub(super) fn annotate(address: IpAddr, text: String, ctx: &mut UpdateCtx<'_>) -> bool {
    let now = ctx.out.now;
    let words = if text.is_empty() {
        "note undone"
    } else {
        "noted; u undoes it"
    };
    let is_new = ctx.trail.annotate(address, now, text.clone());
    if is_new {
        ctx.out
            .cmd(Cmd::Remember(TrailEntry::Noted(address, now, text)));
        ctx.out.say(Tone::Ok, format!("{address}: {words}"));
    }
    is_new
}
