//! `diff`: two local days against a plain comparison of what the service sent for them.

use std::{collections::BTreeMap, io::Read};

use flate2::read::MultiGzDecoder;
use ipspect::{
    demo::{DemoRole, FaultSite},
    model::{
        Day, Document, Terms,
        compare::{DifferenceKind, compare},
    },
};
use serde_json::Value;

use crate::service::{Home, Service};

/// A home with two days of a feed, and these days.
fn two_days(service: &Service, feed: &str) -> (Home, [Day; 2]) {
    let home = service.home(DemoRole::Full);
    let day = Day::of(jiff::Timestamp::now());
    let days = [day.plus(-3), day.plus(-2)];
    for day in days {
        home.run(&format!("feeds pull {feed} --date {day}")).ends(0);
    }
    (home, days)
}

/// The lines of a day by what they are about, from the feed file.
fn lines(home: &Home, feed: &str, day: Day) -> BTreeMap<String, Document> {
    let pulled = home
        .run(&format!("feeds pull {feed} --date {day} --format json"))
        .ends(0)
        .line();
    let file = std::fs::File::open(pulled["file"].as_str().expect("path")).expect("file");
    let mut text = String::new();
    MultiGzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("text");
    let read = |line: &str| {
        let document = Document::read(line.as_bytes()).expect(line);
        let subject = Terms::of(document.value()).subject.expect("subject");
        (subject.to_string(), document)
    };
    text.lines().map(read).collect()
}

/// What is not the same, by a plain comparison: kind, subject, what each day says.
fn plain(
    before: &BTreeMap<String, Document>,
    after: &BTreeMap<String, Document>,
) -> BTreeMap<String, (&'static str, Value, Value)> {
    let value = |document: Option<&Document>| {
        document.map_or(Value::Null, |document| document.value().clone())
    };
    let subjects: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut found = BTreeMap::new();
    for subject in subjects {
        let (old, new) = (before.get(subject), after.get(subject));
        let kind = match (old, new) {
            (None, _) => "add",
            (_, None) => "del",
            (Some(old), Some(new)) => {
                let places = compare(old.value(), new.value());
                if places
                    .iter()
                    .all(|found| found.change() == DifferenceKind::Equal)
                {
                    continue;
                }
                "change"
            }
        };
        found.insert(subject.clone(), (kind, value(new), value(old)));
    }
    found
}

#[test]
fn a_diff_of_two_days_is_what_a_plain_comparison_finds() {
    let service = Service::start();
    for feed in ["anonymous", "anonymous-residential-ipv6"] {
        let (home, [from, to]) = two_days(&service, feed);
        let asked = service.asked(FaultSite::Feeds).len();
        let days = format!("diff {feed} --from {from} --to {to}");
        let told = home.run(&format!("{days} --format json"));
        let mut found = BTreeMap::new();
        for line in told.ends(0).lines() {
            let side = if line["record"].is_null() {
                &line["before"]
            } else {
                &line["record"]
            };
            let subject = Terms::of(side).subject.expect("subject").to_string();
            let kind = match line["diff"].as_str() {
                Some("add") => "add",
                Some("del") => "del",
                _ => "change",
            };
            found.insert(
                subject,
                (kind, line["record"].clone(), line["before"].clone()),
            );
        }
        assert_eq!(
            service.asked(FaultSite::Feeds).len(),
            asked,
            "nothing is sent"
        );
        let expected = plain(&lines(&home, feed, from), &lines(&home, feed, to));
        // So few networks are in the small world of the tests that all may stay as they were.
        assert!(feed != "anonymous" || expected.len() > 10, "{expected:?}");
        assert_eq!(found, expected, "{feed}");

        let count = |kind: &str| expected.values().filter(|(text, ..)| *text == kind).count();
        let counts = [count("add"), count("del"), count("change")];
        let counted = home
            .run(&format!("{days} --count --format json"))
            .ends(0)
            .line();
        assert_eq!(
            [&counted["added"], &counted["deleted"], &counted["changed"]],
            counts.map(Value::from).each_ref()
        );
        // People read the word of the explorer.
        home.run(&format!("{days} --count"))
            .ends(0)
            .shows("removed  ");
        let summary = home
            .run(&format!("{days} --summary --format json"))
            .ends(0)
            .lines();
        assert_eq!(
            [
                &summary[0]["appeared"],
                &summary[0]["left"],
                &summary[0]["changed"]
            ],
            counts.map(Value::from).each_ref()
        );
        // The two days are all there are, so they need no names.
        let all = home.run(&format!("diff {feed} --format json"));
        assert_eq!(all.ends(0).out, told.out);
        let some = home.run(&format!("diff {feed} --format json --limit 2"));
        let told = told.lines();
        assert_eq!(some.ends(0).lines(), told[..told.len().min(2)]);
        let [added, removed, changed] = counts;
        let totals = format!("{added} added, {removed} removed, {changed} changed");
        let shown = if told.len() > 2 { "; 2 shown" } else { "" };
        some.says(&(totals + shown + "\n"));
    }
}

