//! Upkeep of local releases: partial, stale, damaged and unwanted ones.

use super::*;
use crate::{
    engine::{DayHealth, Deleted, DownloadPlan, Error, Health, Kind, PartialDownload, Unfinished},
    model::Day,
    store::Deletable,
};

fn part(feed: Feed) -> PartialDownload {
    PartialDownload {
        query: PullQuery::latest(feed),
        moment: Moment::parse("20261120").expect("moment"),
        bytes: 450_000_000,
        total: Some(3_214_285_714),
    }
}

fn unfinished(going_on: Vec<PullQuery>) -> Answer {
    Answer::Unfinished(Unfinished {
        parts: vec![part(Feed::AnonymousResidential)],
        going_on,
        waiting: Vec::new(),
    })
}

/// A program that has begun.
fn begun(answer: Answer) -> (Harness, Vec<Cmd>) {
    let mut script = Harness::new(120, 36);
    let cmds = script.app.begin(None, script.now);
    let asked = cmds.into_iter().find_map(|cmd| match cmd {
        Cmd::Ask(job, Question::Unfinished) => Some(job),
        _ => None,
    });
    let cmds = script.answer_to(asked.expect("asked at the start"), Ok(answer));
    (script, cmds)
}

#[test]
fn what_is_partial_waits_over_a_restart_where_it_is_seen() {
    let (mut script, cmds) = begun(unfinished(Vec::new()));
    assert_eq!(questions(&cmds), []);
    let screen = script.screen();
    assert!(screen.contains("J:1 paused 14%"), "{screen}");
    assert!(
        screen.contains("anonymous-residential latest  [###"),
        "{screen}"
    );
    script.keys("4");
    assert!(script.screen().contains("paused 14%, z resumes"));
    let pull = latest(Feed::AnonymousResidential);
    assert_eq!(questions(&script.keys("jz")), [pull]);
}

#[test]
fn a_download_goes_on_where_the_person_said_so() {
    let query = PullQuery::latest(Feed::AnonymousResidential);
    let (mut script, cmds) = begun(unfinished(vec![query]));
    assert_eq!(questions(&cmds), [Question::Pull(query)]);
    script.keys("q");
    assert!(
        script
            .screen()
            .contains("Downloads go on at the next start")
    );
    let plan = DownloadPlan {
        going_on: vec![query],
        ..DownloadPlan::default()
    };
    assert_eq!(script.keys("y"), [Cmd::SaveDownloadPlan(plan), Cmd::Quit]);
}

#[test]
fn what_another_run_has_left_is_resumed_with_z() {
    let mut script = filled();
    script.keys("1<esc>4");
    let mut on_disk = disk(Vec::new());
    on_disk.parts = vec![part(Feed::AnonymousResidential)];
    script.answer(&Question::Releases, Ok(Answer::Releases(on_disk)));
    assert!(
        script.screen().contains("partial 13%, z resumes")
            || script.screen().contains("partial 14%, z resumes")
    );
    assert_eq!(
        questions(&script.keys("jz")),
        [latest(Feed::AnonymousResidential)]
    );
}

#[test]
fn one_key_downloads_every_stale_feed() {
    let mut script = filled();
    assert_eq!(
        questions(&script.keys("Pa")),
        [latest(Feed::Realtime), latest(Feed::Dch)]
    );
}

#[test]
fn what_is_local_is_verified_and_indexed_again() {
    let mut script = filled();
    assert_eq!(
        questions(&script.keys("t")),
        [Question::Verify(Feed::Anonymous)]
    );
    let damaged = Error::new(Kind::Integrity, "feed-1.json.gz is damaged");
    script.answer(&Question::Verify(Feed::Anonymous), Err(damaged));
    assert!(script.notice().contains("is damaged"));
    assert_eq!(
        questions(&script.keys("Pi")),
        [Question::Reindex(Feed::Anonymous)]
    );
    assert_eq!(questions(&script.keys("jt")), []);
    assert_eq!(
        script.notice(),
        "anonymous-residential is not local: p downloads it"
    );
}

#[test]
fn what_else_can_be_downloaded_is_listed_with_its_keys_and_nothing_begins_before_one() {
    let mut script = filled();
    assert_eq!(questions(&script.keys("P")), []);
    insta::assert_snapshot!(script.screen_at(80, 24));
    assert_eq!(questions(&script.keys("<enter>j<esc>")), []);
    assert!(!script.screen().contains("rebuild the index"));
    // What is not possible says why.
    let mut script = filled();
    script.keys("GP");
    let screen = script.screen();
    assert!(
        screen.contains("MMDB: not now, the feed ipsummary has no MMDB form"),
        "{screen}"
    );
    assert_eq!(
        questions(&script.keys("Pd")),
        [Question::Runs(Feed::Ipsummary)]
    );
    script.draws_at_any_size();
}

