//! The days of a feed and the windows of a day: what the service lists, what is local, what is pinned.

use super::*;
use crate::engine::{Pinned, warehouse::Load};

#[test]
fn a_day_opens_its_files_and_a_file_is_downloaded() {
    let mut script = filled();
    let runs = Question::Runs(Feed::Anonymous);
    assert_eq!(questions(&script.keys("d")), slice::from_ref(&runs));
    script.answer(
        &runs,
        Ok(listed(r#"["20261118/", "20261120/", "20261119/"]"#)),
    );
    let files = Question::Files(Feed::Anonymous, day("20261119"));
    assert_eq!(
        questions(&script.keys("<down><enter>")),
        slice::from_ref(&files)
    );
    script.answer(
        &files,
        Ok(listed(
            r#"[{"name": "feed.json.gz", "size": 12}, {"name": "feed.mmdb"}, {"name": "README.pdf"}]"#,
        )),
    );
    let dated = |form| {
        Question::Pull(PullQuery {
            wanted: WantedRelease::Day(day("20261119")),
            form,
            ..PullQuery::latest(Feed::Anonymous)
        })
    };
    assert_eq!(questions(&script.keys("<enter>")), [dated(Format::Json)]);
    assert_eq!(
        questions(&script.keys("<down><enter>")),
        [dated(Format::Mmdb)]
    );
    assert_eq!(questions(&script.keys("<down><enter>")), []);
    assert!(script.screen_at(120, 36).contains("files of 2026-11-19"));
    script.keys("<esc>");
    assert!(script.screen_at(120, 36).contains("anonymous  days"));
    script.keys("<esc>");
    assert!(!script.screen_at(120, 36).contains("anonymous  days"));
}

#[test]
fn realtime_shows_windows_and_goes_from_day_to_day() {
    let mut script = filled();
    script.keys("jjjj");
    let today = Question::Files(Feed::Realtime, day("20261120"));
    assert_eq!(questions(&script.keys("d")), slice::from_ref(&today));
    script.answer(&today, Ok(listed(r#"["2305.json.gz", "2310.json.gz"]"#)));
    let window = Window::new(day("20261120"), "2310").expect("window");
    let pull = Question::Pull(PullQuery {
        wanted: WantedRelease::Window(window),
        ..PullQuery::latest(Feed::Realtime)
    });
    assert_eq!(questions(&script.keys("<enter>")), [pull]);
    assert_eq!(questions(&script.keys("<right>")), []);
    let yesterday = Question::Files(Feed::Realtime, day("20261119"));
    assert_eq!(
        questions(&script.keys("<left>")),
        slice::from_ref(&yesterday)
    );
    let left = script.job(&yesterday);
    assert!(script.keys("<left>").contains(&Cmd::Cancel(left)));
    // An answer to the list that was left is dropped.
    let late = script.job(&today);
    script.answer_to(late, Ok(listed(r#"["0005.json.gz"]"#)));
    assert!(!script.screen_at(120, 36).contains("00:05Z"));
}

#[test]
fn a_refused_list_says_what_it_needs() {
    let mut script = filled();
    script.keys("d");
    let denied = Error::new(Kind::Credentials, "the feeds host denied access (403)");
    script.answer(&Question::Runs(Feed::Anonymous), Err(denied));
    let screen = script.screen_at(120, 36);
    assert!(screen.contains("needs historical access"), "{screen}");
}

#[test]
fn a_screen_of_days() {
    let mut script = filled();
    script.keys("d");
    script.answer(
        &Question::Runs(Feed::Anonymous),
        Ok(listed(r#"["20261120", "20261119", "20261001"]"#)),
    );
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
}

fn rows(screen: &str, day: &str) -> String {
    let line = screen
        .lines()
        .rev()
        .find(|line| line.contains(&format!(" {day} ")));
    line.unwrap_or_else(|| panic!("{day} in\n{screen}"))
        .to_owned()
}

#[test]
fn local_days_are_listed_beside_those_of_the_service() {
    let mut script = filled();
    script.keys("d");
    // While the service is asked, what is local can be used.
    let row = rows(&script.screen_at(120, 36), "2026-10-01");
    assert!(row.contains("unknown") && row.contains("* pinned"), "{row}");
    let runs = Question::Runs(Feed::Anonymous);
    script.answer(&runs, Ok(listed(r#"["20261120", "20261119"]"#)));
    let screen = script.screen_at(120, 36);
    for (day, service, local) in [
        ("2026-11-19", "listed", "-"),
        ("2026-10-01", "not listed", "JSON 1.4 GiB  * pinned"),
    ] {
        let row = rows(&screen, day);
        assert!(row.contains(service) && row.contains(local), "{row}");
    }
    // A local day is browsed; of any other the files are listed, and those of a local one by the arrow.
    let files = Question::Files(Feed::Anonymous, day("20261001"));
    assert_eq!(questions(&script.keys("<down><down><right>")), [files]);
    let asked = questions(&script.keys("<esc><enter>"));
    let is_page = |question: &Question| matches!(question, Question::Page(view, _) if view.day == Some(day("20261001")));
    assert!(asked.iter().any(is_page), "{asked:?}");
}

#[test]
fn without_the_right_to_history_local_days_are_there() {
    let mut script = filled();
    script.keys("d");
    let denied = Error::new(Kind::Credentials, "the feeds host denied access (403)");
    script.answer(&Question::Runs(Feed::Anonymous), Err(denied));
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    let asked = questions(&script.keys("<enter>"));
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    assert!(asked.iter().any(is_page), "{asked:?}");
    let mut world = facts();
    world.token = TokenState::Missing;
    let (mut script, _) = Harness::on_with(world, TabId::Feeds);
    let releases = vec![release(Feed::Anonymous, "20261120", 9, 1_600_000_000)];
    script.answer(&Question::Releases, Ok(Answer::Releases(disk(releases))));
    assert_eq!(questions(&script.keys("d")), []);
    let screen = script.screen_at(120, 36);
    assert!(screen.contains("only local days are listed"), "{screen}");
    assert!(
        rows(&screen, "2026-11-20").contains("JSON 1.5 GiB"),
        "{screen}"
    );
}

#[test]
fn a_window_is_pinned_and_let_go() {
    let mut script = filled();
    script.keys("jjjjd");
    let today = Question::Files(Feed::Realtime, day("20261120"));
    script.answer(&today, Ok(listed(r#"["2305.json.gz"]"#)));
    let moment = Moment::parse("20261120-2240").expect("moment");
    assert_eq!(questions(&script.keys("w")), []);
    assert!(script.notice().contains("is not local: p downloads it"));
    let pin = Question::Pin(Feed::Realtime, moment, true);
    assert_eq!(questions(&script.keys("<down>w")), slice::from_ref(&pin));
    let pinned = Pinned {
        feed: Feed::Realtime,
        moment,
        is_pinned: true,
    };
    let cmds = script.answer(&pin, Ok(Answer::Pinned(pinned)));
    assert_eq!(questions(&cmds), [Question::Releases]);
    assert!(script.notice().contains("is pinned: only X removes it"));
    let mut window = release(Feed::Realtime, "20261120-2240", 800, 8_100_000);
    (window.manifest.pinned, window.manifest.pinned_by_hand) = (true, true);
    script.answer(
        &Question::Releases,
        Ok(Answer::Releases(disk(vec![window]))),
    );
    assert!(rows(&script.screen_at(120, 36), "22:40Z  ").contains("* pinned"));
    let asked = questions(&script.keys("w"));
    assert_eq!(asked, [Question::Pin(Feed::Realtime, moment, false)]);
}

#[test]
fn a_day_is_picked_in_a_calendar_or_typed() {
    let mut script = filled();
    let runs = Question::Runs(Feed::Anonymous);
    script.keys("d");
    script.answer(
        &runs,
        Ok(listed(r#"["20261118/", "20261120/", "20261119/"]"#)),
    );
    let wanted = |text: &str| {
        Question::Pull(PullQuery {
            wanted: WantedRelease::Day(day(text)),
            ..PullQuery::latest(Feed::Anonymous)
        })
    };
    script.keys("/");
    let screen = script.screen_at(120, 36);
    assert!(screen.contains("* listed"), "{screen}");
    assert!(screen.contains("18* 19*[20+]"), "{screen}");
    script.keys("yesterday");
    let screen = script.screen_at(120, 36);
    assert!(screen.contains("[19*]20+"), "what is local: {screen}");
    assert_eq!(questions(&script.keys("<enter>")), []);
    assert_eq!(questions(&script.keys("p")), [wanted("20261119")]);
    // One that is not listed may be there all the same.
    assert_eq!(
        questions(&script.keys("/-30d<enter>p")),
        [wanted("20261021")]
    );
    assert!(script.screen_at(120, 36).contains("2026-10-21"));
    assert_eq!(
        questions(&script.keys("/2026-11-02<enter>p")),
        [wanted("20261102")]
    );
    script.keys("/2027-01-01<enter>");
    assert!(
        script.screen_at(120, 36).contains("in the future"),
        "{}",
        script.screen()
    );
    script.keys("<esc>");
    // In the files of a day the calendar leads to those of another.
    script.keys("<right>");
    let files = Question::Files(Feed::Anonymous, day("20261120"));
    assert_eq!(questions(&script.keys("/today<enter>")), [files]);
    script.keys("/");
    script.draws_at_any_size();
}

/// A release pulled by its day is kept, but not pinned.
#[test]
fn what_was_downloaded_by_its_day_is_kept_and_not_called_pinned() {
    let mut script = filled();
    let mut kept = release(Feed::Anonymous, "20261119", 9, 1_600_000_000);
    kept.manifest.pinned = true;
    script.keys("1<esc>4");
    script.answer(&Question::Releases, Ok(Answer::Releases(disk(vec![kept]))));
    script.keys("d");
    let row = rows(&script.screen_at(120, 36), "2026-11-19");
    assert!(row.contains("kept") && !row.contains("pinned"), "{row}");
    let moment = Moment::parse("20261119").expect("a day");
    let pin = Question::Pin(Feed::Anonymous, moment, true);
    assert_eq!(questions(&script.keys("w")), [pin]);
}

/// Days that are in the warehouse alone are listed, and browsed as local ones are.
#[test]
fn days_of_the_warehouse_stand_beside_those_of_the_service() {
    let mut script = filled();
    script.app.facts.warehouse = Some("https://clickhouse.example (default)".to_owned());
    let runs = Question::Runs(Feed::Anonymous);
    assert!(questions(&script.keys("R")).contains(&Question::Loads));
    assert_eq!(questions(&script.keys("d")), slice::from_ref(&runs));
    let load = |name: &str| {
        let manifest = release(Feed::Anonymous, name, 20_104_877, 7).manifest;
        Load {
            feed: Feed::Anonymous,
            day: day(name),
            name: format!("{name}T101500.000000Z-0a0b0c0d"),
            moment: manifest.moment,
            records: 20_104_877,
            hash: "00ff".to_owned(),
            manifest,
        }
    };
    assert!(script.screen_at(120, 36).contains("  fetching "));
    let loads = vec![load("20261001"), load("20261118")];
    script.answer(&Question::Loads, Ok(Answer::Loads(loads)));
    script.answer(&runs, Ok(listed(r#"["20261118/", "20261120/"]"#)));
    let screen = script.screen_at(120, 36);
    assert!(
        rows(&screen, "2026-10-01").contains("not listed  loaded"),
        "{screen}"
    );
    insta::assert_snapshot!(screen);
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.keys("G");
    let browse = script.keys("<enter>");
    let browse = questions(&browse);
    let is_page = |question: &Question| matches!(question, Question::Page(query, _) if query.day == Some(day("20261001")));
    assert!(browse.iter().any(is_page), "{browse:?}");
    script.draws_at_any_size();
}

#[test]
fn a_warehouse_that_refuses_is_said_and_the_days_are_there() {
    let mut script = filled();
    script.app.facts.warehouse = Some("https://clickhouse.example (default)".to_owned());
    script.keys("Rd");
    let error = Error::new(
        Kind::Credentials,
        "the warehouse does not admit this user (code 516)",
    );
    script.answer(
        &Question::Loads,
        Err(error.hint("set user in [profiles.NAME.warehouse]")),
    );
    script.answer(
        &Question::Runs(Feed::Anonymous),
        Ok(listed(r#"["20261120/"]"#)),
    );
    let screen = script.screen_at(120, 36);
    assert!(screen.contains("does not admit this user"), "{screen}");
    assert!(
        rows(&screen, "2026-11-20").contains("listed      unknown"),
        "{screen}"
    );
}

#[test]
fn days_are_marked_as_a_range_and_downloaded_together_after_a_question() {
    let mut script = filled();
    let runs = Question::Runs(Feed::Anonymous);
    script.keys("d");
    script.answer(
        &runs,
        Ok(listed(
            r#"["20261117/", "20261118/", "20261119/", "20261120/"]"#,
        )),
    );
    let pull = |name: &str| {
        Question::Pull(PullQuery {
            wanted: WantedRelease::Day(day(name)),
            wait: true,
            ..PullQuery::latest(Feed::Anonymous)
        })
    };
    // From the day after the newest to the oldest.
    script.keys("<down>V<down><down>V");
    // A range that is open counts, too.
    script.keys("u<up><up>V<down><down>");
    insta::assert_snapshot!("days_marked", script.screen_at(120, 36));
    assert_eq!(questions(&script.keys("p")), []);
    let screen = script.screen_at(120, 36);
    assert!(
        screen.contains("Download 3 releases of anonymous"),
        "{screen}"
    );
    assert_eq!(
        questions(&script.keys("y")),
        ["20261119", "20261118", "20261117"].map(pull)
    );
    let screen = script.screen_at(120, 36);
    assert!(screen.contains("3 downloads begun"), "{screen}");
    // They are marked no longer: p is about the day under the cursor again.
    assert!(!script.screen_at(120, 36).contains("> * "));
    script.keys(" ");
    assert!(script.screen_at(120, 36).contains("unmark"));
    script.keys("<esc>");
    assert!(
        script.screen_at(120, 36).contains("anonymous  days"),
        "marks first"
    );
    script.keys("u");
    assert!(script.screen_at(120, 36).contains("unmark"));
}
