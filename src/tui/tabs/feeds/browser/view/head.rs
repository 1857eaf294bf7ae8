//! Draws the line about the view: feed, release, age, filter, number of records and duration.

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    contract::Freshness,
    model::visible,
    report::count,
    store::{Generation, Moment, ReleasePlace, filter::BadFilter},
    tui::{
        ctx::ViewCtx,
        tabs::feeds::browser::{
            Browser, BrowserOverlay,
            areas::{BrowserAreas, below, lines},
        },
        ui::{BarLine, BarPart, Theme, cells, words},
    },
};

/// The maximum width in cells of a filter that is shown with its count.
const NAMED: u16 = 20;
/// The width in cells that the filter should have while it is typed, if the texts beside it can be shortened.
const TYPED: u16 = 40;
/// Cells between label, filter and result.
const GAPS: u16 = 5;

/// The area of the filter: between label and result, or the line below.
pub(super) fn filter_area(parts: &BrowserAreas, browser: &Browser, ctx: &ViewCtx<'_>) -> Rect {
    if parts.is_wide {
        let [before, behind] = beside(browser, ctx, parts.head.width);
        let taken = cells::line_width(&before).saturating_add(2);
        let kept = cells::line_width(&behind).saturating_add(GAPS - 2);
        return Rect {
            x: parts.head.x + taken.min(parts.head.width),
            width: parts.head.width.saturating_sub(taken.saturating_add(kept)),
            ..parts.head
        };
    }
    Rect {
        x: parts.filter.x + 1.min(parts.filter.width),
        width: parts.filter.width.saturating_sub(1),
        ..parts.filter
    }
}

pub(super) fn draw(
    frame: &mut Frame<'_>,
    parts: &BrowserAreas,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let [label, result] = beside(browser, ctx, parts.head.width);
    BarLine::new()
        .left(BarPart::new(label, 1))
        .right(BarPart::new(result, 0))
        .draw(frame, parts.head);
    let filter = filter_area(parts, browser, ctx);
    if filter.is_empty() {
        return;
    }
    match &browser.over {
        Some(BrowserOverlay::Filter(line)) => {
            line.field.draw_behind("/", frame, filter, theme);
            if let (Some(bad), Some(words)) = (line.mistake(), line.complaint()) {
                mistake(frame, parts.mistake, filter, (bad, &words), theme);
            }
        }
        Some(BrowserOverlay::GoTo(field)) => field.draw_behind("#", frame, filter, theme),
        _ => {
            let text = browser.query().filter.to_string();
            let line = if text.is_empty() {
                Line::styled("/ all records", theme.dim)
            } else {
                let text = visible(&text).into_owned();
                Line::from(vec![Span::styled("/ ", theme.accent), Span::raw(text)])
            };
            frame.render_widget(cells::cut_line(line, filter.width), filter);
        }
    }
}

/// The texts before and after the filter, shortened where both have no room, or the filter none while it is typed: first without the age.
fn beside(browser: &Browser, ctx: &ViewCtx<'_>, width: u16) -> [Line<'static>; 2] {
    let mut both = [label(browser, ctx, true), result(browser, ctx, true)];
    let is_typing = matches!(browser.over, Some(BrowserOverlay::Filter(_)));
    let room = if is_typing { TYPED } else { 0 };
    let is_room = |both: &[Line<'_>; 2]| {
        let taken = both.iter().map(cells::line_width).sum::<u16>();
        width.saturating_sub(taken.saturating_add(GAPS)) > room
    };
    if !is_room(&both) {
        both[0] = label(browser, ctx, false);
    }
    if !is_room(&both) {
        both[1] = result(browser, ctx, false);
    }
    both
}

