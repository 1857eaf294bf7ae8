//! Marked feeds: what is downloaded of them, after which question; and what is offered where no feed is stale.

use super::*;

/// The tab where these releases are local, and the service is as in [`filled`].
fn with(releases: Vec<Release>) -> Harness {
    let mut script = filled();
    script.keys("1<esc>4");
    script.answer(&Question::Releases, Ok(Answer::Releases(disk(releases))));
    script
}

fn fresh() -> Harness {
    with(vec![release(Feed::Anonymous, "20261120", 9, 1_600_000_000)])
}

#[test]
fn where_no_feed_is_stale_the_others_are_counted_and_marked() {
    let mut script = fresh();
    assert!(script.screen().contains("P choose"), "{}", script.screen());
    assert_eq!(questions(&script.keys("Pa")), []);
    assert_eq!(
        script.notice(),
        "1 local feed is fresh; 7 are not local, now marked: p downloads them, esc unmarks"
    );
    let screen = script.screen();
    assert!(screen.contains("Feeds  7 marked"), "{screen}");
    assert!(screen.contains(" *dch"), "{screen}");
    assert!(!screen.contains("*anonymous-ipv6"), "refused: {screen}");
    script.keys("<esc>");
    assert!(!script.screen().contains("marked  "), "{}", script.screen());
    script.keys("u");
    assert!(script.screen().contains("Feeds  7 marked"));
}

