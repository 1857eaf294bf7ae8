//! `common`: what the records about some addresses share, against what `search` counts.

use std::fs;

use ipspect::{demo::DemoRole, model::Day};
use serde_json::Value;

use crate::service::{Home, Ran, Service};

/// A home whose feed is local, and a text of addresses behind one entry, with strangers.
fn with_text(service: &Service) -> Home {
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous").ends(0);
    let ran = home.run("search anonymous entry:198.51.100.70 --format ids");
    let text = format!("{}192.0.2.253 10.0.0.1\n", ran.ends(0).out);
    fs::write(home.path("incident.log"), text).expect("write");
    home
}

#[test]
fn the_filter_of_each_value_selects_what_is_counted_of_the_feed() {
    let service = Service::start();
    let home = with_text(&service);
    let ran = home.run("common incident.log --format json --all");
    let lines = ran.ends(0).lines();
    ran.says("beside all")
        .says("1 address without a record there");
    assert!(lines.len() > 10, "{ran:?}");
    let first = &lines[0];
    let least = |line: &Value| line["at_least"].as_f64();
    assert!(least(first) > Some(1.0), "{first}");
    let is_entry = |line: &&Value| line["value"] == "198.51.100.70" && line["field"] == "entry";
    let entry = lines.iter().find(is_entry).expect("the entry");
    assert_eq!(entry["here"], entry["among"]);
    assert_eq!(entry["here"], entry["in_feed"]);
    for line in &lines {
        let Some(filter) = line["filter"].as_str() else {
            assert_eq!(line["field"], "exit");
            assert!(line["in_feed"].is_null() && line["times"].is_null());
            continue;
        };
        let mut command = home.command("search anonymous --count");
        let ran = Ran::of(command.arg(filter).output().expect("run"));
        assert_eq!(
            ran.ends(0).out.trim(),
            line["in_feed"].to_string(),
            "{line}"
        );
    }
    assert!(service.paid().is_empty());
}

#[test]
fn a_set_is_a_text_an_input_or_a_filter_and_a_day_may_be_named() {
    let service = Service::start();
    let home = with_text(&service);
    let text = home.run("common incident.log --limit 3");
    text.ends(0).shows("AT LEAST").says("more values: --limit");
    assert_eq!(text.out.lines().count(), 4, "{text:?}");
    let input = fs::File::open(home.path("incident.log")).expect("open");
    let mut piped = home.command("common - --limit 3");
    let piped = Ran::of(piped.stdin(input).output().expect("run"));
    assert_eq!(piped.ends(0).out, text.out);
    let csv = home.run("common anonymous:entry:198.51.100.70 --format csv");
    csv.ends(0)
        .shows("field,value,here,among,in_feed,records,times,at_least,filter,feed,day\r\n");
    // What the filter says is not told again.
    assert!(!csv.out.contains("entry,198.51.100.70,"), "{csv:?}");
    let ticket = home.run("common incident.log --format md");
    ticket
        .ends(0)
        .shows("### incident[.]log")
        .shows("beside all");
    let day = Day::of(jiff::Timestamp::now()).plus(-2);
    home.run(&format!("common incident.log@{day}"))
        .ends(10)
        .says(&format!("anonymous of {} is not downloaded", day.dashed()));
    home.run(&format!("feeds pull anonymous --date {day}"))
        .ends(0);
    let json = home.run(&format!("common incident.log@{day} --format json"));
    assert_eq!(json.ends(0).lines()[0]["day"], day.to_string());
    home.run("common incident.log --feed dch").ends(10);
    fs::write(home.path("one.log"), "192.0.2.253\n").expect("write");
    home.run("common one.log")
        .ends(0)
        .says("there are no two records to share something");
}
