//! The user's notes on the address.

use std::net::IpAddr;

use ratatui::text::{Line, Span};

use crate::{
    model::visible,
    report::minute,
    tui::{
        ctx::{
            ViewCtx,
            sheet::{Meaning, SheetWriter},
        },
        ui::widgets::page::{PageRow, Section, SectionSide},
    },
};

/// Writes the notes on an address, the oldest first; on a screen that is shared, how many there are.
pub(super) fn push(address: IpAddr, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let mut section = Section::new("Notes", SectionSide::Both);
    for note in ctx.trail.notes(address) {
        if ctx.private {
            section.push(writer.aside("note hidden (ctrl-g)"));
            continue;
        }
        let text = visible(&note.text).into_owned();
        let line = Line::from(vec![
            Span::styled(format!("{}  ", minute(note.at)), theme.dim),
            Span::raw(text.clone()),
        ]);
        section.push(writer.anchor(PageRow::text(line), Meaning::new("note", text)));
    }
    writer.push(section);
}
