//! Runs that are ended from outside, in the middle of things: what was finished stays, and the next run goes on.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use ipspect::demo::{DemoRole, FaultSite};

use crate::{
    fake::{Fake, answer},
    service::{Home, Ran, Service, files_below, signal, until},
};

/// Slow enough that no run ends by itself, fast enough that something comes.
const SLOW: &str = "storage:slow=2000";

fn part(home: &Home) -> u64 {
    fs::metadata(home.path("cache/feeds/anonymous/.part/latest.json.gz.part"))
        .map_or(0, |metadata| metadata.len())
}

#[test]
fn a_killed_download_goes_on_where_it_was() {
    let service = Service::with(&[SLOW]);
    let home = service.home(DemoRole::Full);
    let mut child = home.start("feeds pull anonymous");
    until("a part", || part(&home) > 100);
    child.kill().expect("kill");
    child.wait().expect("wait");
    let kept = part(&home);
    assert!(kept > 0);
    home.run("feeds info anonymous --offline")
        .ends(0)
        .shows("no local release");

    service.demo.faults().clear();
    let pulled = home
        .run("feeds pull anonymous --format json")
        .ends(0)
        .line();
    assert_eq!(pulled["resumed_from"], kept);
    let ranges: Vec<String> = service
        .seen(FaultSite::Storage)
        .iter()
        .filter_map(|seen| seen.header("range").map(str::to_owned))
        .collect();
    assert_eq!(ranges, [format!("bytes={kept}-")]);
    assert!(
        service
            .seen(FaultSite::Storage)
            .iter()
            .all(|seen| seen.header("token").is_none() && seen.header("referer").is_none())
    );

    let other = service.home(DemoRole::Full);
    let whole = other
        .run("feeds pull anonymous --format json")
        .ends(0)
        .line();
    assert_eq!(
        (&pulled["sha256"], &pulled["bytes"]),
        (&whole["sha256"], &whole["bytes"])
    );
    let read =
        |line: &serde_json::Value| fs::read(line["file"].as_str().expect("path")).expect("file");
    assert_eq!(read(&pulled), read(&whole));
    assert_eq!(part(&home), 0);
}

/// Whether a file of which the name has this in it is below a folder.
fn is_there(folder: &Path, name: &str) -> bool {
    let files = files_below(folder);
    let mut names = files.iter().map(|path| path.to_string_lossy());
    names.any(|path| path.contains(name))
}

/// Killed at each step that shows on the disk: the old release or the new one is there, whole, and the next run gets through.
#[test]
fn a_run_that_is_killed_leaves_the_old_release_or_the_new_one() {
    type Reached = fn(&Path) -> bool;
    let steps: [(&str, Reached); 6] = [
        ("asked", |_| true),
        ("a part", |feed| is_there(feed, ".json.gz.part")),
        ("an index", |feed| is_there(feed, ".json.gz.idx")),
        ("no part", |feed| {
            is_there(feed, "json.gz.json") && !is_there(feed, ".json.gz.part")
        }),
        ("two indexes", |feed| {
            let indexes = files_below(&feed.join("20261119"));
            let is_index = |path: &&PathBuf| path.extension().is_some_and(|end| end == "idx");
            indexes.iter().filter(is_index).count() > 1
        }),
        ("no journal", |feed| !is_there(feed, "json.gz.json")),
    ];
    let asked = AtomicUsize::new(0);
    // Each answer is another release of the same day.
    let fake = Fake::answering(move |target| {
        if !target.ends_with("latest.json.gz") {
            return answer(404, "", b"");
        }
        let number = asked.fetch_add(1, Ordering::Relaxed);
        let line = |host: usize| {
            let (third, fourth) = (host / 250, host % 250);
            format!("{{\"ip\":\"198.18.{third}.{fourth}\",\"organization\":\"{number}\"}}\n")
        };
        let lines: String = (0..20_000).map(line).collect();
        let tag = format!("etag: \"{number}\"\r\nx-feed-generation-date: 20261119\r\n");
        answer(200, &tag, &crate::cli_records::gzip(lines.as_bytes()))
    });
    let home = fake.home();
    let feed = home.path("cache/feeds/anonymous");
    home.run("feeds pull anonymous").ends(0);
    for (what, is_reached) in steps {
        let mut child = home.start("feeds pull anonymous");
        until(what, || {
            is_reached(&feed) || child.try_wait().expect("a child").is_some()
        });
        child.kill().expect("kill");
        child.wait().expect("wait");
        let sound = home
            .run("feeds verify anonymous --format json")
            .ends(0)
            .line();
        assert_eq!(
            (&sound["records"], &sound["index"]),
            (&20_000.into(), &true.into()),
            "{what}"
        );
        home.run("feeds pull anonymous").ends(0);
        home.run("feeds verify anonymous").ends(0);
        let left = files_below(&feed);
        assert_eq!(left.len(), 4, "{what}: {left:?}");
    }
}

