//! How the Lookup tab looks: the address line, the trail beside the record, what takes the record's place, and before the first lookup what
//! is missing and how to get it, or examples to try.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{
    Front, LookupFocus, LookupPage, LookupTab, field::completion, price, record, start, trail,
};
use crate::{
    contract::Geolocation,
    tui::{
        ctx::ViewCtx,
        ui::{
            BarLine, BarPart, Focus, PaneId, Split,
            areas::{WIDE, has_room_for_record},
            cells,
        },
    },
};

/// Cells of the record beside a table of so many together: it needs less than half, and does not get better by more than it needs.
fn beside(width: u16) -> u16 {
    (width / 20 * 9).min(90)
}

/// Whether the record of the row under the cursor stands beside a table, or beside the trail.
pub(super) fn has_beside(tab: &LookupTab, body: Rect) -> bool {
    match (tab.front(), tab.open_table()) {
        (Front::Trail, _) => panes(body, trail::width(&tab.trail, body.width))
            .1
            .is_beside(),
        (_, Some(board)) => has_room_for_record(body.width, board.has_facets()),
        (_, None) => false,
    }
}

/// Cells of the mark before the address field, and beside its text.
const MARK: u16 = 5;
/// Cells of the text in an empty address field, with the mark.
const HINT: u16 = 38;

/// The line of the address, and below it the trail at the left of the page, where there is room for both.
fn panes(body: Rect, trail: u16) -> (Rect, Split) {
    let [line, rest] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(body);
    (line, Split::below(body, rest, |_| trail))
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) -> Rect {
    // A table takes the room of the trail, too.
    let front = tab.front();
    let is_trail = matches!(front, Front::Trail);
    let is_table = tab.has_table() && !is_trail;
    let (line, panes) = panes(area, trail::width(&tab.trail, area.width));
    let panes = panes.zoomed(ctx.zoomed || is_table);
    ctx.spots.pane(line, LookupFocus::Field as PaneId);
    address_line(frame, line, tab, ctx);
    if panes.is_beside() || is_trail {
        ctx.spots.pane(panes.left, LookupFocus::Trail as PaneId);
        trail::draw(frame, panes.left, &tab.trail, ctx, Focus::when(is_trail));
    }
    if panes.is_beside() || !is_trail {
        main_part(frame, panes.right, tab, ctx);
    }
    panes.right
}

fn main_part(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    ctx.spots.pane(area, LookupFocus::Page as PaneId);
    let focus = Focus::when(tab.part == LookupFocus::Page);
    if let Some(case) = tab.stop_beside().and_then(|query| tab.cases.of(query)) {
        let hints = price::hints(case, tab, ctx);
        return record::draw(frame, area, case, &hints, ctx, focus);
    }
    match (&tab.page, &tab.board, tab.case()) {
        (LookupPage::Table, Some(board), _) => {
            let has_beside = has_beside(tab, area) && !ctx.zoomed;
            let beside_it = tab.beside.filter(|_| has_beside);
            let Some(case) = beside_it.and_then(|(query, _)| tab.cases.of(query)) else {
                return board.draw(frame, area, ctx, focus);
            };
            let beside = Constraint::Length(beside(area.width));
            let areas = Layout::horizontal([Constraint::Min(0), beside]);
            let [table, record] = areas.areas(area);
            board.draw(frame, table, ctx, focus);
            let hints = price::hints(case, tab, ctx);
            record::draw(frame, record, case, &hints, ctx, Focus::Elsewhere);
        }
        (LookupPage::Beginning(beginning), ..) => {
            beginning.board.draw(frame, area, ctx, focus);
        }
        (LookupPage::Comparison(comparison), ..) => {
            comparison.draw(frame, area, &tab.cases, ctx, focus)
        }
        (.., Some(case)) => {
            let hints = price::hints(case, tab, ctx);
            record::draw(frame, area, case, &hints, ctx, focus);
        }
        (.., None) => start::draw(frame, area, &tab.start, ctx, focus),
    }
}

fn address_line(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let typing = Focus::when(tab.part == LookupFocus::Field);
    let is_wide = area.width >= WIDE;
    let facts = |is_labelled: bool| facts_of_line(tab, is_labelled, is_wide, ctx);
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
    let facts = bar.line(room).spans.into_iter();
    let facts = facts.skip_while(|span| span.content.trim().is_empty());
    let facts: Line<'_> = [Span::raw("  ")].into_iter().chain(facts).collect();
    let [mark, field, right] = Layout::horizontal([
        Constraint::Length(3),
        Constraint::Min(10),
        Constraint::Length(cells::line_width(&facts)),
    ])
    .areas(area);
    let is_here = typing.is_here();
    let style = if is_here { theme.accent } else { theme.dim };
    frame.render_widget(Line::styled(" >", style), mark);
    if let Some(query) = tab.stop_beside().filter(|_| tab.has_other_beside()) {
        frame.render_widget(Line::styled(query.address.to_string(), theme.dim), field);
    } else if is_here || !tab.has_table() {
        tab.field.0.draw(frame, field, theme, typing);
    } else {
        // The field has the address of the record behind the table.
        let text = Line::styled("(a table; i types an address)", theme.dim);
        frame.render_widget(text, field);
    }
    if is_here {
        ghost(frame, field, tab, ctx);
    }
    frame.render_widget(facts, right);
}

/// What holds for every lookup, and what Enter costs.
fn facts_of_line(
    tab: &LookupTab,
    is_labelled: bool,
    is_wide: bool,
    ctx: &ViewCtx<'_>,
) -> BarLine<'static> {
    let theme = ctx.theme;
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
    let is_mmgeo = tab.geolocation == Geolocation::Mmgeo;
    let geolocation = label("geo ", tab.geolocation.word().to_owned(), is_mmgeo);
    let bar = BarLine::new()
        .right(BarPart::new(date, rank))
        .right(BarPart::new(geolocation, 3))
        .right(BarPart::new(price::line(tab, is_wide, ctx), 1));
    let bar = match price::today(tab, ctx) {
        Some(today) => bar.right(BarPart::new(today, 2)),
        None => bar,
    };
    bar.right(BarPart::new(Line::raw(""), 0))
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
