//! The flows of files, key by key, and what the service saw of each: a feed that is paused and resumed, an export, its rows.

use std::{collections::BTreeMap, fs};

use ipspect::{
    demo::{DemoRole, FaultSite},
    report::count,
};
use serde_json::Value;

use crate::{
    explorer_requests::{explorer, has_operator, line_with, lookups, telling},
    flows::{Side, go_to, marked},
    home::Here,
    pty::Terminal,
    service::{Home, Service},
};

/// Slow enough that no download ends by itself, fast enough that something comes.
const SLOW: &str = "storage:slow=3000";

/// Bytes of the feed that have come.
fn part(home: &Home) -> u64 {
    fs::metadata(home.path("cache/feeds/anonymous/.part/latest.json.gz.part"))
        .map_or(0, |metadata| metadata.len())
}

/// Starts the explorer in Feeds.
fn feeds(service: &Service, home: &Home) -> Terminal {
    let mut terminal = explorer(service, home.root.path(), DemoRole::Full);
    terminal.press("4");
    line_with(&terminal, &["> anonymous ", "20"]);
    terminal
}

/// Waits until some of the feed has come.
#[track_caller]
fn some_has_come(terminal: &Terminal, home: &Home, more_than: u64) {
    line_with(terminal, &["> anonymous ", "downloading "]);
    crate::service::until("a part", || part(home) > more_than);
}

/// Paused at a byte, kept by quitting and by a crash, resumed from a fresh link; stopped with what came deleted; begun again where the file
/// is another.
#[test]
fn a_feed_of_three_gigabytes() {
    let service = Service::with(&[SLOW]);
    let home = service.home(DemoRole::Full);
    let mut terminal = feeds(&service, &home);
    // Size and day are in its row before anything is downloaded.
    line_with(&terminal, &["> anonymous ", "KiB", "not local"]);
    terminal.press("p");
    some_has_come(&terminal, &home, 100);
    terminal.press("z");
    line_with(&terminal, &["> anonymous ", "paused", "z resumes"]);

    // Quitting asks, and keeps it.
    terminal.press("q");
    terminal.wait_for("1 job is paused. Leave? It is kept for the next start.");
    terminal.press("y");
    assert_eq!(terminal.exit_code(), 0);
    let paused = part(&home);
    let mut terminal = feeds(&service, &home);
    line_with(&terminal, &["> anonymous ", "z resumes"]);
    terminal.press("z");
    some_has_come(&terminal, &home, paused);

    // A crash keeps it, too.
    terminal.signal("KILL");
    drop(terminal);
    let kept = part(&home);
    assert!(kept > paused);
    service.demo.faults().clear();
    let mut terminal = feeds(&service, &home);
    line_with(&terminal, &["> anonymous ", "z resumes"]);
    terminal.press("z");
    line_with(&terminal, &["> anonymous ", "indexed"]);
    line_with(&terminal, &["anonymous latest: ", " records, resumed at "]);

    // Each time the service was asked for a fresh link, then for the rest, on condition that it is the same file.
    let seen = service.seen(FaultSite::Storage);
    let ranges: Vec<&str> = seen
        .iter()
        .filter_map(|request| request.header("range"))
        .collect();
    let rest = |from: u64| format!("bytes={from}-");
    assert_eq!(ranges, [rest(paused), rest(kept)]);
    assert!(
        seen.iter().all(
            |request| request.header("range").is_none() || request.header("if-range").is_some()
        )
    );
    assert!(seen.iter().all(|request| request.header("token").is_none()));
    let asked = service.asked(FaultSite::Feeds).into_iter();
    let links = asked.filter(|target| target.ends_with("/anonymous/latest.json.gz"));
    assert_eq!(links.count(), 3);

    // x asks what becomes of what has come.
    service.arm(SLOW);
    terminal.press("X");
    terminal.wait_for("Delete releases of anonymous");
    terminal.press("ctrl-x");
    line_with(&terminal, &["> anonymous ", "not local"]);
    terminal.press("p");
    some_has_come(&terminal, &home, 100);
    terminal.press("x");
    terminal.wait_for("Stop the download?");
    terminal.press("X");
    terminal.gone("Stop the download?");
    line_with(&terminal, &["> anonymous ", "not local"]);
    crate::service::until("no part", || part(&home) == 0);
    terminal.press("p");
    some_has_come(&terminal, &home, 100);
    terminal.press("x");
    terminal.wait_for("Stop the download?");
    terminal.press("k");
    terminal.gone("Stop the download?");
    line_with(&terminal, &["> anonymous ", "z resumes"]);

    // Another file at the service: what came is of no use, and that is said.
    service.demo.faults().clear();
    service.arm("storage:changed");
    terminal.press("z");
    line_with(&terminal, &["> anonymous ", "indexed"]);
    terminal.press("!");
    terminal.wait_for("anonymous started over: its file changed at the service");
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(telling(&service), [""; 0]);
    assert_eq!(home.spent(), (0, 0));
}

