//! Links in the cache: nothing is written or removed through one.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use ipspect::engine::Kind;

use super::{
    feed::{FEED, names, of_day, records, whole},
    fixture::Stand,
    wire::Wire,
};

/// A folder outside, with names that this program uses.
fn precious(stand: &Stand<Wire>) -> PathBuf {
    let dir = stand.path("precious");
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
    let (stand, _) = Stand::with_release().await;
    let outside = precious(&stand);
    let feed = stand.engine.releases.cache().feed_dir(FEED);
    symlink(&outside, feed.join("20261118")).expect("link");
    stand.service.says(whole("b", &records("b", 2)));
    stand.pull().await.expect("another day");
    assert!(is_untouched(&outside));
    // A release is not published through it.
    symlink(&outside, feed.join("20261121")).expect("link");
    stand.service.says(of_day("20261121", &records("c", 2)));
    let error = stand.pull().await.expect_err("a link");
    assert_eq!(error.kind, Kind::Machine, "{error}");
    assert!(error.to_string().contains("link"), "{error}");
    assert!(is_untouched(&outside));
    let pick = ipspect::engine::Pick::default();
    let error = stand.says_of("198.51.100.1/32", &pick).await;
    assert_eq!(
        error.expect_err("the newest is a link").kind,
        Kind::Integrity
    );
    let verified = stand
        .engine
        .releases
        .verify(FEED, None, ipspect::engine::progress::unheard())
        .await;
    assert!(verified.expect("there").iter().all(Result::is_err));
    stand
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
        let (stand, _) = Stand::with_release().await;
        let outside = precious(&stand);
        let folder = stand.engine.releases.cache().feed_dir(FEED).join(name);
        fs::remove_dir_all(&folder).expect("removed");
        symlink(&outside, folder.components().collect::<PathBuf>()).expect("link");
        stand.service.says(whole("b", &records("b", 2)));
        let error = stand.pull().await.expect_err(name);
        assert_eq!(error.kind, Kind::Machine, "{error}");
        let removed = stand.engine.releases.remove(FEED, None, false).await;
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
        let (stand, _) = Stand::with_release().await;
        let outside = precious(&stand);
        let path = stand.engine.releases.cache().feed_dir(FEED).join(name);
        if path.exists() {
            fs::remove_file(&path).expect("removed");
        }
        symlink(outside.join("feed.json"), &path).expect("link");
        let file = records("b", 2);
        stand.service.says(whole("b", &file));
        let pulled = stand.pull().await;
        assert!(is_untouched(&outside), "{name}");
        if works {
            pulled.expect(name);
            assert_eq!(stand.published(), Some(file), "{name}");
        } else {
            assert_eq!(pulled.expect_err(name).kind, Kind::Machine, "{name}");
        }
        stand
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
    let mut stand = Stand::wire().await;
    let real = stand.path("real");
    fs::create_dir(&real).expect("directory");
    let way = stand.path("way");
    symlink(&real, &way).expect("link");
    stand.restart_with(|settings| settings.paths.cache = way);
    let file = records("a", 2);
    stand.service.says(whole("a", &file));
    stand.pull().await.expect("a release");
    assert_eq!(stand.published(), Some(file));
    assert!(real.join("feeds").is_dir());
}
