//! A record as a page, the telling things first: what was seen and how widely it is shared, where one can go on from here, the
//! clients, the sources; then every field of the contract (parts 2.1 to 2.5), what is absent shown as absent. Beside the page is
//! what each row is, for copying and for following. Where there is no record, the page says what keeps it away.

mod around;
mod details;
pub(super) mod sources;
mod summary;

pub(super) use self::{
    around::{is_pivot, lead_of},
    details::Hints,
};

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    case::{LookupCase, aspect},
    days::ShownDays,
    sources::SourceAnswer,
};
use crate::{
    contract::Endpoint,
    engine::Area,
    model::visible,
    report::{minute, named_as_entry},
    tui::{
        ctx::{Destination, Meaning, Sheet, SheetWriter, TrailStop, ViewCtx, failure},
        ui::{Focus, Page, Pane, SectionSide, cells, widgets::page},
    },
};

/// Cells beside a line of a page.
const MARGINS: u16 = 4;

/// How much room a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// One column of few lines: what tells most is in a line each.
    Narrow,
    /// Two columns.
    Wide,
    /// Two columns with room for a table in each: the sources and the tunnels are beside the rest.
    Broad,
}

impl Room {
    /// The room inside a pane of this size.
    fn inside(area: Rect) -> Self {
        let inner = Pane::inner(area);
        match inner.width {
            _ if inner.height < 24 => Self::Narrow,
            Page::TWO_TABLES.. => Self::Broad,
            Page::TWO_COLUMNS.. => Self::Wide,
            _ => Self::Narrow,
        }
    }
}

/// Draws a case: its record, or what keeps it away.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    case: &LookupCase,
    hints: &Hints,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let title = format!("{} {}", case.query.address, aspect(&case.query));
    let pane = Pane::new(title.trim_end().to_owned(), focus).source(source(case, ctx));
    let (room, width) = (Room::inside(area), Pane::inner(area).width);
    let width = width.saturating_sub(MARGINS);
    let Some(shown) = case.shown() else {
        let inner = pane.draw(frame, area, theme);
        let lines = without_record(case, width, ctx);
        return page::draw_lines(frame, inner, lines, theme);
    };
    let sheet = page(case, shown, (room, width), hints, ctx);
    let inner = case.page.draw(frame, area, pane, sheet, ctx);
    if case.live.pending().is_some() {
        frame.buffer_mut().set_style(inner, theme.stale);
        // In the border, so that it covers nothing.
        let text = " ~ asking the service; this record stays shown ";
        let place = Rect {
            x: inner.x,
            y: inner.bottom(),
            width: cells::width(text),
            height: 1,
        };
        frame.render_widget(Line::styled(text, theme.warn), place.intersection(area));
    } else if let Some(error) = case.live.error() {
        let why = format!("x {}", visible(&error.message));
        failure::over_last_lines(frame, inner, &why, theme);
    }
}

/// Where the answer comes from and how old it is: `LOCAL anonymous 2026-11-20, 9h old`.
pub(super) fn source<'a>(case: &LookupCase, ctx: &ViewCtx<'_>) -> Line<'a> {
    let theme = ctx.theme;
    let Some(shown) = case.shown() else {
        return Line::default();
    };
    let (since, source) = (shown.since(), shown.source());
    let is_local = shown.local().is_some();
    let session = if shown.is_live() && case.recalled {
        ", last session"
    } else {
        ""
    };
    let old = match (is_local, ctx.age(since).as_str()) {
        (true, "now") if since.is_known => ", just generated".to_owned(),
        (true, "now") => ", just begun".to_owned(),
        (true, old) => format!(", {old} old"),
        (false, "now") => format!(", just now{session}"),
        (false, age) => format!(", asked {age} ago{session}"),
    };
    let mut source = if is_local {
        let local = shown.local().map(|record| record.release.manifest.source());
        format!("{} {source}", local.unwrap_or("local").to_uppercase())
    } else {
        source.to_uppercase()
    };
    source.extend(shown.day().map(|day| format!(" {}", day.dashed())));
    let stale = if shown.is_fresh() { "" } else { " stale" };
    Line::from(vec![
        Span::styled(source, theme.badge),
        Span::styled(old, theme.dim),
        Span::styled(stale, theme.warn),
    ])
}

