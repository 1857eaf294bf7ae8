//! The frame around the tabs: header, keys, what was said last, what is under way, and what lies over everything.

mod overlays;

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::Clear,
};

use super::{app::App, front::NAME, registry::TabId};
use crate::{
    engine::BalanceSource,
    tui::{
        ctx::{
            intent::Scope,
            jobs::{Job, JobState, Owner},
            meter,
        },
        ui::{
            areas::{self, SMALLEST},
            cells, look,
            widgets::bar::{Bar, Part},
            words,
        },
    },
};

/// Draws everything.
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
        speak(frame, app.areas().selected, app);
    }
    app.look.finish(frame);
}

/// What is drawn on the screen, from below.
fn parts(frame: &mut Frame<'_>, area: Rect, app: &App, now: Timestamp) {
    let areas = app.areas();
    header(frame, areas.header, app);
    let ctx = app.view(now);
    let tab = app.tabs.of(app.tab);
    // What lies under something else is not read aloud.
    let is_under = app.look.screen_reader && app.overlay.is_some();
    if !is_under {
        tab.draw(frame, areas.body, &ctx);
    }
    if let Some(raw) = app.raw.get(&app.tab).filter(|_| !is_under) {
        let area = tab.raw_area(areas.body, app.zoomed);
        frame.render_widget(Clear, area);
        frame.buffer_mut().set_style(area, app.theme.base);
        // Keys go to it alone, and so do clicks.
        app.spots.begin();
        app.spots.pane(area, 0);
        raw.draw(frame, area, app.pen());
    }
    jobs_strip(frame, areas.jobs, app);
    hints(frame, areas.hints, app, now);
    status(frame, areas.status, app, now);
    if let Some(overlay) = &app.overlay {
        overlays::draw(frame, area, overlay, app, now);
    }
    if let Some(tour) = app.tour {
        tour.draw(frame, areas.body, &app.theme);
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

fn header(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let theme = &app.theme;
    let narrow = area.width < areas::WIDE;
    let mut tabs = vec![Span::styled(NAME, theme.title)];
    tabs.extend(app.headings().into_iter().map(|(tab, text)| {
        let style = if tab == app.tab {
            theme.accent
        } else {
            theme.dim
        };
        Span::styled(text, style)
    }));
    let mut bar = Bar::new().left(Part::new(Line::from(tabs), 0));
    if app.facts.invented {
        bar = bar.right(Part::new(
            Span::styled(
                if narrow { "DEMO" } else { "DEMO invented data" },
                theme.badge,
            ),
            0,
        ));
    } else if app.facts.offline {
        bar = bar.right(Part::new(Span::styled("OFFLINE", theme.badge), 0));
    }
    bar = bar.right(Part::new(balance(app), 1));
    let open = app.jobs.open().count();
    if open > 0 {
        bar = bar.right(Part::new(
            Span::styled(job_words(app, open), theme.accent),
            2,
        ));
    }
    bar.right(Part::new(Span::styled("? keys ", theme.dim), 3))
        .draw(frame, area);
}

fn job_words(app: &App, open: usize) -> String {
    let is_running = app.jobs.running().next().is_some();
    let state = if is_running { "" } else { " paused" };
    let share = app
        .jobs
        .running()
        .chain(app.jobs.open())
        .find_map(Job::percent);
    match share {
        Some(share) => format!("J:{open}{state} {share}%"),
        None => format!("J:{open}{state}"),
    }
}

/// The balance and its last change; unknown is said to be unknown.
fn balance(app: &App) -> Line<'static> {
    let theme = &app.theme;
    if app.private {
        return Line::styled("bal hidden", theme.dim);
    }
    let Some(balance) = app.facts.balance else {
        return Line::styled("bal unknown", theme.dim);
    };
    let style = if balance.remaining < app.facts.guards.warn_below {
        theme.warn
    } else {
        theme.text
    };
    let change = app
        .facts
        .balance_before
        .filter(|before| *before != balance.remaining)
        .map(|before| {
            if before > balance.remaining {
                format!(" (-{})", before - balance.remaining)
            } else {
                format!(" (+{})", balance.remaining - before)
            }
        });
    let source = if balance.source == BalanceSource::Status {
        ""
    } else {
        change.as_deref().unwrap_or("")
    };
    Line::from(vec![
        Span::styled("bal ", theme.dim),
        Span::styled(words::number(balance.remaining), style),
        Span::styled(source.to_owned(), theme.dim),
    ])
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

/// The keys of this place that do something now, as many as fit.
fn hints(frame: &mut Frame<'_>, area: Rect, app: &App, now: Timestamp) {
    let theme = &app.theme;
    let scopes = app.scopes();
    let shown: Vec<_> = app
        .keys
        .reachable(&scopes)
        .filter(|binding| app.is_offered(binding, now))
        .map(|binding| (binding.chord.to_string(), binding))
        .collect();
    let mut bar = Bar::new().left(Part::new(Line::raw(""), 0));
    for (chord, binding) in &shown {
        // What names a price stays as long as anything does.
        let rank = if binding.hint.contains("query") {
            0
        } else {
            binding.rank
        };
        bar = bar.left(Part::hint(theme, chord, binding.hint, rank));
    }
    let mode = match scopes.first() {
        Some(scope) if scope.is_typing() => "INPUT",
        Some(Scope::Form) => "FORM",
        _ => "NORMAL",
    };
    bar.right(Part::new(Span::styled(format!("{mode} "), theme.dim), 0))
        .draw(frame, area);
}

fn status(frame: &mut Frame<'_>, area: Rect, app: &App, now: Timestamp) {
    let theme = &app.theme;
    let mut bar = Bar::new();
    if let Some(notice) = app.notices.latest(now) {
        let mut line = notice.line(theme);
        line.spans.insert(0, Span::raw(" "));
        bar = bar.left(Part::new(line, 0));
    }
    let profile = if app.private {
        "hidden".to_owned()
    } else {
        app.facts.profile.clone()
    };
    bar.right(Part::new(
        Line::from(vec![
            Span::styled("profile ", theme.dim),
            Span::raw(profile),
            Span::raw(" "),
        ]),
        1,
    ))
    .draw(frame, area);
}
