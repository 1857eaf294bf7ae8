//! The provenance of an answer: its request, its cost, its day.

use ratatui::text::{Line, Span};

use crate::{
    engine::Provenance,
    report::instant,
    store::layout::Release,
    tui::{
        ctx::{ViewCtx, sheet::SheetWriter},
        tabs::lookup::free_answers::{AnswerOrigin, ShownAnswer},
        ui::{
            widgets::page::{PageRow, Section, SectionSide},
            words,
        },
    },
};

/// Writes where the answer comes from.
pub(super) fn push(shown: ShownAnswer<'_>, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    match shown.origin {
        AnswerOrigin::Live(asked) | AnswerOrigin::Cached(asked, _) => {
            provenance(asked, ctx, writer)
        }
        AnswerOrigin::Local(release, _) => of_release(release, writer),
    }
}

fn of_release(release: &Release, writer: &mut SheetWriter<'_>) {
    let manifest = &release.manifest;
    let from = format!(
        "the local feed {} of {}   free",
        manifest.feed,
        manifest.moment.dashed()
    );
    let mut section = Section::new("Provenance", SectionSide::Both);
    section.push(writer.field("from", Line::raw(from)));
    let downloaded = Line::raw(instant(manifest.pulled_at));
    section.push(writer.field("downloaded at", downloaded));
    writer.push(section);
}

fn provenance(provenance: &Provenance, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let mut section = Section::new("Provenance", SectionSide::Both);
    section.push(writer.asked(provenance));
    let data = provenance.data_date.map_or_else(
        || "not named".to_owned(),
        |day| format!("{} (x-result-dt)", day.dashed()),
    );
    let balance = provenance.balance.map_or_else(
        || "not named".to_owned(),
        |left| {
            if ctx.private {
                return "hidden".to_owned();
            }
            format!("{} (x-balance-remaining)", words::number(left))
        },
    );
    let line = Line::from(vec![
        Span::styled("data date ", theme.dim),
        Span::raw(data),
        Span::styled("   balance ", theme.dim),
        Span::raw(balance),
        Span::styled("   at ", theme.dim),
        Span::raw(instant(provenance.asked_at)),
    ]);
    section.push(writer.field("answer", line));
    if let Some(seconds) = provenance.clock_off {
        let direction = if seconds > 0 { "ahead of" } else { "behind" };
        let text = format!(
            "the service's clock is {} s {direction} this machine's",
            seconds.abs()
        );
        section.push(PageRow::field("", Line::styled(text, theme.warn)));
    }
    writer.push(section);
}