/// Feed, release and, optionally, age.
fn label(browser: &Browser, ctx: &ViewCtx<'_>, with_age: bool) -> Line<'static> {
    let theme = ctx.theme;
    let mut spans = vec![Span::styled(
        format!(" {}", browser.query().feed),
        theme.title,
    )];
    if let Some(shown) = browser.list.rows().loaded() {
        let manifest = &shown.head.release.manifest;
        let (moment, since) = (manifest.moment, manifest.generation());
        spans.push(Span::raw(format!(" {}", moment.dashed())));
        if with_age {
            ctx.ages.note(since.at, ctx.now);
            spans.push(age(moment, since, ctx.now, theme));
        }
    } else {
        let day = browser.query().day.map(|day| format!(" {}", day.dashed()));
        spans.extend(day.map(Span::raw));
    }
    Line::from(spans)
}

/// The place of records that are not local.
pub(super) fn place_badge(place: ReleasePlace, theme: &Theme) -> Span<'static> {
    let badge = place
        .elsewhere()
        .map(|place| format!("  {}", place.to_uppercase()));
    Span::styled(badge.unwrap_or_default(), theme.badge)
}

/// The age of a release since `since`, and whether it is stale.
pub(super) fn age(
    moment: Moment,
    since: Generation,
    now: Timestamp,
    theme: &Theme,
) -> Span<'static> {
    let old = match words::age(since, now) {
        age if age == "now" => "0m".to_owned(),
        age => age,
    };
    if moment.freshness(now) == Freshness::Current {
        Span::styled(format!("  {old} old"), theme.dim)
    } else {
        Span::styled(format!("  ! stale, {old} old"), theme.warn)
    }
}

/// The number of records and, optionally, precision and duration.
fn result(browser: &Browser, ctx: &ViewCtx<'_>, with_details: bool) -> Line<'static> {
    let theme = ctx.theme;
    let Some(shown) = browser.list.rows().loaded() else {
        return Line::default();
    };
    let late = browser.list.rows().is_late(ctx.now);
    let style = if late { theme.stale } else { theme.text };
    let (view, query) = (&shown.head, &shown.query);
    // The typed text is not applied yet: the count belongs to another filter and must not pass for its own.
    if let Some(BrowserOverlay::Filter(line)) = &browser.over
        && !line.is(&browser.query().filter)
    {
        let text = query.filter.to_string();
        let text = cells::cut(&visible(&text), NAMED).into_owned();
        let counted = if text.is_empty() {
            format!("all {} records", count(view.matching()))
        } else if with_details {
            format!("{} records of {text}", count(view.matching()))
        } else {
            format!("{} records", count(view.matching()))
        };
        let words = format!("{counted}   ~ previous filter ");
        return Line::styled(words, theme.stale);
    }
    let mut spans = vec![
        Span::styled(count(view.matching()), style),
        Span::styled(format!(" of {} records", count(view.records)), theme.dim),
    ];
    let state = if late { "   counting" } else { "   exact" };
    spans.push(Span::styled(state, theme.dim));
    // Of an excerpt it is the time of another machine.
    if with_details && !view.release.manifest.is_excerpt() {
        let took = match view.took.as_millis() {
            0 => "<1".to_owned(),
            took => took.to_string(),
        };
        spans.push(Span::styled(format!("   {took} ms "), theme.dim));
    }
    Line::from(spans)
}

/// Draws marks under a mistake in the filter, and the message.
fn mistake(
    frame: &mut Frame<'_>,
    area: Rect,
    filter: Rect,
    (bad, words): (&BadFilter, &str),
    theme: &Theme,
) {
    let [marks, below] = below(area, 1);
    let picture = bad.picture();
    let picture = picture.lines().nth(1).unwrap_or_default();
    let at = filter.x - area.x + 2;
    // A long filter is scrolled in its field, so marks would not align.
    if cells::width(picture) + 2 <= filter.width && !marks.is_empty() {
        let text = format!("{}{picture}", " ".repeat(at.into()));
        frame.render_widget(Line::styled(text, theme.bad), marks);
    }
    let words = visible(words).into_owned();
    lines(frame, below, vec![Line::styled(words, theme.bad)]);
}
