//! Answers from the disk: equal to what was downloaded, whatever has become of the index meanwhile.

use std::{fs, net::IpAddr, path::PathBuf, sync::Arc};

use ipspect::{
    contract::{Format, LookupQuery},
    demo::FaultSite,
    engine::{Kind, OpenRelease, Pick, Rebuilds, Stage, answers::BestAnswer, progress::unheard},
    model::Day,
    store::{FeedLock, Manifest, RowId, index::QueryError},
};

use super::{
    feed::{FEED, names, of_day, records, whole},
    fixture::Fixture,
    wire::Wire,
};

/// The record of a network in the release that [`Fixture::with_release`] makes.
const NETWORK: &str = "198.51.100.1/32";
const RECORD: &str = r#"{"network":"198.51.100.1/32","organization":"old"}"#;

/// The index file of the newest release.
fn index_of<S>(fixture: &Fixture<S>) -> PathBuf {
    let latest = fixture.engine.releases.cache().latest(FEED, Format::Json);
    let latest = latest.expect("cache").expect("a release");
    latest.index().expect("an index")
}

/// The manifest of the newest release, changed.
fn rewrite_manifest<S>(fixture: &Fixture<S>, change: impl Fn(&mut Manifest)) {
    let latest = fixture.engine.releases.cache().latest(FEED, Format::Json);
    let mut latest = latest.expect("cache").expect("a release");
    change(&mut latest.manifest);
    let path = latest.data.with_file_name("feed.json");
    fs::write(path, latest.manifest.text()).expect("manifest");
}

async fn answers(fixture: &Fixture<Wire>) -> Vec<String> {
    fixture
        .says_of(NETWORK, &Pick::default())
        .await
        .expect("an answer")
}

fn lines(opened: &OpenRelease) -> Vec<String> {
    let rows = 0..u32::try_from(opened.index.records()).expect("rows");
    let line = |row| {
        let mut line = Vec::new();
        opened.index.line(RowId(row), &mut line).expect("line");
        String::from_utf8(line).expect("text")
    };
    rows.map(line).collect()
}

#[tokio::test]
async fn a_release_comes_with_its_index_and_answers() {
    let (fixture, _) = Fixture::with_release().await;
    let latest = fixture.engine.releases.cache().latest(FEED, Format::Json);
    let latest = latest.expect("cache").expect("a release");
    let index = latest.manifest.index.as_ref().expect("an index");
    assert_eq!(
        index.file,
        format!("feed-{}.idx", &latest.manifest.sha256[..12])
    );
    assert_eq!(
        fs::metadata(index_of(&fixture)).expect("index").len(),
        index.bytes
    );
    assert_eq!(answers(&fixture).await, [RECORD]);
    let network = "203.0.113.0/24";
    let none = fixture.says_of(network, &Pick::default()).await;
    assert_eq!(none.expect("an answer"), [""; 0]);
}

#[tokio::test]
async fn what_is_not_here_is_said_with_how_to_get_it() {
    let (fixture, _) = Fixture::with_release().await;
    let day = Day::new(2026, 1, 1);
    for (feed, day, says) in [
        (Some(FEED), day, "feeds pull dch --date 2026-01-01"),
        (None, day, "feeds pull anonymous --date 2026-01-01"),
        (
            Some(ipspect::contract::Feed::Ipgeo),
            None,
            "feeds pull ipgeo",
        ),
    ] {
        let error = fixture
            .says_of(NETWORK, &Pick { feed, day })
            .await
            .expect_err(says);
        assert_eq!(error.kind, Kind::NotFound);
        assert!(error.to_string().contains(says), "{error}");
    }
    let empty = Fixture::wire().await;
    let none = empty.says_of(NETWORK, &Pick::default()).await;
    assert_eq!(none.expect("nothing was named"), [""; 0]);
}

