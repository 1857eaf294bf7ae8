//! How the trail looks: a line for each stop, with sign, day and age.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    model::visible,
    tui::{
        ctx::{
            ViewCtx,
            trail::{Depth, TrailStop, Visit},
        },
        tabs::lookup::{
            LookupFocus, LookupTab,
            case::{CaseMark, LookupCase, aspect},
        },
        ui::{
            spots::{PaneId, Pen},
            theme::Focus,
            widgets::{
                bar::{BarLine, BarPart},
                pane::Pane,
            },
        },
    },
};

/// The legend of the signs, during a search in the trail.
const LEGEND: [&str; 5] = [
    "! anonymising     & and shared",
    "? possible, or no record",
    ". nothing noted   x no answer",
    "t tag  f records  e export",
    "> is open         * is pinned",
];

pub(in crate::tui::tabs::lookup) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &LookupTab,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    ctx.spots.pane(area, LookupFocus::Trail as PaneId);
    let focus = Focus::when(tab.part == LookupFocus::Trail);
    let pane = &tab.trail;
    let listed = pane.stops(ctx.trail);
    let is_typing = pane.is_typing && focus.is_here();
    let is_filtered = is_typing || !pane.words.is_empty();
    let count = match (ctx.trail.len(), is_filtered) {
        (0, _) => String::new(),
        (all, true) => format!("{} of {all}", listed.len()),
        (all, false) => all.to_string(),
    };
    let mut inner = Pane::new("Trail", focus)
        .hint(count)
        .draw(frame, area, theme);
    if ctx.trail.is_empty() {
        let hint = Line::styled("no lookups yet", theme.dim);
        return frame.render_widget(hint, inner);
    }
    if is_filtered && !inner.is_empty() {
        let place = Rect { height: 1, ..inner };
        (inner.y, inner.height) = (inner.y + 1, inner.height - 1);
        if is_typing {
            pane.words.draw_behind("/", frame, place, theme);
        } else {
            let line = Line::from(vec![
                Span::styled("/ ", theme.accent),
                Span::raw(visible(pane.words.value()).into_owned()),
                Span::styled("  esc clears", theme.dim),
            ]);
            frame.render_widget(line, place);
        }
    }
    if listed.is_empty() {
        let line = Line::styled("no stop has these words", theme.dim);
        return frame.render_widget(line, inner);
    }
    let lines = u16::try_from(LEGEND.len()).unwrap_or(u16::MAX);
    if focus.is_here() && usize::from(inner.height) > listed.len().min(8) + LEGEND.len() {
        inner.height -= lines;
        let below = Rect {
            y: inner.bottom(),
            height: lines,
            ..inner
        };
        for (text, place) in LEGEND.into_iter().zip(below.rows()) {
            frame.render_widget(Line::styled(text, theme.dim), place);
        }
    }
    let selected = pane
        .cursor
        .selected(listed.len())
        .filter(|_| focus.is_here());
    let window = pane.cursor.window(listed.len(), usize::from(inner.height));
    for (index, place) in window.zip(inner.rows()) {
        let (visit, depth) = &listed[index];
        // Another tab may have gone on since: what is open here has the mark.
        let here = match tab.here {
            Some(open) => visit.stop == TrailStop::Address(open),
            None => ctx.trail.here() == Some(&visit.stop),
        };
        frame.render_widget(stop_line(visit, *depth, here, tab, ctx, place.width), place);
        Pen::from(ctx).row(place, index, selected == Some(index));
        if selected == Some(index) {
            frame.buffer_mut().set_style(place, theme.row(focus));
        }
    }
}

fn stop_line<'a>(
    visit: &Visit,
    depth: Depth,
    here: bool,
    tab: &LookupTab,
    ctx: &ViewCtx<'_>,
    width: u16,
) -> Line<'a> {
    let theme = ctx.theme;
    let arrow = if here { ">" } else { " " };
    let (sign, style, name, note) = match &visit.stop {
        TrailStop::Address(query) => {
            let mark = tab
                .cases
                .of(*query)
                .map_or(CaseMark::NotAsked, LookupCase::mark);
            let pin = if ctx.trail.is_pinned(query.address) {
                "*"
            } else {
                ""
            };
            let is_refused = ctx.facts.admission.refuses(query.address).is_some();
            let (sign, style) = match mark {
                CaseMark::NotAsked if is_refused => ('x', theme.dim),
                mark => (mark.sign(), mark.style(theme)),
            };
            (
                sign,
                style,
                format!("{}{pin}", query.address),
                aspect(query),
            )
        }
        TrailStop::Tag(_) => ('t', theme.accent, visit.stop.name(), String::new()),
        TrailStop::View(_) => ('f', theme.accent, visit.stop.name(), String::new()),
        TrailStop::Rows(_) | TrailStop::Form => {
            ('e', theme.accent, visit.stop.name(), String::new())
        }
    };
    let indent = if depth == Depth::Child { "  " } else { "" };
    let left = Line::from(vec![
        Span::styled(arrow, theme.accent),
        Span::raw(indent),
        Span::styled(format!("{sign} "), style),
        Span::raw(name),
    ]);
    // The day of a lookup tells more than when it was made.
    let age = Line::styled(ctx.age(visit.at), theme.dim);
    let mut bar = BarLine::new().left(BarPart::new(left, 0));
    if !note.is_empty() {
        bar = bar.right(BarPart::new(Line::styled(note, theme.dim), 1));
    }
    bar.right(BarPart::new(age, 2)).line(width)
}
