//! `feeds`: what there is, and how it gets here whole or not at all.

use std::fs;

use ipspect::{
    demo::{DemoRole, FaultSite},
    model::Day,
    store::FeedLock,
};
use jiff::Timestamp;
use serde_json::Value;

use crate::{
    home::Here,
    pty::Terminal,
    service::{Home, Service, files_below},
};

/// The release of a feed that is here, as `feeds info` tells it.
fn local(home: &Home, feed: &str) -> Vec<Value> {
    let info = home
        .run(&format!("feeds info {feed} --offline --format json"))
        .ends(0)
        .line();
    info["local"].as_array().expect("list").clone()
}

#[test]
fn every_feed_has_a_row_and_one_that_fails_does_not_spoil_the_others() {
    let service = Service::start();
    let home = service.home(DemoRole::NoRealtime);
    let ran = home.run("feeds");
    ran.ends(0)
        .shows("anonymous-residential-ipv6 (beta)")
        .shows("credentials (403)")
        .shows("current");
    assert_eq!(ran.out.lines().count(), 10);
    let lines = home.run("feeds --format json").ends(0).lines();
    let names: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["feed"].as_str())
        .collect();
    assert_eq!(names.len(), 9);
    let by = |name: &str| {
        lines
            .iter()
            .find(|line| line["feed"] == name)
            .expect("row")
            .clone()
    };
    assert!(by("anonymous")["metadata"]["json"]["location"].is_string());
    assert_eq!(
        (
            &by("anonymous")["base"],
            &by("anonymous")["offers"]["readme"]
        ),
        (&"/v2/anonymous".into(), &"stated".into())
    );
    assert_eq!(
        (&by("realtime")["query"], &by("realtime")["error"]["status"]),
        (&"realtime".into(), &403.into())
    );
    let csv = home.run("feeds --format csv");
    csv.ends(0).shows("feed,records,maturity");
    // One form of day, as everywhere in machine output.
    let day = Day::of(jiff::Timestamp::now()).to_string();
    assert!(
        csv.out.contains(&day[..6]) && !csv.out.contains(&format!("{}-", &day[..4])),
        "{}",
        csv.out
    );
    assert!(by("anonymous")["age_s"].is_null(), "nothing is local");
    home.run("feeds --format md")
        .ends(0)
        .shows("### Feeds\n\nNo feed is local.\n\n| FEED | KIND |");
}

#[test]
fn a_feed_is_told_with_its_metadata_as_sent() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let line = home
        .run("feeds info anonymous --format json")
        .ends(0)
        .line();
    assert!(
        line["metadata"]["json"]["filesize"].is_u64()
            && line["metadata"]["mmdb"]["date"].is_string()
    );
    assert_eq!(
        (&line["fresh"], line["local"].as_array().map(Vec::len)),
        (&"current".into(), Some(0))
    );
    home.run("feeds info ipgeo").ends(0).shows("mmdb location");
    service.arm("feeds:404x1");
    home.run("feeds info ipgeo").ends(0).shows("not offered");
    home.run("feeds info anonymous")
        .ends(0)
        .shows("ipspect feeds pull anonymous");
    home.run("feeds info anonymus")
        .ends(2)
        .says("did you mean anonymous?");
}

#[test]
fn days_and_files_are_listed() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let runs = home
        .run("feeds runs anonymous --format json")
        .ends(0)
        .lines();
    let today = Day::of(jiff::Timestamp::now());
    let day: Day = runs[0]["name"]
        .as_str()
        .expect("name")
        .parse()
        .expect("day");
    assert!(
        runs.len() > 3 && today.days_since(day).abs() < 30,
        "{runs:?}"
    );
    home.run(&format!("feeds files anonymous --date {}", day.dashed()))
        .ends(0)
        .shows("feed.json.gz");
    home.run(&format!("feeds files realtime --date {}", today.plus(-1)))
        .ends(0)
        .shows("0000");
    home.run("feeds files anonymous --date 19990101").ends(10);
    home.run("feeds runs realtime").ends(2);
    service
        .home(DemoRole::NoHistory)
        .run("feeds runs anonymous")
        .ends(3)
        .says("historical access");
}