fn countries(records: &[Value]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for record in records {
        if let Some(country) = record["location"]["country"].as_str() {
            *counts.entry(country).or_default() += 1;
        }
    }
    counts
}

/// Every key checks the form; what is wrong says why and offers the fix; what matches is counted in the local feed. Nothing is sent.
#[test]
fn an_export() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "service-metrics"]);
    let records = here.records("anonymous");
    let all = count(records.len() as u64);
    let mut terminal = explorer(&service, here.home.root.path(), DemoRole::Full);
    terminal.press("5");
    line_with(&terminal, &["matches", &format!("{all} IPs"), "exact"]);

    // A tag with a slip: the near name is one key away.
    go_to(&mut terminal, "down", Side::Left, "tags");
    terminal.type_text("ACME_VPNN");
    terminal.wait_for("did you mean ACME_VPN?");
    terminal.press("enter");
    let acme = count(has_operator(records, "ACME_VPN") as u64);
    line_with(&terminal, &["matches", &format!("{acme} IPs"), &all]);
    line_with(&terminal, &["by tag", &format!("ACME_VPN {acme}")]);
    terminal.wait_for("1 tag known");

    // The busiest are kept.
    go_to(&mut terminal, "down", Side::Left, "limit");
    terminal.type_text("5");
    terminal.wait_for("keeps the busiest 5, drops ");
    terminal.press("ctrl-u");
    terminal.wait_for("nothing is cut");

    // What may not be asked for together explains itself, is not sent, and offers the way out.
    go_to(&mut terminal, "down", Side::Left, "diff");
    terminal.press("space");
    go_to(&mut terminal, "up", Side::Left, "fields");
    terminal.press("right space");
    terminal.wait_for("1 error");
    terminal.press("ctrl-s");
    terminal.wait_for("nothing was sent");
    terminal.press("enter");
    terminal.gone("1 error");

    // A country, in letters of either case; what was typed before it is cleared.
    go_to(&mut terminal, "up", Side::Left, "feed");
    go_to(&mut terminal, "down", Side::Left, "tags");
    terminal.press("ctrl-u");
    go_to(&mut terminal, "down", Side::Left, "ccs");
    terminal.type_text("nl");
    let dutch = countries(records).get("NL").copied().unwrap_or_default();
    let dutch = format!("{} IPs", count(dutch as u64));
    terminal.wait_until(&dutch, |screen| screen.contains(&dutch));

    // A feed that is not local offers the download and the service.
    go_to(&mut terminal, "up", Side::Left, "feed");
    terminal.press("right");
    terminal.wait_for("anonymous-residential is not local: nothing is counted");
    terminal.wait_for("p downloads it; S asks the service");
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(service.asked(FaultSite::Exports), [""; 0]);
    assert_eq!(telling(&service), [""; 0]);
}