#[test]
fn a_signal_keeps_the_part_and_says_how_to_go_on() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let service = Service::with(&[SLOW]);
        let home = service.home(DemoRole::Full);
        let child = home.start("feeds pull anonymous");
        until("a part", || part(&home) > 100);
        signal(&child, name);
        let ran = Ran::of(child.wait_with_output().expect("wait"));
        assert_eq!(ran.ends(code).says("run it again").out, "", "{name}");
        assert!(part(&home) > 0, "{name}");
        service.demo.faults().clear();
        let pulled = home
            .run("feeds pull anonymous --format json")
            .ends(0)
            .line();
        assert!(
            pulled["resumed_from"].as_u64().is_some_and(|from| from > 0),
            "{name}"
        );
    }
}

#[test]
fn a_second_download_of_a_feed_is_locked_out_or_waits() {
    let service = Service::with(&[SLOW]);
    let home = service.home(DemoRole::Full);
    let first = home.start("feeds pull anonymous");
    until("a part", || part(&home) > 0);
    let second = home.run("feeds pull anonymous");
    second
        .ends(9)
        .says(&format!("process {}", first.id()))
        .says("--wait");
    home.run("feeds pull dch").ends(0);
    service.demo.faults().clear();
    let waiting = home.start("feeds pull anonymous --wait --format json");
    signal(&first, "INT");
    Ran::of(first.wait_with_output().expect("wait")).ends(130);
    Ran::of(waiting.wait_with_output().expect("wait"))
        .ends(0)
        .shows("\"records\":");
}

#[test]
fn an_interrupted_export_leaves_nothing() {
    let service = Service::with(&["exports:hang"]);
    let home = service.home(DemoRole::Full);
    let child = home.start("export anonymous -o out.csv");
    until("a request", || {
        !service.asked(FaultSite::Exports).is_empty()
    });
    signal(&child, "INT");
    Ran::of(child.wait_with_output().expect("wait"))
        .ends(130)
        .says("run it again");
    let left: Vec<_> = files_below(home.root.path())
        .into_iter()
        .filter(|path| {
            path.to_string_lossy().contains("out.csv") || path.to_string_lossy().contains(".part")
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The first is answered, the second hangs: the first is printed, the rest is named, and the ledger knows what may be lost.
#[test]
fn an_interrupted_lookup_keeps_what_was_answered() {
    let fake = Fake::answering(|target| match target {
        "/v2/context/198.51.100.77" => answer(200, "", b"{\"ip\":\"198.51.100.77\"}"),
        _ => Vec::new(),
    });
    let home = fake.home();
    let out = home.path("out");
    let child = home
        .command("lookup 198.51.100.77 198.18.0.1 198.18.0.2 --format json")
        .stdout(fs::File::create(&out).expect("file"))
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("start");
    until("the first answer", || home.read("out").ends_with('\n'));
    until("the others", || fake.asked().len() == 3);
    signal(&child, "INT");
    let ran = Ran::of(child.wait_with_output().expect("wait"));
    ran.ends(130)
        .says("1 of 3 answered")
        .says("ipspect lookup 198.18.0.1 198.18.0.2");
    assert_eq!(home.read("out").lines().count(), 1);
    assert_eq!(home.spent(), (1, 2));
}

#[test]
fn the_embedded_service_alone_says_where_it_is_until_it_is_ended() {
    let home = Home::empty();
    let out = home.path("out");
    let child = home
        .command("serve --fault context:500x1")
        .stdout(fs::File::create(&out).expect("file"))
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("start");
    until("its line", || home.read("out").ends_with('\n'));
    let line: serde_json::Value = serde_json::from_str(&home.read("out")).expect("one object");
    let url = |key: &str| line[key].as_str().expect("url").to_owned();
    assert_eq!(line["token"], DemoRole::Full.token());
    assert_eq!(
        line["tokens"].as_object().map(serde_json::Map::len),
        Some(DemoRole::ALL.len())
    );
    let other = Home::empty().with_token(DemoRole::Full.token());
    let mut client = other.command("status --format json");
    client
        .env("IPSPECT_BASE_URL", url("base_url"))
        .env("IPSPECT_FEEDS_URL", url("feeds_url"))
        .env("IPSPECT_EXPORTS_URL", url("exports_url"));
    Ran::of(client.output().expect("run"))
        .ends(0)
        .shows("queriesRemaining");
    signal(&child, "TERM");
    assert_eq!(
        child.wait_with_output().expect("wait").status.code(),
        Some(143)
    );
    home.run("serve --fault nonsense")
        .ends(2)
        .says("PLACE:KIND");
}