#[test]
fn a_readme_is_saved_whole_and_replaces_nothing_unasked() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds readme anonymous -o README.pdf")
        .ends(0)
        .shows("README.pdf");
    assert!(
        fs::read(home.path("README.pdf"))
            .expect("file")
            .starts_with(b"%PDF-")
    );
    let asked = service.asked(FaultSite::Feeds).len();
    home.run("feeds readme anonymous -o README.pdf")
        .ends(2)
        .says("--force");
    assert_eq!(service.asked(FaultSite::Feeds).len(), asked);
    home.run("feeds readme anonymous -o README.pdf --force --format json")
        .ends(0)
        .shows("\"bytes\":");
    home.run("feeds readme realtime -o x.pdf")
        .ends(2)
        .says("has no README");
    service.arm("feeds:html");
    home.run("feeds readme anonymous -o other.pdf").ends(6);
    assert!(!home.path("other.pdf").exists());
}

#[test]
fn a_release_is_published_whole_and_known_again() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let pulled = home
        .run("feeds pull anonymous --format json")
        .ends(0)
        .line();
    assert_eq!(
        (
            &pulled["was_here"],
            &pulled["resumed_from"],
            &pulled["day_source"]
        ),
        (&false.into(), &0.into(), &"header".into())
    );
    let data = fs::read(pulled["file"].as_str().expect("path")).expect("file");
    assert_eq!(pulled["bytes"], data.len());
    assert!(
        pulled["records"]
            .as_u64()
            .is_some_and(|records| records > 10)
    );
    let releases = local(&home, "anonymous");
    assert_eq!((releases.len(), &releases[0]["day"]), (1, &pulled["day"]));
    // Its age counts from when it was generated, which the metadata of the feed has.
    let day = pulled["day"].as_str().expect("a day");
    let manifests = files_below(&home.path("cache"));
    let manifest = manifests.iter().find(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name == Some("feed.json") && path.to_string_lossy().contains(day)
    });
    let manifest = fs::read(manifest.expect("a manifest")).expect("a manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    let metadata = home
        .run("feeds info anonymous --format json")
        .ends(0)
        .line();
    let generated = &metadata["metadata"]["json"]["generated_at"];
    assert!(generated.is_string(), "{metadata}");
    assert_eq!(manifest["generated_at"], *generated);
    let again = home.run("feeds pull anonymous").ends(0).out.clone();
    assert!(again.contains("unchanged"), "{again}");
    home.run("feeds pull anonymous --format csv")
        .ends(0)
        .shows("feed,release,form");
    home.run("feeds pull anonymous --format md")
        .ends(0)
        .shows("### Feed anonymous");
    assert!(
        files_below(&home.path("cache"))
            .iter()
            .all(|path| !path.to_string_lossy().contains(".part/"))
    );
}

#[test]
fn a_day_may_be_words_and_never_lies_in_the_future() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let today = Day::of(jiff::Timestamp::now());
    for (words, day) in [
        ("--date -3d", today.plus(-3)),
        ("--date=-2d", today.plus(-2)),
    ] {
        let pulled = home.run(&format!("feeds pull dch {words} --format json"));
        assert_eq!(pulled.ends(0).line()["day"], day.to_string(), "{words}");
    }
    home.run("feeds files dch --date yesterday").ends(0);
    let sent = service.asked(FaultSite::Feeds);
    for line in [
        "feeds pull dch --date 2999-01-01",
        "feeds files dch --date 2999-01-01",
        "export anonymous --diff --diff-date 2999-01-01 -o -",
        "lookup 198.51.100.77 --date 2999-01-01",
    ] {
        home.run(line).ends(2).says("in the future");
    }
    assert_eq!(service.asked(FaultSite::Feeds), sent, "nothing is sent");
    for day in ["-3d", "-2", "latest"] {
        home.run(&format!("search dch --day {day} --count")).ends(0);
    }
    home.run("search dch --day yesterday --count").ends(10);
    home.run("diff dch --from latest --to -3d --count").ends(0);
    home.run("feeds rm dch --day latest").ends(0);
    home.run("feeds verify dch").ends(0);
    home.run(&format!("search dch --day {} --count", today.plus(-2)))
        .ends(10);
}

