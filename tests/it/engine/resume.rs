//! Downloads that break off, and how they go on.

use std::fs;

use ipspect::{demo::FaultSite, engine::Kind, store::checksum::sign};

use super::{
    feed::{FEED, cut, records, rest, whole},
    fixture::{Fixture, until},
    wire::{Wire, answer, header},
};

/// How much comes before a download breaks off.
const CUT: usize = 100;

/// A first answer that breaks off, others behind it, and the file that comes of them.
async fn after_a_cut(answers: &[Vec<u8>]) -> (Vec<u8>, Vec<String>) {
    let fixture = Fixture::wire().await;
    fixture.service.says(cut(whole("a", &records("a", 9)), CUT));
    for answer in answers {
        fixture.service.says(answer.clone());
    }
    fixture.pull().await.expect("a release");
    let file = fixture.published().expect("published");
    (file, fixture.service.downloads())
}

#[tokio::test]
async fn a_download_that_was_cut_off_goes_on_with_range_and_if_range() {
    let file = records("a", 9);
    let (published, heard) = after_a_cut(&[rest("a", &file, CUT)]).await;
    assert_eq!(published, file);
    let asked = |name| {
        heard
            .iter()
            .map(|head| header(head, name))
            .collect::<Vec<_>>()
    };
    assert_eq!(asked("range"), [None, Some("bytes=100-")]);
    assert_eq!(asked("if-range"), [None, Some("\"a\"")]);
}

#[tokio::test]
async fn what_does_not_go_on_in_the_same_file_is_never_mixed_with_it() {
    let (a, b) = (records("a", 9), records("b", 9));
    let other_range = |range: &str| {
        answer(
            206,
            &format!("ETag: \"a\"\r\nContent-Range: {range}\r\n"),
            &a[CUT..],
        )
    };
    let length = a.len();
    for (what, second) in [
        (
            "another byte",
            other_range(&format!("bytes 90-{}/{length}", length - 11)),
        ),
        (
            "the first byte",
            other_range(&format!("bytes 0-{}/{length}", length - 101)),
        ),
        (
            "another length",
            other_range(&format!("bytes 100-{}/{}", length - 1, length + 5)),
        ),
        ("no range", answer(206, "ETag: \"a\"\r\n", &a[CUT..])),
        ("nonsense for a range", other_range("lines 3-4/5")),
        ("another tag", rest("b", &b, CUT)),
        ("416", answer(416, "", "")),
    ] {
        let (published, heard) = after_a_cut(&[second, whole("b", &b)]).await;
        assert_eq!(published, b, "{what}");
        let ranges: Vec<_> = heard.iter().map(|head| header(head, "range")).collect();
        assert_eq!(ranges, [None, Some("bytes=100-"), None], "{what}");
    }
}

#[tokio::test]
async fn the_whole_file_where_a_part_was_asked_for_starts_over() {
    for tag in ["a", "b"] {
        let file = records(tag, 9);
        let (published, heard) = after_a_cut(&[whole(tag, &file)]).await;
        assert_eq!((published, heard.len()), (file, 2), "{tag}");
    }
}

#[tokio::test]
async fn without_anything_that_tells_files_apart_a_download_starts_over() {
    let fixture = Fixture::wire().await;
    let file = records("a", 9);
    let plain = answer(
        200,
        "X-Feed-Generation-Date: 20261120\r\nETag: W/\"weak\"\r\n",
        &file,
    );
    fixture.service.says(cut(plain.clone(), CUT)).says(plain);
    fixture.pull().await.expect("a release");
    assert_eq!(fixture.published(), Some(file));
    assert!(
        fixture
            .service
            .downloads()
            .iter()
            .all(|head| header(head, "range").is_none())
    );
}

