//! How the Feeds tab looks: the table of feeds over what is known of the selected one.

mod days;
mod details;
mod health;
mod service;
mod transfer;

use jiff::Timestamp;
use ratatui::{Frame, layout::Rect, text::Line};

use super::{
    FeedsTab, Part,
    known::{Known, Size, form_of, missing},
    order::FeedOrder,
    parts::Parts,
    standing::Standing,
};
use crate::{
    contract::{Feed, Format, Freshness},
    model::Day,
    store::Moment,
    tui::{
        ctx::ViewCtx,
        ui::{
            spots::PaneId,
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                pane::Pane,
                table::Table,
            },
            words,
        },
    },
};

/// Cells from which on a row has room for all words of its state.
const WIDE: u16 = 90;

/// Draws the tab.
pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>) {
    let mut parts = Parts::of(area);
    if ctx.zoomed {
        let whole = Rect { ..area };
        let none = Rect::default();
        (parts.table, parts.details) = match tab.part {
            Part::Table => (whole, none),
            Part::Details => (none, whole),
        };
    }
    ctx.spots.pane(parts.table, Part::Table as PaneId);
    feeds(frame, parts.table, tab, ctx);
    ctx.spots.pane(parts.details, Part::Details as PaneId);
    let focus = Focus::when(tab.part == Part::Details);
    match &tab.browse {
        Some(browse) => days::draw(frame, parts.details, browse, tab, ctx, focus),
        None => details::draw(frame, parts.details, tab, ctx, focus),
    }
    if let (Some(calendar), Some(browse)) = (&tab.calendar, &tab.browse) {
        let title = format!("Day of {}", browse.feed);
        let words = if browse.files.is_some() {
            "enter lists its files, free"
        } else {
            "enter goes to the day, p downloads it there: no query"
        };
        let words = Line::styled(words, ctx.theme.dim);
        calendar.draw(frame, area, ctx, &title, words);
    }
    if let Some(deleting) = &tab.deleting {
        let title = format!("Delete of {}: ctrl-x deletes, u undoes it", deleting.feed);
        deleting.picker.draw(frame, area, &title, ctx);
    }
}

/// The columns of the table of feeds.
fn columns(order: FeedOrder) -> [Column<'static>; 8] {
    let column =
        |name, width| Column::new(order.head(name), width).sorts(FeedOrder::place_of(name));
    [
        column("FEED", Width::Min(15)),
        column("", Width::Fixed(5)).rank(5),
        column("RELEASE", Width::Fixed(10)),
        column("GENERATED", Width::Fixed(10)).rank(4),
        column("LOCAL", Width::Min(10)).rank(2),
        column("AGE", Width::Fixed(5)).right().rank(1),
        column("SIZE", Width::Fixed(10)).right().rank(3),
        column("STATE", Width::Fill(14)),
    ]
}

fn feeds(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>) {
    if area.is_empty() {
        return;
    }
    let focus = Focus::when(tab.part == Part::Table);
    let theme = ctx.theme;
    let hint = match missing(ctx.facts) {
        Some(why) => Line::styled(format!("! {why}"), theme.warn),
        None => Line::raw(free(tab)),
    };
    let inner = Pane::new("Feeds", focus)
        .hint(hint)
        .draw(frame, area, theme);
    let row = |index: usize| {
        let feed = tab.metadata[index].0;
        let known = tab.known(feed, ctx.jobs);
        if let Some(newest) = known.newest() {
            ctx.ages.note(newest.manifest.moment.begins(), ctx.now);
        }
        let mut cells = row(&known, theme, ctx.now);
        if inner.width < WIDE {
            shorten(&mut cells);
        }
        if let Some(follow) = tab.follow.as_ref().filter(|_| feed == Feed::Realtime) {
            cells.pop();
            cells.push(Line::styled(follow.words(), theme.accent));
        }
        cells
    };
    Table::new(&columns(tab.order), &tab.cursor, tab.metadata.len())
        .draw(frame, inner, row, ctx, focus);
}

