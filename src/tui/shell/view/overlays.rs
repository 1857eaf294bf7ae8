//! How overlays ctx.

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span, Text},
};

use crate::{
    model::visible,
    tui::{
        ctx::{intent::Scope, jobs::JobState, meter, request::JobId},
        shell::{
            app::App,
            overlay::{Overlay, SortMenu},
            setup::Setup,
        },
        ui::{
            cells,
            cursor::Cursor,
            theme::Focus,
            widgets::{
                columns::{Column, Width},
                popup::Popup,
                table::Table,
            },
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

/// What has come of a download that is to be stopped, and what can become of it.
fn stopping(frame: &mut Frame<'_>, area: Rect, id: JobId, app: &App) {
    let Some(job) = app.jobs.all().iter().find(|job| job.id == id) else {
        return;
    };
    let far = match meter::words(job) {
        nothing if nothing.is_empty() => "nothing has come yet".to_owned(),
        far => far,
    };
    let room = area.width.saturating_sub(8).min(70);
    let text = format!("{}: {far}", job.label);
    let mut lines = cells::wrap(Line::raw(text), room);
    let fates = "Keep what has come for later (z goes on from there), or delete it?";
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
    let width = widest.max().unwrap_or(0).saturating_add(6).max(30);
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
    let inner = Popup::new("Copy", Size::new(46, height)).draw(frame, area, app.pen());
    for ((at, binding), row) in choices.iter().enumerate().zip(inner.rows()) {
        app.pen().row(row, at, false);
        let line = Line::from(vec![
            Span::styled(format!("{:<5}", binding.chord), theme.key),
            Span::raw(binding.help),
        ]);
        frame.render_widget(line, row);
    }
}

fn large(area: Rect) -> Size {
    Size::new(
        area.width.saturating_sub(8).min(110),
        area.height.saturating_sub(6).min(24),
    )
}

fn jobs(frame: &mut Frame<'_>, area: Rect, cursor: &Cursor, app: &App, now: Timestamp) {
    let theme = &app.theme;
    let inner = popup(app, "Jobs", large(area), Scope::Jobs).draw(frame, area, app.pen());
    let jobs: Vec<_> = app.jobs.all().iter().rev().collect();
    if jobs.is_empty() {
        let hint = "nothing is under way: downloads and exports stand here";
        return frame.render_widget(Line::styled(hint, theme.dim), inner);
    }
    let columns = [
        Column::new("JOB", Width::Min(20)),
        Column::new("STATE", Width::Min(10)),
        Column::new("", Width::Fill(20)),
        Column::new("BEGAN", Width::Fixed(6)).rank(2),
    ];
    let row = |index: usize| {
        let job = jobs[index];
        let (state, detail, style) = match &job.state {
            JobState::Running => ("running", meter::words(job), theme.accent),
            JobState::Paused => ("paused", meter::words(job), theme.warn),
            JobState::Done(words) => ("done", words.clone(), theme.good),
            JobState::Failed(error) => ("failed", error.message.clone(), theme.bad),
            JobState::Cancelled => ("cancelled", meter::words(job), theme.dim),
        };
        vec![
            Line::raw(job.label.clone()),
            Line::styled(state, style),
            Line::raw(crate::model::visible(&detail).into_owned()),
            Line::styled(app.ages.words(job.began, now), theme.dim),
        ]
    };
    Table::new(&columns, cursor, jobs.len()).draw(frame, inner, row, app.pen(), Focus::Here);
}

fn messages(frame: &mut Frame<'_>, area: Rect, cursor: &Cursor, app: &App, now: Timestamp) {
    let theme = &app.theme;
    let inner = popup(app, "Messages", large(area), Scope::Reading).draw(frame, area, app.pen());
    let log: Vec<_> = app.notices.log().rev().collect();
    if log.is_empty() {
        return frame.render_widget(Line::styled("nothing was said yet", theme.dim), inner);
    }
    let columns = [
        Column::new("", Width::Fixed(4)),
        Column::new("", Width::Fixed(2)),
        Column::new("", Width::Fill(20)),
    ];
    let row = |index: usize| {
        let notice = log[index];
        vec![
            Line::styled(app.ages.words(notice.at, now), theme.dim),
            Line::styled(notice.tone.sign(), theme.tone(notice.tone)),
            Line::raw(cells::cut(&notice.text, inner.width).into_owned()),
        ]
    };
    Table::new(&columns, cursor, log.len()).draw(frame, inner, row, app.pen(), Focus::Here);
}