#[tokio::test]
async fn an_index_that_is_not_fit_is_built_anew_before_it_answers() {
    type Spoil = fn(&Fixture<Wire>, PathBuf);
    let spoils: [(&str, Spoil); 8] = [
        ("missing", |_, index| fs::remove_file(index).expect("gone")),
        ("empty", |_, index| fs::write(index, "").expect("empty")),
        ("cut", |_, index| {
            let bytes = fs::read(&index).expect("index");
            fs::write(index, &bytes[..bytes.len() - 9]).expect("cut");
        }),
        ("no index", |_, index| {
            let length = fs::metadata(&index).expect("index").len();
            let text = vec![b'x'; usize::try_from(length).expect("length")];
            fs::write(index, text).expect("text");
        }),
        ("damaged", |_, index| {
            // Behind what is checked at opening: it comes to light when it is used.
            let mut bytes = fs::read(&index).expect("index");
            for byte in &mut bytes[16..64] {
                *byte ^= 0x55;
            }
            fs::write(index, bytes).expect("damaged");
        }),
        ("older", |_, index| {
            let mut bytes = fs::read(&index).expect("index");
            bytes[8] = 0;
            fs::write(index, bytes).expect("older");
        }),
        ("of another day", |fixture, index| {
            let other = fixture
                .engine
                .releases
                .cache()
                .feed_dir(FEED)
                .join("20261119");
            let other = fs::read_dir(other).expect("folder").flatten();
            let mut paths = other.map(|entry| entry.path());
            let other = paths.find(|path| path.extension().is_some_and(|end| end == "idx"));
            fs::copy(other.expect("another index"), index).expect("copied");
        }),
        ("from before there were any", |fixture, index| {
            fs::remove_file(index).expect("gone");
            rewrite_manifest(fixture, |manifest| manifest.index = None);
        }),
    ];
    for (what, spoil) in spoils {
        let fixture = Fixture::wire().await;
        fixture
            .service
            .says(of_day("20261119", &records("other", 2)));
        fixture.pull().await.expect("another day");
        fixture.service.says(of_day("20261120", &records("old", 2)));
        fixture.pull().await.expect("the newest");
        spoil(&fixture, index_of(&fixture));
        assert_eq!(answers(&fixture).await, [RECORD], "{what}");
        let dir = fixture
            .engine
            .releases
            .cache()
            .feed_dir(FEED)
            .join("20261120");
        assert_eq!(names(&dir).len(), 3, "{what}: {:?}", names(&dir));
        let verified = fixture.engine.releases.verify(FEED, None, unheard()).await;
        assert!(verified.expect("here")[0].is_ok(), "{what}");
        assert_eq!(fixture.partial(), [""; 0], "{what}");
    }
}

#[tokio::test]
async fn an_index_that_is_rebuilt_shows_how_far_it_is_and_says_why() {
    let (fixture, _) = Fixture::with_release().await;
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    fixture
        .engine
        .notices
        .report_rebuilds(Rebuilds::to(move |progress| {
            heard.lock().expect("told").push(progress);
        }));
    assert_eq!(answers(&fixture).await, [RECORD]);
    assert!(told.lock().expect("told").is_empty());
    let index = index_of(&fixture);
    let mut bytes = fs::read(&index).expect("index");
    bytes[8] = 0;
    fs::write(index, bytes).expect("older");
    assert_eq!(answers(&fixture).await, [RECORD]);
    let told = told.lock().expect("told");
    let stages: Vec<Option<Stage>> = told.iter().map(|one| one.map(|one| one.stage)).collect();
    assert!(stages.contains(&Some(Stage::Verifying)), "{stages:?}");
    assert!(stages.contains(&Some(Stage::Indexing)), "{stages:?}");
    assert_eq!(stages.iter().filter(|stage| stage.is_none()).count(), 1);
    assert_eq!(stages.last(), Some(&None), "the end");
    let notices = fixture.engine.notices.take_notices();
    assert!(
        notices.len() == 1 && notices[0].contains("rebuilt"),
        "{notices:?}"
    );
    assert_eq!(fixture.engine.notices.take_notices(), [""; 0]);
}

#[tokio::test]
async fn an_index_of_a_newer_version_is_refused_and_left_alone() {
    let (fixture, _) = Fixture::with_release().await;
    let path = index_of(&fixture);
    let mut bytes = fs::read(&path).expect("index");
    bytes[8] = 99;
    fs::write(&path, &bytes).expect("newer");
    let error = fixture
        .says_of(NETWORK, &Pick::default())
        .await
        .expect_err("newer");
    assert_eq!(error.kind, Kind::Integrity);
    assert!(error.message.contains("version 99"), "{error}");
    let error = fixture
        .engine
        .releases
        .reindex(FEED, None, false, unheard())
        .await
        .expect_err("newer");
    assert!(error.message.contains("version 99"), "{error}");
    assert_eq!(fs::read(&path).expect("index"), bytes);
}

