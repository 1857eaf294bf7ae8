//! Notes on an address: a line or more, kept in the log beside the trail, on the page and in the ticket note.

use super::LookupTab;
use crate::{
    engine::trail::{LONGEST_NOTE, TrailEntry},
    tui::{
        ctx::{UpdateCtx, cmd::Cmd, intent::Gesture},
        ui::{theme::Tone, widgets::text_field::TextField},
    },
};

impl LookupTab {
    /// Begins a note on the address that is shown.
    pub(super) fn begin_note(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.here.is_some() {
            self.note = Some(TextField::new(
                "a line about this address; it stays on this machine",
            ));
        } else {
            ctx.out.say(Tone::Info, "nothing is looked up yet");
        }
    }

    pub(super) fn on_note(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        match gesture {
            Gesture::Open => {
                let text = self
                    .note
                    .take()
                    .map(|field| field.value().trim().to_owned());
                let text = text.filter(|text| !text.is_empty());
                if let Some(text) = text {
                    let text: String = text.chars().take(LONGEST_NOTE).collect();
                    self.annotate(text, ctx);
                }
            }
            Gesture::Escape => self.note = None,
            _ => return false,
        }
        true
    }

    /// Undoes the last note on the address; returns whether there was one.
    pub(super) fn take_note_back(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        self.annotate(String::new(), ctx)
    }

    fn annotate(&mut self, text: String, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(query) = self.here else {
            return false;
        };
        let (address, now) = (query.address, ctx.out.now);
        let said = if text.is_empty() {
            "note undone"
        } else {
            "noted; u undoes it"
        };
        let is_new = ctx.trail.annotate(address, now, text.clone());
        if is_new {
            ctx.out
                .cmd(Cmd::Remember(TrailEntry::Noted(address, now, text)));
            ctx.out.say(Tone::Ok, format!("{address}: {said}"));
        }
        is_new
    }
}
