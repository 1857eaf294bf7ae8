//! The line about the view: feed, release, age, filter, how many records and how long it took.

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    contract::{Freshness, cadence},
    model::visible,
    report::count,
    store::{Moment, filter::BadFilter},
    tui::{
        ctx::ViewCtx,
        tabs::feeds::browser::{Browser, Over, held::Shown, parts::Parts},
        ui::{
            cells,
            theme::Theme,
            widgets::bar::{Bar, Part},
            words,
        },
    },
};

/// Cells of a filter that is named beside its number.
const NAMED: u16 = 20;
/// Cells that a filter is left while it is typed, if what stands beside it can be said more shortly.
const TYPED: u16 = 40;
/// Cells between label, filter and result.
const GAPS: u16 = 5;

/// Where the filter stands: what feed and result leave of the head, or the line below it.
pub(super) fn filter_area(parts: &Parts, browser: &Browser, ctx: &ViewCtx<'_>) -> Rect {
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

pub(super) fn draw(frame: &mut Frame<'_>, parts: &Parts, browser: &Browser, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let [label, result] = beside(browser, ctx, parts.head.width);
    Bar::new()
        .left(Part::new(label, 1))
        .right(Part::new(result, 0))
        .draw(frame, parts.head);
    let filter = filter_area(parts, browser, ctx);
    if filter.is_empty() {
        return;
    }
    match &browser.over {
        Some(Over::Filter(line)) => {
            line.field.draw_behind("/", frame, filter, theme);
            if let Some(bad) = line.mistake() {
                mistake(frame, parts.mistake, filter, bad, theme);
            }
        }
        Some(Over::GoTo(field)) => field.draw_behind("#", frame, filter, theme),
        _ => {
            let text = browser.query().filter.to_string();
            let line = if text.is_empty() {
                Line::from(vec![
                    Span::styled("/ ", theme.dim),
                    Span::styled("all records", theme.dim),
                ])
            } else {
                let text = visible(&text).into_owned();
                Line::from(vec![Span::styled("/ ", theme.accent), Span::raw(text)])
            };
            frame.render_widget(cells::cut_line(line, filter.width), filter);
        }
    }
}

/// What stands before and behind the filter: as much as leaves room for what is typed, the age first to go.
fn beside(browser: &Browser, ctx: &ViewCtx<'_>, width: u16) -> [Line<'static>; 2] {
    let whole = [label(browser, ctx, true), result(browser, ctx, true)];
    if !matches!(browser.over, Some(Over::Filter(_))) {
        return whole;
    }
    let is_room = |both: &[Line<'_>; 2]| {
        let taken = both.iter().map(cells::line_width).sum::<u16>();
        width.saturating_sub(taken.saturating_add(GAPS)) >= TYPED
    };
    if is_room(&whole) {
        return whole;
    }
    let ageless = [label(browser, ctx, false), result(browser, ctx, true)];
    if is_room(&ageless) {
        return ageless;
    }
    [label(browser, ctx, false), result(browser, ctx, false)]
}

/// Feed, release and, if it is to be told, age.
fn label(browser: &Browser, ctx: &ViewCtx<'_>, with_age: bool) -> Line<'static> {
    let theme = ctx.theme;
    let mut spans = vec![Span::styled(
        format!(" {}", browser.query().feed),
        theme.title,
    )];
    if let Some(shown) = browser.held.shown() {
        let moment = shown.view.release.manifest.moment;
        spans.push(Span::raw(format!(" {}", moment.dashed())));
        if with_age {
            ctx.ages.note(moment.begins(), ctx.now);
            spans.push(age(moment, ctx.now, theme));
        }
    } else {
        let day = browser.query().day.map(|day| format!(" {}", day.dashed()));
        spans.extend(day.map(Span::raw));
    }
    Line::from(spans)
}

pub(super) fn age(moment: Moment, now: Timestamp, theme: &Theme) -> Span<'static> {
    let old = match words::age(moment.begins(), now) {
        age if age == "now" => "0m".to_owned(),
        age => age,
    };
    let freshness = match moment {
        Moment::Day(day) => cadence::of_day(day, now),
        Moment::Window(window) => cadence::of_window(window, now),
    };
    if freshness == Freshness::Current {
        Span::styled(format!("  {old} old"), theme.dim)
    } else {
        Span::styled(format!("  ! stale, {old} old"), theme.warn)
    }
}

/// How many records and, if that is to be told, how exactly and how long it took.
fn result(browser: &Browser, ctx: &ViewCtx<'_>, with_details: bool) -> Line<'static> {
    let theme = ctx.theme;
    let Some(shown) = browser.held.shown() else {
        return Line::default();
    };
    let late = browser.held.is_late(ctx.now);
    let style = if late { theme.stale } else { theme.text };
    let Shown { view, query, .. } = shown;
    // What is typed is no filter yet: the number is that of another, and must not be taken for its own.
    if let Some(Over::Filter(line)) = &browser.over
        && !line.is(&browser.query().filter)
    {
        let text = query.filter.to_string();
        let text = cells::cut(&visible(&text), NAMED).into_owned();
        let counted = if text.is_empty() {
            format!("all {} records", count(view.count))
        } else if with_details {
            format!("{} records of {text}", count(view.count))
        } else {
            format!("{} records", count(view.count))
        };
        let words = format!("{counted}   ~ not of what is typed ");
        return Line::styled(words, theme.stale);
    }
    let mut spans = vec![
        Span::styled(count(view.count), style),
        Span::styled(format!(" of {} records", count(view.records)), theme.dim),
    ];
    spans.push(Span::styled(
        if late { "   counting" } else { "   exact" },
        theme.dim,
    ));
    if !with_details {
        return Line::from(spans);
    }
    let took = view.took.as_micros();
    let took = if took < 1000 {
        "<1".to_owned()
    } else {
        (took / 1000).to_string()
    };
    spans.push(Span::styled(format!("   {took} ms "), theme.dim));
    Line::from(spans)
}

/// Marks under what is wrong with the filter, and why.
fn mistake(frame: &mut Frame<'_>, area: Rect, filter: Rect, bad: &BadFilter, theme: &Theme) {
    let [marks, words] = [0, 1].map(|line| Rect {
        y: area.y + line,
        height: area.height.saturating_sub(line).min(1),
        ..area
    });
    let picture = bad.picture();
    let picture = picture.lines().nth(1).unwrap_or_default();
    let at = filter.x - area.x + 2;
    // A long filter is scrolled in its field: its marks would stand under something else.
    if cells::width(picture) + 2 <= filter.width && !marks.is_empty() {
        let text = format!("{}{picture}", " ".repeat(at.into()));
        frame.render_widget(Line::styled(text, theme.bad), marks);
    }
    let hint = bad
        .hint
        .as_deref()
        .map_or_else(String::new, |hint| format!("; {hint}"));
    let text = format!(" x {}{hint}", bad.message);
    if !words.is_empty() {
        let line = Line::styled(visible(&text).into_owned(), theme.bad);
        frame.render_widget(cells::cut_line(line, words.width), words);
    }
}
