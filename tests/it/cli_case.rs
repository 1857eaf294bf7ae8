//! `case`: what belongs to an investigation, whichever command and front did it, and that it is deleted whole.

use std::fs;

use ipspect::demo::DemoRole;
use serde_json::Value;

use crate::{
    explorer_requests::{explorer_with, line_with},
    home::Here,
    service::{Home, Service, until},
};

const FEED: &str = "anonymous-residential";

fn did(lines: &[Value]) -> Vec<(String, String)> {
    let text = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    lines
        .iter()
        .map(|line| (text(line, "did"), text(line, "about")))
        .collect()
}

#[test]
fn what_is_done_in_a_case_belongs_to_it_and_is_deleted_with_it() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let addresses = here.some_addresses(3);
    let local = &addresses[0];
    let unknown = here.unknown_address("198.18");
    let log = format!("user,src\nalice,{}\n", addresses.join("\nbob,"));
    fs::write(home.path("log"), log).expect("written");
    let run = |line: &str| home.run(line);
    assert_eq!(run("case --format json").ends(0).out, "");
    run(&format!("lookup {local} --source local --case INC-1")).ends(0);
    run(&format!("lookup {unknown} --case INC-1")).ends(0);
    run("tag ACME_VPN --case INC-1").ends(0);
    run("enrich log --filter is:vpn --group user --case INC-1").ends(0);
    run(&format!("lookup {local} --source local --case other")).ends(0);
    run(&format!("lookup {local} --source local")).ends(0);

    let shown = run("case show INC-1 --format json").ends(0).lines();
    let file = home.path("log").display().to_string();
    let expected = [
        ("looked up", unknown.as_str()),
        ("opened", local),
        ("opened tag", "ACME_VPN"),
        ("table", "log"),
    ];
    let mut own = did(&shown);
    own.sort();
    assert_eq!(
        own,
        expected.map(|(did, about)| (did.to_owned(), about.to_owned()))
    );
    let table = shown.iter().find(|value| value["did"] == "table");
    assert_eq!(table.expect("a table")["file"], file);
    let looked = shown
        .iter()
        .find(|value| value["did"] == "looked up")
        .expect("a lookup");
    assert_eq!(
        (&looked["spent"], looked["time"].is_string()),
        (&1.into(), true)
    );
    assert_eq!(looked["record"]["ip"], unknown.as_str());
    let ticket = run("case show INC-1 --format md").ends(0).out.clone();
    assert!(
        ticket.contains("4 entries, 1 table, 0 notes, 1 query spent"),
        "{ticket}"
    );
    assert!(
        ticket.contains("filter is:vpn") && ticket.contains("[.]"),
        "{ticket}"
    );

    assert!(!ticket.contains(&file), "{ticket}");

    let listed = |line: &str| {
        let lines = run(line).ends(0).lines();
        let names = lines
            .iter()
            .map(|value| value["case"].as_str().expect("a name").to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(listed("case --format json"), ["INC-1", "other"]);
    assert_eq!(listed("case list acme --format json"), ["INC-1"]);
    assert_eq!(
        listed(&format!("case list {local} --format json")),
        ["INC-1", "other"]
    );
    let missing = run("case show INC-2");
    assert!(
        missing.ends(10).err.contains("did you mean \"INC-1\"?"),
        "{}",
        missing.err
    );

    go_on_in_the_explorer(&service, home, &addresses);
    let shown = run("case show INC-1 --format json").ends(0).lines();
    let note = shown
        .iter()
        .find(|value| value["did"] == "noted")
        .expect("a note");
    assert_eq!(note["text"], "rented to the intruder");
    let pastes = || {
        fs::read_dir(home.path("state/pastes"))
            .expect("a folder")
            .count()
    };
    until("the text is kept", || pastes() == 1);

    run("case forget INC-1").ends(0);
    assert_eq!(listed("case --format json"), ["other"]);
    assert_eq!(pastes(), 0);
    let log = fs::read_to_string(home.path("state/log")).expect("the log");
    assert!(!log.contains("INC-1") && !log.contains("rented"), "{log}");
    assert_eq!(
        did(&run("case show other --format json").ends(0).lines()).len(),
        1
    );
}

/// Adds a note, and a pasted text.
fn go_on_in_the_explorer(service: &Service, home: &Home, addresses: &[String]) {
    let arguments = ["--case", "INC-1"];
    let mut terminal = explorer_with(service, home.root.path(), DemoRole::Full, &arguments);
    line_with(&terminal, &["case INC-1"]);
    line_with(&terminal, &["# log"]);
    terminal.press("i");
    terminal.type_text(&addresses[0]);
    terminal.press("enter");
    terminal.wait_for("Pivot (enter)");
    terminal.press("a");
    terminal.type_text("rented to the intruder");
    terminal.press("enter");
    terminal.wait_for("rented to the intruder");
    terminal.press("i");
    terminal.paste(&format!("{} and {}", addresses[1], addresses[2]));
    terminal.wait_for("2 addresses");
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_damaged_log_is_told_of_where_cases_are_counted() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for tag in ["ACME_VPN", "CARGO_VPN"] {
        home.run(&format!("tag {tag} --case INC-1")).ends(0);
    }
    let log = home.path("state/log");
    let text = fs::read_to_string(&log).expect("the log");
    fs::write(&log, text.replacen("CARGO_VPN", "CARGO_VPM", 1)).expect("written");
    for line in ["case", "case show INC-1", "case forget INC-1"] {
        let ran = home.run(line);
        assert!(
            ran.ends(0).err.contains("a case may have had more"),
            "{line}: {ran:?}"
        );
    }
}

/// Killed at random moments while tables and a case are kept: nothing is torn, and what was written before the last second is there.
fn killed(times: u64) {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let addresses = here.some_addresses(40);
    fs::write(home.path("log"), addresses.join("\n")).expect("written");
    let mut last_kept = 0;
    for round in 0..times {
        let mut terminal = explorer_with(
            &service,
            home.root.path(),
            DemoRole::Full,
            &["--case", "INC-1"],
        );
        if round == 0 {
            terminal.press(":");
            terminal.type_text(&format!("open {}", home.path("log").display()));
            terminal.press("enter");
        } else {
            line_with(&terminal, &["# log"]);
            terminal.press("I");
        }
        terminal.wait_for("(a table;");
        terminal.gone("~ reading");
        // Marks, until the log is being written in every second round.
        let length = || fs::metadata(home.path("state/log")).map_or(0, |metadata| metadata.len());
        let before = length();
        for _ in 0..=round % 5 {
            terminal.press("* space");
        }
        if round % 2 == 0 {
            until("the log grows", || length() > before);
        }
        terminal.signal("KILL");
        drop(terminal);
        let shown = home.run("case show INC-1 --format json");
        assert!(!shown.ends(0).err.contains("set aside"), "{}", shown.err);
        let tables = shown
            .lines()
            .iter()
            .filter(|value| value["did"] == "table")
            .count();
        assert_eq!(tables, 1, "{round}");
        let entries = shown.lines().len();
        assert!(entries >= last_kept, "{entries} of {last_kept}");
        last_kept = entries;
    }
}

#[test]
fn a_case_is_whole_however_the_explorer_ends() {
    killed(6);
}

#[test]
#[ignore = "a minute or more; `cargo test --test it killed_two_hundred_times -- --ignored`"]
fn a_case_is_whole_killed_two_hundred_times() {
    killed(200);
}