#[tokio::test]
async fn the_date_of_the_last_change_tells_files_apart_where_there_is_no_tag() {
    const CHANGED: &str = "Fri, 20 Nov 2026 03:00:00 GMT";
    let fixture = Fixture::wire().await;
    let file = records("a", 9);
    let headers = format!("Last-Modified: {CHANGED}\r\nX-Feed-Generation-Date: 20261120\r\n");
    let range = format!("Content-Range: bytes 100-{}/*\r\n", file.len() - 1);
    fixture.service.says(cut(answer(200, &headers, &file), CUT));
    fixture
        .service
        .says(answer(206, &(headers + &range), &file[CUT..]));
    fixture.pull().await.expect("a release");
    assert_eq!(fixture.published(), Some(file));
    assert_eq!(
        header(&fixture.service.downloads()[1], "if-range"),
        Some(CHANGED)
    );
}

#[tokio::test]
async fn every_try_asks_the_feeds_host_for_a_fresh_link() {
    let fixture = Fixture::demo().await;
    for fault in [
        "storage:cut=200x1",
        "storage:expired@1x1",
        "storage:500@2x1",
    ] {
        fixture.arm(fault);
    }
    fixture.pull().await.expect("a release");
    let stored = fixture.seen(FaultSite::Storage);
    let ranges: Vec<_> = stored.iter().map(|seen| seen.header("range")).collect();
    let on = Some("bytes=200-");
    assert_eq!(ranges, [None, on, on, on]);
    // Four links, and the metadata.
    assert_eq!(fixture.seen(FaultSite::Feeds).len(), 5);
    let clean = Fixture::demo().await;
    clean.pull().await.expect("a release");
    assert_eq!(fixture.published(), clean.published());
}

#[tokio::test]
async fn a_file_published_anew_meanwhile_is_taken_whole() {
    for (fault, same) in [("storage:changed@1", false), ("storage:norange@1", true)] {
        let fixture = Fixture::demo().await;
        fixture.arm("storage:cut=200x1");
        fixture.arm(fault);
        fixture.pull().await.expect("a release");
        let clean = Fixture::demo().await;
        clean.pull().await.expect("a release");
        assert_eq!(fixture.published() == clean.published(), same, "{fault}");
        assert_eq!(fixture.seen(FaultSite::Storage).len(), 2, "{fault}");
    }
}

/// A run that was ended from outside after [`CUT`] bytes of file "a".
async fn interrupted() -> Fixture<Wire> {
    let mut fixture = Fixture::wire().await;
    fixture
        .service
        .says_and_holds(cut(whole("a", &records("a", 9)), CUT));
    let part = fixture
        .engine
        .releases
        .cache()
        .part_dir(FEED)
        .join("latest.json.gz.part");
    let came = || fs::metadata(&part).is_ok_and(|part| part.len() == CUT as u64);
    tokio::select! {
        pulled = fixture.pull() => panic!("{pulled:?}"),
        () = until("the part has come", came) => {}
    }
    fixture.restart();
    fixture
}

#[tokio::test]
async fn a_run_that_is_dropped_leaves_a_part_that_the_next_one_completes() {
    let fixture = interrupted().await;
    assert_eq!(
        fixture.partial(),
        ["latest.json.gz.json", "latest.json.gz.part"]
    );
    assert_eq!(fixture.published(), None);
    let file = records("a", 9);
    fixture.service.says(rest("a", &file, CUT));
    let pulled = fixture.pull().await.expect("a release");
    assert_eq!((pulled.resumed_from, pulled.was_here), (CUT as u64, false));
    assert_eq!(fixture.published(), Some(file));
    assert_eq!(fixture.partial(), [""; 0]);
}

#[tokio::test]
async fn a_part_that_a_crash_damaged_costs_one_start_from_nothing() {
    let file = records("a", 9);
    for (what, offset) in [("its head", 0), ("its tail", CUT - 4)] {
        let fixture = interrupted().await;
        let part = fixture
            .engine
            .releases
            .cache()
            .part_dir(FEED)
            .join("latest.json.gz.part");
        let mut bytes = fs::read(&part).expect("part");
        bytes[offset..offset + 4].fill(0);
        fs::write(&part, bytes).expect("part");
        fixture
            .service
            .says(rest("a", &file, CUT))
            .says(whole("a", &file));
        let pulled = fixture.pull().await.expect(what);
        assert_eq!(
            (fixture.published().as_ref(), pulled.resumed_from),
            (Some(&file), 0),
            "{what}"
        );
        assert_eq!(fixture.service.downloads().len(), 3, "{what}");
    }
}

