//! A record as a page, the telling things first: what was seen and how widely it is shared, where one can go on from here, the
//! clients, the sources; then every field of the contract (parts 2.1 to 2.5), what is absent shown as absent. Beside the page is
//! what each row is, for copying and for following.

mod around;
mod details;
mod difference;
mod hints;
mod notes;
mod provenance;
mod room;
mod sources;
mod stability;
mod summary;

pub(super) use self::around::{is_pivot, lead_of};
pub use self::{hints::Hints, room::Room};
use super::{case::LookupCase, free_answers::ShownAnswer};
use crate::tui::{
    ctx::{
        ViewCtx,
        sheet::{Sheet, SheetWriter},
    },
    ui::widgets::page::SectionSide,
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
    hints::push(hints, &mut writer);
    summary::push(case, shown, room, &mut writer);
    notes::push(case.query.address, ctx, &mut writer);
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
    difference::push(case, &mut writer);
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
    provenance::push(shown, ctx, &mut writer);
    writer.finish()
}
