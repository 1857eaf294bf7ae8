//! How the Lookup tab looks: the address line, the trail beside the record, and what takes the record's place.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{
    Front, LookupFocus, LookupPage, LookupTab, field::completion, price, record, trail, welcome,
};
use crate::{
    contract::Geolocation,
    tui::{
        ctx::ViewCtx,
        ui::{
            areas::{Split, WIDE},
            cells,
            spots::PaneId,
            theme::Focus,
            widgets::bar::{BarLine, BarPart},
        },
    },
};

/// Cells of the trail beside the page.
const TRAIL: u16 = 34;
/// Cells of the mark before the address field, and beside its text.
const MARK: u16 = 5;
/// Cells of the text in an empty address field, with the mark.
const HINT: u16 = 38;

/// The line of the address, and below it the trail at the left of the page, where there is room for both.
pub(super) fn panes(body: Rect) -> (Rect, Split) {
    let [line, rest] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(body);
    (line, Split::below(body, rest, |_| TRAIL))
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    // A table takes the room of the trail, too.
    let front = tab.front();
    let is_trail = matches!(front, Front::Trail);
    let is_table = tab.open_table().is_some() && !is_trail;
    let (line, panes) = panes(area);
    let panes = panes.zoomed(ctx.zoomed || is_table);
    ctx.spots.pane(line, LookupFocus::Field as PaneId);
    address_line(frame, line, tab, ctx);
    if panes.is_beside() || is_trail {
        trail::draw(frame, panes.left, tab, ctx);
    }
    if panes.is_beside() || !is_trail {
        main_part(frame, panes.right, tab, ctx);
    }
}

fn main_part(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    ctx.spots.pane(area, LookupFocus::Page as PaneId);
    let focus = Focus::when(tab.part == LookupFocus::Page);
    match (&tab.page, &tab.board, tab.case()) {
        (LookupPage::Table, Some(board), _) => board.draw(frame, area, ctx, focus),
        (LookupPage::Comparison(own), ..) => own.draw(frame, area, &tab.cases, ctx, focus),
        (.., Some(case)) => {
            let hints = price::hints(case, tab, ctx);
            record::draw(frame, area, case, &hints, ctx, focus);
        }
        (.., None) => welcome::draw(frame, area, &tab.examples, ctx, focus),
    }
}

fn address_line(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let typing = Focus::when(tab.part == LookupFocus::Field);
    let geolocation = tab.geolocation.word().to_owned();
    let is_wide = area.width >= WIDE;
    let is_mmgeo = tab.geolocation == Geolocation::Mmgeo;
    let facts = |is_labelled: bool| {
        let label = |name: &'static str, value: String, loud: bool| {
            let style = if loud { theme.accent } else { theme.text };
            Line::from(vec![
                Span::styled(if is_labelled { name } else { "" }, theme.dim),
                Span::styled(value, style),
            ])
        };
        let (date, rank) = match tab.date {
            // Another day holds for every lookup: nobody must overlook it.
            Some(day) => (
                Line::styled(format!("as of {}", day.dashed()), theme.day_badge()),
                0,
            ),
            None => (label("date ", "today".to_owned(), false), 2),
        };
        let bar = BarLine::new()
            .right(BarPart::new(date, rank))
            .right(BarPart::new(
                label("geo ", geolocation.clone(), is_mmgeo),
                3,
            ))
            .right(BarPart::new(price::line(tab, is_wide, ctx), 1));
        let bar = match price::today(tab, ctx) {
            Some(today) => bar.right(BarPart::new(today, 2)),
            None => bar,
        };
        bar.right(BarPart::new(Line::raw(""), 0))
    };
    let room = area.width.saturating_sub(if is_wide { 46 } else { 24 });
    let labelled = facts(true);
    let text = match tab.field.0.value() {
        "" => HINT,
        text => cells::width(text) + MARK,
    };
    let bar = if labelled.width().saturating_add(text) < area.width {
        labelled
    } else {
        facts(is_wide)
    };
    // The blanks before the facts are the field's.
    let mut facts = bar.line(room);
    facts.spans = facts
        .spans
        .into_iter()
        .skip_while(|span| span.content.trim().is_empty())
        .collect();
    facts.spans.insert(0, Span::raw("  "));
    let [mark, field, right] = Layout::horizontal([
        Constraint::Length(3),
        Constraint::Min(10),
        Constraint::Length(cells::line_width(&facts)),
    ])
    .areas(area);
    let style = if typing.is_here() {
        theme.accent
    } else {
        theme.dim
    };
    frame.render_widget(Line::styled(" >", style), mark);
    if typing.is_here() || tab.open_table().is_none() {
        tab.field.0.draw(frame, field, theme, typing);
    } else {
        // The field has the address of the record behind the table.
        frame.render_widget(
            Line::styled("(a table; i types an address)", theme.dim),
            field,
        );
    }
    if typing.is_here() {
        ghost(frame, field, tab, ctx);
    }
    frame.render_widget(facts, right);
}

/// The rest of the address that Tab would complete.
fn ghost(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let Some(address) = completion(&tab.field.0, ctx.trail) else {
        return;
    };
    let typed = cells::width(tab.field.0.value());
    let rest = address.get(tab.field.0.value().len()..).unwrap_or_default();
    // The cursor is on the first cell after what is typed.
    let place = Rect {
        x: area.x.saturating_add(typed),
        width: area.width.saturating_sub(typed),
        height: area.height.min(1),
        ..area
    };
    let line = Line::styled(format!("{rest}  tab completes"), ctx.theme.dim);
    frame.render_widget(cells::cut_line(line, place.width), place);
}
