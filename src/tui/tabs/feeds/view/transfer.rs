//! The download of a feed while it runs, pauses or has failed.

use ratatui::text::{Line, Span};

use crate::{
    contract::Feed,
    engine::{Area, Stage, WantedRelease},
    model::visible,
    tui::{
        ctx::{
            facts::Facts,
            failure,
            jobs::{Job, JobState},
            meter,
            request::Question,
        },
        tabs::feeds::known_feed::KnownFeed,
        ui::{
            theme::Theme,
            widgets::page::{PageRow, Section, SectionSide},
        },
    },
};

/// How far a download is and what can be done with it.
pub(super) fn section(
    job: &Job,
    known: &KnownFeed<'_>,
    facts: &Facts,
    theme: &Theme,
) -> Section<'static> {
    const GAUGE: u16 = 44;
    let mut section = Section::new(format!("Transfer  {}", job.label), SectionSide::Right);
    if let JobState::Failed(error) = &job.state {
        let received = job.progress.is_some_and(|progress| progress.done > 0);
        let keys = if received || known.part.is_some() {
            "z resumes, p starts over"
        } else {
            "p tries again"
        };
        section.extend(failure::lines("", error, "", keys, theme));
        section.extend(failure::across(error, area_of(job), "", facts, theme));
        return section;
    }
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    let part = job.percent().map(|percent| percent as f64 / 100.0);
    let keys = if job.state == JobState::Paused {
        "paused: z resumes, x stops: keep or delete the received part"
    } else {
        "z pauses, x stops: keep or delete the received part"
    };
    let gauge = meter::gauge(part, GAUGE, theme);
    section.push(PageRow::text(Line::styled(gauge, theme.accent)));
    section.push(PageRow::text(meter::words(job)));
    section.push(PageRow::text(phases(job, theme)));
    if let Some(dir) = &known.part_dir {
        let dir = visible(&dir.display().to_string()).into_owned();
        section.push(PageRow::text(Line::styled(format!("in {dir}"), theme.dim)));
    }
    section.push(PageRow::text(Line::styled(keys, theme.dim)));
    section
}

/// The right that a download needs.
fn area_of(job: &Job) -> Area {
    match &job.question {
        Question::Pull(query) if query.feed == Feed::Realtime => Area::Realtime,
        Question::Pull(query) if query.wanted != WantedRelease::Latest => Area::FeedHistory,
        _ => Area::Feeds,
    }
}

/// The phases of a download with the present one marked.
fn phases(job: &Job, theme: &Theme) -> Line<'static> {
    const PHASES: [Stage; 5] = [
        Stage::Asking,
        Stage::Downloading,
        Stage::Verifying,
        Stage::Indexing,
        Stage::Publishing,
    ];
    let stage = job
        .progress
        .map_or(Stage::Asking, |progress| progress.stage);
    // What an earlier run had is read again before more of it comes.
    let now = if stage == Stage::Replaying {
        Stage::Downloading
    } else {
        stage
    };
    let mut spans = Vec::new();
    // To ask takes a moment: there is no room for it afterwards.
    let past = |phase: &Stage| *phase == Stage::Asking && now != Stage::Asking;
    for phase in PHASES.into_iter().filter(|phase| !past(phase)) {
        if !spans.is_empty() {
            spans.push(Span::styled(" > ", theme.dim));
        }
        spans.push(if phase == now {
            Span::styled(format!("[{}]", stage.word()), theme.accent)
        } else {
            Span::styled(phase.word(), theme.dim)
        });
    }
    Line::from(spans)
}
