//! What stays on the disk and what goes: the keep rule, removing by name, releases without their file.

use std::fs;

use ipspect::{
    contract::{Feed, Format},
    engine::{Kind, Pick, PullQuery, Removed, WantedRelease, progress::unheard},
    model::Day,
    store::{FeedLock, Manifest, retention::Reason},
};

use super::{
    feed::{FEED, names, of_day, records, whole},
    fixture::Fixture,
    wire::Wire,
};

const NETWORK: &str = "198.51.100.1/32";

async fn pull_day(fixture: &Fixture<Wire>, day: &str) -> Vec<Removed> {
    fixture.service.says(of_day(day, &records(day, 2)));
    fixture.pull().await.expect(day).removed
}

fn day(text: &str) -> Day {
    text.parse().expect("day")
}

#[tokio::test]
async fn the_newest_releases_are_kept_and_pinned_ones_besides() {
    let fixture = Fixture::wire_with(|settings| settings.cache.keep_releases = 2).await;
    let query = PullQuery {
        wanted: WantedRelease::Day(day("20261101")),
        ..PullQuery::latest(FEED)
    };
    fixture
        .service
        .says(of_day("20261101", &records("pinned", 2)));
    fixture
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("a pinned day");
    assert_eq!(pull_day(&fixture, "20261117").await, []);
    assert_eq!(pull_day(&fixture, "20261118").await, []);
    let removed = pull_day(&fixture, "20261119").await;
    let [gone] = removed[..] else {
        panic!("{removed:?}")
    };
    assert_eq!(
        (gone.moment.to_string(), gone.form, gone.reason),
        ("20261117".to_owned(), Format::Json, Some(Reason::Releases))
    );
    assert!(gone.bytes > 0);
    assert_eq!(fixture.days(), ["20261119", "20261118", "20261101"]);
    let feed_dir = fixture.engine.releases.cache().feed_dir(FEED);
    assert!(!feed_dir.join("20261117").exists());
    // A day that is asked for although it is here is pinned from then on.
    let query = PullQuery {
        wanted: WantedRelease::Day(day("20261118")),
        ..PullQuery::latest(FEED)
    };
    fixture
        .service
        .says(of_day("20261118", &records("20261118", 2)));
    fixture
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("pinned");
    pull_day(&fixture, "20261120").await;
    pull_day(&fixture, "20261121").await;
    assert_eq!(
        fixture.days(),
        ["20261121", "20261120", "20261118", "20261101"]
    );
}

#[tokio::test]
async fn a_cache_that_is_full_loses_its_oldest_releases_but_none_of_a_feed_that_is_written() {
    let mut fixture = Fixture::wire().await;
    for day in ["20261117", "20261118"] {
        fixture.service.says(of_day(day, &records(day, 2)));
        let query = PullQuery::latest(Feed::Ipsummary);
        fixture
            .engine
            .releases
            .pull(&query, unheard())
            .await
            .expect(day);
    }
    pull_day(&fixture, "20261119").await;
    fixture.restart_with(|settings| settings.cache.max_gb = 0);
    let other_dir = fixture.engine.releases.cache().feed_dir(Feed::Ipsummary);
    let lock = FeedLock::take(&other_dir).expect("lock");
    let removed = pull_day(&fixture, "20261120").await;
    let words = |removed: &[Removed]| -> Vec<String> {
        removed
            .iter()
            .map(|gone| format!("{} {}", gone.feed, gone.moment))
            .collect()
    };
    assert_eq!(words(&removed), ["dch 20261119"]);
    drop(lock);
    let removed = pull_day(&fixture, "20261121").await;
    assert_eq!(words(&removed), ["ipsummary 20261117", "dch 20261120"]);
    assert!(
        removed
            .iter()
            .all(|gone| gone.reason == Some(Reason::Bytes))
    );
    assert_eq!(fixture.days(), ["20261121"]);
}

#[tokio::test]
async fn what_is_removed_by_name_is_gone_whatever_state_it_was_in() {
    let fixture = Fixture::wire().await;
    for day in ["20261117", "20261118", "20261119", "20261120"] {
        pull_day(&fixture, day).await;
    }
    let feed_dir = fixture.engine.releases.cache().feed_dir(FEED);
    let cleared = fixture
        .engine
        .releases
        .remove(FEED, Some(day("20261118")), false)
        .await;
    let releases = cleared.expect("removed").releases;
    assert_eq!(releases.len(), 1);
    assert!(!feed_dir.join("20261118").exists());
    assert_eq!(fixture.days(), ["20261120", "20261119", "20261117"]);
    let error = fixture
        .engine
        .releases
        .remove(FEED, Some(day("20261118")), false)
        .await;
    assert_eq!(error.expect_err("gone").kind, Kind::NotFound);
    // Spoilt ones go too; what is not of this program stays.
    fs::write(feed_dir.join("20261119/feed.json"), "{").expect("spoilt");
    fs::write(feed_dir.join("20261117/notes.txt"), "mine").expect("notes");
    let lock = FeedLock::take(&feed_dir).expect("lock");
    let error = fixture.engine.releases.remove(FEED, None, false).await;
    assert_eq!(error.expect_err("locked").kind, Kind::Locked);
    drop(lock);
    fs::write(
        fixture
            .engine
            .releases
            .cache()
            .part_dir(FEED)
            .join("x.part"),
        "12345",
    )
    .expect("partial");
    let cleared = fixture
        .engine
        .releases
        .remove(FEED, None, false)
        .await
        .expect("all");
    assert_eq!((cleared.releases.len(), cleared.partial), (3, 5));
    assert_eq!(fixture.days(), [""; 0]);
    assert_eq!(names(&feed_dir.join("20261117")), ["notes.txt"]);
    let pick = Pick {
        feed: Some(FEED),
        day: None,
    };
    let error = fixture.says_of(NETWORK, &pick).await.expect_err("gone");
    assert_eq!(error.kind, Kind::NotFound);
}

