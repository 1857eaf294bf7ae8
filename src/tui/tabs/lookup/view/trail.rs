//! How the trail looks: a line a stop, with its sign, its day and its age.

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
            trail::{Depth, Stop, Visit},
        },
        tabs::lookup::{
            LookupTab, Part,
            case::{Case, Mark, aspect},
        },
        ui::{
            spots::{PaneId, Pen},
            theme::Focus,
            widgets::{
                bar::{Bar, Part as BarPart},
                pane::Pane,
            },
        },
    },
};

/// Draws the trail.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    ctx.spots.pane(area, Part::Trail as PaneId);
    let focus = Focus::when(tab.part == Part::Trail);
    let listed = tab.stops(ctx.trail);
    let is_filtered = tab.is_finding() || !tab.words.is_empty();
    let count = match (ctx.trail.len(), is_filtered) {
        (0, _) => String::new(),
        (all, true) => format!("{} of {all}", listed.len()),
        (all, false) => all.to_string(),
    };
    let mut inner = Pane::new("Trail", focus)
        .hint(count)
        .draw(frame, area, theme);
    if ctx.trail.is_empty() {
        let hint = Line::styled("what you look up stands here", theme.dim);
        return frame.render_widget(hint, inner);
    }
    if is_filtered && !inner.is_empty() {
        let place = Rect { height: 1, ..inner };
        (inner.y, inner.height) = (inner.y + 1, inner.height - 1);
        if tab.is_finding() {
            tab.words.draw_behind("/", frame, place, theme);
        } else {
            let line = Line::from(vec![
                Span::styled("/ ", theme.accent),
                Span::raw(visible(tab.words.value()).into_owned()),
                Span::styled("  esc clears", theme.dim),
            ]);
            frame.render_widget(line, place);
        }
    }
    if listed.is_empty() {
        let line = Line::styled("no stop has these words", theme.dim);
        return frame.render_widget(line, inner);
    }
    let selected = tab.trail.selected(listed.len()).filter(|_| focus.is_here());
    let window = tab.trail.window(listed.len(), usize::from(inner.height));
    for (index, place) in window.zip(inner.rows()) {
        let (visit, depth) = &listed[index];
        let here = ctx.trail.here() == Some(&visit.stop);
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
        Stop::Address(query) => {
            let mark = tab.cases.of(*query).map_or(Mark::NotAsked, Case::mark);
            let pin = if ctx.trail.is_pinned(query.address) {
                "*"
            } else {
                ""
            };
            (
                mark.sign(),
                mark_style(mark, ctx),
                format!("{}{pin}", query.address),
                aspect(query),
            )
        }
        Stop::Tag(_) => ('t', theme.accent, visit.stop.name(), String::new()),
        Stop::View(_) => ('f', theme.accent, visit.stop.name(), String::new()),
        Stop::Rows(_) | Stop::Form => ('e', theme.accent, visit.stop.name(), String::new()),
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
    let mut bar = Bar::new().left(BarPart::new(left, 0));
    if !note.is_empty() {
        bar = bar.right(BarPart::new(Line::styled(note, theme.dim), 1));
    }
    bar.right(BarPart::new(age, 2)).line(width)
}

fn mark_style(mark: Mark, ctx: &ViewCtx<'_>) -> ratatui::style::Style {
    match mark {
        Mark::Anonymising | Mark::Failed => ctx.theme.bad,
        Mark::Shared | Mark::Possible | Mark::NoRecord | Mark::Pending => ctx.theme.warn,
        Mark::NotSeen | Mark::NotAsked => ctx.theme.dim,
    }
}