/// The local preview is free, the service's is twelve rows; the file's rows are a table to sort, filter, copy and look up, and the request is
/// kept.
#[test]
fn a_result_preview() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let records = here.records("anonymous");
    let root = here.home.root.path();
    let all = count(records.len() as u64);
    let mut terminal = explorer(&service, root, DemoRole::Full);
    terminal.press("5");
    line_with(&terminal, &["Preview", "[local]", "rows of anonymous"]);
    assert_eq!(service.asked(FaultSite::Exports), [""; 0]);
    terminal.press("S");
    line_with(&terminal, &["Preview", "[server]", "12 rows"]);
    let asked = service.asked(FaultSite::Exports);
    assert!(
        asked.len() == 1 && asked[0].contains("limit=12"),
        "{asked:?}"
    );

    // To a file; its rows open by themselves, and are beside the local count.
    terminal.press("ctrl-s");
    terminal.wait_for(".csv");
    terminal.press("enter");
    terminal.wait_for("Rows of anonymous-");
    terminal.wait_for(&format!("{all} records"));
    terminal.wait_for(&format!("local counted {all} too"));
    terminal.wait_for(&format!("all {all} rows"));
    assert_eq!(service.asked(FaultSite::Exports).len(), 2);

    // Filter, order, a look at a row that is local, and back to the same row.
    terminal.press("/");
    terminal.type_text("ACME_VPN");
    terminal.press("enter");
    line_with(&terminal, &["/ ACME_VPN", &format!(" of {all} rows")]);
    terminal.press("s enter");
    terminal.wait_for("sorted by ");
    let is_acme = |record: &&Value| has_operator(std::slice::from_ref(*record), "ACME_VPN") > 0;
    let names = records.iter().filter(is_acme).map(|record| &record["ip"]);
    let first = names.filter_map(Value::as_str).min().expect("a record");
    terminal.wait_for(&format!("> {first} "));
    terminal.press("down");
    line_with(&terminal, &["└", " 2 of "]);
    terminal.wait_for("look up: local, free");
    let left = marked(&terminal.screen(), Side::Right);
    terminal.press("enter");
    terminal.wait_for("Pivot (enter)");
    terminal.press("bksp");
    terminal.wait_for("Rows of anonymous-");
    line_with(&terminal, &["/ ACME_VPN", "sorted by "]);
    terminal.wait_until("the row that was left", |screen| {
        marked(screen, Side::Right) == left
    });
    terminal.press("bksp");
    terminal.wait_for("Build");

    // The request is kept: as a preset where that is asked for, and as a run.
    terminal.press("w");
    terminal.type_text("daily");
    terminal.press("enter");
    terminal.wait_for("preset daily saved");
    terminal.press("O");
    terminal.wait_for("daily");
    line_with(&terminal, &["run 20", "service", &all]);
    terminal.press("esc");
    terminal.gone("run 20");
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
    let files = fs::read_dir(root).expect("home").flatten();
    let written: Vec<_> = files
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
        .collect();
    assert_eq!(written.len(), 1);
    let lines = fs::read_to_string(&written[0]).expect("the file");
    assert_eq!(lines.lines().count(), records.len() + 1);
    assert_eq!(lookups(&service), 0);
    assert_eq!(service.asked(FaultSite::Exports).len(), 2);
}

/// The records of a view are written as `search` prints them, in each form, however many there are; those that are marked alone, too.
#[test]
fn records_are_written_as_the_command_line_prints_them() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let mut terminal = explorer(&service, here.home.root.path(), DemoRole::Full);
    terminal.press("4");
    line_with(&terminal, &["> anonymous ", "20"]);
    terminal.press("enter");
    terminal.wait_for("exact");
    let write = |terminal: &mut Terminal, name: &str| {
        terminal.press("W");
        terminal.wait_for("Write records to a file");
        terminal.type_text(name);
        terminal.press("enter");
        terminal.wait_for(&format!("{name}: "));
        fs::read_to_string(here.home.path(name)).expect("a file")
    };
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    for (name, format) in [
        ("all.csv", "csv"),
        ("all.jsonl", "json"),
        ("all.txt", "ids"),
    ] {
        let written = write(&mut terminal, name);
        let line = format!("search anonymous --format {format}");
        let printed = here.home.run(&line).ends(0).out.clone();
        let records = printed.lines().count();
        assert!(records > 64, "{records} records are no more than a page");
        assert_eq!(sorted(&written), sorted(&printed), "{name}");
    }
    // Marked ones, from under another filter.
    terminal.press("space space");
    terminal.wait_for("2 marked");
    terminal.press("/");
    terminal.type_text("cc:NL");
    terminal.press("enter");
    let all = here.home.run("search anonymous --format ids").out;
    terminal.wait_for(&format!(" of {} records", all.lines().count()));
    let two = write(&mut terminal, "two.jsonl");
    let all = fs::read_to_string(here.home.path("all.jsonl")).expect("a file");
    assert_eq!(two.lines().count(), 2, "{two}");
    assert!(
        two.lines().all(|line| all.lines().any(|text| text == line)),
        "{two}"
    );
    // A file that is there is replaced after a question alone.
    terminal.press("W");
    terminal.wait_for("Write records to a file");
    terminal.type_text("two.jsonl");
    terminal.press("enter");
    terminal.wait_for("Replace this file?");
    terminal.press("n");
    terminal.gone("Replace this file?");
    terminal.press("esc");
    assert_eq!(telling(&service), [""; 0]);
    assert_eq!(here.home.spent(), (0, 0));
}
