//! The local releases of a feed as a table, beside the details on a tall and wide screen: what each holds, and how it differs from the
//! one before it.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    contract::Format,
    store::layout::Release,
    tui::{
        ctx::ViewCtx,
        tabs::feeds::known_feed::{KnownFeed, form_of},
        ui::{
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                page::{Page, PageRow, PageState, Section, SectionSide},
                pane::Pane,
            },
            words,
        },
    },
};

/// Draws the local releases of a feed.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, known: &KnownFeed<'_>, ctx: &ViewCtx<'_>) {
    if area.is_empty() {
        return;
    }
    let theme = ctx.theme;
    let title = format!("{}  local releases", known.feed);
    let pane = Pane::new(title, Focus::Elsewhere).hint("d lists the days of the service");
    let columns = vec![
        Column::new("RELEASE", Width::Min(10)),
        Column::new("FORM", Width::Fixed(4)),
        Column::new("SIZE", Width::Min(9)).right(),
        Column::new("RECORDS", Width::Min(7)).right(),
        Column::new("CHANGE", Width::Min(7)).right().rank(1),
        Column::new("INDEX", Width::Min(9)).right().rank(2),
        Column::new("", Width::Fixed(8)),
    ];
    let mut section: Section<'static> = Section::new("", SectionSide::Both).columns(columns);
    for (at, release) in known.here.iter().enumerate() {
        let form = form_of(release);
        let older = known.here.get(at + 1..).unwrap_or_default();
        let before = older.iter().find(|own| form_of(own) == form);
        section.push(row(release, before.copied(), theme));
    }
    if known.here.is_empty() {
        section.push(PageRow::text(Line::styled("nothing is local", theme.dim)));
    }
    let releases = Page::new().with(section);
    releases.draw_in(frame, area, pane, &PageState::default(), theme);
}

fn row(release: &Release, before: Option<&Release>, theme: &Theme) -> PageRow<'static> {
    let manifest = &release.manifest;
    let form = match form_of(release) {
        Format::Json => "JSON",
        Format::Mmdb => "MMDB",
    };
    let or_dash =
        |text: Option<String>| text.map_or_else(|| Line::styled("-", theme.dim), Line::raw);
    let index = manifest
        .index
        .as_ref()
        .map(|index| words::bytes(index.bytes));
    let records = before.and_then(|before| before.manifest.records);
    let change = manifest.records.zip(records);
    let pinned = if manifest.pinned_by_hand {
        Span::styled("* pinned", theme.accent)
    } else if manifest.pinned {
        Span::styled("kept", theme.dim)
    } else {
        Span::raw("")
    };
    PageRow::cells(vec![
        Line::raw(manifest.moment.dashed()),
        Line::raw(form),
        Line::raw(words::bytes(manifest.bytes)),
        or_dash(manifest.records.map(words::number)),
        or_dash(change.map(|(now, then)| difference(now, then))),
        or_dash(index),
        Line::from(pinned),
    ])
}

/// How many records a release has more or fewer than the one before.
fn difference(now: u64, then: u64) -> String {
    let sign = if now < then { '-' } else { '+' };
    format!("{sign}{}", words::number(now.abs_diff(then)))
}
