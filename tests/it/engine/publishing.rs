//! How a release appears: whole, by one writer, last of all named; and what this machine's failures leave.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
    time::Instant,
};

use ipspect::{
    contract::Format,
    engine::{Kind, Progress, PullQuery, Stage, progress::unheard},
    store::{FeedLock, Moment},
};

use super::{
    feed::{FEED, cut, names, records, whole},
    fixture::{Fixture, today, until},
    wire::{answer, header},
};

#[tokio::test]
async fn an_unchanged_file_is_recognized_without_being_downloaded() {
    let (fixture, old) = Fixture::with_release().await;
    // The body never comes: whoever wanted it would wait.
    fixture.service.says_and_holds(cut(whole("old", &old), 0));
    let pulled = fixture.pull().await.expect("the same");
    assert!(pulled.was_here);
    assert_eq!(
        (fixture.published(), fixture.partial()),
        (Some(old), vec![])
    );
    assert!(
        fixture
            .service
            .heard()
            .iter()
            .all(|head| header(head, "range").is_none())
    );
}

#[tokio::test]
async fn a_new_release_of_the_same_day_replaces_the_old_one() {
    let (fixture, _) = Fixture::with_release().await;
    let new = records("new", 3);
    fixture.service.says(whole("new", &new));
    let pulled = fixture.pull().await.expect("a release");
    assert_eq!(fixture.published(), Some(new));
    let dir = pulled.release.data.parent().expect("a folder");
    let index = pulled.release.manifest.index.as_ref().expect("an index");
    assert_eq!(
        names(dir),
        [
            index.file.as_str(),
            pulled.release.manifest.file.as_str(),
            "feed.json"
        ]
    );
    let (manifest, data) = (
        &pulled.release.manifest,
        fs::read(&pulled.release.data).expect("data"),
    );
    assert_eq!(manifest.bytes, data.len() as u64);
    assert!(manifest.file.contains(&manifest.sha256[..12]) && manifest.sha256.len() == 64);
}

#[tokio::test]
async fn data_without_a_manifest_is_no_release_and_goes_with_the_next_pull() {
    let fixture = Fixture::wire().await;
    let cache = fixture.engine.releases.cache();
    let dir = cache.release_dir(FEED, Moment::Day(today().plus(-3)));
    fs::create_dir_all(&dir).expect("folder");
    fs::write(dir.join("feed-0123456789ab.json.gz"), records("lost", 2)).expect("data");
    assert_eq!(fixture.published(), None);
    fixture.service.says(whole("a", &records("a", 2)));
    fixture.pull().await.expect("a release");
    assert!(!dir.exists());
    // What this program did not put there stays.
    fs::create_dir_all(&dir).expect("folder");
    fs::write(dir.join("notes.txt"), "mine").expect("notes");
    fixture.service.says(whole("b", &records("b", 2)));
    fixture.pull().await.expect("a release");
    assert_eq!(names(&dir), ["notes.txt"]);
}

#[tokio::test]
async fn there_is_one_writer_and_the_second_is_told_or_waits() {
    let fixture = Fixture::wire().await;
    fixture
        .service
        .says_and_holds(cut(whole("a", &records("a", 9)), 50));
    let file = records("b", 2);
    let (first, second) = (fixture.engine.clone(), fixture.engine.clone());
    let first = tokio::spawn(async move {
        first
            .releases
            .pull(&PullQuery::latest(FEED), unheard())
            .await
    });
    until("the first is asking", || {
        !fixture.service.heard().is_empty()
    })
    .await;
    let error = fixture.pull().await.expect_err("locked");
    assert_eq!(error.kind, Kind::Locked);
    assert!(
        error
            .message
            .contains(&format!("process {}", std::process::id())),
        "{error}"
    );
    assert!(
        error
            .hint
            .as_deref()
            .is_some_and(|hint| hint.contains("--wait")),
        "{error}"
    );
    let query = PullQuery {
        wait: true,
        ..PullQuery::latest(FEED)
    };
    let second = tokio::spawn(async move { second.releases.pull(&query, unheard()).await });
    tokio::task::yield_now().await;
    assert_eq!(fixture.service.heard().len(), 1);
    fixture.service.says(whole("b", &file));
    first.abort();
    let ended = first.await.expect_err("aborted");
    assert!(ended.is_cancelled());
    second.await.expect("a task").expect("a release");
    assert_eq!(fixture.published(), Some(file));
    assert!(FeedLock::take(&fixture.engine.releases.cache().feed_dir(FEED)).is_ok());
}

/// Puts a file where a folder has to be, or the other way round.
fn block(path: &Path, with_folder: bool) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    if with_folder {
        fs::create_dir(path).expect("a folder");
    } else {
        fs::write(path, "in the way").expect("a file");
    }
}