#[test]
fn marked_feeds_are_downloaded_after_a_question_that_names_the_sum_of_their_sizes() {
    let mut script = fresh();
    assert_eq!(questions(&script.keys("Ap")), []);
    let screen = script.screen();
    for words in [
        "Download the latest release of 7 feeds, 9.5 GiB and 4 of unknown size?",
        "Only 4.7 GiB is",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    assert_eq!(questions(&script.keys("n")), []);
    assert!(script.screen().contains("Feeds  7 marked"));
    let expected: Vec<Question> = Feed::all()
        .filter(|feed| !matches!(feed, Feed::Anonymous | Feed::AnonymousIpv6))
        .map(latest)
        .collect();
    assert_eq!(questions(&script.keys("py")), expected);
    assert!(!script.screen().contains("Feeds  7 marked"));
    assert_eq!(script.notice(), "7 downloads begun; J lists them");
}

#[test]
fn one_marked_feed_is_downloaded_at_once_and_a_fresh_one_not_at_all() {
    let mut script = fresh();
    assert_eq!(questions(&script.keys(" p")), []);
    assert!(
        script
            .notice()
            .starts_with("the marked feeds are local and fresh"),
        "{}",
        script.notice()
    );
    script.keys("g   ");
    let screen = script.screen();
    assert!(screen.contains("Feeds  2 marked"), "{screen}");
    // Of these one is refused.
    assert_eq!(
        questions(&script.keys("p")),
        [latest(Feed::AnonymousResidential)]
    );
    script.keys("*");
    assert!(
        script.screen().contains("Feeds  9 marked"),
        "{}",
        script.screen()
    );
}

/// What was downloaded is there, whatever the metadata says of it.
#[test]
fn a_feed_without_metadata_shows_the_release_that_was_downloaded() {
    let script = with(vec![
        release(Feed::Ipgeo, "20261120", 622, 50_000),
        release(Feed::Realtime, "20261120-2310", 800, 8_100_000),
    ]);
    let row = |script: &Harness, feed: &str| {
        let screen = script.screen();
        let line = screen.lines().find(|line| line.contains(feed));
        line.expect(feed).to_owned()
    };
    let ipgeo = row(&script, "ipgeo");
    assert!(
        ipgeo.matches("2026-11-20").count() == 2 && ipgeo.contains("48.8 KiB"),
        "release, local and size: {ipgeo}"
    );
    assert!(ipgeo.contains("ok 622 records"), "{ipgeo}");
    assert!(row(&script, "realtime").contains("23:10Z"));
    let script = with(Vec::new());
    let ipgeo = row(&script, "ipgeo");
    assert!(ipgeo.contains("no metadata"), "{ipgeo}");
}

#[test]
fn a_feed_is_compared_with_the_day_before_from_the_list_and_from_its_days() {
    let is_diff = |question: &Question| match question {
        Question::Diff(query, _) => Some((query.from.dashed(), query.to.dashed())),
        _ => None,
    };
    let days = Some(("2026-10-01".to_owned(), "2026-11-20".to_owned()));
    for keys in ["c", "dc", "d<down>c"] {
        let mut script = filled();
        let asked = questions(&script.keys(keys));
        assert_eq!(asked.iter().find_map(is_diff), days, "{keys}: {asked:?}");
        script.keys("<esc><esc>");
        assert!(script.screen().contains("FEED "), "{}", script.screen());
    }
    // The day before is offered where it is not local.
    let mut script = fresh();
    script.keys("c");
    assert_eq!(
        script.notice(),
        "anonymous 2026-11-19 is not local: p downloads it, c compares then"
    );
    let day_before = Question::Pull(PullQuery {
        wanted: WantedRelease::Day(day("20261119")),
        ..PullQuery::latest(Feed::Anonymous)
    });
    assert_eq!(questions(&script.keys("p")), [day_before]);
}

/// The age of the newer day counts from when it was generated, which its manifest has, as in the list.
#[test]
fn days_compared_from_the_list_have_the_age_that_the_list_has() {
    let days = |generated: Option<&str>| {
        let mut newest = release(Feed::Anonymous, "20261120", 9, 1_600_000_000);
        newest.manifest.generated_at = generated.map(|at| at.parse().expect("a time"));
        let before = release(Feed::Anonymous, "20261119", 9, 1_600_000_000);
        let mut script = with(vec![newest, before]);
        script.keys("c");
        let screen = script.screen();
        let mut lines = screen.lines();
        let head = lines.find(|line| line.contains("2026-11-19 → 2026-11-20"));
        head.unwrap_or_else(|| panic!("{screen}")).to_owned()
    };
    let known = days(Some("2026-11-20T21:10:00Z"));
    assert!(known.contains("2h old"), "{known}");
    let unknown = days(None);
    assert!(unknown.contains("~23h old"), "{unknown}");
}

/// Nobody opened the records that lie under the days: one key leads back to where the days were compared.
#[test]
fn one_key_leads_back_to_the_list_from_days_that_were_compared_there() {
    for leave in ["<esc>", "<back>", "q"] {
        let mut script = filled();
        script.keys("c");
        let screen = script.screen();
        assert!(screen.contains("2026-10-01 → 2026-11-20"), "{screen}");
        assert!(screen.contains("esc feeds"), "{screen}");
        let cmds = script.keys(leave);
        assert_eq!(questions(&cmds), [], "{leave}");
        assert!(!cmds.contains(&Cmd::Quit), "{leave}");
        let screen = script.screen();
        let list = ["FEED ", "> anonymous "];
        assert!(list.iter().all(|words| screen.contains(words)), "{screen}");
    }
}

#[test]
fn the_palette_finds_the_difference_of_the_feed_in_front_first() {
    let mut script = filled();
    script.keys(":");
    script.types("diff");
    let screen = script.screen();
    let first = screen.lines().find(|line| line.contains("diff with"));
    assert!(
        first.is_some_and(|line| line.contains('>') && line.contains("the day before")),
        "{screen}"
    );
}

#[test]
fn where_nothing_is_local_two_keys_download_all() {
    let mut script = with(Vec::new());
    let screen = script.screen_at(80, 24);
    assert!(screen.contains("A, then p downloads all"), "{screen}");
    script.keys("A");
    assert!(!script.screen().contains("A, then p downloads all"));
    assert!(script.keys("py").len() > 5);
    let screen = fresh().screen();
    assert!(!screen.contains("A, then p downloads all"), "{screen}");
}
