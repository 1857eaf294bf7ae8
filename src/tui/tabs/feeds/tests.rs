//! Keys and answers in, questions and screens out.

mod days;
mod marking;
mod stopping;
mod upkeep;

use std::{path::PathBuf, slice};

use crate::{
    contract::{Feed, Format},
    engine::{
        Error, Fetched, FetchedListing, Kind, OnDisk, Progress, PullQuery, Pulled, Stage,
        WantedRelease,
    },
    model::{Day, FeedMetadata, Listing, Window},
    store::{Cache, DaySource, IndexFile, Manifest, Moment, Rejected, layout::Release},
    tui::{
        ctx::{Answer, Cmd, ListRow, Question, Rows, TokenState},
        harness::{self, Harness, copied, facts, fetched, provenance},
        shell::registry::TabId,
    },
};

/// What is asked by effects, except for the samples that are read of the selection.
fn questions(cmds: &[Cmd]) -> Vec<Question> {
    let mut asked = harness::questions(cmds);
    asked.retain(|question| !matches!(question, Question::Health(_)));
    asked
}

fn day(text: &str) -> Day {
    text.parse().expect(text)
}

fn metadata(json: &str) -> Fetched<FeedMetadata> {
    fetched(json, |value| FeedMetadata::decode(value).expect(json))
}

fn release(feed: Feed, moment: &str, records: u64, bytes: u64) -> Release {
    let at = "2026-11-20T04:30:00Z".parse().expect("timestamp");
    let moment = Moment::parse(moment).expect(moment);
    let file = "feed-1.json.gz".to_owned();
    let sha256 = "0123456789abcdef".repeat(4);
    let mut manifest = Manifest::new(
        feed,
        moment,
        DaySource::Header,
        false,
        file.clone(),
        bytes,
        sha256,
        format!("/v2/{feed}/latest.json.gz"),
        at,
    );
    manifest.records = Some(records);
    manifest.generated_at = Some(manifest.moment.begins());
    Release {
        manifest,
        data: PathBuf::from("/cache/feeds").join(feed.name()).join(file),
    }
}

fn disk(releases: Vec<Release>) -> OnDisk {
    let cache = Cache::new("/cache".as_ref());
    OnDisk {
        releases,
        unusable: vec![(
            Feed::Anonymous,
            "/cache/feeds/anonymous/20261101/feed.json: it is of version 9, this program knows 1"
                .to_owned(),
        )],
        faulty: Vec::new(),
        parts: Vec::new(),
        free: Some(5_100_000_000),
        part_dirs: Feed::all()
            .map(|feed| (feed, cache.part_dir(feed)))
            .collect(),
    }
}

fn daily(date: &str, filesize: u64) -> String {
    format!(
        r#"{{"json": {{"location": "{date}/feed.json.gz", "date": "{date}", "generated_at": "2026-11-20T03:41:00Z",
            "available_at": "2026-11-20T04:01:00Z", "filesize": {filesize}, "line_count": 20104877}},
            "mmdb": {{"location": "20261119/feed.mmdb", "date": "20261119", "filesize": 812}}}}"#
    )
}