/// Shortens the words of the state for a narrow table: what the number of records counts, what is free (the frame names it), and the word before
/// how much of a download has come.
fn shorten(cells: &mut [Line<'static>]) {
    let Some(span) = cells.last_mut().and_then(|state| state.spans.first_mut()) else {
        return;
    };
    let words = [" indexed", " records"];
    if let Some(short) = words
        .iter()
        .find_map(|word| span.content.strip_suffix(word))
    {
        span.content = short.to_owned().into();
    } else if let Some((needs, free)) = span.content.split_once(" of ")
        && needs.contains("needs ")
    {
        let unit = free.rsplit(' ').next().unwrap_or_default();
        let whole = if needs.ends_with('B') {
            needs.to_owned()
        } else {
            format!("{needs} {unit}")
        };
        span.content = whole.into();
    } else if let Some(share) = ["partial ", "paused "]
        .iter()
        .find_map(|word| span.content.strip_prefix(word))
        .filter(|share| share.ends_with("z resumes"))
    {
        span.content = share.to_owned().into();
    }
}

/// How much of the disk is free.
fn free(tab: &FeedsTab) -> String {
    let free = tab.releases.value().and_then(|disk| disk.free);
    free.map_or_else(String::new, |free| format!("{} free", words::bytes(free)))
}

/// A row of the table.
pub(super) fn row(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Vec<Line<'static>> {
    let standing = Standing::of(known, now);
    vec![
        Line::raw(known.feed.name()),
        Line::styled(known.feed.row().maturity.word(), theme.dim),
        release(known, theme, now),
        generated(known, theme, now),
        local(known, theme, now),
        age(known, theme, now),
        size(known, theme),
        Line::styled(
            standing.words,
            standing.tone.map_or(theme.dim, |tone| theme.tone(tone)),
        ),
    ]
}

fn nothing(theme: &Theme) -> Line<'static> {
    Line::styled("-", theme.dim)
}

fn release(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    match known.offered_moment() {
        None => nothing(theme),
        Some(Moment::Day(day)) => Line::raw(day.dashed()),
        Some(Moment::Window(window)) if window.day == Day::of(now) => {
            Line::raw(clock(window.begins()))
        }
        Some(Moment::Window(window)) => Line::raw(window.day.dashed()),
    }
}

fn generated(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    let at = known
        .offered()
        .and_then(|release| release.generated_at.is());
    match at {
        None => nothing(theme),
        Some(at) if now.duration_since(*at).as_hours() < 24 => Line::raw(clock(*at)),
        Some(at) => Line::raw(Day::of(*at).dashed()),
    }
}

/// The time of day, in UTC.
pub(super) fn clock(at: Timestamp) -> String {
    at.strftime("%H:%MZ").to_string()
}

fn local(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    let Some(newest) = known.newest() else {
        return nothing(theme);
    };
    let at = match newest.manifest.moment {
        Moment::Window(window) if window.day == Day::of(now) => clock(window.begins()),
        moment => moment.day().dashed(),
    };
    let has = |form| known.here.iter().any(|release| form_of(release) == form);
    // JSON by itself is what is to be expected.
    Line::raw(match (has(Format::Json), has(Format::Mmdb)) {
        (true, true) => format!("{at} json+mmdb"),
        (false, true) => format!("{at} mmdb"),
        (_, false) => at,
    })
}

/// How old the local release is; one that is behind its cadence is marked.
fn age(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    let Some(newest) = known.newest() else {
        return nothing(theme);
    };
    let old = words::age(newest.manifest.moment.begins(), now);
    if known.freshness(newest, now) == Freshness::Current {
        Line::styled(old, theme.dim)
    } else {
        Line::styled(format!("! {old}"), theme.warn)
    }
}

/// The size of the latest release. Where the service names a number without a unit it is taken for bytes, and marked.
fn size(known: &Known<'_>, theme: &Theme) -> Line<'static> {
    match known.size() {
        Size::Unknown => nothing(theme),
        Size::Said(number) => Line::styled(format!("~{}", words::bytes(number)), theme.dim),
        Size::Bytes(bytes) => Line::raw(words::bytes(bytes)),
    }
}
