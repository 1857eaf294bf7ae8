//! What the shell opens over everything: lists, the menu to sort by, questions. Each closes by esc unless it says otherwise.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect, Size},
    style::Style,
    text::{Line, Span, Text},
};

use crate::{
    engine::DownloadPlan,
    model::visible,
    tui::{
        ctx::{
            Cmd, Confirm, Flow, Gesture, Job, JobId, JobState, Jobs, Orders, Outbox, Question,
            Scope, Surface, UpdateCtx, ViewCtx, meter,
        },
        ui::{Column, Cursor, Focus, Motion, Popup, Table, Theme, Width, cells, words},
    },
};

/// A popup that names the keys of its scope.
pub(super) fn popup<'a>(title: &'a str, size: Size, scope: Scope, ctx: &ViewCtx<'a>) -> Popup<'a> {
    let keys = ctx.keys.iter();
    let named = keys.filter(|binding| binding.scope == scope && !binding.hint.is_empty());
    named.fold(Popup::new(title, size), |popup, binding| {
        popup.key(
            ctx.theme,
            binding.chord.to_string(),
            binding.hint,
            binding.rank,
        )
    })
}

/// The jobs, the newest first.
#[derive(Debug, Default)]
pub struct JobList(Cursor);

impl Surface for JobList {
    fn scope(&self) -> Scope {
        Scope::Jobs
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        let jobs = ctx.jobs.all();
        let selected = jobs.iter().rev().nth(self.0.index()).map(|job| job.id);
        match (gesture, selected) {
            (Gesture::Go(motion), _) => drop(self.0.step(motion, jobs.len())),
            (Gesture::Cancel, Some(id)) => ctx.jobs.cancel(id, ctx.out),
            (Gesture::Pause, Some(id)) => ctx.jobs.pause(id, ctx.out),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let jobs: Vec<_> = ctx.jobs.all().iter().rev().collect();
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
                Line::styled(words::clock(job.began, ctx.now), theme.dim),
            ]
        };
        let selected = self.0.selected(jobs.len()).map(|at| {
            let (state, detail, style) = standing(jobs[at], theme);
            let label = Span::raw(jobs[at].label.as_str());
            Line::from(vec![
                label,
                Span::styled(format!("  {state}  "), style),
                Span::raw(detail),
            ])
        });
        let listing = Listing {
            popup: ("Jobs", Scope::Jobs),
            columns: &columns,
            rows: (&self.0, jobs.len()),
            if_empty: "no jobs: downloads and exports appear here",
            selected: selected.into_iter().collect(),
            more: "",
        };
        listing.draw(frame, area, row, ctx);
    }
}

/// The state of a job, its detail, and the style of both.
fn standing<'j>(job: &'j Job, theme: &Theme) -> (&'static str, Cow<'j, str>, Style) {
    let (state, style) = match &job.state {
        JobState::Running => ("running", theme.accent),
        JobState::Paused => ("paused", theme.warn),
        JobState::Done(words) => return ("done", visible(words), theme.good),
        JobState::Failed(error) => return ("failed", visible(&error.message), theme.bad),
        JobState::Cancelled => ("cancelled", theme.dim),
    };
    (state, meter::words(job).into(), style)
}

/// The messages so far, the newest first.
#[derive(Debug, Default)]
pub(super) struct MessageLog(Cursor);

impl Surface for MessageLog {
    fn scope(&self) -> Scope {
        Scope::Reading
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        if let Gesture::Go(motion) = gesture {
            self.0.step(motion, ctx.notices.log().len());
        }
        Flow::from(matches!(gesture, Gesture::Go(_)))
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let log: Vec<_> = ctx.notices.log().rev().collect();
        let columns = [
            Column::new("", Width::Min(9)),
            Column::new("", Width::Fixed(2)),
            Column::new("", Width::Fill(20)),
        ];
        let row = |index: usize| {
            let notice = log[index];
            vec![
                Line::styled(words::clock(notice.at, ctx.now), theme.dim),
                Line::styled(notice.tone.sign(), theme.tone(notice.tone)),
                Line::raw(notice.text.as_str()),
            ]
        };
        let selected = self.0.selected(log.len()).map(|at| log[at]);
        let (lines, more) = match selected.map(|notice| (&notice.text, notice.body.as_deref())) {
            Some((_, Some(body))) => {
                let lines = body.lines().filter(|line| !line.trim().is_empty());
                (
                    lines.map(|line| Line::raw(visible(line))).collect(),
                    " were copied, too",
                )
            }
            Some((text, None)) => (vec![Line::raw(visible(text))], ""),
            None => (Vec::new(), ""),
        };
        let listing = Listing {
            popup: ("Messages", Scope::Reading),
            columns: &columns,
            rows: (&self.0, log.len()),
            if_empty: "no messages yet",
            selected: lines,
            more,
        };
        listing.draw(frame, area, row, ctx);
    }
}