#[tokio::test]
async fn a_release_without_its_file_answers_and_says_what_it_cannot() {
    let fixture = Fixture::wire_with(|settings| settings.cache.keep_feed_files = false).await;
    let file = records("a", 3);
    fixture.service.says(whole("a", &file));
    let pulled = fixture.pull().await.expect("a release");
    let dir = pulled.release.data.parent().expect("a folder");
    let index = pulled.release.manifest.index.clone().expect("an index");
    assert_eq!(names(dir), [index.file.as_str(), "feed.json"]);
    assert_eq!(fixture.partial(), [""; 0]);
    assert!(!pulled.release.holds_data());
    assert_eq!(pulled.release.size(), index.bytes);
    let said = fixture.says_of(NETWORK, &Pick::default()).await;
    assert_eq!(
        said.expect("an answer"),
        [r#"{"network":"198.51.100.1/32","organization":"a"}"#]
    );
    let verified = fixture.engine.releases.verify(FEED, None, unheard()).await;
    let form = verified.expect("here").remove(0).expect("sound");
    assert_eq!((form.data, form.index), (false, true));
    let error = fixture
        .engine
        .releases
        .reindex(FEED, None, false, unheard())
        .await;
    let error = error.expect_err("nothing to build from");
    assert_eq!(error.kind, Kind::Integrity);
    assert!(error.message.contains("was not kept"), "{error}");
    fixture.service.says(whole("a", &file));
    assert!(fixture.pull().await.expect("the same").was_here);
}

#[tokio::test]
async fn verifying_finds_what_has_changed() {
    let (fixture, file) = Fixture::with_release().await;
    let release = fixture.engine.releases.cache().latest(FEED, Format::Json);
    let release = release.expect("cache").expect("a release");
    let manifest = release.data.with_file_name("feed.json");
    let index = release.index().expect("an index");
    let with = |change: fn(&mut Manifest)| {
        let mut manifest = release.manifest.clone();
        change(&mut manifest);
        manifest.text().into_bytes()
    };
    let bytes = fs::read(&index).expect("index");
    let verify = async || {
        let verified = fixture.engine.releases.verify(FEED, None, unheard()).await;
        verified.expect("here").remove(0)
    };
    assert!(verify().await.is_ok());
    let flipped = |mut bytes: Vec<u8>, at: usize| {
        bytes[at] ^= 4;
        bytes
    };
    let changes = [
        (&release.data, flipped(file.clone(), 4), "SHA-256"),
        (&release.data, flipped(file.clone(), file.len() / 2), "gzip"),
        (&release.data, file[..file.len() - 1].to_vec(), "length"),
        (
            &manifest,
            flipped(release.manifest.text().into_bytes(), 40),
            "damaged",
        ),
        (&index, flipped(bytes.clone(), 20), "reindex"),
        (&index, bytes[..bytes.len() / 2].to_vec(), "reindex"),
        (
            &manifest,
            with(|manifest| manifest.records = Some(3)),
            "reindex",
        ),
        (
            &manifest,
            with(|manifest| manifest.rejected.count = 1),
            "not blank",
        ),
    ];
    for (path, changed, says) in changes {
        let before = fs::read(path).expect("file");
        assert_ne!(before, changed, "{says}");
        fs::write(path, changed).expect("changed");
        let error = verify().await.expect_err(says);
        assert_eq!(error.kind, Kind::Integrity, "{error}");
        assert!(error.to_string().contains(says), "{says}: {error}");
        fs::write(path, before).expect("as before");
    }
    assert!(verify().await.is_ok());
    let database = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(Feed::Ipgeo)
    };
    let demo = Fixture::demo().await;
    let pulled = demo
        .engine
        .releases
        .pull(&database, unheard())
        .await
        .expect("mmdb");
    let verified = demo
        .engine
        .releases
        .verify(Feed::Ipgeo, None, unheard())
        .await;
    assert!(
        verified.expect("here")[0]
            .as_ref()
            .is_ok_and(|form| form.data && !form.index)
    );
    let bytes = fs::read(&pulled.release.data).expect("data");
    fs::write(&pulled.release.data, flipped(bytes, 100)).expect("changed");
    let verified = demo
        .engine
        .releases
        .verify(Feed::Ipgeo, None, unheard())
        .await;
    assert!(verified.expect("here")[0].is_err());
}
