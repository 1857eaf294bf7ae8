//! Long jobs: starting, pausing, resuming, measuring.

use super::*;
use crate::{
    contract::Feed,
    engine::{Kind, PullQuery},
};

fn pull() -> Question {
    Question::Pull(PullQuery::latest(Feed::Anonymous))
}

fn outbox() -> Outbox {
    Outbox::new(Timestamp::UNIX_EPOCH)
}

#[test]
fn pausing_stops_and_going_on_asks_the_same_again() {
    let (mut jobs, mut out) = (Jobs::default(), outbox());
    let id = jobs.start("feed".to_owned(), pull(), Owner(0), &mut out);
    jobs.pause(id, &mut out);
    assert_eq!(jobs.all()[0].state, JobState::Paused);
    jobs.pause(id, &mut out);
    assert_eq!(
        out.cmds,
        [
            Cmd::Ask(JobId(1), pull()),
            Cmd::Cancel(JobId(1)),
            Cmd::Ask(JobId(2), pull())
        ]
    );
    jobs.finish(JobId(1), Err(&Error::new(Kind::Network, "late")), &mut out);
    assert_eq!(jobs.all()[0].state, JobState::Running);
}

#[test]
fn the_same_job_is_not_started_twice() {
    let (mut jobs, mut out) = (Jobs::default(), outbox());
    let first = jobs.start("feed".to_owned(), pull(), Owner(0), &mut out);
    assert_eq!(
        jobs.start("feed".to_owned(), pull(), Owner(0), &mut out),
        first
    );
    assert_eq!((out.cmds.len(), jobs.all().len()), (1, 1));
    jobs.stop_download(first, PartFate::Keep, &mut out);
    assert_ne!(
        jobs.start("feed".to_owned(), pull(), Owner(0), &mut out),
        first
    );
}

#[test]
fn an_old_row_is_not_resumed_beside_the_same_job() {
    let (mut jobs, mut out) = (Jobs::default(), outbox());
    let old = jobs.start("feed".to_owned(), pull(), Owner(0), &mut out);
    jobs.stop_download(old, PartFate::Keep, &mut out);
    jobs.start("feed".to_owned(), pull(), Owner(0), &mut out);
    let asked = out.cmds.len();
    jobs.pause(old, &mut out);
    assert_eq!(jobs.all()[0].state, JobState::Cancelled);
    assert_eq!((out.cmds.len(), jobs.running().count()), (asked, 1));
    assert!(
        out.notices
            .last()
            .is_some_and(|(_, text)| text.contains("under way already"))
    );
}

#[test]
fn a_download_is_stopped_only_once_it_is_said_what_becomes_of_its_part() {
    for (fate, asked) in [
        (
            PartFate::Keep,
            Question::LeftOf(PullQuery::latest(Feed::Anonymous)),
        ),
        (
            PartFate::Delete,
            Question::DeletePart(PullQuery::latest(Feed::Anonymous)),
        ),
    ] {
        let (mut jobs, mut out) = (Jobs::default(), outbox());
        let id = jobs.start("feed".to_owned(), pull(), Owner(0), &mut out);
        jobs.cancel(id, &mut out);
        assert_eq!((out.cmds.len(), out.stopping.take()), (1, Some(id)));
        assert_eq!(jobs.all()[0].state, JobState::Running);
        jobs.stop_download(id, fate, &mut out);
        let rest = [Cmd::Cancel(id), Cmd::Ask(JobId(2), asked)];
        assert_eq!(out.cmds[1..], rest);
        assert_eq!(jobs.all()[0].state, JobState::Cancelled);
    }
}

#[test]
fn speed_is_measured_within_a_stage() {
    let (mut jobs, mut out) = (Jobs::default(), outbox());
    let id = jobs.start("feed".to_owned(), pull(), Owner(0), &mut out);
    let at = |second| Timestamp::from_second(second).expect("timestamp");
    let progress = |stage, done| Progress {
        stage,
        done,
        total: Some(5000),
    };
    jobs.progress(id, progress(Stage::Replaying, 4000), at(1));
    jobs.progress(id, progress(Stage::Downloading, 4000), at(2));
    assert_eq!(jobs.all()[0].speed(), None);
    jobs.progress(id, progress(Stage::Downloading, 4500), at(3));
    assert_eq!(jobs.all()[0].speed(), Some(500.0));
}