/// A list in a popup. Below it is the text of the selected row, whole as far as there is room.
struct Listing<'a> {
    popup: (&'a str, Scope),
    columns: &'a [Column<'a>],
    rows: (&'a Cursor, usize),
    if_empty: &'a str,
    /// The text of the selected row.
    selected: Vec<Line<'a>>,
    /// What the number of further lines of that text is followed by.
    more: &'a str,
}

impl Listing<'_> {
    /// The rows of the list that stay above the text.
    const LEAST: u16 = 2;
    /// The lines that the text and the blank one above it take in a popup of the usual size.
    const TEXT: u16 = 5;

    fn draw<'r>(
        self,
        frame: &mut Frame<'_>,
        area: Rect,
        row: impl Fn(usize) -> Vec<Line<'r>>,
        ctx: &ViewCtx<'_>,
    ) {
        let theme = ctx.theme;
        let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let (cursor, len) = self.rows;
        let heads = self.columns.iter().any(|column| !column.title().is_empty());
        let heads = u16::from(heads);
        let width = area.width.saturating_sub(8).min(110);
        let text = self.selected.into_iter();
        let mut text: Vec<_> = text.flat_map(|line| cells::wrap(line, width)).collect();
        let usual = (small(len).saturating_add(heads + Self::TEXT)).clamp(8, 24);
        let whole = small(text.len()).saturating_add(heads + Self::LEAST + 1);
        let height = usual.min(area.height.saturating_sub(6)).max(whole);
        let size = Size::new(width, height.min(area.height.saturating_sub(2)));
        let (title, scope) = self.popup;
        let inner = popup(title, size, scope, ctx).draw(frame, area, ctx);
        if len == 0 {
            return frame.render_widget(Line::styled(self.if_empty, theme.dim), inner);
        }
        let room = inner.height.saturating_sub(heads + Self::LEAST + 1);
        if small(text.len()) > room {
            let over = text.split_off(usize::from(room.saturating_sub(1)));
            let more = format!("{} more lines{}", over.len(), self.more);
            text.push(Line::styled(more, theme.dim));
        }
        let [list, _, below] = Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(1),
            Constraint::Length(small(text.len()).min(room)),
        ])
        .areas(inner);
        frame.render_widget(Text::from(text), below);
        Table::new(self.columns, cursor, len).draw(frame, list, row, ctx, Focus::Here);
    }
}

/// The columns to sort a table by, each with the direction in which choosing it sorts.
#[derive(Debug)]
pub(super) struct SortMenu {
    orders: Orders,
    cursor: Cursor,
}

impl SortMenu {
    pub(super) fn of(orders: Orders) -> Self {
        let cursor = Cursor::default();
        cursor.select(orders.begins(), orders.rows.len());
        Self { orders, cursor }
    }
}

impl Surface for SortMenu {
    fn scope(&self) -> Scope {
        Scope::Orders
    }

    fn choices(&self) -> usize {
        self.orders.rows.len()
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        let motion = match gesture {
            Gesture::Go(motion) => motion,
            Gesture::SortLeft => Motion::Up,
            Gesture::SortRight => Motion::Down,
            Gesture::Open | Gesture::Sort => {
                // `s` again reverses the order.
                let at = self.cursor.index();
                let is_reversed = self.orders.is_turned(at) != (gesture == Gesture::Sort);
                ctx.out.sort = Some((at, is_reversed));
                return Flow::Close;
            }
            _ => return Flow::Ignored,
        };
        self.cursor.step(motion, self.orders.rows.len());
        Flow::Done
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let orders = &self.orders;
        let len = orders.rows.len();
        let title = |at: usize| visible(&orders.rows[at].title).into_owned();
        let titles = (0..len).map(|at| cells::width(&title(at))).max();
        let directions = (0..len).map(|at| cells::width(orders.direction(at))).max();
        let widest = titles.unwrap_or_default() + directions.unwrap_or_default();
        let height = u16::try_from(len).unwrap_or(u16::MAX);
        let size = Size::new(widest.saturating_add(6).max(38), height);
        let inner = popup("Sort by", size, Scope::Orders, ctx).draw(frame, area, ctx);
        let columns = [
            Column::new("", Width::Fill(8)),
            Column::new("", Width::Min(0)).right(),
        ];
        let row = |at: usize| {
            let direction = Line::styled(orders.direction(at), ctx.theme.dim);
            let title = match at + 1 {
                number @ 1..=9 if ctx.theme.spoken => format!("{number} {}", title(at)),
                _ => title(at),
            };
            vec![Line::raw(title), direction]
        };
        Table::new(&columns, &self.cursor, len).draw(frame, inner, row, ctx, Focus::Here);
    }
}