/// A tab with answers of every kind: data, a lagging MMDB, a stale feed, one that does not fit, refusals.
fn filled() -> Harness {
    let (mut script, _) = Harness::on(TabId::Feeds);
    let mut rejected = release(Feed::Anonymous, "20261120", 20_104_872, 1_600_000_000);
    rejected.manifest.rejected = Rejected {
        count: 5,
        first: vec![(17, "no JSON object".to_owned())],
    };
    rejected.manifest.index = Some(IndexFile {
        file: "feed-1.index".to_owned(),
        bytes: 1_672_000_000,
        seal: "0123456789abcdef".to_owned(),
    });
    let mut pinned = release(Feed::Anonymous, "20261001", 19_000_000, 1_500_000_000);
    (pinned.manifest.pinned, pinned.manifest.pinned_by_hand) = (true, true);
    let releases = vec![
        rejected,
        pinned,
        release(Feed::Realtime, "20261120-2240", 800, 8_100_000),
        release(Feed::Dch, "20261112", 6012, 6_000_000),
    ];
    script.answer(&Question::Releases, Ok(Answer::Releases(disk(releases))));
    let mut said = |feed, json: &str| {
        script.answer(
            &Question::Metadata(feed),
            Ok(Answer::Metadata(metadata(json))),
        );
    };
    said(Feed::Anonymous, &daily("20261120", 1_600_000_000));
    said(
        Feed::AnonymousResidential,
        &daily("20261120", 3_446_711_233),
    );
    said(Feed::Dch, &daily("20261120", 6_000_100));
    said(Feed::Ipsummary, &daily("20261120", 6_800_000_000));
    said(
        Feed::Realtime,
        r#"{"json": {"location": "realtime/20261120/2310.json.gz", "date": "2026-11-20T23:10:00Z"}}"#,
    );
    let denied = Error::new(Kind::Credentials, "the feeds host denied access (403)")
        .hint("feeds need an enterprise organization");
    script.answer(&Question::Metadata(Feed::AnonymousIpv6), Err(denied));
    let missing = Error::new(Kind::NotFound, "/v2/ipgeo/latest is not offered (404)");
    script.answer(&Question::Metadata(Feed::Ipgeo), Err(missing));
    script
}

fn listed(json: &str) -> Answer {
    Answer::Listed(FetchedListing {
        listing: Listing::read(json.as_bytes()).expect(json),
        provenance: provenance(),
    })
}

fn latest(feed: Feed) -> Question {
    Question::Pull(PullQuery::latest(feed))
}

#[test]
fn arriving_reads_what_is_local_and_asks_once_for_all_metadata() {
    let (mut script, cmds) = Harness::on(TabId::Feeds);
    let mut expected = vec![Question::Releases];
    expected.extend(Feed::all().map(Question::Metadata));
    assert_eq!(questions(&cmds), expected);
    assert_eq!(questions(&script.keys("1<esc>4")), [Question::Releases]);
    script.answer(
        &Question::Metadata(Feed::Dch),
        Err(Error::new(Kind::Network, "cut off")),
    );
    assert_eq!(questions(&script.keys("1<esc>4")), [Question::Releases]);
    let again = questions(&script.keys("R"));
    assert_eq!(
        again,
        [Question::Releases, Question::Metadata(Feed::Dch)],
        "what is still being asked is not asked twice"
    );
}

#[test]
fn without_a_token_only_this_disk_is_asked() {
    let mut world = facts();
    world.token = TokenState::Missing;
    let (mut script, cmds) = Harness::on_with(world, TabId::Feeds);
    assert_eq!(questions(&cmds), [Question::Releases]);
    assert_eq!(questions(&script.keys("<enter>PmPrd")), []);
    let screen = script.screen_at(120, 36);
    for words in ["no token", "anonymous-residential-ipv6", "ipsummary"] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
}

#[test]
fn enter_downloads_and_the_end_of_it_asks_what_is_here() {
    let mut script = filled();
    let pull = latest(Feed::AnonymousResidential);
    assert_eq!(questions(&script.keys("j<enter>")), slice::from_ref(&pull));
    let release = release(Feed::AnonymousResidential, "20261120", 9, 3_446_711_233);
    let pulled = Pulled {
        release,
        was_here: false,
        resumed_from: 0,
        removed: Vec::new(),
        warnings: Vec::new(),
    };
    let cmds = script.answer(&pull, Ok(Answer::Pulled(pulled)));
    assert_eq!(questions(&cmds), [Question::Releases]);
    script.keys("<enter>");
    // The received part of a failed download is there, too.
    let cmds = script.answer(&pull, Err(Error::new(Kind::Network, "cut off")));
    assert_eq!(questions(&cmds), [Question::Releases]);
}

