//! The progress of a job in one line: `[########------------] 41%  1.3 GiB of 3.2 GiB  88.0 MiB/s  23 s left`.

use ratatui::{Frame, layout::Rect, text::Span};

use super::{Job, JobState};
use crate::{
    engine::Stage,
    tui::ui::{BarLine, BarPart, Theme, words},
};

/// Draws a job in one line: name, progress, speed, remaining time, and its keys if they apply here.
pub fn draw_job(frame: &mut Frame<'_>, area: Rect, job: &Job, is_here: bool, theme: &Theme) {
    let width = (area.width / 4).clamp(6, 30);
    let gauge = Span::styled(gauge(share(job), width, theme), theme.accent);
    let mut bar = BarLine::new()
        .left(BarPart::new(format!(" {}", job.label), 0))
        .left(BarPart::new(gauge, 1))
        .left(BarPart::new(words(job), 2));
    let does = match job.state {
        JobState::Paused => "resume",
        _ if job.can_pause() => "pause",
        _ => "",
    };
    if is_here {
        if !does.is_empty() {
            bar = bar.right(BarPart::hint(theme, "z", does, 4));
        }
        bar = bar.right(BarPart::hint(theme, "x", "cancel ", 4));
    } else {
        bar = bar.right(BarPart::hint(theme, "J", "jobs ", 4));
    }
    bar.draw(frame, area);
}

/// A gauge of `width` cells; empty for an unknown share. Omitted for screen readers, since the words beside it have the same
/// content.
#[must_use]
pub fn gauge(share: Option<f64>, width: u16, theme: &Theme) -> String {
    if theme.spoken {
        return String::new();
    }
    let inner = usize::from(width.saturating_sub(2));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a number of cells"
    )]
    let full = share.map_or(0, |share| {
        (share.clamp(0.0, 1.0) * inner as f64).round() as usize
    });
    format!("[{}{}]", "#".repeat(full), "-".repeat(inner - full))
}

/// Progress, speed and remaining time in words, as far as known.
#[must_use]
pub fn words(job: &Job) -> String {
    let Some(progress) = job.progress else {
        return String::new();
    };
    let mut parts = Vec::new();
    if job.state == JobState::Paused {
        parts.push("paused".to_owned());
    }
    if job.state == JobState::Running && progress.stage != Stage::Downloading {
        parts.push(progress.stage.word().to_owned());
    }
    let done = words::bytes(progress.done);
    match progress.total {
        Some(total) => {
            let percent = share(job).map(|share| format!("{:.0}%", (share * 100.0).floor()));
            parts.extend(percent);
            parts.push(format!("{done} of {}", words::bytes(total)));
        }
        None => parts.push(done),
    }
    if let Some(speed) = job.speed().filter(|speed| *speed >= 1.0) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate for people"
        )]
        parts.push(format!("{}/s", words::bytes(speed as u64)));
        if let Some(total) = progress.total {
            #[expect(clippy::cast_precision_loss, reason = "a duration for people")]
            let seconds = total.saturating_sub(progress.done) as f64 / speed;
            parts.push(format!("{} left", duration(seconds)));
        }
    }
    parts.join("  ")
}

fn share(job: &Job) -> Option<f64> {
    let progress = job.progress?;
    let total = progress.total.filter(|total| *total > 0)?;
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    Some(progress.done as f64 / total as f64)
}

fn duration(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a duration for people"
    )]
    let seconds = seconds.clamp(0.0, 1e9).round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::{
        contract::Feed,
        engine::{Progress, PullQuery},
        tui::{
            ctx::{Jobs, Outbox, Owner, Question},
            test_terminal,
        },
    };

    fn job(steps: &[(i64, u64)], total: Option<u64>) -> Jobs {
        let mut out = Outbox::new(Timestamp::UNIX_EPOCH);
        let mut jobs = Jobs::default();
        let id = jobs.start(
            "feed anonymous".to_owned(),
            Question::Pull(PullQuery::latest(Feed::Anonymous)),
            Owner(0),
            &mut out,
        );
        for (second, done) in steps {
            let now = Timestamp::from_second(*second).expect("timestamp");
            jobs.progress(
                id,
                Progress {
                    stage: Stage::Downloading,
                    done: *done,
                    total,
                },
                now,
            );
        }
        jobs
    }

    #[test]
    fn a_line_says_how_far_how_fast_and_how_long_still() {
        let jobs = job(&[(0, 0), (1, 1 << 20)], Some(4 << 20));
        assert_eq!(
            words(&jobs.all()[0]),
            "25%  1.0 MiB of 4.0 MiB  1.0 MiB/s  3 s left"
        );
        let shown = test_terminal::shown(100, 1, |frame| {
            draw_job(
                frame,
                frame.area(),
                &jobs.all()[0],
                true,
                &Theme::terminal(),
            )
        });
        assert!(
            shown.starts_with(" feed anonymous  [######-----------------]  25%"),
            "{shown}"
        );
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let jobs = job(&[(0, 500)], None);
        assert_eq!(words(&jobs.all()[0]), "500 B");
        assert_eq!(gauge(None, 8, &Theme::terminal()), "[------]");
        assert_eq!(gauge(Some(7.0), 8, &Theme::terminal()), "[######]");
        assert_eq!(gauge(Some(7.0), 8, &Theme::terminal().spoken()), "");
        assert_eq!(words(&job(&[], None).all()[0]), "");
    }

    #[test]
    fn any_area_will_do() {
        let jobs = job(&[(0, 0), (1, 1_000_000)], Some(4_000_000));
        test_terminal::fits_any_area(|frame, area| {
            draw_job(
                frame,
                Rect {
                    height: area.height.min(1),
                    ..area
                },
                &jobs.all()[0],
                true,
                &Theme::terminal(),
            )
        });
    }
}
