//! The frame around the tabs: header, keys, the latest message, jobs, and overlays.

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::Clear,
};

use super::{
    app::App,
    header,
    raw::is_raw,
    registry::{Action, ShellAction, TabId},
};
use crate::tui::{
    ctx::{Binding, Chord, Intent, JobState, Owner, Scope, ViewCtx, meter},
    ui::{
        BarLine, BarPart, Pen,
        areas::{self, SMALLEST},
        cells, look,
    },
};

pub fn draw(frame: &mut Frame<'_>, app: &App, now: Timestamp) {
    let whole = frame.area();
    app.ages.begin(now);
    app.spots.begin();
    frame.buffer_mut().set_style(whole, app.theme.base);
    if areas::is_too_small(whole.as_size()) {
        return too_small(frame, whole);
    }
    let area = Rect::from((whole.as_position(), app.look.size(whole.as_size())));
    parts(frame, area, app, now);
    if app.look.screen_reader {
        speak(frame, app.areas(now).selected, app);
    }
    app.look.finish(frame);
}

/// What is drawn on the screen, from below.
fn parts(frame: &mut Frame<'_>, area: Rect, app: &App, now: Timestamp) {
    let areas = app.areas(now);
    header::draw(frame, areas.header, app);
    let ctx = app.view(now);
    let tab = app.tabs.of(app.tab);
    // What lies under something else is not read aloud.
    let is_under = app.look.screen_reader && app.overlay.is_some();
    let [mut line, body] =
        Layout::vertical([Constraint::Length(app.docked_lines()), Constraint::Min(0)])
            .areas(areas.body);
    if !is_under {
        let in_front = tab.draw(frame, body, &ctx);
        for surface in app.surfaces.get(&app.tab).into_iter().flatten() {
            let price = surface.lead().map(|lead| tab.price_of(&lead, &ctx));
            let ctx = ViewCtx {
                price: price.as_ref(),
                ..ctx.clone()
            };
            let lines = surface.lines();
            let place = match lines {
                0 if is_raw(surface.as_ref()) => in_front,
                0 => body,
                lines => Rect {
                    height: lines,
                    ..line
                },
            };
            surface.draw(frame, place, &ctx);
            line.y += lines;
        }
    }
    jobs_strip(frame, areas.jobs, app);
    notice(frame, areas.notice, app, now);
    footer(frame, areas.hints, areas.status, app, now);
    if let Some(overlay) = &app.overlay {
        // What names the selected row stays, and so do the keys.
        let place = if app.look.screen_reader {
            areas.body
        } else {
            area
        };
        overlay.draw(frame, place, &ctx);
    }
    if let Some(tour) = app.tour {
        tour.draw(frame, areas.body, app.key_of_tour(tour), &app.theme);
    }
}

/// Names the selected row in a line of its own, and puts the cursor on it unless it is in a text.
fn speak(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let spoken = look::take_marks(frame);
    let Some((at, text)) = spoken.selected else {
        return;
    };
    let line = Line::from(vec![
        Span::styled(" selected: ", app.theme.label),
        Span::styled(text, app.theme.text),
    ]);
    frame.render_widget(Clear, area);
    frame.buffer_mut().set_style(area, app.theme.base);
    frame.render_widget(cells::cut_line(line, area.width), area);
    if !spoken.is_typing {
        frame.set_cursor_position(at);
    }
}

fn too_small(frame: &mut Frame<'_>, area: Rect) {
    let text = format!(
        "too small ({}x{}), need {}x{}",
        area.width, area.height, SMALLEST.width, SMALLEST.height
    );
    frame.render_widget(Line::raw(text), area);
}

fn jobs_strip(frame: &mut Frame<'_>, area: Rect, app: &App) {
    // What runs is nearest to the keys.
    let mut open: Vec<_> = app.jobs.open().collect();
    open.sort_by_key(|job| job.state == JobState::Running);
    let skipped = open.len().saturating_sub(usize::from(area.height));
    for (job, line) in open.into_iter().skip(skipped).zip(area.rows()) {
        let is_here = app.tab == TabId::Feeds || job.is_of(Owner(app.tab as usize));
        meter::draw_job(frame, line, job, is_here, &app.theme);
    }
}