#[test]
fn the_mmdb_form_is_asked_for_where_there_is_one() {
    let mut script = filled();
    let mmdb = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(Feed::Anonymous)
    };
    assert_eq!(questions(&script.keys("Pm")), [Question::Pull(mmdb)]);
    assert_eq!(questions(&script.keys("GPm")), []);
    assert_eq!(script.notice(), "the feed ipsummary has no MMDB form");
}

#[test]
fn the_readme_is_saved_beside_the_work() {
    let mut script = filled();
    let path = PathBuf::from("/cases/anonymous-README.pdf");
    let readme = Question::Readme(Feed::Anonymous, path.clone());
    assert_eq!(questions(&script.keys("Pr")), slice::from_ref(&readme));
    script.answer(&readme, Ok(Answer::Saved(path)));
    assert!(script.notice().contains("/cases/anonymous-README.pdf"));
    assert_eq!(questions(&script.keys("jjjjPr")), []);
}

#[test]
fn everything_can_be_copied() {
    let mut script = filled();
    for (keys, expected) in [
        ("yi", "anonymous"),
        ("yv", "20261120"),
        (
            "yc",
            "curl -fSO \"$(curl -fsS -o /dev/null -w '%{redirect_url}' -H \"Token: $IPSPECT_TOKEN\" \
             'https://feeds.example/v2/anonymous/latest.json.gz')\"",
        ),
    ] {
        assert_eq!(copied(&script.keys(keys)), Some(expected), "{keys}");
    }
    let json = script.keys("yj");
    assert!(copied(&json).expect("JSON").contains("\"line_count\""));
    let note = script.keys("ym");
    assert_eq!(
        copied(&note).expect("note").lines().collect::<Vec<_>>(),
        [
            "**Feed anonymous** on 2026-11-20 23:14:40Z",
            "- latest release of the service: 2026-11-20",
            &format!(
                "- local: 2026-11-20, 20,104,872 records, sha256 {}",
                "0123456789abcdef".repeat(4)
            ),
            "- state: ok 20,104,872 indexed",
        ]
    );
}

#[test]
fn a_late_answer_to_an_older_question_is_dropped() {
    let mut script = filled();
    let question = Question::Metadata(Feed::Anonymous);
    script.keys("R");
    let old = script.job(&question);
    script.answer(
        &question,
        Ok(Answer::Metadata(metadata(&daily("20261121", 7)))),
    );
    script.keys("R");
    let late = Answer::Metadata(metadata(&daily("20261001", 7)));
    script.answer_to(old, Ok(late));
    assert!(!script.screen_at(120, 36).contains("20261001/feed.json.gz"));
}

#[test]
fn a_screen_with_data() {
    let mut script = filled();
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    insta::assert_snapshot!("a_large_screen", script.screen_at(200, 60));
    script.draws_at_any_size();
}

#[test]
fn a_screen_while_everything_is_asked() {
    let (mut script, _) = Harness::on(TabId::Feeds);
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
}

#[test]
fn a_screen_while_a_feed_comes() {
    let mut script = filled();
    script.keys("j<enter>");
    for (second, done) in [(0, 1_232_000_000), (1, 1_320_000_000)] {
        script.now += jiff::SignedDuration::from_secs(second);
        let progress = Progress {
            stage: Stage::Downloading,
            done,
            total: Some(3_446_711_233),
        };
        script.progress(&latest(Feed::AnonymousResidential), progress);
    }
    insta::assert_snapshot!(script.screen_at(120, 36));
    insta::assert_snapshot!(script.screen_at(80, 24));
    // What a row of the list has no room for stands whole below it.
    script.keys("J");
    let screen = script.screen_at(80, 24);
    let whole = "running  38%  1.2 GiB of 3.2 GiB  83.9";
    assert!(screen.contains(whole), "{screen}");
    assert!(screen.contains("MiB/s  24 s left"), "{screen}");
    script.keys("<esc>z");
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.draws_at_any_size();
}