#[test]
fn days_windows_and_databases_can_be_asked_for() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let day = Day::of(jiff::Timestamp::now()).plus(-3);
    let pulled = home
        .run(&format!(
            "feeds pull anonymous --date {} --format json",
            day.dashed()
        ))
        .ends(0)
        .line();
    assert_eq!(
        (&pulled["day"], &pulled["day_source"]),
        (&day.to_string().into(), &"asked".into())
    );
    assert_eq!(
        service.asked(FaultSite::Feeds),
        [format!("/v2/anonymous/{day}/feed.json.gz")]
    );
    let window = home
        .run(&format!(
            "feeds pull realtime --date {day} --at 0005 --format json"
        ))
        .ends(0)
        .line();
    assert_eq!(
        (&window["window"], &window["day"]),
        (&"0005".into(), &day.to_string().into())
    );
    let mmdb = home
        .run("feeds pull anonymous --mmdb --format json")
        .ends(0)
        .line();
    assert_eq!(
        (&mmdb["form"], &mmdb["records"]),
        (&"mmdb".into(), &Value::Null)
    );
    maxminddb::Reader::open_readfile(mmdb["file"].as_str().expect("path")).expect("database");
    home.run("feeds pull anonymous --date 19990101").ends(10);
    home.run("feeds pull service-metrics --mmdb").ends(2);
    home.run("feeds pull realtime --date yesterday")
        .ends(2)
        .says("--at HHMM");
    service
        .home(DemoRole::NoHistory)
        .run(&format!("feeds pull anonymous --date {day}"))
        .ends(3)
        .says("historical access");
}

#[test]
fn a_release_is_checked_indexed_anew_and_removed() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let pulled = home
        .run("feeds pull anonymous --format json")
        .ends(0)
        .line();
    let text = |line: &Value, key: &str| line[key].as_str().expect("text").to_owned();
    let (file, index) = (text(&pulled, "file"), text(&pulled, "index"));
    let length = fs::metadata(&index).expect("index").len();
    assert_eq!(pulled["index_bytes"], length);
    let here = &local(&home, "anonymous")[0];
    assert_eq!(
        (&here["index_bytes"], &here["file_kept"]),
        (&length.into(), &true.into())
    );
    for (format, shows) in [
        ("json", "\"file\":true,\"index\":true"),
        ("csv", "feed,release,form,records"),
        ("md", "The local release of anonymous of "),
        ("text", "matches the file"),
    ] {
        home.run(&format!("feeds verify anonymous --format {format}"))
            .ends(0)
            .shows(shows);
    }
    fs::write(&index, "spoilt").expect("spoilt");
    home.run("feeds verify anonymous")
        .ends(7)
        .says("feeds reindex anonymous");
    home.run("feeds verify anonymous --format md")
        .ends(7)
        .shows("The local release of anonymous is damaged.\n\n- **damaged:** ");
    let failure = home
        .run("feeds verify anonymous --format json")
        .ends(7)
        .line();
    assert_eq!(failure["error"]["kind"], "integrity");
    let lock = FeedLock::take(&home.path("cache/feeds/anonymous")).expect("lock");
    for command in ["reindex", "rm"] {
        home.run(&format!("feeds {command} anonymous")).ends(9);
    }
    drop(lock);
    let again = home
        .run("feeds reindex anonymous --format json")
        .ends(0)
        .line();
    assert_eq!(again["records"], pulled["records"]);
    home.run("feeds verify anonymous").ends(0);
    for (format, shows) in [
        ("csv", "feed,release,records"),
        ("md", "### Feed anonymous"),
        ("text", "records"),
    ] {
        home.run(&format!("feeds reindex anonymous --format {format}"))
            .ends(0)
            .shows(shows);
    }
    // One byte of what gzip does not check.
    let mut bytes = fs::read(&file).expect("file");
    bytes[4] ^= 1;
    fs::write(&file, bytes).expect("changed");
    for command in ["verify", "reindex"] {
        home.run(&format!("feeds {command} anonymous"))
            .ends(7)
            .says("feeds rm anonymous --day");
    }
    let removed = home.run("feeds rm anonymous --format json").ends(0).line();
    assert_eq!(
        (&removed["day"], &removed["form"]),
        (&pulled["day"], &"json".into())
    );
    assert_eq!(local(&home, "anonymous"), [Value::Null; 0]);
    for command in ["verify", "reindex", "rm"] {
        home.run(&format!("feeds {command} anonymous")).ends(10);
    }
    // The latest release is named: where there is none, partial downloads stay.
    let part = home.path("cache/feeds/anonymous/.part/latest.json.gz.part");
    fs::write(&part, "x").expect("part");
    home.run("feeds rm anonymous --day latest")
        .ends(10)
        .says("anonymous has no local release");
    assert!(part.exists());
}

