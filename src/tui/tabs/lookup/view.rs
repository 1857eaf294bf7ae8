//! How the Lookup tab looks: the address line, the trail beside the record, and what takes the record's place.

mod case;
mod comparison;
mod trail;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{Choosing, LookupTab, Part, case::Case, parts::Parts, welcome};
use crate::{
    contract::Geolocation,
    model::parse_address,
    tui::{
        ctx::ViewCtx,
        ui::{
            cells,
            theme::Focus,
            widgets::bar::{Bar, Part as BarPart},
        },
    },
};

/// Draws the tab.
pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let parts = Parts::of(area).zoomed(ctx.zoomed);
    address_line(frame, parts.line, tab, ctx);
    let trail_on_top = parts.trail.width == 0 && tab.part == Part::Trail;
    if parts.trail.width > 0 || trail_on_top {
        trail::draw(
            frame,
            if trail_on_top {
                parts.page
            } else {
                parts.trail
            },
            tab,
            ctx,
        );
    }
    if !trail_on_top {
        main_part(frame, parts.page, tab, ctx);
    }
    if let Some((choosing, calendar)) = &tab.calendar {
        let title = match choosing {
            Choosing::Date => "Day of lookups",
            Choosing::Comparison => "Compare with (a day not known yet costs 1 query)",
        };
        calendar.draw(frame, area, ctx.theme, title);
    }
}

fn main_part(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let focus = Focus::when(tab.part == Part::Page);
    if tab.compare.is_some() {
        comparison::draw(frame, area, tab, ctx, focus);
    } else if let Some(case) = tab.case() {
        case::draw(frame, area, case, ctx, focus);
    } else {
        welcome::draw(frame, area, &tab.examples, ctx, focus);
    }
}

fn address_line(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let typing = Focus::when(tab.part == Part::Field);
    let date = tab
        .date
        .map_or_else(|| "today".to_owned(), |day| day.to_string());
    let label = |name: &'static str, value: String, loud: bool| {
        let style = if loud { theme.accent } else { theme.text };
        Line::from(vec![
            Span::styled(name, theme.dim),
            Span::styled(value, style),
        ])
    };
    let bar = Bar::new()
        .right(BarPart::new(label("date ", date, tab.date.is_some()), 1))
        .right(BarPart::new(
            label(
                "geo ",
                tab.geolocation.word().to_owned(),
                tab.geolocation == Geolocation::Mmgeo,
            ),
            2,
        ))
        .right(BarPart::new(label("", cost(tab, ctx), false), 3))
        .right(BarPart::new(Line::raw(""), 0));
    let room = area.width.saturating_sub(46);
    let facts = bar.line(room);
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
    tab.field.draw(frame, field, theme, typing);
    frame.render_widget(facts, right);
}

/// What sending what is typed would cost.
fn cost(tab: &LookupTab, ctx: &ViewCtx<'_>) -> String {
    let Ok(address) = parse_address(tab.field.value()) else {
        return "a lookup costs 1".to_owned();
    };
    if let Some(reserved) = ctx.facts.admission.refuses(address) {
        return format!("not sent: {}", reserved.word());
    }
    let known = tab
        .cases
        .of(tab.query_for(address))
        .is_some_and(Case::is_known);
    if known {
        "known here: costs 0".to_owned()
    } else {
        "costs 1 query".to_owned()
    }
}