#[tokio::test]
async fn work_that_meets_damage_is_done_once_more_on_a_new_index() {
    let (fixture, _) = Fixture::with_release().await;
    let opened = fixture
        .engine
        .releases
        .open_local(FEED, None)
        .await
        .expect("opened");
    let path = index_of(&fixture);
    let mut bytes = fs::read(&path).expect("index");
    bytes[20] ^= 1;
    fs::write(&path, bytes).expect("damaged");
    let runs = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let work = move |opened: &OpenRelease, _: &ipspect::store::StopFlag| {
        if counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            return Err(QueryError::Damaged("a part".to_owned()));
        }
        Ok(lines(opened))
    };
    let found = fixture
        .engine
        .releases
        .with_local(opened, work)
        .await
        .expect("mended");
    assert_eq!(found[1], RECORD);
    assert_eq!(runs.load(std::sync::atomic::Ordering::Relaxed), 2);
    // What stays damaged is not tried for ever.
    let opened = fixture
        .engine
        .releases
        .open_local(FEED, None)
        .await
        .expect("opened");
    let work = |_: &OpenRelease, _: &ipspect::store::StopFlag| -> Result<(), QueryError> {
        Err(QueryError::Damaged("a part".to_owned()))
    };
    let error = fixture.engine.releases.with_local(opened, work).await;
    assert_eq!(error.expect_err("damaged").kind, Kind::Integrity);
}

#[tokio::test]
async fn work_is_stopped_when_nobody_waits_for_it() {
    let (fixture, _) = Fixture::with_release().await;
    let opened = fixture
        .engine
        .releases
        .open_local(FEED, None)
        .await
        .expect("opened");
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (ended, has_ended) = std::sync::mpsc::channel();
    let work = move |_: &OpenRelease, stop: &ipspect::store::StopFlag| -> Result<(), QueryError> {
        begun.send(()).expect("heard");
        while !stop.is_stopped() {
            std::thread::yield_now();
        }
        ended.send(()).expect("heard");
        Err(QueryError::Stopped)
    };
    let engine = fixture.engine.clone();
    let task = tokio::spawn(async move { engine.releases.with_local(opened, work).await });
    super::fixture::until("it has begun", || has_begun.try_recv().is_ok()).await;
    task.abort();
    super::fixture::until("it has ended", || has_ended.try_recv().is_ok()).await;
}

#[tokio::test]
async fn only_one_builds_an_index_and_others_are_told() {
    let (fixture, _) = Fixture::with_release().await;
    let dir = fixture.engine.releases.cache().feed_dir(FEED);
    let lock = FeedLock::take(&dir).expect("lock");
    assert_eq!(answers(&fixture).await, [RECORD], "reading needs no lock");
    fs::write(index_of(&fixture), "").expect("spoilt");
    let error = fixture
        .says_of(NETWORK, &Pick::default())
        .await
        .expect_err("locked");
    assert_eq!(error.kind, Kind::Locked);
    let engine = fixture.engine.clone();
    let waiting = tokio::spawn(async move {
        engine
            .releases
            .reindex(FEED, None, true, unheard())
            .await
            .map(drop)
    });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    drop(lock);
    waiting.await.expect("a task").expect("built");
    assert_eq!(answers(&fixture).await, [RECORD]);
}

#[tokio::test]
async fn without_feed_file_and_index_the_way_out_is_said() {
    let (fixture, _) = Fixture::with_release().await;
    let latest = fixture.engine.releases.cache().latest(FEED, Format::Json);
    let data = latest.expect("cache").expect("a release").data;
    fs::remove_file(&data).expect("gone");
    assert_eq!(
        answers(&fixture).await,
        [RECORD],
        "the index answers without it"
    );
    fs::write(index_of(&fixture), "").expect("spoilt");
    let error = fixture
        .says_of(NETWORK, &Pick::default())
        .await
        .expect_err("nothing left");
    assert_eq!(error.kind, Kind::Integrity);
    assert!(error.to_string().contains("feeds pull dch"), "{error}");
    // And it is a way out, although the service has the same file still.
    fixture.service.says(whole("old", &records("old", 2)));
    assert!(!fixture.pull().await.expect("a release").was_here);
    assert_eq!(answers(&fixture).await, [RECORD]);
}

#[tokio::test]
async fn a_feed_file_that_is_damaged_gives_no_index() {
    let (fixture, file) = Fixture::with_release().await;
    let index = index_of(&fixture);
    fs::write(&index, "").expect("spoilt");
    let data = index.with_extension("json.gz");
    // Bytes of the header that gzip does not check.
    for at in [4, file.len() / 2] {
        let mut file = file.clone();
        file[at] ^= 1;
        fs::write(&data, &file).expect("damaged");
        let error = fixture.says_of(NETWORK, &Pick::default()).await;
        let error = error.expect_err("damaged");
        assert_eq!(error.kind, Kind::Integrity, "{at}: {error}");
        assert_eq!(fs::read(&index).expect("index"), b"", "{at}");
        assert_eq!(fixture.partial(), [""; 0], "{at}");
    }
}