#[test]
fn a_filter_counts_what_matches_on_either_side() {
    let service = Service::start();
    let (home, [from, to]) = two_days(&service, "anonymous-residential");
    let all = home
        .run("diff anonymous-residential --format json")
        .ends(0)
        .lines();
    for filter in [
        "risk:TUNNEL",
        "-infra:MOBILE",
        "clients>20",
        "net:198.51.100.0/24",
    ] {
        let parsed: ipspect::store::Filter = filter.parse().expect("filter");
        let matches = |side: &Value| !side.is_null() && parsed.matches(&Terms::of(side));
        let expected: Vec<&Value> = all
            .iter()
            .filter(|line| matches(&line["record"]) || matches(&line["before"]))
            .collect();
        let words = [
            "diff",
            "anonymous-residential",
            "--filter",
            filter,
            "--format",
            "json",
        ];
        let ran = home.run_words(&words);
        assert_eq!(
            ran.ends(0).lines().iter().collect::<Vec<_>>(),
            expected,
            "{filter}"
        );
    }
    let ran = home.run_words(&["diff", "anonymous-residential", "--filter", "operator:X"]);
    ran.ends(2).says("^^^^^^^^");
    home.run(&format!(
        "diff anonymous-residential --from {to} --to {from}"
    ))
    .ends(0)
    .says("added");
}

#[test]
fn a_diff_has_four_forms() {
    let service = Service::start();
    let (home, [from, to]) = two_days(&service, "anonymous");
    let ran = home.run("diff anonymous");
    ran.ends(0).says(&format!(
        "note: anonymous {} to {}: ",
        from.dashed(),
        to.dashed()
    ));
    let signs = |line: &str| ["+ ", "- ", "~ "].iter().any(|sign| line.starts_with(sign));
    assert!(ran.out.lines().all(signs), "{}", ran.out);
    let count = ran.out.lines().count();
    assert!(count > 10);
    let csv = home.run("diff anonymous --format csv");
    csv.ends(0)
        .shows("diff,subject,tunnel_types,operators,country,client_count,changes");
    assert_eq!(csv.out.lines().count(), count + 1);
    let md = home.run("diff anonymous --format md --limit 3");
    md.ends(0)
        .shows("### Diff of anonymous")
        .shows("| DIFF | SUBJECT |")
        .shows("[.]");
    home.run("diff anonymous --count").ends(0).shows("added");
    home.run("diff anonymous --summary --limit 5")
        .ends(0)
        .shows("OPERATOR")
        .shows("COUNTRY");
    home.run("diff anonymous --summary --format md")
        .ends(0)
        .shows("| TOTAL | ADDED |");
    home.run("diff anonymous --summary --format csv")
        .ends(0)
        .shows("by,value,to,");
    home.run("diff anonymous --summary --count").ends(2);
}

#[test]
fn the_exit_code_tells_of_a_change_where_it_is_asked() {
    let service = Service::start();
    let (home, [from, _]) = two_days(&service, "anonymous");
    for words in ["", " --count", " --summary", " --limit 0"] {
        home.run(&format!("diff anonymous --exit-code{words}"))
            .ends(11);
    }
    home.run("diff anonymous -q --limit 1").ends(0);
    home.run(&format!(
        "diff anonymous --exit-code --from {from} --to {from}"
    ))
    .ends(0);
    home.run("diff anonymous --exit-code --filter net:192.0.2.0/32")
        .ends(0);
}

#[test]
fn a_day_that_is_not_here_is_named_with_the_way_to_get_it() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("diff anonymous")
        .ends(10)
        .says("ipspect feeds pull anonymous");
    let day = Day::of(jiff::Timestamp::now()).plus(-2);
    home.run(&format!("feeds pull anonymous --date {day}"))
        .ends(0);
    let before = day.plus(-1);
    home.run("diff anonymous").ends(10).says(&format!(
        "ipspect feeds pull anonymous --date {}",
        before.dashed()
    ));
    home.run("diff anonymous --from 20200101")
        .ends(10)
        .says("2020-01-01")
        .says("ipspect feeds pull anonymous --date 2020-01-01");
    home.run("diff anonymous --to 20200101")
        .ends(10)
        .says("--date 2020-01-01");
    home.run("diff anonymus").ends(2);
    home.run(&format!(
        "diff anonymous --from {day} --to {day} --count --format csv"
    ))
    .ends(0)
    .shows("0,0,0");
}

/// What is advised can be done: the file that the metadata of service-metrics names is there.
#[test]
fn a_missing_day_of_service_metrics_is_downloaded_as_advised() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let pulled = home.run("feeds pull service-metrics --format json");
    let latest = pulled.ends(0).line()["day"]
        .as_str()
        .and_then(Day::from_compact);
    // Before the release hour the latest is yesterday's.
    let before = latest.expect("a day").plus(-1).dashed();
    let diff = format!("diff service-metrics --from {before} --to latest");
    let missing = home.run(&diff);
    let advice = missing
        .ends(10)
        .err
        .split('`')
        .find(|text| text.starts_with("ipspect feeds pull"));
    let advice = advice.expect("an advice").to_owned();
    home.run(advice.strip_prefix("ipspect ").expect("a command"))
        .ends(0);
    home.run(&diff).ends(0);
}
