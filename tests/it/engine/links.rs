//! Links in the cache: nothing is written or removed through one.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use ipspect::engine::Kind;

use super::{
    feed::{FEED, names, of_day, records, whole},
    fixture::Fixture,
    wire::Wire,
};

/// A folder outside, with names that this program uses.
fn precious(fixture: &Fixture<Wire>) -> PathBuf {
    let dir = fixture.path("precious");
    fs::create_dir(&dir).expect("directory");
    for name in [
        "feed-0123456789ab.json.gz",
        "feed-0.idx",
        "feed.json",
        "latest.json.gz.part",
        ".ipspect-feed.json",
    ] {
        fs::write(dir.join(name), "precious").expect("write");
    }
    dir
}

fn is_untouched(dir: &Path) -> bool {
    let whole = |name: &String| fs::read(dir.join(name)).expect("file") == b"precious";
    let names = names(dir);
    names.len() == 5 && names.iter().all(whole)
}

#[tokio::test]
async fn a_day_that_is_a_link_is_passed_over_and_only_the_link_is_removed() {
    let (fixture, _) = Fixture::with_release().await;
    let outside = precious(&fixture);
    let feed = fixture.engine.releases.cache().feed_dir(FEED);
    symlink(&outside, feed.join("20261118")).expect("link");
    fixture.service.says(whole("b", &records("b", 2)));
    fixture.pull().await.expect("another day");
    assert!(is_untouched(&outside));
    // A release is not published through it.
    symlink(&outside, feed.join("20261121")).expect("link");
    fixture.service.says(of_day("20261121", &records("c", 2)));
    let error = fixture.pull().await.expect_err("a link");
    assert_eq!(error.kind, Kind::Machine, "{error}");
    assert!(error.to_string().contains("link"), "{error}");
    assert!(is_untouched(&outside));
    let pick = ipspect::engine::Pick::default();
    let error = fixture.says_of("198.51.100.1/32", &pick).await;
    assert_eq!(
        error.expect_err("the newest is a link").kind,
        Kind::Integrity
    );
    let verified = fixture
        .engine
        .releases
        .verify(FEED, None, ipspect::engine::progress::unheard())
        .await;
    assert!(verified.expect("there").iter().all(Result::is_err));
    fixture
        .engine
        .releases
        .remove(FEED, None, false)
        .await
        .expect("removed");
    assert!(is_untouched(&outside));
    assert_eq!(names(&feed), [".lock", ".part"]);
}

#[tokio::test]
async fn folders_that_are_links_are_refused() {
    for name in ["", ".part"] {
        let (fixture, _) = Fixture::with_release().await;
        let outside = precious(&fixture);
        let folder = fixture.engine.releases.cache().feed_dir(FEED).join(name);
        fs::remove_dir_all(&folder).expect("removed");
        symlink(&outside, folder.components().collect::<PathBuf>()).expect("link");
        fixture.service.says(whole("b", &records("b", 2)));
        let error = fixture.pull().await.expect_err(name);
        assert_eq!(error.kind, Kind::Machine, "{error}");
        let removed = fixture.engine.releases.remove(FEED, None, false).await;
        assert_eq!(removed.is_err(), name.is_empty(), "{removed:?}");
        assert!(is_untouched(&outside), "{name:?}: {:?}", names(&outside));
    }
}

#[tokio::test]
async fn files_that_are_links_are_replaced_or_refused_and_never_written_through() {
    for (name, works) in [
        (".part/latest.json.gz.part", true),
        (".part/latest.json.gz.json", false),
        (".part/latest.json.gz.idx", true),
        ("20261120/feed.json", true),
        ("20261120/.ipspect-feed.json", true),
    ] {
        let (fixture, _) = Fixture::with_release().await;
        let outside = precious(&fixture);
        let path = fixture.engine.releases.cache().feed_dir(FEED).join(name);
        if path.exists() {
            fs::remove_file(&path).expect("removed");
        }
        symlink(outside.join("feed.json"), &path).expect("link");
        let file = records("b", 2);
        fixture.service.says(whole("b", &file));
        let pulled = fixture.pull().await;
        assert!(is_untouched(&outside), "{name}");
        if works {
            pulled.expect(name);
            assert_eq!(fixture.published(), Some(file), "{name}");
        } else {
            assert_eq!(pulled.expect_err(name).kind, Kind::Machine, "{name}");
        }
        fixture
            .engine
            .releases
            .remove(FEED, None, false)
            .await
            .expect("removed");
        assert!(is_untouched(&outside), "{name}");
    }
}

#[tokio::test]
async fn the_cache_itself_may_be_a_link() {
    let mut fixture = Fixture::wire().await;
    let real = fixture.path("real");
    fs::create_dir(&real).expect("directory");
    let way = fixture.path("way");
    symlink(&real, &way).expect("link");
    fixture.restart_with(|settings| settings.paths.cache = way);
    let file = records("a", 2);
    fixture.service.says(whole("a", &file));
    fixture.pull().await.expect("a release");
    assert_eq!(fixture.published(), Some(file));
    assert!(real.join("feeds").is_dir());
}
