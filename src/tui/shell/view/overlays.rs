//! How overlays look.

use std::borrow::Cow;

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect, Size},
    style::Style,
    text::{Line, Span, Text},
};

use crate::{
    model::visible,
    tui::{
        ctx::{
            intent::Scope,
            jobs::{Job, JobState},
            meter,
            request::JobId,
        },
        shell::{
            app::App,
            overlay::{Overlay, SortMenu},
            setup::Setup,
        },
        ui::{
            cells,
            cursor::Cursor,
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                popup::Popup,
                table::Table,
            },
            words,
        },
    },
};

/// Draws what lies over everything.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    overlay: &Overlay,
    app: &App,
    now: Timestamp,
) {
    match overlay {
        Overlay::Yank => yank(frame, area, app),
        Overlay::Help(picker) => picker.draw(
            frame,
            area,
            "Keys of this place: type to search, enter runs",
            app.pen(),
        ),
        Overlay::Palette(picker) => picker.draw(frame, area, "Commands", app.pen()),
        Overlay::Jobs(cursor) => jobs(frame, area, cursor, app, now),
        Overlay::Messages(cursor) => messages(frame, area, cursor, app, now),
        Overlay::Sort(menu) => orders(frame, area, menu, app),
        Overlay::Confirm(confirm) => {
            let scope = if confirm.erases {
                Scope::Erasing
            } else {
                Scope::Confirm
            };
            let room = area.width.saturating_sub(8).min(90);
            let lines = cells::wrap(Line::raw(confirm.question.as_str()), room);
            let width = lines.iter().map(cells::line_width).max().unwrap_or(0);
            let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
            let inner = popup(app, "Sure?", Size::new(width.max(30), height), scope).draw(
                frame,
                area,
                app.pen(),
            );
            frame.render_widget(Text::from(lines), inner);
        }
        Overlay::Stopping(id) => stopping(frame, area, *id, app),
        Overlay::Setup(setup) => {
            let popup = popup(app, "Token and hosts", Setup::size(), Scope::Setup);
            setup.draw(frame, area, popup, app.pen());
        }
    }
}

fn popup<'a>(app: &'a App, title: &'a str, size: Size, scope: Scope) -> Popup<'a> {
    let mut popup = Popup::new(title, size);
    for binding in app
        .keys
        .all()
        .filter(|binding| binding.scope == scope && !binding.hint.is_empty())
    {
        popup = popup.key(
            &app.theme,
            binding.chord.to_string(),
            binding.hint,
            binding.rank,
        );
    }
    popup
}

/// The downloaded part of a download to stop, and what can happen to it.
fn stopping(frame: &mut Frame<'_>, area: Rect, id: JobId, app: &App) {
    let Some(job) = app.jobs.all().iter().find(|job| job.id == id) else {
        return;
    };
    let far = match meter::words(job) {
        nothing if nothing.is_empty() => "nothing received yet".to_owned(),
        far => far,
    };
    let room = area.width.saturating_sub(8).min(70);
    let text = format!("{}: {far}", job.label);
    let mut lines = cells::wrap(Line::raw(text), room);
    let fates = "Keep the received part for later (z resumes), or delete it?";
    lines.extend(cells::wrap(Line::raw(fates), room));
    let width = lines.iter().map(cells::line_width).max().unwrap_or(0);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let size = Size::new(width.max(40), height);
    let inner =
        popup(app, "Stop the download?", size, Scope::Stopping).draw(frame, area, app.pen());
    frame.render_widget(Text::from(lines), inner);
}

