//! How a case looks: its record, while it is asked for, and when it could not be answered.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    engine::Error,
    tui::{
        ctx::{ViewCtx, trail::Stop},
        tabs::lookup::{
            case::{Case, aspect},
            record,
        },
        ui::{
            cells,
            theme::Focus,
            widgets::{
                page::{Page, PageState, Row, Section, Side},
                pane::Pane,
            },
            words,
        },
    },
};

/// The title of a case: the address, what was asked, where the answer comes from and how old it is.
fn title<'a>(case: &Case, ctx: &ViewCtx<'_>) -> Line<'a> {
    let theme = ctx.theme;
    let mut parts = vec![Span::raw(case.query.address.to_string())];
    let aspect = aspect(&case.query);
    if !aspect.is_empty() {
        parts.push(Span::raw(format!(" {aspect}")));
    }
    if let Some(answer) = case.live.value() {
        let day = answer
            .provenance
            .data_date
            .map(|day| format!(" {day}"))
            .unwrap_or_default();
        parts.push(Span::styled(format!(" live{day}"), theme.badge));
        let age = words::age(answer.provenance.asked_at, ctx.now);
        if case.recalled {
            parts.push(Span::styled(
                format!(" asked {age} ago, in an earlier run"),
                theme.stale,
            ));
        } else if age != "now" {
            parts.push(Span::styled(format!(" asked {age} ago"), theme.dim));
        }
    }
    Line::from(parts)
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
    let mut pane = Pane::new(title(case, ctx), focus);
    let inner = Pane::inner(area);
    let Some(answer) = case.live.value() else {
        let inner = pane.draw(frame, area, theme);
        return waiting_or_failed(frame, inner, case, ctx);
    };
    let content = record::page(answer, case.query.geolocation, theme);
    let view = case.page.view(&content.page, inner.as_size());
    if view.total > usize::from(inner.height) {
        pane = pane.hint(format!(
            "{}-{} of {} lines",
            view.lines.start + 1,
            view.lines.end,
            view.total
        ));
    }
    let inner = pane.draw(frame, area, theme);
    content.page.draw(frame, inner, &case.page, theme, focus);
    // What is new or wrong stands over the old content's first line, which stays.
    if case.live.pending().is_some() {
        let line = Line::styled(
            "~ asking again: what stands here is the last answer",
            theme.warn,
        );
        frame.render_widget(
            line.right_aligned(),
            Rect {
                height: inner.height.min(1),
                ..inner
            },
        );
        frame.buffer_mut().set_style(
            Rect {
                y: inner.y + 1,
                height: inner.height.saturating_sub(1),
                ..inner
            },
            theme.stale,
        );
    } else if let Some(error) = case.live.error() {
        let text = format!("x {}", error.message);
        let line = Line::styled(cells::cut(&text, inner.width).into_owned(), theme.bad);
        let bottom = Rect {
            y: inner.bottom().saturating_sub(1),
            height: inner.height.min(1),
            ..inner
        };
        frame.render_widget(ratatui::widgets::Clear, bottom);
        frame.render_widget(line, bottom);
    }
}

fn waiting_or_failed(frame: &mut Frame<'_>, area: Rect, case: &Case, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let mut section: Section<'_, u16> = Section::new("", Side::Both);
    if case.live.pending().is_some() {
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
        section.push(Row::text(Line::styled(
            format!("~ asking the service{since}"),
            theme.warn,
        )));
        section.push(Row::text(Line::styled(
            "x or esc stops waiting; the query may have been counted by then",
            theme.dim,
        )));
    } else if let Some(error) = case.live.error() {
        for row in failure(error, ctx) {
            section.push(row);
        }
    } else {
        section.push(Row::text(Line::raw("This was not asked yet.")));
        section.push(Row::text(Line::styled(
            "R asks the service: 1 query",
            theme.dim,
        )));
    }
    let mut page = Page::new();
    page.push(section);
    page.draw(frame, area, &PageState::default(), theme, Focus::Elsewhere);
}

/// A failure: what, why, and what to do.
fn failure<'a>(error: &Error, ctx: &ViewCtx<'_>) -> Vec<Row<'a, u16>> {
    let theme = ctx.theme;
    let mut rows = vec![Row::text(Line::from(vec![
        Span::styled("x ", theme.bad),
        Span::raw(error.message.clone()),
    ]))];
    if let Some(hint) = &error.hint {
        rows.push(Row::text(Line::styled(format!("  {hint}"), theme.dim)));
    }
    rows.push(Row::text(Line::styled("  R asks again", theme.dim)));
    rows
}