/// Why there is no record yet, and what asks for one.
fn without_record(case: &LookupCase, width: u16, ctx: &ViewCtx<'_>) -> Vec<Line<'static>> {
    let theme = ctx.theme;
    let (warn, dim) = (
        |text: String| Line::styled(text, theme.warn),
        |text: &'static str| Line::styled(text, theme.dim),
    );
    // What `R` does, or why it does nothing now.
    let ask = |does: &'static str| match ctx.facts.lack() {
        Some(lack) => Line::styled(lack, theme.dim),
        None => Line::from(vec![
            Span::styled("R ", theme.key),
            Span::styled(does, theme.text),
        ]),
    };
    if case.live.pending().is_some() {
        let stop = TrailStop::Address(case.query);
        let visits = ctx.trail.listed();
        let sent = visits.iter().find(|(visit, _)| visit.stop == stop);
        let waited = sent.map_or(0, |(visit, _)| ctx.now.duration_since(visit.at).as_secs());
        let since = (waited > 0).then(|| format!("  {waited} s"));
        vec![
            warn(format!("~ asking the service{}", since.unwrap_or_default())),
            dim("x or esc stops waiting; the query may have been counted by then"),
        ]
    } else if case.at_hand.pending().is_some() {
        let text = "~ reading the local feeds and the cached answers";
        vec![warn(text.to_owned())]
    } else if let Some(error) = case.live.error() {
        let area = Area::of(&Endpoint::Context(case.query));
        let keys = match ctx.facts.lack_in_short() {
            Some(lack) if ctx.facts.offline => lack,
            Some(_) => "then R asks the service (1 query)",
            None => "R asks the service again (1 query)",
        };
        let mut lines = failure::lines("", error, "  ", keys, theme);
        lines.extend(failure::across(error, area, "  ", ctx.facts, theme));
        lines
    } else if let Some(reserved) = ctx.facts.admission.refuses(case.query.address) {
        vec![
            warn(format!("x {}", reserved.why())),
            dim("The service answers for public addresses only: nothing is sent."),
        ]
    } else if case.live.was_stopped() {
        vec![
            warn("x no longer waiting for the service".to_owned()),
            dim("The query may have been counted."),
            ask("asks the service again: 1 query"),
        ]
    } else {
        let named = named_as_entry(case.entry_of());
        let named = named.map(|words| warn(format!("It is {words}.")));
        let days = case.days.shown();
        let none = "No local feed and no cached answer has a record of this address.";
        let can_download = ctx.facts.lack_of_feeds().is_none();
        let first = match days {
            Some(days) => days.unknown_in_words(can_download),
            None if case.days.is_pending() => Some("~ reading the days at hand".to_owned()),
            None => Some(none.to_owned()),
        };
        let mut lines: Vec<_> = first.map(Line::raw).into_iter().collect();
        lines.extend(case.days.error_in_words().map(warn));
        let strip = |days: &ShownDays| days.strip_lines(case.query, false, width, theme);
        lines.extend(days.and_then(|days| days.line(theme)));
        lines.push(dim("That does not mean that it is harmless."));
        lines.extend(days.into_iter().flat_map(strip));
        lines.extend(named);
        lines.push(ask("asks the service: 1 query"));
        lines
    }
}

fn page(
    case: &LookupCase,
    shown: &SourceAnswer,
    (room, width): (Room, u16),
    hints: &Hints,
    ctx: &ViewCtx<'_>,
) -> Sheet {
    let mut sheet = SheetWriter::new(ctx.theme);
    let writer = &mut sheet;
    let is_narrow = room == Room::Narrow;
    if is_narrow {
        writer.tighten();
    }
    let place = |writer: &mut SheetWriter<'_>, side| {
        writer.place_on((room == Room::Broad).then_some(side));
    };
    let context = shown.context();
    let geolocation = case.query.geolocation;
    push_other_day(hints, writer);
    // Who walks along the strip reads it: its signs are told where there is hardly room, too.
    let has_legend = !is_narrow || hints.is_walk;
    summary::push(case, shown, (is_narrow, has_legend, width), writer);
    push_notes(case, ctx, writer);
    place(writer, SectionSide::Left);
    around::push(case, hints, ctx, writer);
    match context {
        Some(context) if is_narrow => summary::clients(context, writer),
        Some(context) => details::network_and_clients(context, geolocation, writer),
        None => {}
    }
    place(writer, SectionSide::Right);
    if is_narrow {
        sources::line(case, shown, writer);
    } else {
        sources::table(case, shown, "Sources", ctx, writer);
    }
    sources::differences(case, writer);
    if let Some(context) = context {
        details::tunnels(context, writer);
        details::tunnel_addresses(context, &case.query, hints, ctx, writer);
        details::proxies(context, writer);
        if is_narrow {
            details::network_and_clients(context, geolocation, writer);
        }
    }
    if is_narrow {
        sources::table(case, shown, "Each source", ctx, writer);
    }
    place(writer, SectionSide::Left);
    sources::fields(case, writer);
    if let (Some(context), Some(document)) = (context, shown.document()) {
        let lossy = document.lossy();
        writer.beyond(&context.unknown, &context.odd, lossy, ctx.theme.warn);
    }
    writer.place_on(None);
    sources::provenance(shown, ctx, writer);
    sheet.finish()
}

/// Leads to the record of the day that holds for lookups, where another one is shown.
fn push_other_day(hints: &Hints, writer: &mut SheetWriter<'_>) {
    if let Some((query, words)) = &hints.other_day {
        let row = Line::styled(words.clone(), writer.theme.warn);
        let meaning = Meaning::new("another day", words.clone());
        writer.begin("", "", SectionSide::Both);
        writer.stop(row, meaning.to(Destination::Address(*query)));
    }
}

/// Writes the notes on the address, the oldest first; on a screen that is shared, how many there are.
fn push_notes(case: &LookupCase, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    writer.begin("Notes", "", SectionSide::Both);
    for note in ctx.trail.notes(case.query.address) {
        if ctx.private {
            writer.remark("note hidden (ctrl-g)");
            continue;
        }
        let text = visible(&note.text).into_owned();
        let line = Line::from(vec![
            Span::styled(format!("{}  ", minute(note.at)), theme.dim),
            Span::raw(text.clone()),
        ]);
        writer.stop(line, Meaning::new("note", text));
    }
}