/// The columns to sort by, each with the direction in which choosing it sorts.
fn orders(frame: &mut Frame<'_>, area: Rect, menu: &SortMenu, app: &App) {
    let theme = &app.theme;
    let SortMenu { orders, cursor } = menu;
    let len = orders.rows.len();
    let title = |at: usize| visible(&orders.rows[at].title).into_owned();
    let widest = (0..len).map(|at| cells::width(&title(at)) + cells::width(orders.direction(at)));
    let width = widest.max().unwrap_or(0).saturating_add(6).max(38);
    let size = Size::new(width, u16::try_from(len).unwrap_or(u16::MAX));
    let inner = popup(app, "Sort by", size, Scope::Orders).draw(frame, area, app.pen());
    let columns = [
        Column::new("", Width::Fill(8)),
        Column::new("", Width::Min(0)).right(),
    ];
    let row = |at: usize| {
        let direction = Line::styled(orders.direction(at), theme.dim);
        let title = match at + 1 {
            number @ 1..=9 if theme.spoken => format!("{number} {}", title(at)),
            _ => title(at),
        };
        vec![Line::raw(title), direction]
    };
    Table::new(&columns, cursor, len).draw(frame, inner, row, app.pen(), Focus::Here);
}

/// What can be copied, beside the letters for it.
fn yank(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let theme = &app.theme;
    let choices: Vec<_> = app
        .keys
        .all()
        .filter(|binding| binding.scope == Scope::Yank)
        .collect();
    let height = u16::try_from(choices.len()).unwrap_or(8);
    let widest = choices.iter().map(|own| cells::width(own.help)).max();
    let width = widest.unwrap_or_default().saturating_add(5);
    let inner = Popup::new("Copy", Size::new(width, height)).draw(frame, area, app.pen());
    for ((at, binding), row) in choices.iter().enumerate().zip(inner.rows()) {
        app.pen().row(row, at, false);
        let line = Line::from(vec![
            Span::styled(format!("{:<5}", binding.chord), theme.key),
            Span::raw(binding.help),
        ]);
        frame.render_widget(line, row);
    }
}

/// The most lines of the text of a selected row.
const TEXT: u16 = 5;

/// Room for a list of so many rows and the text of one of them, as far as the area has it.
fn listing(area: Rect, rows: usize) -> Size {
    let wanted = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(TEXT);
    Size::new(
        area.width.saturating_sub(8).min(110),
        area.height.saturating_sub(6).min(24).min(wanted.max(8)),
    )
}

/// Draws the text of the selected row below the list, for what is cut in the row; gives the place that the list has.
fn text_below(frame: &mut Frame<'_>, inner: Rect, text: Line<'_>) -> Rect {
    let lines = cells::wrap(text, inner.width);
    let most = TEXT.saturating_sub(1).min(inner.height / 2);
    let wanted = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(most);
    let [list, _, below] = Layout::vertical([
        Constraint::Min(0),
        Constraint::Length(1),
        Constraint::Length(wanted),
    ])
    .areas(inner);
    for (line, place) in lines.into_iter().zip(below.rows()) {
        frame.render_widget(line, place);
    }
    list
}

/// Rows of the list above the text that a message is about.
const BEFORE_BODY: u16 = 2;

/// The lines of such a text, blank ones left out.
fn body_lines(body: &str, width: u16) -> Vec<Line<'_>> {
    let lines = body.lines().filter(|line| !line.trim().is_empty());
    lines
        .flat_map(|line| cells::wrap(Line::raw(visible(line)), width))
        .collect()
}