/// What becomes of the text of a journal.
type Change<'a> = &'a dyn Fn(&str) -> Option<String>;

#[tokio::test]
async fn a_part_whose_journal_is_lost_or_odd_is_not_gone_on_from() {
    let file = records("a", 9);
    let resigned = |text: &str, from: &str, to: &str| {
        let text = text.replace(from, to);
        let object: serde_json::Map<_, _> = serde_json::from_str(&text).expect("journal");
        Some(sign(object).to_string())
    };
    let changes: [(&str, Change<'_>); 6] = [
        ("lost", &|_| None),
        ("odd", &|_| Some("{".to_owned())),
        ("without a checksum", &|_| {
            Some(r#"{"target":"/v2/x"}"#.to_owned())
        }),
        ("damaged", &|text| {
            Some(text.replace("20261120", "20261119"))
        }),
        ("of another service", &|text| {
            resigned(text, "demo/v2", "https://feeds.example/v2")
        }),
        ("of another version", &|text| {
            resigned(text, "\"version\": 1", "\"version\": 2")
        }),
    ];
    for (journal, change) in changes {
        let fixture = interrupted().await;
        let path = fixture
            .engine
            .releases
            .cache()
            .part_dir(FEED)
            .join("latest.json.gz.json");
        let before = fs::read_to_string(&path).expect("journal");
        match change(&before) {
            Some(text) => {
                assert_ne!(text, before, "{journal}");
                fs::write(&path, text).expect("journal");
            }
            None => fs::remove_file(&path).expect("journal"),
        }
        fixture.service.says(whole("a", &file));
        let pulled = fixture.pull().await.expect(journal);
        let said = pulled
            .warnings
            .iter()
            .any(|one| one.contains("starts over"));
        assert_eq!(said, journal != "lost", "{journal}: {:?}", pulled.warnings);
        assert_eq!(pulled.resumed_from, 0, "{journal}");
        assert_eq!(
            header(&fixture.service.downloads()[1], "range"),
            None,
            "{journal}"
        );
    }
}

#[tokio::test]
async fn a_part_that_was_whole_already_is_verified_and_not_fetched_again() {
    let fixture = interrupted().await;
    let file = records("a", 9);
    let part = fixture
        .engine
        .releases
        .cache()
        .part_dir(FEED)
        .join("latest.json.gz.part");
    fs::write(&part, &file).expect("part");
    fixture.service.says(answer(
        416,
        &format!("Content-Range: bytes */{}\r\n", file.len()),
        "",
    ));
    fixture.pull().await.expect("a release");
    assert_eq!(fixture.published(), Some(file));
}

#[tokio::test]
async fn what_was_replaced_meanwhile_is_never_gone_on_from() {
    // The next file breaks off, too: what is left must be a part of that one, beside its own journal.
    let mut fixture = interrupted().await;
    let b = records("b", 9);
    fixture.restart_with(|settings| settings.network.attempts = 1);
    fixture.service.says(cut(whole("b", &b), 40));
    let error = fixture.pull().await.expect_err("cut off");
    assert!(
        error.kind == Kind::Network && error.message.contains("40 B received so far are kept"),
        "{error}"
    );
    fixture.restart();
    fixture.service.says(rest("b", &b, 40));
    fixture.pull().await.expect("a release");
    assert_eq!(fixture.published(), Some(b));
    assert_eq!(
        header(&fixture.service.downloads()[2], "if-range"),
        Some("\"b\"")
    );
}

#[tokio::test]
async fn a_download_that_never_ends_well_says_what_is_kept() {
    let fixture = Fixture::demo().await;
    fixture.arm("storage:cut=60");
    let error = fixture.pull().await.expect_err("cut off");
    assert_eq!(error.kind, Kind::Network, "{error}");
    // Each of five tries came 60 bytes further.
    assert!(
        error.message.contains("after 5 attempts")
            && error.message.contains("300 B received so far are kept"),
        "{error}"
    );
    assert_eq!(fixture.seen(FaultSite::Storage).len(), 5);
}
