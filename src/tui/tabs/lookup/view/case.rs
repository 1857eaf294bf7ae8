//! How a case looks: its record, while it is asked for, and when it could not be answered.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    engine::{Provenance, answers::Age},
    store::manifest::Manifest,
    tui::{
        ctx::{ViewCtx, failure, trail::Stop},
        tabs::lookup::{
            at_hand::Origin,
            case::{Case, aspect},
            record,
        },
        ui::{
            theme::Focus,
            widgets::{page, pane::Pane},
            words,
        },
    },
};

/// The title of a case: the address, what was asked, where the answer comes from and how old it is.
fn title<'a>(case: &Case, ctx: &ViewCtx<'_>) -> Line<'a> {
    let mut parts = vec![Span::raw(case.query.address.to_string())];
    let aspect = aspect(&case.query);
    if !aspect.is_empty() {
        parts.push(Span::raw(format!(" {aspect}")));
    }
    if let Some(shown) = case.shown() {
        parts.extend(origin(shown.origin, case, ctx));
    }
    Line::from(parts)
}

/// Where an answer comes from and how old it is.
fn origin<'a>(origin: Origin<'_>, case: &Case, ctx: &ViewCtx<'_>) -> Vec<Span<'a>> {
    let theme = ctx.theme;
    let of_day = |source: &str, provenance: &Provenance| {
        let day = provenance.data_date.map(|day| format!(" {day}"));
        let text = format!(" {source}{}", day.unwrap_or_default());
        Span::styled(text, theme.badge)
    };
    let (source, old, age) = match origin {
        Origin::Live(provenance) => {
            let age = words::age(provenance.asked_at, ctx.now);
            let old = if case.recalled {
                let text = format!(" asked {age} ago, in an earlier run");
                Span::styled(text, theme.stale)
            } else if age == "now" {
                Span::raw("")
            } else {
                Span::styled(format!(" asked {age} ago"), theme.dim)
            };
            (of_day("live", provenance), old, Age::Fresh)
        }
        Origin::Cached(provenance, age) => {
            let old = match words::age(provenance.asked_at, ctx.now).as_str() {
                "now" => " asked just now".to_owned(),
                old => format!(" asked {old} ago"),
            };
            let old = Span::styled(old, theme.dim);
            (of_day("cached", provenance), old, age)
        }
        Origin::Local(release, age) => {
            let Manifest { feed, moment, .. } = release.manifest;
            let source = format!(" from the feed {feed} of {}", moment.dashed());
            let old = match words::age(moment.begins(), ctx.now).as_str() {
                "now" => String::new(),
                old => format!(", {old} old"),
            };
            let source = Span::styled(source, theme.badge);
            (source, Span::styled(old, theme.dim), age)
        }
    };
    let stale = (age == Age::Stale).then(|| Span::styled(" stale", theme.stale));
    [source, old].into_iter().chain(stale).collect()
}

/// Draws a case: its record, or what keeps it away.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    case: &Case,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let pane = Pane::new(title(case, ctx), focus);
    let Some(shown) = case.shown() else {
        let inner = pane.draw(frame, area, theme);
        return waiting_or_failed(frame, inner, case, ctx);
    };
    let sheet = record::page(shown, case.query.geolocation, theme);
    let inner = case.page.draw(frame, area, pane, sheet, theme);
    // What is new or wrong stands over the old content's first line, which stays.
    if case.live.pending().is_some() {
        let text = match shown.origin {
            Origin::Live(_) => "~ asking again: what stands here is the last answer",
            _ => "~ asking the service: what stands here was known before",
        };
        let line = Line::styled(text, theme.warn);
        frame.render_widget(line.right_aligned(), inner);
        frame.buffer_mut().set_style(
            Rect {
                y: inner.y + 1,
                height: inner.height.saturating_sub(1),
                ..inner
            },
            theme.stale,
        );
    } else if let Some(error) = case.live.error() {
        let why = format!("x {}", error.message);
        failure::over_last_line(frame, inner, &why, theme);
    }
}

fn waiting_or_failed(frame: &mut Frame<'_>, area: Rect, case: &Case, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let lines = if case.live.pending().is_some() {
        let sent = ctx
            .trail
            .listed()
            .iter()
            .find(|(visit, _)| visit.stop == Stop::Address(case.query))
            .map(|(visit, _)| visit.at);
        let waited = sent.map_or(0, |at| ctx.now.duration_since(at).as_secs().max(0));
        let since = if waited > 0 {
            format!("  {waited} s")
        } else {
            String::new()
        };
        vec![
            Line::styled(format!("~ asking the service{since}"), theme.warn),
            Line::styled(
                "x or esc stops waiting; the query may have been counted by then",
                theme.dim,
            ),
        ]
    } else if case.at_hand.pending().is_some() {
        let text = "~ reading the local feeds and the cached answers";
        vec![Line::styled(text, theme.warn)]
    } else if let Some(error) = case.live.error() {
        failure::lines("", error, "  ", "R asks again", theme)
    } else {
        vec![
            Line::raw("This was not asked yet."),
            Line::styled("R asks the service: 1 query", theme.dim),
        ]
    };
    page::draw_lines(frame, area, lines, theme);
}
