//! Pasted texts. A long one is gathered by the worker, as a job.

use super::{LookupFocus, LookupTab, NO_ADDRESS, field::LookupInput};
use crate::{
    investigation::gather::GatheredText,
    tui::{
        ctx::{Cmd, LONGEST_READ_AT_ONCE, PastedText, Question, UpdateCtx},
        ui::{Tone, words},
    },
};

impl LookupTab {
    /// A single address replaces the typed text; several open as a table at once, which is free.
    pub(super) fn pasted(&mut self, text: &str, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.part != LookupFocus::Field {
            return false;
        }
        if text.len() > LONGEST_READ_AT_ONCE {
            let label = format!("pasted text, {}", words::bytes(text.len() as u64));
            ctx.start(label, Question::Gather(PastedText::new(text, &self.zone)));
            ctx.out.say(Tone::Info, "reading the text; x stops it");
            self.leave_field(LookupFocus::Page, ctx);
            return true;
        }
        match LookupInput::of(text) {
            LookupInput::Several(_) | LookupInput::Address(_) => {
                let text = self.pasted_text(text, ctx);
                if text.addresses.is_empty() {
                    ctx.out.say(Tone::Warn, NO_ADDRESS);
                }
                self.gathered(text, false, ctx)
            }
            // A piece may complete what is typed.
            LookupInput::Bad(_) if self.field.0.is_empty() || self.field.0.is_selected() => {
                ctx.out.say(Tone::Warn, NO_ADDRESS);
                false
            }
            _ => false,
        }
    }

    /// The addresses of a text that is not in a file; if there are several, it is kept, to be read again.
    pub(super) fn pasted_text(&self, text: &str, ctx: &mut UpdateCtx<'_>) -> GatheredText {
        let gathered = GatheredText::read(text, false, &self.zone, ctx.out.now);
        let file = (gathered.addresses.len() > 1).then(|| ctx.facts.pastes.path_of(text));
        if file.is_some() {
            ctx.out.cmd(Cmd::KeepPaste(text.to_owned()));
        }
        GatheredText { file, ..gathered }
    }

    /// Takes the addresses of a long text, whatever is in the field by then.
    pub(super) fn gathered_long(&mut self, text: GatheredText, ctx: &mut UpdateCtx<'_>) {
        if text.addresses.is_empty() {
            return ctx.out.say(Tone::Warn, NO_ADDRESS);
        }
        if text.addresses.len() == 1 {
            self.focus(LookupFocus::Field);
        }
        self.gathered(text, true, ctx);
    }

    /// Takes the addresses of a text; returns whether it has one.
    pub(super) fn gathered(
        &mut self,
        text: GatheredText,
        is_file: bool,
        ctx: &mut UpdateCtx<'_>,
    ) -> bool {
        match (text.addresses.as_slice(), text.networks()) {
            ([(address, ..)], 0)
                if is_file || self.field.0.is_empty() || self.field.0.is_selected() =>
            {
                self.field.0.set(&address.to_string());
            }
            ([], _) | ([_], 0) => return false,
            _ => self.open_board(text, None, ctx),
        }
        true
    }
}