#[test]
fn a_screen_of_a_failure() {
    let mut script = filled();
    script.keys("jj");
    insta::assert_snapshot!(script.screen_at(80, 24));
    script.keys("jjjjj<enter>");
    let error = Error::new(Kind::Machine, "could not write the part: no space left")
        .hint("free some space, then run it again");
    script.answer(&latest(Feed::Ipgeo), Err(error));
    insta::assert_snapshot!(script.screen_at(120, 36));
}

#[test]
fn the_metadata_is_read_and_searched_as_it_was_sent() {
    let mut script = filled();
    script.keys("/");
    script.types("line_count");
    script.keys("<enter>");
    let screen = script.screen_at(80, 24);
    assert!(screen.contains("anonymous  metadata  raw JSON"), "{screen}");
    script.keys("<esc>");
    assert!(script.screen_at(80, 24).contains("Feeds"));
    assert_eq!(script.app.tab, TabId::Feeds);
}

#[test]
fn the_table_is_sorted_by_any_column_and_again_the_other_way() {
    let mut script = filled();
    let first = |script: &Harness| script.app.tabs.feeds.selected();
    let order = |script: &Harness| {
        let rows = script.app.tabs.feeds.list.rows();
        let rows = (0..rows.len()).filter_map(|at| rows.row(at));
        rows.map(|row| row.key().name()).collect::<Vec<_>>()
    };
    let before = order(&script);
    script.keys("s");
    let screen = script.screen();
    assert!(
        screen.contains("Sort by") && screen.contains("> as in the catalogue"),
        "{screen}"
    );
    script.keys("g<enter>");
    let mut names = before.clone();
    names.sort_unstable();
    assert_eq!(order(&script), names);
    assert!(script.screen().contains("FEED ^"));
    assert_eq!(first(&script), Feed::Anonymous, "one stays on the feed");
    script.keys("ss");
    names.reverse();
    assert_eq!(order(&script), names);
    script.keys(">>");
    assert!(script.screen().contains("LOCAL v"), "{}", script.screen());
    assert_eq!(order(&script)[..2], ["realtime", "anonymous"]);
    script.keys("sG<enter>");
    assert_eq!(order(&script), before);
}

#[test]
fn each_row_says_that_the_service_is_gone() {
    let mut script = filled();
    script.keys("R");
    let is_metadata = |question: &Question| matches!(question, Question::Metadata(_));
    while script
        .asked
        .iter()
        .any(|(_, question)| is_metadata(question))
    {
        script.answer_any(is_metadata, Err(Error::new(Kind::Network, "refused")));
    }
    for (width, height) in [(120, 36), (80, 24)] {
        let screen = script.screen_at(width, height);
        let rows = screen.matches("not reached").count();
        assert_eq!(rows, Feed::all().count(), "{screen}");
        // What is local is usable all the same.
        let row = screen.lines().find(|line| line.contains("> anonymous "));
        let row = row.expect("a row");
        assert!(
            row.contains("! local, not reached") || row.contains("! not reached"),
            "{screen}"
        );
        let row = screen
            .lines()
            .find(|line| line.contains("anonymous-residential "));
        assert!(row.expect("a row").contains("x not reached"), "{screen}");
    }
}

/// A release that another tab downloaded is in the list, wherever one comes from.
#[test]
fn releases_that_another_tab_downloaded_are_listed() {
    let mut script = filled();
    let pull = Question::Pull(PullQuery::latest(Feed::ServiceMetrics));
    script.keys("2");
    let missing = Error::new(Kind::NotFound, "the feed service-metrics is not local");
    script.answer(&Question::LocalTags, Err(missing));
    let cmds = script.keys("p");
    assert_eq!(questions(&cmds), slice::from_ref(&pull));
    let pulled = Pulled {
        release: release(Feed::ServiceMetrics, "20261120", 48, 2_400_000),
        was_here: false,
        resumed_from: 0,
        removed: Vec::new(),
        warnings: Vec::new(),
    };
    let cmds = script.answer(&pull, Ok(Answer::Pulled(pulled)));
    assert!(questions(&cmds).contains(&Question::Releases), "{cmds:?}");
}
