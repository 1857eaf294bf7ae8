//! How the Feeds tab looks: the table of feeds over what is known of the selected one.

mod days;
mod details;
mod downloads;
mod health;
mod kept;
mod service;
mod transfer;

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span, Text},
};

use super::{
    FeedsFocus, FeedsTab,
    areas::FeedsAreas,
    known_feed::{self, KnownFeed, form_of},
    order::FeedOrder,
    status::FeedStatus,
};
use crate::{
    contract::{Feed, Format, Freshness},
    model::Day,
    store::Moment,
    tui::{
        ctx::ViewCtx,
        ui::{
            cells,
            spots::PaneId,
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                pane::Pane,
                popup::Popup,
                table::Table,
            },
            words,
        },
    },
};

/// Cells from which on a row has room for all words of its state.
const WIDE: u16 = 90;

pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>) {
    let mut parts = FeedsAreas::of(area);
    if ctx.zoomed {
        let whole = Rect { ..area };
        let none = Rect::default();
        (parts.table, parts.details) = match tab.part {
            FeedsFocus::Table => (whole, none),
            FeedsFocus::Details => (none, whole),
        };
        parts.beside = none;
    }
    ctx.spots.pane(parts.table, FeedsFocus::Table as PaneId);
    feeds(frame, parts.table, tab, ctx);
    let focus = Focus::when(tab.part == FeedsFocus::Details);
    let is_tall = !parts.beside.is_empty();
    if let Some(browse) = &tab.browse {
        let area = if is_tall {
            details::draw(frame, parts.details, tab, is_tall, ctx, Focus::Elsewhere);
            parts.beside
        } else {
            parts.details
        };
        ctx.spots.pane(area, FeedsFocus::Details as PaneId);
        days::draw(frame, area, browse, tab, ctx, focus);
    } else {
        ctx.spots.pane(parts.details, FeedsFocus::Details as PaneId);
        details::draw(frame, parts.details, tab, is_tall, ctx, focus);
        let known = tab.known(tab.selected(), ctx.jobs);
        kept::draw(frame, parts.beside, &known, ctx);
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
    if let Some(pulling) = &tab.pulling {
        ask(frame, area, &pulling.question, ctx);
    }
    if tab.choosing {
        downloads::draw(frame, area, tab, ctx);
    }
    if let Some(deleting) = &tab.deleting {
        let title = format!(
            "Delete releases of {}: ctrl-x deletes, u undoes it",
            deleting.feed
        );
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
        column("AGE", Width::Fixed(6)).right().rank(1),
        column("SIZE", Width::Fixed(10)).right().rank(3),
        column("STATE", Width::Fill(14)),
    ]
}

fn feeds(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>) {
    if area.is_empty() {
        return;
    }
    let focus = Focus::when(tab.part == FeedsFocus::Table);
    let theme = ctx.theme;
    let hint = match ctx.facts.lack_of_feeds() {
        Some(why) => Line::styled(format!("! {why}"), theme.warn),
        None if tab.has_nothing_local() => Line::from(vec![
            Span::styled("A", theme.key),
            Span::raw(", then "),
            Span::styled("p", theme.key),
            Span::raw(" downloads all   "),
            Span::raw(free(tab)),
        ]),
        None => Line::raw(free(tab)),
    };
    let title = match tab.marks.len() {
        0 => "Feeds".to_owned(),
        marked => format!("Feeds  {marked} marked"),
    };
    let inner = Pane::new(title, focus).hint(hint).draw(frame, area, theme);
    let row = |index: usize| {
        let feed = tab.metadata[index].0;
        let known = tab.known(feed, ctx.jobs);
        if let Some(since) = known.generated_here() {
            ctx.ages.note(since.at, ctx.now);
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
    let below_heads = inner.rows().skip(1);
    let rows = tab
        .cursor
        .window(tab.metadata.len(), inner.height.saturating_sub(1).into());
    for (at, place) in rows.zip(below_heads) {
        if tab.marks.contains(&tab.metadata[at].0) && place.width > 1 {
            let cell = &mut frame.buffer_mut()[(place.x + 1, place.y)];
            cell.set_symbol("*").set_style(theme.accent);
        }
    }
}

/// Asks about the downloads of the marked feeds.
fn ask(frame: &mut Frame<'_>, area: Rect, question: &str, ctx: &ViewCtx<'_>) {
    let room = area.width.saturating_sub(8).min(90);
    let lines = cells::wrap(Line::raw(question), room);
    let width = lines.iter().map(cells::line_width).max().unwrap_or(0);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let inner = Popup::new("Sure?", Size::new(width.max(30), height))
        .key(ctx.theme, "y", "yes", 0)
        .key(ctx.theme, "n", "no", 0)
        .draw(frame, area, ctx);
    frame.render_widget(Text::from(lines), inner);
}

/// Shortens the words of the state for a narrow table: what the number of records counts, what is free (the frame names it), and the word before
/// how much of a download was received.
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

pub(super) fn row(known: &KnownFeed<'_>, theme: &Theme, now: Timestamp) -> Vec<Line<'static>> {
    let standing = FeedStatus::of(known, now);
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

fn release(known: &KnownFeed<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    match known.latest_moment() {
        None => nothing(theme),
        Some(Moment::Day(day)) => Line::raw(day.dashed()),
        Some(Moment::Window(window)) if window.day == Day::of(now) => Line::raw(window.clock()),
        Some(Moment::Window(window)) => Line::raw(window.day.dashed()),
    }
}

fn generated(known: &KnownFeed<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
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

fn local(known: &KnownFeed<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    let Some(newest) = known.newest() else {
        return nothing(theme);
    };
    let at = match newest.manifest.moment {
        Moment::Window(window) if window.day == Day::of(now) => window.clock(),
        moment => moment.day().dashed(),
    };
    let has = |form| known.here.iter().any(|release| form_of(release) == form);
    // JSON alone is the usual case.
    Line::raw(match (has(Format::Json), has(Format::Mmdb)) {
        (true, true) => format!("{at} json+mmdb"),
        (false, true) => format!("{at} mmdb"),
        (_, false) => at,
    })
}

/// How old the local release is; one that is behind its cadence is marked.
fn age(known: &KnownFeed<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    let (Some(newest), Some(at)) = (known.newest(), known.generated_here()) else {
        return nothing(theme);
    };
    let old = words::age(at, now);
    if known.freshness(newest, now) == Freshness::Current {
        Line::styled(old, theme.dim)
    } else {
        Line::styled(format!("! {old}"), theme.warn)
    }
}

/// The size of the latest release. Where the service names a number without a unit it is taken for bytes, and marked.
fn size(known: &KnownFeed<'_>, theme: &Theme) -> Line<'static> {
    match known.size() {
        known_feed::Size::Unknown => nothing(theme),
        known_feed::Size::Said(number) => {
            Line::styled(format!("~{}", words::bytes(number)), theme.dim)
        }
        known_feed::Size::Bytes(bytes) => Line::raw(words::bytes(bytes)),
    }
}