#[tokio::test]
async fn days_stand_side_by_side_and_readers_keep_what_they_opened() {
    let fixture = Fixture::wire().await;
    for (day, name) in [("20261118", "a"), ("20261119", "b"), ("20261120", "c")] {
        fixture.service.says(of_day(day, &records(name, 2)));
        fixture.pull().await.expect(day);
    }
    let day = |day| Day::new(2026, 11, day);
    for (day, name) in [(day(18), "a"), (day(19), "b"), (day(20), "c"), (None, "c")] {
        let said = fixture.says_of(NETWORK, &Pick { feed: None, day }).await;
        let said = said.expect("an answer");
        assert_eq!(said, [RECORD.replace("old", name)], "{day:?}");
    }
    let before = fixture
        .engine
        .releases
        .open_local(FEED, None)
        .await
        .expect("opened");
    let own = lines(&before);
    fixture.service.says(whole("d", &records("d", 2)));
    fixture.pull().await.expect("replaced");
    assert_eq!(answers(&fixture).await, [RECORD.replace("old", "d")]);
    assert_eq!(lines(&before), own);
    let again = fixture
        .engine
        .releases
        .with_local(before, |opened, _| Ok(lines(opened)));
    assert_eq!(again.await.expect("still readable"), own);
}

#[tokio::test]
async fn a_publication_that_was_cut_off_leaves_the_old_release_and_nothing_else() {
    for steps in 0..4 {
        let (fixture, old) = Fixture::with_release().await;
        let cache = fixture.engine.releases.cache();
        let dir = index_of(&fixture).parent().expect("a folder").to_owned();
        // What a run that was killed has done, one step after the other.
        let part = cache.part_dir(FEED);
        fs::write(part.join("latest.json.gz.idx"), "a part of it").expect("partial");
        if steps > 0 {
            fs::write(dir.join("feed-0123456789ab.json.gz"), records("new", 3)).expect("data");
        }
        if steps > 1 {
            fs::write(dir.join("feed-0123456789ab.idx"), "an index").expect("index");
        }
        if steps > 2 {
            fs::write(dir.join(".ipspect-1"), "half a manifest").expect("manifest");
        }
        assert_eq!(fixture.published(), Some(old.clone()), "{steps}");
        assert_eq!(answers(&fixture).await, [RECORD], "{steps}");
        let new = records("new", 3);
        fixture.service.says(whole("new", &new));
        fixture.pull().await.expect("a release");
        assert_eq!(answers(&fixture).await, [RECORD.replace("old", "new")]);
        assert_eq!(
            (names(&dir).len(), fixture.partial()),
            (3, vec![]),
            "{steps}"
        );
    }
}

#[tokio::test]
async fn a_feed_that_cannot_be_read_is_named_beside_the_best_records() {
    let (fixture, _) = Fixture::with_release().await;
    let addresses: Arc<[IpAddr]> = Arc::new(["198.51.100.1".parse().expect("an address")]);
    let best = || fixture.engine.answers.best_answers(addresses.clone());
    let found = best().await.expect("records");
    let Some(BestAnswer::Local(record)) = &found.answers[0] else {
        panic!("a record: {found:?}");
    };
    assert_eq!(record.release.manifest.feed, FEED);
    assert_eq!(found.unusable, []);
    let latest = fixture.engine.releases.cache().latest(FEED, Format::Json);
    let latest = latest.expect("cache").expect("a release");
    fs::write(latest.data.with_file_name("feed.json"), "{").expect("spoilt");
    let found = best().await.expect("an answer");
    assert!(found.answers[0].is_none());
    let unusable: Vec<_> = found.unusable.iter().map(|feed| feed.feed).collect();
    assert_eq!(unusable, [FEED]);
    assert_eq!(found.unusable[0].why.kind, Kind::Integrity);
}

#[tokio::test]
async fn a_cached_answer_stands_beside_the_best_records_and_is_free() {
    let fixture = Fixture::demo().await;
    let known: IpAddr = "198.51.100.77".parse().expect("an address");
    let answer = fixture
        .engine
        .answers
        .lookup(&LookupQuery::now(known))
        .await;
    let answer = answer.expect("an answer");
    let asked = || fixture.seen(FaultSite::Context).len();
    let before = asked();
    let other: IpAddr = "198.51.100.78".parse().expect("an address");
    let addresses: Arc<[IpAddr]> = Arc::new([other, known]);
    let found = fixture.engine.answers.best_answers(addresses).await;
    let found = found.expect("an answer");
    assert_eq!(found.answers[0], None);
    let Some(BestAnswer::Cached(cached)) = &found.answers[1] else {
        panic!("a cached answer: {found:?}");
    };
    assert_eq!(cached.record, answer.record);
    assert_eq!((found.unusable, asked()), (vec![], before));
}