#[test]
fn of_several_days_one_is_named_or_all_are() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for words in ["dch", "dch --all", "dch --day latest", "dch --day -3d"] {
        home.run(&format!("feeds rm {words}"))
            .ends(10)
            .says("dch has no local release");
    }
    let today = Day::of(jiff::Timestamp::now());
    let days = [3, 4, 5].map(|ago| today.plus(-ago));
    for day in days {
        home.run(&format!("feeds pull dch --date {day}")).ends(0);
    }
    home.run("feeds rm dch")
        .ends(2)
        .says("3 releases of dch are local")
        .says("--all");
    home.run(&format!("feeds rm dch --day {} --all", days[0]))
        .ends(2);
    home.run(&format!("feeds verify dch --day {}", days[1].dashed()))
        .ends(0)
        .shows(&days[1].dashed());
    home.run(&format!("feeds rm dch --day {}", days[1].dashed()))
        .ends(0)
        .shows(&format!("removed dch {} (json)", days[1].dashed()));
    home.run(&format!("feeds verify dch --day {}", days[1]))
        .ends(10);
    let removed = home.run("feeds rm dch --all --format csv");
    removed.ends(0);
    assert_eq!(removed.out.lines().count(), 3);
    assert_eq!(local(&home, "dch"), [Value::Null; 0]);
}

#[test]
fn what_the_keep_rule_removes_is_told() {
    let fake = crate::fake::Fake::answering({
        let asked = std::sync::atomic::AtomicUsize::new(0);
        move |target| {
            if !target.ends_with("latest.json.gz") {
                return crate::fake::answer(404, "", b"");
            }
            let day = 18 + asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let body =
                crate::cli_records::gzip(format!("{{\"ip\":\"198.18.0.{day}\"}}\n").as_bytes());
            crate::fake::answer(
                200,
                &format!("x-feed-generation-date: 202611{day}\r\n"),
                &body,
            )
        }
    });
    let home = fake.home();
    let config = home.read("config/config.toml");
    home.configure(&format!(
        "{config}[cache]\nkeep_releases = 1\nkeep_feed_files = false\n"
    ));
    home.run("feeds pull dch")
        .ends(0)
        .shows("not kept, as configured");
    let ran = home.run("feeds pull dch --format json");
    let pulled = ran.ends(0).says("removed dch 2026-11-18 (json)").line();
    assert_eq!(
        (&pulled["file"], &pulled["removed"][0]),
        (&Value::Null, &"dch 20261118 json".into())
    );
    assert_eq!(local(&home, "dch").len(), 1);
    home.run("feeds verify dch")
        .ends(0)
        .shows("cannot be rebuilt");
    home.run("feeds reindex dch").ends(7).says("was not kept");
}