/// Failures that hit the superuser, too.
#[tokio::test]
async fn failures_of_this_machine_are_called_that_and_lose_nothing() {
    for (what, in_the_way, with_folder) in [
        ("the part", ".part/latest.json.gz.part", true),
        ("the journal", ".part/latest.json.gz.json", true),
        ("the folder of the release", "20261121", false),
        ("the manifest", "20261121/feed.json", true),
    ] {
        let (fixture, old) = Fixture::with_release().await;
        let path = fixture
            .engine
            .releases
            .cache()
            .feed_dir(FEED)
            .join(in_the_way);
        block(&path, with_folder);
        let new = records("new", 3);
        let say = || {
            let bytes = answer(
                200,
                "ETag: \"new\"\r\nX-Feed-Generation-Date: 20261121\r\n",
                &new,
            );
            fixture.service.says(bytes);
        };
        say();
        let error = fixture.pull().await.expect_err(what);
        assert_eq!(error.kind, Kind::Machine, "{what}: {error}");
        assert_eq!(fixture.published().as_ref(), Some(&old), "{what}");
        let removed = if with_folder {
            fs::remove_dir(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.expect("removed");
        say();
        fixture.pull().await.expect(what);
        assert_eq!(fixture.published(), Some(new), "{what}");
    }
}

#[tokio::test]
async fn a_cache_that_cannot_be_made_is_named_with_its_place() {
    let fixture = Fixture::wire().await;
    block(&fixture.engine.settings.paths.cache.clone(), false);
    let error = fixture.pull().await.expect_err("no cache");
    assert_eq!(
        (error.kind, fixture.service.heard().len()),
        (Kind::Machine, 0)
    );
    assert!(
        error.message.contains("cache") && error.hint.is_some(),
        "{error}"
    );
}

#[tokio::test]
async fn a_file_that_does_not_fit_is_refused_before_it_comes() {
    let fixture = Fixture::wire().await;
    let huge = "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\nETag: \"a\"\r\nX-Feed-Generation-Date: 20261120\r\n\r\n";
    fixture.service.says_and_holds(huge);
    let error = fixture.pull().await.expect_err("too large");
    assert_eq!(error.kind, Kind::Machine);
    assert!(
        error.message.contains("it needs 8185452.3 TiB more")
            && error.message.contains("; the file system at /")
            && error.message.ends_with(" free"),
        "{error}"
    );
}

#[tokio::test]
async fn progress_only_grows_and_comes_ten_times_a_second_at_most() {
    let fixture = Fixture::demo().await;
    fixture
        .pull()
        .await
        .expect("a release, to learn its length");
    let length = fixture.published().expect("published").len();
    let fixture = Fixture::demo().await;
    fixture.arm(&format!("storage:slow={}", length * 2));
    let told = Arc::new(Mutex::new(Vec::<(Instant, Progress)>::new()));
    let heard = Arc::clone(&told);
    let report = Arc::new(move |now| heard.lock().expect("told").push((Instant::now(), now)));
    let begun = Instant::now();
    fixture
        .engine
        .releases
        .pull(&PullQuery::latest(FEED), report)
        .await
        .expect("a release");
    let tenths = begun.elapsed().as_millis() as usize / 100;
    let told = told.lock().expect("told");
    let stages: Vec<Stage> = told.iter().map(|(_, now)| now.stage).collect();
    for stage in [
        Stage::Asking,
        Stage::Downloading,
        Stage::Verifying,
        Stage::Indexing,
        Stage::Publishing,
    ] {
        assert!(stages.contains(&stage), "{stages:?}");
    }
    let downloading: Vec<_> = told
        .iter()
        .filter(|(_, now)| now.stage == Stage::Downloading)
        .collect();
    assert!(downloading.is_sorted_by_key(|(_, now)| now.done));
    assert_eq!(
        downloading.last().map(|(_, now)| now.done),
        Some(length as u64)
    );
    assert!(
        downloading.len() <= tenths + 3,
        "{} in {tenths} tenths",
        downloading.len()
    );
    let totals: Vec<_> = downloading.iter().map(|(_, now)| now.total).collect();
    assert!(
        totals.iter().all(|total| *total == Some(length as u64)),
        "{totals:?}"
    );
}

#[tokio::test]
async fn both_forms_of_a_day_lie_side_by_side() {
    let fixture = Fixture::demo().await;
    fixture.pull().await.expect("the feed");
    let query = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(FEED)
    };
    let pulled = fixture
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("the database");
    let files = names(pulled.release.data.parent().expect("a folder"));
    assert_eq!(files.len(), 5, "{files:?}");
    assert!(fixture.published().is_some());
}