#[test]
fn deleting_offers_releases_and_is_undone() {
    let mut script = filled();
    script.keys("X");
    let screen = script.screen();
    for words in [
        "Delete releases of anonymous",
        "2026-11-20",
        "2026-10-01",
        "pinned",
        "all releases",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    let moment = Moment::parse("20261120").expect("moment");
    let what = vec![Deletable::Release(moment)];
    let delete = Question::Delete(Feed::Anonymous, what.clone());
    assert_eq!(questions(&script.keys("<enter>")), []);
    assert!(script.notice().starts_with("ctrl-x deletes"));
    assert_eq!(
        questions(&script.keys("<ctrl-x>")),
        slice::from_ref(&delete)
    );
    let deleted = Deleted::of(Feed::Anonymous, what);
    let cmds = script.answer(&delete, Ok(Answer::Deleted(deleted.clone())));
    assert_eq!(questions(&cmds), [Question::Releases]);
    assert_eq!(
        script.notice(),
        "deleted anonymous 2026-11-20; u undoes it until you quit"
    );
    let back = Question::Undelete(deleted.clone());
    assert_eq!(questions(&script.keys("u")), slice::from_ref(&back));
    // An undo that fails can be repeated.
    let busy = Error::new(Kind::Locked, "process 7 is writing the feed anonymous");
    let cmds = script.answer(&back, Err(busy));
    assert_eq!(questions(&cmds), [Question::Releases]);
    assert_eq!(script.notice(), "process 7 is writing the feed anonymous");
    assert_eq!(questions(&script.keys("u")), slice::from_ref(&back));
    script.answer(&back, Ok(Answer::Deleted(deleted)));
    assert_eq!(script.notice(), "anonymous 2026-11-20: local again");
    assert_eq!(questions(&script.keys("<ctrl-r>")), [delete]);
}

#[test]
fn following_downloads_new_windows_and_names_gaps() {
    let mut script = filled();
    let files = Question::Files(Feed::Realtime, day("20261120"));
    assert_eq!(questions(&script.keys("F")), slice::from_ref(&files));
    script.answer(&files, Ok(listed(r#"["2305.json.gz", "2310.json.gz"]"#)));
    // It begins with the window before the present one, 2305.
    let window = |hhmm: &str| Window::new(day("20261120"), hhmm).expect("window");
    let pull = |wanted| {
        Question::Pull(PullQuery {
            wanted,
            ..PullQuery::latest(Feed::Realtime)
        })
    };
    let first = pull(WantedRelease::Window(window("2305")));
    let newest = pull(WantedRelease::Latest);
    assert!(script.asked.iter().any(|(_, question)| *question == first));
    assert!(script.asked.iter().any(|(_, question)| *question == newest));
    script.pass(700);
    let cmds = script.tell(crate::tui::shell::msg::Msg::Tick);
    assert_eq!(questions(&cmds), slice::from_ref(&files));
    script.answer(
        &files,
        Ok(listed(
            r#"["2305.json.gz", "2310.json.gz", "2320.json.gz"]"#,
        )),
    );
    let screen = script.screen();
    assert!(screen.contains("1 gap, 0 new"), "{screen}");
    let denied = Error::new(Kind::Credentials, "the feeds host denied access (403)");
    script.pass(61);
    script.tell(crate::tui::shell::msg::Msg::Tick);
    script.answer(&files, Err(denied));
    assert!(script.notice().contains("realtime is not followed"));
    assert!(!script.screen().contains("1 gap"));
}

/// All records are read for it, which would take processor and memory from the browser.
#[test]
fn health_is_not_judged_behind_a_browser() {
    let mut script = filled();
    let judging = script.job(&Question::Health(Feed::Anonymous));
    let cmds = script.keys("<enter>");
    assert!(cmds.contains(&Cmd::Cancel(judging)), "{cmds:?}");
    let cmds = script.keys("<back>");
    let is_asked = |cmd: &Cmd| matches!(cmd, Cmd::Ask(_, Question::Health(Feed::Anonymous)));
    assert!(cmds.iter().any(is_asked), "{cmds:?}");
}

/// A day of November with usual records but for one.
fn noted(of: i8) -> DayHealth {
    let day = Day::new(2026, 11, of).expect("a day");
    let records = if of == 17 {
        9_000_000
    } else {
        29_000_000 + 100_000 * u64::from(of.unsigned_abs())
    };
    DayHealth {
        day,
        generated: Some(day.at(4, 30)),
        records,
        bytes: 70 * records,
        rejected: 0,
        churn: None,
        unknown: None,
    }
}

#[test]
fn a_screen_of_health() {
    let mut script = filled();
    let mut before = release(Feed::Anonymous, "20261119", 30_000_000, 1_500_000_000);
    before.manifest.rejected.count = 0;
    let mut newest = release(Feed::Anonymous, "20261120", 20_104_872, 1_600_000_000);
    newest.manifest.rejected.count = 1;
    newest.manifest.rejected.first = vec![(7, "not a JSON object".to_owned())];
    let health = Answer::Health(Health {
        release: newest.clone(),
        records: 20_104_872,
        unknown: vec![("client.mood".to_owned(), 12)],
        odd: Vec::new(),
        new_values: vec![("risks GHOSTS".to_owned(), 3)],
        rejected: [(7, "no record at all".to_owned())].into(),
        days: (1..=20).map(noted).collect(),
    });
    script.keys("1<esc>4");
    script.answer(
        &Question::Releases,
        Ok(Answer::Releases(disk(vec![newest, before]))),
    );
    script.answer(&Question::Health(Feed::Anonymous), Ok(health));
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.keys("X");
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
}

#[test]
fn a_download_that_was_paused_before_a_byte_had_come_waits_over_a_restart() {
    let query = PullQuery::latest(Feed::Anonymous);
    let (mut script, cmds) = begun(Answer::Unfinished(Unfinished {
        waiting: vec![query],
        ..Unfinished::default()
    }));
    assert_eq!(questions(&cmds), []);
    assert!(
        script.screen().contains("J:1 paused"),
        "{}",
        script.screen()
    );
    script.keys("q");
    let plan = DownloadPlan {
        paused: vec![query],
        ..DownloadPlan::default()
    };
    assert_eq!(script.keys("y"), [Cmd::SaveDownloadPlan(plan), Cmd::Quit]);
}

#[test]
fn one_key_freshens_both_forms_of_a_stale_feed() {
    let mut script = filled();
    let json = release(Feed::Anonymous, "20261118", 30_000_000, 1_500_000_000);
    let mut mmdb = json.clone();
    mmdb.manifest.file = "feed.mmdb".to_owned();
    let mut fresh = mmdb.clone();
    fresh.manifest.moment = Moment::parse("20261119").expect("a day");
    let pull = |form| {
        Question::Pull(PullQuery {
            form,
            ..PullQuery::latest(Feed::Anonymous)
        })
    };
    for (local, expected) in [
        (
            vec![json.clone(), mmdb.clone()],
            vec![pull(Format::Json), pull(Format::Mmdb)],
        ),
        (vec![mmdb], vec![pull(Format::Mmdb)]),
        // The service has no newer MMDB.
        (vec![json, fresh], vec![pull(Format::Json)]),
    ] {
        script.keys("1<esc>4");
        script.answer(&Question::Releases, Ok(Answer::Releases(disk(local))));
        assert_eq!(questions(&script.keys("Pa")), expected);
        script = filled();
    }
}

/// A window that the service has and this machine has not is stale, also where the clock alone would let it pass.
#[test]
fn a_realtime_window_is_stale_as_soon_as_the_service_has_a_newer_one() {
    let mut script = filled();
    script.keys("1<esc>4");
    let here = |window: &str| disk(vec![release(Feed::Realtime, window, 800, 8_100_000)]);
    let releases = Answer::Releases(here("20261120-2305"));
    script.answer(&Question::Releases, Ok(releases));
    let screen = script.screen();
    assert!(screen.contains("! stale 5 min"), "{screen}");
    assert_eq!(questions(&script.keys("Pa")), [latest(Feed::Realtime)]);
    // The newest is fresh while that was heard lately, and no longer.
    let mut script = filled();
    script.keys("1<esc>4");
    let releases = Answer::Releases(here("20261120-2310"));
    script.answer(&Question::Releases, Ok(releases));
    assert_eq!(questions(&script.keys("Pa")), []);
    script.keys("<esc>");
    script.pass(3600);
    assert_eq!(questions(&script.keys("Pa")), [latest(Feed::Realtime)]);
}