/// Each fault with its code; whatever happens, the release that is here answers as before.
#[test]
fn a_download_that_fails_leaves_the_last_release_alone() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let day = Day::of(jiff::Timestamp::now()).plus(-4);
    home.run(&format!("feeds pull anonymous --date {day}"))
        .ends(0);
    let before = (local(&home, "anonymous"), files_below(&home.path("cache")));
    for (fault, code, says) in [
        ("storage:corrupt", 7, "corrupt"),
        ("storage:short", 7, "corrupt"),
        ("storage:html", 6, "a web page"),
        ("feeds:html", 6, "a web page"),
        ("feeds:500", 6, "(500)"),
        ("feeds:reset", 5, "after 5 attempts"),
        ("storage:reset", 5, "after 5 attempts"),
        ("storage:expired", 6, "after 5 attempts"),
        ("feeds:loop", 6, "redirect"),
        ("feeds:redirect=ftp://files.example/x", 6, "redirect"),
        ("feeds:404", 10, "404"),
        ("storage:truncate", 5, "kept"),
    ] {
        service.demo.faults().clear();
        service.arm(fault);
        let ran = home.run("feeds pull anonymous");
        assert!(
            ran.ends(code).says(says).err.lines().count() <= 5,
            "{fault}: {ran:?}"
        );
        assert_eq!(ran.out, "", "{fault}");
        assert_eq!(local(&home, "anonymous"), before.0, "{fault}");
    }
    service.demo.faults().clear();
    home.run("feeds pull anonymous").ends(0);
    assert_eq!(local(&home, "anonymous").len(), 2);
    assert!(
        before
            .1
            .iter()
            .filter(|path| path.ends_with("feed.json"))
            .all(|path| path.exists())
    );
}

#[test]
fn faults_that_pass_are_got_over() {
    let served = Service::start();
    let whole = served
        .home(DemoRole::Full)
        .run("feeds pull anonymous --format json")
        .ends(0)
        .line();
    for fault in [
        "feeds:500x2",
        "storage:resetx3",
        "storage:cut=2000x3",
        "storage:expiredx1",
        "storage:norange",
        "feeds:refusedx1",
    ] {
        let service = Service::with(&[fault]);
        let pulled = service
            .home(DemoRole::Full)
            .run("feeds pull anonymous --format json")
            .ends(0)
            .line();
        assert_eq!(pulled["sha256"], whole["sha256"], "{fault}");
    }
}

#[test]
fn a_release_far_smaller_than_the_last_is_not_believed() {
    let fake_feed = |records: usize| {
        let lines: Vec<String> = (0..records)
            .map(|host| format!("{{\"ip\":\"198.18.0.{host}\"}}\n"))
            .collect();
        crate::cli_records::gzip(lines.concat().as_bytes())
    };
    let (large, small) = (fake_feed(40), fake_feed(19));
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let fake = crate::fake::Fake::answering(move |target| {
        if !target.ends_with("latest.json.gz") {
            return crate::fake::answer(404, "", b"");
        }
        let first = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0;
        let (day, body) = if first {
            ("20261118", &large)
        } else {
            ("20261119", &small)
        };
        crate::fake::answer(200, &format!("x-feed-generation-date: {day}\r\n"), body)
    });
    let home = fake.home();
    home.run("feeds pull anonymous").ends(0);
    home.run("feeds pull anonymous")
        .ends(7)
        .says("19 records")
        .says("--allow-shrink");
    assert_eq!(local(&home, "anonymous").len(), 1);
    home.run("feeds pull anonymous --allow-shrink").ends(0);
    assert_eq!(local(&home, "anonymous").len(), 2);
}

#[test]
fn odd_lines_are_counted_and_named() {
    let body = b"\xef\xbb\xbf{\"ip\":\"198.18.0.1\"}\r\n\nnot json\n[1]\n{\"ip\":\"198.18.0.2\"}";
    let fake = crate::fake::Fake::json(
        "x-feed-generation-date: 20261119\r\n",
        crate::cli_records::gzip(body),
    );
    let ran = fake.home().run("feeds pull anonymous --format json");
    let pulled = ran.ends(0).line();
    assert_eq!(
        (&pulled["records"], &pulled["rejected"]),
        (&2.into(), &2.into())
    );
    ran.says("lines that are not records: 2")
        .says("line 3:")
        .says("line 4:");
}

