//! Draws the table of records. The first column is fixed, the others scroll sideways; only the rows in view are built.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{head::place_badge, over};
use crate::{
    report::unknown_value,
    tui::{
        ctx::{ViewCtx, failure},
        tabs::feeds::browser::{
            Browser, BrowserOverlay,
            areas::{BrowserAreas, below, lines},
            columns,
        },
        ui::{Focus, Pane, Theme, cells, widgets::page::ruled, words},
    },
};

pub(super) fn draw(
    frame: &mut Frame<'_>,
    parts: &BrowserAreas,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let (title, hint) = (title(browser, theme), position(browser, theme));
    let inside = parts.inside();
    if parts.is_wide {
        Pane::new(title, focus)
            .hint(hint)
            .draw(frame, parts.table, theme);
    } else {
        let rule = ruled(title, hint, parts.table.width, theme);
        frame.render_widget(cells::cut_line(rule, parts.table.width), parts.table);
    }
    if inside.is_empty() {
        return;
    }
    let rows = browser.list.rows();
    if rows.loaded().is_none() {
        let text = match rows.error() {
            Some(error) => failure::lines(
                "",
                error,
                "  ",
                "R tries again   esc back to the feeds",
                theme,
            ),
            None => vec![Line::styled(
                format!("opening {}", browser.query().feed),
                theme.dim,
            )],
        };
        return lines(frame, inside, text);
    }
    let body = match rows.error() {
        // The rows of the last answer stay, marked as outdated.
        Some(error) => {
            let text = failure::lines(
                "",
                error,
                "  ",
                "R tries again; the rows below are older",
                theme,
            );
            let [place, rest] = below(inside, text.len());
            lines(frame, place, text);
            rest
        }
        None => inside,
    };
    if rows.current().is_some_and(|rows| rows.head.count == 0) {
        return draw_without_records(frame, body, browser, ctx, focus);
    }
    let is_old = rows.error().is_some() || rows.is_late(ctx.now);
    browser.list.draw_rows(frame, body, focus, is_old, ctx);
}

/// The title of the table: its order, and a newer release.
fn title(browser: &Browser, theme: &Theme) -> Line<'static> {
    let order = columns::order_in_words(browser.query().feed, browser.query().order);
    let mut spans = vec![
        Span::raw("Records"),
        Span::styled(format!(" {order}"), theme.dim),
    ];
    let head = browser.list.rows().loaded().map(|rows| &rows.head);
    let place = head.map(|view| view.release.manifest.place());
    spans.extend(place.map(|place| place_badge(place, theme)));
    if let Some((head, all)) = head.and_then(|view| Some((view, view.beyond?))) {
        let (first, all) = (words::number(head.count), words::number(all));
        let text = format!("  first {first} of {all}: / narrows");
        spans.push(Span::styled(text, theme.warn));
    }
    let newer = head.and_then(|view| view.newer);
    if let Some(newer) = newer {
        // Both have room only in short.
        let text = match head.and_then(|view| view.beyond) {
            Some(_) => "  R: newer".to_owned(),
            None => format!("   newer release {}: R opens it", newer.dashed()),
        };
        spans.push(Span::styled(text, theme.warn));
    }
    Line::from(spans)
}

/// The position of the cursor, and the number of marked records.
fn position(browser: &Browser, theme: &Theme) -> Line<'static> {
    let list = &browser.list;
    let hidden = match list.hidden() {
        0 => String::new(),
        hidden => format!("{hidden} hidden columns: |   "),
    };
    Line::styled(list.standing(&hidden), theme.dim)
}

/// Draws the view without records: the counts of the clauses, to drop one.
fn draw_without_records(
    frame: &mut Frame<'_>,
    area: Rect,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    if browser.query().filter.is_empty() {
        return lines(
            frame,
            area,
            vec![Line::styled("this release holds no record", theme.dim)],
        );
    }
    let feed = [browser.query().feed];
    let mut text = vec![Line::raw("no record matches the whole filter")];
    let unknown = browser.clauses.unknown();
    text.extend(unknown.map(|value| Line::raw(unknown_value(value, &feed))));
    text.push(Line::raw(""));
    let Some(menu) = browser.dropping() else {
        match browser.clauses.error() {
            Some(error) => text.extend(failure::lines("", error, "  ", "R tries again", theme)),
            None => text.push(Line::styled("counting its clauses", theme.dim)),
        }
        return lines(frame, area, text);
    };
    let hint = if matches!(browser.over, Some(BrowserOverlay::Filter(_))) {
        "enter applies the filter; enter again drops the selected clause"
    } else {
        "enter drops the selected clause; u brings it back"
    };
    text.push(Line::styled(hint, theme.dim));
    text.push(Line::raw(""));
    let [place, list] = below(area, text.len());
    lines(frame, place, text);
    over::rows(frame, list, menu, ctx.into(), focus);
}
