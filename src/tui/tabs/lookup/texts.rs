//! Texts that are pasted or in files. A file and a long paste are gathered by the worker, as a job.

use std::net::IpAddr;

use super::{Board, LookupFocus, LookupTab, NO_ADDRESS, field::LookupInput};
use crate::{
    investigation::gather::GatheredText,
    tui::{
        ctx::{Cmd, GatherQuery, LONGEST_READ_AT_ONCE, PastedText, Question, TextFrom, UpdateCtx},
        ui::Tone,
    },
};

impl LookupTab {
    /// A single address replaces the typed text; several open as a table at once, which is free.
    pub(super) fn pasted(&mut self, text: &str, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.part != LookupFocus::Field {
            return false;
        }
        if text.len() > LONGEST_READ_AT_ONCE {
            let from = TextFrom::Paste(PastedText::new(text));
            let zone = self.zone.clone();
            Self::gather(from.label(), from, (false, zone), ctx);
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

    /// Opens the addresses of a file, whatever its length.
    pub(in crate::tui) fn open_file(&mut self, path: String, ctx: &mut UpdateCtx<'_>) {
        let from = TextFrom::File(path);
        Self::gather(from.label(), from, (false, self.zone.clone()), ctx);
        self.leave_field(LookupFocus::Page, ctx);
    }

    /// Reads the text of the table again, where it is in a file, as after another zone was chosen.
    pub(in crate::tui) fn read_table_again(&self, ctx: &mut UpdateCtx<'_>) {
        if let Some(board) = self.open_table() {
            self.read_again(board, board.is_at_time, ctx);
        }
    }

    /// The same, as of the days of its events or of today.
    pub(super) fn read_again(&self, board: &Board, by_day: bool, ctx: &mut UpdateCtx<'_>) {
        if let Some(path) = board.path() {
            let from = TextFrom::File(path.to_owned());
            // A kept paste has a name that says nothing.
            let how = (by_day, self.zone.clone());
            Self::gather("text of the table".to_owned(), from, how, ctx);
        }
    }

    /// Reads a text in the background: with a row for each day of events or not, and with the zone of times that name none.
    pub(super) fn gather(
        label: String,
        from: TextFrom,
        (by_day, zone): (bool, String),
        ctx: &mut UpdateCtx<'_>,
    ) {
        ctx.start(label, Question::Gather(GatherQuery { from, by_day, zone }));
        ctx.out.say(Tone::Info, "reading the text; x stops it");
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

    /// Opens the table of addresses that were marked elsewhere. They are kept like a pasted text.
    pub(super) fn open_marked(
        &mut self,
        addresses: Vec<IpAddr>,
        name: String,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let lines = addresses.iter().map(|address| format!("{address}\n"));
        let text: String = lines.collect();
        let file = ctx.facts.pastes.path_of(&text);
        ctx.out.cmd(Cmd::KeepPaste(text));
        self.boards.call(&file, name, ctx.out.now);
        let gathered = GatheredText::of_addresses(addresses);
        let file = Some(file);
        self.open_board(GatheredText { file, ..gathered }, ctx);
    }

    /// Takes the addresses of a text that was gathered in the background, whatever is in the field by then.
    pub(super) fn gathered_long(&mut self, text: GatheredText, ctx: &mut UpdateCtx<'_>) {
        if text.addresses.is_empty() {
            return ctx.out.say(Tone::Warn, NO_ADDRESS);
        }
        if text.addresses.len() == 1 {
            self.focus(LookupFocus::Field);
        }
        if self.part != LookupFocus::Field || text.addresses.len() < 2 {
            self.gathered(text, true, ctx);
            return;
        }
        // Who types is not moved, and loses nothing.
        let (typed, page) = (
            self.field.0.value().to_owned(),
            std::mem::take(&mut self.page),
        );
        self.gathered(text, true, ctx);
        self.page = page;
        self.leave_beginning(ctx);
        self.focus(LookupFocus::Field);
        self.field.0.set(&typed);
        ctx.out.say(Tone::Ok, "the table is read: I shows it");
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
            _ => self.open_board(text, ctx),
        }
        true
    }
}
