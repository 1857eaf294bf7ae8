//! A record as a page, the telling things first: what was seen and how widely it is shared, where one can go on from here, the
//! clients, the sources; then every field of the contract (parts 2.1 to 2.5), what is absent shown as absent. Beside the page is
//! what each row is, for copying and for following.

mod around;
mod details;
pub mod hints;
pub(super) mod sources;
mod stability;
mod summary;

pub(super) use self::around::{is_pivot, lead_of};

use std::net::IpAddr;

use ratatui::text::{Line, Span};

use self::hints::{Hints, Room};
use super::{case::LookupCase, free_answers::ShownAnswer};
use crate::{
    model::visible,
    report::minute,
    tui::{
        ctx::{
            ViewCtx,
            destination::Destination,
            sheet::{Meaning, Sheet, SheetWriter},
        },
        ui::widgets::page::{PageRow, SectionSide},
    },
};

#[must_use]
pub fn page(
    case: &LookupCase,
    shown: ShownAnswer<'_>,
    room: Room,
    hints: &Hints,
    ctx: &ViewCtx<'_>,
) -> Sheet {
    let mut writer = SheetWriter::new(ctx.theme);
    let is_narrow = room == Room::Narrow;
    if is_narrow {
        writer.tighten();
    }
    let place = |writer: &mut SheetWriter<'_>, side| {
        writer.place_on((room == Room::Broad).then_some(side));
    };
    push_other_day(hints, &mut writer);
    summary::push(case, shown, room, &mut writer);
    push_notes(case.query.address, ctx, &mut writer);
    place(&mut writer, SectionSide::Left);
    around::push(case, hints, ctx, &mut writer);
    let context = shown.record.map(|record| &record.context);
    if let Some(context) = context.filter(|_| is_narrow) {
        summary::clients(context, &mut writer);
    }
    if let Some(context) = context.filter(|_| !is_narrow) {
        details::network(context, case.query.geolocation, &mut writer);
        details::clients(context, &mut writer);
    }
    place(&mut writer, SectionSide::Right);
    if is_narrow {
        sources::line(case, shown, &mut writer);
    } else {
        sources::table(case, shown, "Sources", ctx, &mut writer);
    }
    sources::differences(case, &mut writer);
    if let Some(context) = context {
        details::tunnels(context, &mut writer);
        details::tunnel_addresses(context, &case.query, hints, ctx, &mut writer);
        details::proxies(context, &mut writer);
    }
    if let Some(context) = context.filter(|_| is_narrow) {
        details::network(context, case.query.geolocation, &mut writer);
        details::clients(context, &mut writer);
    }
    if is_narrow {
        sources::table(case, shown, "Each source", ctx, &mut writer);
    }
    place(&mut writer, SectionSide::Left);
    sources::fields(case, &mut writer);
    if let Some(record) = shown.record {
        let (context, lossy) = (&record.context, record.document.lossy());
        writer.beyond(&context.unknown, &context.odd, lossy, ctx.theme.warn);
    }
    writer.place_on(None);
    sources::provenance(shown, ctx, &mut writer);
    writer.finish()
}

/// Writes that the record is of another day; from there Enter leads to that of the day of lookups.
fn push_other_day(hints: &Hints, writer: &mut SheetWriter<'_>) {
    let Some((query, words)) = &hints.other_day else {
        return;
    };
    let row = PageRow::text(Line::styled(words.clone(), writer.theme.warn));
    let meaning = Meaning::new("another day", words.clone()).to(Destination::Address(*query));
    writer.begin("", "", SectionSide::Both);
    writer.stop(row, meaning);
}

/// Writes the notes on an address, the oldest first; on a screen that is shared, how many there are.
fn push_notes(address: IpAddr, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    writer.begin("Notes", "", SectionSide::Both);
    for note in ctx.trail.notes(address) {
        if ctx.private {
            writer.remark("note hidden (ctrl-g)");
            continue;
        }
        let text = visible(&note.text).into_owned();
        let line = Line::from(vec![
            Span::styled(format!("{}  ", minute(note.at)), theme.dim),
            Span::raw(text.clone()),
        ]);
        writer.stop(PageRow::text(line), Meaning::new("note", text));
    }
}
