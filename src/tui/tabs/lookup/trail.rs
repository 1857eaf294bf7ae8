//! The trail as a pane: the stops with the words that were typed, one line each, with sign, day and age.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};

use super::{
    LookupFocus, LookupTab,
    case::{CaseMark, LookupCase, aspect},
};
use crate::{
    model::visible,
    tui::{
        ctx::{
            ViewCtx,
            intent::Gesture,
            trail::{Depth, Trail, TrailStop, Visit},
        },
        ui::{
            cursor::{Cursor, Motion},
            spots::{PaneId, Pen},
            theme::Focus,
            widgets::{
                bar::{BarLine, BarPart},
                pane::Pane,
                text_field::TextField,
            },
        },
    },
};

/// The legend of the signs, while the trail has the focus.
const LEGEND: [&str; 5] = [
    "! anonymising     & and shared",
    "? possible, or no record",
    ". nothing noted   x no answer",
    "t tag  f records  e export",
    "> is open         * is pinned",
];

/// The cursor in the trail, and the words that stops must have.
#[derive(Debug)]
pub(super) struct TrailPane {
    cursor: Cursor,
    words: TextField,
    pub(super) is_typing: bool,
}

impl Default for TrailPane {
    fn default() -> Self {
        Self {
            cursor: Cursor::default(),
            words: TextField::new("words of an address, a tag or a note"),
            is_typing: false,
        }
    }
}

impl TrailPane {
    /// The words, while they are typed.
    pub(super) fn field(&mut self) -> Option<&mut TextField> {
        self.is_typing.then_some(&mut self.words)
    }

    /// The stops that are shown.
    fn stops<'t>(&self, trail: &'t Trail) -> Vec<(&'t Visit, Depth)> {
        trail.found(self.words.value())
    }

    /// The stop under the cursor.
    pub(super) fn selected(&self, trail: &Trail) -> Option<TrailStop> {
        let stops = self.stops(trail);
        let (visit, _) = stops.get(self.cursor.selected(stops.len())?)?;
        Some(visit.stop.clone())
    }

    pub(super) fn go(&mut self, motion: Motion, trail: &Trail) {
        let len = self.stops(trail).len();
        self.cursor.step(motion, len);
    }

    /// Handles a gesture about the words; returns whether it was.
    pub(super) fn on(&mut self, gesture: Gesture) -> bool {
        match gesture {
            Gesture::Find if !self.is_typing => self.is_typing = true,
            Gesture::Open | Gesture::NextPane | Gesture::PreviousPane if self.is_typing => {
                self.is_typing = false;
            }
            Gesture::Escape if self.is_typing || !self.words.is_empty() => self.clear(),
            _ => return false,
        }
        true
    }

    /// Shows all stops again.
    pub(super) fn clear(&mut self) {
        self.is_typing = false;
        self.words.clear();
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
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
    let inner = Pane::new("Trail", focus)
        .hint(count)
        .draw(frame, area, theme);
    if ctx.trail.is_empty() {
        let hint = Line::styled("no lookups yet", theme.dim);
        return frame.render_widget(hint, inner);
    }
    let has_legend = focus.is_here() && usize::from(inner.height) > listed.len().min(8) + 6;
    let [filter, rows, legend] = Layout::vertical([
        Constraint::Length(u16::from(is_filtered)),
        Constraint::Min(0),
        Constraint::Length(if has_legend { 5 } else { 0 }),
    ])
    .areas(inner);
    if is_typing {
        pane.words.draw_behind("/", frame, filter, theme);
    } else if is_filtered {
        let line = Line::from(vec![
            Span::styled("/ ", theme.accent),
            Span::raw(visible(pane.words.value()).into_owned()),
            Span::styled("  esc clears", theme.dim),
        ]);
        frame.render_widget(line, filter);
    }
    if listed.is_empty() {
        let line = Line::styled("no stop has these words", theme.dim);
        return frame.render_widget(line, rows);
    }
    for (text, place) in LEGEND.into_iter().zip(legend.rows()) {
        frame.render_widget(Line::styled(text, theme.dim), place);
    }
    let selected = pane.cursor.selected(listed.len());
    let selected = selected.filter(|_| focus.is_here());
    let window = pane.cursor.window(listed.len(), usize::from(rows.height));
    for (index, place) in window.zip(rows.rows()) {
        let (visit, depth) = listed[index];
        frame.render_widget(stop_line(visit, depth, tab, ctx).line(place.width), place);
        Pen::from(ctx).row(place, index, selected == Some(index));
        if selected == Some(index) {
            frame.buffer_mut().set_style(place, theme.row(focus));
        }
    }
}

fn stop_line<'a>(visit: &Visit, depth: Depth, tab: &LookupTab, ctx: &ViewCtx<'_>) -> BarLine<'a> {
    let theme = ctx.theme;
    // Another tab may have gone on since: what is open here has the mark.
    let is_open = match tab.here {
        Some(open) => visit.stop == TrailStop::Address(open),
        None => ctx.trail.here() == Some(&visit.stop),
    };
    let mut name = visit.stop.name();
    let mut bar = BarLine::new();
    let (sign, style): (char, Style) = match &visit.stop {
        TrailStop::Address(query) => {
            name.extend(ctx.trail.is_pinned(query.address).then_some('*'));
            let note = aspect(query);
            if !note.is_empty() {
                bar = bar.right(BarPart::new(Line::styled(note, theme.dim), 1));
            }
            let case = tab.cases.of(*query);
            match case.map_or(CaseMark::NotAsked, LookupCase::mark) {
                CaseMark::NotAsked if ctx.facts.admission.refuses(query.address).is_some() => {
                    ('x', theme.dim)
                }
                mark => (mark.sign(), mark.style(theme)),
            }
        }
        TrailStop::Tag(_) => ('t', theme.accent),
        TrailStop::View(_) => ('f', theme.accent),
        TrailStop::Rows(_) | TrailStop::Form => ('e', theme.accent),
    };
    let left = Line::from(vec![
        Span::styled(if is_open { ">" } else { " " }, theme.accent),
        Span::raw(if depth == Depth::Child { "  " } else { "" }),
        Span::styled(format!("{sign} "), style),
        Span::raw(name),
    ]);
    // The day of a lookup tells more than when it was made.
    let age = Line::styled(ctx.age(visit.at), theme.dim);
    let bar = bar.left(BarPart::new(left, 0));
    bar.right(BarPart::new(age, 2))
}