impl Surface for Confirm {
    fn scope(&self) -> Scope {
        // Enter is a habit, so it must not confirm a deletion.
        if self.erases {
            Scope::Erasing
        } else {
            Scope::Confirm
        }
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Yes | Gesture::Open => {
                ctx.out.cmds.append(&mut self.then);
                ctx.out.go = self.go.take();
                Flow::Close
            }
            _ => Flow::Ignored,
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        draw_question(
            frame,
            area,
            ("Sure?", self.scope()),
            &self.question,
            (30, 90),
            ctx,
        );
    }
}

/// What happens to the received part of a download that is stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopping(pub(super) JobId);

impl Surface for Stopping {
    fn scope(&self) -> Scope {
        Scope::Stopping
    }

    fn on(&mut self, _gesture: Gesture, _ctx: &mut UpdateCtx<'_>) -> Flow {
        Flow::Ignored
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let Some(job) = ctx.jobs.all().iter().find(|job| job.id == self.0) else {
            return;
        };
        let far = match meter::words(job) {
            nothing if nothing.is_empty() => "nothing received yet".to_owned(),
            far => far,
        };
        let fates = "Keep the received part for later (z resumes), or delete it?";
        let text = format!("{}: {far}\n{fates}", job.label);
        let popup = ("Stop the download?", Scope::Stopping);
        draw_question(frame, area, popup, &text, (40, 70), ctx);
    }
}

/// Draws a question in a popup of at least and at most so many cells.
fn draw_question(
    frame: &mut Frame<'_>,
    area: Rect,
    (title, scope): (&str, Scope),
    text: &str,
    (least, most): (u16, u16),
    ctx: &ViewCtx<'_>,
) {
    let room = area.width.saturating_sub(8).min(most);
    let lines = text
        .lines()
        .flat_map(|line| cells::wrap(Line::raw(line), room));
    let lines: Vec<Line<'_>> = lines.collect();
    let width = lines.iter().map(cells::line_width).max().unwrap_or(0);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let size = Size::new(width.max(least), height);
    let inner = popup(title, size, scope, ctx).draw(frame, area, ctx);
    frame.render_widget(Text::from(lines), inner);
}

/// Exits with this effect; asks first if there are jobs in progress.
pub(super) fn leave(leave: Cmd, jobs: &Jobs, out: &mut Outbox) {
    match before_leaving(leave.clone(), jobs) {
        Some(confirm) => out.confirm = Some(confirm),
        None => out.cmd(leave),
    }
}

/// The question before exiting with this effect, if there are jobs in progress.
pub(super) fn before_leaving(leave: Cmd, jobs: &Jobs) -> Option<Confirm> {
    let running = jobs.running().count();
    let paused = jobs.open().count() - running;
    let are = |count: usize| match count {
        1 => "1 job is".to_owned(),
        count => format!("{count} jobs are"),
    };
    let noun = match (running, paused) {
        (0, 0) => return None,
        (0, paused) => format!("{} paused", are(paused)),
        (running, 0) => format!("{} under way", are(running)),
        (running, paused) => format!("{} under way, {paused} paused", are(running)),
    };
    let mut downloads = DownloadPlan::default();
    for job in jobs.open() {
        if let Question::Pull(query) = job.question {
            let plan = match job.state {
                JobState::Running => &mut downloads.going_on,
                _ => &mut downloads.paused,
            };
            plan.push(query);
        }
    }
    let later = match (running, paused) {
        (0, 1) => "It is kept for the next start.",
        (0, _) => "They are kept for the next start.",
        _ if !downloads.going_on.is_empty() => {
            "Downloads go on at the next start; ctrl-c leaves them paused."
        }
        (_, 0) => "It ends here.",
        _ => "Running jobs end here; paused downloads are kept for the next start.",
    };
    Some(Confirm {
        question: format!("{noun}. Leave? {later}"),
        then: vec![Cmd::SaveDownloadPlan(downloads), leave],
        go: None,
        erases: false,
    })
}