/// Draws the text that the selected message is about below the list, as far as there is room; gives the place that the list has.
fn body_below(frame: &mut Frame<'_>, inner: Rect, body: &str, theme: &Theme) -> Rect {
    let [list, _, below] = Layout::vertical([
        Constraint::Length(BEFORE_BODY),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(inner);
    let mut lines = body_lines(body, below.width);
    let room = usize::from(below.height);
    if let Some(last) = room.checked_sub(1).filter(|_| lines.len() > room) {
        let more = format!("{} more lines were copied, too", lines.len() - last);
        lines.truncate(last);
        lines.push(Line::styled(more, theme.dim));
    }
    for (line, place) in lines.into_iter().zip(below.rows()) {
        frame.render_widget(line, place);
    }
    list
}

/// The state of a job, its detail, and the style of both.
fn standing<'j>(job: &'j Job, theme: &Theme) -> (&'static str, Cow<'j, str>, Style) {
    let (state, detail, style) = match &job.state {
        JobState::Running => ("running", meter::words(job).into(), theme.accent),
        JobState::Paused => ("paused", meter::words(job).into(), theme.warn),
        JobState::Done(words) => ("done", visible(words), theme.good),
        JobState::Failed(error) => ("failed", visible(&error.message), theme.bad),
        JobState::Cancelled => ("cancelled", meter::words(job).into(), theme.dim),
    };
    (state, detail, style)
}

fn jobs(frame: &mut Frame<'_>, area: Rect, cursor: &Cursor, app: &App, now: Timestamp) {
    let theme = &app.theme;
    let jobs: Vec<_> = app.jobs.all().iter().rev().collect();
    let size = listing(area, jobs.len() + 1);
    let inner = popup(app, "Jobs", size, Scope::Jobs).draw(frame, area, app.pen());
    if jobs.is_empty() {
        let hint = "no jobs: downloads and exports appear here";
        return frame.render_widget(Line::styled(hint, theme.dim), inner);
    }
    let columns = [
        Column::new("JOB", Width::Min(20)),
        Column::new("STATE", Width::Min(10)),
        Column::new("", Width::Fill(20)),
        Column::new("BEGAN", Width::Min(9)).rank(2),
    ];
    let row = |index: usize| {
        let job = jobs[index];
        let (state, detail, style) = standing(job, theme);
        vec![
            Line::raw(job.label.clone()),
            Line::styled(state, style),
            Line::raw(detail),
            Line::styled(words::clock(job.began, now), theme.dim),
        ]
    };
    let list = match cursor.selected(jobs.len()).and_then(|at| jobs.get(at)) {
        Some(job) => {
            let (state, detail, style) = standing(job, theme);
            let text = Line::from(vec![
                Span::raw(job.label.as_str()),
                Span::styled(format!("  {state}  "), style),
                Span::raw(detail),
            ]);
            text_below(frame, inner, text)
        }
        None => inner,
    };
    Table::new(&columns, cursor, jobs.len()).draw(frame, list, row, app.pen(), Focus::Here);
}

fn messages(frame: &mut Frame<'_>, area: Rect, cursor: &Cursor, app: &App, now: Timestamp) {
    let theme = &app.theme;
    let log: Vec<_> = app.notices.log().rev().collect();
    let chosen = cursor.selected(log.len()).and_then(|at| log.get(at));
    let body = chosen.and_then(|notice| notice.body.as_deref());
    let mut size = listing(area, log.len());
    if let Some(body) = body {
        let lines = body_lines(body, size.width).len();
        let wanted = u16::try_from(lines).unwrap_or(u16::MAX);
        let wanted = wanted.saturating_add(BEFORE_BODY + 1);
        size.height = size.height.max(wanted).min(area.height.saturating_sub(2));
    }
    let inner = popup(app, "Messages", size, Scope::Reading).draw(frame, area, app.pen());
    if log.is_empty() {
        return frame.render_widget(Line::styled("no messages yet", theme.dim), inner);
    }
    let columns = [
        Column::new("", Width::Min(9)),
        Column::new("", Width::Fixed(2)),
        Column::new("", Width::Fill(20)),
    ];
    let row = |index: usize| {
        let notice = log[index];
        vec![
            Line::styled(words::clock(notice.at, now), theme.dim),
            Line::styled(notice.tone.sign(), theme.tone(notice.tone)),
            Line::raw(cells::cut(&notice.text, inner.width).into_owned()),
        ]
    };
    let list = match (chosen, body) {
        (_, Some(body)) => body_below(frame, inner, body, theme),
        (Some(notice), None) => text_below(frame, inner, Line::raw(visible(&notice.text))),
        (None, None) => inner,
    };
    Table::new(&columns, cursor, log.len()).draw(frame, list, row, app.pen(), Focus::Here);
}