/// The keys of this place that do something now, as many as fit; the others are in the line below.
fn footer(frame: &mut Frame<'_>, area: Rect, below: Rect, app: &App, now: Timestamp) {
    let theme = &app.theme;
    let scopes = app.scopes();
    let shown: Vec<_> = app
        .offered(&scopes, now)
        .map(|binding| (binding.chord.to_string(), binding))
        .collect();
    let mut bar = BarLine::new().left(BarPart::new(Line::raw(""), 0));
    for (number, (chord, binding)) in shown.iter().enumerate() {
        // A hint with a price is the last to be cut.
        let hint = app.hint(binding, now);
        let rank = if hint.contains("query") || hint.contains("queries") {
            0
        } else {
            binding.rank
        };
        let part = BarPart::hint(theme, chord, hint, rank);
        bar = bar.left(part.numbered(number));
    }
    let mode = match scopes.first() {
        Some(Scope::FormText) => "INPUT",
        Some(scope) if scope.is_typing() => "INPUT",
        Some(Scope::Form) => "FORM",
        _ => "NORMAL",
    };
    let mut bar = bar.right(BarPart::new(Span::styled(format!("{mode} "), theme.dim), 0));
    let mut over = bar.take_over(area.width);
    draw_noted(frame, area, bar, app);
    // The header names that key.
    let is_help = |pair: &(String, &Binding<Action>)| {
        pair.1.intent == Intent::Action(Action::Shell(ShellAction::Help))
    };
    if let Some(help) = shown.iter().position(is_help) {
        over.retain(|part| part.number() != Some(help));
    }
    status(frame, below, over, app);
}

/// Draws a bar, and notes the keys that it names for clicks.
fn draw_noted(frame: &mut Frame<'_>, area: Rect, bar: BarLine<'_>, app: &App) {
    for (number, start, width) in bar.places(area.width) {
        let x = area.x.saturating_add(start);
        let place = Rect { x, width, ..area };
        Pen::new(&app.theme, &app.spots).hint(place.intersection(area), number);
    }
    bar.draw(frame, area);
}

/// The key that shows all messages whole, where it is one.
fn log_key(app: &App) -> Option<Chord> {
    let log = Intent::Action(Action::Shell(ShellAction::Messages));
    let scopes = app.scopes();
    let mut reachable = app.keys.reachable(&scopes);
    let binding = reachable.find(|binding| binding.intent == log);
    binding
        .filter(|_| app.overlay.is_none())
        .map(|binding| binding.chord)
}

/// The latest message, above the keys.
fn notice(frame: &mut Frame<'_>, area: Rect, app: &App, now: Timestamp) {
    let Some(notice) = app.notices.latest(now) else {
        return;
    };
    let mut line = notice.line(&app.theme);
    line.spans.insert(0, Span::raw(" "));
    let mut bar = BarLine::new();
    if cells::line_width(&line) > area.width
        && let Some(log) = log_key(app)
    {
        let hint = BarPart::hint(&app.theme, log.to_string(), "shows all", 0);
        let room = BarLine::new().left(hint.clone()).width() + BarLine::GAP + 1;
        let line = cells::cut_line(line, area.width.saturating_sub(room));
        bar = bar.left(BarPart::new(line, 0)).left(hint);
    } else {
        bar = bar.left(BarPart::new(line, 0));
    }
    draw_noted(frame, area, bar, app);
}

/// The keys for which the line above has no room, the case and the profile.
fn status(frame: &mut Frame<'_>, area: Rect, over: Vec<BarPart<'_>>, app: &App) {
    let theme = &app.theme;
    let bar = over.into_iter().fold(BarLine::new(), BarLine::left);
    let profile = if app.private {
        "hidden".to_owned()
    } else {
        app.facts.profile.clone()
    };
    let label = if area.width < areas::WIDE {
        ""
    } else {
        "profile "
    };
    let case = app.facts.case.as_deref().filter(|_| !app.private);
    let case = case.map(|text| Line::from(vec![Span::styled("case ", theme.dim), Span::raw(text)]));
    let bar = match case {
        Some(case) => bar.right(BarPart::new(case, 0)),
        None => bar,
    };
    let profile = Line::from(vec![
        Span::styled(label, theme.dim),
        Span::raw(profile),
        Span::raw(" "),
    ]);
    draw_noted(frame, area, bar.right(BarPart::new(profile, 1)), app);
}