#[test]
fn a_bar_shows_how_far_it_is_on_a_terminal_only() {
    let service = Service::with(&["storage:slow=2000"]);
    let home = service.home(DemoRole::Full);
    let token = [("IPSPECT_TOKEN", DemoRole::Full.token())];
    let program = env!("CARGO_BIN_EXE_ipspect");
    let start = |line: &[&str]| Terminal::start((100, 20), program, line, home.root.path(), &token);
    let mut terminal = start(&["feeds", "pull", "anonymous"]);
    terminal.wait_for("downloading");
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 130);
    assert!(
        terminal.screen().contains("run it again to resume"),
        "{}",
        terminal.screen()
    );
    service.demo.faults().clear();
    let mut terminal = start(&["feeds", "pull", "anonymous", "-q"]);
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(terminal.screen().trim(), "");
}

#[test]
fn tickets_begin_with_a_sentence_and_write_days_as_people_do() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds runs dch --format md")
        .ends(0)
        .shows("### Listing of dch\n\nThe service lists ")
        .shows(" days of dch.\n\n| NAME |");
    home.run("feeds files dch --date yesterday --format md")
        .ends(0)
        .shows("The service lists 2 files of dch for ")
        .shows("| feed.json.gz |");
    let [before, last] = [3, 2].map(|ago| Day::of(Timestamp::now()).plus(-ago).dashed());
    for day in [&before, &last] {
        home.run(&format!("feeds pull dch --date {day}")).ends(0);
    }
    home.run("feeds rm dch")
        .ends(2)
        .says(&format!("2 releases of dch are local, {before} to {last}"));
    home.run("feeds --format md")
        .ends(0)
        .shows("1 of 9 feeds is local.")
        .shows(&format!("| {last} and 1 more |"));
    home.run(&format!("feeds rm dch --day {before} --format md"))
        .ends(0)
        .shows(&format!(
            "The local release of dch for {before} was removed; "
        ))
        .shows(&format!("| dch | {before} | json |"));
}

#[test]
fn the_age_of_what_is_local_is_a_number_of_seconds() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let rows = here
        .home
        .run("feeds --offline --format json")
        .ends(0)
        .lines();
    let of = |feed: &str| rows.iter().find(|row| row["feed"] == feed).expect(feed)["age_s"].clone();
    let age = of("anonymous").as_u64().expect("seconds");
    assert!(age < 2 * 24 * 3600, "{age}");
    assert!(of("dch").is_null());
    let csv = here
        .home
        .run("feeds --offline --fields feed,age_s --format csv");
    csv.ends(0).shows("feed,age_s\r\n").shows("dch,\r\n");
}

/// Several feeds are downloaded one after the other, and one that fails keeps none of the others away.
#[test]
fn several_feeds_are_pulled_by_one_command() {
    let service = Service::start();
    let home = service.home(DemoRole::NoRealtime);
    let lines = home
        .run("feeds pull anonymous dch anonymous --format json")
        .ends(0)
        .lines();
    let feeds: Vec<_> = lines.iter().map(|line| &line["feed"]).collect();
    assert_eq!(feeds, ["anonymous", "dch"]);
    let asked = service.asked(FaultSite::Feeds).len();
    let ran = home.run("feeds pull realtime ipgeo --date yesterday");
    ran.ends(2).says("--at HHMM");
    assert_eq!(
        service.asked(FaultSite::Feeds).len(),
        asked,
        "nothing was sent"
    );
    let ran = home.run("feeds pull realtime service-metrics --format json");
    let lines = ran.ends(1).lines();
    assert_eq!(
        (lines.len(), &lines[1]["feed"]),
        (2, &"service-metrics".into())
    );
    assert_eq!(lines[0]["error"]["kind"], "credentials");
    // Of a feed that is refused no more is asked for.
    let before = service.asked(FaultSite::Feeds).len();
    home.run("feeds pull realtime --from 0000 --to 0100 --date yesterday")
        .ends(3);
    let asked = service.asked(FaultSite::Feeds);
    assert!(asked.len() - before < 4, "{asked:?}");
}

#[test]
fn the_windows_between_two_times_are_pulled() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let lines = home
        .run("feeds pull realtime --date yesterday --from 1200 --to 1215 --format json")
        .ends(0)
        .lines();
    let windows: Vec<_> = lines.iter().map(|line| &line["window"]).collect();
    assert_eq!(windows, ["1200", "1205", "1210"]);
}
